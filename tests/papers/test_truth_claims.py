"""Rows that count what robots say, and networks that nobody tuned for."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from annelid.papers import CLAIMS, Bench, Case, Claim, Outcome, b24_networks, reproduce
from annelid.papers.b24_networks import Seen
from annelid.papers.b25_truth import ROWS, experiment
from annelid.papers.case import Heard
from annelid.papers.interval import Rate
from annelid.papers.record import kept_heard
from annelid.systems.microtub.front.networks import Explored
from annelid.systems.microtub.networks import Features
from annelid.systems.microtub.witness import MicrotubWitness
from annelid.systems.statement import Judgement
from annelid.trial.replay import Run

SHORT = {"": Case("default", {"duration_s": 3.0})}


def seed(run: Run) -> int:
    return run.metrics.seed


def test_what_robots_say_in_the_runs_of_a_row_is_counted():
    bench = Bench(workers=1)
    bench.trials(SHORT, seed)
    assert bench.heard.statements > 0
    assert not bench.heard.false
    bench.begin("B1", None)
    assert bench.heard == Heard()


def test_a_row_on_truth_adds_up_what_was_heard_in_all_other_rows():
    bench = Bench(workers=1)
    bench.rows_heard = {row: Heard(3, misled=1, intervals=2, held=1) for row in ROWS}
    outcome = experiment(bench)
    assert outcome.passed
    assert outcome.values["statements"] == 3 * len(ROWS)
    assert outcome.values["B24_statements"] == 3
    bench.rows_heard["B1"] = Heard(3, ("home again",), unjudged=("mood",))
    outcome = experiment(bench)
    assert not outcome.passed
    assert f"1 of {3 * len(ROWS)}" in outcome.ours
    assert "B1: home again" in outcome.note
    assert "mood" in outcome.note


def test_a_row_on_truth_is_short_where_nobody_listened():
    bench = Bench(workers=1)
    bench.rows_heard = {row: Heard(3) for row in ROWS if row not in ("B11", "B15")}
    outcome = experiment(bench)
    assert not outcome.passed
    assert "2 rows were measured without a witness" in outcome.ours
    assert "B11, B15" in outcome.note
    bench.rows_heard = {row: Heard() for row in ROWS}
    assert not experiment(bench).passed, "who says nothing proves nothing"
    assert "B1, " in experiment(Bench(workers=1)).note


def speaks(bench: Bench) -> Outcome:
    """Its robots have got there, and one has told what is not so."""
    bench.heard += Heard(4, () if bench.seed else ("home again",), unjudged=("mood",))
    return Outcome("all there", True, note="judged")


def is_honest(bench: Bench) -> Outcome:
    bench.heard += Heard(5)
    return Outcome("all there", True)


LIAR = Claim("B11", "it gets there", "§3", "predicted", speaks)
HONEST = Claim("B12", "it gets there too", "§3", "predicted", is_honest)


def test_no_row_passes_in_which_a_robot_told_what_is_not_so():
    liar, honest = reproduce(claims=(LIAR, HONEST))
    assert (liar.verdict, honest.verdict) == ("short", "pass")
    assert liar.note.endswith("not so: home again.")
    (other,) = reproduce(claims=(LIAR,), seed=1)
    assert other.verdict == "pass"


def test_what_was_heard_is_kept_with_its_row_and_added_up_later(tmp_path):
    truth = next(claim for claim in CLAIMS if claim.id == "B25")
    reproduce(keep=tmp_path, claims=(LIAR, HONEST))
    rows = {row["id"]: row for row in json.loads((tmp_path / "claims.json").read_text())["rows"]}
    assert rows["B11"]["heard"]["statements"] == 3 * 4, "with those of both further seeds"
    assert rows["B11"]["heard"]["false"] == ["home again"]
    assert "12 statements that were judged, 1 false" in (tmp_path / "claims/B11.md").read_text()
    (row,) = reproduce(keep=tmp_path, claims=(truth,))
    assert row.ours.startswith("1 of 27 statements")
    (row,) = reproduce(claims=(truth,))
    assert row.ours.startswith("0 of 0 statements"), "without a table, and alone"
    *_, row = reproduce(claims=(LIAR, HONEST, truth))
    assert row.ours.startswith("1 of 9 statements")


def test_a_row_that_was_kept_before_anybody_listened_makes_it_short(tmp_path):
    reproduce(keep=tmp_path, claims=(LIAR, HONEST))
    path = tmp_path / "claims.json"
    page = json.loads(path.read_text())
    del page["rows"][0]["heard"]
    path.write_text(json.dumps(page))
    assert list(kept_heard(tmp_path)) == ["B12"]


def test_a_row_that_breaks_has_not_been_heard(tmp_path):
    def breaks(bench: Bench) -> Outcome:
        bench.heard += Heard(2)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        reproduce(keep=tmp_path, claims=(replace(LIAR, experiment=breaks),))
    assert kept_heard(tmp_path) == {}


def test_a_false_statement_reaches_the_row(monkeypatch: pytest.MonkeyPatch):
    wrong = Judgement(False, "it is not so")
    monkeypatch.setattr(MicrotubWitness, "judge", lambda self, statement: wrong)
    bench = Bench(workers=1)
    bench.trials(SHORT, seed)
    assert bench.heard.false


FEATURES = Features(40.0, 5.0, 5.0, 1, 60.0, 0, None)
GOOD = Explored(1, FEATURES, ends=2, home=True, intervals=10, held=10)


def test_what_is_said_in_networks_is_heard_too(monkeypatch: pytest.MonkeyPatch):
    said = replace(GOOD, statements=7, empty=2, false=("all seen",), unjudged=("mood",))
    monkeypatch.setattr("annelid.papers.b24_networks.explore", lambda seed, **_: said)
    bench = Bench(quick=True, workers=1)
    b24_networks.experiment(bench)
    heard = bench.heard
    assert (heard.statements, heard.empty, heard.unjudged) == (4 * 7, 4 * 2, ("mood",))
    assert heard.false == ("all seen (network 1)",) * 4


def test_networks_that_are_done_are_not_explored_again(tmp_path, monkeypatch: pytest.MonkeyPatch):
    done: list[int] = []
    broken: list[int] = []

    def work(seed: int, **_: object) -> Explored:
        if seed == 2 and not broken:
            broken.append(seed)
            raise OSError
        done.append(seed)
        return replace(GOOD, seed=seed)

    monkeypatch.setattr("annelid.systems.microtub.front.campaign.KEPT", tmp_path)
    monkeypatch.setattr(b24_networks, "explore", work)
    monkeypatch.setattr(b24_networks, "RUNS", 3)
    with pytest.raises(OSError):
        b24_networks.experiment(Bench(workers=1))
    b24_networks.experiment(Bench(workers=1))
    assert done == [0, 1, 2, 0, 1, 2], "three networks for each of two robots, none twice"


def test_networks_pass_when_all_four_bars_hold():
    assert Seen([GOOD] * 5).passed
    assert not Seen([GOOD] * 3 + [replace(GOOD, home=False)] * 2).passed, "too few are home"
    assert not Seen([GOOD] * 4 + [replace(GOOD, false=("all seen",))]).passed, "something false"
    assert not Seen([replace(GOOD, held=8)] * 5).passed, "intervals too narrow"
    assert not Seen([replace(GOOD, unreachable=("too steep",))] * 5).passed, "little to reach"


def test_the_worst_feature_is_named():
    blunt = replace(GOOD, features=replace(FEATURES, branches=1, sharpest_deg=40.0))
    sharp = replace(GOOD, features=replace(FEATURES, branches=1, sharpest_deg=70.0), home=False)
    assert "sharpest branch 60 ° or more" in Seen([blunt] * 8 + [sharp] * 5).worst()


def test_a_rate_of_nothing_is_no_rate():
    rate = Rate.share(0, 0)
    assert str(rate) == "0 of 0 (0-100 %)"
    assert not rate.value >= 0.0
