"""Reads a run folder back, and simulates it again to check that it repeats.

A run is reproducible bit for bit from its scenario; ``replay`` proves it, or says at what moment
and in which channel the two first part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.boundary.files import is_file, read_table, read_toml
from annelid.errors import InputError, MissingFile, SimulationError, UnknownKey, needing
from annelid.kernel import seconds, to_seconds
from annelid.kernel.trace import MemorySink, Trace, TraceReader, TraceSource, digest, events
from annelid.kernel.trace.reader import Event
from annelid.kernel.trace.schema import EVENTS
from annelid.physics.render import available
from annelid.physics.simulation import Simulation
from annelid.physics.still import encode, still
from annelid.robot import AsBuilt
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
from annelid.trial.telling import Progress

ITS_OWN_END = ("duration", "goal", "fell")
"""Ends that a run comes to by itself, and comes to again."""
CUT_SHORT = ("interrupted", "unstable")
"""Ends whose metrics are computed anew up to the same moment."""


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
        happened = list(_rebuilds(self.events()))
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


class _Rebuild(NamedTuple):
    a: str
    b: str
    join: bool
    angle: float | None
    """As the faces stand, where a latch grasped."""


def _rebuilds(happened: list[Event]) -> Iterator[_Rebuild]:
    """What made the model anew, in order; a latch that was closed already did not."""
    epoch = 0
    for event in happened:
        if event.kind in ("cut", "join"):
            faces = (str(event.detail["a"]), str(event.detail["b"]))
        elif event.kind in ("attach", "detach") and event.detail.get("epoch") == epoch + 1:
            faces = (event.source, str(event.detail["other"]))
        else:
            continue
        epoch += 1
        join = event.kind in ("join", "attach")
        yield _Rebuild(*faces, join, event.detail.get("angle_rad"))


@dataclass(frozen=True)
class States:
    """All frames of one model."""

    epoch: int
    times_ns: NDArray[np.int64]
    qpos: NDArray[np.float64]
    sim: Simulation

    def show(self, frame: int) -> Simulation:
        """Put the simulation into a frame; bodies and geoms then are where they were."""
        self.sim.data.qpos[:] = self.qpos[frame]
        mujoco.mj_forward(self.sim.model, self.sim.data)
        return self.sim


@dataclass(frozen=True)
class Difference:
    """Where two traces, or two tables of metrics, first part."""

    table: str
    column: str
    time_s: float | None
    recorded: str
    replayed: str

    def __str__(self) -> str:
        at = "" if self.time_s is None else f" at {self.time_s:.4f} s"
        return f"{self.table}.{self.column}{at}: recorded {self.recorded}, replayed {self.replayed}"


@dataclass(frozen=True)
class Replay:
    """The outcome of running a run again."""

    same: bool
    recorded: str
    replayed: str
    difference: Difference | None
    metrics: Metrics
    checked: bool = True
    """Whether the recorded metrics were compared too: a run that was killed has none, and where a
    run failed (a full disk) its scenario does not say."""


def replay(run: Run, *, progress: Progress | None = None, programs: bool = False) -> Replay:
    """Simulate the run's scenario again, with what came from outside, and compare the traces bit
    for bit.

    The drawn robot is drawn anew, and the metrics are computed anew, also those of a run that was
    interrupted.  A run that was cut short is compared as far as it goes.  ``programs`` allows
    those that were written while it went on.
    """
    sink = MemorySink()
    outside = run.outside
    if not programs:
        require_no_programs(outside)
    scenario = run.scenario
    before = _metrics(run)
    reached = _last_ns(run.trace)
    if before is None or before.stopped not in ITS_OWN_END:
        scenario = scenario.model_copy(update={"duration_s": max(to_seconds(reached), 1e-3)})
    trial = Trial(scenario, plugins=run.plugins, outside=outside)
    shown_ns = 0
    if before is not None and before.stopped == "interrupted":
        # Of a run that is watched the physics is shown beyond its last event, but before the next.
        shown_ns = min(seconds(before.time_s), reached + scenario.control.tick_ns)
    try:
        metrics = trial.record_into(Trace(sink), progress=progress, shown_ns=shown_ns)
    except SimulationError:
        if before is not None and before.stopped != "unstable":
            raise
        metrics = trial.metrics()
    old, new = digest(run.trace), digest(sink)
    whole = before is not None and before.stopped in ITS_OWN_END
    checked = before is not None and (whole or before.stopped in CUT_SHORT)
    difference = None
    if old != new:
        difference = first_difference(run.trace, sink, whole=checked, ends=whole)
        if difference is None and whole:  # in a unit, or in the order of columns
            difference = Difference(TRACE, "(digest)", None, old, new)
    difference = difference or _other_table(AS_BUILT, _built(run.as_built), _built(trial.sim.built))
    if before is not None and checked:
        metrics = _ended_alike(metrics, before, new if whole else old)
        difference = difference or _other_table(
            METRICS, deterministic(before), deterministic(metrics)
        )
    return Replay(difference is None, old, new, difference, metrics, checked=checked)


def _ended_alike(replayed: Metrics, recorded: Metrics, traced: str) -> Metrics:
    """With the digest, and with the recorded end where that came from outside."""
    fields: dict[str, Any] = {"digest": None if recorded.stopped == "unstable" else traced}
    if recorded.stopped == "interrupted":
        fields |= {"stopped": "interrupted", "interrupted": True}
    return replayed.model_copy(update=fields)


def _built(built: AsBuilt) -> dict[str, Any]:
    return flatten(built.model_dump(mode="json"))


def _other_table(table: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Difference | None:
    """The first value that does not follow from the scenario."""
    for name in (*old, *new):
        if old.get(name) != new.get(name):
            return Difference(table, name, None, repr(old.get(name)), repr(new.get(name)))
    return None


def first_difference(
    recorded: TraceSource, replayed: TraceSource, *, whole: bool = True, ends: bool = True
) -> Difference | None:
    """The earliest cell in which two traces differ; ``whole``: a missing row counts, too;
    ``ends``: so does the reason of the stop."""
    found: list[tuple[float, Difference]] = []
    for table in sorted(set(recorded.tables) | set(replayed.tables)):
        if table not in recorded.tables or table not in replayed.tables:
            if whole:
                sides = (
                    "present" if table in t.tables else "missing" for t in (recorded, replayed)
                )
                found.append((np.inf, Difference(table, "(table)", None, *sides)))
            continue
        old, new = recorded.read(table), replayed.read(table)
        if table == EVENTS and not ends:
            old, new = _without_end(old), _without_end(new)
        for column in dict.fromkeys((*old, *new)):
            if column not in new or column not in old:
                sides = ("present" if column in side else "missing" for side in (old, new))
                found.append((np.inf, Difference(table, column, None, *sides)))
                continue
            at = _first(old[column], new[column], whole=whole)
            if at is not None:
                times = old["time_ns"] if at < len(old["time_ns"]) else new["time_ns"]
                time_s = to_seconds(int(times[at]))
                cells = (_cell(side[column], at) for side in (old, new))
                found.append((time_s, Difference(table, column, time_s, *cells)))
    return min(found, key=lambda pair: pair[0])[1] if found else None


def _without_end(rows: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    ended = len(rows["kind"]) and rows["kind"][-1] == "stop"
    return {name: column[:-1] for name, column in rows.items()} if ended else rows


def _first(a: NDArray[Any], b: NDArray[Any], *, whole: bool) -> int | None:
    """Index of the first row that differs; NaN equals NaN."""
    common = min(len(a), len(b))
    left, right = a[:common], b[:common]
    differs = left != right
    if left.dtype.kind == "f":
        differs &= ~(np.isnan(left) & np.isnan(right))
    if differs.any():
        return int(np.argmax(differs))
    return common if whole and len(a) != len(b) else None


def _cell(column: NDArray[Any], at: int) -> str:
    return (
        repr(column[at].item() if hasattr(column[at], "item") else column[at])
        if at < len(column)
        else "no row"
    )


def _metrics(run: Run) -> Metrics | None:
    """None where the run was killed before it could write them."""
    return run.metrics if (run.folder / METRICS).is_file() else None


def _last_ns(trace: TraceReader) -> int:
    times = [trace.read(table)["time_ns"] for table in trace.tables]
    return max((int(column[-1]) for column in times if len(column)), default=seconds(0))
