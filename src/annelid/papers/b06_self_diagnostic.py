"""B6: a servo that does not follow and a sync line that is dead are told to the central control
(000 §4.1.4).

A chain of rotation modules is told to move every pitch servo (``b06-self-diagnostic``).  Once for
every servo it has lost its strength by then, so that it draws next to nothing and does not move
(one that is blocked is another matter: A2).  Once for every sync line, and for each of its two
wires, that is cut before the next configuration check.  What counts is the alarm in a frame on the
bus, from a module that is concerned; a healthy chain must stay silent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import nan
from typing import Any, Final

from annelid.electronics.faults.links import CutLink
from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import numbers
from annelid.papers.interval import Rate
from annelid.papers.said import addresses, frames
from annelid.systems.microtub.protocol import LLC2, Alarm
from annelid.trial.replay import Run

SCENARIO: Final = "b06-self-diagnostic"
MODULES: Final = ("R1", "R2", "R3", "R4")
BREAK_S, ORDER_S = 1.5, 1.6
CHECK: Final = [{"at_s": ORDER_S, "say": "GPS"}, {"at_s": 2.2, "say": "GPF"}]
REPEATS: Final = {"dead servos": 10, "cut lines": 5, "sound": 20}
"""Of each servo, wire and order: forty of a kind and more."""
MISSED: Final = 1
"""Faults that may go untold, of all."""


def lines() -> dict[str, Case]:
    """Each line, whole and wire by wire."""
    found = {}
    for front, rear in pairwise(MODULES):
        out, back = f"{front}.sout", f"{rear}.sin"
        for wire, pair in (("", None), (" forward", [out, back]), (" backward", [back, out])):
            cut: dict[str, Any] = {"fault": "cut_link", "link": f"sync/{front}-{rear}"}
            cut |= {"at_s": BREAK_S, "between": pair} if pair else {"at_s": BREAK_S}
            fields = {"faults": [cut], "control.options.orders": CHECK}
            found[f"{front}-{rear}{wire}"] = Case(SCENARIO, fields)
    return found


def servos() -> dict[str, Case]:
    return {name: Case(SCENARIO, {"faults.0.servo": f"{name}.pitch"}) for name in MODULES}


@dataclass(frozen=True)
class Diagnosis:
    right: bool
    after_s: float
    """From the order to the first alarm; NaN: none."""


def judge(run: Run) -> Diagnosis:
    who = dict(zip(addresses(run), MODULES, strict=True))
    told = [
        (time - ORDER_S, who[message.sender], message.values[0])
        for time, message in frames(run)
        if message.command is LLC2.APO and message.values and isinstance(message.values[0], Alarm)
    ]
    said = {(module, alarm) for _, module, alarm in told}
    faults = run.scenario.faults
    if not faults:
        right = not said
    elif isinstance(faults[0], CutLink):
        beside = faults[0].link.removeprefix("sync/").split("-")
        about = (Alarm.SYNC_LINE, Alarm.CHECK)
        right = any(module in beside and alarm in about for module, alarm in said)
    else:
        right = said == {(faults[0].who.partition(".")[0], Alarm.STUCK)}
    return Diagnosis(right, told[0][0] if told else nan)


def experiment(bench: Bench) -> Outcome:
    kinds: Mapping[str, Mapping[str, Case]] = {
        "dead servos": servos(),
        "cut lines": lines(),
        "sound": {"move": Case(SCENARIO, {"faults": []})}
        | {"check": Case(SCENARIO, {"faults": [], "control.options.orders": CHECK})},
    }
    found = {
        kind: bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS[kind])
        for kind, cases in kinds.items()
    }
    rate = {
        kind: Rate.count(one.right for runs in each.values() for one in runs)
        for kind, each in found.items()
    }
    slowest = {
        kind: max((one.after_s for runs in each.values() for one in runs if one.right), default=nan)
        for kind, each in found.items()
        if kind != "sound"
    }
    sound = rate.pop("sound")
    missed = sum(each.of - each.good for each in rate.values())
    return Outcome(
        ours=(
            f"{rate['dead servos']} dead servos and {rate['cut lines']} cut lines told on the bus; "
            f"{sound.of - sound.good} false alarms in {sound.of} sound runs"
        ),
        passed=missed <= MISSED and sound.value == 1.0,
        note=(
            "R R R R, weightless; a dead servo has 1 % of its torque, less than its own friction.  "
            "A line counts as told when a module beside it says that the line or the check is at "
            f"fault.  {MISSED} of all may be missed, none told that is not there.  At the latest "
            + " and ".join(f"{after:.2f} s for {kind}" for kind, after in slowest.items())
            + " after the order."
        ),
        values=numbers(
            rate
            | {"sound": sound}
            | {f"{kind}, latest, s": after for kind, after in slowest.items()}
        ),
    )
