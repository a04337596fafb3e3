"""E7: line, bus and ring (004 §2.2.2, Fig 5; the bus as its "desirable update", §4).

The same modules and the same host on each: how long a command takes from the host to the servo of
module k, and how far the chain crawls.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.serial_chain import CRAWL, LENGTH_M, MODULES, SerialChain, saying
from annelid.systems.erekobot.network import HOST_NAME
from annelid.systems.erekobot.packets import Standard
from annelid.systems.erekobot.serial import PORT

TOPOLOGIES = ("line", "bus", "ring")
PROFILES = (1, 2, 3, 4)
CHAIN = 10
"""Modules whose delays are measured: as many as 004 allows."""
COMMANDS, APART_S = 20, 0.25
SECONDS = 20.0
SEEDS = 3


@dataclass(frozen=True)
class Crawl:
    topology: str
    profile: int
    seed: int


def crawl_m(crawl: Crawl) -> float:
    spec = {**CRAWL, "profile": crawl.profile, "topology": crawl.topology}
    chain = SerialChain(MODULES, spec, seed=crawl.seed, physics={})
    first = chain.centre()
    chain.run(SECONDS)
    return float(chain.centre()[0] - first[0])


@dataclass(frozen=True)
class Line:
    topology: str
    seed: int
    commands: int = COMMANDS
    """For each module."""


def delays_ms(line: Line) -> list[float]:
    """From the first bit of a command to the servo of module 1, 2 …: mean of all commands.

    NaN for a module that did not get them all.
    """
    chance = np.random.default_rng(line.seed)
    turns = chance.integers(100, 270, (line.commands, CHAIN))
    times = APART_S * (1 + np.arange(line.commands * CHAIN))
    orders = [Standard(1 + n % CHAIN, int(pwm)) for n, pwm in enumerate(turns.ravel())]
    told = list(zip(times.tolist(), orders, strict=True))
    spec = {"profile": 1, "topology": line.topology}
    chain = SerialChain(CHAIN, spec, seed=line.seed, host=saying(told))
    chain.run(float(times[-1]) + 1.0)
    chain.circuit.close()
    wire = [detail for _, detail in chain.of(PORT, "wire") if detail["from"] == HOST_NAME]
    sent = [detail["start_ns"] for detail in wire]
    delays = []
    for index, name in enumerate(chain.modules):
        served = [t for t, _ in chain.of(name, "servo")]
        mine = sent[index::CHAIN]
        whole = len(served) == len(mine) == line.commands
        delays.append(float(np.mean(np.subtract(served, mine)) / 1e6) if whole else float("nan"))
    return delays


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else SEEDS))
    crawls = [Crawl(*each) for each in product(TOPOLOGIES, PROFILES, seeds)]
    ways = np.reshape(bench.map(crawl_m, crawls, what="crawling"), (len(TOPOLOGIES), -1))
    lines = [Line(topology, bench.seed) for topology in TOPOLOGIES]
    delay = dict(zip(TOPOLOGIES, bench.map(delays_ms, lines, what="delays"), strict=True))
    way = dict(zip(TOPOLOGIES, ways.mean(axis=1).tolist(), strict=True))
    places = np.arange(1, CHAIN + 1)
    slope = {name: float(np.polyfit(places, each, 1)[0]) for name, each in delay.items()}
    last = {name: each[-1] for name, each in delay.items()}
    return Outcome(
        ours=(
            f"line/bus/ring: {_listed(way, 100, 0)} cm in {SECONDS:.0f} s (least "
            f"{100 * ways.min():.0f}); to module {CHAIN} {_listed(last, 1, 1)} ms, "
            f"{_listed(slope, 1, 2)} ms more for each place"
        ),
        passed=(
            bool(ways.min() >= LENGTH_M and np.isfinite(list(delay.values())).all())
            and last["bus"] < last["line"] / 2
        ),
        note=(
            f"Asked for: on each the chain of {MODULES} crawls its {100 * LENGTH_M:.0f} cm with "
            f"every profile ({len(seeds)} seed(s)), and the bus is the quickest, as 004 §4 "
            f"expects. Delay: from the command's first bit on the wire to the servo, "
            f"{COMMANDS} commands for each of {CHAIN} modules. The ring is the line with a way "
            f"back to the host: same delays, and answers. 004 measured on the line closed to a "
            f"ring and wants the bus; full duplex and cut-through as in E3."
        ),
        values={
            **{f"way_{name}_m": value for name, value in way.items()},
            "way_least_m": float(ways.min()),
            **{f"delay_last_{name}_ms": value for name, value in last.items()},
            **{f"slope_{name}_ms": value for name, value in slope.items()},
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


def _listed(values: Mapping[str, float], scale: float, digits: int) -> str:
    rounded = (round(scale * values[name], digits) + 0.0 for name in TOPOLOGIES)
    return "/".join(f"{value:.{digits}f}" for value in rounded)
