"""C6: a lost signal costs one period, and three in four may get lost (002 §7; FACTS §2).

With perfect clocks a chain in step would need no signals at all, so the modules' oscillators are
off by up to 2 %: what signals are for.  Cure and control are one experiment, on the same robots:
signals get lost from the same moment on, speeds are of the same cycles, and only the part of the
signals that gets lost differs.  Clocks need long to part, so these cycles are late ones.  Modules
learn their timers from the first signals, so signals get lost as soon as all modules have begun: a
chain that loses all of them after three cycles knows its timers, and keeps its speed for twenty
more.  How much later a chain starts when signals get lost is the other half: exactly, on two
modules that miss one and two, and as a curve, on eight, against the part of the signals that get
lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, Final

from annelid.papers.bench import Bench
from annelid.papers.case import Case
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.cycles import CYCLE_S, path, per_cycle, wire
from annelid.papers.interval import Interval
from annelid.trial.replay import Run

SCENARIO: Final = "c06-lost-signals"
BEGUN, LATER, CYCLES = 1.7, 120, 20
"""Signals get lost from ``BEGUN`` cycles on: all modules move, and the hind half has counted no
period of its parent yet.  ``LATER`` cycles after the third, speeds are of ``CYCLES`` cycles."""
SOON: Final = 60
"""Of ``LATER``, for a first look."""
SETTLE: Final = 3
KEPT: Final = 0.90
"""Of the speed without loss, at three in four lost."""
WORKS: Final = 0.5
"""Of it, below which a gait has fallen apart: it is slower than half of itself, in whatever phases
its modules happen to be."""
ALL, MOST, NONE = 1.0, 0.75, 0.0
BETWEEN: Final = (0.25, 0.5, 0.9)
"""Parts of the signals for the curve alone."""
LOSSES: Final = (0.0, 0.25, 0.5, 0.75)
START_CYCLES: Final = 60
"""Enough for eight modules at three in four lost; each misses three signals on average."""
MODULES: Final = 8
REPEATS: Final = 5
MORE: Final = 2
"""Times as many robots where the row is judged: without signals some happen to be in step."""


def crawls(loss: float, later: int) -> Case:
    """A chain that loses this part of its signals, watched until its clocks had time to part."""
    length: dict[str, Any] = {"duration_s": (SETTLE + later + CYCLES) * CYCLE_S}
    lost: dict[str, Any] = {"faults": []} if loss == NONE else {"faults.0.loss": loss}
    return Case(SCENARIO, {**lost, **length})


def starts(lost: int) -> Case:
    """Two modules, of which the second misses so many of its first signals."""
    fields: dict[str, Any] = {"robot.chain": "CC", "duration_s": (lost + 1) * CYCLE_S}
    dark: dict[str, Any] = {"faults": []}
    if lost:
        until = (lost - 0.5) * CYCLE_S
        dark = {"faults.0.loss": ALL, "faults.0.at_s": 0.0, "faults.0.until_s": until}
    return Case(SCENARIO, {"control.options.drift_ppm": 0, **fields, **dark})


def lossy_start(loss: float) -> Case:
    fields = {"faults": [], "control.options.loss": loss, "record.state_hz": 0}
    length = START_CYCLES if loss > LOSSES[1] else START_CYCLES // 3
    return Case(SCENARIO, {**fields, "duration_s": length * CYCLE_S})


def speed(run: Run) -> float:
    """cm in a cycle, in the last cycles."""
    end = round(run.scenario.duration_s / CYCLE_S)
    return 100 * per_cycle(path(run, end - CYCLES, end))


def started(run: Run) -> float:
    """When the last module first signals, in cycles; infinite: it never did."""
    last = f"C{run.metrics.modules}.back"
    first = min((int(d["start_ns"]) for d in wire(run) if d["from"] == last), default=None)
    return inf if first is None else first / (CYCLE_S * 1e9)


def holds(lossy: Sequence[float], silent: Sequence[float]) -> bool:
    """Of the shares of the speed without loss that robots keep when most and when all signals are
    lost: all keep it with the ones, and with none left the gait has fallen apart."""
    cure, control = Interval.mean(lossy), Interval.mean(silent)
    if min(len(lossy), len(silent)) < 2:  # a first look, without intervals
        return cure.value >= KEPT and control.value < WORKS
    return min(lossy) >= KEPT and control.high < WORKS and cure.above(control)


def experiment(bench: Bench) -> Outcome:
    repeats, more, later = (1, 1, SOON) if bench.quick else (REPEATS, MORE * REPEATS, LATER)
    judged = {loss: crawls(loss, later) for loss in (NONE, MOST, ALL)}
    ways = bench.trials(judged, speed, repeats=more)
    if not bench.quick:
        between = {loss: crawls(loss, later) for loss in BETWEEN}
        ways |= bench.trials(between, speed, repeats=repeats)
    shares = {  # of the same robot without loss, in the same cycles
        loss: [way / sound for way, sound in zip(ways[loss], ways[NONE], strict=False)]
        for loss in sorted(ways)
    }
    kept = {loss: Interval.mean([100 * each for each in found]) for loss, found in shares.items()}
    least = min(shares[MOST])
    first = bench.trials({lost: starts(lost) for lost in range(3)}, started)
    cost = {lost: first[lost][0] - first[0][0] for lost in (1, 2)}
    periodic = all(abs(cost[lost] - lost) < 0.02 for lost in cost)
    losses = LOSSES[::2] if bench.quick else LOSSES
    begun = bench.trials({loss: lossy_start(loss) for loss in losses}, started, repeats=repeats)
    curve = {loss: Interval.mean(found) for loss, found in begun.items()}
    told = ", ".join(f"{kept[loss].told(0)} % at {loss:.0%}" for loss in kept if loss != NONE)
    return Outcome(
        ours=(
            f"at least {least:.0%} of the speed at 75 % loss with clocks off by 2 %, "
            f"{kept[ALL].told(0)} % in the same cycles where all are lost; a lost "
            f"signal costs {cost[1]:.2f} periods, two {cost[2]:.2f}; eight start after "
            f"{curve[losses[0]].told(1)} to {curve[losses[-1]].told(1)} cycles at "
            f"0-{losses[-1]:.0%} loss"
        ),
        passed=holds(shares[MOST], shares[ALL])
        and periodic
        and all(c.value < inf for c in curve.values()),
        note=(
            f"Caterpillar of eight.  Signals get lost from {BEGUN} cycles on, when all modules "
            f"have begun; speeds are of the cycles {SETTLE + later} to {SETTLE + later + CYCLES}, "
            f"each robot against itself without loss: {told}.  {more} robots at 75 % and "
            f"100 %, the same ones, {repeats} else.  Asked: {KEPT:.0%} in all of them at 75 %; "
            f"the whole interval below {WORKS:.0%} at 100 %, which is slower than half, and "
            "intervals that do not meet.  Later losses show less: after three cycles modules know "
            "their timers, and a chain that hears nothing any more keeps its speed for twenty more."
        ),
        values={
            "kept_least": least,
            "kept_without_signals_most": max(shares[ALL]),
            "periods_for_one_lost": cost[1],
            "periods_for_two_lost": cost[2],
            **{f"percent_at_{loss:g}": mean.value for loss, mean in kept.items()},
            **{f"percent_at_{loss:g}_half_interval": mean.half for loss, mean in kept.items()},
            **{f"start_cycles_at_{loss:g}": mean.value for loss, mean in curve.items()},
            **{
                f"start_cycles_at_{loss:g}_half_interval": mean.half for loss, mean in curve.items()
            },
        },
        plots=(
            Figure(
                f"Speed {later} cycles later, against the part of the signals that get lost",
                "lost",
                "% of the speed without loss",
                (
                    Series.of("mean", list(kept), [mean.value for mean in kept.values()]),
                    Series.of(
                        "each robot",
                        [loss for loss, found in shares.items() for _ in found],
                        [100 * each for found in shares.values() for each in found],
                        style="points",
                    ),
                ),
            ),
            Figure(
                "The last of eight begins, against the part of the signals that get lost",
                "lost",
                "cycles",
                (Series.of("caterpillar", losses, [mean.value for mean in curve.values()]),),
            ),
        ),
    )
