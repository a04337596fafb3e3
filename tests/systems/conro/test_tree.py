"""The algorithm of 002 §3 on a chain: in step, and still so when things go wrong (§7)."""

from __future__ import annotations

from itertools import pairwise
from math import isnan
from typing import Any

import numpy as np
import pytest
from tests.rigs import robot
from tests.systems.conro.colonies import colony

from annelid.errors import InputError

LATE = 1.5
"""A signal is seen at the next step, and takes a millisecond."""


def test_each_module_lags_its_delay_behind_its_parent() -> None:
    run = colony()
    run.run(4)
    assert run.lags(8, after=3) == pytest.approx([36 + LATE / 2] * 7, abs=LATE / 2)


def test_clocks_three_per_cent_off_stay_in_step() -> None:
    run = colony("CCCC", drift_ppm=30_000)
    run.run(12)
    assert run.lags(4, after=11) == pytest.approx([36] * 3, abs=6)


def test_a_signal_that_is_a_step_late_does_not_grow_along_the_chain() -> None:
    """Modules that stretched all of their steps by what they had learnt passed on more than they
    had got: after 24 of them a cycle was out by nine steps, with any clocks but perfect ones."""
    run = colony("C" * 24, drift_ppm=2_000)
    run.think(14)
    for k in range(2, 25):
        _, *cycles = np.diff(run.sent(f"C{k}.back"))  # the first begins at once, not at a step
        assert cycles == pytest.approx([180] * len(cycles), abs=4)


def test_nobody_moves_before_the_first_signal_except_the_root() -> None:
    run = colony("CCC")
    boards = [node.board for node in run.net.modules]
    run.run(0.15)
    assert boards[0].servos["pitch"].target > 0.5
    assert all(isnan(board.servos["pitch"].target) for board in boards[1:])
    run.run(0.35)
    assert boards[1].servos["pitch"].target > 0.5
    assert isnan(boards[2].servos["pitch"].target)


def test_a_lost_signal_costs_one_period() -> None:
    """C2 misses the root's first signal and begins with the second."""
    sound, hurt = colony("CC"), colony("CC")
    hurt.net.infrared.disturb(loss=1.0)
    hurt.run(0.5)
    hurt.net.infrared.mend()
    for run in (sound, hurt):
        run.run(3)
    late = hurt.sent("C2.back")[0] - sound.sent("C2.back")[0]
    assert late == pytest.approx(180, abs=LATE)


def test_cut_in_two_both_halves_go_on() -> None:
    run = colony()
    run.run(3)
    (whole,) = run.way("C4", cycles=3)
    run.rig.sim.cut("C4.back", "C5.front")
    head, tail = run.way("C2", "C7", cycles=5)
    assert whole == pytest.approx(0.146, abs=0.015)
    assert min(head, tail) > 0.7 * whole
    lags = run.lags(8, after=7)
    assert [*lags[:3], *lags[4:]] == pytest.approx([36 + LATE / 2] * 6, abs=LATE / 2)
    nobody = [d for d in run.rig.details("wire") if d["from"] == "C4.back"][-1]
    assert not nobody["to"]


def test_three_quarters_of_the_signals_lost_leave_the_speed() -> None:
    speeds = []
    for loss in (0.0, 0.75):
        run = colony(drift_ppm=2_000)
        run.run(3)
        run.net.infrared.disturb(loss=loss)
        speeds += run.way("C4", cycles=10)
    assert speeds[1] >= 0.95 * speeds[0]


@pytest.mark.parametrize("seed", range(5))
def test_a_chain_learns_its_timers_well_enough_for_three_in_four_lost(seed: int) -> None:
    """Clocks are off by up to 2 %.  Modules that took their first, longer period for what their
    timers are off, or half of every jump of their parent's, were up to 20 % of a cycle astray, and
    so was one that heard nothing for 16 periods of 185 steps and took them for 17 of 180."""
    run = colony(drift_ppm=20_000, seed=seed)
    run.think(3)
    run.net.infrared.disturb(loss=0.75)
    run.think(24)
    signals = [run.sent(f"C{k}.back") for k in range(1, 9)]
    for parent, child in pairwise(signals):
        theirs = [max(at for at in parent if at <= own) for own in child]
        lags = np.array([own - at for own, at in zip(child, theirs, strict=True) if own >= 3 * 180])
        off = np.abs((lags - 36 + 90) % 180 - 90)
        assert float(np.sqrt((off**2).mean())) < 0.05 * 180


def test_a_dead_module_does_not_stop_those_behind_it() -> None:
    run = colony()
    run.run(3)
    run.net.modules[3].kill()
    run.run(6)
    assert not run.sent("C4.back", after=3.1)
    assert len(run.sent("C8.back", after=3)) == 3
    assert run.lags(3, after=5) == pytest.approx([36 + LATE / 2] * 2, abs=LATE / 2)


def test_a_reset_module_waits_for_its_parent_again() -> None:
    run = colony("CCC")
    run.run(3)
    run.net.modules[1].reset()
    run.run(5)
    assert run.lags(3, after=4) == pytest.approx([36 + LATE / 2] * 2, abs=LATE / 2)


@pytest.mark.parametrize("letter", ["R", "K"])
def test_other_robots_modules_keep_the_same_role(letter: str) -> None:
    """Equal programs on other bodies; they only must know whether they are docked."""
    run = colony(robot(letter * 6, **{letter: {"latch": True}}))
    run.run(3)
    (way,) = run.way(f"{letter}3", cycles=3)
    assert way > 0.2 * run.rig.sim.robot[f"{letter}1"].type.length


@pytest.mark.parametrize(
    ("letters", "options", "message"),
    [
        ("RR", {}, "R1 cannot tell whether its front is docked"),
        ("PP", {}, "needs the servos pitch, yaw; no module of PP has them"),
        ("KK", {"role": "sidewinder"}, "no module of KK has them"),
        ("CC", {"delay": 200}, "exceeds the period of 180"),
        ("CC", {"role": "walk"}, "role"),
    ],
)
def test_what_cannot_work_says_why(letters: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        colony(letters, **options)
