"""B8: clocks set by RTC every 2 s or by the sync line, which is the more accurate (000 §4.1.6).

Ten modules whose clocks drift (``b08-clocks``).  Every setting of a module's t is recorded; between
two of them its own clock counts, whose rate is known here.  The phase error is how far two modules'
t are apart at worst.  Three ways: t is set once at the start, which is the control; by RTC; by the
baton on the sync line.  In a fourth run the line is cut for a while: RTC must hold the time, and
the baton must come back by itself.

All of it with passes of the programs that cost no time, 1 ms and 3 ms: the baton is passed on in an
interrupt, but RTC is read only by the next pass, and so is a tick that fell into one.  Between two
RTC, quartz clocks drift less apart than such a pass takes.  There the line can gain nothing, and
the row only prints what it does.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from annelid.electronics.faults.boards import ClockDrift
from annelid.kernel import MILLISECOND, SECOND, RandomStreams
from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import curves, numbers
from annelid.trial.replay import Run

Floats = NDArray[np.float64]

BOARDS: Final = ("T1", "R1", "R2", "S1", "E1", "S2", "R3", "R4", "P1", "V1")
SECONDS, FROM_S = 20.0, 3.0
"""By then every clock was set twice; errors count from here."""
CUT_S, MENDED_S, BACK_S = 6.0, 12.0, 15.0
CUT: Final = {"fault": "cut_link", "link": "sync/E1-S2", "at_s": CUT_S, "until_s": MENDED_S}
QUARTZ, ROUGH = "quartz, 50 ppm", "RC, 3 %"
DRIFTS: Final = {QUARTZ: 50.0, ROUGH: 30_000.0}
PASSES_MS: Final = (0.0, 1.0, 3.0)
"""What each pass of a module's program costs."""
RTC_MS: Final = 2000.0
GAIN: Final = 2.0
"""How many times as accurate as RTC the line has to be."""
LITTLE: Final = 1.1
"""Times as accurate: below, the line gains nothing."""
SETTINGS: Final = tuple(product(DRIFTS, PASSES_MS))
TOLD: Final = ("set once", "RTC", "line")
WAYS: Final[Mapping[str, Mapping[str, Any]]] = {
    "set once": {"control.options.sync": "rtc", "control.options.rtc_s": 60.0},
    "RTC": {"control.options.sync": "rtc"},
    "line": {},
    "line, cut": {},
}
REPEATS: Final = 4

Key = tuple[str, str, float]
"""Way, drift, cost of a pass."""


def case(way: str, drift: str, pass_ms: float = 0.0) -> Case:
    def drifting(seed: int) -> dict[str, Any]:
        draw, most = RandomStreams(seed)["papers/b08"], DRIFTS[drift]
        faults: list[dict[str, Any]] = [
            {"fault": "clock_drift", "board": board, "drift_ppm": float(draw.uniform(-most, most))}
            for board in BOARDS
        ]
        return {"faults": [*faults, CUT] if way == "line, cut" else faults}

    fields = {**WAYS[way], "control.options.pass_ms": pass_ms}
    return Case("b08-clocks", fields, varied=drifting)


def grid() -> Floats:
    """Between the steps of the physics, on which boards tick: no baton is under way then."""
    return np.arange(FROM_S * SECOND + MILLISECOND // 4, SECONDS * SECOND, 7 * MILLISECOND)


def judge(run: Run) -> Floats:
    """How far the modules are apart, ms, at the times of :func:`grid`."""
    times, shown = grid(), []
    rates = {f.board: f.drift_ppm for f in run.scenario.faults if isinstance(f, ClockDrift)}
    clocks = run.events("clock")
    for board, ppm in rates.items():
        settings = [(e.time_ns, e.detail["t_ns"]) for e in clocks if e.source == board]
        at, t = np.array(settings, float).T
        last = np.searchsorted(at, times, side="right") - 1
        shown.append(t[last] + (times - at[last]) * (1 + ppm / 1e6))
    apart: Floats = np.ptp(np.array(shown), axis=0) / MILLISECOND
    return apart


def drift_ms(drift: str) -> float:
    """How far two clocks may drift apart between two RTC."""
    return 2 * DRIFTS[drift] / 1e6 * RTC_MS


class Found:
    """Of all runs: the largest phase error of each way, drift and pass."""

    def __init__(self, error: Mapping[Key, Floats]) -> None:
        self.error = error
        self.worst = {key: float(curve.max()) for key, curve in error.items()}
        times = grid() / SECOND
        during, after = (times > CUT_S) & (times < MENDED_S), times > BACK_S
        cuts = {key[1:]: curve for key, curve in error.items() if key[0] == "line, cut"}
        self.during = {key: float(curve[during].max()) for key, curve in cuts.items()}
        self.after = {key: float(curve[after].max()) for key, curve in cuts.items()}

    def gain(self, drift: str, pass_ms: float) -> float:
        """How many times as accurate as RTC the line is."""
        return self.worst["RTC", drift, pass_ms] / self.worst["line", drift, pass_ms]

    def asked(self) -> list[tuple[str, float]]:
        """Drifts and passes at which the line has to be better."""
        return [(drift, cost) for drift, cost in SETTINGS if drift_ms(drift) > cost]

    @property
    def passed(self) -> bool:
        return (
            all(
                self.gain(*each) > GAIN and self.worst["RTC", *each] < self.worst["set once", *each]
                for each in self.asked()
            )
            and all(most < 1.5 * drift_ms(drift) for (drift, _), most in self.during.items())
            and all(most < self.worst["RTC", *key] / 2 for key, most in self.after.items())
        )

    def told(self, cost: float) -> str:
        """All drifts, at that cost of a pass."""
        drifts = (
            f"{drift}: "
            + ", ".join(f"{way} {self.worst[way, drift, cost]:.4g}" for way in TOLD)
            + self._gains_nothing(drift, cost)
            for drift in DRIFTS
        )
        return f"passes of {cost:g} ms: {'; '.join(drifts)}"

    def _gains_nothing(self, drift: str, cost: float) -> str:
        gain = self.gain(drift, cost)
        if gain > GAIN:
            return ""
        return f" (the line gains {'little' if gain > LITTLE else 'nothing'}: {gain:.2g} times)"


def experiment(bench: Bench) -> Outcome:
    repeats = 1 if bench.quick else REPEATS
    keys = [(way, *each) for way, each in product(TOLD, SETTINGS)]
    keys += [("line, cut", ROUGH, cost) for cost in PASSES_MS]
    runs = bench.trials({key: case(*key) for key in keys}, judge, repeats=repeats)
    found = Found({key: np.max(each, axis=0) for key, each in runs.items()})
    times = grid() / SECOND
    cut, mended = max(found.during.values()), max(found.after.values())
    return Outcome(
        ours=(
            f"apart at worst in {SECONDS:.0f} s, ms: {'. '.join(map(found.told, PASSES_MS))}. "
            f"Line cut: {cut:.0f}, mended: {mended:.1f} at worst"
        ),
        passed=found.passed,
        note=(
            f"{len(BOARDS)} modules, {repeats} robots a way, errors from {FROM_S:.0f} s on.  RTC "
            "sets t to the nearest multiple of 2 s.  The baton ticks every 20 ms, each pass one "
            "tick for everybody (read literally, the ends of the chain tick half as often), and is "
            "passed on in an interrupt, 1 us a hop.  Asked for wherever clocks drift farther apart "
            f"in 2 s than a pass takes: the line more than {GAIN:g} times as accurate as RTC, RTC "
            "better than clocks that are set once; with 3 % oscillators RTC's accuracy while the "
            "line is cut, and half of RTC's error when it is mended.  Quartz clocks drift "
            f"{drift_ms(QUARTZ):g} ms apart in 2 s, less than a pass of 1 ms: there nothing is "
            "asked, and the row says what the line gains."
        ),
        values=numbers(
            {
                f"worst {way} {DRIFTS[drift]:.0f} ppm {cost:g} ms passes ms": ms
                for (way, drift, cost), ms in found.worst.items()
            }
            | {
                f"gain {DRIFTS[drift]:.0f} ppm {cost:g} ms passes": found.gain(drift, cost)
                for drift, cost in SETTINGS
            }
            | {f"cut {cost:g} ms passes ms": ms for (_, cost), ms in found.during.items()}
            | {f"mended {cost:g} ms passes ms": ms for (_, cost), ms in found.after.items()}
        ),
        plots=tuple(
            curves(
                f"Two modules apart at worst: {drift}",
                "time, s",
                "phase error, ms",
                {
                    f"{way}, passes of {cost:g} ms": zip(
                        times.tolist(), curve.tolist(), strict=True
                    )
                    for (way, of, cost), curve in found.error.items()
                    if of == drift and way != "set once"
                },
            )
            for drift in DRIFTS
        ),
    )
