"""E7: line, bus and ring (004 §2.2.2, Fig 5; the bus as its "desirable update", §4).

The same modules and the same host on each: how long a command takes from the host to the servo of
module k, and how far the chain crawls.
"""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np

from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers import e02_profiles as e2
from annelid.papers.gait_steps import gait_steps
from annelid.papers.interval import Interval
from annelid.systems.erekobot.network import HOST_NAME
from annelid.trial.replay import Run

TOPOLOGIES: Final = ("line", "bus", "ring")
REPEATS: Final = 3


def delay_case(topology: str) -> Case:
    return Case("e07-delay", {"control.options.topology": topology})


def delays_ms(run: Run) -> list[float]:
    """From the first bit of a command to the servo of module 1, 2 …: mean of all commands; NaN for
    a module that did not get them all."""
    count = run.metrics.modules
    wire = [event.detail for event in run.events("wire")]
    sent = [detail["start_ns"] for detail in wire if detail["from"] == HOST_NAME]
    delays = []
    for k, steps in enumerate(gait_steps(run)):
        mine, told = [step.time_ns for step in steps], sent[k::count]
        whole = len(mine) == len(told)
        delays.append(float(np.mean(np.subtract(mine, told))) / 1e6 if whole else float("nan"))
    return delays


def experiment(bench: Bench) -> Outcome:
    repeats = 1 if bench.quick else REPEATS
    crawls = {key: e2.case(key[1], key[0]) for key in product(TOPOLOGIES, e2.PROFILES)}
    found = bench.trials(crawls, e2.judge, repeats=repeats)
    way = {
        name: [100 * float(crawl.way[-1]) for p in e2.PROFILES for crawl in found[name, p]]
        for name in TOPOLOGIES
    }
    delays = bench.trials({name: delay_case(name) for name in TOPOLOGIES}, delays_ms)
    delay = {name: each for name, (each,) in delays.items()}
    places = np.arange(1, len(delay["line"]) + 1)
    slope = {name: float(np.polyfit(places, each, 1)[0]) + 0.0 for name, each in delay.items()}
    last = {name: each[-1] for name, each in delay.items()}
    least = min(min(each) for each in way.values())
    return Outcome(
        ours=(
            "line/bus/ring: "
            + "/".join(Interval.mean(way[name]).told(0) for name in TOPOLOGIES)
            + f" cm in {e2.SECONDS:.0f} s; to module {len(places)} "
            + "/".join(f"{last[name]:.1f}" for name in TOPOLOGIES)
            + " ms"
        ),
        passed=bool(np.isfinite(list(delay.values())).all())
        and least >= 100 * e2.LENGTH_M
        and last["bus"] < last["line"] / 2,
        note=(
            f"Asked for: a body length of {100 * e2.LENGTH_M:.0f} cm in every run with every "
            f"profile ({repeats} robots each; least {least:.0f}), every command obeyed, and the "
            "bus the quickest, as 004 §4 expects.  Delay: from a command's first bit on the wire "
            "to the servo; "
            + "/".join(f"{abs(slope[name]):.2f}" for name in TOPOLOGIES)
            + " ms more for each place.  The ring is the line with a way back to the host"
        ),
        values={
            **{f"way_{name}_cm": float(np.mean(way[name])) for name in TOPOLOGIES},
            "way_least_cm": least,
            **{f"delay_last_{name}_ms": last[name] for name in TOPOLOGIES},
            **{f"slope_{name}_ms": slope[name] for name in TOPOLOGIES},
        },
        plots=(
            Figure(
                "From the host to a module's servo",
                "place of the module",
                "delay, ms",
                tuple(
                    Series.of(name, places, each, style="dashed" if name == "ring" else "line")
                    for name, each in delay.items()
                ),
            ),
        ),
    )
