"""Whoever has the highest number leads, wherever it is (002 §6)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from tests.systems.conro.colonies import Colony, colony, legged

from annelid.kernel import RandomStreams
from annelid.systems.conro.phases import phases
from annelid.systems.conro.spec import ConroSpec

LATE = 1.5
"""A signal is seen at the next step, and takes some milliseconds."""


def number(seed: int, module: str) -> int:
    """What a board will draw."""
    return int(RandomStreams(seed)[f"board/{module}"].integers(1 << 16))


def seed_for(leader: str, names: list[str]) -> int:
    """The first with which this module has the highest number."""
    return next(s for s in range(1000) if max(names, key=lambda n: number(s, n)) == leader)


def followed(run: Colony, *, after: float) -> set[int]:
    start = after * run.net.cycle_s * 1e9
    return {int(d["bytes"][:4], 16) for d in run.rig.details("wire") if d["start_ns"] >= start}


@pytest.mark.parametrize("leader", ["S1", "S2", "L1", "R2"])
def test_a_quadruped_is_led_by_any_of_its_modules_and_its_phases_tell(leader: str) -> None:
    body = legged(2)
    names = [module.name for module in body.modules]
    seed = seed_for(leader, names)
    run = colony(body, seed=seed, role="walker", signals="both")
    run.run(8)
    assert followed(run, after=6) == {number(seed, leader)}
    spec = ConroSpec(role="walker", signals="both")
    told = phases(spec, len(names), run.rig.details("wire"))
    assert told is not None
    behind = {name: float(parts[-1]) for name, (_, parts) in told.behind.items()}
    assert set(behind) == set(names)
    for child, parent, delay in (("R2", "S2", 0.25), ("L2", "S2", 0.75), ("S2", "S1", 0.5)):
        lag = (behind[child] - behind[parent] - delay + 0.5) % 1 - 0.5
        assert abs(lag) < 0.03, (child, parent)


def test_the_phase_of_a_leg_counts_how_late_its_signal_says_it_is() -> None:
    """Parents signal up to three steps late by chance, and say so: the leg does not lag for it."""
    body = legged(2)
    seed = seed_for("S1", [module.name for module in body.modules])
    run = colony(body, seed=seed, role="walker", signals="both")
    run.think(14)
    late = {
        int(d["bytes"][4:6], 16) % 4 for d in run.rig.details("wire") if d["from"] == "S1.right"
    }
    told = phases(ConroSpec(role="walker", signals="both"), 6, run.rig.details("wire"))
    assert told is not None
    _, behind = told.behind["R1"]
    assert 3 in late
    assert 180 * behind[3:] == pytest.approx([45] * len(behind[3:]), abs=LATE)


def test_a_leg_with_the_highest_number_says_so_as_soon_as_it_knows_where_it_hangs() -> None:
    """It waited for its own cycle, a whole one at worst."""
    body = legged(3)
    names = [module.name for module in body.modules]
    for leader in ("L1", "R2", "L3"):
        run = colony(body, seed=seed_for(leader, names), role="walker", signals="both")
        run.think(4)
        own = run.sent(f"{leader}.back")[0]
        parent = f"S{leader[1]}.{'left' if leader[0] == 'L' else 'right'}"
        assert own == pytest.approx(run.sent(parent)[0], abs=LATE)


def test_a_chain_is_led_from_its_middle_and_by_the_next_when_it_dies() -> None:
    names = [f"C{k}" for k in range(1, 7)]
    seed = seed_for("C4", names)
    run = colony("C" * 6, seed=seed, role="caterpillar", signals="both")
    run.run(8)
    assert followed(run, after=6) == {number(seed, "C4")}
    assert run.way("C4", cycles=3)[0] > 0.12
    dead = run.net.modules[3]
    dead.kill()
    run.run(20)
    ahead = max(number(seed, name) for name in names[:3])
    behind = max(number(seed, name) for name in names[4:])
    assert followed(run, after=17) == {ahead, behind}  # it parts them: nobody passes signals on
    dead.start()
    run.run(30)
    assert len(followed(run, after=27)) == 1


@dataclass
class Loaded:
    """Dice that fall as they are told."""

    falls: list[int]

    def integers(self, sides: int) -> int:
        return self.falls.pop(0) if sides == 1 << 16 else self.falls[0] % sides


def test_two_that_have_the_highest_number_draw_others() -> None:
    run = colony("C" * 5, role="caterpillar", signals="both")
    for k, node in enumerate(run.net.modules):
        twice = k in (0, 3)
        node.board.random = Loaded([500, 600 + k, 0] if twice else [100 + k, 0])  # type: ignore[assignment]
        node.reset()
    run.run(10)
    assert 500 in followed(run, after=0)
    assert followed(run, after=8) == {600}  # it was in an earlier round than the other
