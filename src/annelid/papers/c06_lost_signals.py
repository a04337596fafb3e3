"""C6: a lost signal costs one period, and three in four may get lost (002 §7; FACTS §2).

With perfect clocks a chain in step would need no signals at all, so the modules' oscillators are
off by up to 0.2 %: what signals are for.  Loss begins when the chain is in step; the control never
hears a signal, and so never falls into step.  The same with clocks that are off by 2 % is told
beside it.  How much later a chain starts when its first signals get lost is the other half,
measured on two modules.
"""

from __future__ import annotations

from typing import Any, Final

from annelid.papers.bench import Bench
from annelid.papers.case import Case
from annelid.papers.claim import Outcome
from annelid.papers.cycles import CYCLE_S, path, per_cycle, wire
from annelid.papers.interval import Interval
from annelid.trial.replay import Run

SCENARIO: Final = "c06-lost-signals"
SETTLE, CYCLES = 3, 20
KEPT: Final = 0.95
"""Of the speed without loss, at three in four lost."""
WORKS: Final = 0.5
"""Of it, below which a gait has fallen apart."""
SOUND, LOSSY, SILENT, PARTED = "no loss", "75 % lost", "no signal ever", "no signal any more"
FAULTS: Final[dict[str, dict[str, Any]]] = {
    SOUND: {"faults": []},
    LOSSY: {},
    SILENT: {"faults.0.loss": 1.0, "faults.0.at_s": 0.0},
    PARTED: {"faults.0.loss": 1.0},
}
GOOD, BAD = 2_000, 20_000
"""Clocks off by up to this, ppm."""
REPEATS: Final = 5


def crawls(name: str, drift_ppm: int) -> Case:
    return Case(SCENARIO, {"control.options.drift_ppm": drift_ppm, **FAULTS[name]})


def starts(lost: int) -> Case:
    """Two modules, of which the second misses so many of its first signals."""
    fields: dict[str, Any] = {"robot.chain": "CC", "duration_s": (lost + 1) * CYCLE_S}
    until = {"faults.0.until_s": (lost - 0.5) * CYCLE_S}
    dark = {**FAULTS[SILENT], **until} if lost else FAULTS[SOUND]
    return Case(SCENARIO, {"control.options.drift_ppm": 0, **fields, **dark})


def speed(run: Run) -> float:
    """cm in a cycle."""
    return 100 * per_cycle(path(run, SETTLE, SETTLE + CYCLES))


def started(run: Run) -> float:
    """When the second module first signals, in cycles."""
    first = min(int(d["start_ns"]) for d in wire(run) if d["from"] == "C2.back")
    return first / (CYCLE_S * 1e9)


def experiment(bench: Bench) -> Outcome:
    repeats = 1 if bench.quick else REPEATS
    keys = [(SOUND, GOOD), (LOSSY, GOOD), (SILENT, GOOD)]
    keys += [] if bench.quick else [(SOUND, BAD), (LOSSY, BAD), (PARTED, BAD)]
    ways = bench.trials({key: crawls(*key) for key in keys}, speed, repeats=repeats)
    share = {
        (name, ppm): [way / sound for way, sound in zip(found, ways[SOUND, ppm], strict=True)]
        for (name, ppm), found in ways.items()
    }
    kept, silent = min(share[LOSSY, GOOD]), max(share[SILENT, GOOD])
    first = bench.trials({lost: starts(lost) for lost in range(3)}, started)
    cost = {lost: first[lost][0] - first[0][0] for lost in (1, 2)}
    periodic = all(abs(cost[lost] - lost) < 0.02 for lost in cost)
    means = {key: Interval.mean([100 * each for each in share[key]]) for key in keys}
    told = {key: f"{mean.told(0)} % with {key[0]}" for key, mean in means.items()}
    worse = ", ".join(text for (name, ppm), text in told.items() if ppm == BAD and name != SOUND)
    return Outcome(
        ours=(
            f"at least {kept:.0%} of the speed at 75 % loss, at most {silent:.0%} without any "
            f"signal; a lost signal costs {cost[1]:.2f} periods, two {cost[2]:.2f}"
        ),
        passed=kept >= KEPT and silent < WORKS and periodic,
        note=(
            f"Caterpillar of eight, {repeats} robots each, {CYCLES} cycles; clocks off by up to "
            "0.2 %; signals get lost from when all are in step.  Each robot is compared with "
            f"itself without loss; asked: {KEPT:.0%} in all of them.  Control: no signal from the "
            f"beginning, and less than {WORKS:.0%} is left."
            + (f"  With clocks off by 2 %: {worse}." if worse else "")
        ),
        values={
            "kept_least": kept,
            "kept_without_signals_most": silent,
            "periods_for_one_lost": cost[1],
            "periods_for_two_lost": cost[2],
            **{f"percent_{name}_at_{ppm}_ppm": m.value for (name, ppm), m in means.items()},
        },
    )
