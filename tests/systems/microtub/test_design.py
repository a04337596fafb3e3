"""Which robot to build: what cannot work is left out and said, the rest race and are ranked."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.errors import InputError
from annelid.modules import shelf
from annelid.systems.microtub.designs import Design, Sieve, chosen, levels
from annelid.systems.microtub.front import contest as contest_room
from annelid.systems.microtub.front.contest import Contest, Question, next_runs, verdict
from annelid.systems.microtub.front.design_page import page, write
from annelid.systems.microtub.networks import Features
from annelid.systems.microtub.prices import Prices, parts
from annelid.trial.pool import Pool
from annelid.worlds.pipe import PipeNetwork

LEVEL: dict[str, Any] = {
    "kind": "pipe",
    "bore_mm": 41,
    "parts": [{"part": "straight", "length_mm": 300}],
}
FEATURES = Features(41.0, 0.0, 0.0, 0, None, 0, None)
STEEP = {**LEVEL, "bore_mm": 48, "slope_deg": 60, "launch": "closed"}
"""Springs of a drive do not reach the wall there."""


def test_a_loser_is_stopped_early_and_a_winner_too() -> None:
    race = partial(next_runs, wanted=0.8, runs=20)
    assert race({"a": [], "b": []}) == [(name, k) for name in "ab" for k in range(3)]
    assert race({"a": [False] * 3, "b": [True] * 3}) == [("b", k) for k in (3, 4, 5)]
    assert race({"a": [False] * 3, "b": [True] * 10 + [False, True]}) == [
        ("b", k) for k in range(12, 20)
    ]
    assert race({"b": [True] * 16}) == []  # its interval begins above 80 %
    assert race({"b": [True] * 15 + [False] * 5}) == []  # it has had all its runs
    assert verdict([True] * 16, 0.8) == "yes"
    assert verdict([True] * 9 + [False], 0.8) == "in these runs"
    assert verdict([True] * 7 + [False] * 3, 0.8) == "unclear"
    assert verdict([False] * 3, 0.8) == "no"


def test_chains_have_a_head_and_few_modules_come_first() -> None:
    spelt = list(levels("TRHV", 4, shelf()))
    assert [len(level[0]) for level in spelt] == [1, 2, 3, 4]
    assert "THR" in spelt[2]
    assert "TVV" not in spelt[2]  # a second traveller measures nothing new
    assert all(chain[0] == "T" and "T" not in chain[1:] for level in spelt for chain in level)
    with pytest.raises(InputError, match="feels what is in front"):
        list(levels("RH", 4, shelf()))
    with pytest.raises(InputError, match="at most 100,000 chains"):
        list(levels("TRHSEV", 12, shelf()))


def test_what_cannot_work_is_left_out_with_the_reason() -> None:
    def judged(chain: str, pipe: dict[str, Any], **settings: float) -> tuple[int, str]:
        fields = {name: value for name, value in pipe.items() if name != "launch"}
        sieve = Sieve([PipeNetwork.model_validate(fields).tubes()], shelf())
        one = sieve.judge(Design(chain, tuple((f"H.{k}", v) for k, v in settings.items())))
        return one.within, one.why

    assert judged("TRHV", LEVEL) == (1, "")
    assert judged("THV", LEVEL) == (0, "the rules grant it no turn")
    assert judged("TRH", STEEP) == (0, "its drives are too weak for its weight on a slope")
    assert judged("TRH", STEEP, free_radius_mm=26.0)[0] == 1
    sharp = [{"part": "straight", "length_mm": 300}, {"part": "tee", "run_mm": 200}]
    sharp[1]["branch_mm"] = 150
    assert "mm does not pass a branch" in judged("TRRHRRVP", {**LEVEL, "parts": sharp})[1]


def test_of_every_mix_of_modules_one_is_tried_before_a_second() -> None:
    sieve = Sieve([PipeNetwork.model_validate(LEVEL).tubes()], shelf())
    designs = [Design(chain) for chain in ("TRRH", "TRHR", "TRHV", "THHR")]
    price = {design: Prices.read().of(design.chain) for design in designs}
    found = chosen([sieve.judge(design) for design in designs], 3, price)
    assert sorted("".join(sorted(one.design.chain)) for one in found) == ["HHRT", "HRRT", "HRTV"]


def test_prices_are_the_users_to_change(tmp_path: Path) -> None:
    assert parts("TRRH") == "1 T, 2 R, 1 H"
    file = tmp_path / "mine.toml"
    file.write_text('currency = "CHF"\n[modules]\nT = 10\nR = 1\n[once]\ncase = 5\n')
    mine = Prices.read(file)
    assert mine.of("TRR") == 17
    with pytest.raises(InputError, match="no price for module H"):
        mine.of("TRH")
    shown = CliRunner().invoke(app, ["design", "--show-prices"])
    assert "These prices are ours" in shown.stdout


def fake(task: tuple[Design, int], *, question: Question) -> dict[str, Any]:
    """Chains with two joints do it nine times of ten, others never."""
    design, run = task
    good = design.chain.count("R") == 2 and run != 4
    explored = {"seed": run, "features": vars(FEATURES), "ends": 1, "home": good}
    explored |= {"missed": [] if good else ["straight1"], "time_s": 60.0, "energy_j": 20.0}
    return {"design": design.name, "run": run, "error": None, "explored": explored}


def asked(**more: Any) -> Contest:
    question = Question("level", LEVEL, **{"longest": 5, "candidates": 3, "runs": 10, **more})
    return Contest(question, Prices.read(), code="x")


def test_the_shortest_that_does_it_is_named_and_longer_ones_are_not_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contest_room, "attempt", fake)
    found = asked()
    found.run(tmp_path, Pool(), lambda _: None)
    assert found.entries[0].design.chain.count("R") == 2
    assert {len(entry.design.chain) for entry in found.entries} == {3, 4}
    told = "\n".join(page(found))
    assert told.startswith("Build T")
    assert "9 of 10 (60-98 %) | reached in these runs | 60 s | 20.0 J" in told
    assert "0 of 3 (0-56 %) | not reached" in told
    assert "| the rules grant it no turn |" in told
    html, _ = write(found, tmp_path, "annelid design level")
    assert "<svg" in html.read_text()


def test_a_killed_search_ends_as_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    def work(limit: int, task: tuple[Design, int], *, question: Question) -> dict[str, Any]:
        if len(made) == limit:
            raise OSError
        made.append(1)
        return fake(task, question=question)

    whole = asked()
    monkeypatch.setattr(contest_room, "attempt", partial(work, -1))
    whole.run(tmp_path / "whole", Pool(), lambda _: None)
    needed = len(made)
    made.clear()
    for limit in (1, 5, 11):  # in the middle of rounds
        monkeypatch.setattr(contest_room, "attempt", partial(work, limit))
        with pytest.raises(Exception, match="could not write"):
            asked().run(tmp_path / "cut", Pool(), lambda _: None)
    monkeypatch.setattr(contest_room, "attempt", partial(work, -1))
    resumed = asked()
    resumed.run(tmp_path / "cut", Pool(), lambda _: None)
    assert list(page(resumed)) == list(page(whole))
    assert len(made) == needed  # nothing was done twice


@pytest.mark.parametrize(
    ("world", "more", "says"),
    [
        (STEEP, [], "no chain of up to 4 modules of TRHV can explore these pipes, because: its"),
        (STEEP, ["--chain", "TRRHRRVP"], "none of TRRHRRVP can explore these pipes, because"),
        (LEVEL, ["--vary", "world.bore_mm=40"], "letter"),
        (LEVEL, ["--vary", "H.springs=40", "--chain", "TRHV"], "springs"),
        (LEVEL, ["--modules", "TQ"], "Q"),
        (LEVEL, ["--prices", "none.toml"], "none.toml: no such TOML file"),
        ({"kind": "open-air"}, [], "expected pipes"),
        ({"bore_mm": 40}, [], "expected a table"),
        ({**LEVEL, "bore_mm": 10}, [], "expected a bore of 36"),
    ],
)
def test_what_cannot_be_is_one_line(
    world: dict[str, Any], more: list[str], says: str, tmp_path: Path
) -> None:
    from annelid.trial.toml import dumps

    file = tmp_path / "mine.toml"
    file.write_text(dumps(world))
    options = ["--longest", "4", "--workers", "1", "--out", str(tmp_path / "out"), *more]
    told = CliRunner().invoke(app, ["design", str(file), *options])
    assert isinstance(told.exception, InputError | SystemExit)
    assert says in str(told.exception) + told.output
    assert "\n" not in str(told.exception)
