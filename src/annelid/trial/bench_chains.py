"""Measures what long chains cost, against the same chain modelled in the plain way.

The plain way is what anybody would write by hand, and what Annelid did before: rooted at the head,
three boxes a module that touch the floor with all their corners.  Now a snake is rooted in its
middle and meets the floor in the corners of its rigid stretches.  The rest and the wave are the
same; both run in turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log, sin
from statistics import median

import mujoco

from annelid.kernel import RandomStreams
from annelid.modules import shelf
from annelid.modules.rotation import Rotation
from annelid.physics import electrics
from annelid.physics.build import build
from annelid.physics.frames import about
from annelid.physics.settings import Physics
from annelid.physics.simulation import Simulation
from annelid.physics.skeleton import Skeleton
from annelid.robot import assemble, chain
from annelid.robot.body import Body, Geom, Part, Touches
from annelid.trial.bench_row import BenchRow, timed
from annelid.worlds.open_air import OpenAir
from annelid.worlds.terrain import Terrain
from annelid.worlds.world import World

SMALL, LARGE = 8, 60
LIMITS = {(SMALL, True): 1.0, (SMALL, False): 1.0, (LARGE, True): 0.45, (LARGE, False): 0.25}
"""Of now over before, by number of modules and whether it crawls."""
EXPONENT = 1.6
"""Cost may grow as this power of the number of modules."""

PHYSICS = Physics(timestep_ms=2.0, servo="quasi-static")

JITTER = 0.01
"""Of the first angles, rad: an even start would stay flat and be cheaper than any real one."""

TICK_STEPS = 10
AMPLITUDE, OMEGA, PHASE = 0.8, 6.0, 1.0
"""Of the wave: rad, rad/s, rad from module to module."""
SPAN_S = {SMALL: 3.0, LARGE: 1.5}
"""From when it is put down: the wave grows for a second."""


class Snake:
    """One of the two models: lies still, or crawls."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, *, crawls: bool) -> None:
        self.model, self.data, self.crawls = model, data, crawls
        joints = [model.joint(int(model.actuator_trnid[k, 0])).name for k in range(model.nu)]
        self._bends = [(k, int(n[1:].split("/")[0])) for k, n in enumerate(joints) if "pitch" in n]
        self._ticks = 0

    def tick(self) -> None:
        time = self._ticks * TICK_STEPS * self.model.opt.timestep
        for actuator, place in self._bends if self.crawls else ():
            wave = sin(OMEGA * time - PHASE * place)
            self.data.ctrl[actuator] = AMPLITUDE * min(time, 1.0) * wave
        mujoco.mj_step(self.model, self.data, TICK_STEPS)
        self._ticks += 1


def chains(*, quick: bool) -> list[BenchRow]:
    """Ratios with their spread, and how the cost grows with the number of modules."""
    rows: list[BenchRow] = []
    for crawls in (True, False):
        what = "crawling" if crawls else "lying still"
        steps: dict[int, float] = {}
        for size in (SMALL, LARGE):
            row, steps[size] = _row(size, OpenAir(), crawls=crawls, quick=quick)
            rows.append(row)
        rows.append(
            BenchRow(
                f"cost of a step from {SMALL} to {LARGE} R {what}, as a power of n",
                log(steps[LARGE] / steps[SMALL]) / log(LARGE / SMALL),
                "",
                EXPONENT,
                f"{steps[SMALL]:.0f} and {steps[LARGE]:.0f} µs",
            )
        )
    rows += [_row(size, Terrain(), crawls=True, quick=quick)[0] for size in (SMALL, LARGE)]
    return rows


def _row(size: int, world: World, *, crawls: bool, quick: bool) -> tuple[BenchRow, float]:
    """Now over before, and the microseconds of a step now."""
    pairs = [in_turns(size, seed, world, crawls=crawls) for seed in range(2 if quick else 5)]
    step = median(now for now, _ in pairs)
    ratios = sorted(now / before for now, before in pairs)
    where = "undulating ground" if isinstance(world, Terrain) else "open air"
    place = " on undulating ground" if isinstance(world, Terrain) else ""
    name = f"{size} R {'crawling' if crawls else 'lying still'}{place}"
    row = BenchRow(
        f"{name} / as built before",
        median(ratios),
        "×",
        None if place and size == LARGE else LIMITS[size, crawls],
        f"{step:.0f} µs per step; {ratios[0]:.2f} to {ratios[-1]:.2f} in {len(ratios)} pairs of "
        f"{SPAN_S[size]:g} s; {where}, 2 ms, quasi-static servos; CPU",
    )
    return row, step


def in_turns(size: int, seed: int, world: World, *, crawls: bool) -> tuple[float, float]:
    """CPU microseconds a step, now and as before: both over the same time, in turns of a tick."""
    snakes = [built(size, seed, world, crawls=crawls) for built in (now, before)]
    spent = [0.0, 0.0]
    ticks = round(SPAN_S[size] / TICK_STEPS / PHYSICS.timestep_ms * 1000)
    for _ in range(ticks):
        for place, snake in enumerate(snakes):
            spent[place] += timed(snake.tick)
    this, that = (seconds / ticks / TICK_STEPS * 1e6 for seconds in spent)
    return this, that


def now(size: int, seed: int, world: World, *, crawls: bool) -> Snake:
    robot = assemble(chain("R" * size), shelf())
    sim = Simulation(robot, world, PHYSICS, seed=seed, jitter=JITTER)
    return Snake(sim.model, sim.data, crawls=crawls)


def before(size: int, seed: int, world: World, *, crawls: bool) -> Snake:
    """The same snake as it was built before, put down as unevenly."""
    robot = assemble(chain("R" * size), {"R": Boxes})
    plan = build(robot, world, PHYSICS, skeletons=Plain)
    plan.model.opt.tolerance = 1e-8  # the engine's own
    data = mujoco.MjData(plan.model)
    electrics.begin(plan.model, data)
    draw = RandomStreams(seed)["bench/start"]
    data.qpos[7:] = draw.normal(0.0, JITTER, plan.model.nq - 7)
    data.qpos[3:7] = about((1.0, 0.0, 0.0), draw.normal(0.0, JITTER))
    return Snake(plan.model, data, crawls=crawls)


class Plain(Skeleton):
    """Rooted at its head, and boxes touch the floor with all their corners."""

    def root_of(self, piece: Sequence[str]) -> str:
        return piece[0]

    def by_corners(self, geom: Geom) -> bool:
        return False


class Boxes(Rotation):
    """A rotation module whose middle is a box to the floor as well."""

    def body(self) -> Body:
        made = super().body()
        parts = [part.model_copy(update={"geoms": tuple(_boxed(part))}) for part in made.parts]
        return made.model_copy(update={"parts": tuple(parts)})


def _boxed(part: Part) -> Iterator[Geom]:
    for geom in part.geoms:
        if geom.shape == "box":
            yield geom.model_copy(update={"touches": Touches.GROUND})
        elif geom.touches is not Touches.GROUND:
            yield geom
