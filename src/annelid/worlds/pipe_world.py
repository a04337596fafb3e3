"""The pipe as a world: the robot starts in a launch tube with its nose at the inlet.

The launch tube is open behind the robot, as the tube is into which somebody has just put it; a
scenario may close it (``launch = "closed"``), for instance where the inlet is steep and nobody
holds the robot until it does so itself.

With ``launch = "floor"`` there is no launch tube: the robot lies on a floor, ``floor_mm`` before
the mouth of the pipe, and has to find its way in.  The floor is level with the lowest line of the
mouth; a wide mouth that narrows (a reducer) forgives a robot that is not quite in line.

What a scenario writes is the network itself (``worlds/pipe.py``)::

    [world]
    kind = "pipe"
    bore_mm = 40
    parts = [{part="straight", length_mm=350}, {part="elbow"}, {part="straight", length_mm=350}]
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from annelid.errors import GeometryError
from annelid.spec import Quat, Vec3
from annelid.worlds.pipe import Elbow, Part, PipeNetwork, Straight
from annelid.worlds.scenery import CHAIN_HEIGHT_MM, Block, Looks, Pose, Scenery
from annelid.worlds.tubes import TubeNetwork
from annelid.worlds.world import World

FLOOR = 1.0
"""Of a floor before the mouth, beyond the robot and below it, m."""

GLASS = (0.70, 0.80, 0.88, 0.25)
"""See-through, so that people see the robot in it."""


class Pipe(PipeNetwork, World):
    """A network of pipes.  Progress is the way along the centre line, negative in the launch tube;
    the goal is the end of the main route (straight through every tee)."""

    title: ClassVar[str] = (
        "pipe network: straights, elbows, tees, crosses, reducers, loops, caps, breaks"
    )

    kind: Literal["pipe"] = "pipe"
    parts: tuple[Part, ...] = (Straight(length_mm=350), Elbow(), Straight(length_mm=350))
    launch: Literal["open", "closed", "floor"] = "open"
    """What is behind the robot in its launch tube: nothing, so that a robot that backs out too far
    falls, or a wall.  ``floor``: there is no launch tube, and the robot lies before the mouth."""
    floor_mm: float = Field(default=200.0, ge=0, le=5_000)
    """From the nose to the mouth, where the robot starts on a floor."""
    launch_spare_mm: float = Field(default=20.0, ge=0, le=2_000)
    """Length of the launch tube behind the robot's tail."""

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        """A part that does not fit is refused when the scenario is read, not when it is run."""
        _ = self._network
        if self.launch == "floor" and self.slope_deg:
            raise ValueError(f"a floor leads into a level mouth; slope_deg is {self.slope_deg:g}")
        return self

    @functools.cached_property
    def _network(self) -> TubeNetwork:
        """Fitted once: progress is asked for at every sample."""
        return self.tubes()

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A changed copy must not take the old network along."""
        copy = super().model_copy(update=update, deep=deep)
        vars(copy).pop("_network", None)
        return copy

    def as_built(self, *, bore: float, friction: float) -> Self:
        copy = super().as_built(bore=bore, friction=friction)
        copy._bore_factor = bore
        return copy

    def scenery(self, robot_length: float) -> Scenery:
        if self.launch == "floor":
            return self._before_the_mouth(robot_length)
        launch = robot_length + self.launch_spare_mm / 1000
        try:
            tubes = self.tubes(launch=launch, closed=self.launch == "closed")
        except GeometryError as error:
            raise GeometryError(
                f"{error} (the part 'launch' is the {launch * 1000:.0f} mm of pipe behind the "
                "inlet in which the robot waits)"
            ) from None
        vertices, faces = tubes.mesh()
        return Scenery(
            start=Pose((0.0, 0.0, 0.0), self._inlet_turn()),
            tubes=tubes,
            looks=(Looks(vertices, faces.astype(np.int64), GLASS),),
            self_contact=False,
        )

    def _before_the_mouth(self, robot_length: float) -> Scenery:
        tubes = self._network
        vertices, faces = tubes.mesh()
        ground, away = -tubes.tubes[0].radius_start, self.floor_mm / 1000
        half = (robot_length + away) / 2 + FLOOR
        floor = Block(
            shape="box",
            size=(half, half, FLOOR / 2),
            at=(-half, 0.0, ground - FLOOR / 2),
            grey=0.75,
            name="floor",
        )
        return Scenery(
            start=Pose((-away, 0.0, ground + CHAIN_HEIGHT_MM / 1000)),
            blocks=(floor,),
            tubes=tubes,
            looks=(Looks(vertices, faces.astype(np.int64), GLASS),),
        )

    @property
    def summary(self) -> str:
        kinds: list[str] = [part.part for part in self.parts]
        counts = Counter("loop" if kind == "close" else kind for kind in kinds)
        counts["break"] = len(self.breaks)
        several = {name: name + ("es" if name.endswith("s") else "s") for name in counts}
        return "pipes of " + ", ".join(
            f"{n} {several[name] if n > 1 else name}" for name, n in counts.items() if n
        )

    def progress(self, point: Vec3) -> float:
        if self.launch == "floor" and point[0] < 0:
            return point[0]
        network = self._network
        inlet = network.tubes[0]
        (x, y, z), (tx, ty, tz) = point, inlet.tangent
        behind = x * tx + y * ty + z * tz
        if behind < 0:
            aside = math.hypot(x - behind * tx, y - behind * ty, z - behind * tz)
            if aside <= inlet.radius_start:
                return behind
        return network.locate(point).along

    @property
    def goal(self) -> float:
        return self._network.length()

    @property
    def bore(self) -> float:
        return 2 * min(min(t.radius_start, t.radius_end) for t in self._network.tubes)

    def _inlet_turn(self) -> Quat:
        """Upright whatever the network's roll: it is the network that is turned, not the robot."""
        half = math.radians(self.slope_deg) / 2
        return math.cos(half), 0.0, -math.sin(half), 0.0
