"""The commands that the climber adds to the command line."""

from __future__ import annotations

from typing import Final

from annelid.systems.verbs import Verb

VERBS: Final = (
    Verb(
        "climber",
        "Where a climber walks, stands or refuses, and what its gaits cost.",
        "annelid.systems.climber.front.commands:app",
    ),
)
