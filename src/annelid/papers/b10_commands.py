"""B10: every command of Tables 4 to 8 in one exchange on the wire, with what it brings about.

Three conversations on the simulated wires.  A PC says every LLC1 and LLC2 command to a robot of ten
unlike modules, and each must be answered or obeyed: a frame back, a servo that moves, a latch that
opens.  In a pipe, a nose that meets an elbow says TS, is answered with TUP, and TSF ends it.  An
operator says every HLC command, with every parameter of Table 8, to the central control, and each
must be answered.  A command that is only delivered does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from math import degrees
from typing import Any, Final

from annelid.electronics.board import Board
from annelid.electronics.circuit import Circuit
from annelid.kernel import Kernel, Program, seconds
from annelid.modules import shelf
from annelid.motion.turn_in_pipe import TurnPhase
from annelid.papers.b09_elbow import Answering, elbow
from annelid.papers.bench import Bench
from annelid.papers.claim import Outcome
from annelid.papers.drive import open_air, simulation, straight_pipe
from annelid.physics.simulation import Simulation
from annelid.robot import RobotSpec, assemble
from annelid.systems.microtub.central.operator import OPERATOR_LINE
from annelid.systems.microtub.discovery import Ear
from annelid.systems.microtub.module import BUS
from annelid.systems.microtub.network import MicrotubNetwork, build
from annelid.systems.microtub.protocol import (
    COMMANDS,
    HLC,
    LLC1,
    LLC2,
    OPERATOR,
    Command,
    EnvironmentInfo,
    InchwormPart,
    Message,
    ModuleInfo,
    Wave,
    WorkingMode,
)
from annelid.systems.microtub.protocol.describe import understand
from annelid.systems.microtub.spec import MicrotubSpec

ROBOT: Final = "TRRSEHVNBP"
T, R1, R2, S, E, H, V, N, B, P = range(1, 11)
"""Their addresses."""
ANSWER_S: Final = 0.12
MOVE_S: Final = 0.8

SAYINGS: Final = (
    *("SIR 1", "SIR 2", "SIR 3", "SIR 4", "SIR 5", "SIR 6"),
    *("SIE 1", "SIE 2", "SIE 3"),
    *("DO repair", "DO hole"),
    *("RPL end", "STP", "RPL bifurcation", "STP", "RPL touch", "STP", "RPL 0 100 0 0", "STP"),
    *("EXP", "STP", "RPL home", "STP", "RST"),
)
"""What the operator types, one after the other."""
SAY_EVERY_S: Final = 1.0
ELBOW_S: Final = 25.0


@dataclass
class Talk:
    """A robot on its wires, and what was seen of each command."""

    sim: Simulation
    pc: Callable[[Board, Talk], Program] | None
    """In the place of the central control."""
    options: dict[str, Any] = field(default_factory=dict)
    clock_log: bool = False
    proven: dict[Command, bool] = field(default_factory=dict)
    events: list[tuple[int, str, str, Any]] = field(default_factory=list)

    def run(self, until_s: float) -> None:
        kernel = Kernel(record=lambda *event: self.events.append(event))
        self.circuit = Circuit(kernel, self.sim)
        addresses = tuple(range(1, len(self.sim.robot.modules) + 1))
        spec = MicrotubSpec.parse(
            {"addresses": addresses, "boot_ms": 0.0, **self.options}, where="control.options"
        )
        pc = self.pc
        firmware = None if pc is None else lambda board: pc(board, self)
        self.network: MicrotubNetwork = build(
            spec, self.circuit, pc=firmware, clock_log=self.clock_log
        )
        self.circuit.start()
        kernel.run(seconds(until_s))

    def proves(self, command: Command, seen: bool) -> None:
        self.proven[command] = self.proven.get(command, True) and seen

    def angle(self, servo: str) -> float:
        """Degrees."""
        self.circuit.grid.sync()
        sim = self.sim
        return degrees(sim.actuators.position_at(sim.actuators.place(servo)))

    def target(self, motor: str) -> float:
        self.circuit.grid.sync()
        return float(self.sim.actuators.targets[self.sim.actuators.place(motor)])

    def logged(self, kind: str, source: str) -> list[Any]:
        return [detail for _, name, found, detail in self.events if (found, name) == (kind, source)]


# -- LLC1 and LLC2 -----------------------------------------------------------------------------


class Teacher(Ear):
    """Says a command and looks for what it brings about."""

    def __init__(self, board: Board, talk: Talk) -> None:
        super().__init__(board, board.ports[BUS])
        self._talk = talk

    def ask(self, command: Command, *values: Any, to: int, answers: Iterable[Command]) -> Program:
        """A frame back, from the one asked."""
        yield from self.say(command, *values, to=to)
        heard = yield from self.listen(ANSWER_S)
        wanted = set(answers)
        found = {said.command for said in heard if said.sender == to} & wanted
        for each in (command, *wanted):
            self._talk.proves(each, bool(found) if each is command else each in found)

    def listen(self, wait_s: float) -> Program:
        until, heard = self.board.now + seconds(wait_s), []
        while (said := (yield from self.hear(until))) is not None:
            heard.append(said)
        return heard

    def check(self, begin: Command, end: Command) -> Program:
        """Everybody speaks in turn, the last one last; afterwards all lines are low."""
        yield from self.say(begin)
        heard: list[Message] = yield from self.listen(1.0)
        turns = [said.command for said in heard if said.command in (LLC1.PC1, LLC1.PCL)]
        right = turns == [LLC1.PC1] * (len(ROBOT) - 1) + [LLC1.PCL]
        yield from self.say(end)
        yield self.board.sleep(0.1)
        nodes = self._talk.network.modules
        low = not any(pin.driven for node in nodes for pin in node.board.pins.values())
        for command, seen in ((begin, right), (end, low), (LLC1.PC1, right), (LLC1.PCL, right)):
            self._talk.proves(command, seen)

    def moves(self, command: Command, *values: Any, servo: str, to: int = 0) -> Program:
        """A servo that swings by more than 5°."""
        seen = [self._talk.angle(servo)]
        yield from self.say(command, *values, to=to)
        for _ in range(20):
            yield self.board.sleep(MOVE_S / 20)
            seen.append(self._talk.angle(servo))
        self._talk.proves(command, max(seen) - min(seen) > 5.0)


def lessons(board: Board, talk: Talk) -> Program:
    """All of LLC1 and LLC2 that needs no elbow."""
    ear = Teacher(board, talk)
    yield board.sleep(0.3)
    yield from ear.ask(LLC2.PO, to=R1, answers=[LLC2.APO])
    docks = len(talk.sim.robot.docks)
    yield from ear.say(LLC1.SPT, to=P)
    yield board.sleep(1.0)
    talk.proves(LLC1.SPT, len(talk.sim.robot.docks) == docks - 1)
    yield from ear.say(LLC1.ATT, to=P)
    yield board.sleep(1.0)
    talk.proves(LLC1.ATT, len(talk.sim.robot.docks) == docks)
    yield from ear.check(LLC1.GPS, LLC1.GPF)
    yield from ear.check(LLC1.MDS, LLC1.MDF)
    yield from ear.ask(LLC1.GP, to=P, answers=[LLC1.PCL])
    for number, (move, servo) in enumerate(((LLC1.MS1, "yaw"), (LLC1.MS2, "pitch"))):
        yield from ear.say(move, 40, to=R1)
        yield board.sleep(MOVE_S)
        talk.proves(move, abs(talk.angle(f"R1.{servo}") - 40) < 3)
        asks, tells = ((LLC1.GS1, LLC1.SS1), (LLC1.GS2, LLC1.SS2))[number]
        yield from ear.ask(asks, to=R1, answers=[tells])
    yield from ear.moves(LLC1.EX, servo="S1.grip")
    yield from ear.moves(LLC1.CT, servo="S1.grip")
    yield from walks(ear, talk)
    for what in ModuleInfo:
        asked = {ModuleInfo.DISTANCE: V, ModuleInfo.BATTERIES: B}.get(what, R1)
        yield from ear.ask(LLC2.SIM, what, to=asked, answers=[LLC2.AIM])
    for info in EnvironmentInfo:
        asked = T if info is EnvironmentInfo.PICTURE else N
        yield from ear.ask(LLC2.SIE, info, to=asked, answers=[LLC2.AIE])
    yield from ear.ask(LLC2.SYC, to=S, answers=[LLC2.AMC])
    yield from ear.say(LLC2.CM, WorkingMode.OPEN_AIR)
    yield board.sleep(0.1)
    talk.proves(LLC2.CM, all(talk.logged("mode", module.name) for module in talk.network.modules))
    yield from ear.say(LLC2.RST, to=P)
    yield board.sleep(0.1)
    talk.proves(LLC2.RST, bool(talk.logged("restart", "P1")))


def walks(ear: Teacher, talk: Talk) -> Program:
    board = ear.board
    for address, place in ((R1, 0), (R2, 1)):
        yield from ear.say(LLC2.PLA, place, to=address)
    for command, servo in (
        (LLC2.MO1, "R2.pitch"),
        (LLC2.MOS, "R2.yaw"),
        (LLC2.MRO, "R1.yaw"),
        (LLC2.MSW, "R1.yaw"),
        (LLC2.TUR, "R1.pitch"),
    ):
        yield from ear.moves(command, servo=servo)
    yield from ear.moves(LLC2.WAV, Wave.VERTICAL, 15, 6000, 1000, 0, servo="R1.pitch")
    talk.proves(LLC2.PLA, talk.proven[LLC2.MO1])
    for address, part in ((S, InchwormPart.FIRST_SUPPORT), (E, InchwormPart.EXTENSION)):
        yield from ear.say(LLC1.INH, part, to=address)
    yield from ear.moves(LLC2.MWO, servo="S1.grip")
    talk.proves(LLC1.INH, talk.proven[LLC2.MWO])
    yield from ear.say(LLC2.MHE)
    yield board.sleep(0.2)
    talk.proves(LLC2.MHE, talk.target("H1.drive") == 1.0)
    yield from ear.say(LLC2.SPD, -50)
    yield board.sleep(0.2)
    talk.proves(LLC2.SPD, talk.target("H1.drive") == -0.5)
    yield from ear.say(LLC2.STP)
    yield board.sleep(0.2)
    talk.proves(LLC2.STP, talk.target("H1.drive") == 0.0)
    yield from ear.say(LLC2.SPD, 100)
    yield from ear.say(LLC2.RTC)
    yield board.sleep(0.1)
    clocks = [module.name for module in talk.network.modules if talk.logged("clock", module.name)]
    talk.proves(LLC2.RTC, len(clocks) == len(ROBOT))


def of_modules(seed: int) -> dict[str, bool]:
    """LLC1 and LLC2, without gravity, so that nothing but the command moves anything."""
    spec = RobotSpec.parse({"chain": ROBOT, "each": {"P": {"latch": True}}}, where="robot")
    sim = Simulation(assemble(spec, shelf()), open_air(gravity=0.0), seed=seed)
    talk = Talk(sim, lessons, clock_log=True)
    talk.run(25.0)
    return {command.full_name: seen for command, seen in talk.proven.items()}


# -- HLC ---------------------------------------------------------------------------------------


def of_operator(seed: int) -> dict[str, bool]:
    """Every saying gets an answer before the next one is typed."""
    sim = simulation("TRRHNVP", straight_pipe(), seed=seed)
    lines = [{"at_s": 5.0 + SAY_EVERY_S * i, "say": say} for i, say in enumerate(SAYINGS)]
    talk = Talk(sim, None, {"operator": lines})
    talk.run(5.0 + SAY_EVERY_S * (len(SAYINGS) + 1))
    asked: Command | None = None
    answered: dict[Command, list[bool]] = {}
    heard: set[Command] = set()
    for _, link, kind, detail in talk.events:
        if (link, kind) != (OPERATOR_LINE, "wire") or detail["outcome"] != "delivered":
            continue
        said = understand(bytes.fromhex(detail["bytes"]))
        if not isinstance(said, Message):
            continue
        if said.sender == OPERATOR:
            asked = said.command
            answered.setdefault(asked, []).append(False)
        else:
            heard.add(said.command)
            if asked is not None:
                answered[asked][-1] = True
    found = {command.full_name: all(each) for command, each in answered.items()}
    return found | {c.full_name: c in heard for c in (HLC.AIR, HLC.AIE, HLC.ANS)}


# -- the elbow ---------------------------------------------------------------------------------


def of_elbow(seed: int) -> dict[str, bool]:
    """The nose says TS; told TUP a joint turns; TSF, from the last module, ends it."""
    world, _ = elbow(seed, 40.0)
    sim = simulation("TRRH", world, seed=seed, timestep_ms=1.0)
    spec = MicrotubSpec()

    def pc(board: Board, talk: Talk) -> Program:
        return Answering(board, board.ports[BUS]).life(spec, answers=True)

    talk = Talk(sim, pc)
    talk.run(ELBOW_S)
    turned = any(
        kind == "elbow" and detail["phase"] == TurnPhase.TURNING.value
        for _, _, kind, detail in talk.events
    )
    said = {
        message.command
        for _, link, kind, detail in talk.events
        if (link, kind) == (BUS, "wire") and detail["outcome"] == "delivered"
        if isinstance(message := understand(bytes.fromhex(detail["bytes"])), Message)
    }
    return {
        LLC1.TS.full_name: LLC1.TS in said,
        LLC2.TUP.full_name: LLC2.TUP in said and turned,
        LLC1.TSF.full_name: LLC1.TSF in said,
    }


# -- the row -----------------------------------------------------------------------------------

CONVERSATIONS: Final = (of_modules, of_elbow, of_operator)


def hold(talk: Callable[[int], dict[str, bool]], *, seed: int) -> dict[str, bool]:
    return talk(seed)


def experiment(bench: Bench) -> Outcome:
    found: dict[str, bool] = {}
    for held in bench.map(partial(hold, seed=bench.seed), CONVERSATIONS, what="conversations"):
        for name, seen in held.items():
            found[name] = found.get(name, True) and seen
    of_paper = [command for command in COMMANDS if command.table is not None]
    ours = [command for command in COMMANDS if command.table is None]
    right = {command: found.get(command.full_name, False) for command in COMMANDS}
    missing = [command.full_name for command in COMMANDS if not right[command]]
    count, extended = sum(right[c] for c in of_paper), sum(right[c] for c in ours)
    return Outcome(
        ours=(
            f"{count} of the papers' {len(of_paper)} commands and {extended} of our {len(ours)} "
            "brought about what they ask for"
        ),
        passed=not missing,
        note=(
            f"{ROBOT}, weightless, for LLC1 and LLC2; an operator with every parameter of Table 8 "
            "for HLC." + (f" Not shown: {', '.join(missing)}." if missing else "")
        ),
        values={
            "commands": len(of_paper),
            "commands_shown": count,
            "extensions": len(ours),
            "extensions_shown": extended,
        },
    )
