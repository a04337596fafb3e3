"""What this computer knows of modules by the id that they send: their types on the shelf.

A module says over the bus who it is and what it can do.  How long it is, how it bends and how hard
it pushes it does not say; that is looked up here.  Of a type that nobody here has heard of only a
guess at its length is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import inf, pi
from typing import Final

from annelid.modules import shelf
from annelid.modules.traveller import Traveller
from annelid.motion.bifurcation import Backbone
from annelid.robot.body import Body, LinearMount
from annelid.robot.hauling import Hauling
from annelid.robot.module import ModuleType
from annelid.worlds.limits import steepest

USUAL_BORE: Final = 0.040
"""For which a chain's pull is reckoned, m: its drives grip best in narrower ones."""
UNKNOWN_LENGTH: Final = 0.035
"""Of a module of a type that this computer has never heard of, m."""
TRAVELLER: Final = "v"
"""Module ID of those that measure the way; MDL has no indicator for it."""


@cache
def shelf_kinds() -> dict[str, ModuleType]:
    """By wire id."""
    made = [kind.parse({}, where="shelf") for kind in shelf().values()]
    return {kind.wire_id: kind for kind in made}


@cache
def traveller_reach() -> float:
    """Bore that a traveller's wheels reach, m."""
    kind = shelf_kinds()[TRAVELLER]
    return 2 * kind.free_radius_mm / 1000 if isinstance(kind, Traveller) else inf


@cache
def steepest_climb(ids: str) -> float:
    """The slope that a chain climbs in the usual bore, by its weight and drives, rad.  A chain of
    types that nobody knows, or that nothing pushes, is not held back."""
    kinds = [shelf_kinds()[each] for each in ids if each in shelf_kinds()]
    hauling = Hauling.of(kinds) if len(kinds) == len(ids) and kinds else None
    if hauling is None or not hauling.thrust(USUAL_BORE):
        return pi / 2
    return steepest(hauling, USUAL_BORE) or 0.0


@cache
def stroke_before_traveller(ids: str) -> float:
    """By how much the modules between the nose and the last traveller may lengthen the chain, m."""
    kinds = [shelf_kinds().get(each) for each in ids[: ids.rfind(TRAVELLER) + 1]]
    return sum(_stroke(kind.body()) for kind in kinds if kind is not None)


def _stroke(body: Body) -> float:
    slides = (body.joint(m.joint).range for m in body.mounts if isinstance(m, LinearMount))
    return sum(high - low for low, high in (each or (0.0, 0.0) for each in slides))


def chain_length(ids: Iterable[str]) -> float:
    """Of modules in a row, m."""
    kinds = shelf_kinds()
    return sum(kinds[each].length if each in kinds else UNKNOWN_LENGTH for each in ids)


@cache
def backbone_of(ids: str) -> Backbone:
    """Of those in the chain that are known."""
    return Backbone.of([shelf_kinds()[each] for each in ids if each in shelf_kinds()])


@cache
def bends_both_ways(wire_id: str) -> bool:
    kind = shelf_kinds().get(wire_id)
    return kind is not None and kind.bends_both_ways()
