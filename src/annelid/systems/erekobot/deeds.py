"""What the host does when the operator says something (sayings.py), while modules move or stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from annelid.errors import InputError
from annelid.kernel import Program, milliseconds
from annelid.systems.erekobot import messages
from annelid.systems.erekobot.bytecode import assemble
from annelid.systems.erekobot.gait_time import HOP_MS
from annelid.systems.erekobot.sayings import (
    ADDRESS,
    PERIOD,
    PROFILE,
    PROGRAM,
    START,
    STOP,
    TABLE,
    HostSaying,
)
from annelid.systems.erekobot.spec import ErekobotSpec

if TYPE_CHECKING:
    from annelid.systems.erekobot.host import Host

SWITCH_MS = 20.0
"""What modules are given to begin with another profile, besides the way of the word to the last."""


def _only(host: Host, what: str, *profiles: int) -> None:
    if host.spec.profile not in profiles:
        which = " or ".join(str(number) for number in profiles)
        raise InputError(
            f"erekobot: {what} needs profile {which}, and the modules run profile "
            f"{host.spec.profile}"
        )


def _move(host: Host, saying: HostSaying) -> Program:
    host.wanted = saying.word == START
    yield from ()


def _use_table(host: Host, saying: HostSaying) -> Program:
    _only(host, "table", 1, 3)
    number, *addresses = saying.numbers
    tables = host.spec.tables
    if number >= len(tables) or (number and host.spec.brief_configuration):
        raise InputError(
            f"erekobot: table: expected 0 to {len(tables) - 1}, got {number}: modules have no "
            "such table (more_tables)"
        )
    for address in addresses:
        host.place(address)
    if not addresses:
        host.table, host.period = number, tables[number].period
    elif host.spec.profile == 1:
        raise InputError("erekobot: table of one module needs profile 3")
    if host.spec.profile == 3:
        yield from host.configure(number, addresses)


def _use_period(host: Host, saying: HostSaying) -> Program:
    _only(host, "period", 1, 3, 4)
    (host.period,) = saying.numbers
    if host.spec.profile > 1:
        yield from host.set_up()


def _rename(host: Host, saying: HostSaying) -> Program:
    _only(host, "address", 3)
    old, new = saying.numbers
    place = host.place(old)
    if new != old and new in host.addresses:
        raise InputError(f"erekobot: address {new} is another module's: it would be there twice")
    yield from host.configure(host.table, [old], renamed=new)
    host.addresses[place] = new


def _change_profile(host: Host, saying: HostSaying) -> Program:
    (number,) = saying.numbers
    options = {**host.spec.model_dump(), "profile": number, "addresses": ()}
    host.spec = ErekobotSpec.parse(options, where="erekobot")
    host.table, host.period = 0, host.spec.period
    for _ in range(host.spec.repeats):
        yield from host.say(messages.profile(number))
    yield host.serial.port.drained()
    end_ns = host.board.now + milliseconds(SWITCH_MS + host.modules * HOP_MS)
    while host.board.now < end_ns:
        yield from host.listen_until(end_ns)
    host.again, host.wanted = host.wanted or host.again, False
    host.gait.stop()


def _send_formula(host: Host, saying: HostSaying) -> Program:
    _only(host, "program", 4)
    assemble(saying.formula)
    host.spec = host.spec.model_copy(update={"program": saying.formula})
    yield from host.send_programs()


DEEDS: Final[Mapping[str, Callable[[Host, HostSaying], Program]]] = MappingProxyType(
    {
        START: _move,
        STOP: _move,
        TABLE: _use_table,
        PERIOD: _use_period,
        ADDRESS: _rename,
        PROFILE: _change_profile,
        PROGRAM: _send_formula,
    }
)
