"""Measures what a MICROTUB module's program costs per pass of its loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import process_time_ns
from typing import Any, Final

from annelid.electronics.board import Board
from annelid.electronics.circuit import Circuit
from annelid.kernel import Kernel, Program, seconds
from annelid.modules import shelf
from annelid.physics.simulation import Simulation
from annelid.robot import assemble, chain
from annelid.systems.microtub.discovery import Ear
from annelid.systems.microtub.module import BUS
from annelid.systems.microtub.network import build
from annelid.systems.microtub.protocol import LLC2, Command
from annelid.systems.microtub.spec import MicrotubSpec
from annelid.trial.bench_row import BenchRow, Tell
from annelid.worlds import parse_world, worlds

STRAIGHT: Final[Mapping[str, Any]] = {
    "kind": "pipe",
    "parts": [{"part": "straight", "length_mm": 1500}],
}
OPEN: Final[Mapping[str, Any]] = {"kind": "open-air"}
WARM_UP_S, SPAN_S = 0.5, 2.0
CALLS: Final = 20_000
"""From which the cost of a look at the clock is taken."""

Case = tuple[str, Mapping[str, Any], Command]
AVERAGE: Final[Case] = ("TRRHRRVP", STRAIGHT, LLC2.MHE)
WORST: Final[Case] = ("RRRRRRRR", OPEN, LLC2.MSW)
"""Both waves, with every servo moving all the time."""


def bench(*, quick: bool, tell: Tell) -> list[BenchRow]:
    tell("a MICROTUB module's tick")
    return module_ticks(repeats=3 if quick else 9)


def module_tick(case: Case) -> float:
    """CPU time of everything but the simulated world, per pass of a module's loop, s.

    Kernel, bus, clocks, agent, behaviours and their record; the trace goes nowhere.  The world is
    the engine's steps, and what a sensor would see: a board reads a register, we cast a ray.
    """
    letters, world, command = case
    sim = Simulation(assemble(chain(letters), shelf()), parse_world(world, worlds()))
    stopwatch = _Stopwatch()
    sim.advance = stopwatch.on(sim.advance)  # type: ignore[method-assign]
    sim.sensors.read_one = stopwatch.on(sim.sensors.read_one)  # type: ignore[method-assign]
    kernel = Kernel()
    circuit = Circuit(kernel, sim)
    spec = MicrotubSpec(addresses=tuple(range(1, len(letters) + 1)), boot_ms=0.0)

    def pc(board: Board) -> Program:
        ear = Ear(board, board.ports[BUS])
        for place in range(len(letters)):
            yield from ear.say(LLC2.PLA, place, to=place + 1)
        yield from ear.say(command)

    build(spec, circuit, pc=pc)
    circuit.start()
    kernel.run(seconds(WARM_UP_S))
    stopwatch.reset()
    begun = process_time_ns()
    kernel.run(seconds(WARM_UP_S + SPAN_S))
    spent_ns = process_time_ns() - begun - stopwatch.spent_ns - stopwatch.own_ns
    passes = len(letters) * SPAN_S / (spec.loop_ms / 1000)
    return spent_ns / passes / 1e9


class _Stopwatch:
    """CPU time of some calls, and what looking at the clock costs beside them."""

    def __init__(self) -> None:
        self.reset()
        nothing = self.on(lambda: None)
        begun = process_time_ns()
        for _ in range(CALLS):
            nothing()
        self._look_ns = (process_time_ns() - begun - self.spent_ns) / CALLS

    def reset(self) -> None:
        self.spent_ns = self._calls = 0

    @property
    def own_ns(self) -> float:
        return self._calls * self._look_ns

    def on(self, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same work, measured."""

        def measured(*given: Any) -> Any:
            begun = process_time_ns()
            found = work(*given)
            self.spent_ns += process_time_ns() - begun
            self._calls += 1
            return found

        return measured


def module_ticks(*, repeats: int) -> list[BenchRow]:
    """The least of some repeats: what disturbs a CPU only adds."""
    rows = []
    for name, case, limit in (("on average", AVERAGE, 20.0), ("in the worst gait", WORST, 40.0)):
        letters, world, command = case
        best = min(module_tick(case) for _ in range(repeats))
        rows.append(
            BenchRow(
                f"a MICROTUB module's tick, {name}",
                best * 1e6,
                "µs",
                limit,
                f"{command.name} on {letters}, {world['kind']}; all but steps and sensing; CPU",
            )
        )
    return rows
