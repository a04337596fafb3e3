"""The pilot: whatever commands motors beside the gaits, at every control tick."""

from __future__ import annotations

from typing import Protocol

from annelid.control.interface import Floats


class Pilot(Protocol):
    """Looks, then lays its commands over those of the gaits."""

    waits: bool
    """Whether the run stops between the two, until somebody outside has decided."""

    def look(self, time_s: float, told: Floats) -> None:
        """See the robot at this moment; ``told`` is what the gaits command."""

    def lay(self, told: Floats) -> None:
        """Change ``told`` in place."""
