"""B10: every command of Tables 4 to 8 in one exchange on the wire, with what it brings about.

Three runs.  Every LLC1 and LLC2 command is put on the bus of a robot of ten unlike modules
(``b10-modules``), and each must be answered or obeyed: a frame back, a servo that moves, a latch
that opens.  In a pipe, a nose that meets an elbow says TS, is answered with TUP, and TSF ends it
(``elbow-dialogue``).  An operator says every HLC command, with every parameter of Table 8
(``b10-operator``), and each must be answered.  A command that is only delivered does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import radians
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.motion.turn_in_pipe import TurnPhase
from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import numbers
from annelid.papers.said import addresses, frames
from annelid.systems.microtub.central.operator import OPERATOR_LINE, parse_order
from annelid.systems.microtub.protocol import COMMANDS, HLC, LLC1, LLC2, OPERATOR, Command, Message
from annelid.systems.microtub.spec import BusOrder, MicrotubSpec
from annelid.trial.load import resolve
from annelid.trial.replay import Run

Shown = dict[str, bool]
"""Whether a command, by its full name, brought about what it asks for, every time it was said."""

SWINGS: Final = radians(5)
OFF: Final = radians(6)
"""How far a servo may be from where it was told to go: its horn may sit 3° off."""


@dataclass(frozen=True)
class Exchange:
    """One command to modules, and what happened until the next one was said."""

    run: Run
    said: Sequence[tuple[float, Message]]
    """On the bus, in the whole run."""
    modules: Mapping[str, int]
    """Their addresses by their names."""
    order: BusOrder
    until_s: float

    @property
    def command(self) -> Command:
        return parse_order(self.order.say).command

    @cached_property
    def heard(self) -> list[Message]:
        """From the module that was spoken to; from all where all were."""
        to = self.order.to
        wanted = [self.modules[to]] if to else list(self.modules.values())
        return [it for time, it in self.said if self._then(time) and it.sender in wanted]

    def _then(self, time_s: float) -> bool:
        return self.order.at_s <= time_s < self.until_s

    def column(self, name: str) -> NDArray[np.float64]:
        """Of the actuators' table."""
        time = self.run.time("actuators")
        return np.asarray(self.run["actuators"][name])[
            (time >= self.order.at_s) & (time < self.until_s)
        ]

    def sources(self, kind: str) -> set[str]:
        """Who had events of this kind."""
        return {e.source for e in self.run.events(kind) if self._then(e.time_ns * 1e-9)}


Proof = Callable[[Exchange], bool]


def answered(answer: Command) -> Proof:
    return lambda seen: any(message.command is answer for message in seen.heard)


def swings(servo: str) -> Proof:
    return lambda seen: float(np.ptp(seen.column(f"position[{servo}]"))) > SWINGS


def ends(column: str, value: float, off: float = 0.001) -> Proof:
    return lambda seen: abs(float(seen.column(column)[-1]) - value) < off


def logged(kind: str, *sources: str) -> Proof:
    """Of these, or of every module."""
    return lambda seen: seen.sources(kind) >= set(sources or seen.modules)


def all_in_turn(seen: Exchange) -> bool:
    """Everybody speaks, the last one last."""
    turns = [it.command for it in seen.heard if it.command in (LLC1.PC1, LLC1.PCL)]
    return turns == [LLC1.PC1] * (len(seen.modules) - 1) + [LLC1.PCL]


PROOFS: Final[Mapping[Command, Proof]] = {
    LLC1.GPS: all_in_turn,
    LLC1.MDS: all_in_turn,
    LLC1.GP: answered(LLC1.PCL),
    LLC1.MS1: ends("position[R1.yaw]", radians(40), OFF),
    LLC1.MS2: ends("position[R1.pitch]", radians(40), OFF),
    LLC1.GS1: answered(LLC1.SS1),
    LLC1.GS2: answered(LLC1.SS2),
    LLC1.EX: swings("S1.grip"),
    LLC1.CT: swings("S1.grip"),
    LLC1.SPT: logged("detach", "P1.front"),
    LLC1.ATT: logged("attach", "P1.front"),
    LLC2.PO: answered(LLC2.APO),
    LLC2.MO1: swings("R2.pitch"),
    LLC2.MOS: swings("R2.yaw"),
    LLC2.MRO: swings("R1.yaw"),
    LLC2.MSW: swings("R1.yaw"),
    LLC2.TUR: swings("R1.pitch"),
    LLC2.WAV: swings("R1.pitch"),
    LLC2.MWO: swings("S1.grip"),
    LLC2.MHE: ends("target[H1.drive]", 1.0),
    LLC2.STP: ends("target[H1.drive]", 0.0),
    LLC2.RTC: logged("clock"),
    LLC2.SIM: answered(LLC2.AIM),
    LLC2.SIE: answered(LLC2.AIE),
    LLC2.SYC: answered(LLC2.AMC),
    LLC2.CM: logged("mode"),
    LLC2.RST: logged("restart", "P1"),
}
BY_ANOTHER: Final[Mapping[Command, Command]] = {
    LLC1.PC1: LLC1.GPS,
    LLC1.PCL: LLC1.GP,
    LLC1.SS1: LLC1.GS1,
    LLC1.SS2: LLC1.GS2,
    LLC1.GPF: LLC1.MDS,
    LLC1.MDF: LLC1.GPS,
    LLC1.INH: LLC2.MWO,
    LLC2.PLA: LLC2.MO1,
    LLC2.APO: LLC2.PO,
    LLC2.AIM: LLC2.SIM,
    LLC2.AIE: LLC2.SIE,
    LLC2.AMC: LLC2.SYC,
}
"""Answers, and commands that show in what works after them."""


def of_modules(run: Run) -> Shown:
    """LLC1 and LLC2, without gravity, so that nothing but the command moves anything."""
    options = run.scenario.control.options
    assert isinstance(options, MicrotubSpec)
    names = [module.name for module in resolve(run.scenario)[0].modules]
    modules, said = dict(zip(names, addresses(run), strict=True)), list(frames(run))
    times = [*(order.at_s for order in options.orders), run.metrics.time_s]
    shown: Shown = {}
    for order, (_, until_s) in zip(options.orders, pairwise(times), strict=True):
        seen = Exchange(run, said, modules, order, until_s)
        if order.say == "SPD -50":
            proof: Proof | None = ends("target[H1.drive]", -0.5)
        else:
            proof = PROOFS.get(seen.command)
        if proof is not None:
            name = seen.command.full_name
            shown[name] = shown.get(name, True) and proof(seen)
    for command, other in BY_ANOTHER.items():
        shown[command.full_name] = shown[other.full_name]
    return shown


def of_elbow(run: Run) -> Shown:
    """The nose says TS; told TUP a joint turns; TSF, from the last module, ends it."""
    said = {message.command for _, message in frames(run)}
    turning = TurnPhase.TURNING.value
    turned = any(event.detail["phase"] == turning for event in run.events("elbow"))
    seen = {LLC1.TS: True, LLC2.TUP: turned, LLC1.TSF: True}
    return {command.full_name: command in said and also for command, also in seen.items()}


def of_operator(run: Run) -> Shown:
    """Every saying gets an answer before the next one is typed."""
    asked: Command | None = None
    answers: dict[Command, list[bool]] = {}
    heard: set[Command] = set()
    for _, message in frames(run, OPERATOR_LINE):
        if message.sender == OPERATOR:
            asked = message.command
            answers.setdefault(asked, []).append(False)
        else:
            heard.add(message.command)
            if asked is not None:
                answers[asked][-1] = True
    shown = {command.full_name: all(each) for command, each in answers.items()}
    return shown | {command.full_name: command in heard for command in (HLC.AIR, HLC.AIE, HLC.ANS)}


JUDGES: Final[Mapping[str, Callable[[Run], Shown]]] = {
    "b10-modules": of_modules,
    "elbow-dialogue": of_elbow,
    "b10-operator": of_operator,
}
REPEATS: Final = 3


def judge(run: Run) -> Shown:
    return JUDGES[run.scenario.name.partition(".")[0]](run)


def experiment(bench: Bench) -> Outcome:
    cases = {name: Case(name, {"physics.timestep_ms": 1.0}) for name in JUDGES}
    found = bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS)
    shown: dict[str, list[bool]] = {}
    for runs in found.values():
        for one in runs:
            for name, seen in one.items():
                shown.setdefault(name, []).append(seen)
    right = {command: all(shown.get(command.full_name, [False])) for command in COMMANDS}
    of_paper = [command for command in COMMANDS if command.table is not None]
    ours = [command for command in COMMANDS if command.table is None]
    missing = [command.full_name for command in COMMANDS if not right[command]]
    count, extended = sum(right[c] for c in of_paper), sum(right[c] for c in ours)
    return Outcome(
        ours=(
            f"{count} of the papers' {len(of_paper)} commands and {extended} of our {len(ours)} "
            "brought about what they ask for"
        ),
        passed=not missing,
        note=(
            "LLC1 and LLC2: T R R S E H V N B P, weightless, judged by frames back, servos and "
            "latches.  HLC: an operator with every parameter of Table 8; an answer counts, a "
            "refusal too, so this half says nothing about the deed."
            + (f"  Not shown: {', '.join(missing)}." if missing else "")
        ),
        values=numbers({"commands_shown": count, "extensions_shown": extended}),
    )
