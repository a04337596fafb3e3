"""ErekoBot's commands."""

from __future__ import annotations

from typing import Final

from annelid.systems.verbs import Verb

VERBS: Final = (
    Verb(
        "erekobot",
        "ErekoBot at a serial line: the host, a simulated chain, and a cable between them.",
        "annelid.systems.erekobot.front.commands:app",
    ),
)
