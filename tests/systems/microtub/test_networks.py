"""Networks drawn at random: judged outside the robot, told by feature."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from annelid.boundary.quantities import fault_of
from annelid.cli.main import app
from annelid.errors import UnknownName
from annelid.systems.microtub.front import campaign
from annelid.systems.microtub.front.networks import Explored, explore, page
from annelid.systems.microtub.networks import Features, Onlooker, network
from annelid.trial.load import parse
from annelid.trial.run import Trial
from annelid.worlds.pipe_world import Pipe

FEATURES = Features(40.0, 0.0, 5.0, 1, 60.0, 1, 45.0)


@pytest.mark.parametrize("seed", range(8000, 8002))
def test_every_network_can_be_built_and_is_within_its_description(seed: int) -> None:
    fields = network(seed, plane="level", slope=6)
    assert fields == network(seed, plane="level", slope=6)
    trial = Trial(parse(fields))
    world = trial.sim.world
    assert isinstance(world, Pipe)
    drawn = Features.of(world)
    assert 38 <= drawn.bore_mm <= 44.5
    assert abs(drawn.slope_deg) <= 6
    assert drawn.steepest_deg <= 6.01
    assert 1 <= drawn.elbows <= 3
    seen = Onlooker.of(trial.sim, world, trial.sim.robot)
    seen.look()
    assert seen.home
    assert not seen.met


def test_a_level_network_is_read_as_it_was_kept() -> None:
    """Headings that are almost level come out as some 1e-15 degrees."""
    for seed in range(8100, 8110):
        drawn = Features.of(parse(network(seed, plane="level", slope=0)).world)  # type: ignore[arg-type]
        assert fault_of("steepest_deg", drawn.steepest_deg) is None


def test_a_chain_that_is_none_is_told_before_anything_is_run() -> None:
    for more in ((), ("--show", "3")):
        told = CliRunner().invoke(app, ["networks", "nosuch", "--runs", "2", *more])
        assert isinstance(told.exception, UnknownName)


def test_what_was_missed_and_what_was_said_falsely_is_in_the_table() -> None:
    good = Explored(1, FEATURES, ends=2, home=True, said="done", statements=4)
    bad = Explored(
        2,
        FEATURES,
        ends=2,
        missed=("tee1.branch",),
        false=("home",),
        statements=3,
        lacks=("elbow1",),
    )
    told = "\n".join(page([good, bad]))
    assert "7 statements, 1 false" in told
    assert "| all |  | 1 of 2 (9-91 %) | 1 of 2 (9-91 %) | 1 | 1 |" in told
    assert "| 2 | tee1.branch | no |" in told
    assert "\n| 1 |" not in told


def test_a_campaign_goes_on_where_it_was_broken_off(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(campaign, "KEPT", tmp_path)
    done: list[int] = []
    broken: list[int] = []

    def work(seed: int) -> Explored:
        if seed == 3 and not broken:
            broken.append(seed)
            raise OSError
        done.append(seed)
        return Explored(seed, FEATURES, ends=1)

    def go() -> list[Explored]:
        return campaign.campaign("x", work, range(1, 5), workers=1, read=Explored.read)

    with pytest.raises(OSError):
        go()
    assert done == [1, 2]
    assert [one.seed for one in go()] == [1, 2, 3, 4]
    assert done == [1, 2, 3, 4]


def test_a_network_can_be_shown() -> None:
    shown = CliRunner().invoke(app, ["networks", "--show", "8000"])
    assert 'kind = "pipe-network"' in shown.stdout
    wrong = CliRunner().invoke(app, ["networks", "--plane", "steep"])
    assert wrong.exit_code != 0


@pytest.mark.slow
def test_a_network_of_two_elbows_is_seen_to_its_end_and_left_again() -> None:
    """Bends of 59° and 53° to either side, 7° downhill, capped; and nothing is said that is not."""
    found = explore(9101, robot={"chain": "TRRHRRVP"}, plane="level", slope=12.0)
    assert found.good
    assert found.whole
    assert not found.false
    assert not found.crashed
    assert "everything seen, home again" in found.said
