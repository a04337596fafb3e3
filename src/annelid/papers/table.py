"""Every claim, in order: what is said, where, and which file measures it.

An experiment is a function ``experiment(bench) -> Outcome`` in a file of its own, imported when it
runs; the table itself costs nothing to read.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final

from annelid.papers.bench import Bench
from annelid.papers.claim import Claim, Outcome


def _in(file: str) -> Callable[[Bench], Outcome]:
    def experiment(bench: Bench) -> Outcome:
        outcome: Outcome = import_module(f"annelid.papers.{file}").experiment(bench)
        return outcome

    return experiment


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        "A1",
        "The servo model follows its equations: angle and current of a step from 30° to 120°",
        "curves only: 000 Fig 18, 001 Fig 4, Table 1",
        _in("a01_servo_step"),
    ),
    Claim(
        "A3",
        "Helicoidal speed falls with the pipe's slope (0/30/60/90°)",
        "real 3/2.1/1.5/1.2, simulated 3/2.3/1.6/1.3 cm/s (000 §8.1)",
        _in("a03_helicoidal"),
    ),
    Claim(
        "A4",
        "Inchworm S E S speed in a 40 mm pipe falls with the slope (0/30/90°)",
        "real 2.5/1.5/0.6, simulated 1.5/1.3/0.3 cm/s (000 §8.1)",
        _in("a04_inchworm"),
    ),
    Claim(
        "A5",
        "Traveller odometry is exact behind a helicoidal drive and drifts linearly otherwise",
        "curves only: 001 Fig 6",
        _in("a05_odometry"),
    ),
    Claim(
        "A7",
        "In inchworm units extensions add speed and supports add grip; one unit does not work",
        "stated: 001 §6.5, 000 Fig 20 (g)",
        _in("a07_inchworm_units"),
    ),
    Claim(
        "A9",
        "Snake, worm and helicoidal movement at the same time in one chain",
        "stated: 000 Fig 19, 001 §6.7",
        _in("a09_mixed"),
    ),
    Claim(
        "A10",
        "Rotation chains go forward, backward, turn, roll, rotate in place and shift sideways",
        "stated: 001 §3.3.1",
        _in("a10_gaits"),
    ),
    Claim(
        "A11",
        "The simulator takes pipes, open air, undulating terrain and any mesh",
        "stated: 001 §3.4",
        _in("a11_environments"),
    ),
    Claim(
        "A12",
        "Pitch and roll follow from the accelerometer",
        "formulas only: 001 eqs 6-7",
        _in("a12_orientation"),
    ),
    Claim(
        "A13",
        "Physics at 0.5 ms with all modules is fluid on a PC",
        'stated, "fluid": 001 §4.1.1',
        _in("a13_real_time"),
    ),
)
