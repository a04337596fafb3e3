"""Every drawn quantity is seen in the physics, and only there where it was drawn."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi, radians
from typing import Any

import mujoco
import numpy as np
import pytest
from tests.rigs import STRAIGHT, WEIGHTLESS, robot

from annelid.electronics.circuit import Circuit
from annelid.errors import GeometryError, InputError
from annelid.kernel import Kernel
from annelid.physics.settings import Physics
from annelid.physics.simulation import Simulation
from annelid.robot.as_built import (
    NOMINAL,
    AsBuilt,
    ModuleAsBuilt,
    MotorAsBuilt,
    SensorAsBuilt,
    StartOffsets,
)
from annelid.robot.body import Ray
from annelid.robot.drawing import draw
from annelid.robot.tolerances import Tolerances
from annelid.worlds import parse_world, worlds


def simulation(
    letters: str, world: Mapping[str, Any] = WEIGHTLESS, built: AsBuilt = NOMINAL, **more: Any
) -> Simulation:
    return Simulation(robot(letters), parse_world(world, worlds()), built=built, **more)


def frictions(sim: Simulation, module: str) -> set[float]:
    model = sim.model
    bodies = [model.body(f"{module}/{part.name}").id for part in sim.robot[module].body.parts]
    return {
        float(model.geom_friction[g, 0]) for g in np.flatnonzero(np.isin(model.geom_bodyid, bodies))
    }


def test_mass_and_friction_of_one_module():
    plain = simulation("RR")
    mine = {"R2": ModuleAsBuilt(mass=1.1, friction=0.8)}
    other = simulation("RR", built=AsBuilt(drawn=True, modules=mine))

    def weighs(sim: Simulation, module: str) -> float:
        return sum(
            float(sim.model.body(f"{module}/{p.name}").mass[0])
            for p in sim.robot[module].body.parts
        )

    assert weighs(other, "R1") == pytest.approx(weighs(plain, "R1"))
    assert weighs(other, "R2") == pytest.approx(1.1 * weighs(plain, "R2"))
    assert other.mass == pytest.approx(2.1 / 2 * plain.mass)
    assert frictions(other, "R1") == frictions(plain, "R1")
    assert sorted(frictions(other, "R2")) == pytest.approx(
        [0.8 * f for f in sorted(frictions(plain, "R2"))]
    )
    assert other.robot == plain.robot  # the design, which firmware reads


def test_friction_of_the_ground_and_bores_of_the_world():
    air, pipe = (simulation("R", world).world for world in ({"kind": "open-air"}, STRAIGHT))
    off = AsBuilt(drawn=True, bore=1.02, ground=0.9)
    other_air = simulation("R", {"kind": "open-air"}, off).world
    other_pipe = simulation("R", STRAIGHT, off).world
    assert other_air.surface.friction == pytest.approx(0.9 * air.surface.friction)
    assert pipe.bore is not None
    assert other_pipe.bore == pytest.approx(1.02 * pipe.bore)
    assert other_pipe.goal == pipe.goal
    narrow = {"kind": "pipe", "bore_mm": 36, "parts": [{"part": "straight", "length_mm": 300}]}
    assert simulation("R", narrow, AsBuilt(drawn=True, bore=0.99)).world.bore == pytest.approx(
        0.03564
    )


def test_a_bore_that_is_drawn_too_narrow_says_so():
    reduced = {**STRAIGHT, "bore_mm": 36}
    with pytest.raises(GeometryError, match=r"27\.0 mm \(drawn -25\.00 % off\), but R1"):
        simulation("R", reduced, AsBuilt(drawn=True, bore=0.75))


@pytest.mark.parametrize("servo", ["dcmotor", "quasi-static"])
def test_a_stronger_servo_and_a_faster_one(servo: str):
    physics = Physics.parse({"servo": servo}, where="physics")

    def sent(motor: MotorAsBuilt, target: float, seconds: float) -> tuple[float, float]:
        """Where it is by then, and how hard it turns."""
        built = AsBuilt(drawn=True, motors={"R1.yaw": motor})
        sim = simulation("R", built=built, physics=physics)
        sim.actuators.write_one("R1.yaw", target)
        sim.advance_to(round(seconds * 1e9))
        place = sim.actuators.place("R1.yaw")
        return float(sim.actuators.position()[place]), float(sim.actuators.effort()[place])

    plain, fast, strong = MotorAsBuilt(), MotorAsBuilt(speed=1.2), MotorAsBuilt(torque=1.3)
    assert sent(fast, 1.0, 0.02)[0] > 1.1 * sent(plain, 1.0, 0.02)[0]
    assert sent(fast, 0.5, 1.0)[0] == pytest.approx(0.5, abs=0.02)
    stalled = sent(plain, 3.0, 0.5)[1]  # against its stop
    assert sent(strong, 3.0, 0.5)[1] == pytest.approx(1.3 * stalled, rel=0.01)
    assert sent(fast, 3.0, 0.5)[1] == pytest.approx(stalled, rel=0.01)


def test_a_stronger_drive_and_a_faster_one():
    slope = {**STRAIGHT, "slope_deg": 60}

    def climbed(motor: MotorAsBuilt, world: Mapping[str, Any]) -> float:
        sim = simulation("H", world, AsBuilt(drawn=True, motors={"H1.drive": motor}))
        sim.actuators.write(np.array([1.0]))
        sim.advance_to(1_000_000_000)
        start = sim.progress()
        sim.advance_to(2_000_000_000)
        return sim.progress() - start

    assert climbed(MotorAsBuilt(speed=1.1), STRAIGHT) == pytest.approx(
        1.1 * climbed(MotorAsBuilt(), STRAIGHT), rel=0.03
    )
    assert climbed(MotorAsBuilt(torque=1.2), slope) > 1.1 * climbed(MotorAsBuilt(), slope)


def test_a_horn_that_is_mounted_off():
    """The joint stands off by the error, and its board believes it is where it was sent."""
    off = radians(3)
    sim = simulation("R", built=AsBuilt(drawn=True, motors={"R1.yaw": MotorAsBuilt(zero=off)}))
    place = sim.actuators.place("R1.yaw")
    assert sim.actuators.position_at(place) == -off
    sim.advance_to(200_000_000)
    assert sim.data.joint("R1/yaw").qpos[0] == pytest.approx(0, abs=1e-6)  # held where it began
    sim.actuators.write_at(place, 0.5)
    sim.advance_to(1_500_000_000)
    joint = float(sim.data.joint("R1/yaw").qpos[0])
    assert joint == pytest.approx(0.5 + off, abs=0.01)
    assert sim.actuators.position_at(place) == pytest.approx(joint - off)
    read = sim.actuators.measured_at(place)[0]
    assert read == pytest.approx(sim.actuators.position_at(place), abs=1.1 * pi / 1024)
    assert read == sim.actuators.read_angle_at(place)
    assert sim.actuators.targets[place] == 0.5


def test_play_is_lost_on_reversal():
    play = radians(4)
    built = AsBuilt(drawn=True, motors={"R1.yaw": MotorAsBuilt(play=play)})
    sim = simulation("R", built=built)
    place, number = sim.actuators.place("R1.yaw"), sim.model.actuator("R1.yaw").id

    def felt(target: float) -> float:
        sim.actuators.write_at(place, target)
        return float(sim.data.ctrl[number])

    half = play / 2
    assert felt(0.5) == pytest.approx(0.5 - half)
    assert felt(0.6) == pytest.approx(0.6 - half)
    assert felt(0.6 - 0.9 * play) == pytest.approx(0.6 - half)  # turned back, nothing moves yet
    assert felt(0.6 - 1.5 * play) == pytest.approx(0.6 - 1.5 * play + half)
    assert felt(np.nan) == 0.0
    assert felt(0.6 - 1.5 * play) == pytest.approx(0.6 - 1.5 * play + half)


def test_three_ways_of_commanding_are_one():
    built = draw(Tolerances(draw=True), robot("RR"), 4)
    all_at_once, one_by_one, before = (simulation("RR", built=built) for _ in range(3))
    rows = np.random.default_rng(0).normal(0, 0.3, (40, len(all_at_once.actuators)))
    controls = before.actuators.controls(rows)
    for row, expected in zip(rows, controls, strict=True):
        all_at_once.actuators.write(row)
        for place, value in enumerate(row):
            one_by_one.actuators.write_at(place, float(value))
        assert np.array_equal(all_at_once.data.ctrl, expected)
        assert np.array_equal(one_by_one.data.ctrl, expected)


def test_a_sensor_is_off_and_noisier():
    name = "T1.infrared_left"
    wrong = AsBuilt(drawn=True, sensors={name: SensorAsBuilt(offset=(-0.05,), noise=2.0)})
    plain, other = (simulation("T", {"kind": "open-air"}, built) for built in (NOMINAL, wrong))
    (sensor,) = (s for s in plain.robot["T1"].body.sensors if s.name == "infrared_left")
    assert isinstance(sensor, Ray)
    seen = {}
    for sim in (plain, other):
        wall = sensor.range / 2
        sim.sensors._rays.distance = lambda *_, wall=wall: wall  # type: ignore[method-assign]
        readings = []
        for _ in range(1000):
            sim.advance(1)
            readings.append(sim.sensors.read_one(name))
        seen[sim] = np.array(readings)
    assert seen[plain].mean() == pytest.approx(wall, abs=1e-4)
    assert seen[other].mean() == pytest.approx(wall - 0.05 * sensor.range, abs=2e-4)
    assert seen[other].std() == pytest.approx(2 * seen[plain].std(), rel=0.02)


def test_an_accelerometer_has_three_zeros():
    wrong = {"R1.accelerometer": SensorAsBuilt(offset=(0.01, -0.02, 0.03), noise=0.0)}
    sim = simulation("R", built=AsBuilt(drawn=True, sensors=wrong))
    clean = simulation(
        "R",
        built=AsBuilt(
            drawn=True, sensors={"R1.accelerometer": SensorAsBuilt(offset=(0.0,) * 3, noise=0.0)}
        ),
    )
    names = [f"R1.accelerometer.{axis}" for axis in "xyz"]
    off = [sim.sensors.read_one(n) - clean.sensors.read_one(n) for n in names]
    assert off == pytest.approx([0.01 * 39.24, -0.02 * 39.24, 0.03 * 39.24], abs=0.02)


def test_a_boards_clock_drifts():
    built = AsBuilt(drawn=True, modules={"R1": ModuleAsBuilt(clock_ppm=40.0)})
    kernel = Kernel()
    circuit = Circuit(kernel, simulation("RR", built=built))

    def program(board: Any) -> Any:
        yield board.sleep(1.0)

    boards = {name: circuit.add(name, program).board for name in ("R1", "R2", "host")}
    assert {name: board.clock.drift_ppm for name, board in boards.items()} == {
        "R1": 40.0,
        "R2": 0.0,
        "host": 0.0,
    }


def test_a_start_that_is_off():
    start = StartOffsets(
        joints={"R1.yaw": 0.05}, turns={"R1": (0.1, 0.0, 0.0)}, shifts={"R1": (0.004, 0.003)}
    )
    for world, left in (({"kind": "open-air"}, 0.003), (STRAIGHT, 0.0)):
        plain = simulation("RR", world)
        sim = simulation("RR", world, AsBuilt(drawn=True, start=start))
        assert sim.data.joint("R1/yaw").qpos[0] == 0.05
        moved = sim.head() - plain.head()
        assert moved[:2] == pytest.approx([0.004, left], abs=1e-9)
        turned = np.zeros(3)
        mujoco.mju_subQuat(turned, sim.placement("R1").turn, plain.placement("R1").turn)
        assert turned == pytest.approx([0.1, 0, 0], abs=1e-9)


def test_cut_and_joined_it_stays_the_same_robot():
    built = draw(Tolerances(draw=True), robot("RRR"), 8)
    sim = simulation("RRR", built=built)
    masses = {b: float(sim.model.body(b).mass[0]) for b in ("R1/front", "R2/front", "R3/front")}
    place = sim.actuators.place("R3.yaw")
    sim.actuators.write_at(place, 0.4)
    sim.actuators.write_at(place, 0.4 - built.motors["R3.yaw"].play / 2)
    felt = float(sim.data.ctrl[sim.model.actuator("R3.yaw").id])
    sim.cut("R1.back", "R2.front")
    assert sim.built is built
    assert {b: float(sim.model.body(b).mass[0]) for b in masses} == pytest.approx(masses)
    assert float(sim.data.ctrl[sim.model.actuator("R3.yaw").id]) == felt
    sim.join("R1.back", "R2.front")
    assert {b: float(sim.model.body(b).mass[0]) for b in masses} == pytest.approx(masses)
    assert float(sim.data.ctrl[sim.model.actuator("R3.yaw").id]) == felt
    assert sim.actuators.position()[place] == pytest.approx(
        float(sim.data.joint("R3/yaw").qpos[0]) - built.motors["R3.yaw"].zero
    )


def test_a_drawn_robot_cannot_begin_again_as_another():
    with pytest.raises(InputError, match="drawn"):
        simulation("R", built=AsBuilt(drawn=True)).restart(seed=1)
