"""A MICROTUB robot with its PC: boards, bus, and sync lines where modules are docked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from annelid.electronics.board import Firmware
from annelid.electronics.circuit import Circuit
from annelid.electronics.i2c import I2cBus
from annelid.electronics.node import Node
from annelid.electronics.sync_line import SyncLine, SyncPin
from annelid.kernel import milliseconds, seconds
from annelid.robot.body import Body
from annelid.robot.module import ModuleType
from annelid.systems.microtub.agent import Identity
from annelid.systems.microtub.discovery import central_discovery
from annelid.systems.microtub.module import BUS, SIN, SOUT, Setup, module
from annelid.systems.microtub.protocol import CC
from annelid.systems.microtub.spec import MicrotubSpec

PC: Final = "PC"
PIN_AT: Final = {"front": SIN, "back": SOUT}
"""The face of a module to the pin behind it; other faces have none."""

Docked = tuple[tuple[str, str], tuple[str, str]]
"""Two faces, each (module, face)."""


@dataclass(frozen=True)
class Fitted:
    """A module to be given a board."""

    name: str
    type: ModuleType
    body: Body


@dataclass(frozen=True)
class Network:
    """What was built; modules in the order of the robot."""

    pc: Node
    modules: tuple[Node, ...]
    addresses: tuple[int, ...]
    bus: I2cBus
    sync: tuple[SyncLine, ...]


def build(spec: MicrotubSpec, circuit: Circuit, *, pc: Firmware | None = None) -> Network:
    """A board on every module of the robot, and a PC; ``pc`` replaces the PC's program."""
    robot = circuit.sim.robot
    fitted = [Fitted(each.name, each.type, each.body) for each in robot.modules]
    return wire(spec, circuit, fitted, [(dock.a, dock.b) for dock in robot.docks], pc=pc)


def wire(
    spec: MicrotubSpec,
    circuit: Circuit,
    modules: Sequence[Fitted],
    docks: Iterable[Docked],
    *,
    pc: Firmware | None = None,
    clock_log: bool = False,
) -> Network:
    """The same for any list of modules; one without a body in the physics has no servos."""
    kernel, streams = circuit.kernel, circuit.sim.streams
    addresses = spec.addresses_for(len(modules), streams["microtub/addresses"])
    bus = I2cBus(BUS, kernel, streams)
    control = pc or partial(central_discovery, spec=spec, port=BUS)
    central = circuit.add(PC, control)
    central.board.ports[BUS] = bus.attach(PC, CC)
    nodes = []
    pins: dict[tuple[str, str], SyncPin] = {}
    for each, address in zip(modules, addresses, strict=True):
        setup = Setup(
            who=Identity(address, each.type, each.body),
            sync=spec.sync,
            loop_ns=milliseconds(spec.loop_ms),
            settle_ns=milliseconds(spec.settle_ms),
            rtc_ns=seconds(spec.rtc_s),
            crc=spec.crc,
            trip=circuit.sim.plan.physics.trip,
            clock_log=clock_log,
        )
        node = circuit.add(each.name, partial(module, setup=setup), spec.module_board())
        node.board.ports[BUS] = bus.attach(each.name, address)
        for face, name in PIN_AT.items():
            pin = pins[each.name, face] = SyncPin(f"{each.name}.{name}")
            node.board.pins[name] = pin
        nodes.append(node)
    lines = []
    for a, b in docks:
        if a in pins and b in pins:
            name = f"sync/{a[0]}-{b[0]}"
            line = SyncLine(name, kernel, streams, front=pins[a], rear=pins[b])
            circuit.links[name] = line
            lines.append(line)
    circuit.links[BUS] = bus
    return Network(central, tuple(nodes), addresses, bus, tuple(lines))
