"""Ways that the rules have found, as orders: all three movements at once (000 Fig 19)."""

from __future__ import annotations

from annelid.systems.microtub.central.catalogue import catalogue
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.central.movements import Movement, movement
from annelid.systems.microtub.inference import Engine, RobotSituation
from annelid.systems.microtub.protocol import LLC1, LLC2, WorkingMode


def inching(ids: str, *, pushed: bool) -> Movement:
    """Addresses are places, from 1."""
    parts = tuple(
        KnownModule(place, kind.module.wire_id, kind.module.capabilities.digits, kind=kind)
        for place, kind in enumerate((catalogue()[each] for each in ids), 1)
    )
    known = Engine().infer(parts, RobotSituation(WorkingMode.PIPE))
    way = next(way for way in known.ways("forward") if way.rule and way.rule.name == "inchworm")
    helpers = [part for part in parts if part.can("Push_pipe")] if pushed else []
    return movement(way, parts, heading=1, helpers=helpers, in_pipe=True)


def told(made: Movement, command: object) -> list[int]:
    return [order.to for order in made.orders if order.command is command]


def test_what_pushes_ahead_of_the_extension_is_the_front_support_and_joints_wave_along():
    made = inching("crrhsesrr", pushed=True)
    assert made.name == "inchworm with push and wave"
    assert told(made, LLC1.INH) == [6, 7], "the extension and the rear support"
    assert told(made, LLC2.WAV) == [2, 3, 8, 9]
    assert told(made, LLC2.MHE) == [4]


def test_without_a_push_or_with_one_behind_the_inchworm_has_both_supports_and_no_wave():
    for made, name in (
        (inching("crrhsesrr", pushed=False), "inchworm"),
        (inching("crsesrh", pushed=True), "inchworm with push"),
    ):
        assert made.name == name
        assert len(told(made, LLC1.INH)) == 3
        assert told(made, LLC2.WAV) == []
