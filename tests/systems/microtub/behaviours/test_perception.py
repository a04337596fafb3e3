"""What a module finds out about itself and its surroundings (000 §4.1.4, §4.1.5)."""

from __future__ import annotations

from math import cos, isclose, radians, sin, sqrt
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rigs import robot
from tests.systems.microtub.behaviours.boards import boards

from annelid.modules.rotation import Rotation
from annelid.modules.servos import MICROTUB
from annelid.modules.shells import RADIUS
from annelid.modules.support import Support
from annelid.motion.snake import SNAKE
from annelid.physics.broken_sensors import BrokenSensor, flagged, stuck
from annelid.physics.damage import heal, let_go, stick, weaken
from annelid.systems.microtub.behaviours import Situation, Stimuli, Walk
from annelid.systems.microtub.behaviours.self_diagnostic import FAR, STILL, watched
from annelid.systems.microtub.behaviours.surroundings import (
    NARROW,
    RAYS,
    SituationAwareness,
    judge,
    judge_swing,
)
from annelid.systems.microtub.protocol.enums import Alarm, WorkingMode


def test_a_stuck_servo_that_draws_little_is_reported_and_forgiven_when_it_moves():
    """Led by 5° it stays below the trip, so only its not moving tells."""
    chain = boards("R", lead=radians(5))
    module = chain["R1"]
    stick(chain.rig.sim, "R1.pitch")
    module.stimuli.orders["pitch"] = radians(40)
    chain.run(2.0)
    assert module.kinds() == [Alarm.STUCK], "once, not at every run"
    assert 1.0 <= module.alarms[0][0] < 1.3
    assert module.stimuli.servos["pitch"].broken
    heal(chain.rig.sim, "R1.pitch")
    chain.run(4.0)
    assert not module.stimuli.servos["pitch"].broken


def test_a_push_through_a_pipe_holds_a_servo_on_one_side_and_a_jam_on_both():
    """A joint that hangs bent when the push begins is sound.  Without a push: the test above."""
    chain = boards("R", lead=radians(5))
    module = chain["R1"]
    module.stimuli.mode, module.stimuli.walk = WorkingMode.PIPE, Walk(push=1.0, rest=True)
    stick(chain.rig.sim, "R1.pitch")
    module.stimuli.orders["pitch"] = radians(40)
    chain.run(2.0)
    assert module.kinds() == []
    module.stimuli.orders["pitch"] = radians(-40)
    chain.run(4.0)
    assert module.kinds() == [Alarm.STUCK]


def test_a_jam_in_an_elbow_is_told_by_one_side_when_a_sound_joint_would_have_been_bent_on():
    chain = boards("R", lead=radians(5))
    module = chain["R1"]
    module.stimuli.mode = WorkingMode.PIPE
    module.stimuli.walk = Walk(push=1.0, elbow=0.0, rest=True)
    stick(chain.rig.sim, "R1.pitch")
    module.stimuli.orders["pitch"] = radians(40)
    chain.run(3.0)
    assert module.kinds() == []
    chain.run(5.0)
    assert module.kinds() == [Alarm.STUCK]


def test_a_servo_without_strength_is_reported():
    chain = boards("R", {"kind": "open-air"})
    weaken(chain.rig.sim, "R1.yaw", 0.01)
    chain["R1"].stimuli.orders["yaw"] = radians(60)
    chain.run(2.0)
    assert Alarm.STUCK in chain["R1"].kinds()


@pytest.mark.parametrize("limp", [None, "R1", "R2", "R3", "R4"])
def test_a_wave_tells_of_a_limp_servo_and_of_no_other(limp: str | None):
    """Its neighbours swing it about, so it never stands still."""
    chain = boards("RRRR", {"kind": "open-air"}, trip=False)
    if limp:
        let_go(chain.rig.sim, f"{limp}.pitch")
    for module in chain.modules.values():
        module.stimuli.walk = Walk.snake(SNAKE["forward"])
    chain.run(3.0)
    told = [name for name, module in chain.modules.items() if Alarm.STUCK in module.kinds()]
    assert told == ([limp] if limp else [])
    if limp is None:
        assert not any(module.alarms for module in chain.modules.values())
        return
    assert chain[limp].stimuli.servos["pitch"].broken, "being swung about is not being mended"
    heal(chain.rig.sim, f"{limp}.pitch")
    chain.run(6.0)
    assert not chain[limp].stimuli.servos["pitch"].broken


@pytest.mark.parametrize("broken", [flagged(), stuck(0.0)])
def test_a_dead_accelerometer_is_reported_once(broken: BrokenSensor):
    chain = boards("R", {"kind": "open-air"})
    chain.run(1.0)
    assert not chain["R1"].alarms
    chain.rig.sim.sensors.break_one("R1.accelerometer.x", broken)
    chain.run(6.0)
    assert chain["R1"].kinds() == [Alarm.SENSOR]


@pytest.mark.parametrize("steps", [16, 64, 256, 1024, 4096])
@pytest.mark.parametrize("kind", [Rotation, Support])
def test_what_counts_as_moving_is_more_than_a_step_of_the_potentiometer(
    kind: type[Rotation | Support], steps: int
):
    servo = MICROTUB.model_copy(update={"angle_steps": steps})
    for each in watched(kind(servo=servo)):
        assert each.still >= 2 * servo.angle_resolution
        assert each.still >= STILL
        assert each.far >= each.still + FAR - STILL


def test_a_coarse_potentiometer_makes_no_servo_broken():
    servo = MICROTUB.model_copy(update={"angle_steps": 64})
    chain = boards(robot("R", R={"servo": servo}), {"kind": "open-air"}, trip=False)
    module = chain["R1"]
    for target in (40, -40, 20):
        module.stimuli.orders["pitch"] = radians(target)
        chain.run(chain.rig.sim.now_ns * 1e-9 + 1.5)
    assert module.kinds() == []


@pytest.mark.parametrize(
    ("bore_mm", "situation"),
    [
        (36, Situation.NARROW_PIPE),
        (50, Situation.NARROW_PIPE),
        (70, Situation.WIDE_PIPE),
        (120, Situation.WIDE_PIPE),
        (200, Situation.WIDE_PIPE),
        (None, Situation.OPEN_AIR),
    ],
)
def test_a_robot_that_lies_there_knows_where_it_is(bore_mm: float | None, situation: Situation):
    parts = [{"part": "straight", "length_mm": 900}]
    pipe = {"kind": "pipe", "bore_mm": bore_mm, "parts": parts}
    chain = boards("TR", pipe if bore_mm else {"kind": "open-air"})
    chain.run(1.5)
    assert chain["T1"].stimuli.situation is situation
    assert chain["T1"].stack.values["situation"] is situation


class Ray:
    """A sensor that reads what a test wants."""

    valid = True

    def __init__(self) -> None:
        self.metres = 0.01

    def read(self) -> float:
        return self.metres


@pytest.mark.parametrize("swings", [True, False])
def test_a_nose_that_swings_tells_at_once_that_it_is_perhaps_out(swings: bool):
    """Of its rays three meet nothing any more, after a while in a pipe."""
    rays = {name: Ray() for name in RAYS}
    nose = Ray()
    nose.metres = 0.0
    stimuli = Stimuli({}, {**rays, "nose": nose}, mode=WorkingMode.PIPE)
    stimuli.walk = Walk(swing_s=0.8 if swings else None)
    awareness = SituationAwareness()

    def look(times: int, out: int) -> Situation:
        for name in RAYS[:out]:
            rays[name].metres = 0.15
        for _ in range(times):
            awareness.propose(stimuli)
        return stimuli.situation

    assert look(8, 0) is Situation.NARROW_PIPE
    assert look(1, 2) is Situation.NARROW_PIPE, "it looks into a bend"
    assert look(1, 3) is (Situation.PERHAPS_OUT if swings else Situation.NARROW_PIPE)
    assert look(12, 3) is Situation.OPEN_AIR


def test_a_dead_infrared_sensor_leaves_the_situation_unknown():
    chain = boards("T", {"kind": "open-air"})
    chain.rig.sim.sensors.break_one("T1.infrared_left", flagged())
    chain.run(3.0)
    assert chain["T1"].stimuli.situation is Situation.UNKNOWN
    assert chain["T1"].kinds() == [Alarm.SENSOR]


@pytest.mark.parametrize(
    ("rays", "situation"),
    [
        ((0.15, 0.026, 0.15, 0.005), Situation.NARROW_PIPE),
        ((0.012, 0.15, 0.014, 0.15), Situation.NARROW_PIPE),
        ((0.15, 0.15, 0.015, 0.005), Situation.OPEN_AIR),
        ((0.15, 0.12, 0.15, 0.005), Situation.OPEN_AIR),
    ],
)
def test_a_nose_in_a_cross_is_in_a_pipe(rays: tuple[float, ...], situation: Situation):
    """Two of its rays meet nothing, as on open ground; but a floor has no ceiling so near."""
    assert judge(*rays) is situation


@given(st.floats(0.030, 0.080), st.floats(0.0, 0.9), st.floats(0.0, 6.3))
def test_the_bore_follows_from_four_rays_wherever_the_nose_is(
    bore: float, aside: float, roll: float
):
    """Two chords at right angles: the squares of their four parts add up to the bore's."""
    room = aside * (bore / 2 - RADIUS)
    walls = []
    for quarter in range(4):
        angle = roll + quarter * radians(90)
        along = room * cos(angle)
        walls.append(sqrt(bore**2 / 4 - (room * sin(angle)) ** 2) - along)
    left, up, right, down = (wall * sqrt(2) - RADIUS for wall in walls)
    if not isclose(bore, NARROW, rel_tol=1e-6):
        narrow = judge(left, up, right, down) is Situation.NARROW_PIPE
        assert narrow == (bore < NARROW)


def four_rays(bore: float, aside: float, tilt: float) -> tuple[float, ...]:
    """What a nose sees that is ``aside`` of the axis, m, and tilted, rad, to the left."""
    up = sqrt(bore**2 / 4 - aside**2) * sqrt(2) - RADIUS
    left, right = (
        wall / sin(radians(45) + sense * tilt) - RADIUS
        for wall, sense in ((bore / 2 - aside, 1), (bore / 2 + aside, -1))
    )
    return left, up, right, up


def test_the_medians_of_a_wide_swing_make_a_pipe_narrower_than_it_is():
    """Beside the axis, where the nose mostly is, the pipe is less high."""
    looks = [four_rays(0.057, aside, 0.0) for aside in (-0.014, -0.013, 0.002, 0.013, 0.014)]
    assert judge(*(median(ray) for ray in zip(*looks, strict=True))) is Situation.NARROW_PIPE
    assert judge_swing(looks) is Situation.WIDE_PIPE


def test_a_tilted_swing_in_a_narrow_pipe_is_still_narrow():
    """Most looks take it for wide, because the nose is tilted; one that is not is enough."""
    tilts = (-0.5, -0.4, -0.2, 0.0, 0.2, 0.4, 0.5)
    looks = [four_rays(0.050, 0.01 * tilt, tilt) for tilt in tilts]
    assert [judge(*look) for look in looks].count(Situation.NARROW_PIPE) < 4
    assert judge_swing(looks) is Situation.NARROW_PIPE


@given(st.floats(0.030, 0.080), st.floats(-0.5, 0.5), st.floats(-0.3, 0.3))
def test_without_a_wave_the_only_look_decides(bore: float, aside: float, tilt: float):
    look = four_rays(bore, aside * (bore / 2 - RADIUS), tilt)
    assert judge_swing([look]) is judge(*look)


@pytest.mark.parametrize(
    ("world", "about"),
    [({"temperature_c": 60.0}, [1]), ({"humidity_percent": 99.0}, [2]), ({}, [])],
)
def test_surroundings_that_are_not_fit_are_told_once(world: dict[str, float], about: list[int]):
    chain = boards("N", {"kind": "open-air", **world})
    chain.run(4.0)
    told = [raised for _, raised in chain["N1"].alarms]
    assert [raised.alarm for raised in told] == [Alarm.SURROUNDINGS] * len(about)
    assert [raised.number for raised in told] == about


def test_bad_air_is_reported_once_until_it_is_well_inside_its_bounds_again():
    """Bounds of the air are 0 and 50 °C; good again is 2 °C inside."""
    chain = boards(robot("N"))
    module, sensor = chain["N1"], chain.rig.sim.damage.sensors
    warned = []
    for second, celsius in enumerate((25, 51, 49, 51, 47, 51, 25, -1, 1, -1, 3, -1), 1):
        sensor["N1.thermometer"] = stuck(float(celsius))
        before = len(module.alarms)
        chain.run(second + 0.5)
        warned += [celsius for raised in module.kinds()[before:] if raised is Alarm.SURROUNDINGS]
    assert warned == [51, 51, -1, -1]
