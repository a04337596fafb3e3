"""B23: the snake-like robot of the real experiment, in straights and elbows (000 Fig 25).

T and six R, no other drive, told EXP.  A vertical wave carries it; sideways its joints give way to
the wall, and that is how it gets round.  The control makes the same wave with its yaw servos jammed
straight: it must not get round the same elbows.
"""

from __future__ import annotations

from typing import Final

from annelid.papers import Bench, Outcome
from annelid.papers.b22_worm import (
    ENOUGH,
    REPEATS,
    STAYS_S,
    STRAIGHT_S,
    bars,
    elbow,
    held_straight,
    judge,
    straight,
)
from annelid.papers.curves import numbers
from annelid.papers.interval import Interval, Rate

SCENARIO: Final = "b23-snake"
WAY_M: Final = 0.25
"""To be covered in a straight in ``STRAIGHT_S``: half of what the same wave made as a gait when the
row was written, for the paper prints no speed."""
JOINTS: Final = tuple(f"R{k}.yaw" for k in range(1, 7))
"""That give way; the wave is made by the others."""


def experiment(bench: Bench) -> Outcome:
    cases = {"straight": straight(0, SCENARIO, way_m=WAY_M), "elbow": elbow(SCENARIO)}
    found = bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS)
    control = held_straight(bench, elbow(SCENARIO, jammed=JOINTS))
    rates = {name: Rate.count(went.there for went in runs) for name, runs in found.items()}
    speed = Interval.mean([went.speed_cm_s for went in found["straight"]])
    return Outcome(
        ours=(
            f"straights {rates['straight']} at {speed.told()} cm/s, elbows {rates['elbow']}, "
            f"with joints that cannot give way {control}"
        ),
        passed=bars(rates, control),
        note=(
            "T R R R R R R, told EXP, on boards, robot and bore drawn.  Straights: the nose "
            f"{1000 * WAY_M:.0f} mm on after {STRAIGHT_S:.0f} s: half of what the same wave made "
            "as a gait, for the paper prints no speed.  Elbows: 45 to 120 mm, 45 to 90°, to either "
            f"side, within 10° of level, the tail out of it in 60 s and still out {STAYS_S:g} s "
            "later.  Control: the same elbows, all yaw servos jammed straight.  Judged: a lower "
            f"95 % bound of {ENOUGH:.0%} each, the control's interval below that of the elbows.  "
            "Uphill a wave finds no hold: it slides back at 15°."
        ),
        values=numbers({**rates, "elbow jammed": control, "straight cm/s": speed}),
    )
