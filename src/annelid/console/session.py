"""The server's side of a live run: its latest state, and the requests to its worker.

A thread reads what the worker reports; the page looks at the fields whenever it likes, and misses
frames rather than falling behind.  Another thread watches the worker's pulse.  When a written
program never ends, the worker is ended, and the run is made anew from scenario, seed and what came
from outside, without that program: the one before it goes on.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from annelid.console.live import SPEEDS
from annelid.console.messages import (
    Built,
    CameraPicture,
    Command,
    Do,
    Ended,
    NewEvents,
    Readings,
    Refused,
    Report,
    RobotPositions,
    SetPace,
    StartRun,
    StepOnce,
    Stuck,
    Taken,
    Watch,
)
from annelid.console.process import SimulationProcess
from annelid.console.source import EVENTS_KEPT, WIRES_KEPT, Notice, RunSource
from annelid.errors import InputError
from annelid.trial.outside import Outside, Reprogram, Rethink, Timed
from annelid.trial.scenario import Scenario

LONGEST_S = 86_400.0


class Session(RunSource):
    """``runs`` is where its run folders go."""

    def __init__(
        self,
        *,
        runs: Path,
        plugins: Sequence[str] = (),
        notice: Notice = lambda *_: None,
    ) -> None:
        self.outside: list[Timed] = []
        super().__init__(notice)
        self.runs = runs
        self._plugins = tuple(plugins)
        self._lock = threading.RLock()
        self._worker: SimulationProcess | None = None
        self._watch = Watch()

    def forget(self) -> None:
        super().forget()
        self.outside = []

    # -- what can be asked -----------------------------------------------------------------------

    def open(self, scenario: Scenario, *, paused: bool = True) -> None:
        """Another scenario, or the same from its beginning; the run so far is kept on disk."""
        with self._lock:
            self.scenario = scenario
            self.paused = paused
            self.forget()
            self._start(StartRun(_lasting(scenario), self.runs, paused=paused))

    def reset(self) -> None:
        if self.scenario is not None:
            self.open(self.scenario, paused=self.paused)

    def play(self) -> None:
        self._pace(paused=False, speed=self.speed)

    def pause(self) -> None:
        self._pace(paused=True, speed=self.speed)

    def seek(self, t_s: float) -> None:
        raise InputError("only a recorded run can be shown at any time")

    def set_speed(self, speed: float) -> None:
        if not SPEEDS[0] <= speed <= SPEEDS[1]:
            raise InputError(f"speed: expected {SPEEDS[0]:g} to {SPEEDS[1]:g}, got {speed!r}")
        self._pace(paused=self.paused, speed=speed)

    def _pace(self, *, paused: bool, speed: float) -> None:
        with self._lock:
            self.paused, self.speed = paused, speed
            self._send(SetPace(paused, speed))

    def step(self) -> None:
        with self._lock:
            self.paused = True
            self._send(StepOnce())

    def do(self, what: Outside) -> None:
        self._send(Do(what))

    def watch(
        self,
        *,
        camera: str | bool | None = True,
        wire: bool | None = None,
        frames: bool | None = None,
    ) -> None:
        with self._lock:
            if frames is not None:
                self._watch = replace(self._watch, frames=frames)
            if not isinstance(camera, bool):
                self._watch = replace(self._watch, camera=camera)
            if wire is not None:
                self._watch = replace(self._watch, wire=wire)
            self._send(self._watch)

    def close(self) -> None:
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.leave()

    # -- the worker ------------------------------------------------------------------------------

    def _start(self, order: StartRun) -> None:
        with self._lock:
            if self._worker is None or not self._worker.alive:
                self._worker = SimulationProcess(self._plugins, self._hear)
                self._worker.send(self._watch)
            self._worker.send(replace(order, speed=self.speed))

    def _send(self, command: Command) -> None:
        with self._lock:
            if self._worker is not None:
                self._worker.send(command)

    def _hear(self, worker: SimulationProcess, report: Report) -> None:
        with self._lock:
            if worker is not self._worker:
                return  # one that was ended
            if self.built is None and isinstance(
                report, RobotPositions | Readings | CameraPicture | NewEvents | Taken
            ):
                return  # of the run before: a run begins with what was built
            match report:
                case Built():
                    if self.built is None or self.built.folder != report.folder:
                        self.forget()
                    self.built, self.frame, self.ended = report, None, None
                    self.news.set()
                case RobotPositions():
                    self.frame = report
                    self.frames += 1
                    self.news.set()
                case Readings():
                    self.readings = report
                case CameraPicture():
                    self.seen = report
                case NewEvents():
                    told = [event for event in report.events if event.kind != "wire"]
                    heard = [event for event in report.events if event.kind == "wire"]
                    self.events = (*self.events, *told)[-EVENTS_KEPT:]
                    self.wires = (*self.wires, *heard)[-WIRES_KEPT:]
                case Taken():
                    self.outside.append(report.timed)
                case Refused():
                    self.notice("Not done", report.why, True)
                case Stuck():
                    self._without(report)
                case Ended():
                    self._over(report)

    def _over(self, report: Ended) -> None:
        if self.built is not None and report.folder not in (None, self.built.folder):
            return  # the run before, which was ended to begin this one
        if self.built is None and report.error is None:
            return  # it too, and this one is not built yet
        self.ended = report
        if report.error is None:
            return
        self.notice("The run has ended", report.error, True)
        if any(isinstance(each.what, Reprogram | Rethink) for each in self.outside):
            self._again(None, "it ended with a written program on board")

    def _without(self, stuck: Stuck) -> None:
        where = f"line {stuck.line}" + ("" if stuck.board is None else f" on {stuck.board}")
        self._again(stuck.board, f"{where} never lets time pass (no yield in the loop?)")

    def _again(self, board: str | None, why: str) -> None:
        """The run anew, without the last program (of ``board``)."""
        kept, dropped = _without_last_program(self.outside, board)
        reached = 0 if self.frame is None else self.frame.t_ns
        if dropped is not None:
            reached = dropped.t_ns
        self.notice("Program taken back", f"{why}; the one before it goes on", True)
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()
        scenario = self.scenario
        if scenario is None:
            return
        self.forget()
        self._start(StartRun(_lasting(scenario), self.runs, tuple(kept), reached, self.paused))


def _lasting(scenario: Scenario) -> Scenario:
    """A live run ends when somebody ends it."""
    return scenario.model_copy(update={"duration_s": LONGEST_S, "stop_at_goal": False})


def _without_last_program(
    outside: Sequence[Timed], board: str | None
) -> tuple[list[Timed], Timed | None]:
    for place in range(len(outside) - 1, -1, -1):
        what = outside[place].what
        if isinstance(what, Reprogram | Rethink) and (board is None or board in what.boards):
            return [*outside[:place], *outside[place + 1 :]], outside[place]
    return list(outside), None
