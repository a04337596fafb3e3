"""Casts: sets of roles; each module takes the role of its place in the robot (002 §8).

A module knows which of its own connectors are docked, and a signal tells it the role of the one
that sent it and the connector it was sent through.  That is enough to tell a spine from a leg, and
a left leg from a right one, whatever the robot looks like elsewhere: legs may come and go.

===== ============================================================ ==========================
role  A(t), x = 2πt/T                                              delays
===== ============================================================ ==========================
spine pitch 0, yaw 25°·cos(x + π)                                  right T/4, back T/2, left 3T/4
leg   pitch 35°·cos x - 55°, yaw 40°·sin x (right), -40°·sin x     none
===== ============================================================ ==========================

From memory of the later papers (FACTS §2); 002 itself would signal to the left leg, then the right,
then the next of the spine.  Legs of one pair are half a cycle apart, and so are pairs: two legs of
four stand at a time, crosswise, three of six.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from math import pi, radians
from typing import Final

from annelid.errors import InputError
from annelid.motion.roles import STEPS, Role, Swing

CONNECTORS: Final = ("front", "right", "back", "left")
"""CONRO's, clockwise; a signal gives one by its place here."""

WAITING: Final = Role("waiting", {}, {}, parent="")
"""Of a module that does not know its place yet."""


@dataclass(frozen=True)
class Cast:
    """Roles by what a module knows of its place."""

    roles: tuple[Role, ...]
    """The first is that of the root."""
    places: Mapping[tuple[str, str], str]
    """(Role of the parent, connector of the parent's) to the role of what hangs there."""

    def __post_init__(self) -> None:
        names = [role.name for role in self.roles]
        for (parent, connector), child in self.places.items():
            if parent not in names or child not in names:
                raise InputError(
                    f"cast: {child} at {parent}.{connector}: expected roles of it: "
                    f"{', '.join(names)}"
                )
        if len({role.period for role in self.roles}) != 1:
            raise InputError(f"cast: roles {', '.join(names)} must have one period")

    @property
    def root(self) -> Role:
        return self.roles[0]

    @property
    def parents(self) -> tuple[str, ...]:
        """Connectors by which a parent may be docked."""
        return tuple(dict.fromkeys(role.parent for role in self.roles))

    def local(self, docked: Collection[str]) -> Role | None:
        """What a module can tell from its own connectors: it keeps the root's role if something is
        docked where no role has its parent, or nothing anywhere; None: it cannot tell."""
        sure = len(self.roles) == 1 or not docked or not set(docked) <= set(self.parents)
        return self.root if sure else None

    def signal(self, role: Role, connector: str) -> bytes:
        """What a module with that role says through a connector."""
        return bytes((self.roles.index(role), CONNECTORS.index(connector)))

    def chosen(self, signal: bytes, came_by: str) -> Role | None:
        """The role of a module that hears this by that connector of its own: that of the child
        there, or of the only parent that has such a child there; None: there is no such role."""
        if len(signal) != 2 or signal[0] >= len(self.roles) or signal[1] >= len(CONNECTORS):
            return None
        sender, connector = self.roles[signal[0]], CONNECTORS[signal[1]]
        name = self.places.get((sender.name, connector))
        for role in self.roles:
            above = connector == sender.parent
            if above and self.places.get((role.name, came_by)) == sender.name:
                return role
            if role.name == name and role.parent == came_by:
                return role
        return None

    def fitted(
        self,
        servos: Collection[str],
        called: Mapping[str, str] | None = None,
        faces: Collection[str] | None = None,
    ) -> Cast | None:
        """As :meth:`Role.fitted`, all roles."""
        roles = tuple(fit for role in self.roles if (fit := role.fitted(servos, called, faces)))
        return replace(self, roles=roles) if len(roles) == len(self.roles) else None


def alone(role: Role) -> Cast:
    """Everybody keeps the same role."""
    return Cast((role,), {(role.name, connector): role.name for connector in role.delays})


def walker(period: int = STEPS) -> Cast:
    quarter = period / 4
    delays = {"right": round(quarter), "back": round(2 * quarter), "left": round(3 * quarter)}
    bend = Swing(radians(25), lead=3 * pi / 2)
    spine = Role("spine", {"pitch": Swing(), "yaw": bend}, delays, period)
    lift = Swing(radians(35), lead=pi / 2, mean=radians(-55))
    legs = tuple(
        Role(f"{side} leg", {"pitch": lift, "yaw": Swing(sweep)}, {}, period, parent="back")
        for side, sweep in (("left", radians(-40)), ("right", radians(40)))
    )
    places = {
        ("spine", "left"): "left leg",
        ("spine", "right"): "right leg",
        ("spine", "back"): "spine",
    }
    return Cast((spine, *legs), places)
