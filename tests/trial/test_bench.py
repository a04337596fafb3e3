"""The bench measures what it says; its verdicts follow from its limits."""

from __future__ import annotations

import pytest

from annelid.kernel import seconds
from annelid.systems.climber.front import bench as bench_climber
from annelid.systems.conro.front import bench as bench_roles
from annelid.systems.erekobot.front.bench import packets
from annelid.trial import bench, bench_boards, bench_chains, bench_stack
from annelid.trial.bench_row import BenchRow
from annelid.trial.run import Trial
from annelid.worlds.open_air import OpenAir


def test_verdicts():
    assert BenchRow("a", 1.4, "×", 1.5, "").verdict == "pass"
    assert BenchRow("a", 1.6, "×", 1.5, "").verdict == "short"
    assert BenchRow("a", 1.6, "×", None, "").verdict == "–"


def test_bare_stepping_goes_the_way_of_the_trial(monkeypatch):
    """The two sides of a ratio do the same physics, but for the electronics that bare lacks."""
    world = {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 500}]}
    scenario = bench._scenario("TRRH", world, duration_s=0.4)
    trial, bare, twin = Trial(scenario), Trial(scenario).sim, Trial(scenario).sim
    trial.measure()
    bench._bare(bare, bench._commands(scenario))
    assert bare.head() == pytest.approx(trial.sim.head(), abs=1e-3)
    monkeypatch.setattr(bench, "set_callback", lambda name, function: None)
    bench._bare(twin, bench._commands(scenario))
    assert twin.data.qpos == pytest.approx(trial.sim.data.qpos, abs=1e-9)


def test_sixty_modules_are_built_in_time():
    assert bench.building(repeats=1).verdict == "pass"


def test_boards_and_bare_physics_do_the_same_work():
    alone = bench_boards._limp(bench_boards._chain())
    alone.advance(seconds(bench_boards.SPAN_S) // alone.step_ns)
    circuit = bench_boards._boards(bench_boards._chain())
    bench_boards._run(circuit)
    assert circuit.sim.data.qpos.tolist() == alone.data.qpos.tolist()
    assert len(circuit.nodes) == 10


def test_packets_are_quick():
    assert packets(count=5_000).verdict == "pass"


@pytest.mark.parametrize("timestep_ms", bench_roles.TIMESTEPS_MS)
def test_roles_and_bare_physics_do_the_same_work(timestep_ms: float):
    pair = bench_roles.Pair(4, timestep_ms)
    times = [pair.turn() for _ in range(20)]
    assert pair.ours.data.qpos.tolist() == pair.bare.data.qpos.tolist()
    assert min(min(both) for both in times) > 0
    assert len(pair.ours.told) == 4 * 2


def test_a_quick_bench_measures_short_and_long_caterpillars():
    rows = bench_roles.bench(quick=True, tell=lambda _: None)
    paces = [row.name.partition("caterpillar of ")[2] for row in rows if row.limit is None]
    assert paces == ["8 at 0.5 ms", "8 at 1 ms", "64 at 0.5 ms", "64 at 1 ms"]


def test_the_full_stack_and_bare_physics_go_over_the_same_ground():
    """From each state the engine alone comes to the next, but for the electronics it lacks."""
    scenario = bench_stack.on_its_way(2.5)
    states = bench_stack.kept_states(scenario)
    assert len(states) == 2.5 * 1000 / bench_stack.TICK_MS
    trial, sim = Trial(scenario), Trial(scenario).sim
    bench_stack.recorded(trial)
    bench_stack.bare(sim, states)
    assert trial.tally.way > 0.02
    assert sim.head() == pytest.approx(trial.sim.head(), abs=1e-3)


def test_a_stance_of_six_legs_is_judged_in_time():
    assert bench_climber.leg_position_evaluation(quick=True).verdict == "pass"


def test_a_climber_walks_faster_than_the_clock():
    """5 × is the bench's; here the machine is busy with other tests."""
    row = bench_climber.full_stack(quick=True)
    assert row.above
    assert row.value > 1.5


BUILT = (bench_chains.now, bench_chains.before)


def test_the_two_snakes_of_the_bench_are_one_robot():
    """Built now and as before: the same weight, motors and way; fewer contacts."""
    snakes = [
        built(8, 0, OpenAir(), crawls=True) for built in (bench_chains.now, bench_chains.before)
    ]
    for snake in snakes:
        for _ in range(100):
            snake.tick()
    masses = [float(snake.model.body_mass.sum()) for snake in snakes]
    assert masses[0] == pytest.approx(masses[1])
    assert snakes[0].model.nu == snakes[1].model.nu
    ends = [snake.data.body("R8/back").xpos[0] for snake in snakes]
    assert ends[0] == pytest.approx(ends[1], abs=0.02)
    lying = [
        built(8, 0, OpenAir(), crawls=False) for built in (bench_chains.now, bench_chains.before)
    ]
    for snake in lying:
        for _ in range(30):
            snake.tick()
    assert lying[0].data.ncon < 0.6 * lying[1].data.ncon
