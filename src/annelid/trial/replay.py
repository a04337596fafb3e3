"""Reads a run folder back, and simulates it again to check that it repeats.

A run is reproducible bit for bit from its scenario; ``replay`` proves it, or says at what moment
and in which channel the two first part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annelid.boundary.files import is_file, read_table, read_toml
from annelid.errors import AnnelidError, InputError, MissingFile, UnknownKey, needing
from annelid.kernel import seconds, to_seconds
from annelid.kernel.trace import MemorySink, Trace, TraceReader, digest, events
from annelid.kernel.trace.reader import Event
from annelid.kernel.trace.schema import EVENTS
from annelid.physics.render import available
from annelid.physics.still import encode, still
from annelid.robot import AsBuilt
from annelid.trial.difference import Difference, first_difference, not_recorded, other_value
from annelid.trial.fields import flatten
from annelid.trial.folder import AS_BUILT, METRICS, PICTURE, SCENARIO, TRACE
from annelid.trial.load import parse
from annelid.trial.metrics import Metrics, deterministic
from annelid.trial.notebook import shown
from annelid.trial.outside import Timed, recorded, require_no_programs
from annelid.trial.plugins import Plugins
from annelid.trial.run import Trial
from annelid.trial.scenario import Scenario
from annelid.trial.seal import NO_SEAL, sealed
from annelid.trial.simulated import simulation_of
from annelid.trial.states import States, rebuilds
from annelid.trial.telling import Progress

ITS_OWN_END = ("duration", "goal", "fell")
"""Ends that a run comes to by itself, and comes to again."""
CUT_SHORT = ("interrupted", "hopeless", "unstable")
"""Ends whose metrics are computed anew up to the same moment."""
OF_THE_STEP = (
    *("scenario", "seed", "stopped", "interrupted", "time_s", "steps", "modules", "mass_kg"),
    *("there_and_back", "peak_current_a", "peak_current_at", "hottest_c", "hottest_at", "digest"),
)
"""Metrics of a run that failed which follow from its last step."""


class TraceTable(dict[str, NDArray[Any]]):
    """A table's columns by name; a wrong name is answered with the right ones."""

    def __init__(self, table: str, columns: dict[str, NDArray[Any]]) -> None:
        super().__init__(columns)
        self._table = table

    def __missing__(self, name: str) -> NDArray[Any]:
        raise UnknownKey("column", name, self, where=f"table {self._table!r}")


class Run:
    """What a trial left in ``folder``, read when asked for.

    A mapping of tables: ``list(run)`` are their names, ``run["robot"]["progress"]`` is a column of
    one, as an array.  ``run.metrics`` are the numbers, ``run.to_pandas("robot")`` is a data frame.
    A notebook shows numbers, picture and video.
    """

    def __init__(self, folder: Path | str, *, plugins: Plugins = Plugins()) -> None:  # noqa: B008
        self.folder = Path(folder)
        self.plugins = plugins
        if not is_file(self.folder / SCENARIO):
            raise MissingFile(
                f"{self.folder}: expected a run folder, with {SCENARIO} and {TRACE}/ in it"
            )
        self.whole = sealed(self.folder)
        """Whether the run ended and nothing of it was changed since; else it was cut off."""

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r})"

    @property
    def note(self) -> str | None:
        """What a reader should know of a run that was cut off; None of a whole one."""
        if self.whole:
            return None
        reached = to_seconds(_last_ns(self.trace)) if (self.folder / TRACE).is_dir() else 0.0
        return f"{self.folder}: {NO_SEAL}; {reached:.2f} s were recorded"

    @cached_property
    def scenario(self) -> Scenario:
        path = self.folder / SCENARIO
        return parse(read_toml(path), plugins=self.plugins, where=str(path), folder=self.folder)

    @cached_property
    def metrics(self) -> Metrics:
        return Metrics.read(self.folder / METRICS)

    @cached_property
    def as_built(self) -> AsBuilt:
        """How this robot differed from its design; of a nominal run nothing is in it."""
        path = self.folder / AS_BUILT
        if not path.is_file():
            return AsBuilt()
        return AsBuilt.parse(read_table(path), where=str(path))

    @cached_property
    def trace(self) -> TraceReader:
        return TraceReader(self.folder / TRACE)

    @property
    def tables(self) -> list[str]:
        return self.trace.tables

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def __contains__(self, table: object) -> bool:
        return table in self.tables

    def __getitem__(self, table: str) -> TraceTable:
        """Column name to array: ``run["robot"]["progress"]``."""
        return TraceTable(table, self.trace.read(self._known(table)))

    def to_arrow(self, table: str) -> Any:
        """A table as a ``pyarrow.Table``, with units in the metadata of its columns."""
        return self.trace.arrow(self._known(table))

    def to_pandas(self, table: str) -> Any:
        """A table as a ``pandas.DataFrame``."""
        with needing("notebook", "to_pandas"):
            return self.to_arrow(table).to_pandas()

    def _known(self, table: str) -> str:
        if table not in self.tables:
            raise UnknownKey("table", table, self.tables, where=str(self.folder))
        return table

    def _repr_html_(self) -> str:
        return shown(self.folder, _metrics(self), self.picture)

    @cached_property
    def picture(self) -> bytes | None:
        """The world and the robot at the end, PNG; None where the machine cannot draw it, or no
        joint positions were recorded."""
        if (kept := self.folder / PICTURE).is_file():
            return kept.read_bytes()
        last = None
        for states in self.states():
            last = states if len(states.times_ns) else last
        if last is None or available() is not None:
            return None
        return encode(still(last.sim.plan, last.qpos), "png")

    def time(self, table: str) -> NDArray[np.float64]:
        """Of a table's rows, s."""
        return np.asarray(self[table]["time_ns"]) * 1e-9

    def events(self, kind: str | None = None) -> list[Event]:
        return events(self.trace, kind=kind)

    @cached_property
    def outside(self) -> tuple[Timed, ...]:
        """What came from outside while it went on."""
        return recorded(self.events(), context=self.plugins.context)

    def states(self) -> Iterator[States]:
        """The recorded joint positions, with a simulation that can be put into them.

        A cut or a join, of the scenario or by a latch, makes another model: it is made again from
        the state that was recorded last before it.
        """
        sim = simulation_of(self.scenario, self.plugins)
        happened = list(rebuilds(self.events()))
        for epoch in range(len(happened) + 1):
            if epoch:
                a, b, join, angle = happened[epoch - 1]
                if join:
                    sim.join(a, b, angle=angle)
                else:
                    sim.cut(a, b)
            if f"state_{epoch}" not in self.tables:
                return
            rows = self[f"state_{epoch}"]
            names = sim.coordinates()
            if missing := [name for name in names if name not in rows]:
                raise InputError(
                    f"{self.folder}: its states have no {missing[0]!r}: another version of Annelid "
                    "recorded it; run its scenario.toml again to see it"
                )
            qpos = np.stack([rows[name] for name in names], axis=1)
            states = States(epoch, np.asarray(rows["time_ns"]), qpos, sim)
            yield states
            if len(qpos):
                states.show(len(qpos) - 1)


@dataclass(frozen=True)
class Replay:
    """The outcome of running a run again."""

    same: bool
    """In all that was compared."""
    recorded: str
    replayed: str
    difference: Difference | None
    metrics: Metrics
    reached_s: float
    """Time of the last row that was recorded."""
    unchecked: tuple[str, ...] = ()
    """What could not be compared, in words: of a run that was killed or that failed."""

    @property
    def checked(self) -> bool:
        """Whether trace, drawn robot and metrics were compared, all of them."""
        return not self.unchecked


class _Again(NamedTuple):
    """A scenario simulated once more."""

    trace: MemorySink
    metrics: Metrics
    built: AsBuilt
    error: AnnelidError | None


def replay(run: Run, *, progress: Progress | None = None, programs: bool = False) -> Replay:
    """Simulate the run's scenario again, with what came from outside, and compare the traces bit
    for bit.

    The drawn robot is drawn anew, and the metrics are computed anew, also those of a run that was
    interrupted.  A run that was cut short is compared as far as it goes, and what was not compared
    is told.  ``programs`` allows those that were written while it went on.
    """
    if not programs:
        require_no_programs(run.outside)
    before, reached_s = _metrics(run), to_seconds(_last_ns(run.trace))
    ended = _ended(run, before)
    by_itself = ended in ITS_OWN_END
    if by_itself:
        again = _simulated(run, progress)
    elif before is not None and ended == "failed":
        again, by_itself = _failed(run, before, progress)
    else:
        again = _simulated(run, progress, until_s=reached_s, shown_ns=_shown_ns(run, before))
    if again.error is not None and ended in (*ITS_OWN_END, "interrupted", "hopeless"):
        raise again.error
    whole = before is not None and (by_itself or ended in CUT_SHORT)
    torn = not whole or (ended in ITS_OWN_END and before is not None and before.stopped == "failed")
    ends = by_itself and ended != "failed"
    old, new = digest(run.trace), digest(again.trace)
    difference = None
    unchecked = list(not_recorded(run.trace, again.trace)) if torn else []
    if old != new:
        difference = first_difference(run.trace, again.trace, whole=not torn, ends=ends)
        if difference is None and by_itself and not torn:  # in a unit, or in the order of columns
            difference = Difference(TRACE, "(digest)", None, old, new)
    if before is None and not (run.folder / AS_BUILT).is_file() and again.built.drawn:
        unchecked.append(f"the drawn robot: {AS_BUILT} is not there")
    else:
        difference = difference or other_value(AS_BUILT, _built(run.as_built), _built(again.built))
    if before is None:
        unchecked.append(f"metrics: {METRICS} is not there; it is written when a run ends")
        return Replay(
            difference is None, old, new, difference, again.metrics, reached_s, tuple(unchecked)
        )
    metrics = _ended_alike(again.metrics, before, new if by_itself else old)
    numbers, anew = deterministic(before), deterministic(metrics)
    if not whole:
        left = [name for name in numbers if name not in _known_at_failure(before, metrics)]
        unchecked.append(f"metrics, of the instant in which it failed: {', '.join(left)}")
        numbers, anew = (
            {k: v for k, v in each.items() if k not in left} for each in (numbers, anew)
        )
    difference = difference or other_value(METRICS, numbers, anew)
    return Replay(difference is None, old, new, difference, metrics, reached_s, tuple(unchecked))


def _ended(run: Run, before: Metrics | None) -> str | None:
    """By what the run ended, by its metrics; by its events where it was killed, or failed while it
    was being written.  None: killed before it ended."""
    if before is not None and before.stopped != "failed":
        return before.stopped
    stops = [event for event in run.events("stop") if event.source == "trial"]
    told = str(stops[-1].detail.get("reason")) if stops else None
    return told if told in ITS_OWN_END else None if before is None else "failed"


def _simulated(
    run: Run, progress: Progress | None, *, until_s: float | None = None, shown_ns: int = 0
) -> _Again:
    scenario = run.scenario
    if until_s is not None:
        scenario = scenario.model_copy(update={"duration_s": max(until_s, 1e-3)})
    trial = Trial(scenario, plugins=run.plugins, outside=run.outside)
    sink = MemorySink()
    try:
        metrics = trial.record_into(Trace(sink), progress=progress, shown_ns=shown_ns)
    except AnnelidError as error:
        return _Again(sink, trial.metrics(), trial.sim.built, error)
    return _Again(sink, metrics, trial.sim.built, None)


def _shown_ns(run: Run, before: Metrics | None) -> int:
    """Of a run that is watched the physics is shown beyond its last event, but before the next."""
    if before is None or before.stopped != "interrupted":
        return 0
    return min(seconds(before.time_s), _last_ns(run.trace) + run.scenario.control.tick_ns)


def _failed(run: Run, before: Metrics, progress: Progress | None) -> tuple[_Again, bool]:
    """A run that failed; whether it fails again at that moment.

    A program that raises does so again.  A disk that was full is not: then the run is simulated up
    to its last step, and how much of that instant it had done nobody knows.
    """
    scenario = run.scenario
    seen_s = to_seconds(_last_ns(run.trace, but=EVENTS))  # rows show a step, events may be later
    last_s = min(max(before.time_s, seen_s), scenario.duration_s)
    tick_s = scenario.control.tick_ms / 1000
    again = _simulated(run, progress, until_s=min(last_s + tick_s, scenario.duration_s))
    if again.error is not None and again.metrics.time_s == before.time_s:
        return again, True
    return _simulated(run, progress, until_s=last_s, shown_ns=seconds(last_s)), False


def _known_at_failure(recorded: Metrics, replayed: Metrics) -> tuple[str, ...]:
    """Numbers that follow from the last step, whatever else happened in its instant."""
    fell = recorded.fell_s is not None or replayed.fell_s is not None
    supplied = recorded.boards_energy_j is not None or replayed.boards_energy_j is not None
    return (
        *OF_THE_STEP,
        *(() if fell else ("progress_m", "distance_m")),
        *(() if supplied else ("energy_j", "power_mean_w")),
    )


def _ended_alike(replayed: Metrics, recorded: Metrics, traced: str) -> Metrics:
    """With the digest, and with the recorded end where that came from outside."""
    unwritten = recorded.stopped in ("unstable", "failed")
    fields: dict[str, Any] = {"digest": None if unwritten else traced}
    if recorded.stopped in ("interrupted", "hopeless", "failed"):
        fields |= {"stopped": recorded.stopped, "interrupted": recorded.stopped == "interrupted"}
    return replayed.model_copy(update=fields)


def _built(built: AsBuilt) -> dict[str, Any]:
    return flatten(built.model_dump(mode="json"))


def _metrics(run: Run) -> Metrics | None:
    """None where the run was killed before it could write them."""
    return run.metrics if (run.folder / METRICS).is_file() else None


def _last_ns(trace: TraceReader, *, but: str = "") -> int:
    times = [trace.read(table)["time_ns"] for table in trace.tables if table != but]
    return max((int(column[-1]) for column in times if len(column)), default=seconds(0))
