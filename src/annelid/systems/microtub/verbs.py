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
        "range",
        "List the slope, bend and branch that a chain can pass, by bore.",
        "annelid.systems.microtub.front.range:range_of",
    ),
    Verb(
        "design",
        "Find the chain of modules to build for given pipes, with success rates.",
        "annelid.systems.microtub.front.design:design",
    ),
    Verb(
        "networks",
        "Explore pipe networks drawn at random, and tell by feature how it went.",
        "annelid.systems.microtub.front.networks:networks",
    ),
    Verb(
        "study learn",
        "Turn the best gait of a study into a rule for the central control.",
        "annelid.systems.microtub.front.commands:learn",
    ),
)
