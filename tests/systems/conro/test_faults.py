"""Bodies that cannot work are refused, and what goes wrong while a robot runs has a known end."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.rigs import robot, robot_from
from tests.systems.conro.colonies import Colony, colony, loop

from annelid.errors import InputError
from annelid.trial.load import load
from annelid.trial.run import Trial

LAG = pytest.approx(36.75, abs=1.0)
"""d, and the step at which a signal is seen."""


def chain_of(*docks: str) -> dict[str, Any]:
    """``chain_of("C1.back C2.front", …)``: as many modules as are named."""
    pairs = [dock.split() for dock in docks]
    count = max(int(end.split(".")[0][1:]) for pair in pairs for end in pair)
    return {
        "modules": [{"type": "C"} for _ in range(count)],
        "docks": [{"a": a, "b": b} for a, b in pairs],
    }


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (chain_of("C1.back C2.front", "C2.back C3.back"), "two roots, C1 and C3: each has a free"),
        (chain_of("C1.front C2.front"), "C1 would wait for ever: its front is docked to C2.front"),
        (chain_of("C1.back C2.left"), "two roots, C1 and C2"),
    ],
)
def test_a_body_with_two_roots_or_deaf_modules_is_refused(
    body: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        colony(robot_from(body))
    assert colony(robot_from(body), signals="both").net.modules


def test_a_cycle_without_numbers_is_refused() -> None:
    with pytest.raises(InputError, match=r"no root: C1, C2, .*form a cycle.*rolling-track"):
        colony(loop(8))


def test_a_module_behind_one_without_a_program_is_refused() -> None:
    with pytest.raises(InputError, match=r"C2 would wait for ever: .* docked to P1\.back"):
        colony(robot("CPC"))


def test_numbers_need_a_loop_that_hops_can_count() -> None:
    with pytest.raises(InputError, match="needs a loop, but the front of C1 hears nobody"):
        colony("CCCCCC", role="rolling-track")
    with pytest.raises(InputError, match=r"at most 64 modules in a loop.*got 66"):
        colony(loop(66), role="rolling-track")


def test_two_roots_that_meet_in_a_run_each_lead_their_own() -> None:
    """Docked back to back by hand: nobody listens there, and neither root hears of the other."""
    run = colony(robot_from(chain_of("C1.back C2.front", "C3.back C4.front")))
    run.net.modules[2].board.set_drift(5000.0)
    run.think(3)
    run.rig.sim.join("C2.back", "C4.back", angle=0.0)
    run.think(12)
    assert [run.lag("C1", "C2", after=10), run.lag("C3", "C4", after=10)] == [LAG, LAG]
    ahead = run.lag("C4", "C2", after=11) - run.lag("C4", "C2", after=4)
    assert ahead == pytest.approx(7 * 0.005 * 180, abs=1.5)


def test_a_chain_closed_to_a_cycle_in_a_run_goes_on_with_every_other_cycle_cut_short() -> None:
    """Eight delays are 1.6 periods: a signal that has gone round sets its first sender back in its
    second cycle.  Lags stay d; nothing stops, and nobody leads."""
    body = {
        "modules": [{"type": "C", "start": {"pitch": 45}} for _ in range(8)],
        "docks": [{"a": f"C{k}.back", "b": f"C{k + 1}.front"} for k in range(1, 8)],
    }
    run = colony(robot_from(body))
    run.think(4)
    run.rig.sim.join("C8.back", "C1.front")
    run.think(20)
    intervals = np.diff(run.sent("C1.back", after=14))
    assert intervals[:-1] + intervals[1:] == pytest.approx(8 * 36.5, abs=4.5)
    assert min(intervals) < 120
    assert all(run.lag(f"C{k}", f"C{k + 1}", after=16) == LAG for k in range(1, 8))


class Loaded:
    """A die that shows a chosen number first."""

    def __init__(self, first: int, dice: np.random.Generator) -> None:
        self.first, self.dice, self.thrown = first, dice, 0

    def integers(self, high: int) -> int:
        self.thrown += 1
        return self.first if self.thrown == 1 else int(self.dice.integers(high))


def leaders(run: Colony, *, after: float) -> set[str]:
    """Connectors that began a number's way round."""
    start = after * run.net.cycle_s * 1e9
    return {
        d["from"]
        for d in run.rig.details("wire")
        if d["bytes"][8:10] == "01" and d["start_ns"] >= start
    }


def test_of_two_with_the_highest_number_one_draws_another_before_anybody_moves() -> None:
    run = colony(loop(8), seed=1, role="rolling-track", drift_ppm=5000, start=False)
    twins = [run.net.modules[k].board for k in (0, 4)]
    dice = [Loaded(65_000, board.random) for board in twins]
    for board, die in zip(twins, dice, strict=True):
        board.random = die  # type: ignore[assignment]  # throws as much as a ring asks for
    run.rig.circuit.start()
    run.think(10)
    assert sorted(die.thrown for die in dice) == [2, 3]
    assert len(leaders(run, after=8)) == 1
    assert {d["bytes"][6:8] for d in run.rig.details("wire")[-8:]} == {"08"}


def test_three_signals_in_four_lost_from_the_start_only_make_it_start_later() -> None:
    run = colony(loss=0.75, drift_ppm=2000)
    run.think(80)
    assert [run.lag(f"C{k}", f"C{k + 1}", after=78) for k in range(1, 8)] == pytest.approx(
        [36.75] * 7, abs=6
    )
    starts = [run.sent(f"C{k}.back")[0] for k in range(1, 9)]
    assert starts == sorted(starts)
    assert starts[-1] > 7 * 36 + 180


def test_passes_that_take_unequal_time_leave_the_cycle_as_it_is() -> None:
    """Up to two thirds of a step: timers tick on (002 §7)."""
    run = colony("CCCC", pass_ms=(0.0, 15.0))
    run.think(12)
    intervals = np.diff(run.sent("C4.back", after=2))
    assert intervals == pytest.approx(180, abs=2.5)
    assert np.mean(intervals) == pytest.approx(180, abs=0.3)
    lags = [run.lag(f"C{k}", f"C{k + 1}", after=10) for k in range(1, 4)]
    assert lags == pytest.approx([36.75] * 3, abs=1.5)


def test_modules_that_die_in_turn_take_nobody_with_them() -> None:
    """From the head on: whoever comes to be the first goes on by its own clock."""
    run = colony(drift_ppm=2000)
    run.think(3)
    for dead in range(7):
        run.net.modules[dead].kill()
        run.think(4 + dead)
        alive = [f"C{k}" for k in range(dead + 2, 9)]
        assert all(run.sent(f"{name}.back", after=3 + dead) for name in alive)
        assert not run.sent(f"C{dead + 1}.back", after=3 + dead)
        lags = [run.lag(a, b, after=3 + dead) for a, b in pairwise(alive)]
        assert lags == pytest.approx([36.75] * len(lags), abs=1.5)


def test_the_shipped_caterpillar_is_cut_and_is_one_again() -> None:
    shipped = load("caterpillar-cut", overrides={"physics.timestep_ms": 1.0})
    trial = Trial(shipped)
    assert trial.measure().success
    assert len(trial.sim.robot.pieces()) == 1
    assert trial.sim.epoch == 2
