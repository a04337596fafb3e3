"""What movement commands come to, for one module by itself."""

from __future__ import annotations

from math import radians
from types import SimpleNamespace
from typing import Any

from annelid.modules import shelf
from annelid.systems.microtub.behaviours import GaitOrders, Stimuli
from annelid.systems.microtub.protocol import CC, LLC2, Message
from annelid.systems.microtub.translation import Translation
from annelid.systems.microtub.walking import Walking


def walker(letter: str) -> tuple[Walking, Stimuli, list[str]]:
    module = shelf()[letter].parse({}, where=letter)
    told: list[str] = []
    board: Any = SimpleNamespace(now=0, log=lambda _, detail: told.append(detail["command"]))
    clock: Any = SimpleNamespace(start=lambda _: None)
    stimuli = Stimuli({}, {})
    translation = Translation(module, module.body())
    return Walking(board, stimuli, GaitOrders(), translation, clock), stimuli, told


def test_without_a_place_it_does_not_wave_and_says_so():
    walking, stimuli, told = walker("R")
    walking.begin(Message(LLC2.MO1, (), 1, CC))
    assert not walking.set()
    assert stimuli.walk.vertical is None
    walking.take_place(2)
    assert walking.set()
    assert stimuli.walk.vertical is not None
    assert told == ["MO1"]


def test_who_stops_has_moved_and_its_drive_stands():
    walking, stimuli, told = walker("H")
    assert not walking.moved
    walking.begin(Message(LLC2.MHE, (), 1, CC))
    walking.set()
    assert walking.moved
    walking.stop()
    assert walking.moved
    assert stimuli.orders == {"drive": 0.0}
    assert told == ["MHE", "STP"]


def test_a_turn_on_the_spot_bends_by_the_angle_that_was_said():
    walking, stimuli, _ = walker("R")
    walking.take_place(2)
    for degrees in (30, -45):
        walking.begin(Message(LLC2.TUR, (degrees,), 1, CC))
        walking.set()
        assert stimuli.walk.bend == radians(degrees)
