"""The robots of the papers, as peers: what runs on their boards and what they say to each other.

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

``Systems()`` knows the built-in ones and those of installed packages (entry points in the group
``annelid.systems``); a plugin file given on the command line adds its own.  A system's code is
imported when it is asked for, because a scenario needs one of them at most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from annelid.errors import InputError, SpecError, UnknownName
from annelid.spec import Spec

if TYPE_CHECKING:
    from annelid.behaviour import Behaviour, BehaviourTable
    from annelid.electronics.circuit import Circuit

Floats = NDArray[np.float64]

Build = Callable[..., object]
"""``build(options, circuit)``: boards, links and programs for the robot of ``circuit.sim``; with
``behaviours`` (a :class:`BehaviourTable`) where the system has layers of them, and ``extras`` where
it takes any."""

DescribeFrames = Callable[[bytes], Sequence[tuple[bytes, str]]]
"""Bytes as they were on a wire, in pieces, and each piece in words; it never raises."""

PhasesOf = Callable[[Any, int, Sequence[Mapping[str, Any]]], "Phases | None"]
"""``phases(options, modules, wire)``: from the details of the ``wire`` events of a run."""

BUILT_IN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "erekobot": "annelid.systems.erekobot.system:EREKOBOT",
        "microtub": "annelid.systems.microtub.system:MICROTUB",
        "conro": "annelid.systems.conro.system:CONRO",
        "climber": "annelid.systems.climber.system:CLIMBER",
    }
)
"""Name to the place of its :class:`System`."""

ENTRY_POINTS = "annelid.systems"
BEHAVIOURS = "annelid.behaviours"


@dataclass(frozen=True)
class Phases:
    """How modules that repeat a cycle fall into step."""

    first: str
    """The module that the others are compared with: the one that signalled first."""
    cycle_s: float
    behind: Mapping[str, tuple[Floats, Floats]]
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
    framed: bool = False
    """Whether its links carry whole frames (I2C), each described by itself; else bytes that follow
    each other are one stream (UART), which ``describe_frames`` takes apart."""

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
        names: set[str] = set()
        for extra in extras:
            what = f"{self.name}: {type(extra).__name__} {extra.name!r}"
            if not isinstance(extra, self.extras):
                known = ", ".join(kind.__name__ for kind in self.extras) or "nothing of the kind"
                raise InputError(f"{what}: expected {known}")
            if extra.name in names:
                raise InputError(f"{what}: expected another name, this one is taken")
            names.add(extra.name)
        given: dict[str, Any] = {"behaviours": table} if table.layers else {}
        if self.extras:
            given["extras"] = tuple(extras)
        self.build(options, circuit, **given)


def installed_behaviours() -> tuple[type[Behaviour[Any]], ...]:
    """Of installed packages, in the order of their names."""
    points = sorted(entry_points(group=BEHAVIOURS), key=lambda point: point.name)
    return tuple(point.load() for point in points)


class Systems:
    """Systems by name; ``more`` are laid on top and may not take a used one."""

    def __init__(self, *more: System) -> None:
        self._load: dict[str, Callable[[], object]] = {}
        for name, place in BUILT_IN.items():
            self._load[name] = partial(_imported, place)
        for point in entry_points(group=ENTRY_POINTS):
            self._add(point.name, point.load)
        for system in more:
            self._add(system.name, partial(_given, system))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._load)

    def __getitem__(self, name: str) -> System:
        if name not in self._load:
            raise UnknownName("system", name, self._load)
        system = self._load[name]()
        if not isinstance(system, System):
            raise SpecError(f"{system!r} is not a system (an annelid.systems.System)")
        return system

    def _add(self, name: str, load: Callable[[], object]) -> None:
        if name in self._load:
            taken = ", ".join(self._load)
            raise SpecError(f"system {name!r} is there already; taken names: {taken}")
        self._load[name] = load


def _imported(place: str) -> object:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _given(system: System) -> System:
    return system


__all__ = [
    "ENTRY_POINTS",
    "Build",
    "DescribeFrames",
    "Extra",
    "Phases",
    "PhasesOf",
    "System",
    "Systems",
]
