"""Spoilt inputs are refused, strange frames survived; and what would fail is seen to fail."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.electronics.board import Board
from annelid.errors import InputError
from annelid.kernel import Program, Receive
from annelid.offline.space import Gene, Space, SpaceSpec
from annelid.reliability import doors as doors_room
from annelid.reliability.doors import Fuzz
from annelid.reliability.frames import Babbler, babble
from annelid.reliability.surroundings import tried
from annelid.trial.load import load
from annelid.trial.lock import LOCK, locked
from annelid.trial.plugins import load as load_plugins
from annelid.trial.run import Trial

SMALL, MANY = 12, 150
SEED = 41


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Fuzz:
    return Fuzz(tmp_path_factory.mktemp("fuzz"))


def _entered(found: Fuzz, door: str, count: int, seed: int) -> None:
    for k in range(count):
        found.enter(door, np.random.default_rng([seed, k]))
    assert found.failures == []
    assert found.counts[door]["refused"] + found.counts[door]["taken"] >= count


QUICK = (
    *("--set and --vary", "deed of the page", "program in the page", "wire between processes"),
    *("address", "file that is none"),
)


@pytest.mark.parametrize("door", ["scenario", "plugin", *QUICK])
def test_what_is_spoilt_is_refused_or_fit_for_use(found: Fuzz, door: str) -> None:
    _entered(found, door, SMALL, SEED)


@pytest.mark.slow
@pytest.mark.parametrize(
    "door", ["scenario", "study", "run folder", "plugin", "mesh", "request to the page", *QUICK]
)
def test_what_is_spoilt_is_refused_or_fit_for_use_many_times(found: Fuzz, door: str) -> None:
    _entered(found, door, 25 if door in ("run folder", "mesh") else MANY, SEED + 1)


def test_an_error_of_somebody_elses_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""

    def careless(text: str) -> None:
        raise ZeroDivisionError(text)

    monkeypatch.setattr(doors_room, "parse_address", careless)
    fuzz = Fuzz(tmp_path)
    seen = {fuzz.enter("address", np.random.default_rng([1, k])) for k in range(40)}
    assert "error" in seen
    assert "ZeroDivisionError" in fuzz.failures[0]
    assert list((tmp_path / "failed").iterdir())


@pytest.mark.parametrize(
    "scenario",
    [
        "erekobot",
        pytest.param("explore-straight", marks=pytest.mark.slow),
        pytest.param("caterpillar", marks=pytest.mark.slow),
    ],
)
def test_strange_frames_crash_no_board(scenario: str) -> None:
    outcome = babble(scenario, seed=5, seconds=0.6, a_turn=6)
    assert (outcome.outcome, outcome.why) == ("ok", "")
    assert outcome.frames > 200


def trusting(board: Board) -> Program:
    port = next(iter(board.ports.values()))
    while True:
        yield Receive(port.received)
        raise ZeroDivisionError


def test_a_board_that_trusts_its_wire_is_found_out() -> None:
    """The control: programs that fail over what they hear."""
    trial = Trial(load("caterpillar", overrides={"duration_s": 0.3}))
    babbler = Babbler(trial, np.random.default_rng(1), 6)
    for node in trial.circuit.nodes.values():
        node.firmware = trusting
    assert trial.measure().crashed
    assert babbler.sent


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "name",
    ["MUJOCO_GL=nonsense", "stdout closed", "ASCII locale", "COLUMNS=0", "TERMINAL_WIDTH=abc"],
)
def test_a_strange_environment_ends_well_or_is_told(name: str, tmp_path: Path) -> None:
    outcome, said = tried(name, tmp_path)
    assert outcome in ("ok", "told"), said


def test_a_plugin_whose_letter_is_a_number_is_told(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(doors_room.PLUGIN.replace('"W"', "5"))
    with pytest.raises(InputError, match=r"mine\.py:\d+: Stiff: TypeError"):
        load_plugins([path])


def test_a_mark_that_is_no_number_is_told() -> None:
    gene = Gene(field="world.bore_mm", low=38.0, high=42.0)
    space = Space(SpaceSpec(genes=(gene,)))
    with pytest.raises(InputError, match="expected a number, got list"):
        space.encode({"world.bore_mm": [1]})
    assert len(space.encode({"world.bore_mm": 40.0})) > 0


@pytest.mark.parametrize(
    "words",
    [
        ["fuzz", "--inputs", "1", "--frames", "0", "--no-surroundings"],
        ["campaign", "snake", "--faults", "1"],
    ],
    ids=["fuzz", "campaign"],
)
def test_a_second_one_in_the_same_folder_is_refused(tmp_path: Path, words: list[str]):
    """Two at once took each other's copies of the run away."""
    with locked(tmp_path / "out" / LOCK, what="out"):
        ran = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "out")])
    assert isinstance(ran.exception, InputError)
    assert "out is being worked on by process" in str(ran.exception)
    assert "\n" not in str(ran.exception)


def test_the_folder_is_free_again_afterwards(tmp_path: Path):
    words = ["fuzz", "--inputs", "1", "--frames", "0", "--no-surroundings", "--out", str(tmp_path)]
    for _ in range(2):
        assert CliRunner().invoke(app, [*words, "--door", "wire between processes"]).exit_code == 0
