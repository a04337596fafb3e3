"""What a module can still do: its MDL string, which damage lowers (000 §3.4: "dynamic values").

Which indicator a servo serves follows from what the servo is called on the shelf; a servo of
another name lowers all that the module can move with by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from annelid.electronics.board import Board
from annelid.kernel import MILLISECOND
from annelid.robot.capabilities import Capabilities

SERVES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "yaw": ("RotY",),
        "pitch": ("RotX",),
        "extend": ("Ext",),
        "grip": ("Sup",),
        "drive": ("Push_pipe", "Push_flat"),
        "grab": ("Grab",),
        "drill": ("Drill",),
    }
)
MOVING: Final = (
    *("Ext", "Sup", "Push_pipe", "Push_flat", "RotX", "RotY", "RotZ", "Grab", "Drill"),
)

FAR: Final = 0.15
"""Of its travel: a servo so far from its command should be on its way."""
NEARER: Final = 0.01
"""Of its travel: what counts as approaching."""
PATIENCE_NS: Final = 600 * MILLISECOND


class Condition:
    """Compares setpoints with positions (000 §4.1.4) and keeps the capabilities."""

    def __init__(self, board: Board, as_built: Capabilities, travel: Mapping[str, float]) -> None:
        """``travel`` of each servo, from end to end."""
        self.capabilities = as_built
        self.broken: set[str] = set()
        self._board = board
        self._travel = travel
        self._nearest: dict[str, tuple[float, float, int]] = {}
        """Servo to its command, the least distance from it so far, and when that was."""

    def degrade(self, indicator: str, grade: int) -> bool:
        """Whether that is a change."""
        before = self.capabilities
        self.capabilities = before.with_grade(indicator, grade)
        return self.capabilities != before

    def newly_stuck(self, now_ns: int, commanded: Mapping[str, float]) -> list[str]:
        """Servos that have stopped to approach their command; each is told once."""
        found = []
        for name, target in commanded.items():
            if name in self.broken or name not in self._board.servos:
                continue
            servo = self._board.servos[name]
            if name not in self._travel or servo.tripped:
                continue  # a drive has no position; what was cut off is another matter
            away = abs(servo.angle - target) / self._travel[name]
            meant, nearest, since = self._nearest.get(name, (target, away, now_ns))
            if meant != target or away < nearest - NEARER or away < FAR:
                meant, nearest, since = target, away, now_ns
            self._nearest[name] = (meant, nearest, since)
            if now_ns - since > PATIENCE_NS:
                found.append(name)
                self._break(name)
        return found

    def _break(self, servo: str) -> None:
        self.broken.add(servo)
        if servo in SERVES:
            for indicator in SERVES[servo]:
                self.degrade(indicator, 0)
        else:
            for indicator in MOVING:
                self.degrade(indicator, max(0, self.capabilities[indicator] - 1))
