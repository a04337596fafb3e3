"""Servos that are hot, blocked or sent where they must not go (000 §4.1.1 to §4.1.3)."""

from __future__ import annotations

from math import degrees, isnan, radians

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.systems.microtub.behaviours.boards import Chain, boards

from annelid.behaviour import why
from annelid.kernel import seconds
from annelid.modules.extension import DIFFERENCE_MAX, Extension, crank_slide
from annelid.modules.helicoidal import Helicoidal
from annelid.physics.damage import heal, let_go, stick, weaken
from annelid.robot.as_built import AsBuilt, MotorAsBuilt
from annelid.systems.microtub.behaviours import Walk, Worm
from annelid.systems.microtub.behaviours.survival import COOLER_C, windings
from annelid.systems.microtub.behaviours.workspace import Cranks, workspace
from annelid.systems.microtub.protocol.enums import Alarm, InchwormPart

STOP_C = 50.0
"""000 §4.1.1"""
STRAIGHT = {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 600}]}


def test_a_hot_servo_stops_at_50_degrees_and_goes_on_when_it_has_cooled():
    chain = boards("R", trip=False)
    module = chain["R1"]
    servo = module.stimuli.servos["pitch"]
    stick(chain.rig.sim, "R1.pitch")
    module.stimuli.orders["pitch"] = radians(60)
    chain.run(1.0)
    assert servo.temperature > 26, "a stalled servo heats"
    servo.temperature = STOP_C - 1.0
    chain.run(3.0)
    assert isnan(servo.target)
    assert module.kinds() == [Alarm.STUCK, Alarm.HOT]
    assert servo.temperature < STOP_C + 0.5
    said = why(chain.trace(), "pitch", seconds(3.0), source="R1")
    assert "nothing, by avoid overheating (inhibit)" in said
    assert "obey command was inhibited by avoid overheating" in said
    servo.temperature = STOP_C - COOLER_C + 0.01
    chain.run(4.0)
    assert not isnan(servo.target)


def stalled(chain: Chain) -> tuple[float, float]:
    """True and estimated temperature after eight seconds against a jammed gear."""
    sim, servo = chain.rig.sim, chain["R1"].stimuli.servos["pitch"]
    stick(sim, "R1.pitch")
    chain["R1"].stimuli.orders["pitch"] = radians(60)
    chain.run(8.0)
    return float(sim.actuators.temperature()[sim.actuators.place("R1.pitch")]), servo.temperature


@pytest.mark.parametrize("torque", [0.87, 1.12])
def test_the_heat_of_a_winding_unlike_its_type_is_learnt_when_it_stalls(torque: float):
    built = AsBuilt(drawn=True, motors={"R1.pitch": MotorAsBuilt(torque=torque)})
    true_c, told_c = stalled(boards("R", trip=False, built=built))
    assert true_c > 35
    assert abs(told_c - true_c) < 0.5


def test_a_servo_that_has_lost_its_strength_is_not_taken_for_hot():
    chain = boards("R", trip=False)
    weaken(chain.rig.sim, "R1.pitch", 0.6)
    true_c, told_c = stalled(chain)
    assert true_c > 28
    assert abs(told_c - true_c) < 0.5


def test_a_pusher_that_stalls_stops_at_its_own_limit_and_goes_on_when_it_has_cooled():
    parts = [{"part": "straight", "length_mm": 100}, {"part": "cap"}]
    chain = boards("H", {"kind": "pipe", "parts": parts}, trip=False)
    module, sim = chain["H1"], chain.rig.sim
    drive, limit = module.stimuli.servos["drive"], windings(Helicoidal())["drive"].hottest_c
    module.stimuli.orders["drive"] = 1.0
    chain.run(8.0)
    true_c = sim.actuators.temperature()[sim.actuators.place("H1.drive")]
    assert true_c > 30, "against the end of the pipe it stalls and heats"
    assert abs(drive.temperature - true_c) < 2.0
    drive.temperature = limit - 0.5
    chain.run(10.0)
    assert drive.target == 0.0, "it stops and is not let go: its gear holds the robot"
    assert Alarm.HOT in module.kinds()
    drive.temperature = limit - COOLER_C + 0.01
    chain.run(11.0)
    assert drive.target == 1.0


def test_a_blocked_servo_is_released_below_120_ma_and_the_other_moves_on():
    chain = boards("R", comparator=True)
    module = chain["R1"]
    stick(chain.rig.sim, "R1.pitch")
    for tick in range(20):  # the setpoint leaves at 2 rad/s, as far as a healthy servo can follow
        module.stimuli.orders = {"pitch": 0.03 * tick, "yaw": 0.03 * tick}
        chain.run(0.015 * (tick + 1))
    assert isnan(module.stimuli.servos["pitch"].target)
    assert module.kinds() == [Alarm.OVERLOADED]
    assert module.alarms[0][1].number == module.stimuli.servos["pitch"].number
    assert chain.rig.sim.actuators.peak().max() < 0.120
    assert chain.rig.angle("R1.yaw") > radians(20)
    said = why(chain.trace(), "pitch", seconds(0.3), source="R1")
    assert "nothing, by avoid actuator damage (inhibit)" in said
    assert "comparator has tripped" in said


def test_a_released_servo_tries_again_and_succeeds_when_the_way_is_free():
    chain = boards("R")
    module = chain["R1"]
    stick(chain.rig.sim, "R1.pitch")
    module.stimuli.orders["pitch"] = radians(15)
    chain.run(0.1)
    assert isnan(module.stimuli.servos["pitch"].target), "without a comparator by the program"
    heal(chain.rig.sim, "R1.pitch")
    module.stimuli.servos["pitch"].lead = radians(5)
    chain.run(3.0)
    assert abs(chain.rig.angle("R1.pitch") - radians(15)) < radians(2)
    assert module.kinds() == [Alarm.OVERLOADED]


def test_a_support_may_stall_because_gripping_is_stalling():
    chain = boards("S", STRAIGHT)
    chain["S1"].stimuli.orders["grip"] = radians(90)
    chain.run(1.0)
    assert chain["S1"].stimuli.servos["grip"].current > 0.1
    assert not chain["S1"].alarms
    assert not isnan(chain["S1"].stimuli.servos["grip"].target)


def test_a_forbidden_angle_never_reaches_the_servo():
    chain = boards("S")
    module = chain["S1"]
    module.stimuli.orders["grip"] = radians(120)
    chain.run(0.5)
    assert degrees(module.highest["grip"]) <= 90.001
    assert module.kinds() == [Alarm.FORBIDDEN], "once for one order"
    assert "avoid mechanical damage" in why(chain.trace(), "grip", seconds(0.5), source="S1")


def test_an_impossible_pair_keeps_the_turn_and_moves_the_extension():
    chain = boards("E")
    module = chain["E1"]
    module.stimuli.orders = {"extend": 0.021, "yaw": radians(30)}
    chain.run(0.5)
    assert module.highest["yaw"] == radians(30)
    assert 0.015 < module.highest["extend"] < 0.018
    assert module.kinds() == [Alarm.FORBIDDEN]


def test_a_gait_and_an_order_together_cannot_make_an_impossible_pair():
    """The worm stretches, the central control turns: each is allowed, both are not."""
    chain = boards("E", STRAIGHT)
    module = chain["E1"]
    module.stimuli.walk = Walk(worm=Worm(InchwormPart.EXTENSION))
    chain.run(1.6)
    assert module.highest["extend"] > 0.0205
    module.lowest.clear()
    module.highest.clear()
    module.stimuli.orders["yaw"] = radians(30)
    chain.run(3.2)
    assert 0.003 < module.lowest["extend"] < module.highest["extend"] < 0.018


@given(
    st.floats(-0.05, 0.05, allow_nan=False),
    st.floats(-3.0, 3.0, allow_nan=False),
)
def test_cranks_stay_between_their_singular_points(extend: float, yaw: float):
    room = workspace(Extension())
    assert isinstance(room, Cranks)
    yaw = room.nearest("yaw", yaw, {})
    extend = room.nearest("extend", extend, {"yaw": yaw})
    first, second = room.angles(extend, yaw)
    for crank in (first, second):
        assert radians(25) < crank < radians(147)
    assert abs(crank_slide(first) - crank_slide(second)) <= DIFFERENCE_MAX + 1e-9


@pytest.mark.parametrize(("stopped", "slides"), [(True, False), (False, True)])
def test_a_drive_that_is_too_hot_holds_in_a_pipe_that_falls(stopped: bool, slides: bool) -> None:
    """The control: one that is let go slides down."""
    parts = [{"part": "straight", "length_mm": 600}]
    chain = boards("H", {"kind": "pipe", "parts": parts, "slope_deg": -60}, trip=False)
    module, sim = chain["H1"], chain.rig.sim
    begun = float(sim.poses()[0][2])
    module.stimuli.servos["drive"].temperature = 200.0
    if not stopped:
        let_go(sim, "H1.drive")
    module.stimuli.orders["drive"] = 0.5
    chain.run(3.0)
    assert (begun - float(sim.poses()[0][2]) > 0.02) is slides
