"""Plays a recorded run on the page: pictures, tables and curves at any moment."""

from __future__ import annotations

import threading
import time
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annelid.console.messages import Built, Happened, Readings, RobotPositions
from annelid.console.shape import modules, saved, servos
from annelid.console.source import EVENTS_KEPT, WIRES_KEPT, Notice, RunSource
from annelid.errors import InputError
from annelid.kernel import seconds, to_seconds
from annelid.trial.outside import Outside
from annelid.trial.replay import Run
from annelid.trial.scenario import Scenario

Floats = NDArray[np.float64]

TICK_S = 1 / 40


@dataclass(frozen=True)
class _ModelSpan:
    """Of the run with one model."""

    built: Built
    times_ns: NDArray[np.int64]
    qpos: Floats


class Playback(RunSource):
    def __init__(self, run: Run, *, notice: Notice = lambda *_: None) -> None:
        super().__init__(notice)
        self.scenario = run.scenario
        self._parts = _parts(run)
        if not self._parts:
            raise InputError(f"{run.folder}: no states were recorded (record.state_hz = 0)")
        self._table = _Table(run)
        told = [Happened(e.time_ns, e.source, e.kind, e.detail) for e in run.events()]
        self._told = [event for event in told if event.kind != "wire"]
        self._sent = [event for event in told if event.kind == "wire"]
        self.length_s = to_seconds(int(self._parts[-1].times_ns[-1]))
        self._at_s = 0.0
        self._over = threading.Event()
        self.seek(0.0)
        self._player = threading.Thread(target=self._go_on, daemon=True, name="playback")
        self._player.start()

    def play(self) -> None:
        if self._at_s >= (self.length_s or 0.0):
            self.seek(0.0)
        self.paused = False

    def pause(self) -> None:
        self.paused = True

    def step(self) -> None:
        self.pause()
        self.seek(self._at_s + 0.02)

    def reset(self) -> None:
        self.seek(0.0)

    def set_speed(self, speed: float) -> None:
        self.speed = speed

    def open(self, scenario: Scenario, *, paused: bool = True) -> None:
        raise InputError("this page shows a recorded run; annelid console SCENARIO opens another")

    def do(self, what: Outside) -> None:
        raise InputError("a recorded run has gone its way and cannot be told anything")

    def watch(
        self,
        *,
        camera: str | bool | None = True,
        wire: bool | None = None,
        frames: bool | None = None,
    ) -> None:
        """Nothing costs anything here: it is all on the disk."""

    def close(self) -> None:
        self._over.set()
        self._player.join()

    def seek(self, t_s: float) -> None:
        self._at_s = min(max(t_s, 0.0), self.length_s or 0.0)
        t_ns = seconds(self._at_s)
        part = self._parts[0]
        for each in self._parts:
            if each.times_ns[0] <= t_ns:
                part = each
        row = max(int(np.searchsorted(part.times_ns, t_ns, side="right")) - 1, 0)
        self.built = part.built
        self.frame = RobotPositions(t_ns, part.built.epoch, part.qpos[row])
        self.frames += 1
        self.readings = self._table.at(t_ns, 0.0 if self.paused else self.speed, self.paused)
        self.events = _until(self._told, t_ns, EVENTS_KEPT)
        self.wires = _until(self._sent, t_ns, WIRES_KEPT)
        self.news.set()

    def _go_on(self) -> None:
        before = time.monotonic()
        while not self._over.wait(TICK_S):
            now = time.monotonic()
            passed, before = now - before, now
            if self.paused:
                continue
            self.seek(self._at_s + passed * self.speed)
            if self._at_s >= (self.length_s or 0.0):
                self.paused = True


class _Table:
    """What was recorded of the motors, a row at a time."""

    def __init__(self, run: Run) -> None:
        self._motors = run["actuators"] if "actuators" in run.tables else {}
        self._robot = run["robot"]
        names = [c[9:-1] for c in self._motors if c.startswith("position[")]
        self._columns = {
            quantity: np.stack([self._motors[f"{quantity}[{name}]"] for name in names], axis=1)
            if names
            else np.zeros((1, 0))
            for quantity in ("target", "position", "filtered", "temperature")
        }

    def at(self, t_ns: int, speed: float, paused: bool) -> Readings:
        times: Any = self._robot["time_ns"]
        row = max(int(np.searchsorted(times, t_ns, side="right")) - 1, 0)
        values = {name: column[row] for name, column in self._columns.items() if len(column) > row}
        empty = np.zeros(0)
        target = values.get("target", empty)
        return Readings(
            t_ns=t_ns,
            target=target,
            position=values.get("position", empty),
            current=values.get("filtered", empty),
            temperature=values.get("temperature", empty),
            tripped=np.zeros(len(target), bool),
            boards={},
            lines={},
            progress_m=float(self._robot["progress"][row]),
            volts=float(self._robot["voltage"][row]),
            speed=speed,
            paused=paused,
            cpu_s=0.0,
        )


def _parts(run: Run) -> list[_ModelSpan]:
    found = []
    for states in run.states():
        if not len(states.times_ns):
            continue
        sim = states.sim
        built = Built(
            epoch=states.epoch,
            model=saved(sim.model),
            folder=run.folder,
            modules=modules(sim),
            servos=servos(sim),
            cups=(),
            sensors=(),
            cameras=(),
            boards=(),
            links={},
            sources={},
            behaviours={},
            system=run.scenario.control.system,
            says=False,
            live=False,
        )
        found.append(_ModelSpan(built, states.times_ns, states.qpos))
    return found


def _until(events: list[Happened], t_ns: int, most: int) -> tuple[Happened, ...]:
    end = bisect_right(events, t_ns, key=lambda event: event.t_ns)
    return tuple(events[max(0, end - most) : end])
