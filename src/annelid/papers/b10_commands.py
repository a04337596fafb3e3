"""B10: every command of Tables 4 to 8 in one exchange on the wire, with what it brings about.

Every LLC1 and LLC2 command is put on the bus of a robot of ten unlike modules (``b10-modules``),
and each must be obeyed in the physics or answered with what is so.  In a pipe, a nose that meets an
elbow says TS, is answered with TUP, and TSF ends it (``elbow-dialogue``).  An operator says every
HLC command, with every parameter of Table 8 (``b10_operator``).  A command that is only delivered,
or refused by a robot that can, does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf, radians
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.papers import Bench, Case, Outcome, b10_operator
from annelid.papers.case import along
from annelid.papers.curves import numbers
from annelid.papers.said import addresses, frames
from annelid.systems.microtub.central.operator import parse_order
from annelid.systems.microtub.protocol import COMMANDS, LLC1, LLC2, Command, Message, ModuleInfo
from annelid.systems.microtub.protocol.answers import read_module_answer
from annelid.systems.microtub.spec import BusOrder, MicrotubSpec
from annelid.trial.load import resolve
from annelid.trial.replay import Run

Shown = dict[str, bool]
"""Whether a command, by its full name, brought about what it asks for, every time it was said."""

FELT_S: Final = 0.3
BENT: Final = radians(20)
ELBOW_M: Final = 0.2
"""Where the bend of ``elbow-dialogue`` begins."""
RESTS: Final = 0.05
"""rad"""
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


def turns(servo: str, least: float) -> Proof:
    """By so much, below 0 the other way, rad."""

    def proof(seen: Exchange) -> bool:
        column = seen.column(f"position[{servo}]")
        gone = float(column[-1] - column[0])
        return gone >= least if least > 0 else gone <= least

    return proof


def rests(servo: str) -> Proof:
    def proof(seen: Exchange) -> bool:
        column = seen.column(f"position[{servo}]")
        return float(np.ptp(column[len(column) // 2 :])) < RESTS

    return proof


def angle(answer: Command, servo: str) -> Proof:
    """What is told is where the servo is."""

    def proof(seen: Exchange) -> bool:
        true = float(seen.column(f"position[{servo}]")[0])
        told = [it.values[0] for it in seen.heard if it.command is answer]
        return bool(told) and abs(radians(float(told[0])) - true) < OFF

    return proof


def digits(seen: Exchange) -> bool:
    """What it can do is what its type can."""
    module = next(m for m in resolve(seen.run.scenario)[0].modules if m.name == seen.order.to)
    told = [it.values[0] for it in seen.heard if it.command is LLC2.AMC]
    return told == [module.type.capabilities.digits]


def environment(seen: Exchange) -> bool:
    asked, world = int(seen.order.say.split()[1]), seen.run.scenario.world
    told = [it.values for it in seen.heard if it.command is LLC2.AIE and it.values[0] == asked]
    true = {1: (world.temperature_c, 2.0), 2: (world.humidity_percent, 3.0)}.get(asked)
    return bool(told) and (true is None or abs(float(told[0][1]) - true[0]) <= true[1])


def of_itself(seen: Exchange) -> bool:
    """Currents and motors against the physics; the rest is judged where there is gravity."""
    asked, to = int(seen.order.say.split()[1]), seen.order.to or ""
    read = [read_module_answer(str(it.values[0])) for it in seen.heard if it.command is LLC2.AIM]
    told = [each[1][0] for each in read if each is not None and each[0] == asked]
    if not told:
        return False
    current = b10_operator.drawn(seen.run, to, seen.order.at_s)
    if asked == ModuleInfo.AVERAGE_CONSUMPTION:
        return b10_operator.near(told[0], float(current[-50:].mean()))
    if asked == ModuleInfo.CONSUMPTION_PEAKS:
        return b10_operator.near(told[0], float(current.max()))
    if asked == ModuleInfo.WORKING_MOTORS:
        return told[0] == sum(name.startswith(f"position[{to}.") for name in seen.run["actuators"])
    return asked != ModuleInfo.BATTERIES or told[0] == 1


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
    LLC1.GS1: angle(LLC1.SS1, "R1.yaw"),
    LLC1.GS2: angle(LLC1.SS2, "R1.pitch"),
    LLC1.EX: turns("S1.grip", 1.0),
    LLC1.CT: turns("S1.grip", -1.0),
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
    LLC2.MHE: turns("H1.drive", 0.5),
    LLC2.STP: rests("H1.drive"),
    LLC2.RTC: logged("clock"),
    LLC2.SIM: of_itself,
    LLC2.SIE: environment,
    LLC2.SYC: digits,
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
            proof: Proof | None = turns("H1.drive", -0.3)
        else:
            proof = PROOFS.get(seen.command)
        if proof is not None:
            name = seen.command.full_name
            shown[name] = shown.get(name, True) and proof(seen)
    for command, other in BY_ANOTHER.items():
        shown[command.full_name] = shown[other.full_name]
    return shown


def of_elbow(run: Run) -> Shown:
    """TS: the nose touches then; TUP: a joint bends after it; TSF: the tail gets into the bend."""
    said = list(frames(run))
    touched, nose = run.time("sensors"), np.asarray(run["sensors"]["T1.nose"])

    def first(command: Command) -> float:
        return min((time for time, it in said if it.command is command), default=inf)

    touches = [time for time, it in said if it.command is LLC1.TS]
    felt = any(nose[np.abs(touched - time) < FELT_S].max(initial=0) > 0 for time in touches)
    after = run.time("actuators") > first(LLC2.TUP)
    bends = [name for name in run["actuators"] if name.startswith("position[R")]
    most = max(np.abs(np.asarray(run["actuators"][name])[after]).max(initial=0) for name in bends)
    tail = along(run, resolve(run.scenario)[0].modules[-1].name)[-1]
    return {
        LLC1.TS.full_name: felt,
        LLC2.TUP.full_name: bool(most > BENT),
        LLC1.TSF.full_name: first(LLC1.TSF) < inf and bool(tail > ELBOW_M),
    }


JUDGES: Final[Mapping[str, Callable[[Run], Shown]]] = {
    "b10-modules": of_modules,
    "elbow-dialogue": of_elbow,
    "b10-operator": b10_operator.shown,
}
REPEATS: Final = 3


def judge(run: Run) -> Shown:
    return JUDGES[run.scenario.name.partition(".")[0]](run)


def experiment(bench: Bench) -> Outcome:
    cases = {
        name: Case(name, {"physics.timestep_ms": 1.0}) for name in ("b10-modules", "elbow-dialogue")
    } | b10_operator.cases()
    found = bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS)
    shown: dict[str, list[bool]] = {}
    for runs in found.values():
        for one in runs:
            for name, seen in one.items():
                shown.setdefault(name, []).append(seen)
    right = {command: all(shown.get(command.full_name, [False])) for command in COMMANDS}
    of_paper = [command for command in COMMANDS if command.table is not None]
    ours = [command for command in COMMANDS if command.table is None]
    missing = sorted(
        {command.full_name for command in COMMANDS if not right[command]}
        | {name for name, seen in shown.items() if not all(seen)}
    )
    count, extended = sum(right[c] for c in of_paper), sum(right[c] for c in ours)
    return Outcome(
        ours=(
            f"{count} of the papers' {len(of_paper)} commands and {extended} of our {len(ours)} "
            "brought about what they ask for"
        ),
        passed=not missing,
        note=(
            "LLC1 and LLC2: T R R S E H V N B P, weightless: positions and latches; a value "
            "that is told is compared with the physics.  HLC: a drive, coordinates, the end of the "
            "pipe, a touch, a bifurcation and home are reached by the nose within "
            f"{1000 * b10_operator.WAY_M:.0f} mm; angles within {b10_operator.LEANS_DEG:.0f}°, "
            f"currents within {b10_operator.SHARE:.0%} or {b10_operator.CURRENT_MA:.0f} mA.  A "
            "refusal counts for tools alone, which no module of the robot is.  Working mode, clock "
            "and restart have no motion: they are judged by the module's log."
            + (f"  Not shown: {', '.join(missing)}." if missing else "")
        ),
        values=numbers({"commands_shown": count, "extensions_shown": extended}),
    )
