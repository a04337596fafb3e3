"""C8: a loop elects its leader, and goes on when it is lost and exchanged (002 §5.3).

The leader's board dies while the track rolls, and is replaced by one with a number of its own.
While it is dead the loop is a chain, and the module behind it hears nobody: 002 §6 says that
numbers then elect more than one conductor.  They were in step a moment before and stay so as long
as their clocks allow, here 0.2 %; the test is that one leads again soon after the exchange.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.role_run import RoleRun, per_cycle

LOST, EXCHANGED, END = 6, 9, 18
"""Cycles at which it happens."""
AGREED: Final = 6
"""Cycles in which a loop of eight must have agreed: a number goes round it in two."""
DRIFT_PPM: Final = 2000.0


@dataclass(frozen=True)
class Life:
    """Of one track; ways in cm a cycle."""

    before: float
    without: float
    after: float
    agreed: float
    """Cycles from the exchange until only one number is heard; infinite: never."""
    leaders: tuple[int, ...]
    """How many numbers are heard in each cycle."""


def roll(seed: int) -> Life:
    run = RoleRun({"role": "rolling-track", "drift_ppm": DRIFT_PPM}, seed=seed)
    before = run.path(LOST - 3, LOST)
    first = next(d["from"] for _, _, kind, d in run.events[::-1] if kind == "wire" and _own(d))
    leader = next(n for n in run.network.modules if first.startswith(f"{n.name}."))
    leader.kill()
    without = run.path(LOST, EXCHANGED)
    leader.start()
    run.run(EXCHANGED + AGREED)
    after = run.path(EXCHANGED + AGREED, END)
    cycle_ns = run.network.cycle_s * 1e9
    heard: list[set[str]] = [set() for _ in range(END)]
    for _, _, kind, detail in run.events:
        if kind == "wire" and detail["start_ns"] < END * cycle_ns:
            heard[int(detail["start_ns"] // cycle_ns)].add(detail["bytes"][:4])
    split = [cycle for cycle in range(EXCHANGED, END) if len(heard[cycle]) > 1]
    agreed = float(split[-1] + 1 - EXCHANGED) if split else 0.0
    return Life(
        per_cycle(before) * 100,
        per_cycle(without) * 100,
        per_cycle(after) * 100,
        float("inf") if split and split[-1] == END - 1 else agreed,
        tuple(len(numbers) for numbers in heard),
    )


def _own(detail: Mapping[str, Any]) -> bool:
    """Whether a signal comes from the one whose number it carries: its first hop."""
    return str(detail["bytes"]).endswith("01")


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else 5))
    lives = bench.map(roll, seeds, what="C8")
    slowest = max(life.agreed for life in lives)
    kept = min(life.after / life.before for life in lives)
    values = {
        "agreed_cycles_slowest": slowest,
        "kept_speed_least": kept,
        "cm_per_cycle_before": sum(life.before for life in lives) / len(lives),
        "cm_per_cycle_without_leader": sum(life.without for life in lives) / len(lives),
        "cm_per_cycle_after": sum(life.after for life in lives) / len(lives),
    }
    cycles = tuple(float(cycle) for cycle in range(END))
    return Outcome(
        ours=(
            f"one leader again {slowest:.0f} cycles after the exchange at the latest, "
            f"{kept:.0%} of the speed"
        ),
        passed=slowest <= AGREED and kept >= 0.95,
        note=(
            f"Tracks of eight, {len(lives)} runs; the leader's board dead for "
            f"{EXCHANGED - LOST} cycles, in which the track does "
            f"{values['cm_per_cycle_without_leader']:.0f} cm a cycle instead of "
            f"{values['cm_per_cycle_before']:.0f}; clocks off by up to {DRIFT_PPM / 1e4:g} %"
        ),
        values=values,
        plots=(
            Figure(
                "Numbers heard in a cycle",
                "cycle",
                "numbers",
                tuple(
                    Series(f"run {k + 1}", cycles, tuple(map(float, life.leaders)))
                    for k, life in enumerate(lives)
                ),
            ),
        ),
    )
