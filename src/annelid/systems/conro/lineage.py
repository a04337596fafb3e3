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
from annelid.motion.casts import Cast
from annelid.motion.roles import LOOP_MIN, Role
from annelid.robot import Robot

End = tuple[str, str]
"""A module and one of its connectors."""


@dataclass(frozen=True)
class LineagePlace:
    """Of a module in its piece of the robot."""

    number: int
    """0 is the root, in a loop the first of the list."""
    behind: int
    """Steps behind the root."""
    children: tuple[str, ...]
    """Connectors with a child."""


@dataclass(frozen=True)
class Lineage:
    """Of the modules that have a program."""

    pieces: tuple[tuple[str, ...], ...]
    roles: Mapping[str, Role]
    """Of those that can tell their place."""
    docked: Mapping[End, End]
    parents: Mapping[str, End]
    """Child to its parent and the parent's connector."""
    deaf: Mapping[str, str]
    """Modules that hear nobody, and why."""

    def roots(self, piece: Collection[str]) -> list[str]:
        return [name for name in piece if name not in self.parents and name not in self.deaf]

    def neighbours(self, name: str) -> list[tuple[str, End]]:
        """Own connectors and what is docked there, of modules with a role."""
        ends = ((own, self.docked.get((name, own))) for own in self.roles[name].connectors)
        return [(own, end) for own, end in ends if end is not None and end[0] in self.roles]

    def places(self) -> dict[str, LineagePlace]:
        """Where everybody is, for those who have to be told."""
        places: dict[str, LineagePlace] = {}
        for piece in self.pieces:
            number = 0
            waiting = [(name, 0) for name in (*self.roots(piece), *piece)]
            while waiting:
                name, behind = waiting.pop(0)
                if name not in places:
                    period = self.roles[name].period if name in self.roles else 1
                    own = (c for parent, c in self.parents.values() if parent == name)
                    places[name] = LineagePlace(number, behind % period, tuple(own))
                    number += 1
                    waiting = [*self._children(name, behind), *waiting]
        return places

    def _children(self, name: str, behind: int) -> list[tuple[str, int]]:
        return [
            (child, behind + self.roles[name].delays[connector])
            for child, (parent, connector) in self.parents.items()
            if parent == name
        ]


def lineage(robot: Robot, casts: Mapping[str, Cast], *, both_ways: bool = False) -> Lineage:
    """Of those modules of the robot that have a cast, as their programs will find it.

    ``both_ways``: a module also learns its place from what hangs at it.
    """
    docked = {dock.a: dock.b for dock in robot.docks} | {dock.b: dock.a for dock in robot.docks}
    roles = _roles(docked, casts, both_ways=both_ways)
    parents: dict[str, End] = {}
    deaf: dict[str, str] = {}
    for name, cast in casts.items():
        if (role := roles.get(name)) is None:
            faces = sorted(face for module, face in docked if module == name)
            where = ", ".join(f"{face} to {'.'.join(docked[name, face])}" for face in faces)
            deaf[name] = f"docked by its {where} it cannot tell its role, and hears nobody"
        elif (other := docked.get((name, role.parent))) is not None:
            theirs = roles.get(other[0])
            if theirs is not None and other[1] in theirs.delays:
                parents[name] = other
            else:
                deaf[name] = (
                    f"its {role.parent} is docked to {'.'.join(other)}, which does not signal; "
                    f"signals leave by {', '.join(cast.root.delays)}"
                )
    pieces = (tuple(name for name in piece if name in casts) for piece in robot.pieces())
    return Lineage(tuple(piece for piece in pieces if piece), roles, docked, parents, deaf)


def _roles(
    docked: Mapping[End, End], casts: Mapping[str, Cast], *, both_ways: bool
) -> dict[str, Role]:
    """What everybody finds out: by its own connectors, or from a neighbour's signal."""
    roles: dict[str, Role] = {}
    for name, cast in casts.items():
        own = {face for module, face in docked if module == name}
        led = len(cast.roles) > 1 and not both_ways and cast.root.parent in own
        if not led and (role := cast.local(own)) is not None:
            roles[name] = role
    waiting = list(roles)
    while waiting:
        name = waiting.pop(0)
        role = roles[name]
        for connector in role.connectors if both_ways else role.delays:
            other, came_by = docked.get((name, connector), ("", ""))
            if other in casts and other not in roles:
                signal = casts[name].signal(role, connector)
                if (found := casts[other].chosen(signal, came_by)) is not None:
                    roles[other] = found
                    waiting.append(other)
    return roles


def require_one_root(found: Lineage, parent: str) -> None:
    """In every piece, for programs that are conducted by a root."""
    for name, why in found.deaf.items():
        raise InputError(f"conro: {name} would wait for ever: {why}")
    for piece in found.pieces:
        roots = found.roots(piece)
        if len(roots) > 1:
            raise InputError(
                f"conro: two roots, {roots[0]} and {roots[1]}: each has a free {parent} and "
                'would conduct a part of one body; signals = "both" lets one of all lead'
            )
        if not roots:
            raise InputError(
                f"conro: no root: {', '.join(piece)} form a cycle, in which nobody begins without "
                'numbers; role = "rolling-track" has them'
            )


def require_one_leader(found: Lineage) -> None:
    """In every piece, for programs whose signals go both ways: all hear of all, and those in a
    cycle can be in step with both of their neighbours."""
    for piece in found.pieces:
        for name in piece:
            if name not in found.roles:
                raise InputError(f"conro: {name} would wait for ever: {found.deaf[name]}")
        behind = {piece[0]: 0}
        waiting = [piece[0]]
        while waiting:
            name = waiting.pop(0)
            role = found.roles[name]
            for own, (other, face) in found.neighbours(name):
                theirs = found.roles[other].delays.get(face, 0)
                lag = (behind[name] + role.delays.get(own, 0) - theirs) % role.period
                if other not in behind:
                    behind[other] = lag
                    waiting.append(other)
                elif lag != behind[other]:
                    raise InputError(
                        f"conro: {name}.{own} and {other}.{face} close a cycle of which the delays "
                        f"are {(lag - behind[other]) % role.period} of {role.period} steps too "
                        "long: its modules cannot all be in step"
                    )
        if apart := [name for name in piece if name not in behind]:
            raise InputError(
                f"conro: two would lead, one near {piece[0]} and one near {apart[0]}: what is "
                "between them passes no signals"
            )


def require_loops(found: Lineage, role: Role, most: int) -> None:
    """Every piece a ring, for programs that pass a number round."""
    for piece in found.pieces:
        for name in (*found.roots(piece), *(n for n in piece if n in found.deaf)):
            raise InputError(
                f"conro: role {role.name} needs a loop, but the {role.parent} of {name} hears "
                "nobody"
            )
        if len(piece) % 2 or len(piece) < LOOP_MIN:
            raise InputError(
                f"conro: role {role.name}: expected an even number of modules in a loop, "
                f"{LOOP_MIN} or more, got {len(piece)}: {', '.join(piece)}"
            )
        if len(piece) > most:
            raise InputError(
                f"conro: role {role.name}: expected at most {most} modules in a loop, as many as "
                f"a signal counts hops, got {len(piece)}"
            )
