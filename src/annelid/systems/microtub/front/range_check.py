"""Checks the range of a chain against the physics, in cells drawn near its edges.

No control takes part, because the range is not about it.  On a slope the drives push a straight
chain.  At an elbow or a branch the joints give way, drives push, and the nose is pulled along the
middle of the pipe, as the best of controls might lead it; a rigid piece that does not fit jams.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import degrees
from typing import Any, Final

import numpy as np

from annelid.boundary.markdown import markdown_table
from annelid.modules import shelf
from annelid.physics import damage
from annelid.physics.simulation import Simulation
from annelid.robot.body import DriveMount, ServoMount
from annelid.robot.hauling import Hauling
from annelid.robot.robot import RobotSpec, assemble
from annelid.systems.microtub.front.named_robot import Fields
from annelid.trial.load import parse
from annelid.trial.run import Trial
from annelid.trial.simulated import simulation_of
from annelid.worlds.limits import ANGLES_DEG, RADII_MM, ChainRange, bends, steepest, turns
from annelid.worlds.pipe_world import Pipe

BORES_MM: Final = (38.5, 45.0)
FEATURES: Final = ("slope", "elbow", "branch")
NEAR: Final = {"slope": 5.0, "elbow": 20.0, "branch": 20.0}
"""How far from the edge a cell lies at most: degrees, mm, degrees."""
UNITS: Final = {"slope": "°", "elbow": " mm", "branch": "°"}

CLIMB_S: Final = 25.0
CLIMB_M: Final = 0.02
"""Who climbs so far in that time climbs on: near its edge a drive is slow."""

PULL_N: Final = 1.0
"""At most: friction of a long chain round a bend needs half of it."""
PULL_M_S, SOFT_M_S = 0.03, 0.02
"""How fast the nose is pulled; a nose that is slower by the second is pulled with full force."""
AHEAD_M: Final = 0.015
"""The thread that pulls the nose comes from so far ahead on the centre line."""
STEPS: Final = 5
"""Physics steps of 1 ms between two looks."""
JAMMED_S, GAIN_M = 5.0, 0.002
"""Who gains less in that time is jammed."""
LONGEST_S: Final = 90.0
MOUTH_M, CLEAR_M = 0.06, 0.02
BRANCH: Final = "tee1.branch"


@dataclass(frozen=True)
class TriedCell:
    """One place of the table, and what became of it."""

    seed: int
    feature: str
    bore_mm: float
    value: float
    """Slope in degrees, radius in mm, or angle in degrees."""
    within: bool
    """The range says that it can be passed."""
    done: bool
    """In the simulation it was."""

    @classmethod
    def read(cls, kept: dict[str, Any]) -> TriedCell:
        return cls(**kept)

    @property
    def words(self) -> str:
        return f"{self.feature} of {self.value:.1f}{UNITS[self.feature]} in {self.bore_mm:.1f} mm"


def check(seed: int, *, robot: Fields) -> TriedCell:
    """Draw a cell and try it; kinds of cells take turns."""
    draw = np.random.default_rng([seed, 17])
    feature = FEATURES[seed % len(FEATURES)]
    bore = float(draw.uniform(*BORES_MM))
    chain = assemble(RobotSpec.parse(robot, where="robot"), shelf())
    hauling = Hauling.of([module.type for module in chain.modules])
    edge = ChainRange.of(hauling, bore)
    off = float(draw.uniform(-NEAR[feature], NEAR[feature]))
    if feature == "slope":
        value = max((edge.steepest_deg or 0.0) + off, 0.5)
        limit = steepest(hauling, bore / 1000)
        within = limit is not None and value <= degrees(limit)
        return TriedCell(seed, feature, bore, value, within, climbs(robot, bore, value))
    if feature == "elbow":
        tightest = RADII_MM[1] if edge.tightest_mm is None else edge.tightest_mm
        value = float(np.clip(tightest + off, bore / 2 + 5.0, RADII_MM[1]))
        fitting = {"part": "elbow", "radius_mm": value}
        within, part = bends(hauling, bore, value), "elbow1"
    else:
        sharpest = ANGLES_DEG[0] if edge.sharpest_deg is None else edge.sharpest_deg
        value = float(np.clip(sharpest + off, *ANGLES_DEG))
        fitting = {"part": "tee", "run_mm": 400, "branch_mm": 250, "branch_angle_deg": value}
        within, part = turns(hauling, bore, value), BRANCH
    done = pulled(robot, bore, fitting, part, hauling.length)
    return TriedCell(seed, feature, bore, value, within, done)


def climbs(robot: Fields, bore_mm: float, slope_deg: float) -> bool:
    """Whether drives push it up a slope, held straight by its joints."""
    fields = _scenario(
        robot,
        {"bore_mm": bore_mm, "slope_deg": slope_deg, "launch": "closed", "launch_spare_mm": 2},
        [{"part": "straight", "length_mm": 600}],
        duration_s=CLIMB_S,
        gaits=[{"gait": "push"}],
    )
    return Trial(parse(fields)).measure().progress_max_m >= CLIMB_M


def pulled(robot: Fields, bore_mm: float, fitting: Fields, part: str, length: float) -> bool:
    """Whether all of it follows its nose through a fitting, its joints giving way."""
    beyond: dict[str, Any] = {"part": "straight", "length_mm": 1000 * length + 200}
    if part == BRANCH:
        beyond["at"] = part
    parts = [{"part": "straight", "length_mm": 150}, fitting, beyond]
    sim = simulation_of(parse(_scenario(robot, {"bore_mm": bore_mm}, parts)))
    for module in sim.robot.modules:
        for mount in module.body.mounts:
            if isinstance(mount, ServoMount):
                damage.let_go(sim, f"{module.name}.{mount.name}")
            elif isinstance(mount, DriveMount):
                sim.actuators.write_one(f"{module.name}.{mount.name}", 1.0)
    return _tow(sim, part, length)


def _tow(sim: Simulation, part: str, length: float) -> bool:
    """Pull the nose until the tail is through; False: it jams."""
    assert isinstance(sim.world, Pipe)
    network = sim.world.tubes()
    tube = network.tube(part)
    route = network.route_to("straight2")
    goal = tube.along + (tube.length if tube.bent else MOUTH_M) + length + CLEAR_M
    head = sim.robot.modules[0]
    pull = sim.data.xfrc_applied[sim.data.body(f"{head.name}/{head.body.parts[0].name}").id]
    before, best, since = sim.poses()[0][:3], -np.inf, 0
    for number in range(int(LONGEST_S * 1000 / STEPS)):
        nose = sim.poses()[0][:3]
        along = sim.world.progress((float(nose[0]), float(nose[1]), float(nose[2])))
        if along >= goal:
            return True
        if along > best + GAIN_M:
            best, since = along, number
        elif (number - since) * STEPS > 1000 * JAMMED_S:
            return False
        way = network.point_at(along + AHEAD_M, route=route) - nose
        way = way / np.linalg.norm(way)
        speed = float((nose - before) @ way) * 1000 / STEPS
        pull[:3] = way * PULL_N * min(max((PULL_M_S - speed) / SOFT_M_S, 0.0), 1.0)
        before = nose
        sim.advance(STEPS)
    return False


def _scenario(
    robot: Fields,
    pipe: dict[str, Any],
    parts: list[dict[str, Any]],
    *,
    duration_s: float = 60.0,
    gaits: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    return {
        "name": "range-check",
        "duration_s": duration_s,
        "robot": robot,
        "world": {"kind": "pipe", **pipe, "parts": parts},
        "physics": {"timestep_ms": 1.0},
        "control": {"gaits": list(gaits)},
    }


def page(cells: Sequence[TriedCell]) -> Iterator[str]:
    """How often range and simulation agree, and every cell where they do not."""
    from annelid.papers.interval import Rate

    agree = Rate.count(cell.within == cell.done for cell in cells)
    yield f"Range and simulation agree in {agree} of cells near the edges of the range."
    rows = []
    for feature in FEATURES:
        cells_ = [cell for cell in cells if cell.feature == feature]
        yes = [cell.done for cell in cells_ if cell.within]
        no = [not cell.done for cell in cells_ if not cell.within]
        rows.append([feature, *(Rate.count(each) if each else "none drawn" for each in (yes, no))])
    head = ("feature", "the range says yes, and it is so", "no, and it is so")
    yield from ("", *markdown_table(head, rows))
    wrong = [cell for cell in cells if cell.within != cell.done]
    if wrong:
        yield ""
    for cell in sorted(wrong, key=lambda cell: (cell.feature, cell.seed)):
        says = "within range, but not passed" if cell.within else "beyond its range, but passed"
        yield f"- {cell.words}: {says} (seed {cell.seed})"
