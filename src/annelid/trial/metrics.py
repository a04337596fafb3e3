"""The metrics of a run: one flat table that sweeps, comparisons and reports read.

All of it follows from the scenario and the seed, except ``wall``, which is about the machine.
"""

from __future__ import annotations

import json
from math import acos, degrees, dist, isfinite
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import field_validator

from annelid.boundary.files import read_table
from annelid.boundary.quantities import SMALLEST
from annelid.electronics.power import Power
from annelid.errors import MissingFile
from annelid.kernel import milliseconds, seconds, to_seconds
from annelid.physics.simulation import Simulation
from annelid.spec import Spec
from annelid.trial.fall import FallWatch
from annelid.trial.scenario import Scenario
from annelid.trial.way import WayLength

Stopped = Literal["duration", "goal", "fell", "hopeless", "interrupted", "unstable", "failed"]

NOTABLE_M = 1e-4
"""Way below which a cost per metre says nothing, m."""


HEAT_EVERY_NS = milliseconds(100)

STAYED_NS = seconds(1.0)
"""So long it stands where it began before it counts as home."""


class WallTime(Spec):
    """What this machine needed; differs from run to run."""

    seconds: float
    """That the run took on this machine."""
    real_time_factor: float
    """Virtual seconds per wall second."""


class Metrics(Spec):
    """Units are in the names; None: not applicable, or not reached."""

    scenario: str
    """Name of the scenario."""
    seed: int
    """Of every random draw."""
    stopped: Stopped
    """What ended the run."""
    interrupted: bool
    """Whether somebody stopped it before its end."""
    time_s: float
    """Simulated."""
    steps: int
    """Of the physics."""
    modules: int
    """How many the robot has."""
    mass_kg: float
    """Of the whole robot."""
    fell_s: float | None = None
    """When it lost its hold; None: it did not fall.  Progress, way and distance are then those of
    that moment: how far a robot falls is not how far it gets."""
    fell_why: str | None = None
    """How it was seen to fall; None: it did not."""
    fell_who: tuple[str, ...] = ()
    """The modules that fell."""
    progress_m: float
    """Of the head along the world's way, at the end, from where it began."""
    progress_max_m: float
    """The furthest that the head came along the world's way, from where it began."""
    way_m: float | None = None
    """Of the head along the world's way, there and back; swaying by less than 20 mm not counted."""
    distance_m: float
    """Between the robot's centre at the beginning and at the end, as the crow flies."""
    speed_m_s: float | None
    """Progress over time; where it has to come home, the whole way over time."""
    success: bool | None
    """None: the scenario asks for nothing; a robot that fell has never succeeded."""
    time_to_goal_s: float | None
    """When ``success`` was reached; None: it was not."""
    there_and_back: bool = False
    """Whether the scenario asks it to come home."""
    time_home_s: float | None = None
    """Since when it was back, having stayed there to the end."""
    energy_j: float
    """Of the motors; with a supply in the scenario, of the boards as well."""
    energy_per_metre_j_m: float | None
    """Over progress; where it has to come home, over the whole way."""
    cost_of_transport: float | None
    """Energy over weight times the same length, dimensionless."""
    power_mean_w: float | None
    """Energy over time."""
    peak_current_a: float | None
    """Highest filtered current of any motor, sampled at every physics step."""
    peak_current_at: str | None
    """The motor that it flowed in."""
    hottest_c: float | None
    """Highest temperature of any motor's winding."""
    hottest_at: str | None
    """The motor that it belongs to."""
    tripped: tuple[str, ...]
    """Motors that were released because of too much current."""
    tilt_max_deg: float
    """How far the first module leaned from upright."""
    boards_energy_j: float | None = None
    """The boards' share of it, as the next ones None without a supply."""
    voltage_min_v: float | None = None
    """Of the rail."""
    charge: float | None = None
    """Left in the battery at the end, 0 to 1; 1 on a tether."""
    battery_life_s: float | None = None
    """How long it would still last at the mean load of this run; None: endless."""
    brown_outs: int = 0
    """Boards that went off because the voltage was too low."""
    resets: int = 0
    """Boards that began anew, after a brown-out, a watchdog or a hand."""
    faults: int = 0
    """That happened, the mended ones included."""
    crashed: tuple[str, ...] = ()
    """Boards whose program raised, at least once."""
    crashes: tuple[str, ...] = ()
    """Of each the last: ``R1: mine.py:12: ValueError: …``."""
    statements: int = 0
    """What the robot told its operator is so and a witness judged, and commands without answer."""
    statements_empty: int = 0
    """Besides: those that claim nothing that could be wrong, and those that no witness judges."""
    statements_false: tuple[str, ...] = ()
    """Words that the physics contradicts, and commands that got no answer."""
    statements_misled: tuple[str, ...] = ()
    """Words that are not so and rest on a sensor that a fault of the scenario deceived."""
    statements_unjudged: tuple[str, ...] = ()
    """Kinds of statements that no witness judges."""
    intervals: int = 0
    """Numbers that were told with how far off they may be."""
    intervals_held: int = 0
    """Of these, how many hold the truth; 95 of 100 should."""
    digest: str | None = None
    """Of the trace: equal digests mean equal runs, bit for bit."""
    wall: WallTime | None = None
    """What this machine needed."""

    @field_validator("*")
    @classmethod
    def _rounding_is_nothing(cls, value: Any) -> Any:
        """A robot that stands still drifts by rounding errors; such numbers are 0, here and for
        every reader of the file."""
        return 0.0 if isinstance(value, float) and abs(value) < SMALLEST else value

    def save(self, path: Path) -> None:
        """Whole or not at all, whatever the disk does."""
        text = json.dumps(self.model_dump(mode="json"), indent=2, ensure_ascii=False)
        draft = path.with_suffix(".part")
        try:
            draft.write_text(text + "\n", encoding="utf-8")
            draft.replace(path)
        except OSError:
            draft.unlink(missing_ok=True)
            raise

    @classmethod
    def read(cls, path: Path) -> Metrics:
        if not path.exists():
            raise MissingFile(f"{path}: no such file; was the run killed?")
        return cls.parse(read_table(path), where=str(path))


class Tally:
    """Watches a simulation at every control tick and says at the end what it amounted to."""

    def __init__(self, scenario: Scenario, sim: Simulation) -> None:
        self._scenario = scenario
        self.progress = self._start = sim.progress()
        self.tilt = 0.0
        """Of the first module, rad."""
        self._step = -1
        self._centre: list[float] = sim.centre().tolist()
        self._furthest = self._start
        self._leaned = 0.0
        self._hottest = sim.actuators.temperature()
        self._heat_ns = 0
        self._target = scenario.target()
        self.tripped: list[str] = []
        """In the order in which they tripped."""
        self.reached_ns: int | None = None
        """When the target was passed."""
        self.home_ns: int | None = None
        """Since when it is back, where that was asked for; None again when it goes on elsewhere."""
        self._near_ns: int | None = None
        """Since when it has been near enough to where it began."""
        self._way = WayLength(self._start)
        self.falls = FallWatch(sim)

    @property
    def done(self) -> bool:
        """Whether it has been where it should, and home again if it should."""
        home = self._scenario.success.home_mm is not None
        return (self.home_ns if home else self.reached_ns) is not None

    @property
    def way(self) -> float:
        """Of the head since the beginning, at the last look, m."""
        return self.progress - self._start

    @property
    def furthest(self) -> float:
        """The greatest of these, m."""
        return self._furthest - self._start

    def gained(self, sim: Simulation) -> float:
        """Progress since the beginning, m; of a robot that fell, up to its last hold."""
        if self.falls.fall is None:
            return self.way
        x, y, z = self.falls.hold.head.tolist()
        return sim.world.progress((x, y, z)) - self._start

    def distance(self, sim: Simulation) -> float:
        """Between the robot's centre at the beginning and now, m; of a robot that fell, up to its
        last hold."""
        centre = sim.centre() if self.falls.fall is None else self.falls.hold.centre
        return dist(centre.tolist(), self._centre)

    def look(self, sim: Simulation) -> None:
        """Take note of this moment.  Only the driver of the run calls it, at the control ticks:
        what a run amounts to must not depend on how often it is recorded."""
        self.see(sim)
        progress = self.progress
        self._leaned = max(self._leaned, self.tilt)
        if sim.now_ns >= self._heat_ns:
            self.look_at_heat(sim)
        if self.falls.sinking:
            return
        self._furthest = max(self._furthest, progress)
        self._way.go_on(progress)
        if self.reached_ns is None and self._target is not None and progress >= self._target:
            self.reached_ns = sim.now_ns
        if self.reached_ns is not None:
            self._look_for_home(sim.now_ns)

    def see(self, sim: Simulation) -> None:
        """Progress and tilt of this moment; free of charge if somebody has at this step."""
        if sim.steps == self._step:
            return
        self._step = sim.steps
        (x, y, z), (_, qx, qy, _) = sim.head_pose()
        self.progress = sim.world.progress((x, y, z))
        self.tilt = acos(min(max(1 - 2 * (qx * qx + qy * qy), -1.0), 1.0))

    def _look_for_home(self, now_ns: int) -> None:
        """Who stays for ``STAYED_NS`` near where it began, on either side of it, is home; who
        passes by, or goes on past it, is not."""
        near_mm = self._scenario.success.home_mm
        if near_mm is None:
            return
        if abs(self.way) > near_mm / 1000:
            self._near_ns = self.home_ns = None
        elif self._near_ns is None:
            self._near_ns = now_ns
        elif self.home_ns is None and now_ns - self._near_ns >= STAYED_NS:
            self.home_ns = self._near_ns

    def look_at_heat(self, sim: Simulation) -> None:
        """Windings take minutes to warm up, so ten times a second is often enough."""
        self._heat_ns = sim.now_ns + HEAT_EVERY_NS
        if not sim.actuators.warm_up:
            return
        np.maximum(self._hottest, sim.actuators.temperature(), out=self._hottest)

    def new_trips(self, sim: Simulation) -> list[str]:
        """Motors whose comparator has released them since the last call."""
        if not sim.actuators.any_tripped:
            return []
        known = set(self.tripped)
        fresh = [sim.actuators.names[k] for k in np.flatnonzero(sim.actuators.tripped())]
        fresh = [name for name in fresh if name not in known]
        self.tripped += fresh
        return fresh

    def metrics(
        self, sim: Simulation, stopped: Stopped, *, wall_s: float, power: Power | None = None
    ) -> Metrics:
        self.look_at_heat(sim)
        time_s = to_seconds(sim.now_ns)
        self.see(sim)
        fall, way = self.falls.fall, self.gained(sim)
        if fall is not None and self.reached_ns is not None and self.reached_ns > fall.at_ns:
            self.reached_ns = None  # it was passed in falling
        energy = float(sim.actuators.energy().sum()) if power is None else power.total
        peak, peak_at = _largest(sim.actuators.peak(), sim.actuators.names)
        hottest, hottest_at = _largest(self._hottest, sim.actuators.names)
        mass = sim.mass
        weight = mass * sim.world.gravity
        walked = self._way.length
        home_mm = self._scenario.success.home_mm
        counts = abs(way) if home_mm is None else walked
        moved = counts > NOTABLE_M
        return Metrics(
            scenario=self._scenario.name,
            seed=self._scenario.seed,
            stopped=stopped,
            interrupted=stopped == "interrupted",
            time_s=time_s,
            fell_s=None if fall is None else fall.at_s,
            fell_why=None if fall is None else fall.why,
            fell_who=() if fall is None else fall.who,
            steps=sim.steps,
            modules=len(sim.robot.modules),
            mass_kg=mass,
            progress_m=way,
            progress_max_m=self._furthest - self._start,
            way_m=walked,
            distance_m=self.distance(sim),
            speed_m_s=(way if home_mm is None else walked) / time_s if time_s else None,
            success=self.success(),
            time_to_goal_s=None if self.reached_ns is None else to_seconds(self.reached_ns),
            there_and_back=home_mm is not None,
            time_home_s=None if self.home_ns is None else to_seconds(self.home_ns),
            energy_j=energy,
            energy_per_metre_j_m=energy / counts if moved else None,
            cost_of_transport=energy / (weight * counts) if moved and weight else None,
            power_mean_w=energy / time_s if time_s else None,
            peak_current_a=peak,
            peak_current_at=peak_at,
            hottest_c=hottest,
            hottest_at=hottest_at,
            tripped=tuple(self.tripped),
            tilt_max_deg=degrees(self._leaned),
            **_supply(power),
            wall=WallTime(seconds=wall_s, real_time_factor=time_s / wall_s if wall_s else 0.0),
        )

    def success(self) -> bool | None:
        """Whether it has done what the scenario asks for; None: nothing is asked for."""
        if self._target is None:
            return None
        if self.falls.fall is not None:
            return False
        success = self._scenario.success
        done_ns = self.reached_ns if success.home_mm is None else self.home_ns
        if done_ns is None:
            return False
        return success.within_s is None or to_seconds(done_ns) <= success.within_s


def _largest(
    values: NDArray[np.float64], names: tuple[str, ...]
) -> tuple[float | None, str | None]:
    if not len(values):
        return None, None
    place = int(np.argmax(values))
    return float(values[place]), names[place]


def _supply(power: Power | None) -> dict[str, Any]:
    if power is None:
        return {}
    life = power.life_s()
    return {
        "boards_energy_j": power.boards,
        "voltage_min_v": power.lowest,
        "charge": power.source.charge,
        "battery_life_s": life if isfinite(life) else None,
        "brown_outs": power.brown_outs,
    }


def deterministic(metrics: Metrics) -> dict[str, Any]:
    """What two runs of one scenario must agree in."""
    return metrics.model_dump(mode="json", exclude={"wall"})
