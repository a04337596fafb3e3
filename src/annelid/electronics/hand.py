"""The hand of whoever holds the robot, as a port of its board: a lamp by which it is let go."""

from __future__ import annotations

from annelid.electronics.devices import PhysicsGrid
from annelid.physics.hand import Hand


class SimHand:
    """Bears a share of the weight from the grid step of this moment on."""

    def __init__(self, grid: PhysicsGrid, module: str) -> None:
        self._grid = grid
        self._hand = Hand(grid.sim, module)

    @property
    def share(self) -> float:
        return self._hand.share

    def bear(self, share: float) -> None:
        self._grid.sync()
        self._hand.bear(share)

    def power(self, on: bool) -> None:
        """A board without power tells nobody to let go; the hand stays as it is."""
