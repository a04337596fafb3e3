"""Timesteps: the verdict follows the numbers, and shipped scenarios keep it."""

from __future__ import annotations

import pytest

from annelid.errors import UnknownName
from annelid.papers.bench import Bench
from annelid.papers.convergence import Going, Speeds, at_rest, speed, speeds, table


def test_a_default_that_is_off_by_more_than_three_per_cent_is_short():
    good = Speeds("it", 1.0, ((0.25, (2.0, 2.02)), (1.0, (1.96, 1.98))))
    bad = Speeds("it", 1.0, ((0.25, (2.0,)), (1.0, (1.9,))))
    assert (good.verdict, bad.verdict) == ("pass", "short")
    assert good.off == pytest.approx(-0.0199, abs=1e-4)
    assert "short" in table([bad])[2]


def test_copies_have_no_spread():
    alike = Speeds("it", 0.5, ((0.5, (2.0, 2.0)),))
    assert alike.spread(0.5) is None
    assert "±" not in table([alike])[2]


def test_an_inchworm_is_as_fast_at_half_the_timestep():
    with Bench(workers=1) as bench:
        found = speeds(bench, "inchworm", duration_s=4.0, steps_ms=(0.5, 1.0), repeats=1)
    assert found.default_ms == 0.5
    assert abs(found.mean(1.0) / found.mean(0.5) - 1) < 0.03
    assert found.mean(0.5) == pytest.approx(2.5, abs=0.3)


def test_another_step_is_another_run():
    assert speed(Going("snake", 1.0, 0, 2.0)) != speed(Going("snake", 0.5, 0, 2.0))


@pytest.mark.parametrize(("what", "most"), [("creep", 0.65), ("slip", 0.2), ("depth", 0.1)])
def test_at_rest_nothing_depends_on_the_timestep(what, most):
    coarse, fine = at_rest((what, 2.0)), at_rest((what, 0.5))
    assert 0 < fine < most
    assert coarse == pytest.approx(fine, rel=0.03)


def test_an_unknown_scenario_is_refused():
    with pytest.raises(UnknownName), Bench(workers=1) as bench:
        speeds(bench, "no-such-scenario")
