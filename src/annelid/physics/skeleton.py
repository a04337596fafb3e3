"""Turns robot data into engine bodies: a tree of parts for each connected piece.

Every part becomes one body ``module/part``, every joint ``module/joint``, every face a site
``module.face``.  A robot may be several separate pieces; each gets a free root.  A dock that would
close a loop becomes a weld between the two faces' sites.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import mujoco
import numpy as np

from annelid.physics import footing
from annelid.physics.footing import POINT, RigidStretch, Sole
from annelid.physics.frames import Placement, about, onto, rotate
from annelid.robot.body import Body, Face, Geom, Joint, Part, Touches
from annelid.robot.robot import Joined, Placed, Robot
from annelid.robot.shell import triangles

PIPE, GROUND, SELF, FLOOR = 1, 2, 4, 8
"""Contact classes: the round skin, the flat skin, modules among themselves, and planes, which meet
the corners of the flat skin (``footing.py``)."""

_MEETS = {
    Touches.ALL: PIPE | GROUND | FLOOR,
    Touches.PIPE: PIPE,
    Touches.GROUND: GROUND | FLOOR,
    Touches.MODULES: 0,
    Touches.NOTHING: 0,
}

_SHAPES = {
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
    "mesh": mujoco.mjtGeom.mjGEOM_MESH,
}

LOOKS_GROUP, HIDDEN_GROUP = 1, 4
"""Groups: what people may see, and sites they need not."""


FIRM = (0.95, 0.99, 0.001, 0.5, 2.0)
"""Impedance of a firm contact.  The world's, which starts at nothing, makes a cup that is pulled
against a wall creep 0.1 mm/s and costs three times as much."""

OPPOSED = Placement.of(turn=about((0, 0, 1), np.pi))
"""From a face's frame to that of the face it is docked to."""


def meets_modules(geom: Geom) -> bool:
    """Whether other modules can be run into with it: shells can; wheels, tips and round skins with
    a friction or a purpose of their own cannot."""
    among = geom.touches is Touches.MODULES or bool(_MEETS[geom.touches] & GROUND)
    return geom.friction is None and among


@dataclass(frozen=True)
class Hanging:
    """A part as it hangs in the engine's tree; the joint already as seen from its new parent."""

    part: Part
    placement: Placement
    joint: Joint | None


@dataclass(frozen=True)
class ParentFrame:
    """What a part hangs on: where that stands while no joint is turned, in its piece and in the
    rigid stretch it belongs to."""

    in_piece: Placement = field(default_factory=Placement.of)
    in_stretch: Placement = field(default_factory=Placement.of)
    stretch: RigidStretch = field(default_factory=RigidStretch)

    def on(self, hanging: Hanging) -> ParentFrame:
        """The next part; a joint begins another stretch."""
        in_piece = self.in_piece @ hanging.placement
        if hanging.joint is not None:
            return ParentFrame(in_piece)
        return ParentFrame(in_piece, self.in_stretch @ hanging.placement, self.stretch)


class _Next(NamedTuple):
    """A body to add: on what, of which module, how it hangs, and from which part one came."""

    parent: mujoco.MjsBody
    module: Placed
    hanging: Hanging
    came: str | None
    above: ParentFrame


def _feel(friction: float, *, firm: bool) -> dict[str, Any]:
    """A geom's side of a contact.  What has no friction decides so for both: a contact of one
    dimension, not three."""
    feel: dict[str, Any] = {
        "friction": [friction, 0.0, 0.0],
        "condim": 3 if friction else 1,
        "priority": 0 if friction and not firm else 1,
    }
    return feel | {"solimp": FIRM} if firm else feel


def mated(face: Face, other: Face, angle: float) -> Placement:
    """Where the part of ``other`` stands in the part of ``face`` when the two are docked.

    Outward normals point at each other; ``angle`` turns the docked module about its own.
    """
    there = Placement.of(face.at, face.turn)
    here = Placement.of(other.at, other.turn)
    return there @ OPPOSED @ _roll(angle) @ here.inverse()


def _roll(angle: float) -> Placement:
    return Placement.of(turn=about((1, 0, 0), angle))


def neighbours(body: Body, part: Part) -> list[Hanging]:
    """The parts joined to ``part``, each as a child of it.

    A child hangs as it is written.  The written parent hangs by the same joint seen from the
    other side: the opposite axis, so that the joint's angle keeps its sign.
    """
    found = [
        Hanging(child, Placement.of(child.at, child.turn), child.joint)
        for child in body.parts
        if child.parent == part.name
    ]
    for parent in body.parts:
        if parent.name == part.parent:
            written = Placement.of(part.at, part.turn)
            joint = part.joint
            if joint is not None:
                axis = -rotate(written.turn, joint.axis)
                at = written.at + rotate(written.turn, joint.at)
                joint = joint.model_copy(
                    update={"axis": tuple(axis.tolist()), "at": tuple(at.tolist())}
                )
            found.append(Hanging(parent, written.inverse(), joint))
    return found


def middle(robot: Robot, piece: Sequence[str]) -> str:
    """The module of a piece from which the farthest one is nearest, counted in docks; the first
    one of a ring, where all are alike."""
    near: dict[str, list[str]] = {name: [] for name in piece}
    docks = [dock for dock in robot.docks if dock.a[0] in near]
    for dock in docks:
        near[dock.a[0]].append(dock.b[0])
        near[dock.b[0]].append(dock.a[0])
    if len(docks) >= len(piece):
        return piece[0]
    leaves = [name for name in piece if len(near[name]) <= 1]
    left = len(piece)
    while left > 2:  # peeled from all ends at once, a tree shrinks to its middle
        left -= len(leaves)
        inner: list[str] = []
        for leaf in leaves:
            for neighbour in near.pop(leaf):
                near[neighbour].remove(leaf)
                if len(near[neighbour]) == 1:
                    inner.append(neighbour)
        leaves = inner or list(near)
    return min(near, key=piece.index)


class Skeleton:
    """Adds the bodies of a robot to an ``MjSpec``."""

    def __init__(
        self, spec: mujoco.MjSpec, robot: Robot, *, grip: float, classes: int, self_contact: bool
    ) -> None:
        self.spec = spec
        self.robot = robot
        self.grip = grip
        self.classes = classes
        """Of contact, that this world has something of."""
        self.self_contact = self_contact
        self.roots: list[str] = []
        """Body names of the free roots, one for each separate piece of robot."""
        self._placed: set[str] = set()
        self._from_root: dict[str, Placement] = {}
        """Where the first part of a module stands in its piece's root while no joint is turned."""
        self._stretches: dict[int, RigidStretch] = {}
        self._docks: dict[tuple[str, str], tuple[Joined, tuple[str, str]]] = {}
        for dock in robot.docks:
            self._docks[dock.a] = (dock, dock.b)
            self._docks[dock.b] = (dock, dock.a)
        self._used: set[int] = set()

    def grow(self, starts: Mapping[str, Placement]) -> None:
        """Place every piece; ``starts`` gives the world placement of the first module of each.

        A piece is rooted in its middle: what a step costs grows with the number of joints between
        a body and the root, and a chain of 60 modules rooted at its head costs twice as much.
        """
        for piece in self.robot.pieces():
            module = self.robot[self.root_of(piece)]
            root = module.body.parts[0]
            hanging = Hanging(root, Placement.of(), None)
            self._add_all(_Next(self.spec.worldbody, module, hanging, None, ParentFrame()))
            body = self.spec.body(f"{module.name}/{root.name}")
            body.add_freejoint(name=f"{module.name}/free")
            begin = starts[piece[0]] @ self._from_root[piece[0]].inverse()
            body.pos, body.quat = begin.at, begin.turn
            self.roots.append(body.name)
        for dock in self.robot.docks:
            if id(dock) not in self._used:
                self._weld(dock)
        for stretch in self._stretches.values():
            if stretch.soles:
                self._add_points(stretch)

    def root_of(self, piece: Sequence[str]) -> str:
        """The module in which a piece is rooted."""
        return middle(self.robot, piece)

    def by_corners(self, geom: Geom) -> bool:
        """Whether planes meet it by the corners of the stretch it belongs to."""
        return geom.shape == "box"

    def _add_all(self, first: _Next) -> None:
        """A body, and whatever hangs on it, depth first.  Not by recursion: a chain of 500 modules
        is deeper than Python's stack."""
        way = [self._add(*first)]
        while way:
            below = next(way[-1], None)
            if below is None:
                way.pop()
            else:
                way.append(self._add(*below))

    def _add(
        self,
        parent: mujoco.MjsBody,
        module: Placed,
        hanging: Hanging,
        came: str | None,
        above: ParentFrame,
    ) -> Iterator[_Next]:
        """Add one body, and name those that hang on it; each is added before the next is asked
        for."""
        part = hanging.part
        hold = above.on(hanging)
        self._stretches[id(hold.stretch)] = hold.stretch
        self._placed.add(module.name)
        if part is module.body.parts[0]:
            self._from_root[module.name] = hold.in_piece
        body = parent.add_body(
            name=f"{module.name}/{part.name}",
            pos=hanging.placement.at,
            quat=hanging.placement.turn,
        )
        if hanging.joint is not None:
            _add_joint(body, module.name, hanging.joint)
        for geom in part.geoms:
            self._add_geom(body, module.body, geom, hold)
        for face in module.body.faces:
            if face.part == part.name:
                body.add_site(
                    name=f"{module.name}.{face.name}",
                    pos=face.at,
                    quat=face.turn,
                    size=[0.001, 0.001, 0.001],
                    group=HIDDEN_GROUP,
                )
        for near in neighbours(module.body, part):
            if near.part.name != came:
                yield _Next(body, module, near, part.name, hold)
        for face in module.body.faces:
            if face.part == part.name:
                yield from self._docked(body, module, face, hold)

    def _docked(
        self, body: mujoco.MjsBody, module: Placed, face: Face, hold: ParentFrame
    ) -> Iterator[_Next]:
        """The module that is docked there, unless it stands already."""
        dock, other = self._docks.get((module.name, face.name), (None, None))
        if dock is None or other is None or other[0] in self._placed:
            return
        self._used.add(id(dock))
        guest = self.robot[other[0]]
        guest_face = guest.body.face(other[1])
        part = next(p for p in guest.body.parts if p.name == guest_face.part)
        placement = mated(face, guest_face, dock.angle)
        yield _Next(body, guest, Hanging(part, placement, None), None, hold)

    def _add_geom(self, body: mujoco.MjsBody, whole: Body, geom: Geom, hold: ParentFrame) -> None:
        meets = _MEETS[geom.touches] & self.classes
        collides_with_modules = self.self_contact and meets_modules(geom)
        friction = (geom.friction if geom.friction is not None else whole.friction) * self.grip
        feel = _feel(friction, firm=geom.firm)
        if self.by_corners(geom) and meets & FLOOR:
            meets &= ~FLOOR
            hold.stretch.soles.append(Sole(body, hold.in_stretch, geom, feel))
        mesh = "" if geom.file is None else self._add_mesh(f"{body.name}/shell", geom.file)
        lies_along = geom.shape in ("capsule", "cylinder")
        body.add_geom(
            name=geom.name,
            type=_SHAPES[geom.shape],
            size=[*geom.size, 0, 0][:3],
            meshname=mesh,
            pos=geom.at,
            quat=onto(geom.axis) if lies_along else [1, 0, 0, 0],
            mass=geom.mass,
            contype=SELF if collides_with_modules else 0,
            conaffinity=meets | (SELF if collides_with_modules else 0),
            rgba=geom.colour or (0.6, 0.6, 0.6, 1.0),
            group=LOOKS_GROUP,
            **feel,
        )

    def _add_mesh(self, name: str, file: Path) -> str:
        """Its convex hull is what collides."""
        vertices, faces = triangles(file)
        self.spec.add_mesh(
            name=name,
            uservert=np.ascontiguousarray(vertices).ravel(),
            userface=np.ascontiguousarray(faces, dtype=np.int32).ravel(),
            inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX,
        )
        return name

    def _add_points(self, stretch: RigidStretch) -> None:
        for sole, at in stretch.points():
            sole.body.add_geom(
                type=mujoco.mjtGeom.mjGEOM_SPHERE,
                size=[POINT, 0, 0],
                pos=at,
                mass=0.0,
                contype=0,
                conaffinity=FLOOR,
                rgba=(0.0, 0.0, 0.0, 0.0),
                group=HIDDEN_GROUP,
                **{"solimp": footing.SOLIMP, "solmix": footing.DECIDES, **sole.feel},
            )

    def _weld(self, dock: Joined) -> None:
        """Close a loop: a site on the first face, turned as the second one looks, is tied to it."""
        first, second = (".".join(end) for end in (dock.a, dock.b))
        face = self.robot[dock.a[0]].body.face(dock.a[1])
        opposed = Placement.of(face.at, face.turn) @ OPPOSED @ _roll(dock.angle)
        tie = f"{first}={second}"
        self.spec.body(f"{dock.a[0]}/{face.part}").add_site(
            name=tie, pos=opposed.at, quat=opposed.turn, size=[0.001] * 3, group=HIDDEN_GROUP
        )
        self.spec.add_equality(
            name=tie,
            type=mujoco.mjtEq.mjEQ_WELD,
            objtype=mujoco.mjtObj.mjOBJ_SITE,
            name1=tie,
            name2=second,
            solref=[0.004, 1.0],
        )


def _add_joint(body: mujoco.MjsBody, module: str, joint: Joint) -> None:
    hinge = joint.kind == "hinge"
    body.add_joint(
        name=f"{module}/{joint.name}",
        type=mujoco.mjtJoint.mjJNT_HINGE if hinge else mujoco.mjtJoint.mjJNT_SLIDE,
        axis=joint.axis,
        pos=joint.at,
        limited=joint.range is not None,
        range=joint.range or (0.0, 0.0),
        damping=[joint.damping, 0, 0],
        stiffness=[joint.stiffness, 0, 0],
        springref=joint.rest,
        armature=joint.armature,
        frictionloss=joint.friction,
    )
