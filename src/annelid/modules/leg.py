"""L: a leg with three servos and a suction cup (003 §3, Fig 1).

Frames of the paper (FACTS §4): outward is the leg's y, q1 turns clockwise seen from above, q2 and
q3 raise.  Here outward is -x, because a module's front looks at what it is docked to.

The cup hangs on a *wrist* of passive joints (§5).  Three free ones let it droop on a slope, so that
it meets the wall with its edge and never seals; the paper's cure, one joint less and one limited,
holds.  With none, the lip itself gives in every direction, which is what point contact stands for.
"""

from __future__ import annotations

from math import acos, atan2, cos, degrees, hypot, pi, radians, sin, sqrt
from typing import Any, ClassVar, Final, Literal

from pydantic import Field, PositiveFloat, model_validator

from annelid.modules.servos import A1_16, ServoChoice
from annelid.modules.shells import DARK, ORANGE, RED, STEEL, UNSEEN, front, look
from annelid.robot.body import (
    FORWARD,
    LEFT,
    UP,
    Body,
    CupMount,
    Geom,
    Joint,
    Part,
    Pressure,
    Ray,
    ServoMount,
    Touch,
    Touches,
)
from annelid.robot.capabilities import Capabilities
from annelid.robot.converter import Converter
from annelid.robot.module import ModuleType
from annelid.robot.service import Serves

TIP: Final = 0.001
"""Radius of the contact sphere, m; 5 mm would roll and slip (LAB)."""
CUP_RADIUS: Final = 0.025
CUP_REACH: Final = 0.028
"""All of the cup is within this of the contact, however the leg leans, m."""
CUP_AREA: Final = 0.00196
"""Under a lip of that radius, m²."""
FEMUR_RADIUS: Final = 0.014
TIBIA_RADIUS: Final = 0.010
HALF_WIDTH: Final = 0.016
"""Of the widest part beside the cup, the coxa's servo, m."""
WRIST_FRICTION: Final = 0.010
"""Of a wrist joint, N·m: four times what the cup's weight turns it with."""
RANGE: Final = 0.15
"""Of the distance sensor, m."""


class Leg(ModuleType):
    """Docked by its ``front``; coxa, femur, tibia, perhaps an ankle, and the cup."""

    letter: ClassVar[str] = "L"
    wire_id: ClassVar[str] = "l"
    title: ClassVar[str] = "leg with cup"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of(RotX=3, RotY=3, Sup=3)
    serves: ClassVar[tuple[Serves, ...]] = (
        Serves(actuator="coxa", capability="RotY"),
        Serves(actuator="femur", capability="RotX"),
        Serves(actuator="cup", capability="Sup"),
    )

    length_mm: float = Field(default=200.0, gt=0)
    """How far out it stands."""
    mass_g: float = Field(default=260.0, gt=0)
    """Three servos of 60 g, brackets, and the cup with its impeller."""
    coxa_mm: tuple[float, float, float] = (13.0, 50.0, -25.0)
    """Lcx, Lcy, Lcz."""
    femur_mm: PositiveFloat = 66.2
    """Length of the second link."""
    tibia_mm: PositiveFloat = 163.0
    """To the contact, the cup's 40 mm included."""
    ankle_mm: float = Field(default=0.0, ge=0)
    """Above 0: a fourth servo and a last link of this length, kept across the body's floor."""
    height_mm: PositiveFloat = 90.0
    """Of the coxa above the feet, at the start."""
    coxa_deg: tuple[float, float] = (-60.0, 60.0)
    """Lowest and highest angle of the first joint."""
    femur_deg: tuple[float, float] = (-98.0, 90.0)
    """Lowest and highest angle of the second joint."""
    tibia_deg: tuple[float, float] = (-150.0, -10.0)
    """A straight leg counts as a limit (LAB)."""
    ankle_deg: tuple[float, float] = (-120.0, 60.0)
    """Lowest and highest angle of the fourth joint, where there is one."""
    servo: ServoChoice = A1_16
    """Of all joints. Its name (``annelid servos``), or a table with the values of its
    datasheet."""
    friction: float = Field(default=0.3, ge=0, le=3)
    suction_n: PositiveFloat = 30.0
    """The pull that a cup holds."""
    cup_friction: float = Field(default=0.5, gt=0, le=3)
    """Of a cup that holds, against sliding."""
    attach_s: PositiveFloat = 0.5
    """How long a cup takes to hold."""
    detach_s: PositiveFloat = 1.5
    """How long a cup takes to let go."""
    attached: bool = True
    """Whether the cup holds when the run begins: a robot is put on its wall, not thrown at it."""
    wrist: Literal[0, 1, 2, 3] = 0
    """Passive joints of the cup: pitch, roll, spin."""
    wrist_free: bool = False
    """Joints without friction and stop, as before the paper's cure."""

    @model_validator(mode="before")
    @classmethod
    def _stand(cls, given: Any) -> Any:
        """Without a ``start`` the leg begins standing ``length_mm`` out and ``height_mm`` high."""
        if not isinstance(given, dict) or given.get("start"):
            return given

        def value(field: str) -> Any:
            return given.get(field, cls.model_fields[field].default)

        try:
            lcx, lcy, lcz = value("coxa_mm")
            ankle = float(value("ankle_mm"))
            out = sqrt(float(value("length_mm")) ** 2 - lcx**2) - lcy
            down = -float(value("height_mm")) - lcz + ankle
            femur, tibia, span = (
                float(value("femur_mm")),
                float(value("tibia_mm")),
                hypot(out, down),
            )
            knee = acos((femur**2 + tibia**2 - span**2) / (2 * femur * tibia))
            lean = acos((femur**2 + span**2 - tibia**2) / (2 * femur * span))
        except (TypeError, ValueError):
            return given  # the fields' own checks, or the body, will say what is wrong
        q2, q3 = atan2(down, out) + lean, knee - pi
        start = {
            "coxa": -degrees(atan2(lcx, out + lcy)),
            "femur": degrees(q2),
            "tibia": degrees(q3),
        }
        if ankle:
            start["ankle"] = degrees(-pi / 2 - q2 - q3)
        if value("wrist"):
            start["pitch"] = 0.0 if ankle else degrees(-pi / 2 - q2 - q3)
        return {**given, "start": start}

    @model_validator(mode="after")
    def _reaches(self) -> Leg:
        if not self.start:
            raise ValueError(
                f"the foot cannot stand {self.length_mm:g} mm out and {self.height_mm:g} mm below: "
                f"femur {self.femur_mm:g} and tibia {self.tibia_mm:g} mm do not reach"
            )
        return self

    @property
    def links_mm(self) -> tuple[float, ...]:
        """From the femur on."""
        links = (self.femur_mm, self.tibia_mm)
        return (*links, self.ankle_mm) if self.ankle_mm else links

    @property
    def joints(self) -> tuple[str, ...]:
        """Servos from the body outward."""
        return ("coxa", "femur", "tibia", "ankle")[: 1 + len(self.links_mm)]

    @property
    def limits(self) -> tuple[tuple[float, float], ...]:
        """Of the joints, rad."""
        spans = (self.coxa_deg, self.femur_deg, self.tibia_deg, self.ankle_deg)
        return tuple((radians(low), radians(high)) for low, high in spans[: len(self.joints)])

    def body(self) -> Body:
        names = self.joints
        limits = dict(zip(names, self.limits, strict=True))
        lcx, lcy, lcz = (value / 1000 for value in self.coxa_mm)
        coxa = Part(
            name="coxa",
            parent="mount",
            joint=Joint(name="coxa", kind="hinge", axis=(0.0, 0.0, -1.0), range=limits["coxa"]),
            geoms=(
                Geom(
                    shape="box",
                    size=(lcy / 2, HALF_WIDTH, 0.016),
                    at=(-lcy / 2, lcx, lcz / 2),
                    mass=self.mass * 0.29,
                    touches=Touches.MODULES,
                    colour=DARK,
                ),
            ),
        )
        parts = [Part(name="mount", geoms=(self._mount(),)), coxa]
        at, parent = (-lcy, lcx, lcz), "coxa"
        shares = (0.29, 0.28) if len(names) == 3 else (0.24, 0.20, 0.13)
        for name, length_mm, share in zip(names[1:], self.links_mm, shares, strict=True):
            last = name == names[-1]
            parts.append(
                Part(
                    name=name,
                    parent=parent,
                    at=at,
                    joint=Joint(name=name, kind="hinge", axis=LEFT, range=limits[name]),
                    geoms=self._link(length_mm / 1000, share, last=last),
                )
            )
            parent, at = name, (-length_mm / 1000, 0.0, 0.0)
        parts += self._cup(parent, at)
        return Body(
            parts=tuple(parts),
            faces=(front().model_copy(update={"part": "mount"}),),
            mounts=tuple(ServoMount(name=name, servo=self.servo, joints=(name,)) for name in names),
            cups=(
                CupMount(
                    name="cup",
                    part="tip",
                    touch="force",
                    suction=self.suction_n,
                    area=CUP_AREA,
                    attach_time=self.attach_s,
                    detach_time=self.detach_s,
                    attached=self.attached,
                ),
            ),
            sensors=(
                Touch(
                    name="force",
                    part="tip",
                    at=(0.0, 0.0, 0.0),
                    zone=(0.004,) * 3,
                    converter=Converter(low=0.0, high=100.0, resolution=0.1),
                ),
                Ray(
                    name="distance",
                    part="tip",
                    at=(0.0, 0.0, 0.0),
                    direction=(-1.0, 0.0, 0.0),
                    range=RANGE,
                    noise=0.0003,
                ),
                Pressure(name="pressure", cup="cup", noise=20.0),
            ),
            friction=self.friction,
            radius=0.03,
        )

    def _mount(self) -> Geom:
        """The bracket at the trunk."""
        return Geom(
            shape="cylinder",
            size=(0.012, 0.018),
            axis=UP,
            mass=self.mass * 0.03,
            touches=Touches.NOTHING,
            colour=STEEL,
        )

    def _link(self, length: float, share: float, *, last: bool) -> tuple[Geom, ...]:
        """A link along -x; the last one ends short of the ground, where the cup begins."""
        solid = length - 0.040 if last and length > 0.06 else length
        radius = TIBIA_RADIUS if last else FEMUR_RADIUS
        link = Geom(
            shape="capsule",
            size=(radius, max(solid / 2 - radius, 0.001)),
            at=(-solid / 2, 0.0, 0.0),
            axis=FORWARD,
            mass=self.mass * share,
            touches=Touches.GROUND,
            colour=STEEL if last else ORANGE,
        )
        if solid == length:
            return (link,)
        stem = (length - solid) / 2
        return (link, look("cylinder", (0.004, stem), (-solid - stem, 0.0, 0.0), DARK))

    def _cup(self, parent: str, at: tuple[float, float, float]) -> list[Part]:
        """The contact at the end of the last link, and the cup about it."""
        seal = Geom(
            shape="sphere",
            size=(TIP,),
            mass=self.mass * 0.01,
            friction=self.cup_friction,
            touches=Touches.GROUND,
            firm=True,
            colour=RED,
        )
        lip = Geom(
            shape="ellipsoid",
            size=(0.012, CUP_RADIUS, CUP_RADIUS),
            at=(0.012, 0.0, 0.0),
            mass=self.mass * 0.10,
            touches=Touches.MODULES,
            colour=RED,
        )
        if not self.wrist:
            return [Part(name="tip", parent=parent, at=at, geoms=(seal, lip))]
        return [Part(name="tip", parent=parent, at=at, geoms=(seal,)), *self._wrist()]

    def _wrist(self) -> list[Part]:
        """The cup, carried by passive joints about the contact, with a rim that meets the ground.

        Spheres of the rim, 1 mm behind the contact, touch first where the cup is not square: they
        turn it flat, or hold the contact off the wall.  What hangs on the joints lies in front of
        their centre, so that a cup without friction looks down.
        """
        hold = 0.0 if self.wrist_free else WRIST_FRICTION
        axes = (("pitch", LEFT, 1.9), ("roll", UP, 1.9), ("spin", FORWARD, 3.0))
        parts, parent = [], "tip"
        for place, (name, axis, free) in enumerate(axes[: self.wrist]):
            last = place == self.wrist - 1
            limit = free if self.wrist_free or name == "pitch" else radians(15)
            joint = Joint(
                name=name,
                kind="hinge",
                axis=axis,
                range=(-limit, limit),
                damping=2e-4,
                armature=2e-6,
                friction=hold,
            )
            geoms = self._lip() if last else (_gimbal(self.mass * 0.01),)
            parts.append(
                Part(name="cup" if last else name, parent=parent, joint=joint, geoms=tuple(geoms))
            )
            parent = name
        return parts

    def _lip(self) -> list[Geom]:
        rim = [
            Geom(
                shape="sphere",
                size=(TIP,),
                at=(TIP, CUP_RADIUS * cos(angle), CUP_RADIUS * sin(angle)),
                friction=self.cup_friction,
                touches=Touches.GROUND,
                firm=True,
                colour=RED,
            )
            for angle in (0.0, pi / 2, pi, 3 * pi / 2)
        ]
        disc = Geom(
            shape="cylinder",
            size=(CUP_RADIUS, 0.003),
            at=(0.005, 0.0, 0.0),
            touches=Touches.MODULES,
            colour=RED,
        )
        weight = Geom(
            shape="sphere",
            size=(0.008,),
            at=(-0.010, 0.0, 0.0),
            mass=self.mass * 0.10,
            touches=Touches.NOTHING,
            colour=UNSEEN,
        )
        return [*rim, disc, weight]


def _gimbal(mass: float) -> Geom:
    return Geom(shape="sphere", size=(0.005,), mass=mass, touches=Touches.NOTHING, colour=STEEL)
