"""Loops elect a leader (002 §5.3), and find another one when it is gone."""

from __future__ import annotations

import pytest
from tests.systems.conro.colonies import Colony, colony, loop


def leaders(run: Colony, *, after: float) -> set[int]:
    """Whose numbers are in the signals."""
    start = after * run.net.cycle_s * 1e9
    heard = (d["bytes"] for d in run.rig.details("wire") if d["start_ns"] >= start)
    return {int(signal[:4], 16) for signal in heard}


@pytest.mark.parametrize("modules", [6, 8, 10, 12])
def test_the_highest_number_leads_and_the_track_rolls(modules: int) -> None:
    run = colony(loop(modules), role="rolling-track")
    run.run(3)
    before = run.rig.sim.centre()
    run.run(6)
    assert len(leaders(run, after=3)) == 1
    assert leaders(run, after=3) == {max(leaders(run, after=0))}
    assert abs((run.rig.sim.centre() - before)[0]) / 3 > 0.04 * modules
    end, start = (run.rig.sim.face(face).at for face in (f"C{modules}.back", "C1.front"))
    assert end == pytest.approx(start, abs=0.5e-3)


def test_a_dead_leader_is_replaced() -> None:
    run = colony(loop(8), role="rolling-track")
    run.run(4)
    (first,) = leaders(run, after=3)
    hop = next(d for d in run.rig.details("wire")[::-1] if d["bytes"].endswith("01"))
    leader = next(n for n in run.net.modules if hop["from"].startswith(f"{n.name}."))
    leader.kill()
    run.run(10)
    assert first not in leaders(run, after=6)
    leader.start()
    run.run(16)
    assert len(leaders(run, after=14)) == 1
