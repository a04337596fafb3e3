"""Rings of sprung wheels, by which helicoidal and traveller modules touch the pipe.

A wheel rides on a carriage that slides along a radius against a spring, so that it keeps touching
in bends and over steps; rigid wheels jam in every elbow (LAB, helicoidal and elbows).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

from annelid.modules.shells import STEEL, UNSEEN, Colour, look
from annelid.robot.body import Geom, Joint, Part, Touches


@dataclass(frozen=True)
class WheelRing:
    """``count`` wheels evenly round the chain axis at ``x``; all in metres, newtons, kilograms."""

    name: str
    x: float
    wheel_radius: float
    free_radius: float
    """Outermost reach of the relaxed wheels from the chain axis."""
    travel: float
    stiffness: float
    friction: float
    colour: Colour
    count: int = 3
    first_angle: float = pi / 2
    spring_damping: float = 1.2
    """Near critical for a wheel and carriage of 2 g on 200 N/m, N·s/m."""
    turn_damping: float = 0.0
    """Of the hinge, N·m·s/rad (001 §3.3.6: a torque against the wheel's speed)."""
    carriage_mass: float = 0.001
    wheel_mass: float = 0.001
    preload: float = 0.0
    """How far the springs are pressed while the wheels are all out, at their stops, m: wheels then
    press nearly alike in every bore."""

    @property
    def mass(self) -> float:
        return self.count * (self.carriage_mass + self.wheel_mass)

    @property
    def hinges(self) -> tuple[str, ...]:
        return tuple(f"{self.name}{k}" for k in range(self.count))

    def parts(self, parent: str) -> tuple[Part, ...]:
        """Carriage and wheel for each place on the ring; positive hinge angles roll forward."""
        parts: list[Part] = []
        hub = self.free_radius - self.wheel_radius
        for k in range(self.count):
            angle = self.first_angle + 2 * pi * k / self.count
            outward = (0.0, cos(angle), sin(angle))
            # A wheel rolling forward on the wall outside it turns about outward × forward.
            axle = (0.0, outward[2], -outward[1])
            slide = Joint(
                name=f"{self.name}{k}_spring",
                kind="slide",
                axis=outward,
                range=(-self.travel, 0.0),
                stiffness=self.stiffness,
                rest=self.preload,
                damping=self.spring_damping,
            )
            hinge = Joint(
                name=f"{self.name}{k}",
                kind="hinge",
                axis=(-axle[0], -axle[1], -axle[2]),
                damping=self.turn_damping,
                armature=1e-8,
            )
            # Drawn, it sticks out of the tyre as a hub.
            arm = Geom(
                shape="sphere",
                size=(self.wheel_radius * 0.5,),
                mass=self.carriage_mass,
                touches=Touches.NOTHING,
                colour=STEEL,
            )
            wheel = Geom(
                shape="sphere",
                size=(self.wheel_radius,),
                mass=self.wheel_mass,
                friction=self.friction,
                touches=Touches.ALL,
                colour=UNSEEN,
            )
            tyre = look(
                "cylinder",
                (self.wheel_radius, self.wheel_radius * 0.32),
                (0.0, 0.0, 0.0),
                self.colour,
                axis=axle,
            )
            carriage = f"{self.name}{k}_carriage"
            parts += [
                Part(
                    name=carriage,
                    parent=parent,
                    at=(self.x, hub * outward[1], hub * outward[2]),
                    joint=slide,
                    geoms=(arm,),
                ),
                Part(
                    name=f"{self.name}{k}_wheel",
                    parent=carriage,
                    joint=hinge,
                    geoms=(wheel, tyre),
                ),
            ]
        return tuple(parts)
