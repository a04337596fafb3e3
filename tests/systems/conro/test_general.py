"""Whoever has the highest number leads, wherever it is (002 §6)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from tests.systems.conro.colonies import Colony, colony, legged

from annelid.kernel import RandomStreams
from annelid.systems.conro.phases import phases
from annelid.systems.conro.spec import ConroSpec


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
