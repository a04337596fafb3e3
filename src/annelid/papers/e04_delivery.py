"""E4: packets that come too fast find the module busy (004 §2.3.3, Fig 13).

004 prints that delivery is good above 200 ms and not why.  Our model is the receiver's busy time:
a module that has taken a packet waits for its servo, its processor makes the pulses, and only the
chip's two bytes of buffer listen.  The servo takes a new angle with its next pulse, within 20 ms,
and turns up to a quarter turn at its no-load speed, 165 ms; each packet draws how far.  That it
waits, and a quarter turn at most, is proposed; what is lost follows, and is checked against a
formula: of packets every Δt with busy times B, one in the mean of ⌈B / Δt⌉ is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import ceil
from typing import Any, Final

import numpy as np

from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.gait_steps import options
from annelid.papers.interval import Interval
from annelid.systems.erekobot.probe import DELAY
from annelid.trial.replay import Run

SCENARIO: Final = "e04-busy"
PACKETS, REPEATS = 1000, 3
INTERVALS_MS: Final = (8, 12, 20, 40, 60, 80, 100, 120, 140, 160, 180, 190, 200, 210, 225, 250, 300)
QUICK_MS: Final = (40, 100, 160, 200, 250)
RELIABLE: Final = 0.99
PAPER_MS, FAST_MS = 200, 100
BUSY_MS: Final = (20, 185)
"""From a servo's pulse to a pulse and a quarter turn."""
BUSY, HALF_DUPLEX = "servo wait", "half duplex alone"
KINDS: Final[Mapping[str, Mapping[str, Any]]] = {
    BUSY: {"control.options.busy_ms": BUSY_MS},
    HALF_DUPLEX: {
        "control.options.busy_ms": [0, 0],
        "control.options.duplex": "half",
        "control.options.forwarding": "store",
    },
}


def case(kind: str, interval_ms: int, packets: int) -> Case:
    fields = {
        "duration_s": (packets + 2) * interval_ms / 1000 + 1,
        "control.options.probe": {"packets": packets, "interval_ms": interval_ms},
    }
    return Case(SCENARIO, {**fields, **KINDS[kind]})


def judge(run: Run) -> float:
    """The share of the packets that came back."""
    probe = options(run).probe
    assert probe is not None
    return len(run.events(DELAY)) / probe.packets


def expected(interval_ms: float, draws: int = 2000) -> float:
    """The formula, with busy times spread evenly over their range."""
    busy = np.linspace(*BUSY_MS, draws)
    return 1.0 / float(np.mean([max(1, ceil(each / interval_ms)) for each in busy]))


def reliable_from(intervals: Sequence[int], shares: Mapping[int, float]) -> float:
    """The shortest interval from which on all are reliable, ms; NaN: none."""
    lost = [interval for interval in intervals if shares[interval] < RELIABLE]
    good = [interval for interval in intervals if interval > max(lost, default=0)]
    return float(min(good, default=np.nan))


def experiment(bench: Bench) -> Outcome:
    packets, repeats = (100, 1) if bench.quick else (PACKETS, REPEATS)
    intervals = QUICK_MS if bench.quick else INTERVALS_MS
    cases = {(kind, k): case(kind, k, packets) for kind, k in product(KINDS, intervals)}
    found = bench.trials(cases, judge, repeats=repeats)
    worst = {kind: {each: min(found[kind, each]) for each in intervals} for kind in KINDS}
    mean = {kind: [100 * float(np.mean(found[kind, k])) for k in intervals] for kind in KINDS}
    formula = [100 * expected(each) for each in intervals]
    off = float(np.abs(np.subtract(mean[BUSY], formula)).max())
    from_ms, half_ms = (reliable_from(intervals, worst[kind]) for kind in KINDS)
    fast = Interval.mean([100 * share for share in found[BUSY, FAST_MS]])
    return Outcome(
        ours=(
            f"{100 * worst[BUSY][PAPER_MS]:.1f} % at {PAPER_MS} ms, {fast.told(1)} % at "
            f"{FAST_MS} ms; 99 % and more from {from_ms:.0f} ms on"
        ),
        passed=from_ms <= PAPER_MS and max(found[BUSY, FAST_MS]) < RELIABLE,
        note=(
            f"Asked for: 99 % of {packets} packets in the worst of {repeats} runs from {PAPER_MS} "
            f"ms on, less at {FAST_MS}.  Fig 13 is lost and 004 gives no cause.  Proposed: a "
            f"module is deaf for {BUSY_MS[0]} to {BUSY_MS[1]} ms after a packet "
            f"(a servo's pulse, and up to 90° at its speed); formula and runs differ by {off:.1f} "
            f"% at most.  The half-duplex wire alone is reliable from {half_ms:.0f} ms on and "
            "cannot explain 200"
        ),
        values={
            "at_200_ms_percent": 100 * worst[BUSY][PAPER_MS],
            "at_100_ms_percent": fast.value,
            "reliable_from_ms": from_ms,
            "half_duplex_reliable_from_ms": half_ms,
            "formula_off_percent": off,
        },
        plots=(
            Figure(
                f"Packets delivered, of {packets}",
                "interval, ms",
                "delivered, %",
                (
                    *(Series.of(kind, intervals, mean[kind], style="points") for kind in KINDS),
                    Series.of("busy time, formula", intervals, formula),
                    Series.of("004: good above 200 ms", (200, 200), (0, 100), style="dashed"),
                ),
            ),
        ),
    )
