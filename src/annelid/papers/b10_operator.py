"""What an operator's commands brought about, for row B10: the deed in the physics, the number
against the truth.

A refusal counts where no module of the robot has the skill.  Four runs: information, a place by
coordinates, exploring, stopping and restarting (``b10-operator``); and one each until the pipe
ends and home again, until the nose touches an elbow, until the next bifurcation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, degrees
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from annelid.papers.case import Case, along
from annelid.papers.said import frames
from annelid.systems.microtub.central.operator import OPERATOR_LINE
from annelid.systems.microtub.protocol import (
    HLC,
    OPERATOR,
    Command,
    Destination,
    EnvironmentInfo,
    Message,
    RobotInfo,
)
from annelid.systems.microtub.protocol.enums import Job
from annelid.trial.load import resolve
from annelid.trial.replay import Run

WAY_M: Final = 0.03
"""How far from the place the nose may be."""
MOVED_M, STILL_M = 0.02, 0.003
LEANS_DEG: Final = 8.0
DEGREES_C, HUMID = 2, 3
SHARE, CURRENT_MA = 0.3, 20.0
"""How far off a current may be told."""

ENTRY_MM: Final = 250.0
ENTRY: Final = {"part": "straight", "length_mm": ENTRY_MM}
PLACES: Final[Mapping[str, tuple[list[dict[str, Any]], list[tuple[float, str]]]]] = {
    "end": ([ENTRY], [(3, "RPL end"), (16, "RPL home")]),
    "touch": (
        [ENTRY, {"part": "elbow", "radius_mm": 60}, ENTRY],
        [(3, "RPL touch")],
    ),
    "bifurcation": (
        [ENTRY, {"part": "tee", "run_mm": 300, "branch_mm": 200}],
        [(3, "RPL bifurcation")],
    ),
}
"""Parts of the pipe, and what is said when, s."""
LASTS_S: Final = 28.0


def cases() -> dict[str, Case]:
    found = {"b10-operator": Case("b10-operator", {"physics.timestep_ms": 1.0})}
    for name, (parts, says) in PLACES.items():
        fields = {
            "physics.timestep_ms": 1.0,
            "world.parts": parts,
            "duration_s": LASTS_S,
            "control.options.operator": [{"at_s": at, "say": say} for at, say in says],
        }
        found[name] = Case("b10-operator", fields)
    return found


@dataclass(frozen=True)
class Talk:
    """One command of the operator, and what happened until the next one."""

    run: Run
    said: Message
    from_s: float
    until_s: float
    answers: list[Message]

    def then(self, table: str) -> NDArray[np.bool_]:
        time = self.run.time(table)
        return np.asarray((time >= self.from_s) & (time < self.until_s))

    @property
    def way(self) -> NDArray[np.float64]:
        """Of the nose, m."""
        return along(self.run, "T1")[self.then("modules")]

    @property
    def words(self) -> str:
        return " ".join(str(m.values[0]) for m in self.answers if m.command is HLC.ANS)

    def before(self, table: str, column: str) -> NDArray[np.float64]:
        """Of a table, until the command was said."""
        return np.asarray(self.run[table][column])[self.run.time(table) < self.from_s]


def lean(run: Run, module: str, at_s: float) -> tuple[float, float]:
    """True roll and pitch of a module, degrees."""
    table, time = run["modules"], run.time("modules")
    row = int(np.clip(np.searchsorted(time, at_s), 0, len(time) - 1))
    w, x, y, z = (float(table[f"q{axis}[{module}]"][row]) for axis in "wxyz")
    roll = atan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    pitch = -np.arcsin(np.clip(2 * (w * y - x * z), -1, 1))
    return degrees(roll), float(np.degrees(pitch))


def apart(one_deg: float, other_deg: float) -> float:
    return abs((one_deg - other_deg + 180) % 360 - 180)


def drawn(run: Run, module: str, until_s: float) -> NDArray[np.float64]:
    """By the servos of a module, at every sample until then, mA."""
    then = run.time("actuators") < until_s
    columns = [name for name in run["actuators"] if name.startswith(f"current[{module}.")]
    each = [np.abs(np.asarray(run["actuators"][name])[then]) for name in columns]
    return 1000 * np.sum(each, axis=0) if each else np.zeros(1)


def near(told: float, true: float, *, share: float = SHARE, least: float = CURRENT_MA) -> bool:
    return abs(told - true) <= max(share * true, least)


def _robot(talk: Talk) -> bool:
    told = [m.values for m in talk.answers if m.command is HLC.AIR]
    modules = resolve(talk.run.scenario)[0].modules
    asked = talk.said.values[0]
    if not told or told[0][0] != asked:
        return False
    value: Any = told[0][1]
    if asked == RobotInfo.AVERAGE_CONSUMPTION:
        true = sum(drawn(talk.run, m.name, talk.from_s)[-50:].mean() for m in modules)
        return near(value, float(true))
    if asked == RobotInfo.CONSUMPTION_PEAKS:
        true = sum(drawn(talk.run, m.name, talk.from_s).max() for m in modules)
        return near(value, float(true))
    if asked == RobotInfo.WORKING_MODULES:
        return bool(value == "".join(m.type.wire_id for m in modules))
    if asked == RobotInfo.ORIENTATION:
        roll, pitch = lean(talk.run, "R1", talk.from_s)
        _, told_roll, told_pitch, *_ = (float(each) for each in told[0])
        return max(apart(told_roll, roll), apart(told_pitch, pitch)) <= LEANS_DEG
    if asked == RobotInfo.DISTANCE:
        way = along(talk.run, "T1")[talk.run.time("modules") < talk.from_s]
        gone = 1000 * float(np.abs(np.diff(way)).sum())
        return gone > 1000 * MOVED_M and near(value, gone, share=0.15, least=20.0)
    return value is True or value == 1


def _environment(talk: Talk) -> bool:
    told = [m.values for m in talk.answers if m.command is HLC.AIE]
    asked, world = talk.said.values[0], talk.run.scenario.world
    if not told or told[0][0] != asked:
        return False
    value: Any = told[0][1]
    if asked == EnvironmentInfo.TEMPERATURE:
        return near(value, world.temperature_c, share=0.0, least=DEGREES_C)
    if asked == EnvironmentInfo.HUMIDITY:
        return near(value, world.humidity_percent, share=0.0, least=HUMID)
    return bool(value >= 1)


SKILLS: Final = {Job.REPAIR: "Grab", Job.HOLE: "Drill"}


def _does(talk: Talk) -> bool:
    """None of these robots has a tool: to refuse is right, and only then."""
    modules = resolve(talk.run.scenario)[0].modules
    job = next(each for each in Job if each == talk.said.values[0])
    able = any(m.type.capabilities[SKILLS[job]] for m in modules)
    return not able and "refused" in talk.words


def _reaches(talk: Talk) -> bool:
    place, way = talk.said.values[0], talk.way
    if "done" not in talk.words:
        return False
    if place == Destination.COORDINATES:
        began = along(talk.run, "T1")[0]
        return bool(abs(way[-1] - began - float(talk.said.values[1]) / 1000) <= WAY_M)
    if place == Destination.HOME:
        return bool(way.max() > 0.1 and abs(way[-1]) <= WAY_M)
    if place == Destination.TOUCH:
        touched = np.asarray(talk.run["sensors"]["T1.nose"])[talk.then("sensors")]
        return bool(touched.max() > 0 and way[-1] >= ENTRY_MM / 1000)
    if place == Destination.BIFURCATION:
        return bool(way[-1] >= ENTRY_MM / 1000)
    return bool(abs(way[-1] - ENTRY_MM / 1000) <= WAY_M)


def _stops(talk: Talk) -> bool:
    """It was moving, and stands in the second half of the time that follows."""
    before = along(talk.run, "T1")[talk.run.time("modules") < talk.from_s]
    last = talk.way[len(talk.way) // 2 :]
    return abs(float(before[-1] - before[-25])) > STILL_M and float(np.ptp(last)) < STILL_M


def _restarts(talk: Talk) -> bool:
    """The configuration is asked for again."""
    return any(
        message.command.full_name == "LLC1.GPS" and time > talk.from_s
        for time, message in frames(talk.run)
    )


DEEDS: Final[Mapping[Command, Callable[[Talk], bool]]] = {
    HLC.SIR: _robot,
    HLC.SIE: _environment,
    HLC.DO: _does,
    HLC.RPL: _reaches,
    HLC.EXP: lambda talk: bool(talk.way[-1] - talk.way[0] > MOVED_M),
    HLC.STP: _stops,
    HLC.RST: _restarts,
}
ANSWERED_BY: Final = {HLC.AIR: HLC.SIR, HLC.AIE: HLC.SIE, HLC.ANS: HLC.DO}


def shown(run: Run) -> dict[str, bool]:
    """Command to whether it did what it says, every time; and each saying by its own name."""
    said = list(frames(run, OPERATOR_LINE))
    asked = [(time, m) for time, m in said if m.sender == OPERATOR]
    times = [*(time for time, _ in asked), run.metrics.time_s]
    found: dict[str, bool] = {}
    for (from_s, message), (_, until_s) in zip(asked, pairwise(times), strict=True):
        answers = [m for t, m in said if from_s <= t < until_s and m.sender != OPERATOR]
        right = DEEDS[message.command](Talk(run, message, from_s, until_s, answers))
        name = message.command.full_name
        found[name] = found.get(name, True) and right
        if not right:
            found[" ".join([name, *(str(int(v)) for v in message.values)])] = False
    for answer, question in ANSWERED_BY.items():
        if question.full_name in found:
            found[answer.full_name] = found[question.full_name]
    return found
