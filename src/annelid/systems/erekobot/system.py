"""ErekoBot's entry in the table of systems: options, builder, packets in words."""

from __future__ import annotations

from typing import Final

from annelid.systems import System
from annelid.systems.erekobot import messages
from annelid.systems.erekobot.messages import ASK_TIME, KIND, TIME, VALUE, VERDICT
from annelid.systems.erekobot.network import build
from annelid.systems.erekobot.packets import (
    BRIEF_CONFIGURATION,
    BROADCAST,
    CONFIGURATION,
    HOST,
    PERIOD_MAX,
    PROFILES,
    STANDARD,
    SYNC,
    BriefConfiguration,
    Configuration,
    GaitProgram,
    Packet,
    PacketLayout,
    Standard,
)
from annelid.systems.erekobot.sayings import HELP, completions, parse_saying
from annelid.systems.erekobot.servo_table import PWM_MAX, PWM_MIN, degrees_of
from annelid.systems.erekobot.spec import ErekobotSpec
from annelid.systems.front import Form, Number, Panel, Text, Words

FRONT: Final = "annelid.systems.erekobot.front"

Coming = tuple[
    PacketLayout[Configuration] | PacketLayout[BriefConfiguration] | PacketLayout[GaitProgram], ...
]


def describe_frames(data: bytes) -> list[tuple[bytes, str]]:
    """Packets one after the other, each in words; what is none, as bytes that are none.

    The wire does not say which profile is spoken, so what an announcement may announce is tried.
    """
    found: list[tuple[bytes, str]] = []
    stray = bytearray()
    coming: Coming = ()
    at = 0
    while at < len(data):
        for layout in (*coming, STANDARD):
            raw = data[at : at + layout.size]
            packet: Packet | None = layout.parse(raw)
            if packet is not None:
                break
        else:
            stray.append(data[at])
            at += 1
            continue
        _put_stray(found, stray)
        if isinstance(packet, Configuration | BriefConfiguration):
            before, _ = found[-1]
            found[-1] = (before, f"{_to(packet)}: a configuration follows")
        found.append((raw, words(packet)))
        coming = _announced(packet)
        at += len(raw)
    _put_stray(found, stray)
    return found


def _put_stray(found: list[tuple[bytes, str]], stray: bytearray) -> None:
    if stray:
        what = "a packet cut short" if stray[0] == SYNC else "no packet"
        found.append((bytes(stray), what))
        stray.clear()


def _announced(packet: Packet) -> Coming:
    if not isinstance(packet, Standard):
        return ()
    if packet.message == messages.CONFIGURATION_FOLLOWS:
        return (CONFIGURATION, BRIEF_CONFIGURATION)
    program = messages.programs(packet.message)
    return () if program is None else (program,)


def words(packet: Packet) -> str:
    """What a packet says, to somebody who has not read 004."""
    to = _to(packet)
    match packet:
        case Standard():
            return f"{to}: {_message(packet)}"
        case Configuration():
            return (
                f"{to}: table {packet.table}, phase {packet.phase} of {packet.period}, "
                f"{packet.modules} modules, address {packet.new_address}"
            )
        case BriefConfiguration():
            return (
                f"{to}: phase {packet.phase} of {packet.period}, {packet.modules} modules, "
                f"address {packet.new_address}"
            )
        case GaitProgram():
            return f"{to}: a program of {len(packet.code)} bytes, {packet.period_ms} ms a cycle"


def _to(packet: Packet) -> str:
    named = {BROADCAST: "to all", HOST: "to the host"}
    return named.get(packet.address, f"to {packet.address}")


def _message(packet: Standard) -> str:
    message = packet.message
    if packet.address == BROADCAST and message in (messages.STOP, messages.START):
        return "start" if message == messages.START else "stop"
    if packet.address == BROADCAST and message - messages.PROFILE in PROFILES:
        return f"profile {message - messages.PROFILE} from now on"
    match message & KIND:
        case kind if kind == ASK_TIME:
            return f"what time is it? ({message & VALUE} asks)"
        case kind if kind == TIME:
            return f"gait time {message & VALUE} ms"
        case kind if kind == VERDICT:
            code = message >> 8 & 0x3F
            return f"{message & 0xFF} " + ("accepts" if not code else f"refuses ({code})")
    if PWM_MIN <= message <= PWM_MAX:
        return f"servo to {degrees_of(message):.0f}° ({message})"
    if message == messages.CONFIGURATION_FOLLOWS:
        return "time state 2, or a configuration follows"
    if messages.programs(message) is not None:
        return f"a program of {message >> 8} bytes follows"
    return f"time state {message}"


EREKOBOT: Final = System(
    name="erekobot",
    title="ErekoBot (004): equal modules with one servo, a host, a serial line",
    options=ErekobotSpec,
    build=build,
    describe_frames=describe_frames,
    example='system = "erekobot"\noptions = {profile = 3, interval_ms = 100}',
    words=Words(parse_saying, completions, lambda: list(HELP), silent={"operator": ()}),
    panel=Panel(
        forms=(
            Form("Table", {"Use table": "table {n}"}, (Number("n", 0, "number", low=0, high=15),)),
            Form(
                "Cycle",
                {"Set period": "period {n}"},
                (Number("n", 16, "time states", low=1, high=PERIOD_MAX),),
            ),
            Form(
                "Profile",
                {"Set profile": "profile {n}"},
                (Number("n", 3, "profile", low=1, high=4),),
            ),
            Form(
                "Address of a module",
                {"Rename": "address {old} {new}"},
                (Number("old", 1, low=1, high=254), Number("new", 23, low=1, high=254)),
            ),
            Form(
                "Program of the Fourth Profile",
                {"Send program": "program {formula}"},
                (Text("formula", "psi sin 30 mul"),),
            ),
        ),
        operate=f"{FRONT}.console:ErekobotForm",
        own_options=True,
    ),
    bench=f"{FRONT}.bench:bench",
)
