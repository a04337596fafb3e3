"""Loops elect a leader (002 §5.3), and find another one when it is gone."""

from __future__ import annotations

import pytest
from tests.systems.conro.colonies import Colony, colony, loop


def leaders(run: Colony, *, after: float) -> set[int]:
    """Whose numbers are in the signals."""
    start = after * run.net.cycle_s * 1e9
    heard = (d["bytes"] for d in run.rig.details("wire") if d["start_ns"] >= start)
    return {int(signal[:4], 16) for signal in heard}


def sizes(run: Colony, *, after: float, out: tuple[str, ...] = ()) -> set[int]:
    """How many modules the signals say there are; ``out``: of those that are not in the loop."""
    start = after * run.net.cycle_s * 1e9
    wire = [d for d in run.rig.details("wire") if d["start_ns"] >= start]
    return {int(d["bytes"][4:6], 16) for d in wire if d["from"].partition(".")[0] not in out}


@pytest.mark.parametrize("modules", [6, 8, 10, 12])
def test_the_highest_number_leads_and_the_track_rolls(modules: int) -> None:
    run = colony(loop(modules), role="rolling-track")
    run.run(3)
    before = run.rig.sim.centre()
    run.run(6)
    assert len(leaders(run, after=3)) == 1
    assert leaders(run, after=3) == {max(leaders(run, after=0))}
    assert sizes(run, after=3) == {modules}
    assert abs((run.rig.sim.centre() - before)[0]) / 3 > 0.04 * modules
    end, start = (run.rig.sim.face(face).at for face in (f"C{modules}.back", "C1.front"))
    assert end == pytest.approx(start, abs=0.5e-3)


def test_a_loop_that_shrinks_counts_anew() -> None:
    """Two modules are taken out of a loop of ten; nobody tells the others."""
    run = colony(loop(10), role="rolling-track")
    run.think(4)
    assert sizes(run, after=3) == {10}
    for a, b in (("C8.back", "C9.front"), ("C10.back", "C1.front")):
        run.rig.sim.cut(a, b)
    run.rig.sim.join("C8.back", "C1.front", angle=0.0)
    run.think(12)
    assert sizes(run, after=11, out=("C9", "C10")) == {8}


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
