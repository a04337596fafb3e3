"""The child process that simulates: one run after another, at the pace the page asks for.

It counts its moments in memory that the server sees (``Pulse``).  Where time stands still, the
server asks by a signal for the line, which is answered without Python's help
(``faulthandler``): a loop in C lets no other thread run.  A program that takes too much memory is
refused it, and fails like any other.
"""

from __future__ import annotations

import faulthandler
import os
import resource
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from annelid.console.live import LivePacer, Pulse
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
    Taken,
    Watch,
)
from annelid.console.shape import modules, saved, servos
from annelid.electronics.port import TERMINAL
from annelid.errors import AnnelidError
from annelid.kernel import MILLISECOND
from annelid.trial.crews import end_with_parent
from annelid.trial.folder import make_folder
from annelid.trial.layers import behaviours_of
from annelid.trial.outside import OUTSIDE, Timed, parse_outside
from annelid.trial.plugins import load as load_plugins
from annelid.trial.programs import source_of
from annelid.trial.run import Trial

MEMORY_MAX = 4 << 30
"""Bytes that a simulation may use, with the programs that were written for it; on a small machine
half of what it has."""
ORPHAN_S = 1.5
"""How long a worker whose server has died may take to close its run."""
DEAF_S = 10
"""A worker with a written program that has not listened for so long ends itself: its server, which
would have ended it before, is gone."""
PROGRAMS = ("reprogram", "rethink")
"""Kinds of what comes from outside that bring code."""
WIRES_MAX = 40
"""Wire events in one report."""
CAMERA_NS = 500 * MILLISECOND


def work(pipe: Connection, plugins: Sequence[str], pulse: Pulse, frames: Connection) -> None:
    """The life of the child; Ctrl-C in the terminal is the server's affair.

    ``frames`` is the pipe into which it says where it is when it is asked (SIGUSR1).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory()
    end_with_parent(after_s=ORPHAN_S)
    faulthandler.register(signal.SIGUSR1, file=frames.fileno(), all_threads=True)
    Worker(pipe, plugins, pulse).live()


def _limit_memory() -> None:
    has = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    most = min(MEMORY_MAX, has // 2)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard == resource.RLIM_INFINITY or hard > most:
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


class Worker:
    def __init__(self, pipe: Connection, plugins: Sequence[str], pulse: Pulse) -> None:
        self._pipe = pipe
        self._pulse = pulse
        self._plugins = load_plugins(plugins)
        self._next: StartRun | None = None
        self._early: list[SetPace | StepOnce | Do] = []
        self._over = False
        self._watch = Watch()
        self._events: list[Happened] = []
        self._wires: list[Happened] = []
        self._shown_epoch = -1
        self._shown_ns = -1
        self._camera_ns = 0
        self._trial: Trial | None = None
        self._pacer: LivePacer | None = None
        self._folder: Path | None = None
        self._programmed = False
        """Whether a program was written for this run."""
        self._nowhere = os.open(os.devnull, os.O_WRONLY)

    def send(self, report: Report) -> None:
        with suppress(BrokenPipeError):  # the server is gone, which is noticed by listening
            self._pipe.send(report)

    def live(self) -> None:
        try:
            while not self._over:
                if self._next is None:
                    self.listen(0.2)
                    continue
                order, self._next = self._next, None
                self._run(order)
        finally:
            faulthandler.cancel_dump_traceback_later()

    # -- a run -----------------------------------------------------------------------------------

    def _run(self, order: StartRun) -> None:
        place: Path | None = None
        try:
            trial = Trial(order.scenario, plugins=self._plugins, outside=order.outside)
            place = make_folder(None, runs=order.runs, name=order.scenario.name)
        except AnnelidError as error:
            self.send(Ended(place, "failed", str(error)))
            return
        self._trial, self._folder = trial, place
        self._shown_epoch = self._shown_ns = -1
        self._events, self._wires = [], []
        self._programmed = False
        trial.listeners.append(self._note)
        pacer = self._pacer = LivePacer(
            lambda: trial.sim,
            self,
            paused=order.paused,
            speed=order.speed,
            pulse=self._pulse,
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
        finally:
            self._pulse.value = 0
            faulthandler.cancel_dump_traceback_later()
        self._pacer = None
        self.show()
        self._tell()
        self.send(Ended(place, reason, error_text))
        self._trial = None

    def _note(self, t_ns: int, source: str, kind: str, detail: Mapping[str, Any]) -> None:
        event = Happened(t_ns, source, kind, dict(detail))
        if source == OUTSIDE:
            table = {"do": kind, **event.detail}
            self._programmed |= kind in PROGRAMS
            self.send(Taken(Timed(t_ns, parse_outside(table, context=self._plugins.context))))
        if kind != "wire":
            self._events.append(event)
        elif self._watch.wire:
            self._wires.append(event)

    # -- as the pacer's watcher ------------------------------------------------------------------

    def listen(self, wait_s: float) -> None:
        if self._programmed:
            faulthandler.dump_traceback_later(DEAF_S, exit=True, file=self._nowhere)
        try:
            while self._pipe.poll(wait_s):
                wait_s = 0.0
                self._obey(self._pipe.recv())
        except (BrokenPipeError, EOFError, ConnectionError):
            self._obey(Quit())  # the server is gone
            return
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
                except AnnelidError as error:
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
        events = (*self._events, *self._wires[-WIRES_MAX:])
        if events:
            self.send(NewEvents(events))
        self._events, self._wires = [], []

    def _photograph(self, trial: Trial, name: str) -> None:
        now = time.monotonic_ns()
        if now < self._camera_ns:
            return
        self._camera_ns = now + CAMERA_NS
        picture = trial.sim.sensors.picture(name)
        self.send(CameraPicture(name, np.asarray(picture, np.uint8)))

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


def _cameras(trial: Trial) -> tuple[str, ...]:
    """Their names; a camera that is watched may be that of a robot that was."""
    boards = [node.board for node in trial.circuit.nodes.values()]
    return tuple(camera.name for board in boards for camera in board.cameras.values())
