"""Lengths on the map are stated, unless a broken joint may have felt their places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from annelid.systems.microtub.central.cartography import Cartographer
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.discovery import FoundModule
from annelid.systems.microtub.protocol import WorkingMode
from annelid.systems.statement import STATEMENT

SOUND, BROKEN = "00003300000003000", "0" * 17


@pytest.mark.parametrize(("broken", "stated"), [("", 1), ("c", 1), ("r", 0)])
def test_a_broken_joint_leaves_lengths_unstated_for_good(broken: str, stated: int) -> None:
    skills = {"c": "00000000301000000", "r": SOUND, "v": BROKEN}
    knowledge = Knowledge(mode=WorkingMode.PIPE)
    knowledge.know(FoundModule(k, each, skills[each]) for k, each in enumerate("crv", 1))
    said: list[Mapping[str, Any]] = []
    maps = Cartographer(knowledge, lambda kind, detail: said.append({"kind": kind, **detail}))
    knowledge.way = 0.4
    maps.follow()
    place = "crv".find(broken) + 1 if broken else 0
    knowledge.change(place, BROKEN)
    knowledge.pipes.dead_end()
    maps.tell()
    knowledge.change(
        place, skills.get(broken, "")
    )  # mended: what was felt meanwhile stays doubtful
    maps.tell(anyway=True)
    assert len([each for each in said if each["kind"] == STATEMENT]) == stated
