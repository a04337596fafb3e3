"""The control systems of the papers' robots: the programs of their boards and their messages.

A *system* is everything about a robot that is neither body nor wire nor physics: its packets, the
programs of its modules, the program of its host or central control, and a frozen spec by which a
scenario chooses among them.  A module's body stands in ``annelid.modules``, the motions it may
make in ``annelid.motion``, boards and links in ``annelid.electronics``; a system puts programs on
boards and ports on links, and nothing else.

No system imports another, so that any of them can be taken away, and the programs of one can be
put on the modules of another.

A scenario names one, and says what the system's own spec has fields for::

    [control]
    system = "erekobot"

    [control.options]
    profile = 3

``SYSTEMS`` knows the built-in ones and says how one is brought (``annelid.registry``).  A system's
code is imported when it is asked for, because a scenario needs one of them at most.

Everything special to a system stands in its own folder, and other rooms reach it through its
:class:`System`.  What the console and the report show of it is data (``front.py``).  What cannot be
data is a *front-end file* under ``systems/NAME/front/``, which may import report, console, offline
and cli; a system names it by its place, and it is imported when it is used.  Its commands are named
in ``verbs.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from annelid.errors import InputError
from annelid.registry import Kind
from annelid.systems.front import Apart, Panel, Place, Section, Words

if TYPE_CHECKING:  # the command line lists verbs without them
    import numpy as np
    from numpy.typing import NDArray

    from annelid.behaviour import Behaviour, BehaviourTable
    from annelid.electronics.circuit import Circuit
    from annelid.spec import Spec

Build = Callable[..., object]
"""``build(options, circuit)``: boards, links and programs for the robot of ``circuit.sim``; with
``behaviours`` (a :class:`BehaviourTable`) where the system has layers of them, and ``extras`` where
it takes any."""

DescribeFrames = Callable[[bytes], Sequence[tuple[bytes, str]]]
"""Bytes as they were on a wire, in pieces, and each piece in words; it never raises."""

PhasesOf = Callable[[Any, int, Sequence[Mapping[str, Any]]], "Phases | None"]
"""``phases(options, modules, wire)``: from the details of the ``wire`` events of a run."""


@dataclass(frozen=True)
class Phases:
    """How modules that repeat a cycle fall into step."""

    first: str
    """The module that the others are compared with: the one that signalled first."""
    cycle_s: float
    behind: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]]
    """By module: moments (s), and how far behind the first it was then, 0 to 1 cycle."""


def _no_behaviours() -> BehaviourTable:
    from annelid.behaviour import BehaviourTable

    return BehaviourTable()


class Extra:
    """What a plugin brings to a system beside behaviours, as an object at the top of its file.

    A system derives its own kind (MICROTUB's ``RuleTable``) and names it in ``System.extras``.
    """

    name: str
    """Unique among those of a run."""


@dataclass(frozen=True)
class System:
    """How a robot's electronics are made from a scenario."""

    name: str
    """What the scenario writes."""
    title: str
    """One line about it."""
    options: type[Spec]
    """What may stand in ``[control.options]``."""
    build: Build
    describe_frames: DescribeFrames | None = None
    """For reports; without it they show bytes."""
    phases: PhasesOf | None = None
    """For reports, of systems whose modules have cycles."""
    behaviours: BehaviourTable = field(default_factory=_no_behaviours)
    """Its layers with the behaviours it is shipped with; a plugin, or an entry point in the group
    ``annelid.behaviours``, adds to them.  ``build`` is given the whole as ``behaviours``."""
    extras: tuple[type[Extra], ...] = ()
    """What else a plugin may bring it; ``build`` is given the instances as ``extras``."""
    decides: tuple[str, ...] = ()
    """Channels that are about the whole robot; reports draw who won them, and why."""
    framed: bool = False
    """Whether its links carry whole frames (I2C), each described by itself; else bytes that follow
    each other are one stream (UART), which ``describe_frames`` takes apart."""
    example: str = ""
    """``[control]`` of a scenario to begin with, as TOML; the console offers it."""
    words: Words | None = None
    """What an operator can type; None: it has no terminal."""
    apart: Apart | None = None
    """A board whose program may run in another process."""
    panel: Panel | None = None
    """How the console operates it."""
    sections: tuple[Section, ...] = ()
    """Tables and plots of its own, in reports and in the console."""
    witness: Place | None = None
    """``witness(circuit)`` judges what its robots say (``annelid.systems.statement.Witness``)."""
    event_words: Mapping[str, Callable[[Mapping[str, Any]], str]] = field(default_factory=dict)
    """Kinds of events of its programs to a sentence about one, from its detail; the others are
    listed with their fields."""
    report: Place | None = None
    """More for reports: ``report(recording)`` yields sections as HTML (``annelid.report.page``)."""
    measures: Mapping[str, str] = field(default_factory=dict)
    """What a study can compute of its robots without a run: name to the place of its
    ``annelid.offline.measures.MeasureKind``."""
    exports: Mapping[str, Place] = field(default_factory=dict)
    """Texts of its own that ``annelid export`` writes: name to the place of a function."""
    bench: Place | None = None
    """``bench(quick=…, tell=…)`` measures its speed, as rows of ``annelid bench``."""

    def plain(self, told: str) -> str:
        """What a robot answered its operator, as a person reads it."""
        return told if self.words is None else self.words.plain(told)

    @property
    def layers(self) -> Mapping[str, type[Behaviour[Any]]]:
        """Layer to the base class of its behaviours; empty: it has no behaviours."""
        return self.behaviours.bases

    def wire(
        self,
        options: Any,
        circuit: Circuit,
        *,
        behaviours: Sequence[type[Behaviour[Any]]] = (),
        extras: Sequence[Extra] = (),
    ) -> None:
        """Build, with what a plugin brings; what does not fit this system is refused."""
        installed = [kind for kind in installed_behaviours() if self.behaviours.fits(kind)]
        try:
            table = self.behaviours.plus(*installed, *behaviours)
        except InputError as error:
            raise InputError(f"{self.name}: {error}") from None
        for extra in extras:
            what = f"{self.name}: {type(extra).__name__} {extra.name!r}"
            if not isinstance(extra, self.extras):
                known = ", ".join(kind.__name__ for kind in self.extras) or "nothing of the kind"
                raise InputError(f"{what}: expected {known}")
        given: dict[str, Any] = {"behaviours": table} if table.layers else {}
        if self.extras:
            given["extras"] = tuple(extras)
        self.build(options, circuit, **given)


SYSTEMS: Final[Kind[System]] = Kind(
    name="system",
    plural="systems",
    base=System,
    key=lambda system: str(system.name),
    built_in={
        "erekobot": "annelid.systems.erekobot.system:EREKOBOT",
        "microtub": "annelid.systems.microtub.system:MICROTUB",
        "conro": "annelid.systems.conro.system:CONRO",
        "climber": "annelid.systems.climber.system:CLIMBER",
    },
    instances=True,
)


RULES: Final[Kind[Extra]] = Kind(
    name="rule", plural="rules", base=Extra, key=lambda extra: str(extra.name), instances=True
)
"""Tables of rules, and whatever else a system takes (``System.extras``)."""


def installed_behaviours() -> tuple[type[Behaviour[Any]], ...]:
    """Of installed packages."""
    from annelid.behaviour import BEHAVIOURS

    return tuple(BEHAVIOURS.table().values())


def with_words(systems: Mapping[str, System]) -> list[str]:
    """Those that have a terminal."""
    return [name for name, system in systems.items() if system.words is not None]
