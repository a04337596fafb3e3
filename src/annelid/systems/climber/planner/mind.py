"""One turn of the planner: read the legs, estimate the pose, let behaviours decide, send commands.

It begins by listening; feet that do not hold then feel for the surface (``landing.py``); then it
walks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.behaviour import BehaviourLayer, BehaviourStack, Log
from annelid.systems.climber.executive.calibration import Calibration
from annelid.systems.climber.executive.centre import follow
from annelid.systems.climber.executive.forces import UP
from annelid.systems.climber.executive.links import (
    BODY,
    LegCommand,
    LinksControl,
    channel,
    priorities,
)
from annelid.systems.climber.executive.pose import BodyPose, rotation_of
from annelid.systems.climber.footing import strain_of_steps
from annelid.systems.climber.model import Climber
from annelid.systems.climber.planner.blocking_recovery import BlockingRecovery
from annelid.systems.climber.planner.critical_handler import CriticalHandler
from annelid.systems.climber.planner.cyclic_movement import CyclicMovement
from annelid.systems.climber.planner.diagnosis import SILENT_S, Diagnosis
from annelid.systems.climber.planner.ground import Ground
from annelid.systems.climber.planner.landing import Landing, above
from annelid.systems.climber.planner.leg_allocation import LegAllocation
from annelid.systems.climber.planner.leg_safety import LegSafety
from annelid.systems.climber.planner.lifting import strain_of_standing
from annelid.systems.climber.planner.orders import Orders, WalkingStyle
from annelid.systems.climber.planner.planner_behaviour import PlannerBehaviour, PlannerContext
from annelid.systems.climber.planner.situation import ATTACHED, ClimberSituation
from annelid.systems.climber.planner.steps import StepPhase
from annelid.systems.climber.planner.trajectory import TrajectoryTracking
from annelid.systems.climber.wire import GRIP, KEEP, Report

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

LISTEN_S: Final = 0.3
"""After this, a leg that has not answered is not there, and down is known."""
LEAD_S: Final = 0.1
"""Time constant with which servos are told to bear another load."""
WATCH: Final = "watch"
ARRIVED: Final = "arrived"
"""Events: what the planner sees, now and then; its way is done."""
TELL_S: Final = 0.5
"""How often the planner writes into the trace what it sees."""
LEVEL_S: Final = 0.3
"""Time constant of the sense of gravity."""
LET_GO_S: Final = 0.5
"""In which a hand hands the weight over to the feet."""

PLANNER_LAYER: Final = BehaviourLayer.of(
    "planner",
    PlannerBehaviour,
    CriticalHandler,
    BlockingRecovery,
    LegSafety,
    LegAllocation,
    CyclicMovement,
    TrajectoryTracking,
)
"""The three levels of 003 §4."""


class PlannerMind:
    """All state of the planner's program."""

    def __init__(
        self, climber: Climber, orders: Orders, tick_s: float, log: Log, behaviours: BehaviourLayer
    ) -> None:
        self.climber = climber
        self.now: ClimberSituation | None = None
        self._orders = orders
        self._log = log
        self._tick = tick_s
        self._links = LinksControl(climber.forces)
        self._shared = PlannerContext(orders, tick_s, log)
        self.stack: BehaviourStack[ClimberSituation] = BehaviourStack(
            behaviours.made(self._shared), priorities(climber.count), record=log
        )
        self._diagnosis = Diagnosis(climber.count, log)
        self.calibration = Calibration(climber.legs, step=climber.encoder_step, zero=orders.zero)
        self._heard = np.full(climber.count, -np.inf)
        self._reported = np.full((climber.count, climber.legs.joints), np.nan)
        self._vacuum = np.zeros(climber.count)
        self._open = np.zeros(climber.count)
        """Of the open cup, as a share of a vacuum: the sensors' zeros."""
        self._distance = np.zeros(climber.count)
        self._gravity: Floats = np.zeros(3)
        self._felt = 0
        """Looks at the accelerometer so far."""
        self._origin: BodyPose | None = None
        self._later = sorted(orders.later, key=lambda order: order[0])
        self._meant = self._reported.copy()
        """Where joints should be by now, without the servos' lead."""
        self._lead = np.zeros_like(self._meant)
        """Of the servos over that, rad; it grows in smoothly, or feet would jerk at the start."""
        self._landing: Landing | None = None
        self.held = 1.0
        """Share of the weight that a hand has to bear, if there is one: until the feet do."""
        self._gait = orders.gait
        """Asked for; taken up when no leg is on its way."""
        self._weighed = False
        self._tell_at = 0.0
        self._last: dict[int, LegCommand] = {}
        """Of legs that do not stand."""
        self.loads = np.zeros((climber.count, 3))
        """Last ones that were reckoned with, N: (normal, shear, use of the nearest limit)."""

    def hear(self, reports: Iterable[Report], time_s: float) -> None:
        for report in reports:
            k = report.leg
            self._heard[k] = time_s
            self._reported[k] = report.angles + self.calibration.zeros[k]
            told = report.pressure / self.climber.full_pressure - self._open[k]
            self._vacuum[k] = min(max(told, 0.0), 1.0)
            self._distance[k] = report.distance

    def feel(self, x: float, y: float, z: float) -> None:
        """The accelerometer at the trunk (001's frame): at rest it shows what holds us up."""
        self._felt += 1
        if self._felt > 1:  # the first is from before the physics moved
            mean = max(self._tick / LEVEL_S, 1.0 / (self._felt - 1))
            self._gravity = self._gravity + (np.array([-y, x, -z]) - self._gravity) * mean

    def obey(self, said: Sequence[BodyPose] | WalkingStyle) -> None:
        """What the operator says: places to go to, another gait, or the end of a stop."""
        if isinstance(said, WalkingStyle):
            self._gait = said
            self._log("gait", {"gait": said.value})
        elif said:
            self.go(said)
        else:
            self.release()

    def go(self, way: Sequence[BodyPose]) -> None:
        """More places, relative to where the body began."""
        if self._origin is not None:
            self._shared.way.extend(self._origin @ step for step in way)
            self._log("go", {"places": len(way)})

    def release(self) -> None:
        """The operator ends a critical stop; what is still dangerous will stop it again."""
        if self.now is not None and self.now.critical:
            self._log("released", {"was": self.now.critical})
            self.now.critical = ""
            self.now.blocked = ""

    def think(self, time_s: float, now_ns: int) -> tuple[Floats, list[int]]:
        """(joint targets, flags) for all legs."""
        now = self.now or self._begin(time_s)
        if now is None:
            if self._landing is not None:
                return self._landing.advance(self._vacuum, self._distance, time_s, self._tick)
            keep = [KEEP] * self.climber.count
            return np.zeros((self.climber.count, self.climber.legs.joints)), keep
        while self._later and self._later[0][0] <= time_s:
            self.obey(self._later.pop(0)[1])
        if now.step is None:
            now.gait = self._gait
        self._perceive(now, time_s)
        if self.held > 0.0:
            self._hand_over(now)
        if self.held < 1.0 and not self._weighed:
            self._weighed = True
            self._weigh(now)
        self._diagnosis.look(now, self._meant)
        if now.step is not None and now.step.tuck is None and not now.usable[now.step.leg]:
            now.step = None  # its leg has failed on the way
        on_its_way = not now.arrived
        values = self.stack.step(now_ns, now)
        if on_its_way and now.arrived:
            self._log(ARRIVED, {})
        if values[BODY] is not None:
            now.wish = values[BODY]
        for k in range(self.climber.count):
            command = values[channel(k)]
            if command is not None:
                self._last[k] = command
        self._finish_step(now)
        targets = self._targets(now)
        if time_s >= self._tell_at:
            self._tell_at = time_s + TELL_S
            self._tell(now)
        return targets

    def _tell(self, now: ClimberSituation) -> None:
        """For the report: where the body shall be and is (a turn is axis times angle), and what
        the cups have to hold."""
        grip = self.climber.forces.grip
        self._log(
            WATCH,
            {
                "wish_mm": _rounded(1000 * now.wish.at),
                "told_mm": _rounded(1000 * now.pose.at),
                "wish_turn_deg": _rounded(np.degrees(rotation_of(now.wish.turn))),
                "told_turn_deg": _rounded(np.degrees(rotation_of(now.pose.turn))),
                "normal_n": _rounded(self.loads[:, 0]),
                "shear_n": _rounded(self.loads[:, 1]),
                "use": _rounded(self.loads[:, 2]),
                "vacuum": _rounded(now.vacuum),
                "suction_n": grip.suction,
                "allowed": grip.shear_use,
            },
        )

    # -- beginning -----------------------------------------------------------------------------

    def _begin(self, time_s: float) -> ClimberSituation | None:
        there = np.isfinite(self._reported).all(axis=1)
        if time_s < LISTEN_S or int(there.sum()) < 3:
            return None
        climber = self.climber
        q = np.where(there[:, None], self._reported, climber.legs.inverse(climber.stance))
        if self._landing is None and (self._vacuum[there] < ATTACHED).any():
            self._landing = Landing(climber, q, there, self._vacuum)
            loose = np.flatnonzero(there & (self._vacuum < ATTACHED)) + 1
            self._log("feels for the surface", {"legs": loose.tolist()})
        if self._landing is None:
            height = -float(climber.legs.forward(q)[there, 2].mean())
            pose = origin = BodyPose.of((0.0, 0.0, height))
            self.held = 0.0
        elif not self._landing.over:
            return None
        else:
            held = self._landing.held
            feet = climber.legs.forward(q)
            origin = BodyPose(-float(climber.stance[:, 2].mean()) * UP, np.eye(3))
            pose = above(feet[held]) if int(held.sum()) >= 3 else origin
            self._shared.way.append(origin)
        self.now = self._ready(q, there, pose, time_s)
        standing = np.flatnonzero(self.now.standing).tolist()
        self.calibration.begin(pose, q, self.now.anchors, standing)
        for leg in standing:
            if self.now.ground.curved:
                self.now.ground.found(self.now.anchors[leg])
            else:
                self._flatten(self.now, leg)
        if self.now.ground.curved:
            self._roll(self.now)
            origin = BodyPose.of((0.0, 0.0, float(self.now.pose.at[2])))
            self._shared.way[:] = [origin]
        self._origin = origin
        for yaw in (self._orders.sway, -self._orders.sway, 0.0) if self._orders.sway else ():
            self._shared.way.append(origin @ BodyPose.of(rotation=(0.0, 0.0, yaw)))
        self._shared.way.extend(origin @ step for step in self._orders.way)
        return self.now

    def _ready(self, q: Floats, there: Bools, pose: BodyPose, time_s: float) -> ClimberSituation:
        failures = {} if self._landing is None else self._landing.failures
        standing = there & (self._vacuum >= ATTACHED)
        usable = there.copy()
        usable[list(failures)] = False
        for leg, why in failures.items():
            self._log("leg failed", {"leg": leg + 1, "why": why, "left": int(usable.sum())})
        self._meant = q.copy()
        self._lead = np.zeros_like(q)
        self._log("ready", {"legs": int(usable.sum()), "attached": int(standing.sum())})
        return ClimberSituation(
            climber=self.climber,
            time_s=time_s,
            q=q,
            vacuum=self._vacuum,
            distance=self._distance,
            gravity=self._gravity,
            pose=pose,
            wish=pose,
            anchors=pose.out(self.climber.legs.forward(q)),
            standing=standing,
            usable=usable,
            answering=there.copy(),
            open_vacuum=self._open,
            ground=Ground(curved=self._orders.curved),
            failures=dict(failures),
        )

    def _hand_over(self, now: ClimberSituation) -> None:
        """The hand lets go as the servos take up the load, if the feet bear it."""
        if self.held < 1.0 or strain_of_standing(now, now.wish) <= 1.0:
            if self.held == 1.0:
                self._log("holds", {"feet": int(now.standing.sum())})
            self.held = max(0.0, self.held - self._tick / LET_GO_S)
        elif not now.critical:
            feet = int(now.standing.sum())
            now.critical = f"in the hand: {feet} of {now.climber.count} feet hold, too few for it"

    def _weigh(self, now: ClimberSituation) -> None:
        """Say at once if some leg could be lifted nowhere here: it stands, and no more."""
        if not now.usable.all():
            return
        strain = strain_of_steps(self.climber, now.gravity_at(BodyPose.of()))
        leg = int(np.argmax(strain))
        if strain[leg] > 1.0:
            grip = self.climber.forces.grip
            now.critical = (
                f"cups of {grip.suction:g} N hold here and do not walk: lifting leg {leg + 1} "
                f"takes {strain[leg]:.2f} of what cups and servos may bear, the load shared "
                "plainly, wherever the body is"
            )

    # -- every tick ----------------------------------------------------------------------------

    def _perceive(self, now: ClimberSituation, time_s: float) -> None:
        now.time_s = time_s
        heard = np.isfinite(self._reported).all(axis=1)
        now.q[heard] = self._reported[heard]
        now.answering = time_s - self._heard < SILENT_S
        now.vacuum = np.where(now.answering, self._vacuum, 0.0)
        now.distance = self._distance
        now.gravity = self._gravity
        if int(now.standing.sum()) >= 3:
            now.pose = follow(now.pose, now.feet[now.standing], now.anchors[now.standing])
            if self.held == 0.0:
                self._learn_zeros(now)

    def _learn_zeros(self, now: ClimberSituation) -> None:
        """From feet that are well attached."""
        sure = np.flatnonzero(now.standing & now.answering & (now.vacuum >= ATTACHED))
        if len(sure) < 3:
            return
        before = self.calibration.zeros.copy()
        self.calibration.look(now.pose, now.q, now.anchors, sure.tolist())
        self._shift(now, before)

    def _flatten(self, now: ClimberSituation, leg: int) -> None:
        before = self.calibration.zeros.copy()
        self.calibration.flatten(leg, now.anchors)
        self._shift(now, before)

    def _roll(self, now: ClimberSituation) -> None:
        before = now.wish.turn
        now.roll()
        self.calibration.roll(now.wish.turn @ before.T)

    def _shift(self, now: ClimberSituation, before: Floats) -> None:
        """Joints are where they are, but reckoned with other zeros."""
        now.q += self.calibration.zeros - before
        self._reported += self.calibration.zeros - before

    def _finish_step(self, now: ClimberSituation) -> None:
        step = now.step
        if step is None or not step.over:
            return
        now.step = None
        self._diagnosis.stepped(now, step)
        if step.tuck is not None:
            now.tucked.add(step.leg)
        elif step.phase is StepPhase.FAILED and step.tried:
            now.bad.append(step.place.copy())
            self._log("no hold", {"leg": step.leg + 1, "at_mm": _rounded(1000 * step.place[:2])})
        elif step.phase is StepPhase.DONE:
            now.standing[step.leg] = True
            now.anchors[step.leg] = step.foot
            self.calibration.put_down(step.leg, now.pose, now.q)
            if now.ground.curved:
                now.ground.found(step.foot)
                self._roll(now)
            else:
                self._flatten(now, step.leg)
            self._last.pop(step.leg, None)

    def _targets(self, now: ClimberSituation) -> tuple[Floats, list[int]]:
        commands = {k: c for k, c in self._last.items() if not now.standing[k]}
        q, beyond = self._links.joints(now.wish, now.anchors, commands)
        for k in beyond:
            q[k] = self._meant[k]
            if now.standing[k] and now.usable[k] and not now.critical:
                now.critical = f"leg {k + 1} cannot reach where it stands any more"
        self._meant = q
        if int((now.vacuum > 0.05).sum()) >= 3:
            normal = now.normal_at(now.wish)
            gravity = (1.0 - self.held) * now.gravity_at(now.wish)
            lead, loads = self._links.lead(q, gravity, now.vacuum, normal)
            use = np.maximum(loads.pull_use, loads.shear_use)
            self.loads = np.stack([loads.normal, loads.shear, use], axis=1)
            self._lead += (lead - self._lead) * min(1.0, self._tick / LEAD_S)
        q = q + self._lead - self.calibration.zeros
        flags = [GRIP if k not in commands or commands[k].grip else 0 for k in range(len(q))]
        return q, flags


def _rounded(values: Floats) -> list[float]:
    return [round(float(value), 2) for value in values]
