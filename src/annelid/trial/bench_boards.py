"""Measures what boards, links and idle programs cost besides the physics."""

from __future__ import annotations

from functools import partial
from statistics import median

import numpy as np

from annelid.electronics.board import Board
from annelid.electronics.circuit import Circuit
from annelid.electronics.node import BoardSpec
from annelid.electronics.uart import Uart
from annelid.kernel import Kernel, Program, seconds
from annelid.modules import shelf
from annelid.physics.simulation import Simulation
from annelid.robot import assemble, chain
from annelid.trial.bench_row import BenchRow, timed
from annelid.worlds import parse_world, worlds

BOARDS = 10
TICK_S = 0.015
"""The control loop of 000."""
SPAN_S = 0.5


def idle(board: Board) -> Program:
    """Looks at its servo and has nothing to do."""
    servo = board.servos["pitch"]
    while True:
        if servo.tripped:
            servo.release()
        yield board.sleep(TICK_S)


def boards_beside_physics(*, repeats: int) -> BenchRow:
    """Kernel, a line and idle programs, in turns with the same limp chain without them."""
    ratios = []
    for _ in range(repeats):
        alone = _limp(_chain())
        steps = seconds(SPAN_S) // alone.step_ns
        physics = timed(partial(alone.advance, steps))
        circuit = _boards(_chain())
        both = timed(partial(_run, circuit))
        ratios.append(both / physics - 1)
    return BenchRow(
        f"{BOARDS} boards at {TICK_S * 1000:g} ms / their physics",
        100 * median(ratios),
        "%",
        15.0,
        "kernel, serial line, a program that looks at its servo; K chain in open air, 0.5 ms; CPU",
    )


def _chain() -> Simulation:
    world = parse_world({"kind": "open-air"}, worlds())
    return Simulation(assemble(chain("K" * BOARDS), shelf()), world)


def _limp(sim: Simulation) -> Simulation:
    """As boards leave it that command nothing."""
    sim.actuators.write(np.full(len(sim.actuators), np.nan))
    return sim


def _boards(sim: Simulation) -> Circuit:
    kernel = Kernel()
    circuit = Circuit(kernel, sim)
    line = circuit.links["line"] = Uart("line", kernel, sim.streams)
    spec = BoardSpec(drift_ppm=(-200.0, 200.0), offset_ms=(0.0, 15.0))
    for module in sim.robot.modules:
        node = circuit.add(module.name, idle, spec)
        node.board.ports["line"] = line.attach(module.name)
    circuit.start()
    return circuit


def _run(circuit: Circuit) -> None:
    circuit.kernel.run(seconds(SPAN_S))
    circuit.grid.sync()
