"""What 002 §2 compares roles with: gait control tables and hormones, on the same bodies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.systems.conro.colonies import Colony, colony, loop

from annelid.errors import InputError
from annelid.systems.conro.system import describe_frames

METHODS = ("gait-table", "gait-table-open-loop", "hormone", "hormone-both-ways")


def targets(run: Colony, servo: str = "pitch") -> list[float]:
    return [node.board.servos[servo].target for node in run.net.modules]


def came(run: Colony, connector: str) -> list[float]:
    """When a connector's messages began, s."""
    return [d["start_ns"] * 1e-9 for d in run.rig.details("wire") if d["from"] == connector]


@pytest.mark.parametrize("method", METHODS)
def test_all_move_as_roles_do(method: str) -> None:
    """Each module is where its own cycle is, d behind the one before it; both ways a cycle takes
    longer, so it is read off the head."""
    run = colony("CCCC", method=method)
    run.run(2.3)
    swing = run.net.role.motion["pitch"]
    assert targets(run)[0] != 0
    if method != "hormone-both-ways":
        phases = [2.3 * 2 * np.pi - k * 2 * np.pi / 5 for k in range(4)]
        expected = [swing.at(x) for x in phases]
        assert targets(run) == pytest.approx(expected, abs=np.radians(5))


def test_a_master_and_the_hormones_of_one_way_need_a_message_for_every_module_and_step() -> None:
    for method in ("gait-table", "hormone"):
        run = colony("CCCC", method=method)
        run.think(1)
        assert len(run.rig.details("wire")) == pytest.approx(3 * 180, abs=8)
    quiet = colony("CCCC", method="gait-table-open-loop")
    quiet.think(1)
    assert not quiet.rig.details("wire")


def test_both_ways_an_action_waits_for_the_whole_body() -> None:
    """Down two bytes and up one for each module between the ends: 3.1 ms a module and action."""
    intervals = []
    for modules in (4, 12):
        run = colony("C" * modules, method="hormone-both-ways")
        run.think(0.5)
        intervals.append(np.diff(came(run, "C1.back")).mean())
    assert intervals[0] == pytest.approx(0.022 + 3 * 0.003125, abs=0.002)
    assert intervals[1] - intervals[0] == pytest.approx(8 * 0.003125, abs=0.002)


def test_one_lost_hormone_stops_those_that_answer_and_costs_the_others_one_step() -> None:
    for method, goes_on in (("hormone", True), ("hormone-both-ways", False)):
        run = colony("CCCC", method=method)
        run.think(1.001)
        run.net.infrared.disturb(loss=1.0)
        run.think(1.02)
        run.net.infrared.mend()
        run.think(2)
        late = [at for at in came(run, "C1.back") if at > 1.1 * run.net.cycle_s]
        assert bool(late) == goes_on


def test_cut_in_two_only_those_with_clocks_of_their_own_go_on_behind() -> None:
    moving = {}
    for method in ("roles", *METHODS):
        run = colony("CCCC", method=method)
        run.run(3)
        run.rig.sim.cut("C2.back", "C3.front")
        run.run(3.2)
        before = targets(run)
        run.run(3.4)
        moving[method] = [abs(a - b) > 0.01 for a, b in zip(before, targets(run), strict=True)]
    assert moving["roles"] == moving["gait-table-open-loop"] == [True] * 4
    assert moving["gait-table"] == moving["hormone"] == [True, True, False, False]
    assert moving["hormone-both-ways"][2:] == [False, False]


def test_clocks_that_drift_part_an_open_loop_and_not_a_triggered_one() -> None:
    """One per cent for four cycles is seven steps; the last of the chain is set off by them."""
    off = {}
    for method in ("gait-table", "gait-table-open-loop"):
        found = []
        for drift in (0.0, 10_000.0):
            run = colony("CCCC", method=method)
            run.net.modules[3].board.set_drift(drift)
            run.run(4.1)
            found.append(targets(run)[3])
        off[method] = abs(found[1] - found[0])
    assert off["gait-table"] < 1e-9
    assert off["gait-table-open-loop"] > 0.05


def test_a_table_also_rolls_a_track_whose_master_is_the_first() -> None:
    run = colony(loop(6), role="rolling-track", method="gait-table")
    run.run(1)
    before = run.rig.sim.centre()
    run.run(3)
    assert abs((run.rig.sim.centre() - before)[0]) > 0.3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"role": "walker", "method": "hormone"}, "walkers and signals"),
        ({"signals": "both", "method": "gait-table"}, 'need method = "roles"'),
        ({"method": "hormones"}, "gait-table-open-loop"),
    ],
)
def test_what_they_cannot_move_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        colony("CC", **options)


def test_hormones_need_a_head() -> None:
    with pytest.raises(InputError, match="no root: C1, C2"):
        colony(loop(8), role="rolling-track", method="hormone")


def test_their_messages_are_told_in_words() -> None:
    run = colony("CC", method="hormone-both-ways")
    run.think(0.05)
    told = [describe_frames(bytes.fromhex(d["bytes"]))[0][1] for d in run.rig.details("wire")]
    assert told[:3] == ["step 144", "all behind me have acted", "step 145"]
