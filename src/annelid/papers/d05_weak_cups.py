"""D5: with cups of 13 N the limit is about 60° (003 §5).

Found by the force model: the steepest plane on which every leg can be lifted, in any direction, and
no cup is torn off or slides.  It is tried in the engine, too: below the limit the robot walks, well
above it the planner refuses to lift a leg, and says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.climb_run import Climb, climb, hexapod, place
from annelid.systems.climber.model import Climber, read_robot

SUCTION_N: Final = 13.0
PAPER_DEG, NEAR_DEG = 60.0, 5.0
HEADINGS: Final = range(0, 360, 15)
WALK: Final = Climb((place(x_mm=60),), leg=place(suction_n=SUCTION_N), seconds=60.0)
WALKS_DEG, REFUSES_DEG = 40.0, 75.0


@dataclass(frozen=True)
class Stepping:
    """Whether the robot holds while it steps."""

    climber: Climber

    def use(self, slope_deg: float, heading_deg: float) -> float:
        """The largest share of a cup's limit that is used while any one leg is lifted."""
        slope, heading = np.radians(slope_deg), np.radians(heading_deg)
        gravity = 9.81 * np.array(
            [-np.sin(slope) * np.cos(heading), np.sin(slope) * np.sin(heading), -np.cos(slope)]
        )
        q = self.climber.legs.inverse(self.climber.stance)
        lifted = self.climber.forces.without(np.ones(self.climber.count))
        loads = self.climber.forces.loads(q, gravity, lifted)
        return float(np.maximum(loads.shear_use, loads.pull_use).max())

    def limit_deg(self, heading_deg: float) -> float:
        """The inclination at which the first cup fails, to a tenth of a degree."""
        low, high = 0.0, 180.0
        while high - low > 0.1:
            middle = (low + high) / 2
            low, high = (middle, high) if self.use(middle, heading_deg) <= 1 else (low, middle)
        return low


def experiment(bench: Bench) -> Outcome:
    stepping = Stepping(read_robot(hexapod(leg=dict(WALK.leg))))
    limits = {heading: stepping.limit_deg(heading) for heading in HEADINGS}
    limit = min(limits.values())
    runs = [replace(WALK, slope_deg=slope, seed=bench.seed) for slope in (WALKS_DEG, REFUSES_DEG)]
    walked, refused = bench.map(climb, runs, what="D5")
    held = walked.arrived and not walked.fallen
    stopped = bool(refused.critical) and not refused.fallen
    return Outcome(
        ours=f"{limit:.1f}° by the force model; walks at 40°, refuses to step at 75°"
        if held and stopped
        else f"{limit:.1f}° by the force model; 40°: {walked.critical or walked.arrived}, "
        f"75°: {refused.critical or 'went on'}",
        passed=abs(limit - PAPER_DEG) <= NEAR_DEG and held and stopped,
        note=(
            f"Worst direction, any leg lifted; best direction {max(limits.values()):.1f}°. "
            "13 N is the proposed value (FACTS §4) for cups the paper gives no number of"
        ),
        values={
            "limit_deg": limit,
            "limit_best_direction_deg": max(limits.values()),
            "walked_at_40": float(held),
            "refused_at_75": float(stopped),
        },
        plots=(
            Figure(
                "Steepest plane on which a leg may be lifted",
                "direction on the plane (°)",
                "inclination (°)",
                (Series("13 N", tuple(map(float, limits)), tuple(limits.values())),),
            ),
        ),
    )
