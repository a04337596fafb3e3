"""The commands that ErekoBot adds to the command line."""

from __future__ import annotations

from typing import Final

from annelid.systems.verbs import Verb

VERBS: Final = (
    Verb(
        "erekobot",
        "Run an ErekoBot over a serial line: host, simulated modules, virtual cable.",
        "annelid.systems.erekobot.front.commands:app",
    ),
)
