"""How a climber fared, read from its recorded run: the body as it was, and as it was wished.

The planner has laid its own world through its feet when it began (origin below the trunk, x ahead).
Where the trunk really was is brought into that world, and held against every event ``watch``, which
says where the body was wished and where its own centre follower had it.

The planner's world has the surface at z = 0; only its origin and its heading are the planner's to
choose.  The centre follower is judged by that.  Its first look is no measure: with joints whose
zeros are not known yet it is millimetres too low and tilted by a part of a degree, and what it then
finds out about its zeros would count as its error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from annelid.papers import Figure, Series
from annelid.systems.climber.executive.pose import BodyPose, apart
from annelid.systems.climber.planner.mind import ARRIVED, WATCH
from annelid.trial.replay import Run
from annelid.worlds.plane import Plane

Floats = NDArray[np.float64]

HUB: Final = "Y1"
SHOWN: Final = 3
"""Reasons that are told."""
LEFT: Final = 0.001
"""A body that is wished so far from where it began walks, m."""
LOWEST, HIGHEST, STEEPEST, ASTRAY = 0.045, 0.140, 0.35, 0.10
"""A trunk nearer to its plane, farther from it (m), more inclined to it (rad) or so far from where
it should be (m: it slides down a wall) has fallen."""


@dataclass(frozen=True)
class Climbed:
    """What came of a walk."""

    arrived: bool
    fell: bool
    critical: str
    """Why it stood at the end; empty: it did not."""
    off_mm: float
    off_deg: float
    """Largest distance of the body from where it was wished at that moment."""
    follower_mm: float
    """Largest distance of the body from where its own follower had it, since it left its place."""
    use: float
    """Largest share of a cup's limit that the planner reckoned with."""
    path_mm: tuple[tuple[float, float], ...]
    """x and y of the body."""

    @property
    def walked(self) -> bool:
        return self.arrived and not self.fell

    @property
    def why_not(self) -> str:
        return "fell" if self.fell else self.critical or "did not arrive in time"


def climbed(run: Run) -> Climbed:
    seen = run.events(WATCH)
    if not seen:  # it never began to walk
        fell = run.metrics.fell_s is not None
        return Climbed(False, fell, critical(run), 0.0, 0.0, 0.0, 0.0, ())
    true = true_poses(run, [event.time_ns * 1e-9 for event in seen])
    wish = [pose_of(event.detail, "wish") for event in seen]
    told = [pose_of(event.detail, "told") for event in seen]
    off = np.array([apart(a, b) for a, b in zip(wish, true, strict=True)])
    here = surface_poses(run, [event.time_ns * 1e-9 for event in seen])
    astray = [apart(a, b)[0] for a, b in zip(told, here, strict=True)]
    return Climbed(
        arrived=bool(run.events(ARRIVED)),
        fell=run.metrics.fell_s is not None or any(map(fallen, true, wish)),
        critical=critical(run),
        off_mm=1000 * float(off[:, 0].max()),
        off_deg=float(np.degrees(off[:, 1].max())),
        follower_mm=1000 * max(astray[left_at(wish) :]),
        use=max(max(event.detail["use"]) for event in seen),
        path_mm=tuple((float(1000 * p.at[0]), float(1000 * p.at[1])) for p in true),
    )


def reasons(runs: Iterable[Climbed]) -> str:
    """Why robots did not walk to the end, the commonest first; empty: all did."""
    why = Counter(one.why_not for one in runs if not one.walked)
    told = "; ".join(f"{count} × {each}" for each, count in why.most_common(SHOWN))
    return f".  Not walked: {told}" + (" …" if len(why) > SHOWN else "") if why else ""


def paths_figure(title: str, runs: Mapping[str, Climbed]) -> Figure:
    """Where the body went, seen from above."""
    paths = {name: zip(*one.path_mm, strict=True) for name, one in runs.items()}
    series = tuple(Series.of(name, *path) for name, path in paths.items())
    return Figure(title, "ahead (mm)", "left (mm)", series)


def turns_figure(title: str, moved: Sequence[tuple[float, int]]) -> Figure:
    """The pattern of 003 Fig 7."""
    time_s, leg = zip(*moved, strict=True) if moved else ((), ())
    points = Series.of("a leg's turn to move", time_s, leg, style="points")
    return Figure(title, "time (s)", "leg", (points,))


def heading(seed: int) -> dict[str, float]:
    """Straight up with the first robot, then in any direction on its plane."""
    chance = np.random.default_rng(seed)
    return {"world.heading_deg": float(round(chance.uniform(0, 360))) if seed else 0.0}


def pose_of(detail: Mapping[str, Any], which: str) -> BodyPose:
    """``wish`` or ``told``, of an event ``watch``."""
    return BodyPose.of(
        np.array(detail[f"{which}_mm"]) / 1000, np.radians(detail[f"{which}_turn_deg"])
    )


def true_poses(run: Run, times_s: ArrayLike) -> list[BodyPose]:
    """Of the trunk at these times, in the planner's world."""
    first = run.events(WATCH)[0]
    (began, *here) = _placements(run, [first.time_ns * 1e-9, *np.asarray(times_s, float)])
    told = pose_of(first.detail, "told")
    turn = began.turn @ told.turn.T
    floor = BodyPose(began.at - turn @ told.at, turn)
    return [BodyPose(floor.into(pose.at), turn.T @ pose.turn) for pose in here]


def surface_poses(run: Run, times_s: ArrayLike) -> list[BodyPose]:
    """Of the trunk at these times, in the planner's world, whose z = 0 is the surface."""
    world = run.scenario.world
    if not isinstance(world, Plane) or world.shape != "flat":
        return true_poses(run, times_s)
    first = run.events(WATCH)[0]
    (began, *here) = _placements(run, [first.time_ns * 1e-9, *np.asarray(times_s, float)])
    slope = np.radians(world.slope_deg)
    normal = np.array([-np.sin(slope), 0.0, np.cos(slope)])
    floor = laid(began, pose_of(first.detail, "told"), normal)
    return [BodyPose(floor.into(pose.at), floor.turn.T @ pose.turn) for pose in here]


def laid(began: BodyPose, told: BodyPose, normal: Floats) -> BodyPose:
    """The planner's world in that of the engine, where its surface goes through the origin: its
    place and heading are those with which the body was first where it was told to be."""
    ahead = began.turn @ told.turn.T[:, 0]
    ahead = ahead - normal * (normal @ ahead)
    ahead /= np.linalg.norm(ahead)
    turn = np.stack([ahead, np.cross(normal, ahead), normal], axis=1)
    origin = began.at - turn @ told.at
    return BodyPose(origin - normal * (normal @ origin), turn)


def left_at(wish: Sequence[BodyPose]) -> int:
    """The first look at which the body was wished elsewhere than where it began; what comes before
    is its sway.  0: it never was."""
    away = [float(np.linalg.norm(pose.at - wish[0].at)) > LEFT for pose in wish]
    return away.index(True) if any(away) else 0


def fallen(true: BodyPose, wish: BodyPose) -> bool:
    lean = float(np.arccos(np.clip(true.turn[2, 2], -1.0, 1.0)))
    high, astray = float(true.at[2]), float(np.linalg.norm(true.at - wish.at))
    return not LOWEST < high < HIGHEST or lean > STEEPEST or astray > ASTRAY


def critical(run: Run) -> str:
    """Why it stood at the end; a stop that the operator has released is over."""
    stops = [event for event in run.events() if event.kind in ("critical stop", "released")]
    return str(stops[-1].detail.get("why", "")) if stops else ""


def turns(run: Run) -> list[tuple[float, int]]:
    """(s, leg) of every leg's turn to move, for any reason: the pattern of 003 Fig 7."""
    moved = sorted([*run.events("step"), *run.events("allocate")], key=lambda event: event.sequence)
    return [(event.time_ns * 1e-9, int(event.detail["leg"])) for event in moved]


def _placements(run: Run, times_s: Sequence[float]) -> list[BodyPose]:
    table, time = run["modules"], run.time("modules")
    rows = np.clip(np.searchsorted(time, times_s), 0, len(time) - 1)
    at = np.stack([table[f"{axis}[{HUB}]"][rows] for axis in "xyz"], axis=1)
    quaternions = np.stack([table[f"{part}[{HUB}]"][rows] for part in ("qw", "qx", "qy", "qz")], 1)
    turn = np.empty(9)
    found = []
    for place, quaternion in zip(at, quaternions, strict=True):
        mujoco.mju_quat2Mat(turn, quaternion)
        found.append(BodyPose(place, turn.reshape(3, 3).copy()))
    return found
