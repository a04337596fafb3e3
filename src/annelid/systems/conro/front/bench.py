"""Measures what CONRO's role programs cost besides the physics, for any number of modules.

A caterpillar with its programs runs in turns with a second one that is told the same commands at
the same steps by nobody: the same run, bit for bit, with control and without.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from statistics import median

import mujoco

from annelid.electronics.circuit import Circuit
from annelid.kernel import Kernel, seconds
from annelid.modules import shelf
from annelid.physics.settings import Physics
from annelid.physics.simulation import Simulation
from annelid.robot import assemble, chain
from annelid.systems.conro.network import ConroNetwork, build
from annelid.systems.conro.spec import ConroSpec
from annelid.systems.conro.tree import SIGNAL
from annelid.trial.bench_row import BenchRow, Tell, timed
from annelid.worlds import parse_world, worlds

SIZES = (8, 64)
TIMESTEPS_MS = (0.5, 1.0)
"""Of the physics: the default, and the largest that the servo's model allows."""
OPTIONS = ConroSpec(period=45)
"""A cycle of 1 s, in 45 steps of 22 ms: a chain is in its wave soon."""
BLOCKS = 9
"""Of turns at most, of whose ratios the median is taken: other people's work disturbs some."""
TURNS = 180
"""Steps of a role that are measured: with 22 the share of 64 modules was anything from 0 to 3 %."""
WAVE = 5
"""Modules in a wave of the caterpillar; those a wave apart move alike."""


def bench(*, quick: bool, tell: Tell) -> list[BenchRow]:
    rows: list[BenchRow] = []
    for size, timestep_ms in product(SIZES, TIMESTEPS_MS):
        tell(f"{size} CONRO modules beside their physics of {timestep_ms:g} ms")
        rows += roles_beside_physics(size, timestep_ms, quick=quick)
    return rows


class RecordingSimulation(Simulation):
    """Remembers what it was told."""

    told: list[tuple[int, int, float]]

    def command(self, step: int, place: int, value: float) -> None:
        self.told.append((step, place, value))
        super().command(step, place, value)


class Pair:
    """Two equal caterpillars in their wave, of which one has programs."""

    def __init__(self, size: int, timestep_ms: float) -> None:
        physics = Physics(timestep_ms=timestep_ms)
        self.ours, self.bare = _caterpillar(size, physics), _caterpillar(size, physics)
        self.circuit = Circuit(Kernel(), self.ours)
        network = build(OPTIONS, self.circuit)
        self.circuit.start()
        _wake(network, self.circuit.kernel)
        self._turn_ns = seconds(network.step_s)
        self._controlled(OPTIONS.period * self._turn_ns)
        self.bare.actuators.write(self.ours.actuators.targets)
        mujoco.mj_copyData(self.bare.data, self.bare.model, self.ours.data)
        self.bare.steps = self.ours.steps

    def turn(self) -> tuple[float, float]:
        """A step of the role: CPU seconds with the programs, and without."""
        end_ns = self.circuit.kernel.now + self._turn_ns
        self.ours.told.clear()
        controlled = timed(partial(self._controlled, end_ns))
        for command in self.ours.told:
            self.bare.command(*command)
        return controlled, timed(partial(self.bare.advance_to, end_ns))

    def _controlled(self, until_ns: int) -> None:
        self.circuit.kernel.run(until_ns)
        self.circuit.grid.sync()


def roles_beside_physics(size: int, timestep_ms: float, *, quick: bool) -> tuple[BenchRow, ...]:
    """Control as a share of physics, and the real-time factor of both."""
    pair = Pair(size, timestep_ms)
    turns = [pair.turn() for _ in range(45 * SIZES[0] // size if quick else TURNS)]
    count = min(BLOCKS, len(turns))
    blocks = [turns[k::count] for k in range(count)]
    ratios = [sum(both for both, _ in block) / sum(bare for _, bare in block) for block in blocks]
    control_s, physics_s = (sum(times) for times in zip(*turns, strict=True))
    tick_us = (median(ratios) - 1) * physics_s / (len(turns) * size) * 1e6
    share = BenchRow(
        f"control of {size} CONRO modules / their physics of {timestep_ms:g} ms",
        100 * (median(ratios) - 1),
        "%",
        10.0,
        f"kernel, infrared, a role program on every module, {tick_us:.1f} µs per module and step "
        "of 22 ms; beside it the same run without them; caterpillar; CPU",
    )
    factor = len(turns) * OPTIONS.step_ms / 1000 / control_s
    pace = f"real-time factor, caterpillar of {size} at {timestep_ms:g} ms"
    return share, BenchRow(pace, factor, "×", None, "with its programs, no trace; CPU")


def _caterpillar(size: int, physics: Physics) -> RecordingSimulation:
    world = parse_world({"kind": "open-air"}, worlds())
    sim = RecordingSimulation(assemble(chain("C" * size), shelf()), world, physics)
    sim.told = []
    return sim


def _wake(network: ConroNetwork, kernel: Kernel) -> None:
    """Signals that come from nowhere: by itself a chain of 64 is awake after 13 s.

    Each module is left at a moment of its own within a step, as the signals of a run leave them.
    """
    step_ns, size = seconds(network.step_s), len(network.modules)
    delay = network.role.delays["back"]
    for place, node in enumerate(network.modules):
        inbox = node.board.ports[network.role.parent].received
        at = place % WAVE * delay * step_ns + place * step_ns // size
        kernel.call_at(at, partial(inbox.put, SIGNAL))
