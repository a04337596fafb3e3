"""Which module hears which: parents and children in a body, checked before the run.

A module whose parent connector is free is a root; one whose parent connector is docked to a child
connector of another module is that module's child.  A module that is docked otherwise hears
nothing.  Role programs find this out by themselves (002 §3).  It is checked here before the run,
because a body in which a module would wait for ever, or two would lead, is a mistake.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from annelid.errors import InputError
from annelid.motion.roles import Role
from annelid.robot import Robot


@dataclass(frozen=True)
class LineagePlace:
    """Of a module in its piece of the robot."""

    number: int
    """0 is the root, in a loop the first of the list."""
    behind: int
    """Steps behind the root."""


@dataclass(frozen=True)
class Lineage:
    """Of the modules that have a role."""

    pieces: tuple[tuple[str, ...], ...]
    parents: Mapping[str, tuple[str, str]]
    """Child to its parent and the parent's connector."""
    deaf: Mapping[str, str]
    """Modules that hear nobody, and the face they are docked to."""

    def roots(self, piece: Collection[str]) -> list[str]:
        return [name for name in piece if name not in self.parents and name not in self.deaf]

    def places(self, role: Role) -> dict[str, LineagePlace]:
        """Where everybody is, for those who have to be told."""
        places: dict[str, LineagePlace] = {}
        for piece in self.pieces:
            number = 0
            waiting = [(name, 0) for name in (*self.roots(piece), *piece)]
            while waiting:
                name, behind = waiting.pop(0)
                if name not in places:
                    places[name] = LineagePlace(number, behind % role.period)
                    number += 1
                    waiting = [*self._children(name, behind, role), *waiting]
        return places

    def _children(self, name: str, behind: int, role: Role) -> list[tuple[str, int]]:
        return [
            (child, behind + role.delays[connector])
            for child, (parent, connector) in self.parents.items()
            if parent == name
        ]


def lineage(robot: Robot, role: Role, able: Collection[str]) -> Lineage:
    """Of those modules of the robot that can keep the role."""
    docked = {dock.a: dock.b for dock in robot.docks} | {dock.b: dock.a for dock in robot.docks}
    parents: dict[str, tuple[str, str]] = {}
    deaf: dict[str, str] = {}
    for name in able:
        other = docked.get((name, role.parent))
        if other is None:
            continue
        if other[0] in able and other[1] in role.delays:
            parents[name] = other
        else:
            deaf[name] = ".".join(other)
    pieces = (tuple(name for name in piece if name in able) for piece in robot.pieces())
    return Lineage(tuple(piece for piece in pieces if piece), parents, deaf)


def require_one_root(found: Lineage, role: Role) -> None:
    """In every piece, for programs that are conducted by a root."""
    for name, face in found.deaf.items():
        raise InputError(
            f"conro: {name} would wait for ever: its {role.parent} is docked to {face}, which "
            f"does not signal; signals leave by {', '.join(role.delays)}"
        )
    for piece in found.pieces:
        roots = found.roots(piece)
        if len(roots) > 1:
            raise InputError(
                f"conro: two roots, {roots[0]} and {roots[1]}: each has a free {role.parent} and "
                'would conduct a part of one body; signals = "both" lets one of all lead'
            )
        if not roots:
            raise InputError(
                f"conro: no root: {', '.join(piece)} form a cycle, in which nobody begins without "
                'numbers; role = "rolling-track" or signals = "both" has them'
            )


def require_loops(found: Lineage, role: Role, most: int) -> None:
    """Every piece a ring, for programs that pass a number round."""
    for piece in found.pieces:
        for name in (*found.roots(piece), *(n for n in piece if n in found.deaf)):
            raise InputError(
                f"conro: role {role.name} needs a loop, but the {role.parent} of {name} hears "
                "nobody"
            )
        if len(piece) > most:
            raise InputError(
                f"conro: role {role.name}: expected at most {most} modules in a loop, as many as "
                f"a signal counts hops, got {len(piece)}"
            )
