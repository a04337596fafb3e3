"""B1: the configuration check finds order and type of every module (000 §5.2, Fig 14).

Chains of 1 to 20 modules drawn at random (``b01-configuration``), with boards that start at
different moments, hear GPS at different moments, have drifting clocks and addresses that tell
nothing.  Each is checked at power-up and again after a module has restarted.  Then the same with
something broken at a random moment about the check: an error is fine there, a wrong order is not.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from annelid.kernel import RandomStreams
from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import numbers
from annelid.papers.interval import Rate
from annelid.papers.said import addresses
from annelid.systems.microtub.protocol import MODULES
from annelid.trial.load import resolve
from annelid.trial.replay import Run

SCENARIO: Final = "b01-configuration"
LETTERS: Final = "TRHSEVPNBG"
"""MICROTUB's modules (FACTS §3)."""
LENGTHS: Final = range(1, 21)
BREAKS: Final = ("death", "hang", "cut", "forward wire", "backward wire")
EACH, BROKEN = 10, 40
"""Chains of every length, and with each kind of break."""


def case(length: int | None = None, *, broken: str = "") -> Case:
    """``length`` None: any from 2 on."""

    def drawn(seed: int) -> dict[str, Any]:
        draw = RandomStreams(seed)[f"papers/b01/{length}/{broken or None}"]
        count = int(draw.integers(2, 21)) if length is None else length
        letters = "".join(draw.choice(list(LETTERS), count))
        names = named(letters)
        if broken:
            k, at_s = int(draw.integers(count - 1)), round(float(draw.uniform(0.29, 0.42)), 4)
            fault = {**breaks(broken, names[k], names[k + 1]), "at_s": at_s}
        else:
            board = names[int(draw.integers(count))]
            fault = {"fault": "dead_board", "board": board, "at_s": 2.0, "until_s": 2.05}
        return {
            "robot.chain": letters,
            "control.options.addresses": draw.permutation(np.array(MODULES))[:count].tolist(),
            "control.options.pass_ms": [0.0, float(draw.uniform(0, 3))],
            "control.options.drift_ppm": float(draw.choice([50.0, 30_000.0])),
            "control.options.sync": str(draw.choice(["rtc", "line"])),
            "faults": [fault],
        }

    return Case(SCENARIO, varied=drawn)


def named(letters: str) -> list[str]:
    """As the modules of a chain are called."""
    counts: Counter[str] = Counter()
    names = []
    for letter in letters:
        counts[letter] += 1
        names.append(f"{letter}{counts[letter]}")
    return names


def breaks(what: str, front: str, rear: str) -> dict[str, Any]:
    """The board in front, or the line behind it."""
    line = {"fault": "cut_link", "link": f"sync/{front}-{rear}"}
    found: dict[str, dict[str, Any]] = {
        "death": {"fault": "dead_board", "board": front},
        "hang": {"fault": "hung_program", "board": front},
        "cut": line,
        "forward wire": {**line, "between": [f"{front}.sout", f"{rear}.sin"]},
        "backward wire": {**line, "between": [f"{rear}.sin", f"{front}.sout"]},
    }
    return found[what]


@dataclass(frozen=True)
class Checks:
    ended: int
    """Checks that came to a result."""
    errors: int
    wrong: int
    """Results without an error that are not so."""

    @property
    def right(self) -> bool:
        """At power-up and again."""
        return self.ended >= 2 and not self.errors and not self.wrong


def judge(run: Run) -> Checks:
    robot, fault = resolve(run.scenario)[0], run.scenario.faults[0]
    whole = [
        (address, module.type.wire_id, module.type.capabilities.digits)
        for address, module in zip(addresses(run), robot.modules, strict=True)
    ]
    fine = [whole]
    if fault.who == robot.modules[0].name and fault.until_s is None:
        fine.append(whole[1:])  # of a first module that is gone nobody is left who knew of it
    results = [event.detail for event in run.events("configuration")]
    told = [
        list(zip(found["order"], found["ids"], found["mdl"], strict=True))
        for found in results
        if found["error"] is None
    ]
    wrong = sum(order not in fine for order in told)
    return Checks(len(results), len(results) - len(told), wrong)


def experiment(bench: Bench) -> Outcome:
    each, broken = (1, 1) if bench.quick else (EACH, BROKEN)
    lengths = LENGTHS[::6] if bench.quick else LENGTHS
    whole = bench.trials({n: case(n) for n in lengths}, judge, repeats=each)
    hurt = bench.trials({what: case(broken=what) for what in BREAKS}, judge, repeats=broken)
    sound = [seen for runs in whole.values() for seen in runs]
    damaged = [seen for runs in hurt.values() for seen in runs]
    right = Rate.count(seen.right for seen in sound)
    stated = Rate.count(seen.errors > 0 for seen in damaged)
    wrong = sum(seen.wrong for seen in sound + damaged)
    hung = sum(not seen.ended for seen in sound + damaged)
    return Outcome(
        ours=(
            f"{right} chains of 1 to 20 right, at power-up and after a restart; broken on purpose: "
            f"{stated} told as errors, {wrong} wrong orders, {hung} without an end"
        ),
        passed=right.value == 1.0 and wrong == 0 and hung == 0,
        note=(
            "Mixes of all ten module types, shuffled addresses, boot within 200 ms, a pass of a "
            "program up to 3 ms (so modules hear GPS up to 3 ms apart), quartz or 3 % oscillators. "
            "Broken: a board dead or hung, a joint cut, one wire of it cut, at a random moment "
            "about the check.  Not one may be wrong or without an end after 5 s.  Settling time "
            "20 ms and 100 ms a module are ours."
        ),
        values=numbers(
            {
                "chains_right": right,
                "told_as_errors": stated,
                "wrong_orders": wrong,
                "without_end": hung,
            }
        ),
    )
