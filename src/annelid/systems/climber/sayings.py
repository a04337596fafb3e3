"""The operator's words for a climber: ``go 300 50``, ``gait cyclic``, ``release`` (003 §4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from annelid.errors import InputError, SpecError
from annelid.systems.climber.executive.pose import BodyPose
from annelid.systems.climber.planner.orders import WalkingStyle
from annelid.systems.climber.spec import BodyTarget

GO, RELEASE, GAIT = "go", "release", "gait"
FIELDS: Final = ("x_mm", "y_mm", "yaw_deg")
"""What the numbers after ``go`` are, from where the body began."""
EXPECTED: Final = f"{RELEASE}, or {GO} X Y [YAW] in mm and degrees, or {GAIT} free or cyclic"


def completions(line: str) -> list[str]:
    """How the last word of ``line`` may go on."""
    return [word for word in (GO, RELEASE, GAIT) if word.startswith(line.strip().casefold())]


def help_lines() -> list[str]:
    return [
        f"{GO} X Y [YAW]    go there, from where the body began: mm ahead and left, degrees",
        f"{RELEASE}          go on after a critical stop",
        f"{GAIT} free|cyclic legs step when needed, or in a fixed cycle",
    ]


def places_of(line: str) -> Sequence[BodyPose]:
    """Where the line sends the body."""
    said = parse_saying(line)
    return () if isinstance(said, WalkingStyle) else said


def parse_saying(line: str) -> Sequence[BodyPose] | WalkingStyle:
    """Where to go next, or how; nowhere: a critical stop is released."""
    word, *numbers = line.split()[: len(FIELDS) + 2] or [""]
    if (
        word.casefold() == GAIT
        and len(numbers) == 1
        and numbers[0].casefold() in list(WalkingStyle)
    ):
        return WalkingStyle(numbers[0].casefold())
    if word.casefold() == RELEASE and not numbers:
        return ()
    if word.casefold() != GO or not 2 <= len(numbers) <= len(FIELDS):
        raise InputError(f"climber: expected {EXPECTED}, got {line!r}")
    try:
        fields = {name: float(text) for name, text in zip(FIELDS, numbers, strict=False)}
        return (BodyTarget.parse(fields, where=GO).pose(),)
    except (ValueError, SpecError) as error:
        raise InputError(f"climber: expected {EXPECTED}, got {line!r}: {error}") from None
