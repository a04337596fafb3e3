"""The child process that simulates: one run after another, at the pace the page asks for.

A second thread watches the first: where time stands still inside a written program, it tells the
server which program and which line, and the server makes the run anew without it.  An endless loop
cannot be ended from inside, so nobody tries.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from annelid.console.live import LivePacer
from annelid.console.messages import (
    Built,
    CameraPicture,
    Do,
    Ended,
    Happened,
    NewEvents,
    Quit,
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
from annelid.console.shape import modules, saved, servos
from annelid.electronics.port import TERMINAL
from annelid.errors import AnnelidError, InputError
from annelid.kernel import MILLISECOND
from annelid.trial.folder import make_folder
from annelid.trial.layers import behaviours_of
from annelid.trial.outside import OUTSIDE, Timed, parse_outside
from annelid.trial.plugins import load as load_plugins
from annelid.trial.programs import FILE, source_of
from annelid.trial.run import Trial

BUDGET_S = 2.0
"""Wall time that a written program may take for one moment of the run."""
WIRES_MAX = 40
"""Wire events in one report."""
CAMERA_NS = 500 * MILLISECOND


def work(pipe: Connection, plugins: Sequence[str]) -> None:
    """The life of the child; Ctrl-C in the terminal is the server's affair."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Worker(pipe, plugins).live()


class Worker:
    def __init__(self, pipe: Connection, plugins: Sequence[str]) -> None:
        self._pipe = pipe
        self._plugins = load_plugins(Path(file) for file in plugins)
        self._lock = threading.Lock()
        self._next: StartRun | None = None
        self._early: list[SetPace | StepOnce | Do] = []
        self._over = False
        self._watch = Watch()
        self._events: list[Happened] = []
        self._wires: list[Happened] = []
        self._more = 0
        self._shown_epoch = -1
        self._shown_ns = -1
        self._camera_ns = 0
        self._trial: Trial | None = None
        self._pacer: LivePacer | None = None
        self._folder: Path | None = None
        threading.Thread(target=self._guard, daemon=True, name="guard").start()

    def send(self, report: Report) -> None:
        with self._lock:
            self._pipe.send(report)

    def live(self) -> None:
        try:
            while not self._over:
                if self._next is None:
                    self.listen(0.2)
                    continue
                order, self._next = self._next, None
                self._run(order)
        except (BrokenPipeError, EOFError):
            return  # the server is gone

    # -- a run -----------------------------------------------------------------------------------

    def _run(self, order: StartRun) -> None:
        place: Path | None = None
        try:
            trial = Trial(order.scenario, plugins=self._plugins, outside=order.outside)
            place = make_folder(None, runs=order.runs, name=order.scenario.name)
        except AnnelidError as error:
            self.send(Ended(place, 0, "failed", str(error)))
            return
        self._trial, self._folder = trial, place
        self._shown_epoch = self._shown_ns = -1
        self._events, self._wires, self._more = [], [], 0
        trial.listeners.append(self._note)
        pacer = self._pacer = LivePacer(
            lambda: trial.sim,
            self,
            paused=order.paused,
            speed=order.speed,
            until_ns=order.until_ns,
        )
        reason, error_text = "", None
        try:
            metrics = trial.run(place, pacer=pacer).metrics
            fell = metrics.fell_why
            reason = metrics.stopped if fell is None else f"the robot fell: {fell}"
        except KeyboardInterrupt:
            reason = "interrupted"
        except AnnelidError as error:
            reason, error_text = "failed", str(error)
        self._pacer = None
        self.show()
        self._tell()
        self.send(Ended(place, trial.now_ns, reason, error_text))
        self._trial = None

    def _note(self, t_ns: int, source: str, kind: str, detail: Mapping[str, Any]) -> None:
        event = Happened(t_ns, source, kind, dict(detail))
        if source == OUTSIDE:
            table = {"do": kind, **event.detail}
            self.send(Taken(Timed(t_ns, parse_outside(table, context=self._plugins.context))))
        if kind != "wire":
            self._events.append(event)
        elif self._watch.wire:
            self._wires.append(event)

    # -- as the pacer's watcher ------------------------------------------------------------------

    def listen(self, wait_s: float) -> None:
        while self._pipe.poll(wait_s):
            wait_s = 0.0
            self._obey(self._pipe.recv())
        if self._early and not self._must_wait:
            early, self._early = self._early, []
            for command in early:
                self._obey(command)

    @property
    def _must_wait(self) -> bool:
        """Whether what is asked now is meant for a run that is not there yet: it is being built,
        or made anew up to where it was."""
        return self._next is not None or (self._pacer is not None and self._pacer.behind)

    def _obey(self, command: object) -> None:
        trial, pacer = self._trial, self._pacer
        match command:
            case SetPace() | StepOnce() | Do() if self._must_wait:
                self._early.append(command)
            case StartRun():
                self._next, self._early = command, []
                if trial is not None:
                    trial.stop()
            case Quit():
                self._over = True
                if trial is not None:
                    trial.stop()
            case Watch():
                self._watch = command
            case SetPace() if pacer is not None:
                pacer.pace(paused=command.paused, speed=command.speed)
            case StepOnce() if pacer is not None and trial is not None:
                pacer.step(trial.scenario.control.tick_ns)
            case Do() if trial is not None:
                try:
                    trial.inject(command.what)
                except InputError as error:
                    self.send(Refused(str(error)))
            case Do():
                self.send(Refused("the run has ended"))

    def show(self) -> None:
        trial, folder = self._trial, self._folder
        if trial is None or folder is None:
            return
        sim = trial.sim
        if sim.epoch != self._shown_epoch:
            self._shown_epoch = sim.epoch
            self.send(self._built(trial, folder))
        if sim.now_ns != self._shown_ns and (self._watch.frames or self._shown_ns < 0):
            self._shown_ns = sim.now_ns
            self.send(RobotPositions(sim.now_ns, sim.epoch, sim.data.qpos.copy()))

    def read(self, speed: float, paused: bool) -> None:
        trial = self._trial
        if trial is None:
            return
        sim, power = trial.sim, trial.circuit.power
        motors = sim.actuators
        lines = {
            f"{node.name}.{name}": bool(pin.line.level)
            for node in trial.circuit.nodes.values()
            for name, pin in node.board.pins.items()
        }
        self.send(
            Readings(
                t_ns=sim.now_ns,
                target=motors.targets.copy(),
                position=motors.position(),
                current=motors.filtered(),
                temperature=motors.temperature(),
                tripped=motors.tripped(),
                boards={name: str(node.state) for name, node in trial.circuit.nodes.items()},
                lines=lines,
                progress_m=sim.progress(),
                volts=None if power is None else float(power.volts),
                speed=speed,
                paused=paused,
                cpu_s=time.process_time(),
            )
        )
        self._tell()
        if self._watch.camera in _cameras(trial):
            self._photograph(trial, str(self._watch.camera))

    def _tell(self) -> None:
        wires = self._wires[-WIRES_MAX:]
        self._more += len(self._wires) - len(wires)
        events = (*self._events, *wires)
        if events:
            self.send(NewEvents(events, self._more))
        self._events, self._wires, self._more = [], [], 0

    def _photograph(self, trial: Trial, name: str) -> None:
        now = time.monotonic_ns()
        if now < self._camera_ns:
            return
        self._camera_ns = now + CAMERA_NS
        picture = trial.sim.sensors.picture(name)
        self.send(CameraPicture(name, trial.sim.now_ns, np.asarray(picture, np.uint8)))

    def _built(self, trial: Trial, folder: Path) -> Built:
        sim, circuit = trial.sim, trial.circuit
        return Built(
            epoch=sim.epoch,
            model=saved(sim.model),
            folder=folder,
            modules=modules(sim),
            servos=servos(sim),
            cups=sim.cups.names,
            sensors=tuple(sim.sensors.names),
            cameras=_cameras(trial),
            boards=tuple(circuit.nodes),
            links={name: tuple(link.port_names) for name, link in circuit.links.items()},
            sources={name: source_of(node.firmware) for name, node in circuit.nodes.items()},
            behaviours={
                board: {name: entry.source for name, entry in sorted(known.items())}
                for board, node in circuit.nodes.items()
                if (known := behaviours_of(node.firmware))
            },
            system=trial.scenario.control.system,
            says=any(TERMINAL in node.board.ports for node in circuit.nodes.values()),
        )

    # -- the guard -------------------------------------------------------------------------------

    def _guard(self) -> None:
        """In a thread of its own: does time pass?"""
        main = threading.main_thread().ident or 0
        seen, since = -1, time.monotonic()
        while not self._over:
            time.sleep(0.2)
            pacer = self._pacer
            beats = -1 if pacer is None else pacer.beats
            if beats != seen:
                seen, since = beats, time.monotonic()
                continue
            if time.monotonic() - since < BUDGET_S:
                continue
            line = _line_in_program(sys._current_frames().get(main))
            if line is not None:
                trial = self._trial
                self.send(Stuck(None if trial is None else trial.busy, line))
                return


def _cameras(trial: Trial) -> tuple[str, ...]:
    """Their names; a camera that is watched may be that of a robot that was."""
    boards = [node.board for node in trial.circuit.nodes.values()]
    return tuple(camera.name for board in boards for camera in board.cameras.values())


def _line_in_program(frame: Any) -> int | None:
    while frame is not None:
        if frame.f_code.co_filename == FILE:
            return int(frame.f_lineno)
        frame = frame.f_back
    return None
