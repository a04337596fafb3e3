"""Roles signal through all child connectors: any tree, down or both ways, any mix (002 §3, §6)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.rigs import robot_from
from tests.systems.conro.colonies import Colony, colony

from annelid.errors import InputError
from annelid.papers.conro_bodies import random_tree
from annelid.robot import Robot
from annelid.systems.conro.general import SLOTS

PERIOD = 60
DELAYS = {"front": 12, "left": 24, "right": 45}
DICE = np.random.default_rng(77)
SMALL = DICE.integers((4, 0), (21, 999), (2, 2)).tolist()
LARGE = DICE.integers((21, 0), (65, 999), (6, 2)).tolist()
"""Modules and seed of bodies that nothing was built for."""
DRAWN = [*SMALL, *(pytest.param(*drawn, marks=pytest.mark.slow) for drawn in LARGE)]


def body(modules: int, seed: int) -> Robot:
    tree = random_tree(modules, seed)
    return robot_from({"modules": tree["robot.modules"], "docks": tree["robot.docks"]})


def branched(**options: Any) -> dict[str, Any]:
    """No walker: a module with one at its back, one at its left, and one at that one's left."""
    docks = (("C1.back", "C2.front"), ("C1.left", "C3.back"), ("C3.left", "C4.back"))
    return {
        "modules": [{"type": "C"} for _ in range(4)],
        "docks": [{"a": a, "b": b} for a, b in docks],
        **options,
    }


def begun(run: Colony, module: str, *, after: float = 0.0) -> float:
    """Step at which a cycle of a module began, by its first signal from then on; one that is sent
    late says so."""
    found: list[float] = []
    for signal in run.rig.details("wire"):
        sender, _, face = signal["from"].partition(".")
        at = signal["start_ns"] / (run.net.step_s * 1e9)
        if sender == module and at >= after * PERIOD:
            data = bytes.fromhex(signal["bytes"])
            late = data[2] % SLOTS if len(data) == 5 else 0
            found.append(at - DELAYS.get(face, 0) - late)
    return min(found)


def worst_lag(run: Colony, *, after: float) -> float:
    """Steps by which some child is not behind its parent as far as its connector's delay says."""
    found = [0.0]
    for dock in run.rig.sim.robot.docks:
        (parent, face), (child, _) = dock.a, dock.b
        lag = begun(run, child, after=after) - begun(run, parent, after=after) - DELAYS[face]
        found.append(abs((lag - 0.75 + PERIOD / 2) % PERIOD - PERIOD / 2))
    return max(found)


def told(run: Colony, *, after: float) -> set[str]:
    start = after * run.net.cycle_s * 1e9
    return {d["bytes"][:4] for d in run.rig.details("wire") if d["start_ns"] >= start}


def deepest(robot: Robot) -> tuple[int, int]:
    """The longest sum of delays from the root, and how many docks the highest way has."""
    steps, height = {"C1": 0}, {"C1": 0}
    for dock in robot.docks:  # a parent is always docked before its children
        (parent, face), (child, _) = dock.a, dock.b
        steps[child], height[child] = steps[parent] + DELAYS[face], height[parent] + 1
    return max(steps.values()), max(height.values())


@pytest.mark.parametrize(("modules", "seed"), DRAWN)
def test_a_random_tree_starts_by_its_height_and_is_in_step(modules: int, seed: int) -> None:
    who = body(modules, seed)
    run = colony(who, seed=seed, parent="back", period=PERIOD, delays=DELAYS)
    steps, height = deepest(who)
    cycles = steps / PERIOD + 3
    run.think(cycles)
    firsts = [min(run.sent(f"{m.name}.front")) - DELAYS["front"] for m in who.modules]
    assert steps <= max(firsts) <= steps + 1.5 * height
    assert worst_lag(run, after=cycles - 2) <= 0.75


def test_without_signals_only_the_root_begins() -> None:
    modules, seed = SMALL[0]
    who = body(modules, seed)
    deaf = colony(who, seed=seed, parent="back", period=PERIOD, delays=DELAYS, loss=1.0)
    deaf.think(2)
    assert {d["from"].partition(".")[0] for d in deaf.rig.details("wire")} == {"C1"}


@pytest.mark.parametrize(("modules", "seed"), DRAWN[:5])
def test_both_ways_one_leads_a_random_tree_within_its_height(modules: int, seed: int) -> None:
    who = body(modules, seed)
    run = colony(who, seed=seed, parent="back", period=PERIOD, delays=DELAYS, signals="both")
    _, height = deepest(who)
    cycles = 2 * height + 2
    run.think(cycles + 3)
    assert len(told(run, after=0)) > 1
    assert told(run, after=cycles) == {max(told(run, after=0))}
    assert worst_lag(run, after=cycles + 1) <= 2  # up, what a signal takes counts the other way


def test_a_branched_body_that_is_no_walker_has_one_leader_or_is_refused() -> None:
    """Three led it once; by the female backs it has one root and needs no election."""
    who = robot_from(branched())
    run = colony(who, signals="both", period=PERIOD)
    run.think(10)
    assert len(told(run, after=8)) == 1
    with pytest.raises(InputError, match="two roots, C1 and C3"):
        colony(who)
    hung = robot_from(
        {**branched(), "docks": [{"a": "C2.front", "b": "C1.back"}, *branched()["docks"][2:]]}
    )
    with pytest.raises(InputError, match="two roots"):
        colony(hung)


@pytest.mark.parametrize(("signals", "cycles"), [("down", 6), ("both", 16)])
def test_a_mix_of_roles_moves_each_in_its_way_and_in_step(signals: str, cycles: int) -> None:
    motions = {"C2,C4": "sidewinder", "C3": {"pitch": {"mean_deg": 10}}}
    run = colony(
        body(6, 5), parent="back", period=PERIOD, delays=DELAYS, motions=motions, signals=signals
    )
    run.think(cycles)
    yaws = [node.board.servos["yaw"] for node in run.net.modules if node.name in ("C2", "C4")]
    assert all(abs(yaw.target) > 0 for yaw in yaws)
    c3 = next(node.board for node in run.net.modules if node.name == "C3")
    assert c3.servos["pitch"].target == pytest.approx(np.radians(10))
    assert len(told(run, after=cycles - 2)) == 1, "one leads"
    assert worst_lag(run, after=cycles - 2) <= (0.75 if signals == "down" else 2)


@pytest.mark.parametrize(
    ("docks", "options", "message"),
    [
        (
            ["C1.left C2.back", "C2.left C3.back", "C3.left C4.back", "C4.left C5.back"],
            {"parent": "back"},
            "would lie in each other at the start: the body touches itself",
        ),
        (["C1.back C2.front"], {"delays": {"back": 175}}, "175 through back is 5 steps before 0"),
        (["C1.back C2.front"], {"delays": {"front": 9}}, "front is the parent connector"),
        (["C1.back C2.front"], {"delays": {"top": 9}}, "top"),
        (["C1.back C2.front"], {"motions": {"C7": "sidewinder"}}, "unknown module 'C7'"),
        (
            ["C1.back C2.front"],
            {"motions": {"C2": {"roll": {"amplitude_deg": 9}}}},
            "C2 has no servo roll",
        ),
        (["C1.back C2.front"], {"role": "walker", "motions": {"C2": "sidewinder"}}, "of trees"),
        (["C1.back C2.front"], {"role": "walker"}, "C1 would wait for ever: docked by its back"),
    ],
)
def test_bodies_and_options_that_cannot_work_say_why(
    docks: list[str], options: dict[str, Any], message: str
) -> None:
    count = max(int(end.split(".")[0][1:]) for dock in docks for end in dock.split())
    pairs = [dock.split() for dock in docks]
    who = robot_from(
        {
            "modules": [{"type": "C"} for _ in range(count)],
            "docks": [{"a": a, "b": b} for a, b in pairs],
        }
    )
    with pytest.raises(InputError, match=message) as refused:
        colony(who, **options)
    assert "\n" not in str(refused.value)


def test_a_bare_head_is_told_its_place_from_behind_when_signals_go_both_ways() -> None:
    docks = ["C1.back C2.front", "C2.left C3.back", "C2.right C4.back"]
    pairs = [dock.split() for dock in docks]
    who = robot_from(
        {
            "modules": [{"type": "C"} for _ in range(4)],
            "docks": [{"a": a, "b": b} for a, b in pairs],
        }
    )
    run = colony(who, role="walker", signals="both")
    run.think(8)
    assert len(told(run, after=6)) == 1
    assert abs(run.net.modules[0].board.servos["yaw"].target) <= np.radians(25)
