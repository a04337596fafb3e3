"""B6: a servo that does not follow and a sync line that is dead are told to the central control
(000 §4.1.4).

A chain of rotation modules on its bus finds its order and is told to move every pitch servo.  Once
for every servo it has lost its strength by then, so that it draws next to nothing and does not
move (one that is blocked is another matter: A2).  Once for every sync line, and for each of its two
wires, that is cut before the next configuration check.  What counts is the alarm in a frame on the
bus, from a module that is concerned; a healthy chain must stay silent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal

from annelid.electronics.board import Board
from annelid.electronics.circuit import Circuit
from annelid.kernel import Kernel, Program, seconds, to_seconds
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.drive import open_air, simulation
from annelid.physics.damage import weaken
from annelid.systems.microtub.discovery import Ear, check, discover
from annelid.systems.microtub.module import BUS
from annelid.systems.microtub.network import MicrotubNetwork, build
from annelid.systems.microtub.protocol import LLC1, LLC2, Alarm, Message
from annelid.systems.microtub.spec import MicrotubSpec

CHAIN: Final = "RRRR"
TURN_DEG: Final = 40
"""What every pitch servo is told."""
BREAK_S, ORDER_S, END_S = 1.5, 1.6, 4.0
POLL_S: Final = 0.25
WEAK: Final = 0.01
"""Of its torque: less than its own friction."""

Wire = Literal["both", "forward", "backward"]


@dataclass(frozen=True)
class Fault:
    """The servo of the module, or the line behind it, of this number from 0; None: neither."""

    servo: int | None = None
    line: int | None = None
    wire: Wire = "both"


@dataclass
class Told:
    """Alarms in frames that the central control heard: when, from whose address, which."""

    alarms: list[tuple[float, int, Alarm]] = field(default_factory=list)
    addresses: tuple[int, ...] = ()
    told_after_s: float = float("nan")


class ListeningEar(Ear):
    """Keeps the alarms it hears, whoever waits for what."""

    def __init__(self, board: Board, told: Told) -> None:
        super().__init__(board, board.ports[BUS])
        self._told = told

    def hear(self, until_ns: int) -> Program:
        said: Message | None = yield from super().hear(until_ns)
        if said is not None and said.command is LLC2.APO and said.values:
            what = said.values[0]
            if isinstance(what, Alarm):
                now_s = to_seconds(self.board.now)
                self._told.alarms.append((now_s, said.sender, what))
        return said


def central(board: Board, *, told: Told, spec: MicrotubSpec, order: bool) -> Program:
    """Discovers, orders or checks again, and polls."""
    ear = ListeningEar(board, told)
    yield board.sleep(spec.start_s)
    known = yield from discover(ear, spec)
    yield board.until(seconds(ORDER_S))
    if order:
        for member in known.members:
            yield from ear.say(LLC1.MS2, TURN_DEG, to=member.address)
    else:
        yield from check(ear, spec)
    while True:
        yield from ear.say(LLC2.PO)
        again_ns = board.now + seconds(POLL_S)
        while (yield from ear.hear(again_ns)) is not None:
            pass


def diagnosed(fault: Fault, *, seed: int) -> Told:
    """What the central control is told of ``fault``."""
    sim = simulation(CHAIN, open_air(gravity=0.0), seed=seed)
    kernel, told = Kernel(), Told()
    circuit = Circuit(kernel, sim)
    spec = MicrotubSpec()
    control = partial(central, told=told, spec=spec, order=fault.line is None)
    network = build(spec, circuit, pc=control)
    told.addresses = network.addresses
    circuit.start()
    kernel.run(seconds(BREAK_S))
    circuit.grid.sync()
    if fault.servo is not None:
        weaken(sim, f"{sim.robot.modules[fault.servo].name}.pitch", WEAK)
    if fault.line is not None:
        _cut(network, fault.line, fault.wire)
    kernel.run(seconds(END_S))
    if told.alarms:
        told.told_after_s = told.alarms[0][0] - ORDER_S
    return told


def _cut(network: MicrotubNetwork, line: int, wire: Wire) -> None:
    front, rear = network.sync[line].port_names
    cuts: dict[Wire, Callable[[], object]] = {
        "both": lambda: network.sync[line].disturb(cut=True),
        "forward": lambda: network.sync[line].disturb(cut=((front, rear),)),
        "backward": lambda: network.sync[line].disturb(cut=((rear, front),)),
    }
    cuts[wire]()


def right(fault: Fault, told: Told) -> bool:
    """Whether the right module, or one beside the line, has said the right thing."""
    said = {(sender, alarm) for _, sender, alarm in told.alarms}
    if fault.servo is not None:
        return said == {(told.addresses[fault.servo], Alarm.STUCK)}
    if fault.line is not None:
        beside = told.addresses[fault.line : fault.line + 2]
        about = (Alarm.SYNC_LINE, Alarm.CHECK)
        return any((sender, alarm) in said for sender in beside for alarm in about)
    return not said


def experiment(bench: Bench) -> Outcome:
    wires: tuple[Wire, ...] = ("both", "forward", "backward")
    servos = [Fault(servo=k) for k in range(len(CHAIN))]
    lines = [Fault(line=k, wire=wire) for k in range(len(CHAIN) - 1) for wire in wires]
    faults = [Fault(), *servos, *lines]
    told = bench.map(partial(diagnosed, seed=bench.seed), faults, what="faults")
    found = {fault: right(fault, one) for fault, one in zip(faults, told, strict=True)}
    after = {fault: one.told_after_s for fault, one in zip(faults, told, strict=True)}
    stuck, dead = sum(found[f] for f in servos), sum(found[f] for f in lines)
    slowest = {"servo": max(after[f] for f in servos), "line": max(after[f] for f in lines)}
    return Outcome(
        ours=(
            f"{stuck} of {len(servos)} dead servos and {dead} of {len(lines)} cut lines told on "
            f"the bus, {'no' if found[faults[0]] else 'a'} false alarm; at the latest "
            f"{slowest['servo']:.2f} s after the order and {slowest['line']:.2f} s after the check"
        ),
        passed=all(found.values()),
        note=(
            f"{CHAIN}, weightless; a dead servo has {100 * WEAK:.0f} % of its torque; polled every "
            f"{POLL_S:g} s. A line counts as told when a module beside it says that the line or "
            "the check is at fault."
        ),
        values={
            "servos_told": stuck,
            "lines_told": dead,
            "servo_after_s": slowest["servo"],
            "line_after_s": slowest["line"],
            "false_alarms": float(not found[faults[0]]),
        },
        plots=(
            Figure(
                "From the order, or the check, to the alarm",
                "module, or line behind it",
                "time, s",
                (
                    Series.of(
                        "dead servo",
                        range(len(CHAIN)),
                        [after[f] for f in servos],
                        style="points",
                    ),
                    Series.of(
                        "cut line",
                        [k for k in range(len(CHAIN) - 1) for _ in wires],
                        [after[f] for f in lines],
                        style="points",
                    ),
                ),
            ),
        ),
    )
