"""Rows that count what robots say, and networks that nobody tuned for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annelid.papers import Bench, Case
from annelid.papers.b24_networks import Seen
from annelid.papers.b25_truth import experiment
from annelid.papers.case import Heard
from annelid.papers.interval import Rate
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


def test_a_row_on_truth_is_short_when_the_witness_disagrees(monkeypatch: pytest.MonkeyPatch):
    told = Heard(3, ("home again",), frozenset({"mood"}), 2, 1)
    monkeypatch.setattr("annelid.papers.b25_truth._heard", lambda bench, row: told)
    outcome = experiment(Bench(quick=True, workers=1))
    assert not outcome.passed
    assert "2 of 6" in outcome.ours
    assert "B1: home again" in outcome.note
    assert "mood" in outcome.note
    monkeypatch.setattr("annelid.papers.b25_truth._heard", lambda bench, row: Heard(3))
    assert experiment(Bench(quick=True, workers=1)).passed
    monkeypatch.setattr("annelid.papers.b25_truth._heard", lambda bench, row: Heard())
    assert not experiment(Bench(quick=True, workers=1)).passed, "who says nothing proves nothing"


def test_a_false_statement_reaches_the_row(monkeypatch: pytest.MonkeyPatch):
    wrong = Judgement(False, "it is not so")
    monkeypatch.setattr(MicrotubWitness, "judge", lambda self, statement: wrong)
    bench = Bench(workers=1)
    bench.trials(SHORT, seed)
    assert bench.heard.false


FEATURES = Features(40.0, 5.0, 5.0, 1, 60.0, 0, None)
GOOD = Explored(1, FEATURES, ends=2, home=True, intervals=10, held=10)


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
