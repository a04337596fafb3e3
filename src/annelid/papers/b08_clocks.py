"""B8: clocks set by RTC every 2 s or by the sync line, which is the more accurate (000 §4.1.6).

Ten modules whose clocks drift (``b08-clocks``).  Every setting of a module's t is recorded; between
two of them its own clock counts, whose rate is known here.  The phase error is how far two modules'
t are apart at worst.  Three ways: t is set once at the start, which is the control; by RTC; by the
baton on the sync line.  In a fourth run the line is cut for a while: RTC must hold the time, and
the baton must come back by itself.
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
DRIFTS: Final = {"quartz, 50 ppm": 50.0, "RC, 3 %": 30_000.0}
WAYS: Final[Mapping[str, Mapping[str, Any]]] = {
    "set once": {"control.options.sync": "rtc", "control.options.rtc_s": 60.0},
    "RTC": {"control.options.sync": "rtc"},
    "line": {},
    "line, cut": {},
}
REPEATS: Final = 8


def case(way: str, drift: str) -> Case:
    def drifting(seed: int) -> dict[str, Any]:
        draw, most = RandomStreams(seed)["papers/b08"], DRIFTS[drift]
        faults: list[dict[str, Any]] = [
            {"fault": "clock_drift", "board": board, "drift_ppm": float(draw.uniform(-most, most))}
            for board in BOARDS
        ]
        return {"faults": [*faults, CUT] if way == "line, cut" else faults}

    return Case("b08-clocks", WAYS[way], varied=drifting)


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


def experiment(bench: Bench) -> Outcome:
    repeats = 1 if bench.quick else REPEATS
    cases = {key: case(*key) for key in product(WAYS, DRIFTS)}
    found = bench.trials(cases, judge, repeats=repeats)
    times = grid() / SECOND
    error = {key: np.max(runs, axis=0) for key, runs in found.items()}
    worst = {key: float(curve.max()) for key, curve in error.items()}
    quartz, rough = DRIFTS
    cut = error["line, cut", rough]
    during = float(cut[(times > CUT_S) & (times < MENDED_S)].max())
    after = float(cut[times > BACK_S].max())
    ratio = min(worst["RTC", drift] / worst["line", drift] for drift in DRIFTS)
    bound = 2 * DRIFTS[rough] / 1e6 * 2000
    told = {
        drift: ", ".join(f"{way} {worst[way, drift]:.4g}" for way in WAYS if way != "line, cut")
        for drift in DRIFTS
    }
    return Outcome(
        ours=(
            f"apart at worst in {SECONDS:.0f} s, 3 % oscillators: {told[rough]} ms; quartz: "
            f"{told[quartz]} ms; line cut: {during:.0f} ms, mended: {after:.1f} ms"
        ),
        passed=ratio > 2
        and all(worst["RTC", d] < worst["set once", d] for d in DRIFTS)
        and during < 1.5 * bound
        and after < worst["RTC", rough] / 2,
        note=(
            f"{len(BOARDS)} modules, {repeats} robots a way, errors from {FROM_S:.0f} s on.  RTC "
            "sets t to the nearest multiple of 2 s.  The baton ticks every 20 ms, each pass one "
            "tick for everybody (read literally, the ends of the chain tick half as often).  Asked "
            "for: the line twice as accurate as RTC or better, RTC better than clocks that are set "
            "once, and RTC's accuracy while the line is cut.  The baton is passed on in an "
            "interrupt, 1 us a hop, and passes of the programs cost no time here; at up to 3 ms "
            "each, RTC is read late, and quartz clocks gain nothing from the line."
        ),
        values=numbers(
            {f"worst {way} {DRIFTS[drift]:.0f} ppm ms": ms for (way, drift), ms in worst.items()}
            | {"ratio": ratio, "cut_ms": during, "mended_ms": after}
        ),
        plots=tuple(
            curves(
                f"Two modules apart at worst: {drift}",
                "time, s",
                "phase error, ms",
                {
                    way: zip(times.tolist(), error[way, drift].tolist(), strict=True)
                    for way in WAYS
                    if way != "set once"
                },
            )
            for drift in DRIFTS
        ),
    )
