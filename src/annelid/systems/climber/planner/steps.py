"""One step of a leg, from where it stands to where it shall stand next.

detach (1.5 s) → lift → swing → lower → attach (0.5 s).  The impeller runs while the foot goes
down, so that the first trace of a vacuum says that it has landed, or the cup's distance sensor
does; where it then is, is measured, and becomes its anchor (LAB).
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from annelid.systems.climber.executive.forces import UP
from annelid.systems.climber.executive.links import LegCommand

if TYPE_CHECKING:
    from annelid.systems.climber.model import Climber
    from annelid.systems.climber.planner.situation import ClimberSituation

Floats = NDArray[np.float64]

LET_GO: Final = 0.02
"""Share of a vacuum below which a foot may be lifted."""
ZERO: Final = 0.25
"""Share of a vacuum that the sensor of an open cup may tell, three sigma of the default tolerance
at the weakest cup (13 N): a reading that stays below it when the air has had its time is the
sensor's zero, which is then measured in the air.  A cup that really holds tells more."""
TOUCHED: Final = 0.03
"""Share of a vacuum, above what the sensor tells of the open cup, that only a closed seal gives:
four steps of the sensor on the wire."""
SEALED: Final = 0.2
"""Share of a vacuum from which a foot does not slide any more."""
HELD: Final = 0.8
SPEED: Final = 0.12
"""Of a foot in the air, m/s."""
TOUCH_SPEED: Final = 0.015
"""Of a foot about to land."""
NEAR: Final = 0.010
"""Height from which it goes slowly, m: it lags 6 mm behind, and a blow of 0.1 m/s makes the other
cups slide on a wall."""
DEEPEST: Final = 0.01
"""How far below the expected surface it is sought, m."""
BENT: Final = 0.03
"""The same on a surface that bends, whose shape is guessed from a few feet, m."""
CLOSE: Final = 0.0015
"""Distance of a cup that touches, as its sensor has it, m."""
PRESS: Final = 0.003
"""How far a foot that touches is pushed on until its cup seals, m."""
DETACH_S: Final = 1.5
PATIENCE_S: Final = 2.0
"""For a vacuum to build, or to go, beyond what it takes."""
FOLD_S: Final = 1.5
"""From the ground to the tucked pose."""
STEP_S: Final = 3.6
"""What a step of usual length takes: for looking ahead."""


class StepPhase(StrEnum):
    DETACH = "detach"
    LIFT = "lift"
    SWING = "swing"
    LOWER = "lower"
    ATTACH = "attach"
    TUCK = "tuck"
    DONE = "done"
    FAILED = "failed"


class LegStep:
    """Advanced once a tick; ``tuck`` instead of a place: fold the leg, cup up (003 Fig 8)."""

    def __init__(
        self, leg: int, place: Floats, *, lift: float, start: Floats, tuck: Floats | None = None
    ) -> None:
        self.leg = leg
        self.place = place
        """Where it shall stand, in the world."""
        self.lift = lift
        self.tuck = tuck
        self.phase = StepPhase.DETACH
        self._start = start.copy()
        self.foot = start.copy()
        """Where the foot shall be now, in the world."""
        self.reason = ""
        """Why it failed."""
        self.tried = False
        """Whether it has failed because of the place: no surface, or no hold."""
        self._open: list[float] = []
        """What the sensor tells of the open cup in the air, in shares of a vacuum."""
        self._since = 0.0
        self._began = False
        self._from: Floats | None = None
        self._landed = 0.0
        """Wished height at which it touched."""
        self._sure, self._press = TOUCHED, PRESS
        """Vacuum that says that its seal is closed, and how far it is pushed on until then, m.  A
        foot that has let go and not been lifted may have come off, and what its open cup's sensor
        tells is not known."""
        self._seen: list[Floats] = []
        """Where it stood at every look since its cup was sealed, in the world: the mean of some
        looks is finer than the steps of the joints' encoders."""

    @property
    def over(self) -> bool:
        return self.phase in (StepPhase.DONE, StepPhase.FAILED)

    @property
    def open(self) -> bool:
        """Whether it can still be sent elsewhere or put down early."""
        return self.phase in (StepPhase.DETACH, StepPhase.LIFT, StepPhase.SWING)

    @property
    def grips(self) -> bool:
        """Whether its impeller runs.  A foot that does not hold as well as it should may hold all
        the same, so it goes on until another step begins: nobody else may be there to hold."""
        down = (StepPhase.LOWER, StepPhase.ATTACH, StepPhase.DONE, StepPhase.FAILED)
        return self.tuck is None and self.phase in down

    def advance(self, now: ClimberSituation, dt: float) -> LegCommand:
        """What the leg shall do until the next tick."""
        if not self._began:
            self._began, self._since = True, now.time_s
        vacuum = float(now.vacuum[self.leg])
        spent = now.time_s - self._since
        match self.phase:
            case StepPhase.DETACH:
                still = spent > DETACH_S + PATIENCE_S / 4  # all air is in that will come in
                if vacuum <= LET_GO or (still and vacuum <= ZERO):
                    self._enter(StepPhase.LIFT, now)
                elif spent > PATIENCE_S + DETACH_S:
                    self._fail("its cup does not let go", now)
            case StepPhase.LIFT:
                over = self.foot.copy()
                over[2] = max(self.place[2], self._start[2]) + self.lift
                if self._towards(over, SPEED * dt):
                    self._enter(StepPhase.TUCK if self.tuck is not None else StepPhase.SWING, now)
            case StepPhase.SWING:
                self._open.append(vacuum)
                if self._towards(self.place + self.lift * UP, SPEED * dt):
                    self._zero(now)
                    self._enter(StepPhase.LOWER, now)
            case StepPhase.LOWER:
                self._lower(now, dt, vacuum if now.time_s > self._since else 0.0)
            case StepPhase.ATTACH:
                if vacuum >= SEALED:
                    self._seen.append(now.pose.out(now.feet[self.leg]))
                if vacuum >= HELD:
                    # It stands where it is, not where it was sent.
                    self.foot = np.mean(self._seen, axis=0)
                    self._enter(StepPhase.DONE, now)
                elif vacuum < self._sure and self.foot[2] > self._landed - self._press:
                    self.foot[2] -= TOUCH_SPEED * dt
                elif spent > PATIENCE_S:
                    self.tried = True
                    self._fail(f"its cup does not hold ({vacuum:.0%} of its vacuum)", now)
            case StepPhase.TUCK:
                return self._fold(now, dt)
            case _:
                pass
        return LegCommand(foot=self.foot.copy(), grip=self.grips)

    def redirect(self, place: Floats) -> None:
        """To another place, unless it is going down already."""
        if self.open:
            self.place = place

    def put_down(self, now: ClimberSituation) -> None:
        """Wherever it is: the place below it will do, and where it stands yet it stays."""
        if self.phase is StepPhase.DETACH:
            self._landed = float(self.foot[2])
            self._sure, self._press = SEALED, DEEPEST
            self._enter(StepPhase.ATTACH, now)
        elif self.phase in (StepPhase.LIFT, StepPhase.SWING):
            self._zero(now)
            self.place = np.array([self.foot[0], self.foot[1], self.place[2]])
            self._enter(StepPhase.LOWER, now)

    def _zero(self, now: ClimberSituation) -> None:
        """Take what the sensor tells in the air for its zero."""
        seen = self._open or [float(now.vacuum[self.leg])]
        now.open_vacuum[self.leg] += float(np.mean(seen))

    def _lower(self, now: ClimberSituation, dt: float, vacuum: float) -> None:
        high = self.foot[2] - self.place[2]
        far = high > NEAR and not (now.ground.curved and now.distance[self.leg] < 2 * NEAR)
        deepest = BENT if now.ground.curved else DEEPEST
        self.foot[2] -= (SPEED if far else TOUCH_SPEED) * dt
        if vacuum >= TOUCHED or now.distance[self.leg] < CLOSE:
            self._landed = float(self.foot[2])
            self._enter(StepPhase.ATTACH, now)
        elif high < -deepest:
            self.tried = True
            self._fail(
                f"found no surface {1000 * deepest:.0f} mm below the expected one "
                f"(distance {1000 * now.distance[self.leg]:.0f} mm)",
                now,
            )

    def _fold(self, now: ClimberSituation, dt: float) -> LegCommand:
        joints = now.q[self.leg]
        if self._from is None:
            self._from = joints.copy()
        target = self.tuck if self.tuck is not None else joints
        share = min((now.time_s - self._since) / FOLD_S, 1.0)
        if share >= 1.0:
            self._enter(StepPhase.DONE, now)
        return LegCommand(joints=self._from + (target - self._from) * share, grip=False)

    def _towards(self, there: Floats, way: float) -> bool:
        """Move the wished foot on; True when it is there."""
        left = there - self.foot
        distance = float(np.linalg.norm(left))
        self.foot += left * min(1.0, way / max(distance, 1e-9))
        return distance <= way

    def _enter(self, phase: StepPhase, now: ClimberSituation) -> None:
        self.phase, self._since = phase, now.time_s

    def _fail(self, reason: str, now: ClimberSituation) -> None:
        self.reason = reason
        self._enter(StepPhase.FAILED, now)


def tucked_pose(climber: Climber) -> Floats:
    """Joints of a leg that is out of the way, its cup up: femur and tibia near their upper
    limits, (n, joints)."""
    pose = np.zeros_like(climber.legs.high)
    pose[:, 1:3] = climber.legs.high[:, 1:3] - 0.09
    return pose
