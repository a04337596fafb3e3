"""Steers by one sensor: how far a joint bends for a reading at the side (002 §8)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Steering:
    """Keeps something at a distance on one side: proportional to how far it is off, and to how
    much that changed since the last look, without which a chain would swing about its way."""

    sensor: str
    keep: float
    """m."""
    side: float
    """+1: it is on the left, -1: on the right."""
    gain: float
    """rad per m that it is too far off."""
    damping: float
    """rad per m that it has moved away since the last look."""
    most: float
    """No joint bends further, rad."""
    servo: str = "yaw"

    def turn(self, seen: float, before: float) -> float:
        bend = self.gain * (seen - self.keep) + self.damping * (seen - before)
        return self.side * max(-self.most, min(self.most, bend))
