"""MICROTUB's commands."""

from __future__ import annotations

from typing import Final

from annelid.systems.verbs import Verb

VERBS: Final = (
    Verb(
        "central",
        "Be the central control of a robot that is simulated in another process.",
        "annelid.systems.microtub.front.commands:central",
    ),
    Verb(
        "infer",
        "What a chain of modules can do, with proofs (rules of 000, Table 9).",
        "annelid.systems.microtub.front.infer:infer",
    ),
    Verb(
        "export",
        "MICROTUB's protocol as a C header for firmware, or as a page; its table of rules as one.",
        "annelid.systems.microtub.front.export:export",
    ),
    Verb(
        "study learn",
        "Turn what a study has found into a rule of the central control, with its evidence.",
        "annelid.systems.microtub.front.commands:learn",
    ),
)
