"""What the central control knows of types of modules, also of a user's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annelid.cli.new import new
from annelid.modules import MODULES, shelf
from annelid.robot.module import ModuleType
from annelid.robot.service import VERTICAL
from annelid.systems.microtub.central import control
from annelid.systems.microtub.central.catalogue import (
    UNKNOWN_LENGTH,
    backbone_of,
    catalogue,
    chain_length,
    steepest_climb,
    with_data_sheets,
)
from annelid.systems.microtub.central.joints import bending_axes
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.trial.load import parse
from annelid.trial.plugins import Plugins, load
from annelid.trial.run import Trial

LONG_MM = 62.0


@pytest.fixture
def own(tmp_path: Path) -> Plugins:
    """A longer module that lifts its front, begun with ``annelid new module wheel``: letter W."""
    file = new("module", "wheel", tmp_path)[0]
    text = file.read_text()
    assert "default=40.0" in text
    file.write_text(text.replace("default=40.0", f"default={LONG_MM}"))
    return load([file])


def test_an_own_module_is_known_by_its_length_and_its_joint(
    own: Plugins, monkeypatch: pytest.MonkeyPatch
) -> None:
    lives: list[Knowledge] = []

    def begun(**given: Any) -> Knowledge:
        lives.append(Knowledge(**given))
        return lives[-1]

    monkeypatch.setattr(control, "Knowledge", begun)
    table = {
        "robot": {"chain": "TWWH"},
        "world": {"kind": "pipe"},
        "duration_s": 2.0,
        "control": {"system": "microtub", "options": {"environment": "pipe"}},
    }
    Trial(parse(table, plugins=own), plugins=own).measure()
    (knowledge,) = lives
    assert knowledge.ids == "cwwh"
    touch, drive = (shelf()[each].parse({}, where=each).length for each in "TH")
    assert knowledge.length == pytest.approx(touch + 2 * LONG_MM / 1000 + drive)
    assert knowledge.whole
    (servo, axis, factor) = bending_axes(knowledge.parts[1].kind)[0]
    assert (servo, axis, abs(factor)) == (0, VERTICAL, 1.0)
    assert backbone_of(knowledge.kinds).length == pytest.approx(knowledge.length)


def test_a_type_that_is_not_on_the_shelf_of_this_computer_has_a_guessed_length() -> None:
    knowledge = Knowledge()
    assert "w" not in knowledge.catalogue
    assert chain_length((None, catalogue()["h"])) == pytest.approx(
        UNKNOWN_LENGTH + catalogue()["h"].module.length
    )
    assert bending_axes(None) == ()


def test_a_type_that_needs_options_is_left_unknown_and_the_shelf_cannot_be_replaced(
    own: Plugins,
) -> None:
    wheel: type[ModuleType] = own.table(MODULES)["W"]

    class Needy(wheel):  # type: ignore[misc, valid-type]
        wire_id = "n2"
        wanted_mm: float

    class Forged(wheel):  # type: ignore[misc, valid-type]
        wire_id = "h"

    known = catalogue(Needy, Forged, wheel)
    assert "n2" not in known
    assert known["h"] is catalogue()["h"]
    assert known["w"].module.length == pytest.approx(LONG_MM / 1000)


def test_modules_count_as_their_builder_has_them() -> None:
    """A drive with another gear climbs more, and the computer knows it."""
    usual = catalogue()
    drive, rotation = usual["h"].module, usual["r"].module
    geared = type(drive).parse({"stall_weight": 5.0}, where="test")
    known = with_data_sheets(usual, [rotation, geared, drive])
    assert known["h"].module is geared
    assert known["r"] is usual["r"]
    assert usual["h"].module is drive
    long = ("r", "r", "r", "r", "h")
    usually, now = (tuple(kinds[each] for each in long) for kinds in (usual, known))
    assert steepest_climb(now) > steepest_climb(usually)


def test_another_type_cannot_take_the_place_of_one_on_the_shelf(own: Plugins) -> None:
    wheel: type[ModuleType] = own.table(MODULES)["W"]

    class Pretender(wheel):  # type: ignore[misc, valid-type]
        wire_id = "h"

    other = Pretender.parse({}, where="test")
    assert with_data_sheets(catalogue(), [other])["h"] is catalogue()["h"]
