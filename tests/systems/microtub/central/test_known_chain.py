"""What is known of the modules alone, without a robot on its way."""

from __future__ import annotations

import pytest

from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central.known_chain import KnownChain
from annelid.systems.microtub.discovery import FoundModule
from annelid.systems.microtub.protocol import ModuleInfo

R = "00003300000003000"


def chain() -> KnownChain:
    known = KnownChain()
    known.know(FoundModule(place, each, R) for place, each in enumerate("crr", 1))
    return known


def test_what_a_dead_module_told_is_forgotten():
    known = chain()
    known.told[2, ModuleInfo.ORIENTATION] = (0, 30, 0)
    known.told[3, ModuleInfo.ORIENTATION] = (0, 10, 0)
    known.seen[2] = Situation.NARROW_PIPE
    before = known.situation
    known.bury(2)
    assert known.ids == "crr"
    assert [part.address for part in known.alive] == [1, 3]
    assert known.answers(ModuleInfo.ORIENTATION) == [(0, 10, 0)]
    assert (before, known.situation) == (Situation.NARROW_PIPE, Situation.UNKNOWN)
    assert known.pitch == pytest.approx(0.1745, abs=1e-4)


def test_travellers_that_do_not_answer_any_more_are_silent():
    known = chain()
    assert not known.silent, "nobody has counted yet"
    known.heard_ns[1, ModuleInfo.DISTANCE] = 0
    known.now_ns = 3_000_000_000
    assert known.silent
