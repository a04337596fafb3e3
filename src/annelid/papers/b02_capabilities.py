"""B2: the MDL phase, and capabilities that change when a module is damaged (000 §3.4, §5.3).

T S E R H in a weightless room (``b02-capabilities``): the central control learns all strings in the
MDL phase.  Then the servo that a command moves is jammed: the module finds by itself that it does
not follow, says so when it is polled, and answers SYC with the lower grade.

A servo may also be weak, or have a part of its range only.  That shows while it walks: five R in
the open make a wave, one of the inner pitch servos, by the seed, keeps 30 % of its torque or of its
range, and its grade has to fall to 1, as much as is left of 3.  Without a fault nothing may fall.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan
from typing import Any, Final

from annelid.electronics.faults.servos import ShortServo, WeakServo
from annelid.kernel import RandomStreams
from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import numbers
from annelid.papers.interval import Rate
from annelid.papers.said import addresses, frames
from annelid.systems.microtub.protocol import LLC2
from annelid.systems.microtub.spec import MicrotubSpec
from annelid.trial.load import resolve
from annelid.trial.replay import Run

FAILED_S, MOVED_S, ASKED_S = 1.5, 2.0, 5.0
INDICATORS: Final = {
    "S1.grip": ("MS1 80", "Sup"),
    "E1.extend": ("MS1 80", "Ext"),
    "R1.yaw": ("MS1 60", "RotY"),
    "R1.pitch": ("MS2 60", "RotX"),
}
"""Servo to be jammed: the command that moves it, and the indicator that must fall."""
LEFT: Final = 0.3
PARTLY: Final[Mapping[str, Mapping[str, Any]]] = {
    "weak": {"fault": "weak_servo", "factor": LEFT},
    "short": {"fault": "short_servo", "share": LEFT},
}
"""Faults that leave a part of a servo."""
INNER: Final = ("R2", "R3", "R4")
"""Of five; a joint at an end has nothing beyond it, and does little work."""
WALKED_S: Final = 9.0
"""When the module is asked after a walk."""
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


def walking(kind: str) -> Case:
    """A wave with a servo that is ``weak`` or ``short``; with any other word all are whole."""

    def drawn(seed: int) -> dict[str, Any]:
        module = str(RandomStreams(seed)["papers/b02"].choice(INNER))
        fault = {**PARTLY.get(kind, {}), "servo": f"{module}.pitch", "at_s": FAILED_S}
        return {
            "control.options.orders": [
                {"at_s": MOVED_S, "say": "MO1"},
                {"at_s": WALKED_S, "say": "SYC", "to": module},
            ],
            "faults": [fault] if kind in PARTLY else [],
        }

    fields = {"robot.chain": "RRRRR", "world.gravity": 9.81, "duration_s": WALKED_S + 1}
    return Case("b02-capabilities", fields, varied=drawn)


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
    asked_s = max(order.at_s for order in _options(run).orders)
    early = [each for each in sent if each[0] < asked_s]
    late = [each[1:] for each in sent if each[0] >= asked_s]
    if not faults:
        right = not early and all(digits == built[name].digits for name, digits in late)
        return Reports(learnt == [each.digits for each in built.values()], nan, right)
    module = faults[0].who.partition(".")[0]
    partly = isinstance(faults[0], WeakServo | ShortServo)
    indicator = "RotX" if partly else INDICATORS[faults[0].who][1]
    grade = int(built[module][indicator] * LEFT + 0.5) if partly else 0
    lowered = (module, built[module].with_grade(indicator, grade).digits)
    reports = [each[1:] for each in early]
    if partly:  # what is left is weighed while it walks: grades between may be told on the way
        right = reports[-1:] == late == [lowered] and {who for who, _ in reports} == {module}
    else:
        right = reports == late == [lowered]
    after_s = early[0][0] - MOVED_S if early else nan
    return Reports(learnt == [each.digits for each in built.values()], after_s, right)


def _options(run: Run) -> MicrotubSpec:
    options = run.scenario.control.options
    assert isinstance(options, MicrotubSpec)
    return options


def experiment(bench: Bench) -> Outcome:
    cases = {(s, jammed): case(s, jammed=jammed) for jammed in (True, False) for s in INDICATORS}
    repeats = 1 if bench.quick else REPEATS
    found = bench.trials(cases, judge, repeats=repeats)
    walks = bench.trials({k: walking(k) for k in (*PARTLY, "sound")}, judge, repeats=repeats)
    hurt, whole = (
        [each for key, runs in found.items() if key[1] is jammed for each in runs]
        for jammed in (True, False)
    )
    whole += walks["sound"]
    partly = {kind: Rate.count(each.right for each in walks[kind]) for kind in PARTLY}
    runs = [*hurt, *whole, *(each for kind in PARTLY for each in walks[kind])]
    learnt = Rate.count(each.learnt for each in runs)
    told, quiet = Rate.count(each.right for each in hurt), Rate.count(each.right for each in whole)
    delays = [each.after_s for each in hurt if each.after_s == each.after_s]
    slowest = max(delays, default=nan)
    return Outcome(
        ours=(
            f"all strings received in {learnt} MDL phases; lowered grade re-sent in {told} jams, "
            f"{partly['weak']} servos that are weak and {partly['short']} that are short; "
            f"{quiet.of - quiet.good} false reports in {quiet.of} sound runs"
        ),
        passed=all(each.value == 1.0 for each in (learnt, told, quiet, *partly.values())),
        note=(
            f"T S E R H; jammed: {', '.join(INDICATORS)}.  The module compares setpoint and "
            "position (000 §4.1.4), takes the indicator that the servo serves to 0, says so at the "
            f"next poll, at most {slowest:.1f} s after the command, and to SYC.  Weak and short: "
            f"{LEFT:.0%} of the torque or the range of a pitch servo of R R R R R in the open, "
            "whose grade has to fall from 3 to 1 while it makes a wave.  Every run must be right."
        ),
        values=numbers(
            {
                "mdl_phases": learnt,
                "jams_told": told,
                **{f"{kind}_told": rate for kind, rate in partly.items()},
                "sound_runs_quiet": quiet,
                "slowest_report_s": slowest,
            }
        ),
    )
