"""A scenario as an environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import radians
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box

from annelid.boundary.plain import WHOLE_MAX
from annelid.control.interface import Floats, Interface, InterfaceSpec, Reals, Signal
from annelid.errors import InputError, SimulationError
from annelid.gym.reward import Reward, Weights, weights_of
from annelid.kernel import Kernel, seconds, to_seconds
from annelid.motion.selector import Selector
from annelid.physics.render import Image, Painter, available
from annelid.physics.simulation import Simulation
from annelid.physics.view import follow
from annelid.trial.api import Source, dotted
from annelid.trial.load import load, naming
from annelid.trial.plugins import load as load_plugins
from annelid.trial.run import Trial
from annelid.trial.scenario import Scenario
from annelid.trial.simulated import simulation_of


class Seat:
    """A pilot whose decisions come from outside: the run stops at every control tick until they
    have come."""

    def __init__(self, robot: Interface, kernel: Kernel) -> None:
        self.robot = robot
        self._kernel = kernel
        self.waits = True
        """Whether a decision is due at this tick."""
        self.seen: Reals = np.zeros(len(robot.observations), np.float32)
        """At the last tick."""
        self.watch: Callable[[], None] | None = None
        """Called at every control tick, before it is commanded."""
        self.commands: Floats = np.zeros(len(robot.actions))
        """Until the next one."""

    def look(self, time_s: float, told: Floats) -> None:
        self.waits = self.robot.decides()
        if not self.waits:
            return
        self.seen = self.robot.observe(time_s, told)
        self._kernel.stop()

    def lay(self, told: Floats) -> None:
        if self.watch is not None:
            self.watch()
        self.robot.lay(self.commands, told)


SIZE = (640, 360)
"""Of a rendered picture."""

DIRECTION = (90.0, -25.0)
"""From which it is taken: azimuth and elevation, degrees."""

SEEDS = 2**31


class ScenarioEnv(gymnasium.Env[Reals, Reals]):
    """The agent commands the robot's motors at every control tick of a scenario, or at every so
    many (``every``).

    An action is a number from -1 to 1 for each of ``actions``, whatever their units, because that
    is what learning algorithms expect; an observation has the units of ``observations``.

    The programs of a scenario's system are left out, because the agent stands in their place; its
    gaits go on below the agent, which takes their place or changes what they say (``adds``,
    ``scales``).

    ``reset(seed=7)`` begins the run of seed 7; without a seed, one that is drawn.  An episode is
    *terminated* when the robot fell or, with ``stop_at_goal``, has arrived, and *truncated* at the
    scenario's ``duration_s``, rounded up to whole decisions.  ``info`` has the time and the
    progress; in the last step also ``stopped``, the reason, and ``is_success`` where the scenario
    asks for something.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 50}  # noqa: RUF012

    def __init__(
        self,
        scenario: Source | None = None,
        *,
        reward: Weights = None,
        modules: Selector = "all",
        adds: bool = False,
        scales: bool = False,
        every: int = 1,
        reach: float = 1.0,
        sensors: bool = True,
        clock_s: float | None = None,
        plugins: Sequence[Path | str] = (),
        render_mode: str | None = None,
        **fields: Any,
    ) -> None:
        """``scenario``, ``plugins`` and ``fields`` are as for :func:`annelid.run`; ``modules`` to
        ``clock_s`` as in :class:`annelid.control.interface.InterfaceSpec`; ``reward`` is a table of
        weights or a TOML file (:mod:`annelid.gym.reward`)."""
        if render_mode not in (None, "rgb_array"):
            raise InputError(f"render_mode: expected rgb_array or None, got {render_mode!r}")
        if scenario is None:
            raise InputError("expected a scenario: gymnasium.make(…, scenario='snake')")
        self.render_mode = render_mode
        self._plugins = load_plugins(plugins)
        table: dict[str, Any] = {"modules": modules, "adds": adds, "scales": scales, "every": every}
        table |= {"reach": reach, "sensors": sensors, "clock_s": clock_s}
        self.interface = InterfaceSpec.parse(table, where="environment")
        every = self.interface.every
        read = load(scenario, plugins=self._plugins, overrides=dotted(fields))
        self.scenario = _driven_from_outside(read, every=every)
        if self.interface.stands_on_gaits and not self.scenario.control.gaits:
            change = "adds: there are no gaits to add to"
            change = "scales: there are no gaits to scale" if scales else change
            raise InputError(f"{self.scenario.name}: {change}")
        self._weights = weights_of(reward)
        self._end_ns = seconds(self.scenario.duration_s)
        self.step_ns = self.scenario.control.tick_ns * every
        """From one decision to the next."""
        fps = max(1, round(1 / to_seconds(self.step_ns)))
        self.metadata = {**self.metadata, "render_fps": fps}
        self._sim: Simulation | None = None
        """To begin again with, where nothing changes the model."""
        self._trial, self._seat = self._built(self.scenario)
        self._reward = Reward(self._weights, self._trial)
        self._over = True
        self._painter: tuple[int, Painter] | None = None
        robot = self._seat.robot
        self.observations: tuple[Signal, ...] = robot.observations
        """Name, unit and bounds of every number of an observation."""
        self.actions: tuple[Signal, ...] = robot.actions
        """And of what an action commands: -1 stands for ``low``, 1 for ``high``."""
        self.observation_space: Box[Any] = _space(robot.observations)
        self.action_space: Box[Any] = Box(-1.0, 1.0, (len(robot.actions),), np.float32)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Reals, dict[str, Any]]:
        """Begin another run.  No options are known."""
        super().reset(seed=seed)
        if options:
            raise InputError(f"reset: expected no options, got {', '.join(map(str, options))}")
        drawn = int(self.np_random.integers(SEEDS)) if seed is None else seed
        if drawn >= WHOLE_MAX:
            raise InputError(f"seed: expected a whole number of at most 18 digits, got {drawn}")
        self._trial.close()
        self._trial, self._seat = self._built(self.scenario.model_copy(update={"seed": drawn}))
        self._trial.begin()
        self._over = not self._trial.go_on()
        self._reward = Reward(self._weights, self._trial)
        return self._seat.seen, {"seed": drawn, **self._info()}

    def step(self, action: Reals) -> tuple[Reals, float, bool, bool, dict[str, Any]]:
        """Command the motors until the next decision."""
        if self._over:
            raise InputError("step: the episode is over; call reset() first")
        self._seat.commands = self._seat.robot.commands(action)
        trial, stopped = self._trial, None
        try:
            trial.go_on()
            stopped = trial.ending
        except SimulationError:
            stopped = "unstable"
            self._seat.seen = self._seat.seen.copy()  # the last that could be seen
        truncated = stopped is None and trial.now_ns >= self._end_ns
        self._over = truncated or stopped is not None
        info = self._info()
        if self._over:
            info["stopped"] = stopped or "duration"
            if (success := trial.tally.success()) is not None:
                info["is_success"] = success
        return self._seat.seen, self._reward.step(), stopped is not None, truncated, info

    def render(self) -> Image | None:
        """A picture of the robot at this moment, followed by the camera."""
        if self.render_mode is None:
            return None
        if (why := available()) is not None:
            raise InputError(f"render: {why}")
        sim = self._trial.sim
        width, height = SIZE
        if self._painter is None or self._painter[0] != id(sim.plan):
            self._close_painter()
            self._painter = id(sim.plan), Painter(sim.model, width=width, height=height)
        states = [sim.data.qpos.copy()]
        (view,) = follow(sim.plan, states, aspect=width / height, direction=DIRECTION)
        return self._painter[1].frame(states[0], view)

    @property
    def sim(self) -> Simulation:
        """The robot in its world, at this moment."""
        return self._trial.sim

    def watch(self, look: Callable[[], None]) -> None:
        """Call ``look`` at every control tick of this episode, before the motors are commanded."""
        self._seat.watch = look

    def close(self) -> None:
        self._trial.close()
        self._over = True
        self._close_painter()

    def _close_painter(self) -> None:
        if self._painter is not None:
            self._painter[1].close()
            self._painter = None

    def _info(self) -> dict[str, Any]:
        sim, tally = self._trial.sim, self._trial.tally
        return {"time_s": to_seconds(sim.now_ns), "progress_m": tally.gained(sim)}

    def _built(self, scenario: Scenario) -> tuple[Trial, Seat]:
        """A trial at its start, and the agent's seat in it."""
        seats: list[Seat] = []

        def pilot(sim: Simulation, kernel: Kernel) -> Seat:
            tick_s = scenario.control.tick_ms / 1000
            seats.append(Seat(Interface(sim, self.interface, tick_s=tick_s), kernel))
            return seats[0]

        with naming(f"{scenario.name}: cannot be an environment"):
            sim = self._begun(scenario)
            trial = Trial(scenario, plugins=self._plugins, sim=sim, pilot=pilot)
        return trial, seats[0]

    def _begun(self, scenario: Scenario) -> Simulation:
        sim = self._sim
        if sim is None or sim.built.drawn or sim.epoch or not sim.undamaged:
            self._sim = sim = simulation_of(scenario, self._plugins)
        else:
            sim.restart(seed=scenario.seed, jitter=radians(scenario.jitter_deg))
        return sim


def _driven_from_outside(scenario: Scenario, *, every: int) -> Scenario:
    """Without its own pilot and its system's programs, and for a whole number of decisions."""
    out: dict[str, Any] = {
        "system": None,
        "options": None,
        "links": {},
        "policy": None,
        "controller": None,
    }
    control = scenario.control.model_copy(update=out)
    step_ns = control.tick_ns * every
    lasts = to_seconds(-(-seconds(scenario.duration_s) // step_ns) * step_ns)
    return scenario.model_copy(update={"control": control, "duration_s": lasts})


def _space(signals: Sequence[Signal]) -> Box[Any]:
    low = np.array([signal.low for signal in signals], np.float32)
    high = np.array([signal.high for signal in signals], np.float32)
    return Box(low, high, dtype=np.float32)
