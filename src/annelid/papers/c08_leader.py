"""C8: a loop elects its leader, starts under loss, and goes on when the leader is lost (002 §5.3).

- The leader's board dies while the track rolls, and is replaced by one with a number of its own.
  While it is dead the loop is open there, the module behind the gap goes on by its own clock, and
  the others follow it; once it is closed one leads again.
- The leader's board is lost for good: the others stay in step.  The control loses all signals at
  that moment: clocks that are off by up to 2 % then part them.
- Loops of 6 to 10 start with 0 to 50 % of their signals lost from the beginning, and roll; one of
  16 elects and counts.  When they begin is told as a curve.  The control loses all: nobody moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, Final

from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.conro_bodies import loop
from annelid.papers.cycles import (
    COARSE,
    CYCLE_S,
    Dock,
    docks,
    leader,
    misses,
    options,
    path,
    per_cycle,
    wire,
)
from annelid.papers.interval import Interval, Rate
from annelid.systems.conro.ring import NEVER, SIGNAL
from annelid.trial.replay import Run

LOST, EXCHANGED, END = 6, 9, 20
"""Cycles at which it happens."""
AGREED: Final = 8
"""Cycles in which a loop of eight must have agreed: a number goes round it in two, once until the
old one is found gone, once or twice until the highest is everywhere."""
KEPT: Final = 0.95
SLACK: Final = 0.05
"""Of a cycle, by which a dock may be off its delay: clocks are off by up to 2 %."""
ROLLS: Final = 0.9
"""Of the half of its modules that a track rolls a cycle."""
LOSSES: Final = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
SIZES: Final = (6, 8, 10, 16)
ROLLING_MOST: Final = 10
LENGTH_M: Final = 0.1
"""Of a module."""
STARTED, ROLLED = 5, 8
"""Cycles from and to which a start is measured."""
REPEATS: Final = 5
MODULES: Final = tuple(f"C{k}" for k in range(1, 9))
LIVES: Final = {**COARSE, "duration_s": END * CYCLE_S, "control.options.drift_ppm": 20_000}


def lost(seed: int) -> dict[str, Any]:
    """The board that leads dies for good."""
    dead = {"fault": "dead_board", "board": leader(seed, MODULES), "at_s": LOST * CYCLE_S}
    return {"faults": [dead]}


def exchanged(seed: int) -> dict[str, Any]:
    (dead,) = lost(seed)["faults"]
    return {"faults": [{**dead, "until_s": EXCHANGED * CYCLE_S}]}


def silenced(seed: int) -> dict[str, Any]:
    """And all signals with it."""
    dark = {"fault": "noisy_link", "link": "infrared", "loss": 1.0, "at_s": LOST * CYCLE_S}
    return {"faults": [*lost(seed)["faults"], dark]}


def start(modules: int, loss: float) -> Case:
    fields = {
        "duration_s": ROLLED * CYCLE_S,
        "control.options.loss": loss,
        "control.options.drift_ppm": 2_000,
    }
    return Case("rolling-track", {**LIVES, **loop(modules), **fields})


CASES: Final = {
    "exchanged": Case("rolling-track", LIVES, varied=exchanged),
    "lost for good": Case("rolling-track", LIVES, varied=lost),
    "and all signals": Case("rolling-track", LIVES, varied=silenced),
}


@dataclass(frozen=True)
class Life:
    """Of one track whose leader is lost; ways in cm a cycle."""

    before: float
    without: float
    after: float
    leaders: tuple[int, ...]
    """How many numbers are heard in each cycle."""
    off: float
    """Of a cycle, the worst dock between boards that live, in the last two."""

    @property
    def agreed(self) -> float:
        """Cycles from the exchange until only one number is heard; infinite: never."""
        split = [cycle for cycle in range(EXCHANGED, END) if self.leaders[cycle] > 1]
        if not split:
            return 0.0
        return inf if split[-1] == END - 1 else float(split[-1] + 1 - EXCHANGED)

    @property
    def kept(self) -> float:
        return self.after / self.before

    @property
    def in_step(self) -> bool:
        return self.off <= SLACK

    @property
    def good(self) -> bool:
        return self.agreed <= AGREED and self.kept >= KEPT and self.in_step


def judge(run: Run) -> Life:
    heard: list[set[str]] = [set() for _ in range(END)]
    for signal in wire(run):
        if (cycle := int(signal["start_ns"] / (CYCLE_S * 1e9))) < END:
            heard[cycle].add(signal["bytes"][:4])
    before, without, after = (
        100 * per_cycle(path(run, begin, end))
        for begin, end in ((LOST - 3, LOST), (LOST, EXCHANGED), (EXCHANGED + AGREED, END))
    )
    gone = leader(run.scenario.seed, MODULES)
    alive = [dock for dock in rolling_docks(run) if gone not in (dock.parent, dock.child)]
    offs = [float(off[-1]) for _, off in misses(run, alive)]
    return Life(before, without, after, tuple(len(numbers) for numbers in heard), max(offs))


def rolling_docks(run: Run) -> list[Dock]:
    modules = run.metrics.modules
    return docks(run, options(run).cast(modules))


@dataclass(frozen=True)
class Start:
    begun: float
    """Cycles until the first module moves; infinite: none did."""
    spread: float
    """Cycles between the first and the last beginning."""
    share: float
    """Of N/2 modules a cycle that it rolls."""
    sized: bool
    """Whether one number is followed at the end, with the right size."""

    @property
    def good(self) -> bool:
        return self.sized and self.share >= ROLLS


def began(run: Run) -> Start:
    modules = run.metrics.modules
    firsts: dict[str, float] = {}
    last: dict[str, tuple[int, int]] = {}
    for signal in wire(run):
        number, _, size, _, left = SIGNAL.unpack(bytes.fromhex(signal["bytes"]))
        last[signal["from"]] = (number, size)
        if left and left != NEVER:
            # All count the same steps down; who says how many are left says when it will begin.
            ends = signal["start_ns"] * 1e-9 / CYCLE_S + left / options(run).period
            firsts[signal["from"]] = ends
    times = list(firsts.values())
    way = per_cycle(path(run, STARTED, ROLLED)) / LENGTH_M
    return Start(
        begun=min(times, default=inf),
        spread=max(times) - min(times) if len(times) == modules else inf,
        share=way / (modules / 2),
        sized=len(set(last.values())) == 1 and {size for _, size in last.values()} == {modules},
    )


def experiment(bench: Bench) -> Outcome:
    repeats = 1 if bench.quick else REPEATS
    found = bench.trials(CASES, judge, repeats=repeats)
    lives, alone, dark = found.values()
    sizes = SIZES[1:2] if bench.quick else SIZES
    losses = (LOSSES[0], LOSSES[-1]) if bench.quick else LOSSES
    asked = {(n, loss): start(n, loss) for n in sizes for loss in losses}
    starts = bench.trials(asked, began, repeats=repeats)
    (never,) = bench.trials({"": start(SIZES[1], 1.0)}, began)[""]
    rolling = [s for (n, _), some in starts.items() if n <= ROLLING_MOST for s in some]
    electing = [s for (n, _), some in starts.items() if n > ROLLING_MOST for s in some]
    again, kept = Rate.count(life.good for life in lives), min(life.kept for life in lives)
    held = Rate.count(life.in_step for life in alone)
    rolled = Rate.count(s.good for s in rolling)
    counted = [s.sized for s in (*rolling, *electing)]
    slowest = max(life.agreed for life in lives)
    spread = max(s.spread for some in starts.values() for s in some)
    begun = {key: Interval.mean([s.begun for s in some]) for key, some in starts.items()}
    eight = [begun[SIZES[1], loss] for loss in losses]
    without = Interval.mean([life.without for life in alone])
    return Outcome(
        ours=(
            f"one leader again {slowest:.0f} cycles after the exchange at the latest, {kept:.0%} "
            f"of the speed, {again}; lost for good: in step {held}; starts with 0-50 % loss: roll "
            f"{rolled}, all of {losses[0]:.0%}-{losses[-1]:.0%} begin within "
            f"{eight[0].told(1)} to {eight[-1].told(1)} cycles (N = 8)"
        ),
        passed=(
            all(life.good for life in lives)
            and all(life.in_step for life in alone)
            and not any(life.in_step for life in dark)
            and all(s.good for s in rolling)
            and all(counted)
            and never.begun == inf
        ),
        note=(
            f"Tracks of eight, {repeats} robots each; clocks off by up to 2 %.  The leader's board "
            f"is dead from cycle {LOST}, for {EXCHANGED - LOST} cycles or for good; asked: one "
            f"number within {AGREED} cycles and {KEPT:.0%} of the speed; without it, every dock "
            f"between living boards within {SLACK:.0%} of its delay at cycle {END} (at worst "
            f"{max(life.off for life in alone):.1%}), and not so when all signals are lost with it "
            f"(at worst {max(life.off for life in dark):.0%}).  With its joint stiff the track "
            f"does {without.told(0)} cm a cycle.  Starts, with clocks off by up to 0.2 % (with 2 % "
            "and half of the signals lost some tracks roll at three quarters of the speed): loops "
            f"of {', '.join(map(str, sizes))}; {sum(counted)} of {len(counted)} elect and count; "
            f"all modules begin within {spread:.2f} cycles of each other; with all signals lost "
            "nobody moves."
        ),
        values={
            "agreed_cycles_slowest": slowest,
            "kept_speed_least": kept,
            "in_step_without_leader": held.value,
            "off_without_leader_most": max(life.off for life in alone),
            "off_without_signals_least": min(life.off for life in dark),
            "starts_rolled": rolled.good,
            "starts_of": rolled.of,
            "starts_counted": sum(counted),
            "starts_spread_most": spread,
            "cm_per_cycle_without_leader": without.value,
            **{f"begun_{n}_at_{loss:g}": mean.value for (n, loss), mean in begun.items()},
        },
        plots=(
            Figure(
                "All begin, against the part of the signals that get lost",
                "lost",
                "cycles",
                tuple(
                    Series.of(f"{n} modules", losses, [begun[n, loss].value for loss in losses])
                    for n in sizes
                ),
            ),
        ),
    )
