"""What this computer knows of modules by the id that they send: their types on the shelf.

A module says over the bus who it is and what it can do.  How long it is, how it bends and how hard
it pushes it does not say; that is looked up here.  The types of a user's plugins are on the shelf
as well, and options of a scenario's modules count (a drive with another gear).  Of a type that
nobody here has heard of only a guess at its length is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from math import hypot, inf, pi, radians
from typing import Final

from annelid.errors import SpecError
from annelid.modules import shelf
from annelid.modules.shells import RADIUS
from annelid.modules.traveller import Traveller
from annelid.motion.bifurcation import Backbone
from annelid.robot.body import Body, LinearMount, ServoMount
from annelid.robot.hauling import Hauling
from annelid.robot.module import ModuleType
from annelid.worlds.limits import steepest

USUAL_BORE: Final = 0.040
"""For which a chain's pull is reckoned where nobody has measured it, m."""
UNKNOWN_LENGTH: Final = 0.035
"""Of a module of a type that this computer has never heard of, m."""
KEPT: Final = 256
"""Chains of which it is remembered what follows from their types."""
TRAVELLER: Final = "v"
"""Module ID of those that measure the way; MDL has no indicator for it."""


@dataclass(frozen=True, eq=False)
class KnownType:
    """A type of module; equal only to itself, so that what follows from it is reckoned once."""

    module: ModuleType
    """One of that type."""


Catalogue = Mapping[str, KnownType]
"""By wire id."""
Kinds = tuple[KnownType | None, ...]
"""Of the modules of a chain, head first; None: nobody knows that type."""


@cache
def catalogue(*more: type[ModuleType]) -> Catalogue:
    """The types of the shelf, and ``more`` of plugins, each as it is without options; one that
    needs some is left unknown."""
    if not more:
        return {kind.wire_id: KnownType(kind.parse({}, where="shelf")) for kind in shelf().values()}
    known = dict(catalogue())
    for kind in more:
        try:
            known.setdefault(kind.wire_id, KnownType(kind.parse({}, where=kind.letter)))
        except SpecError:
            continue
    return known


def with_data_sheets(known: Catalogue, modules: Iterable[ModuleType]) -> Catalogue:
    """Types as this robot's modules have them, whose options its builder has told; of unlike ones
    the first counts."""
    own: dict[str, KnownType] = {}
    for each in modules:
        usual = known.get(each.wire_id)
        if each.wire_id in own or (usual and type(usual.module) is not type(each)):
            continue
        own[each.wire_id] = usual if usual and usual.module == each else KnownType(each)
    return {**known, **own}


@cache
def traveller_reach() -> float:
    """Bore that a traveller's wheels reach, m."""
    kind = catalogue()[TRAVELLER].module
    return 2 * kind.free_radius_mm / 1000 if isinstance(kind, Traveller) else inf


@cache
def tool_reach(kind: KnownType | None, does: str, angle_deg: float) -> float:
    """From the chain's axis, of the tip that does that, when its servo stands so far from the
    middle, m; of a type that nobody knows without bound."""
    if kind is None:
        return inf
    body = kind.module.body()
    (tip,) = (each for each in body.tips if each.does == does)
    (joint,) = (each.joint for each in body.parts if each.name == tip.part)
    mounts = (each for each in body.mounts if isinstance(each, ServoMount))
    (gear,) = (each.gear for each in mounts if joint and joint.name in each.joints)
    return hypot(*tip.at) + radians(angle_deg) / gear


def reaches(reach: float, bore: float) -> bool:
    """Whether a tool meets the wall of a pipe whose floor the robot lies on, wherever it points."""
    return reach >= bore - RADIUS


@lru_cache(KEPT)
def steepest_climb(kinds: Kinds, bore: float = USUAL_BORE, reserve: float = 1.0) -> float:
    """The slope that a chain climbs in a bore, by its weight and drives, rad.  A chain of types
    that nobody knows, or that nothing pushes, is not held back."""
    known = [kind.module for kind in kinds if kind is not None]
    hauling = Hauling.of(known) if known and len(known) == len(kinds) else None
    if hauling is None or not hauling.thrust(bore):
        return pi / 2
    return steepest(hauling, bore, reserve=reserve) or 0.0


@lru_cache(KEPT)
def stroke_before_traveller(kinds: Kinds) -> float:
    """By how much the modules between the nose and the last traveller may lengthen the chain, m."""
    last = max((k for k, kind in enumerate(kinds) if kind and _travels(kind)), default=-1)
    return sum(_stroke(kind.module.body()) for kind in kinds[: last + 1] if kind is not None)


def _travels(kind: KnownType) -> bool:
    return kind.module.wire_id == TRAVELLER


def _stroke(body: Body) -> float:
    slides = (body.joint(m.joint).range for m in body.mounts if isinstance(m, LinearMount))
    return sum(high - low for low, high in (each or (0.0, 0.0) for each in slides))


def chain_length(kinds: Iterable[KnownType | None]) -> float:
    """Of modules in a row, m."""
    return sum(UNKNOWN_LENGTH if kind is None else kind.module.length for kind in kinds)


@lru_cache(KEPT)
def backbone_of(kinds: Kinds) -> Backbone:
    """Of those in the chain that are known."""
    return Backbone.of([kind.module for kind in kinds if kind is not None])


@lru_cache(KEPT)
def bends_both_ways(kind: KnownType | None) -> bool:
    return kind is not None and kind.module.bends_both_ways()
