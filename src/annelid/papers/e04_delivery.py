"""E4: packets that come too fast find the module busy (004 §2.3.3, Fig 13).

004 prints that delivery is good above 200 ms and not why.  Our model is the receiver's busy time:
a module that has taken a packet waits for its servo, its processor makes the pulses, and only the
chip's two bytes of buffer listen.  The servo takes a new angle with its next pulse, within 20 ms,
and turns up to a quarter turn at its no-load speed (``modules/servos.py``); each packet draws how
far.  That it waits, and a quarter turn at most, is proposed; what is lost follows, and is checked
against a formula: of packets every Δt with busy times B, one in the mean of ⌈B / Δt⌉ is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import ceil, pi
from typing import Any, Final

import numpy as np

from annelid.modules.servos import TGY90S
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.serial_chain import SerialChain
from annelid.systems.erekobot.host import measure_delivery

PACKETS = 1000
INTERVALS_MS: Final = (8, 12, 20, 40, 60, 80, 100, 120, 140, 160, 180, 190, 200, 210, 225, 250, 300)
QUICK_MS: Final = (40, 100, 160, 200, 250)
RELIABLE = 0.99
PAPER_MS = 200
PULSE_MS = 20.0
"""From one pulse of a servo to the next."""


def turn_ms(angle: float = pi / 2) -> float:
    """How long the servo takes, without load."""
    return 1000 * angle / TGY90S.no_load_speed


BUSY_MS: Final = (PULSE_MS, PULSE_MS + turn_ms())
KINDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "servo wait": {"busy_ms": BUSY_MS, "software_buffer": 0},
    "half duplex alone": {"duplex": "half", "forwarding": "store", "software_buffer": 0},
}


@dataclass(frozen=True)
class Sending:
    kind: str
    interval_ms: int
    packets: int
    seed: int


def share(sending: Sending) -> float:
    """Of the packets, those that came back."""
    interval_s = sending.interval_ms / 1000
    host = partial(measure_delivery, packets=sending.packets, interval_s=interval_s)
    spec = {"profile": 1, "topology": "ring", **KINDS[sending.kind]}
    chain = SerialChain(1, spec, seed=sending.seed, host=host)
    chain.run((sending.packets + 2) * interval_s + 1.0)
    return float(chain.result()) / sending.packets


def expected(interval_ms: float, draws: int = 2000) -> float:
    """The formula, with busy times spread evenly over their range."""
    busy = np.linspace(*BUSY_MS, draws)
    return 1.0 / float(np.mean([max(1, ceil(each / interval_ms)) for each in busy]))


def experiment(bench: Bench) -> Outcome:
    packets, seeds = (100, 1) if bench.quick else (PACKETS, 3)
    intervals = QUICK_MS if bench.quick else INTERVALS_MS
    each = product(KINDS, intervals, range(bench.seed, bench.seed + seeds))
    sendings = [Sending(kind, interval, packets, seed) for kind, interval, seed in each]
    shares = bench.map(share, sendings, what="sending")
    found = np.reshape(shares, (len(KINDS), len(intervals), seeds))
    worst = dict(zip(KINDS, found.min(axis=2), strict=True))
    mean = dict(zip(KINDS, found.mean(axis=2), strict=True))
    formula = np.array([expected(interval) for interval in intervals])
    servo = worst["servo wait"]
    from_ms = _reliable_from(intervals, servo.tolist())
    half_ms = _reliable_from(intervals, worst["half duplex alone"].tolist())
    at_paper = float(servo[intervals.index(PAPER_MS)])
    fast = float(mean["servo wait"][intervals.index(100)])
    off = float(np.abs(mean["servo wait"] - formula).max())
    above = [s for interval, s in zip(intervals, servo, strict=True) if interval >= PAPER_MS]
    return Outcome(
        ours=(
            f"{100 * at_paper:.1f} % at 200 ms, {100 * fast:.0f} % at 100 ms; 99 % and more from "
            f"{from_ms:.0f} ms on"
        ),
        passed=min(above) >= RELIABLE and fast < RELIABLE,
        note=(
            f"{packets} packets for each of {len(intervals)} intervals and {seeds} seed(s), the "
            f"worst counts; asked for: 99 % from 200 ms on, less at 100. The curve of Fig 13 is "
            f"lost. Model: busy time, proposed, because 004 gives no cause: after a packet a "
            f"module is deaf for {BUSY_MS[0]:.0f} to {BUSY_MS[1]:.0f} ms (a servo pulse, and "
            f"up to 90° at the servo's speed). Its formula and the simulation differ "
            f"by {100 * off:.1f} % at most. The half-duplex wire alone is reliable "
            f"from {half_ms:.0f} ms on already and cannot explain 200."
        ),
        values={
            "at_200_ms_percent": 100 * at_paper,
            "at_100_ms_percent": 100 * fast,
            "reliable_from_ms": from_ms,
            "half_duplex_reliable_from_ms": half_ms,
            "formula_off_percent": 100 * off,
            "busy_least_ms": BUSY_MS[0],
            "busy_most_ms": BUSY_MS[1],
        },
        plots=(
            Figure(
                f"Packets delivered, of {packets}",
                "interval, ms",
                "delivered, %",
                (
                    *(
                        Series.of(kind, intervals, 100 * values, style="points")
                        for kind, values in mean.items()
                    ),
                    Series.of("busy time, formula", intervals, 100 * formula),
                    Series.of(
                        "004: good above 200 ms", (PAPER_MS, PAPER_MS), (0, 100), style="dashed"
                    ),
                ),
            ),
        ),
    )


def _reliable_from(intervals: Sequence[int], shares: Sequence[float]) -> float:
    """The shortest interval from which on all are reliable."""
    from_ms = float("nan")
    for interval, delivered in zip(reversed(intervals), reversed(shares), strict=True):
        if delivered < RELIABLE:
            break
        from_ms = float(interval)
    return from_ms
