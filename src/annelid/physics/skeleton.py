"""Robot data to engine bodies: part trees, rooted at whichever face a module hangs by.

Every part becomes one body ``module/part``, every joint ``module/joint``, every face a site
``module.face``.  A robot may be several separate pieces; each gets a free root.  A dock that would
close a loop becomes a weld between the two faces' sites.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import mujoco
import numpy as np

from annelid.physics.frames import Placement, about, onto, rotate
from annelid.robot.body import Body, Face, Geom, Joint, Part, Touches
from annelid.robot.robot import Joined, Placed, Robot

PIPE, GROUND, SELF = 1, 2, 4
"""Contact classes: the round skin, the flat skin, modules among themselves."""

_MEETS = {
    Touches.ALL: PIPE | GROUND,
    Touches.PIPE: PIPE,
    Touches.GROUND: GROUND,
    Touches.MODULES: 0,
    Touches.NOTHING: 0,
}

_SHAPES = {
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
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


class Skeleton:
    """Adds the bodies of a robot to an ``MjSpec``."""

    def __init__(
        self, spec: mujoco.MjSpec, robot: Robot, *, grip: float, self_contact: bool
    ) -> None:
        self.spec = spec
        self.robot = robot
        self.grip = grip
        self.self_contact = self_contact
        self.roots: list[str] = []
        """Body names of the free roots, one for each separate piece of robot."""
        self._placed: set[str] = set()
        self._docks: dict[tuple[str, str], tuple[Joined, tuple[str, str]]] = {}
        for dock in robot.docks:
            self._docks[dock.a] = (dock, dock.b)
            self._docks[dock.b] = (dock, dock.a)
        self._used: set[int] = set()

    def grow(self, starts: Mapping[str, Placement]) -> None:
        """Place every piece; ``starts`` gives the world placement of the first module of each."""
        for module in self.robot.modules:
            if module.name in self._placed:
                continue
            root = module.body.parts[0]
            name = f"{module.name}/{root.name}"
            self._add(self.spec.worldbody, module, Hanging(root, starts[module.name], None), None)
            body = self.spec.body(name)
            body.add_freejoint(name=f"{module.name}/free")
            self.roots.append(name)
        for dock in self.robot.docks:
            if id(dock) not in self._used:
                self._weld(dock)

    def _add(
        self, parent: mujoco.MjsBody, module: Placed, hanging: Hanging, came: str | None
    ) -> None:
        part = hanging.part
        self._placed.add(module.name)
        body = parent.add_body(
            name=f"{module.name}/{part.name}",
            pos=hanging.placement.at,
            quat=hanging.placement.turn,
        )
        if hanging.joint is not None:
            _add_joint(body, module.name, hanging.joint)
        for geom in part.geoms:
            self._add_geom(body, module.body, geom)
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
                self._add(body, module, near, part.name)
        for face in module.body.faces:
            if face.part == part.name:
                self._dock(body, module, face)

    def _dock(self, body: mujoco.MjsBody, module: Placed, face: Face) -> None:
        dock, other = self._docks.get((module.name, face.name), (None, None))
        if dock is None or other is None or other[0] in self._placed:
            return
        self._used.add(id(dock))
        guest = self.robot[other[0]]
        guest_face = guest.body.face(other[1])
        part = next(p for p in guest.body.parts if p.name == guest_face.part)
        placement = mated(face, guest_face, dock.angle)
        self._add(body, guest, Hanging(part, placement, None), None)

    def _add_geom(self, body: mujoco.MjsBody, whole: Body, geom: Geom) -> None:
        meets = _MEETS[geom.touches]
        collides_with_modules = self.self_contact and meets_modules(geom)
        friction = (geom.friction if geom.friction is not None else whole.friction) * self.grip
        lies_along = geom.shape in ("capsule", "cylinder")
        body.add_geom(
            name=geom.name,
            type=_SHAPES[geom.shape],
            size=[*geom.size, 0, 0][:3],
            pos=geom.at,
            quat=onto(geom.axis) if lies_along else [1, 0, 0, 0],
            mass=geom.mass,
            contype=SELF if collides_with_modules else 0,
            conaffinity=meets | (SELF if collides_with_modules else 0),
            friction=[friction, 0.0, 0.0],
            # What has no friction decides so for both: a contact of one dimension, not three.
            condim=3 if friction else 1,
            priority=0 if friction and not geom.firm else 1,
            **({"solimp": FIRM} if geom.firm else {}),
            rgba=geom.colour or (0.6, 0.6, 0.6, 1.0),
            group=LOOKS_GROUP,
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
