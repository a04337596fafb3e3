"""The commands that MICROTUB adds to the command line."""

from __future__ import annotations

from typing import Final

from annelid.systems.verbs import Verb

VERBS: Final = (
    Verb(
        "central",
        "Run the central control of a MICROTUB robot that another process simulates.",
        "annelid.systems.microtub.front.commands:central",
    ),
    Verb(
        "infer",
        "List what a chain of modules can do, each with its proof.",
        "annelid.systems.microtub.front.infer:infer",
    ),
    Verb(
        "strangers",
        "Meet robots, worlds, commands and faults drawn at random, and check what is said.",
        "annelid.systems.microtub.front.strangers:strangers",
    ),
    Verb(
        "study learn",
        "Turn the best gait of a study into a rule for the central control.",
        "annelid.systems.microtub.front.commands:learn",
    ),
)
