"""A1: the servo of 001 §3.2 steps from 30° to 120° without load, against its own equations.

The paper shows curves and no numbers, so the judge is a fine integration of eqs 1-3 by other means
(``scipy``, steps of at most 20 µs).  What is judged is all that a user gets: the engine's
``dcmotor`` and our electronics in its step, at the paper's 0.5 ms, on a bare rotor, which is the
hardest load there is: its time constants are of the size of the step.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees, radians
from typing import Any, ClassVar

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from annelid.modules.servos import MICROTUB, ServoChoice
from annelid.papers import Bench, Figure, Outcome, Series
from annelid.physics.settings import Physics
from annelid.physics.simulation import Simulation
from annelid.robot import Capabilities, ModuleType, assemble, chain
from annelid.robot.as_built import NOMINAL
from annelid.robot.body import UP, Body, Face, Geom, Joint, Part, ServoMount, Touches
from annelid.robot.drawing import draw
from annelid.robot.servo import Servo
from annelid.robot.tolerances import Tolerances
from annelid.worlds.open_air import OpenAir

Floats = NDArray[np.float64]

FROM, TO = radians(30), radians(120)
WINDOW = 0.100
"""Judged from the command until the servo has settled, s; a longer one only dilutes the error."""
TIMESTEP_MS = 0.5
ANGLE_MAX, CURRENT_MAX = 0.01, 0.02
"""RMS allowed, as a share of the step and of the stall current."""


class Rig(ModuleType):
    """A servo on a block too heavy to move, with nothing on its shaft."""

    letter: ClassVar[str] = "Z"
    wire_id: ClassVar[str] = "z"
    title: ClassVar[str] = "servo rig"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of()

    length_mm: float = 1000.0
    mass_g: float = 1e6
    servo: ServoChoice = MICROTUB
    stop_deg: float = 190.0
    """Where something is in the way of its horn."""

    def body(self) -> Body:
        half = self.length / 2
        block = Geom(shape="box", size=(half, half, half), mass=self.mass, touches=Touches.NOTHING)
        shaft = Joint(name="shaft", kind="hinge", axis=UP, range=(-0.2, radians(self.stop_deg)))
        # A millionth of the rotor's inertia: the engine wants every body to have some.
        horn = Geom(shape="sphere", size=(0.001,), mass=1e-6, touches=Touches.NOTHING)
        return Body(
            parts=(
                Part(name="front", geoms=(block,)),
                Part(name="horn", parent="front", joint=shaft, geoms=(horn,)),
            ),
            faces=(Face(name="front", part="front", at=(0.0, 0.0, 0.0)),),
            mounts=(ServoMount(name="servo", servo=self.servo, joints=("shaft",)),),
        )


@dataclass(frozen=True)
class Response:
    """Angle (rad) and current drawn (A) on the grid of the physics."""

    time: Floats
    angle: Floats
    current: Floats

    @property
    def short_deg(self) -> float:
        """How far from the target it rests."""
        return degrees(abs(TO - self.angle[-1]))

    @property
    def stays_ma(self) -> float:
        """What it draws at rest."""
        return float(1000 * self.current[-1])

    def curve(self, what: str) -> tuple[Floats, Floats]:
        y = np.degrees(self.angle) if what == "Angle" else 1000 * self.current
        return 1000 * self.time, y


def on_block(
    start: float, *, trip: bool = False, seed: int | None = None, **rig: Any
) -> Simulation:
    """The rig with its shaft at ``start``, rad; ``rig``: its fields.  With a ``seed`` the servo is
    drawn from the default tolerances."""
    robot = assemble(chain("Z", Z=rig), {"Z": Rig})
    sim = Simulation(
        robot,
        OpenAir(gravity=0.0),
        Physics(timestep_ms=TIMESTEP_MS, trip=trip),
        built=NOMINAL if seed is None else draw(Tolerances(draw=True), robot, seed),
    )
    sim.data.joint("Z1/shaft").qpos[0] = start
    mujoco.mj_forward(sim.model, sim.data)
    return sim


def simulated(servo: Servo, duration: float) -> Response:
    """The step as a user of Annelid sees it."""
    sim = on_block(FROM, servo=servo)
    sim.actuators.write(np.array([TO]))
    steps = round(duration * 1000 / TIMESTEP_MS)
    angle, current = np.empty(steps + 1), np.empty(steps + 1)
    for step in range(steps + 1):
        angle[step] = sim.actuators.position()[0]
        sim.advance(1)
        # The electronics sample at the beginning of a step, where the angle was just read.
        current[step] = sim.actuators.current()[0]
    return Response(np.arange(steps + 1) * TIMESTEP_MS / 1000, angle, current)


def integrated(servo: Servo, duration: float) -> Response:
    """Eqs 1-3 with the dead zone, finely."""

    def slope(_: float, state: Floats) -> tuple[float, float, float]:
        angle, speed, current = state
        volts = min(max(servo.gain * (TO - angle), -servo.voltage), servo.voltage)
        lost = min(max(current, -servo.threshold), servo.threshold)
        torque = servo.motor_constant * (current - lost) - servo.friction * speed
        winding = volts - servo.resistance * current - servo.motor_constant * speed
        return speed, torque / servo.inertia, winding / servo.inductance

    time = np.arange(round(duration * 1000 / TIMESTEP_MS) + 1) * TIMESTEP_MS / 1000
    found = solve_ivp(
        slope, (0.0, time[-1]), (FROM, 0.0, 0.0), t_eval=time, max_step=2e-5, rtol=1e-8, atol=1e-10
    )
    return Response(time, found.y[0], np.abs(found.y[2]))


def rms(difference: Floats) -> float:
    return float(np.sqrt(np.mean(difference**2)))


def experiment(bench: Bench) -> Outcome:
    ours, judge = simulated(MICROTUB, WINDOW), integrated(MICROTUB, WINDOW)
    free = simulated(MICROTUB.model_copy(update={"threshold": 0.0}), WINDOW)
    angle = rms(ours.angle - judge.angle) / (TO - FROM)
    current = rms(ours.current - judge.current) / MICROTUB.stall_current
    expected = degrees(MICROTUB.threshold * MICROTUB.resistance / MICROTUB.gain)
    dead_band = all(r.short_deg > 0.8 * expected and r.stays_ma > 8.0 for r in (ours, judge))
    return Outcome(
        ours=(
            f"angle {100 * angle:.2f} % of the step, current {100 * current:.2f} % of stall (RMS); "
            f"rests {ours.short_deg:.2f}° off at {ours.stays_ma:.1f} mA"
        ),
        passed=angle <= ANGLE_MAX and current <= CURRENT_MAX and dead_band,
        note=(
            f"Against a fine integration of 001 eqs 1-3 over {1000 * WINDOW:.0f} ms at "
            f"{TIMESTEP_MS} ms steps; it rests {judge.short_deg:.2f}° off at "
            f"{judge.stays_ma:.1f} mA, without a threshold {free.short_deg:.2f}° at "
            f"{free.stays_ma:.1f} mA.  The threshold of 10 mA is ours; 001 prints none.  The servo "
            "is nominal: equations are compared, no robot."
        ),
        values={
            "angle_rms_percent_of_step": 100 * angle,
            "current_rms_percent_of_stall": 100 * current,
            "rest_error_deg": ours.short_deg,
            "rest_error_integrated_deg": judge.short_deg,
            "rest_current_ma": ours.stays_ma,
            "rest_current_integrated_ma": judge.stays_ma,
            "peak_current_ma": 1000 * float(ours.current.max()),
        },
        plots=tuple(
            Figure(
                f"{title} of the step from 30° to 120°",
                "time, ms",
                label,
                (
                    Series.of("001 eqs 1-3, integrated", *judge.curve(title), style="dashed"),
                    Series.of(f"Annelid, {TIMESTEP_MS} ms", *ours.curve(title)),
                ),
            )
            for title, label in (("Angle", "angle, °"), ("Current", "current, mA"))
        ),
    )
