"""Every movement that the rules grant to a chain moves it, as fast as its grade says."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.robot.odd_joint import OddJoint
from tests.systems.microtub.granted import (
    EVERY_S,
    GrantedWay,
    Watched,
    drawn,
    drawn_world,
    granted,
    scenario,
)

from annelid.kernel import seconds
from annelid.modules import shelf
from annelid.robot import ModuleType, assemble, chain
from annelid.systems.microtub.inference import Engine, RuleFile
from annelid.systems.microtub.protocol import WorkingMode
from annelid.trial.load import parse
from annelid.trial.plugins import Plugins
from annelid.trial.run import Trial

OPEN, PIPE = WorkingMode.OPEN_AIR, WorkingMode.PIPE
PLUGINS = Plugins({"module": (OddJoint,)})


def rates(
    letters: str, mode: WorkingMode, seed: int, *names: str, engine: Engine | None = None
) -> Mapping[GrantedWay, float]:
    """How fast the chain went by each way that it was granted, or by those named."""
    types: Mapping[str, type[ModuleType]] = shelf(OddJoint)
    robot = assemble(chain(letters), types)
    found = {}
    for way in granted(robot, mode, engine):
        if not names or way.name in names:
            table = scenario(letters, robot, way, drawn_world(seed, mode), seed=seed)
            trial = Trial(parse(table, plugins=PLUGINS), plugins=PLUGINS)
            watched = Watched(trial.sim)
            trial.every(seconds(EVERY_S), watched.look)
            trial.measure()
            found[way] = watched.rate(way.ability)
    return found


def broken_words(went: Mapping[GrantedWay, float]) -> list[str]:
    return [
        f"{way.name} {way.fact.grade}: {rate:.4f}"
        for way, rate in went.items()
        if not way.keeps_its_word(rate)
    ]


@pytest.mark.parametrize(
    ("letters", "mode", "name"),
    [
        ("SESP", PIPE, "inchworm backwards"),
        ("RRSESRR", OPEN, "rolling"),
        ("OOOO", OPEN, "snake turn"),
    ],
)
def test_what_is_granted_moves_as_it_is_told_to(letters: str, mode: WorkingMode, name: str) -> None:
    went = rates(letters, mode, 1, name)
    assert len(went) == 1
    assert broken_words(went) == []


def test_three_extensions_are_no_snake_and_would_lie_still() -> None:
    assert rates("EEE", OPEN, 1) == {}
    engine = Engine()
    engine.rulebook.take(RuleFile(remove=("a caterpillar lifts its joints",)), where="here")
    (rate,) = rates("EEE", OPEN, 1, "snake", engine=engine).values()
    assert abs(rate) < 0.001, "the control: by Table 9 alone it would be granted"


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "share"), [(OPEN, 0.75), (PIPE, 0.9)])
def test_chains_drawn_at_random_keep_their_word(mode: WorkingMode, share: float) -> None:
    """Shares: in the open, chains with heavy or wheeled cargo still turn to the wrong side."""
    asked, broken = 0, list[str]()
    for seed, joint in ((101, "R"), (102, "O"), (103, "R")):
        went = rates(drawn(seed, joint), mode, seed)
        asked += len(went)
        broken += broken_words(went)
    assert asked >= 6
    assert len(broken) <= (1 - share) * asked, broken
