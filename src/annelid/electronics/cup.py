"""The suction cup of a simulated board: its fan is switched, its vacuum follows."""

from __future__ import annotations

from annelid.electronics.devices import PhysicsGrid


class SimCup:
    """Satisfies :class:`~annelid.electronics.board.Gripper`; what it holds is told by the cup's
    pressure sensor."""

    def __init__(self, grid: PhysicsGrid, name: str) -> None:
        self.name = name
        """In the simulation: ``L1.cup``."""
        self._grid = grid
        self._powered = True

    def _place(self) -> int:
        self._grid.sync()
        return self._grid.sim.cups.place(self.name)

    @property
    def gripping(self) -> bool:
        return self._grid.sim.cups.running(self._place())

    def attach(self) -> None:
        self._switch(True)

    def detach(self) -> None:
        self._switch(False)

    def power(self, on: bool) -> None:
        """Without power the impeller stands, and the vacuum goes."""
        if not on:
            self._switch(False)
        self._powered = on

    def _switch(self, on: bool) -> None:
        place = self._place()
        if self._powered and self._grid.sim.cups.running(place) != on:
            self._grid.sim.cups.run(place, on)
