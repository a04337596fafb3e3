"""E3: how long a packet takes through M modules and back (004 §2.3.4, Table 3, eq 1).

As in the paper the host sends 150 packets that are for nobody round a ring of M modules, and takes
the time until each is back.  Three kinds of modules: those that pass a packet on while it still
comes in (cut-through), with the paper's times for their work; those that store it first, with no
time for work at all, which is the fastest that storing can be; and cut-through without work.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, Final

import numpy as np

from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.systems.erekobot.probe import DELAY
from annelid.trial.replay import Run

TABLE_3: Final = (11, 16, 21, 25, 31, 35, 39, 43)
"""Milliseconds for M = 1 … 8."""
SLOPE, INTERCEPT = 4.619, 6.714
"""004, eq 1: ms for each module, and once."""
WITHIN_MS: Final = 1.5
PACKETS: Final = 150

IDLE: Final = {"control.options.processing_ms": 0.0, "control.options.host_ms": 0.0}
CUT, WIRE, STORE = "cut-through", "cut-through, no work", "store, no work"
KINDS: Final[Mapping[str, Mapping[str, Any]]] = {
    CUT: {},
    WIRE: IDLE,
    STORE: {"control.options.forwarding": "store", **IDLE},
}


def case(kind: str, modules: int, packets: int) -> Case:
    fields = {
        "robot.chain": "K" * modules,
        "control.options.probe.packets": packets,
        "duration_s": 0.2 * packets + 1,
    }
    return Case("e03-ring", {**fields, **KINDS[kind]})


def judge(run: Run) -> list[float]:
    """Delays of the packets that came back, ms."""
    return [event.detail["delay_ns"] / 1e6 for event in run.events(DELAY)]


def experiment(bench: Bench) -> Outcome:
    packets = 10 if bench.quick else PACKETS
    counts = np.arange(1, len(TABLE_3) + 1)
    cases = {(kind, m): case(kind, m, packets) for kind, m in product(KINDS, counts.tolist())}
    found = {key: delays for key, (delays,) in bench.trials(cases, judge).items()}
    back = sum(map(len, found.values()))
    delay = {kind: np.array([np.mean(found[kind, m]) for m in counts.tolist()]) for kind in KINDS}
    line = {kind: np.polyfit(counts, each, 1).tolist() for kind, each in delay.items()}
    off = {kind: float(np.abs(each - TABLE_3).max()) for kind, each in delay.items()}
    return Outcome(
        ours=(
            f"{line[CUT][0]:.3f}·M + {line[CUT][1]:.3f} ms; Table 3 missed by {off[CUT]:.2f} ms "
            f"at most; stored packets miss it by {off[STORE]:.1f} ms"
        ),
        passed=off[CUT] <= WITHIN_MS < off[STORE] and back == packets * len(cases),
        note=(
            f"Within {WITHIN_MS} ms asked for, and modules that store a packet must miss it.  "
            f"{packets} packets for each M, {back} of {packets * len(cases)} came back.  Storing "
            f"the five bytes takes {line[STORE][0]:.2f} ms a module without any work, so Table 3 "
            "contradicts 004's half duplex (Table 2).  Fitted: the work of 0.452 ms for a module "
            f"and 1.506 ms for the host; 9600 baud alone gives {line[WIRE][0]:.3f}·M + "
            f"{line[WIRE][1]:.3f}"
        ),
        values={
            "slope_off_ms": line[CUT][0] - SLOPE,
            "intercept_off_ms": line[CUT][1] - INTERCEPT,
            "worst_ms": off[CUT],
            "store_slope_ms": line[STORE][0],
            "store_worst_ms": off[STORE],
            **{f"delay_{m}_ms": float(d) for m, d in zip(counts, delay[CUT], strict=True)},
        },
        plots=(
            Figure(
                "A packet through M modules and back",
                "modules M",
                "delay, ms",
                (
                    Series.of("004, Table 3", counts, TABLE_3, style="points"),
                    Series.of("004, eq 1", counts, SLOPE * counts + INTERCEPT, style="dashed"),
                    *(Series.of(kind, counts, each) for kind, each in delay.items()),
                ),
            ),
        ),
    )
