"""B5: the temperature of a servo of the rotation module, A to E (000 §4.1.1, Fig 9).

A to B it takes part in a snake's wave, B to C the robot rests, from C on it is commanded to move
and is blocked (a jammed gear), at D its behaviour stops it at 50 °C and it cools, at E it goes on
and heats again (``b05-overheating``).  The current trip is off, as it must be for this figure: at
100 mA a winding never gets beyond 39 °C (FACTS §3).  Judged are the turns of the curve, the stop,
and the module's estimate (eq 6), which it tells at D and goes by at E, against the winding
temperature that the physics computes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Final

import numpy as np

from annelid.modules.rotation import Rotation
from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import curves, numbers
from annelid.papers.interval import Interval, Rate
from annelid.systems.microtub.behaviours.survival import COOLER_C, windings
from annelid.trial.replay import Run

SERVO: Final = "R2.pitch"
A_S, B_S, C_S = 2.0, 23.0, 28.0
"""At B the joints stand straight again, a second after STP."""
STOP_C: Final = windings(Rotation())["pitch"].hottest_c
PEAK_MAX, ESTIMATE_MAX = STOP_C + 1.0, 2.0
"""°C: of the winding; difference of the estimate allowed."""
REPEATS: Final = 5

_HOT: Final = re.compile(r"pitch: its winding is at ([\d.]+) °C")


@dataclass(frozen=True)
class HeatCurve:
    time: tuple[float, ...]
    winding: tuple[float, ...]
    stopped_s: float
    resumed_s: float
    """Infinite: never."""
    apart: float
    """Of the estimate at both, °C."""

    @property
    def turns(self) -> bool:
        """Up, down, up, down, up."""
        ends = (A_S, B_S, C_S, self.stopped_s, self.resumed_s, self.resumed_s + 2.0)
        heat = np.interp(ends, self.time, self.winding)
        signs = [np.sign(b - a) for a, b in pairwise(heat.tolist())]
        return self.resumed_s < self.time[-1] and signs == [1, -1, 1, -1, 1]

    @property
    def right(self) -> bool:
        return self.turns and max(self.winding) < PEAK_MAX and self.apart <= ESTIMATE_MAX


def judge(run: Run) -> HeatCurve:
    table, time = run["actuators"], run.time("actuators")
    winding, released = table[f"temperature[{SERVO}]"], np.isnan(table[f"target[{SERVO}]"])
    hot = [
        (event.time_ns * 1e-9, float(match[1]))
        for event in run.events("found")
        if event.source == "R2" and (match := _HOT.match(event.detail["words"]))
    ]
    stopped = hot[0][0] if hot else inf
    after = time[(time > stopped + 0.5) & ~released]
    resumed = float(after[0]) if len(after) else inf
    told = [*hot[:1], (resumed, STOP_C - COOLER_C)]
    apart = max(abs(estimate - float(np.interp(at, time, winding))) for at, estimate in told)
    return HeatCurve(tuple(time.tolist()), tuple(winding.tolist()), stopped, resumed, apart)


def experiment(bench: Bench) -> Outcome:
    cases = {"": Case("b05-overheating")}
    found = bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS)[""]
    rate = Rate.count(curve.right for curve in found)
    peak = Interval.mean([max(curve.winding) for curve in found])
    apart = max(curve.apart for curve in found)
    heated = Interval.mean([curve.stopped_s - C_S for curve in found])
    cooled = Interval.mean([curve.resumed_s - curve.stopped_s for curve in found])
    shown = found[0]
    a, b, c = (float(np.interp(at, shown.time, shown.winding)) for at in (A_S, B_S, C_S))
    return Outcome(
        ours=(
            f"{rate} servos heat, are stopped in time, cool and heat again; peak "
            f"{peak.told(1)} °C, stopped {heated.told(1)} s after C"
        ),
        passed=rate.value == 1.0,
        note=(
            f"Current trip off.  In the run shown A {a:.1f}, B {b:.1f}, C {c:.1f} °C.  Every curve "
            f"must turn as in the figure and stay below {PEAK_MAX:.0f} °C.  What the module takes "
            f"for its temperature at D and E is within {apart:.2f} °C of the winding.  It goes on "
            f"{COOLER_C:.0f} °C below (ours; the paper gives no value).  A module learns a "
            "winding's resistance from the current of a stall; its current sensor is off by some "
            "of its range.  A pause cools only who carries nothing: a joint that holds itself up "
            "draws some mA.  It cools "
            f"for {cooled.told(0)} s."
        ),
        values=numbers(
            {
                "rate": rate,
                "peak_c": peak,
                "estimate_apart_c": apart,
                "stopped_after_s": heated,
                "cooled_for_s": cooled,
            }
        ),
        plots=(
            curves(
                "Temperature of a servo: wave, pause, blocked, stopped, again",
                "time, s",
                "temperature, °C",
                {"winding": zip(shown.time, shown.winding, strict=True)},
            ),
        ),
    )
