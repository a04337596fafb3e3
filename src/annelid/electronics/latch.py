"""The active latch of a module (MDL Att 3): it grasps its neighbour and lets go of it."""

from __future__ import annotations

from collections.abc import Callable

from annelid.electronics.devices import PhysicsGrid
from annelid.electronics.port import Completion
from annelid.errors import InputError
from annelid.kernel import Timer, seconds
from annelid.physics import docking

TRAVEL_S = 0.5
"""A small motor's latch opens or closes in about this time; the papers give none."""


class SimLatch:
    """The latch at one face of one module (``R1.back``)."""

    def __init__(self, grid: PhysicsGrid, face: str, *, travel_s: float = TRAVEL_S) -> None:
        self.face = face
        self._grid = grid
        self._travel_ns = max(1, seconds(travel_s))
        self._timer: Timer | None = None
        self._moved: Completion[bool] = Completion()
        self._moved.finish(self.closed)
        self._powered = True

    @property
    def closed(self) -> bool:
        return self._partner() is not None

    def attach(self) -> None:
        self._begin(self._close)

    def detach(self) -> None:
        self._begin(self._open)

    def moved(self) -> Completion[bool]:
        return self._moved

    def power(self, on: bool) -> None:
        """Off: a movement under way ends where it is, without effect."""
        self._powered = on
        if not on and self._timer is not None:
            self._timer.cancel()
            self._moved.finish(self.closed)

    def _begin(self, end: Callable[[], None]) -> None:
        """A second command during a movement takes its place."""
        if not self._powered:
            return
        if self._timer is not None:
            self._timer.cancel()
        if self._moved.done:
            self._moved = Completion()
        kernel = self._grid.kernel
        self._timer = kernel.call_at(kernel.now + self._travel_ns, end)

    def _open(self) -> None:
        self._grid.sync()
        partner = self._partner()
        if partner is not None:
            self._grid.sim.cut(self.face, partner)
        self._end("detach", partner)

    def _close(self) -> None:
        """Grasp the free face that misses ours least, if it is near enough."""
        self._grid.sync()
        sim = self._grid.sim
        if self.closed:
            self._end("attach", self._partner())
            return
        ours = sim.face(self.face)
        near = sorted(
            (*docking.misfit(ours, sim.face(other)), other) for other in self._free_faces()
        )
        for _, _, other in near[:1]:
            try:
                sim.join(self.face, other)
            except InputError as missed:
                self._grid.kernel.record(self.face, "latch missed", {"why": str(missed)})
        self._end("attach", self._partner())

    def _end(self, what: str, other: str | None) -> None:
        self._timer = None
        if other is not None:
            self._grid.kernel.record(
                self.face, what, {"other": other, "epoch": self._grid.sim.epoch}
            )
        self._moved.finish(self.closed)

    def _partner(self) -> str | None:
        for dock in self._grid.sim.robot.docks:
            for end, other in ((dock.a, dock.b), (dock.b, dock.a)):
                if ".".join(end) == self.face:
                    return ".".join(other)
        return None

    def _free_faces(self) -> list[str]:
        robot = self._grid.sim.robot
        taken = {".".join(end) for dock in robot.docks for end in (dock.a, dock.b)}
        own = self.face.partition(".")[0]
        return [
            face
            for module in robot.modules
            if module.name != own
            for face in (f"{module.name}.{f.name}" for f in module.body.faces)
            if face not in taken
        ]
