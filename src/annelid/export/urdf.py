"""A robot as URDF: links with masses and inertias, joints with their limits.

URDF knows trees only: a robot in a loop, or in several pieces, is refused.  It knows no capsules
and ellipsoids: they are meshes beside the file.  Springs, sensors, cups and electronics are left
out.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as Xml

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.boundary.files import write_file
from annelid.errors import InputError
from annelid.export.shapes import geom_mesh, seen
from annelid.physics.frames import onto, rotate
from annelid.physics.simulation import Simulation
from annelid.robot.body import DriveMount, Geom, LinearMount, Part, ServoMount, Touches

Floats = NDArray[np.float64]

NO_LIMIT = {"effort": "0", "velocity": "0"}
"""Of a joint without a motor."""


def write_urdf(sim: Simulation, out: Path) -> Path:
    """Write the file, and the meshes it needs into a folder beside it."""
    return write_file(out, Urdf(sim, out).text())


class Urdf:
    """Of one robot; links are bodies of the engine, ``R1_front``."""

    def __init__(self, sim: Simulation, out: Path) -> None:
        robot = sim.robot
        if len(robot.pieces()) > 1 or len(robot.docks) >= len(robot.modules):
            raise InputError(f"urdf: {robot.letters}: expected one tree of modules, no loops")
        self._sim, self._model = sim, sim.model
        self._meshes = out.parent / f"{out.stem}-meshes"
        self._written = 0
        self._parts = {
            f"{module.name}/{part.name}": (module, part)
            for module in robot.modules
            for part in module.body.parts
        }
        self._limits = _limits(sim)
        self._locked = {
            f"{module.name}/{other}": f"{module.name}/{group[0]}"
            for module in robot.modules
            for group in module.body.locked
            for other in group[1:]
        }

    def text(self) -> str:
        root = Xml.Element("robot", name=self._sim.robot.letters)
        for body in range(1, self._model.nbody):
            self._link(root, body)
        for body in range(1, self._model.nbody):
            if self._model.body_parentid[body]:
                self._joint(root, body)
        Xml.indent(root)
        return '<?xml version="1.0"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"

    def _name(self, body: int) -> str:
        return str(self._model.body(body).name)

    def _hinge(self, body: int) -> Floats:
        """Where a link's frame stands in its body: on the joint's axis, as URDF wants it."""
        joint = int(self._model.body_jntadr[body])
        free = mujoco.mjtJoint.mjJNT_FREE
        if joint < 0 or self._model.jnt_type[joint] == free:
            return np.zeros(3)
        at: Floats = self._model.jnt_pos[joint]
        return at

    def _link(self, root: Xml.Element, body: int) -> None:
        model, shift = self._model, self._hinge(body)
        link = Xml.SubElement(root, "link", name=_plain(self._name(body)))
        inertial = Xml.SubElement(link, "inertial")
        Xml.SubElement(inertial, "mass", value=_number(model.body_mass[body]))
        turn = model.body_iquat[body]
        inertial.append(_origin(model.body_ipos[body] - shift, turn))
        xx, yy, zz = map(_number, model.body_inertia[body])
        Xml.SubElement(inertial, "inertia", ixx=xx, iyy=yy, izz=zz, ixy="0", ixz="0", iyz="0")
        _, part = self._parts[self._name(body)]
        for geom in part.geoms:
            if seen(geom):
                self._shape(Xml.SubElement(link, "visual"), geom, shift)
        for geom in _solid(part):
            self._shape(Xml.SubElement(link, "collision"), geom, shift)

    def _shape(self, into: Xml.Element, geom: Geom, shift: Floats) -> None:
        turn = np.array(onto(geom.axis)) if geom.shape == "cylinder" else np.array([1.0, 0, 0, 0])
        box = Xml.Element("geometry")
        at = np.asarray(geom.at, float) - shift
        if geom.shape == "sphere":
            Xml.SubElement(box, "sphere", radius=_number(geom.size[0]))
        elif geom.shape == "box":
            Xml.SubElement(box, "box", size=_numbers(2 * np.asarray(geom.size)))
        elif geom.shape == "cylinder":
            radius, half = geom.size
            Xml.SubElement(box, "cylinder", radius=_number(radius), length=_number(2 * half))
        else:
            at = -shift  # the mesh stands in the part's frame
            self._written += 1
            path = self._meshes / f"{self._written}.stl"
            write_file(path, geom_mesh(geom).export(file_type="stl"))
            Xml.SubElement(box, "mesh", filename=f"{self._meshes.name}/{path.name}")
        into.append(_origin(at, turn))
        into.append(box)

    def _joint(self, root: Xml.Element, body: int) -> None:
        model = self._model
        parent = int(model.body_parentid[body])
        number = int(model.body_jntadr[body])
        at = model.body_pos[body] + rotate(model.body_quat[body], self._hinge(body))
        child = _plain(self._name(body))
        name = str(model.joint(number).name) if number >= 0 else f"{child}_fixed"
        kind = self._kind(number)
        joint = Xml.SubElement(root, "joint", name=_plain(name), type=kind)
        joint.append(_origin(at - self._hinge(parent), model.body_quat[body]))
        Xml.SubElement(joint, "parent", link=_plain(self._name(parent)))
        Xml.SubElement(joint, "child", link=child)
        if number < 0:
            return
        Xml.SubElement(joint, "axis", xyz=_numbers(model.jnt_axis[number]))
        limit = dict(self._limits.get(name, NO_LIMIT))
        if kind != "continuous":
            low, high = model.jnt_range[number]
            limit |= {"lower": _number(low), "upper": _number(high)}
        Xml.SubElement(joint, "limit", limit)
        Xml.SubElement(
            joint, "dynamics", damping=_number(model.dof_damping[model.jnt_dofadr[number]])
        )
        if name in self._locked:
            Xml.SubElement(joint, "mimic", joint=_plain(self._locked[name]))

    def _kind(self, number: int) -> str:
        if number < 0:
            return "fixed"
        if self._model.jnt_type[number] == mujoco.mjtJoint.mjJNT_SLIDE:
            return "prismatic"
        return "revolute" if self._model.jnt_limited[number] else "continuous"


def _solid(part: Part) -> list[Geom]:
    """What collides: the flat skin that meets the ground, or else what meets pipes and modules."""
    touching = [geom for geom in part.geoms if geom.touches is not Touches.NOTHING]
    flat = [geom for geom in touching if geom.touches in (Touches.GROUND, Touches.ALL)]
    return flat or touching


def _limits(sim: Simulation) -> dict[str, dict[str, str]]:
    """Effort and speed of every joint that a motor moves."""
    found = {}
    for motor in sim.plan.motors:
        for fraction in motor.fractions:
            match motor.mount:
                case ServoMount(servo=servo):
                    effort = servo.stall_torque * fraction.share * fraction.gear
                    speed = servo.no_load_speed / fraction.gear
                case LinearMount() as linear:
                    effort = linear.force_max
                    speed = linear.force_max / linear.damping if linear.damping else 0.0
                case DriveMount() as drive:
                    effort = drive.stall_force * drive.wheel_radius
                    speed = drive.free_speed / drive.wheel_radius
            found[fraction.joint] = {"effort": _number(effort), "velocity": _number(speed)}
    return found


def _origin(at: Floats, turn: Floats) -> Xml.Element:
    """URDF's angles: about x, then y, then z of the fixed frame."""
    w, x, y, z = (float(each) for each in turn)
    roll = np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    pitch = np.arcsin(np.clip(2 * (w * y - z * x), -1, 1))
    yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    return Xml.Element("origin", xyz=_numbers(at), rpy=_numbers([roll, pitch, yaw]))


def _plain(name: str) -> str:
    return name.replace("/", "_")


def _number(value: float) -> str:
    return f"{float(value):.9g}"


def _numbers(values: Floats | list[float]) -> str:
    return " ".join(map(_number, values))
