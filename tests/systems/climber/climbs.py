"""A climber on its plane with boards and programs, for tests that look into its planner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import mujoco
import numpy as np
from numpy.typing import NDArray
from tests.rigs import simulation

from annelid.electronics.circuit import Circuit
from annelid.electronics.faults import parse_fault
from annelid.electronics.injector import Injector
from annelid.kernel import Kernel, seconds
from annelid.modules import shelf
from annelid.modules.leg import Leg
from annelid.physics.simulation import Simulation
from annelid.robot import Robot, RobotSpec, assemble
from annelid.systems.climber.executive.pose import BodyPose, apart
from annelid.systems.climber.network import build
from annelid.systems.climber.planner.mind import PlannerMind
from annelid.systems.climber.planner.situation import ClimberSituation
from annelid.systems.climber.spec import ClimberSpec

Floats = NDArray[np.float64]

PHYSICS: Final[Mapping[str, Any]] = {
    "timestep_ms": 2.0,
    "servo": "quasi-static",
    "impratio": 100.0,
    "noslip": 3,
}
FRICTION: Final = 0.5
FEET_MM: Final = 0.8
"""What the trunk is higher above the plane than its legs are: feet are 1 mm thick, and press."""

BEGUN_S: Final = 0.5
"""The planner has heard its legs by then."""

LOWEST, HIGHEST, STEEPEST, ASTRAY = 0.045, 0.140, 0.35, 0.10
"""A trunk nearer to its plane, farther from it (m), more inclined to it (rad) or so far from where
it should be (m: it slides down a wall) has fallen."""


def hexapod(
    legs: int = 6,
    *,
    leg: Mapping[str, Any] | None = None,
    trunk: Mapping[str, Any] | None = None,
) -> Robot:
    """A trunk with legs; the first places of the trunk are taken."""
    table = {
        "modules": [{"type": "Y", **(trunk or {})}, *({"type": "L", **(leg or {})},) * legs],
        "docks": [{"a": f"Y1.leg{k}", "b": f"L{k}.front"} for k in range(1, legs + 1)],
    }
    return assemble(RobotSpec.parse(table, where="robot"), shelf())


def on_plane(
    robot: Robot, slope_deg: float = 0.0, *, heading_deg: float = 0.0, seed: int = 0, **world: Any
) -> Simulation:
    """Put on a plane by hand, cups attached; ``world``: more fields of it."""
    legs = [module.type for module in robot.modules if isinstance(module.type, Leg)]
    world = {
        "kind": "plane",
        "slope_deg": slope_deg,
        "heading_deg": heading_deg,
        "height_mm": FEET_MM + max((leg.height_mm for leg in legs), default=90.0),
        "surface": {"friction": FRICTION},
        **world,
    }
    return simulation(robot, world, seed=seed, **PHYSICS)


@dataclass
class Watched:
    """What was seen at one look."""

    time_s: float
    wish: BodyPose
    told: BodyPose
    """As the planner's own centre follower has it."""
    true: BodyPose
    forces: Floats
    """Of the plane on the feet, in the body, N, (n, 3)."""
    uses: Floats
    """Shares of the cups' limits that are used: pull and shear, (n, 2)."""
    planned: Floats
    """What the planner reckoned with: normal, shear, use, (n, 3)."""
    standing: NDArray[np.bool_]
    """Feet that are fully attached."""


class ClimbRun:
    """Built, switched on, watched."""

    def __init__(
        self,
        options: Mapping[str, Any] | None = None,
        *,
        robot: Robot | None = None,
        slope_deg: float = 0.0,
        heading_deg: float = 0.0,
        seed: int = 0,
        begun_s: float = BEGUN_S,
        **world: Any,
    ) -> None:
        self.events: list[tuple[int, str, str, Mapping[str, Any]]] = []
        self.sim = on_plane(
            robot or hexapod(), slope_deg, heading_deg=heading_deg, seed=seed, **world
        )
        self.kernel = Kernel(record=lambda *event: self.events.append(event))
        self.circuit = Circuit(self.kernel, self.sim)
        spec = ClimberSpec.parse(options or {}, where="control.options")
        self.net = build(spec, self.circuit)
        self.injector = Injector(self.circuit)
        self.circuit.start()
        self.run(begun_s)
        here = self._placement()
        told = here if self.mind.now is None else self.now.pose
        turn = here.turn @ told.turn.T
        self._floor = BodyPose(here.at - turn @ told.at, turn)
        """The planner's world, which it has laid through its feet when it began."""

    def fault(self, **fault: Any) -> None:
        """Break something, at its time."""
        self.injector.schedule([parse_fault(fault)])

    def run(self, until_s: float) -> None:
        """A program that crashed ends the experiment."""
        self.kernel.run(seconds(until_s))
        self.circuit.grid.sync()
        for node in self.circuit.nodes.values():
            if node.error is not None:
                raise node.error

    @property
    def time_s(self) -> float:
        return self.sim.now_ns * 1e-9

    @property
    def mind(self) -> PlannerMind:
        mind = self.net.planner.mind
        if mind is None:
            raise RuntimeError("the planner has not booted")
        return mind

    @property
    def now(self) -> ClimberSituation:
        now = self.mind.now
        if now is None:
            raise RuntimeError("the planner has not heard its legs yet")
        return now

    def true_pose(self) -> BodyPose:
        """Of the trunk as it is, in the planner's world."""
        here = self._placement()
        floor = self._floor
        return BodyPose(floor.turn.T @ (here.at - floor.at), floor.turn.T @ here.turn)

    @property
    def fallen(self) -> bool:
        pose = self.true_pose()
        lean = float(np.arccos(np.clip(pose.turn[2, 2], -1.0, 1.0)))
        astray = float(np.linalg.norm(pose.at - self.now.wish.at))
        return not LOWEST < float(pose.at[2]) < HIGHEST or lean > STEEPEST or astray > ASTRAY

    def contact_forces(self) -> Floats:
        """Of the plane on the feet as the engine has them, suction taken off, in the body, N."""
        sim, names = self.sim, self.net.climber.names
        forces = np.zeros((len(names), 3))
        turn = sim.data.body(f"{self.net.climber.hub}/trunk").xmat.reshape(3, 3)
        vacuums = dict(zip(sim.cups.names, sim.cups.vacuums(), strict=True))
        wrench = np.zeros(6)
        for number in range(sim.data.ncon):
            contact = sim.data.contact[number]
            for side, geom in enumerate(contact.geom):
                leg, _, part = sim.model.body(int(sim.model.geom_bodyid[geom])).name.partition("/")
                if part != "tip":
                    continue
                mujoco.mj_contactForce(sim.model, sim.data, number, wrench)
                sign = 1.0 if side == 1 else -1.0
                frame = contact.frame.reshape(3, 3)
                suction = vacuums[f"{leg}.cup"] * self.net.climber.forces.grip.suction
                push = sign * (frame.T @ wrench[:3]) - sign * frame[0] * suction
                forces[names.index(leg)] += turn.T @ push
        return forces

    def look(self) -> Watched:
        now, grip = self.now, self.net.climber.forces.grip
        forces = self.contact_forces()
        normal, shear = forces[:, 2], np.linalg.norm(forces[:, :2], axis=1)
        suction = grip.suction * self.sim.cups.vacuums()
        pull = -np.minimum(normal, 0.0) / np.maximum(suction, 1e-9)
        slide = shear / np.maximum(grip.friction * (suction + normal), 1e-9)
        standing = now.standing & (self.sim.cups.vacuums() > 0.95)
        uses = np.where(standing[:, None], np.stack([pull, slide], axis=1), 0.0)
        return Watched(
            self.time_s,
            now.wish,
            now.pose,
            self.true_pose(),
            forces,
            uses,
            self.mind.loads.copy(),
            standing,
        )

    def walk(self, until_s: float, *, every_s: float = 0.25) -> list[Watched]:
        """Go on until then, a fall, a critical stop, or the end of the way."""
        seen = []
        while self.time_s < until_s - 1e-9:
            self.run(min(self.time_s + every_s, until_s))
            seen.append(self.look())
            if self.fallen or self.now.critical or (self.now.arrived and self.now.step is None):
                break
        return seen

    def told(self, kind: str) -> list[tuple[float, Mapping[str, Any]]]:
        """Events of a kind: (s, detail)."""
        return [(t_ns * 1e-9, detail) for t_ns, _, what, detail in self.events if what == kind]

    @property
    def pattern(self) -> list[int]:
        """The legs in the order of their turns, counted from 1 (Fig 7)."""
        turns = [*self.told("step"), *self.told("allocate")]
        return [detail["leg"] for _, detail in sorted(turns, key=lambda turn: turn[0])]

    def _placement(self) -> BodyPose:
        place = self.sim.placement(self.net.climber.hub)
        turn = np.empty(9)
        mujoco.mju_quat2Mat(turn, place.turn)
        return BodyPose(place.at.copy(), turn.reshape(3, 3))


def tracking_error(seen: list[Watched]) -> tuple[float, float]:
    """(mm, degrees): the largest distance of the true body from where it was wished."""
    errors = [apart(look.wish, look.true) for look in seen]
    return 1000 * max(way for way, _ in errors), float(np.degrees(max(turn for _, turn in errors)))
