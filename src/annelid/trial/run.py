"""A trial: scenario and seed become a simulation, a trace, and metrics.

Gaits or firmware, events, faults and recorder are programs of one kernel; the physics is advanced
to the moment at which somebody looks at it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from annelid.behaviour import BEHAVIOURS
from annelid.boundary.cost import require_room
from annelid.control.controller import Pilot
from annelid.electronics.circuit import Circuit
from annelid.electronics.elsewhere import RemoteGate
from annelid.electronics.injector import Injector
from annelid.electronics.link import Link
from annelid.electronics.links import LINKS
from annelid.errors import AnnelidError, InputError, OutputError, SimulationError
from annelid.kernel import Kernel, Pacer, Priority, Program, Record, Sleep, seconds
from annelid.kernel.process import what_of, where_of
from annelid.kernel.trace import Trace, digest
from annelid.physics.simulation import Simulation
from annelid.systems import RULES, SYSTEMS
from annelid.systems.front import found
from annelid.systems.statement import Witness
from annelid.trial.deeds import Deeds, Happenings
from annelid.trial.driving import Driver, pilot_of
from annelid.trial.folder import AS_BUILT, METRICS, SCENARIO, TRACE, make_folder
from annelid.trial.interrupt import interruptible
from annelid.trial.load import bound, naming, save
from annelid.trial.lookout import Lookout
from annelid.trial.metrics import Metrics, Stopped, Tally
from annelid.trial.outside import OUTSIDE, Outside, Timed
from annelid.trial.plugins import Plugins
from annelid.trial.recorder import Recorder, table_bytes
from annelid.trial.scenario import Scenario
from annelid.trial.seal import seal
from annelid.trial.simulated import simulation_of
from annelid.trial.telling import Progress, telling
from annelid.trial.truth import TruthTally

_LAST = Priority.LATE + 1
"""After the recorder: the end of an instant."""


@dataclass(frozen=True)
class RunResult:
    """Where a run lies, and what it amounted to."""

    folder: Path
    metrics: Metrics


class Trial:
    """One scenario, ready to be simulated once.

    Building it compiles the model and wires the boards, so that what does not fit is known before
    a folder is made.
    """

    def __init__(
        self,
        scenario: Scenario,
        *,
        plugins: Plugins = Plugins(),  # noqa: B008
        outside: Sequence[Timed] = (),
        sim: Simulation | None = None,
        pilot: Callable[[Simulation, Kernel], Pilot] | None = None,
    ) -> None:
        """``outside`` is what is to come from outside, and when: a run that is repeated.  ``sim``
        stands at the start of this scenario already; ``pilot`` makes one in the place of the
        scenario's own."""
        self.scenario = scenario
        self._plugins = plugins
        self._outside = outside
        self.listeners: list[Record] = []
        """Told every event of the run as it happens."""
        self.sim = sim or simulation_of(scenario, plugins)
        self.tally = Tally(scenario, self.sim)
        self._stopped: Stopped | None = None
        self.ending: Stopped | None = None
        """Why it ends with this instant, when that is known."""
        self._begun = False
        self._shown_ns = 0
        self._trace = Trace()
        self._kernel = Kernel(record=self._note)
        self._happenings = Happenings(self._kernel, self.sim)
        control, gaits = scenario.control, bound(scenario, self.sim.robot)
        with naming("control"):
            flown = pilot_of(control, self.sim) if pilot is None else pilot(self.sim, self._kernel)
        self._driver = Driver(self.sim, control.gaits, gaits, flown)
        self.circuit = Circuit(self._kernel, self.sim, kinds=self._kinds_of_links())
        self.injector = Injector(self.circuit)
        self._deeds = Deeds(self.circuit, self.injector, self._driver)
        self._wire()
        self.truth = TruthTally(self._kernel, self._witness())
        self.listeners.append(self.truth.note)

    def _wire(self) -> None:
        """Boards, links, supply; refuse faults of things that are not there."""
        scenario, plugins = self.scenario, self._plugins
        control = scenario.control
        if control.system is not None:
            with naming("control.system"):
                system = plugins.table(SYSTEMS)[control.system]
                system.wire(
                    control.options,
                    self.circuit,
                    behaviours=plugins.of(BEHAVIOURS),
                    extras=plugins.of(RULES),
                )
        else:
            brought = [kind.name for kind in plugins.of(BEHAVIOURS)]
            brought += [extra.name for extra in plugins.of(RULES)]
            if brought:
                raise InputError(
                    f"control: gaits drive this robot, got for a system: {', '.join(brought)}"
                )
        with naming("control.links"):
            self.circuit.require_used_kinds()
        if scenario.power is not None:
            self.circuit.supply(scenario.power)
        for place, fault in enumerate(scenario.faults):
            with naming(f"faults.{place}"):
                self.injector.check(fault)

    def _witness(self) -> Witness | None:
        """Of the robot's system, if it has one: it sees what the robot cannot."""
        name = self.scenario.control.system
        place = None if name is None else self._plugins.table(SYSTEMS)[name].witness
        return None if place is None else found(place)(self.circuit)

    def _kinds_of_links(self) -> dict[str, type[Link]]:
        table = self._plugins.table(LINKS)
        with naming("control.links"):
            return {name: table.find(kind) for name, kind in self.scenario.control.links.items()}

    def _note(self, t_ns: int, source: str, kind: str, detail: Mapping[str, Any]) -> None:
        """What the kernel's programs have to tell, into the trace of this run."""
        self._trace.events.append(t_ns, source, kind, detail)
        for tell in self.listeners:
            tell(t_ns, source, kind, detail)

    @property
    def now_ns(self) -> int:
        return self._kernel.now

    @property
    def busy(self) -> str | None:
        """Whose program is running at this moment, for somebody who watches from outside."""
        process = self._kernel.current
        return None if process is None else process.name

    def stop(self) -> None:
        """End the run after the instant in hand, as Ctrl-C does."""
        self._interrupt()

    def inject(self, what: Outside) -> int:
        """Let something come from outside now; returns the moment.  What cannot be is refused here
        and never happens."""
        deed = self._deeds.of(what)
        at_ns = self.sim.now_ns  # the physics may have been shown farther than the last event
        return self._kernel.inject(lambda: self._do(what, deed), at_ns=at_ns)

    def _do(self, what: Outside, deed: Callable[[], None]) -> None:
        detail = what.model_dump(mode="json", exclude={"do"}, exclude_none=True)
        self._kernel.record(OUTSIDE, what.do, detail)
        deed()

    def run(
        self,
        folder: Path | None = None,
        *,
        runs: Path = Path("runs"),
        progress: Progress | None = None,
        pacer: Pacer | None = None,
    ) -> RunResult:
        """Simulate and record into ``folder``, or into the next free one of ``runs``; at the pace
        of ``pacer``, if there is one.

        Ctrl-C, a full disk or a physics that blows up leave a folder that can be read, with
        metrics as far as it went.
        """
        if pacer is None:  # else somebody watches it and ends it
            require_room(
                folder or runs, table_bytes(self.sim, self.scenario), what=self.scenario.name
            )
        place = make_folder(folder, runs=runs, name=self.scenario.name)
        try:
            trace = Trace.to_folder(place / TRACE)  # first: of two in one folder, one is refused
            save(self.scenario, place / SCENARIO, plugins=self._plugins)
            if self.sim.built.drawn:
                text = self.sim.built.model_dump_json(indent=2)
                (place / AS_BUILT).write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise _unwritten(place, error) from error
        metrics = self._record(trace, place, progress, pacer)
        if metrics.interrupted:
            raise KeyboardInterrupt(
                f"interrupted at {metrics.time_s:.2f} s; what was recorded is in {place}"
            )
        return RunResult(place, metrics)

    def give_up(self, at_s: float, hopeless: Callable[[], bool]) -> None:
        """End the run early if it looks hopeless at that moment: a search need not see the rest."""

        def judge() -> None:
            if hopeless():
                self._finish("hopeless")

        self._kernel.call_at(seconds(at_s), judge, priority=_LAST)

    def gate(self, board: str) -> RemoteGate:
        """Of a board whose program runs elsewhere."""
        return self._deeds.gate(board)

    def every(self, period_ns: int, look: Callable[[], None]) -> None:
        """Call ``look`` at the end of every such instant of the run: somebody outside watches, and
        may :meth:`inject`."""

        def program() -> Program:
            tick = Sleep(period_ns)
            while True:
                look()
                yield tick

        self._kernel.spawn(program(), "watcher", priority=_LAST)

    def measure(self, *, progress: Progress | None = None) -> Metrics:
        """Simulate for the numbers alone, without a trace."""
        return self._measured(Trace(), progress, record=False)

    def record_into(
        self, trace: Trace, *, progress: Progress | None = None, shown_ns: int = 0
    ) -> Metrics:
        """Simulate into a trace of the caller's: in memory, or to several sinks.

        ``shown_ns``: the physics is advanced so far beyond the last event, as in a run that was
        watched when it was ended."""
        self._shown_ns = shown_ns
        with trace:
            return self._measured(trace, progress, record=True)

    def _measured(self, trace: Trace, progress: Progress | None, *, record: bool) -> Metrics:
        started = perf_counter()
        self._simulate(trace, progress, record=record)
        metrics = self.metrics(perf_counter() - started)
        if metrics.interrupted:
            raise KeyboardInterrupt(f"interrupted at {metrics.time_s:.2f} s")
        return metrics

    def _record(
        self, trace: Trace, place: Path, progress: Progress | None, pacer: Pacer | None
    ) -> Metrics:
        started = perf_counter()
        failure: AnnelidError | None = None
        try:
            with trace:
                self._simulate(trace, progress, record=True, pacer=pacer)
        except AnnelidError as error:
            failure = error
            if not isinstance(error, SimulationError):
                self._stopped = "failed"
        metrics = self.metrics(perf_counter() - started)
        try:
            if failure is None:
                metrics = metrics.model_copy(update={"digest": digest(place / TRACE)})
            metrics.save(place / METRICS)
            seal(place)
        except OSError as error:
            raise failure or _unwritten(place, error) from error
        if failure is not None:
            raise failure
        return metrics

    def metrics(self, wall_s: float = 0.0) -> Metrics:
        """As far as it has come."""
        metrics = self.tally.metrics(self.sim, self._end(), wall_s=wall_s, power=self.circuit.power)
        errors = {name: node.error for name, node in self.circuit.nodes.items() if node.error}
        troubles = {
            "resets": self.circuit.resets,
            "faults": self.injector.happened,
            "crashed": tuple(errors),
            "crashes": tuple(
                f"{name}: {where_of(error)}: {what_of(error)}" for name, error in errors.items()
            ),
            **self.truth.metrics,
        }
        return metrics.model_copy(update=troubles)

    def _end(self) -> Stopped:
        return self._stopped or "failed"

    # -- the programs ---------------------------------------------------------------------------

    def _simulate(
        self,
        trace: Trace,
        progress: Progress | None,
        *,
        record: bool,
        pacer: Pacer | None = None,
    ) -> None:
        self._begin(trace, progress, record=record)
        kernel, circuit = self._kernel, self.circuit
        try:
            with interruptible(self._interrupt):
                kernel.run(pacer=pacer)
            if self._stopped == "interrupted" or self._shown_ns:
                self.sim.advance_to(max(kernel.now, self.sim.now_ns, self._shown_ns))
            self.truth.end()
            if circuit.power is not None and self.sim.now_ns <= kernel.now:
                circuit.power.update()  # else it was ended live, and shown farther than its events
        except SimulationError as error:
            self._stopped = "unstable"
            trace.events.append(kernel.now, "physics", "unstable", {"error": str(error)})
            raise
        finally:
            self.close()
        trace.events.append(kernel.now, "trial", "stop", {"reason": self._end()})

    def begin(self) -> None:
        """Start it without a trace, for somebody who lets it :meth:`go_on` and closes it."""
        self._begin(Trace(), None, record=False)

    def go_on(self) -> bool:
        """Until its pilot waits; False: it has ended."""
        self._kernel.run()
        return self._stopped is None

    def close(self) -> None:
        """End its programs."""
        try:
            self.circuit.close()
        finally:
            self._kernel.close()

    def _begin(self, trace: Trace, progress: Progress | None, *, record: bool) -> None:
        if self._begun:
            raise InputError("a trial runs once; build another one from the same scenario")
        self._begun = True
        scenario, sim, kernel, circuit = self.scenario, self.sim, self._kernel, self.circuit
        self._trace = trace
        trace.events.append(0, "trial", "start", {"chain": sim.robot.letters})
        self._happenings.schedule(scenario.events)
        self.injector.schedule(scenario.faults)
        for timed in self._outside:
            kernel.call_at(timed.t_ns, partial(self._repeat, timed.what), priority=Priority.OUTSIDE)
        if record and circuit.power is not None:
            circuit.power.record_into(trace)
        circuit.start()
        if scenario.control.system is None:
            driving = self._driver.program(kernel, scenario.control.tick_ns)
            kernel.spawn(driving, "control", priority=self._driver.priority)
        end = self._end_with_this_instant
        lookout = Lookout(scenario, sim, kernel, self.tally, self.truth, end)
        kernel.spawn(lookout.program(), "look")
        if record:
            recorder = Recorder(sim, trace, scenario.record, self.tally, power=circuit.power)
            kernel.spawn(recorder.program(kernel), "recorder", priority=Priority.LATE)
            if scenario.record.state_hz:
                program = recorder.state_program(kernel)
                kernel.spawn(program, "recorder of the state", priority=Priority.LATE)
        end_ns = seconds(scenario.duration_s)
        kernel.call_at(end_ns, lambda: self._finish("duration"), priority=_LAST)
        if progress is not None:
            kernel.spawn(telling(progress, sim, kernel), "progress", priority=_LAST)

    def _repeat(self, what: Outside) -> None:
        self._do(what, self._deeds.of(what))

    def _end_with_this_instant(self, reason: Stopped) -> None:
        self.ending = reason
        self._kernel.call_at(self._kernel.now, lambda: self._finish(reason), priority=_LAST)

    def _interrupt(self) -> None:
        """When this instant is over, so that a replay can stop at the same event."""
        if self._stopped is None:
            self._stopped = "interrupted"
        self._kernel.stop(instant_first=True)

    def _finish(self, reason: Stopped) -> None:
        if self._stopped is None:
            self._stopped = reason
        self._kernel.stop()


def _unwritten(place: Path, error: OSError) -> OutputError:
    return OutputError(f"{place}: could not write the run: {error.strerror or error}")
