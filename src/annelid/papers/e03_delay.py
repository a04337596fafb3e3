"""E3: how long a packet takes through M modules and back (004 §2.3.4, Table 3, eq 1).

As in the paper the host sends 150 packets that are for nobody round a ring of M modules, and takes
the time until each is back.  Three kinds of modules: those that pass a packet on while it still
comes in (cut-through), with the paper's times for their work; those that store it first, with no
time for work at all, which is the fastest that storing can be; and cut-through without work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.serial_chain import SerialChain
from annelid.systems.erekobot.host import measure_delay

Floats = NDArray[np.float64]

TABLE_3: Final = (11, 16, 21, 25, 31, 35, 39, 43)
"""Milliseconds for M = 1 … 8."""
SLOPE, INTERCEPT = 4.619, 6.714
"""004, eq 1: ms for each module, and once."""
WITHIN_MS = 1.5
PACKETS, INTERVAL_S = 150, 0.2

IDLE: Final = {"processing_ms": 0.0, "host_ms": 0.0}
KINDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "cut-through": {"forwarding": "cut-through"},
    "cut-through, no work": {"forwarding": "cut-through", **IDLE},
    "store, no work": {"forwarding": "store", **IDLE},
}


@dataclass(frozen=True)
class Ring:
    kind: str
    modules: int
    packets: int
    seed: int


def delays_ms(ring: Ring) -> list[float]:
    """Of the packets that came back."""
    host = partial(measure_delay, packets=ring.packets, interval_s=INTERVAL_S)
    spec = {"profile": 1, "topology": "ring", **KINDS[ring.kind]}
    chain = SerialChain(ring.modules, spec, seed=ring.seed, host=host)
    chain.run((ring.packets + 2) * INTERVAL_S + 1.0)
    return [delay / 1e6 for delay in chain.result()]


def experiment(bench: Bench) -> Outcome:
    packets = 10 if bench.quick else PACKETS
    counts = np.arange(1, len(TABLE_3) + 1)
    rings = [Ring(kind, int(m), packets, bench.seed) for kind, m in product(KINDS, counts)]
    found = bench.map(delays_ms, rings, what="delays")
    back = sum(map(len, found))
    means = np.array([np.mean(each) for each in found]).reshape(len(KINDS), -1)
    delay = dict(zip(KINDS, means, strict=True))
    line = {kind: np.polyfit(counts, each, 1).tolist() for kind, each in delay.items()}
    slope, intercept = line["cut-through"]
    off = np.abs(delay["cut-through"] - TABLE_3)
    store_off = np.abs(delay["store, no work"] - TABLE_3)
    return Outcome(
        ours=(
            f"{slope:.3f}·M + {intercept:.3f} ms; Table 3 missed by {off.max():.2f} ms at most; "
            f"stored packets: {line['store, no work'][0]:.3f}·M, off by {store_off.max():.1f} ms"
        ),
        passed=bool(off.max() <= WITHIN_MS) and back == packets * len(rings),
        note=(
            f"Within {WITHIN_MS} ms asked for; {packets} packets for each M, {back} of "
            f"{packets * len(rings)} came back. Cut-through gives it; store-and-forward cannot: "
            f"with no work at all a module needs {line['store, no work'][0]:.2f} ms, the five "
            f"bytes of a packet. That contradicts 004's half duplex (Table 2). Byte times are "
            f"9600 baud 8N1 and give {line['cut-through, no work'][0]:.3f}·M + "
            f"{line['cut-through, no work'][1]:.3f}; the rest, 0.452 ms for a module and 1.506 ms "
            f"for the host, is taken from the paper's line."
        ),
        values={
            "slope_ms": slope,
            "intercept_ms": intercept,
            "slope_off_ms": slope - SLOPE,
            "intercept_off_ms": intercept - INTERCEPT,
            "worst_ms": float(off.max()),
            "store_slope_ms": line["store, no work"][0],
            "store_worst_ms": float(store_off.max()),
            "wire_slope_ms": line["cut-through, no work"][0],
            "wire_intercept_ms": line["cut-through, no work"][1],
            **{
                f"delay_{m}_ms": float(d) for m, d in zip(counts, delay["cut-through"], strict=True)
            },
        },
        plots=(_figure(counts.astype(float), delay),),
    )


def _figure(counts: Floats, delay: Mapping[str, Floats]) -> Figure:
    return Figure(
        "A packet through M modules and back",
        "modules M",
        "delay, ms",
        (
            Series.of("004, Table 3", counts, TABLE_3, style="points"),
            Series.of("004, eq 1", counts, SLOPE * counts + INTERCEPT, style="dashed"),
            *(Series.of(kind, counts, each) for kind, each in delay.items()),
        ),
    )
