"""Builds a MICROTUB robot: boards, bus, video, sync lines, central control and operator.

The central control runs on a PC at the tail's end of the bus, or, where the scenario says so, on
the board of a module, beside that module's own program: then it dies with it.  It may also run
elsewhere, in another process; then only the PC's ports are simulated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from annelid.behaviour import BehaviourLayer, BehaviourTable
from annelid.electronics.aux_line import AuxLine
from annelid.electronics.board import Firmware
from annelid.electronics.circuit import Circuit
from annelid.electronics.elsewhere import GATE, RemoteGate, elsewhere
from annelid.electronics.i2c import I2cBus
from annelid.electronics.node import Node
from annelid.electronics.port import EVERYONE, TERMINAL, Frame, Terminal
from annelid.electronics.sync_line import SyncLine, SyncPin
from annelid.errors import InputError, UnknownName
from annelid.kernel import Priority, milliseconds, seconds
from annelid.robot.body import Body, Camera
from annelid.robot.module import ModuleType
from annelid.systems import Extra, installed_behaviours
from annelid.systems.microtub.agent import Identity
from annelid.systems.microtub.behaviours import EMBEDDED_LAYER
from annelid.systems.microtub.central.behaviours import CENTRAL_LAYER
from annelid.systems.microtub.central.catalogue import catalogue, with_data_sheets
from annelid.systems.microtub.central.control import CENTRAL, central_control
from annelid.systems.microtub.central.operator import (
    OPERATOR_LINE,
    OPERATOR_NAME,
    operator,
    parse_order,
)
from annelid.systems.microtub.central.side_by_side import side_by_side
from annelid.systems.microtub.harness import Docked, Harness
from annelid.systems.microtub.inference import RuleTable, rule_tables, rulebook
from annelid.systems.microtub.module import BUS, SIN, SOUT, MicrotubSetup, module
from annelid.systems.microtub.protocol import CC, LLC2, OPERATOR, encode
from annelid.systems.microtub.spec import BusOrder, MicrotubSpec
from annelid.systems.microtub.video import VIDEO

BEHAVIOURS: Final = BehaviourTable((EMBEDDED_LAYER, CENTRAL_LAYER))
"""Those of a module, and those of the central control."""
PC: Final = "PC"
ELSEWHERE: Final = "elsewhere"
"""Value of ``central``: a PC on the bus, simulated up to its ports; the program runs in another
process (``annelid central``)."""
STOP: Final = encode(LLC2.STP, to=EVERYONE, sender=CC)
"""The last words of a central control that hangs up: a robot that nobody controls stands still."""
PIN_AT: Final = {"front": SIN, "back": SOUT}
"""The face of a module to the pin behind it; other faces have none."""


@dataclass(frozen=True)
class Fitted:
    """A module to be given a board."""

    name: str
    type: ModuleType
    body: Body


@dataclass(frozen=True)
class MicrotubNetwork:
    """What was built; modules in the order of the robot."""

    pc: Node
    """Where the central control runs."""
    modules: tuple[Node, ...]
    addresses: tuple[int, ...]
    bus: I2cBus
    harness: Harness

    @property
    def sync(self) -> tuple[SyncLine, ...]:
        """Between modules that are docked at present."""
        return tuple(self.harness.lines.values())


def build(
    spec: MicrotubSpec,
    circuit: Circuit,
    *,
    behaviours: BehaviourTable = BEHAVIOURS,
    extras: Sequence[Extra] = (),
    pc: Firmware | None = None,
) -> MicrotubNetwork:
    """A board on every module of the robot, and a PC; ``pc`` replaces the PC's program, ``extras``
    are tables of rules for the central control."""
    robot = circuit.sim.robot
    fitted = [Fitted(each.name, each.type, each.body) for each in robot.modules]
    rules = rule_tables(extras)
    rulebook(rules, spec.rules)  # what is wrong with it is told before anything runs
    central = behaviours[CENTRAL_LAYER.name]
    if spec.central == ELSEWHERE:
        _refuse_elsewhere(central, rules)
    network = wire(
        spec,
        circuit,
        fitted,
        _docks(circuit),
        pc=pc
        or partial(
            central_control,
            spec=spec,
            behaviours=central,
            rules=rules,
            known=with_data_sheets(catalogue(), [each.type for each in fitted]),
        ),
        behaviours=behaviours[EMBEDDED_LAYER.name],
    )
    circuit.sim.redocked.append(lambda: network.harness.follow(_docks(circuit)))
    return network


def _refuse_elsewhere(central: BehaviourLayer, rules: Sequence[RuleTable]) -> None:
    """What is brought for the central control has to be brought where it runs."""
    installed = installed_behaviours()
    brought = [
        *(name for name in central.entries if name not in CENTRAL_LAYER.entries),
        *(table.name for table in rules),
    ]
    for kind in installed:
        if kind.name in brought:
            brought.remove(kind.name)
    if brought:
        raise InputError(
            f"central = {ELSEWHERE!r}: expected nothing for the central control here, got "
            f"{', '.join(brought)}; give it to the other process: annelid central --plugin FILE"
        )


def _docks(circuit: Circuit) -> list[Docked]:
    return [(dock.a, dock.b) for dock in circuit.sim.robot.docks]


def wire(
    spec: MicrotubSpec,
    circuit: Circuit,
    modules: Sequence[Fitted],
    docks: Sequence[Docked],
    *,
    pc: Firmware | None = None,
    behaviours: BehaviourLayer = EMBEDDED_LAYER,
) -> MicrotubNetwork:
    """The same for any list of modules; one without a body in the physics has no servos."""
    addresses = spec.addresses_for(len(modules), circuit.sim.streams["microtub/addresses"])
    bus = circuit.connect(I2cBus, BUS)
    remote = spec.central == ELSEWHERE
    on_module = spec.central != PC and not remote
    if on_module and spec.central not in [each.name for each in modules]:
        there = [PC, ELSEWHERE, *(each.name for each in modules)]
        raise UnknownName("board for the central control", spec.central, there)
    control = pc or partial(central_control, spec=spec)
    if remote:
        control = partial(elsewhere, last_words=((BUS, STOP),))
    central = None if on_module else circuit.add(PC, control)
    overload, gentle = spec.overload(comparators=circuit.sim.plan.physics.trip)
    cameras: list[AuxLine] = []
    nodes = []
    pins: dict[tuple[str, str], SyncPin] = {}
    for each, address in zip(modules, addresses, strict=True):
        setup = MicrotubSetup(
            who=Identity(address, each.type, each.body),
            sync=spec.sync,
            loop_ns=milliseconds(spec.loop_ms),
            settle_ns=milliseconds(spec.settle_ms),
            rtc_ns=seconds(spec.rtc_s),
            low_power_v=spec.low_power_v,
            silence_ns=seconds(spec.silence_s(len(modules))),
            crc=spec.crc,
            overload=overload,
            gentle=gentle,
            clock_log=spec.clock_log,
        )
        firmware: Firmware = partial(module, setup=setup, behaviours=behaviours)
        if each.name == spec.central:
            firmware = partial(side_by_side, programs=(firmware, control))
        node = circuit.add(each.name, firmware, spec.module_board())
        node.board.ports[BUS] = bus.attach(each.name, address)
        for face, name in PIN_AT.items():
            pin = pins[each.name, face] = SyncPin(f"{each.name}.{name}")
            node.board.pins[name] = pin
        nodes.append(node)
        if any(isinstance(sensor, Camera) for sensor in each.body.sensors):
            video = circuit.connect(AuxLine, f"{VIDEO}-{each.name}")
            node.board.ports[VIDEO] = video.attach(each.name)
            cameras.append(video)
    home = central or next(node for node in nodes if node.name == spec.central)
    plug = f"{home.name}/{CENTRAL}" if on_module else PC
    for video in cameras:
        home.board.ports[video.name] = video.attach(plug)
    port = home.board.ports[CENTRAL if on_module else BUS] = bus.attach(plug, CC)
    if remote:
        home.board.ports[GATE] = RemoteGate()
    _seat_operator(spec, circuit, home)
    names = [each.name for each in modules]
    for order in spec.orders:
        frame = _frame(order, dict(zip(names, addresses, strict=True)), crc=spec.crc)
        at_ns = seconds(order.at_s)
        circuit.kernel.call_at(at_ns, partial(port.send, frame), priority=Priority.OUTSIDE)
    supplies = [each.name for each in modules if each.type.capabilities["PS"]]
    if not spec.tether and not supplies:
        raise InputError(
            "tether: false needs a module that supplies power, such as B, got "
            + "".join(each.type.letter for each in modules)
        )
    harness = Harness(
        circuit,
        bus,
        nodes={node.name: node for node in nodes},
        pins=pins,
        supplies=supplies,
        tail=_tail(modules, docks),
        pc=plug,
        carrier=spec.central if on_module else None,
        tether=spec.tether,
    )
    harness.follow(docks)
    return MicrotubNetwork(home, tuple(nodes), addresses, bus, harness)


def _seat_operator(spec: MicrotubSpec, circuit: Circuit, home: Node) -> None:
    """Somebody at a terminal, the line to the central control, and what they are to say."""
    kernel = circuit.kernel
    line = circuit.connect(I2cBus, OPERATOR_LINE)
    seat = circuit.add(OPERATOR_NAME, operator)
    terminal = seat.board.ports[TERMINAL] = Terminal()
    seat.board.ports[OPERATOR_LINE] = line.attach(OPERATOR_NAME, OPERATOR)
    home.board.ports[OPERATOR_LINE] = line.attach(home.name, CC)
    for typed in spec.operator:
        kernel.call_at(
            seconds(typed.at_s), partial(terminal.type, typed.say), priority=Priority.OUTSIDE
        )


def _frame(order: BusOrder, addresses: Mapping[str, int], *, crc: bool) -> Frame:
    if order.to and order.to not in addresses:
        raise UnknownName("module", order.to, addresses, where="control.options.orders")
    saying = parse_order(order.say)
    to = addresses[order.to] if order.to else EVERYONE
    return encode(saying.command, *saying.values, to=to, sender=CC, crc=crc)


def _tail(modules: Sequence[Fitted], docks: Iterable[Docked]) -> str:
    """The last one that has nobody behind it; the PC's cable is plugged in there."""
    held = {face for dock in docks for face in dock}
    free = [each.name for each in modules if (each.name, "back") not in held]
    return (free or [each.name for each in modules])[-1]
