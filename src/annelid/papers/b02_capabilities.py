"""B2: the MDL phase, and capabilities that change when a module is damaged (000 §3.4, §5.3).

T S E R H in a weightless room (``b02-capabilities``): the central control learns all strings in the
MDL phase.  Then the servo that a command moves is jammed: the module finds by itself that it does
not follow, says so when it is polled, and answers SYC with the lower grade.  Without a jam nothing
may fall.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any, Final

from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import numbers
from annelid.papers.interval import Rate
from annelid.papers.said import addresses, frames
from annelid.systems.microtub.protocol import LLC2
from annelid.trial.load import resolve
from annelid.trial.replay import Run

MOVED_S, ASKED_S = 2.0, 5.0
INDICATORS: Final = {
    "S1.grip": ("MS1 80", "Sup"),
    "E1.extend": ("MS1 80", "Ext"),
    "R1.yaw": ("MS1 60", "RotY"),
    "R1.pitch": ("MS2 60", "RotX"),
}
"""Servo to be jammed: the command that moves it, and the indicator that must fall."""
REPEATS: Final = 5


def case(servo: str, *, jammed: bool) -> Case:
    module, (command, _) = servo.partition(".")[0], INDICATORS[servo]
    fields: dict[str, Any] = {
        "control.options.orders": [
            {"at_s": MOVED_S, "say": command, "to": module},
            {"at_s": ASKED_S, "say": "SYC", "to": module},
        ],
        "faults.0.servo": servo,
    }
    return Case("b02-capabilities", fields if jammed else {**fields, "faults": []})


@dataclass(frozen=True)
class Reports:
    learnt: bool
    """The MDL phase at power-up gave every module's string as built."""
    after_s: float
    """From the command to a string on the bus, by polling; NaN: none came."""
    right: bool
    """Polling and SYC brought exactly the string that is so, and nobody else sent one."""


def judge(run: Run) -> Reports:
    robot, faults = resolve(run.scenario)[0], run.scenario.faults
    who = dict(zip(addresses(run), (module.name for module in robot.modules), strict=True))
    learnt = run.events("configuration")[0].detail["mdl"]
    built = {module.name: module.type.capabilities for module in robot.modules}
    sent = [
        (time, who[message.sender], message.values[0])
        for time, message in frames(run)
        if message.command is LLC2.AMC
    ]
    early = [each for each in sent if each[0] < ASKED_S]
    late = [each[1:] for each in sent if each[0] >= ASKED_S]
    if faults:
        module = faults[0].who.partition(".")[0]
        lowered = built[module].with_grade(INDICATORS[faults[0].who][1], 0).digits
        right = [each[1:] for each in early] == late == [(module, lowered)]
    else:
        right = not early and all(digits == built[name].digits for name, digits in late)
    after_s = early[0][0] - MOVED_S if early else nan
    return Reports(learnt == [each.digits for each in built.values()], after_s, right)


def experiment(bench: Bench) -> Outcome:
    cases = {(s, jammed): case(s, jammed=jammed) for jammed in (True, False) for s in INDICATORS}
    found = bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS)
    hurt, whole = (
        [each for key, runs in found.items() if key[1] is jammed for each in runs]
        for jammed in (True, False)
    )
    learnt = Rate.count(each.learnt for each in hurt + whole)
    told, quiet = Rate.count(each.right for each in hurt), Rate.count(each.right for each in whole)
    delays = [each.after_s for each in hurt if each.after_s == each.after_s]
    slowest = max(delays, default=nan)
    return Outcome(
        ours=(
            f"all strings received in {learnt} MDL phases; lowered grade re-sent in {told} jams; "
            f"{quiet.of - quiet.good} false reports in {quiet.of} sound runs"
        ),
        passed=min(learnt.value, told.value, quiet.value) == 1.0,
        note=(
            f"T S E R H; jammed: {', '.join(INDICATORS)}.  The module compares setpoint and "
            "position (000 §4.1.4), takes the indicator that the servo serves to 0, says so at the "
            f"next poll, at most {slowest:.1f} s after the command, and to SYC.  Grades between 0 "
            "and 3 for servos that are only weak are not done.  Every run must be right."
        ),
        values=numbers(
            {
                "mdl_phases": learnt,
                "jams_told": told,
                "sound_runs_quiet": quiet,
                "slowest_report_s": slowest,
            }
        ),
    )
