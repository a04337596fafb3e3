"""Simulates a chain of ErekoBots on a real serial port, in real time.

Everything behind the port is what a trial simulates: bodies, servos, boards, the modules'
programs and the line between them.  In the host's place on that line stands a bridge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import radians
from pathlib import Path
from time import perf_counter
from typing import Any

from annelid.electronics.circuit import Circuit
from annelid.errors import AnnelidError
from annelid.hardware.bridge import bridge
from annelid.hardware.real_time import RealTime
from annelid.hardware.runner import End, run_paced
from annelid.hardware.serial_port import SerialPort
from annelid.kernel import SECOND, Kernel, Priority, Program, Sleep, seconds, to_seconds
from annelid.kernel.trace import Trace
from annelid.physics.simulation import Simulation
from annelid.systems.erekobot.network import build
from annelid.systems.erekobot.serial import PORT
from annelid.systems.erekobot.spec import ErekobotSpec
from annelid.trial.folder import METRICS, SCENARIO, TRACE, make_folder
from annelid.trial.load import parse, resolve, save
from annelid.trial.metrics import Metrics, Stopped, Tally
from annelid.trial.recorder import Recorder
from annelid.trial.seal import seal

LETTER = "K"
SETTLE_S = 0.5
"""From the host's stop to the end of the run: the chain comes to rest."""
SILENCE_S = 3.0
"""The First Profile knows no stop: so long without a byte is the end of it."""


@dataclass(frozen=True)
class Glance:
    """How things stand, once a second."""

    time_s: float
    crawled_m: float
    angles_deg: Mapping[str, float]


@dataclass(frozen=True)
class ChainResult:
    """What a session at the line amounted to."""

    end: End
    metrics: Metrics
    heard: int
    """Bytes from the host."""
    commands: Mapping[str, int]
    """How often each module turned its servo."""
    behind_s: float
    """Time that the simulation could not keep up with the wall clock."""
    folder: Path | None


@dataclass
class ServedChain:
    """Built and listening, ready to :meth:`run` once."""

    url: str
    spec: ErekobotSpec
    count: int
    seed: int = 0
    commands: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        """The port first: one that is not there should not cost the building of a chain."""
        self.spec.addresses_for(self.count)
        self._trace = Trace()
        self._stopped = False
        self.kernel = Kernel(record=self._note)
        self.clock = RealTime(self.kernel)
        self.port = SerialPort(self.url, self.clock, name="outside", spec=self.spec.uart())
        try:
            self._build()
        except BaseException:
            self.port.close()
            raise

    def _build(self) -> None:
        table = {
            "name": "erekobot-modules",
            "about": f"ErekoBots at a serial port, Profile {self.spec.profile}",
            "seed": self.seed,
            "jitter_deg": 0.5,
            "robot": {"chain": LETTER * self.count},
            "world": {"kind": "open-air"},
            "physics": {"timestep_ms": 2, "servo": "quasi-static"},
            "control": {"system": "erekobot", "options": self.spec.model_dump()},
        }
        self.scenario = parse(table, where="erekobot modules")
        robot, world = resolve(self.scenario)
        jitter = radians(self.scenario.jitter_deg)
        self.sim = Simulation(robot, world, self.scenario.physics, seed=self.seed, jitter=jitter)
        self.circuit = Circuit(self.kernel, self.sim)
        # The real host takes its own time; the bridge in its place must not add to it.
        line = self.spec.model_copy(update={"host_ms": 0.0})
        firmware = partial(bridge, outside=self.port, port=PORT)
        network = build(line, self.circuit, host_firmware=firmware)
        self.commands = {node.name: 0 for node in network.modules}

    # -- running -------------------------------------------------------------------------------

    def run(
        self,
        *,
        seconds: float | None = None,
        out: Path | None = None,
        show: Callable[[Glance], None] | None = None,
    ) -> ChainResult:
        """Until the host says stop, time is up, or Ctrl-C; ``out`` is a new run folder."""
        try:
            folder = None if out is None else make_folder(out, runs=out.parent, name=out.name)
            if folder is not None:
                save(self.scenario, folder / SCENARIO)
                self._trace = Trace.to_folder(folder / TRACE)
            end, metrics = self._recorded(folder, seconds, show)
        finally:
            self.close()
        behind_s = to_seconds(self.clock.forgiven_ns)
        return ChainResult(end, metrics, self.port.heard, self.commands, behind_s, folder)

    def _recorded(
        self, folder: Path | None, seconds: float | None, show: Callable[[Glance], None] | None
    ) -> tuple[End, Metrics]:
        """The metrics are written however it ends."""
        tally = Tally(self.scenario, self.sim)
        started = perf_counter()
        stopped: Stopped = "failed"
        try:
            with self._trace:
                end = self._run(tally, seconds, show)
            stopped = "interrupted" if end is End.INTERRUPTED else "duration"
        finally:
            metrics = tally.metrics(self.sim, stopped, wall_s=perf_counter() - started)
            if folder is not None:
                metrics.save(folder / METRICS)
                seal(folder)
        return end, metrics

    def _run(
        self, tally: Tally, seconds: float | None, show: Callable[[Glance], None] | None
    ) -> End:
        kernel = self.kernel
        kernel.record("chain", "start", {"chain": self.sim.robot.letters, "port": self.url})
        recorder = Recorder(self.sim, self._trace, self.scenario.record, tally)
        kernel.spawn(recorder.program(kernel), "recorder", priority=Priority.LATE)
        kernel.spawn(recorder.state_program(kernel), "state recorder", priority=Priority.LATE)
        kernel.spawn(self._look(tally), "look")
        kernel.spawn(self._watch(), "watch")
        if show is not None:
            kernel.spawn(self._show(show, tally), "show", priority=Priority.LATE)
        self.circuit.start()
        try:
            return run_paced(self.clock, seconds=seconds)
        except AnnelidError as error:
            kernel.record("chain", "failed", {"error": str(error)})
            raise
        finally:
            kernel.close()
            self.circuit.close()

    def close(self) -> None:
        """Give the port back; harmless a second time."""
        self.port.close()

    # -- watching ------------------------------------------------------------------------------

    def _note(self, t_ns: int, source: str, kind: str, detail: Mapping[str, Any]) -> None:
        """Into the trace, and into our own account."""
        self._trace.events.append(t_ns, source, kind, detail)
        if source in self.commands:
            self.commands[source] += kind == "servo"
            self._stopped = self._stopped or kind == "stop"

    def _look(self, tally: Tally) -> Program:
        tick = Sleep(self.scenario.control.tick_ns)
        while True:
            self.sim.advance_to(self.kernel.now)
            tally.look(self.sim)
            yield tick

    def _watch(self) -> Program:
        """Ends the run when the host has."""
        silence_ns = max(seconds(SILENCE_S), seconds(3 * self.spec.interval_ms / 1000))
        while not self._stopped:
            yield Sleep(SECOND // 10)
            heard_ns = self.port.heard_ns
            if self.spec.profile == 1 and heard_ns is not None:
                self._stopped = self.kernel.now - heard_ns > silence_ns
        yield Sleep(seconds(SETTLE_S))
        self.kernel.stop()

    def _show(self, show: Callable[[Glance], None], tally: Tally) -> Program:
        start_m = tally.progress
        while True:
            yield Sleep(SECOND)
            motors = self.sim.actuators
            angles = dict(zip(motors.names, motors.position().tolist(), strict=True))
            degrees = {name: angle / radians(1) for name, angle in angles.items()}
            show(Glance(to_seconds(self.kernel.now), tally.progress - start_m, degrees))
