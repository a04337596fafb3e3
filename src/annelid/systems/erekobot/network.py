"""A chain of ErekoBots with its host: boards, programs and the line between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from annelid.electronics.board import Board, Firmware
from annelid.electronics.circuit import Circuit
from annelid.electronics.node import Node
from annelid.electronics.port import TERMINAL, Terminal
from annelid.electronics.uart import Uart
from annelid.errors import InputError
from annelid.kernel import Kernel, Priority, Program, seconds
from annelid.systems.erekobot.host import host
from annelid.systems.erekobot.module import ErekobotSetup, Module, ModuleMemory
from annelid.systems.erekobot.profiles import (
    first_profile,
    fourth_profile,
    second_profile,
    third_profile,
)
from annelid.systems.erekobot.sayings import parse_saying
from annelid.systems.erekobot.serial import PORT
from annelid.systems.erekobot.spec import ErekobotSpec

HOST_NAME: Final = "host"


@dataclass(frozen=True)
class ErekobotNetwork:
    """What was built, in the order along the line."""

    host: Node
    modules: tuple[Node, ...]
    line: Uart


PROFILE_PROGRAMS: Final[Mapping[int, Callable[[Module, ModuleMemory], Program]]] = {
    1: first_profile,
    2: second_profile,
    3: third_profile,
    4: fourth_profile,
}


def module(board: Board, setup: ErekobotSetup, memory: ModuleMemory, profile: int) -> Program:
    """All profiles, one at a time: each goes on until the host asks for another."""
    me = Module(board, setup)
    while True:
        profile = yield from PROFILE_PROGRAMS[profile](me, memory)


def module_firmware(spec: ErekobotSpec, index: int, modules: int) -> Firmware:
    """What is flashed into the module at this place of the line, from 1."""
    setup = spec.setup(index, modules)
    return partial(module, setup=setup, memory=spec.memory(index), profile=spec.profile)


def build(
    spec: ErekobotSpec, circuit: Circuit, *, host_firmware: Firmware | None = None
) -> ErekobotNetwork:
    """Put a board on every module that has the servo, and the host before the first of them.

    ``host_firmware`` replaces the host's program: by a bridge to a real port.
    """
    robot = circuit.sim.robot
    driven = [m for m in robot.modules if spec.servo in (mount.name for mount in m.body.mounts)]
    if not driven:
        raise InputError(f"erekobot: no module of {robot.letters} has a servo {spec.servo!r}")
    count = len(driven)
    spec.addresses_for(count)
    line = circuit.connect(Uart, PORT, spec.uart())
    firmware = host_firmware or partial(host, spec=spec, modules=count)
    nodes = [circuit.add(HOST_NAME, firmware, spec.host_board())]
    nodes += [
        circuit.add(module.name, module_firmware(spec, index, count), spec.module_board())
        for index, module in enumerate(driven, 1)
    ]
    nodes[0].board.ports[TERMINAL] = seated(spec, circuit.kernel)
    for node in nodes:
        node.board.ports[PORT] = line.attach(node.name)
    return ErekobotNetwork(nodes[0], tuple(nodes[1:]), line)


def seated(spec: ErekobotSpec, kernel: Kernel) -> Terminal:
    """The operator's terminal, with what the scenario has somebody say at it."""
    terminal = Terminal(parse_saying)
    for typed in spec.operator:
        say = partial(terminal.type, typed.say)
        kernel.call_at(seconds(typed.at_s), say, priority=Priority.OUTSIDE)
    return terminal
