"""A chain of ErekoBots with its host: boards, programs and the line between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from annelid.electronics.board import Firmware
from annelid.electronics.circuit import Circuit
from annelid.electronics.node import Node
from annelid.electronics.port import TERMINAL, Terminal
from annelid.electronics.uart import Uart
from annelid.errors import InputError
from annelid.systems.erekobot.host import host, parse_saying
from annelid.systems.erekobot.profile1 import first_profile
from annelid.systems.erekobot.profile2 import second_profile
from annelid.systems.erekobot.profile3 import third_profile
from annelid.systems.erekobot.profile4 import fourth_profile
from annelid.systems.erekobot.serial import PORT
from annelid.systems.erekobot.spec import ErekobotSpec

HOST_NAME: Final = "host"


@dataclass(frozen=True)
class ErekobotNetwork:
    """What was built, in the order along the line."""

    host: Node
    modules: tuple[Node, ...]
    line: Uart


def module_firmware(spec: ErekobotSpec, index: int, modules: int) -> Firmware:
    """What is flashed into the module at this place of the line, from 1."""
    setup = spec.setup(index, modules)
    match spec.profile:
        case 1:
            return partial(first_profile, setup=setup)
        case 2:
            return partial(second_profile, setup=setup, table=spec.held(index))
        case 3:
            return partial(
                third_profile,
                setup=setup,
                tables=(spec.held(index),),
                brief=spec.brief_configuration,
            )
        case 4:
            return partial(fourth_profile, setup=setup, answers=spec.topology == "ring")


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
    nodes[0].board.ports[TERMINAL] = Terminal(parse_saying)
    for node in nodes:
        node.board.ports[PORT] = line.attach(node.name)
    return ErekobotNetwork(nodes[0], tuple(nodes[1:]), line)
