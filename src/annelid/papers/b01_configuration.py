"""B1: the configuration check finds order and type of every module (000 §5.2, Fig 14).

Chains of 1 to 20 modules drawn at random, on simulated wires, with boards that start at different
moments, hear GPS at different moments, have drifting clocks and addresses that tell nothing.  Each
is checked at power-up and again after a module has restarted.  Then the same with something broken
at a random moment about the check: an error is fine there, a wrong order is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from annelid.kernel import milliseconds, seconds
from annelid.papers.bench import Bench
from annelid.papers.bus_chain import LETTERS, BusChain, module_type
from annelid.papers.claim import Figure, Outcome, Series

LENGTHS: Final = range(1, 21)
EACH: Final = 10
"""Chains of every length."""
BREAKS: Final = ("death", "hang", "cut", "forward wire", "backward wire")
BROKEN: Final = 200
LIMIT_S: Final = 12.0
"""Every check must have ended by then, whatever happens."""


@dataclass(frozen=True)
class Draw:
    length: int
    seed: int
    broken: str | None = None


@dataclass(frozen=True)
class Seen:
    ended: bool
    right: bool
    wrong: bool
    error: bool
    check_ms: float
    """From GPS to the last module's turn."""


def options(chance: np.random.Generator) -> dict[str, Any]:
    return {
        "pass_ms": (0.0, float(chance.uniform(0, 3))),
        "boot_ms": (0.0, 200.0),
        "drift_ppm": float(chance.choice([50.0, 30_000.0])),
        "sync": str(chance.choice(["rtc", "line"])),
        "attempts": 2,
    }


def look(draw: Draw) -> Seen:
    chance = np.random.default_rng([draw.seed, draw.length])
    letters = "".join(chance.choice(list(LETTERS), draw.length))
    chain = BusChain(letters, options(chance), seed=draw.seed)
    missing: frozenset[int] = frozenset()
    if draw.broken is not None:
        missing = _break(chain, draw.broken, chance)
        ended = chain.run_until_found(1, LIMIT_S)
    else:
        ended = chain.run_until_found(1, LIMIT_S)
        chain.run(chain.kernel.now / 1e9 + 0.1)
        chain.network.modules[int(chance.integers(draw.length))].reset()
        ended &= chain.run_until_found(2, LIMIT_S)
    wanted = list(zip(chain.network.addresses, letters, strict=True))
    fine = [_same(found.members, wanted, missing) for found in chain.found if found.error is None]
    return Seen(
        ended=ended,
        right=ended and len(fine) == len(chain.found) and all(fine),
        wrong=not all(fine),
        error=any(found.error is not None for found in chain.found),
        check_ms=_first_check_ms(chain),
    )


def _break(chain: BusChain, what: str, chance: np.random.Generator) -> frozenset[int]:
    """Something breaks between just before the first check and its end; brings the addresses that
    may rightly be missing: of a first module that is gone nobody is left who knew of it."""
    k = int(chance.integers(len(chain.network.sync)))
    line, node = chain.network.sync[k], chain.network.modules[k]
    front, rear = line.port_names
    happens = {
        "death": node.kill,
        "hang": node.hang,
        "cut": lambda: line.disturb(cut=True),
        "forward wire": lambda: line.disturb(cut=((front, rear),)),
        "backward wire": lambda: line.disturb(cut=((rear, front),)),
    }[what]
    chain.kernel.call_at(milliseconds(float(chance.uniform(290, 420))), happens)
    gone = what in ("death", "hang") and k == 0
    return frozenset(chain.network.addresses[:1] if gone else ())


def _same(members: Any, wanted: list[tuple[int, str]], missing: frozenset[int]) -> bool:
    told = [(member.address, member.id, member.mdl) for member in members]
    whole = [
        (address, module_type(letter).wire_id, module_type(letter).capabilities.digits)
        for address, letter in wanted
    ]
    return told in (whole, [each for each in whole if each[0] not in missing])


def _first_check_ms(chain: BusChain) -> float:
    """By the frames on the bus: GPS is 09H, PCL 14H."""
    frames = [
        (detail["start_ns"], detail["end_ns"], bytes.fromhex(detail["bytes"]))
        for _, link, kind, detail in chain.events
        if (link, kind) == ("bus", "wire")
    ]
    starts = [start for start, _, data in frames if data[2:3] == b"\x09"]
    lasts = [end for _, end, data in frames if data[2:3] == b"\x14"]
    return (lasts[0] - starts[0]) / 1e6 if starts and lasts else float("nan")


def experiment(bench: Bench) -> Outcome:
    each, broken = (2, 20) if bench.quick else (EACH, BROKEN)
    whole = [Draw(n, bench.seed + i) for n in LENGTHS for i in range(each)]
    hurt = [Draw(2 + i % 19, bench.seed + i, BREAKS[i % len(BREAKS)]) for i in range(broken)]
    seen = bench.map(look, whole + hurt, what="checking")
    sound, damaged = seen[: len(whole)], seen[len(whole) :]
    right = sum(each.right for each in sound)
    wrong = sum(each.wrong for each in seen)
    hung = sum(not each.ended for each in seen)
    stated = sum(each.error for each in damaged)
    times = {
        n: float(np.mean([s.check_ms for d, s in zip(whole, sound, strict=True) if d.length == n]))
        for n in LENGTHS
    }
    return Outcome(
        ours=(
            f"{right} of {len(sound)} chains of 1 to 20 right, at power-up and when asked again; "
            f"broken on purpose: {stated} of {len(damaged)} told as errors, {wrong} wrong orders, "
            f"{hung} without an end; 20 modules in {times[20]:.0f} ms"
        ),
        passed=right == len(sound) and wrong == 0 and hung == 0,
        note=(
            "Mixes of all ten module types, shuffled addresses, boot within 200 ms, a pass of a "
            "program up to 3 ms (so modules hear GPS up to 3 ms apart), quartz or 3 % oscillators. "
            "Broken: a board dead or hung, a joint cut, one wire of it cut, at a random moment "
            "about the check; those not told as errors are first modules that were gone before "
            "they spoke, of which nobody is left who knew. Settling time 20 ms and 100 ms a module "
            "are ours."
        ),
        values={
            "chains": len(sound),
            "right": right,
            "broken": len(damaged),
            "told_as_errors": stated,
            "wrong_orders": wrong,
            "without_end": hung,
            "check_20_modules_ms": times[20],
            "limit_s": seconds(LIMIT_S) / 1e9,
        },
        plots=(
            Figure(
                "From GPS to the last module's turn",
                "modules",
                "time, ms",
                (Series.of("mean", list(times), list(times.values()), style="points"),),
            ),
        ),
    )
