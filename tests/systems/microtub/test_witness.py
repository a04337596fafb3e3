"""The witness knows what is so: each kind of statement, once true and once false."""

from __future__ import annotations

from typing import Any

import pytest

from annelid.electronics.i2c import I2cBus
from annelid.kernel import seconds
from annelid.physics import damage
from annelid.systems.microtub.body_witness import CALL_LOOKS, BodyWitness
from annelid.systems.microtub.module import BUS
from annelid.systems.microtub.networks import exploring
from annelid.systems.microtub.pipe_witness import PipeWitness
from annelid.systems.microtub.true_nose import TrueNose
from annelid.systems.microtub.witness import MicrotubWitness
from annelid.systems.statement import Statement
from annelid.trial.load import load, parse
from annelid.trial.run import Trial

PARTS = [
    {"part": "straight", "length_mm": 40},
    {"part": "tee", "run_mm": 120, "branch_mm": 90, "branch_angle_deg": 45},
    {"part": "cap"},
]
OUT = {"end": "open", "nowhere or out": None, "all seen": None}
BREAKS = [{"part": "straight1", "along_mm": 20}]


@pytest.fixture(scope="module")
def witness() -> MicrotubWitness:
    fields = {"world.parts": PARTS, "world.breaks": BREAKS, "duration_s": 1.0}
    trial = Trial(load("explore-straight", overrides=fields))
    return MicrotubWitness(trial.circuit)


@pytest.mark.parametrize(
    ("what", "value", "within", "so"),
    [
        ("way", 8, 12, True),
        ("way", 60, 12, False),
        ("way", 100, 500, False),  # an interval that says nothing saves nothing
        ("way", None, None, True),  # nothing is claimed
        ("place", None, None, True),
        ("bifurcation", None, None, True),
        ("break", None, None, True),
        ("reckoned home", None, None, True),
        ("home", None, None, True),
        ("end", "open", None, False),
        ("end at", 8, 12, True),  # no end is there: by the nose
        ("end at", 60, 12, False),
        ("all seen", None, None, False),
        ("legs left", 1, None, True),
        ("not all seen", None, None, True),
        ("in doubt", 1, None, True),  # nothing is claimed
        ("bifurcation", 95, 12, True),
        ("bifurcation", 200, 12, False),
        ("place", 100, 12, True),
        ("break", 30, 12, True),
        ("break", 60, 500, False),
        ("break", 300, 12, False),
        ("hole", 30, 12, True),
        ("hole", 300, 12, False),
        ("no hole", 300, 12, True),
        ("no hole", 30, 12, False),
        ("worked", 30, 12, False),  # no tool has
        ("lost", 120, None, False),
        ("missing", 9, None, False),  # eight there are, and none is switched on
        ("missing", 2, None, True),
        ("working modules", ["crrhrrvp"], None, False),  # nothing is switched on
        ("distance covered", [5], 12, True),
        ("distance covered", [100], 12, False),
        ("state of the batteries", [1], None, True),
        ("state of the batteries", [0], None, False),
        ("average consumption", [30], 40, True),
        ("average consumption", [200], 40, False),
        ("temperature", [25], 2, True),
        ("temperature", [35], 2, False),
        ("humidity", [52], 5, True),
        ("humidity", [90], 5, False),
        ("length", [2, 6], 12, True),
        ("length", [0, 90], 12, False),  # nothing on the nose's way is there
        ("bore of the pipe", [405], 15, True),
        ("bore of the pipe", [450], 15, False),
        ("nowhere", "push", None, True),
        ("nowhere or out", None, None, True),
        ("stuck", 8, 12, True),
        ("stuck", 60, 12, False),
        ("low power", None, None, False),
        ("stopped", None, None, True),
        ("side", 95, 12, True),
        ("side", 200, 12, False),
        ("side", None, None, True),
        ("turned", 95, 12, True),  # the branch lies ahead: the nose may go into it
        ("turned", 200, 12, False),
        ("bend or end", None, None, True),
        ("steep", 5, None, False),  # the pipe is level
        ("steep or end", -5, None, False),
        ("no pipe", None, None, False),
        ("out of pipe", "open", None, False),
        ("height", 5, 12, True),
        ("height", 80, 12, False),
    ],
)
def test_the_nose_at_the_inlet_of_a_pipe_with_a_branch(
    witness: MicrotubWitness, what: str, value: Any, within: float | None, so: bool
) -> None:
    judged = witness.judge(Statement(what, "", value, within))
    assert judged is not None
    assert judged.true is so, judged.why


def test_an_interval_may_miss_without_the_statement_being_false(witness: MicrotubWitness) -> None:
    judged = witness.judge(Statement("way", "", 18, 12))
    assert judged is not None
    assert (judged.true, judged.held) == (True, False)


@pytest.mark.parametrize("servo", ["H1.drive", "R1.yaw"])
def test_a_robot_that_is_driven_on_has_not_stopped(servo: str) -> None:
    trial = Trial(load("explore-straight", overrides={"robot.chain": "TRH", "duration_s": 1.0}))
    body, sim = BodyWitness(trial.circuit), trial.sim
    for target in (0.0, 1.0):
        sim.actuators.write_one(servo, target)
        body.look()
    judged = body.judges["stopped"](Statement("stopped", ""))
    assert judged is not None
    assert not judged.true
    assert servo in judged.why


def test_a_kind_that_it_does_not_know_is_not_judged(witness: MicrotubWitness) -> None:
    assert witness.judge(Statement("mood", "fine")) is None


def test_it_remembers_which_ends_were_met(witness: MicrotubWitness) -> None:
    assert witness._pipes.unmet == 2
    trial = Trial(
        load("explore-straight", overrides={"world.parts": [{"part": "straight", "length_mm": 30}]})
    )
    at_its_end = MicrotubWitness(trial.circuit)
    at_its_end.look()
    judged = at_its_end.judge(Statement("all seen", ""))
    assert judged is not None
    assert judged.true
    ended = at_its_end.judge(Statement("end", "", "open"))
    assert ended is not None
    assert ended.true
    for value, so in ((28, True), (60, False)):
        told = at_its_end.judge(Statement("end at", "", value, 12))
        assert told is not None
        assert told.true is so, told.why
    closed = at_its_end.judge(Statement("end", "", "closed"))
    assert closed is not None
    assert not closed.true


def test_a_nose_that_has_fallen_out_is_judged_by_the_end_it_came_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parts = [{"part": "straight", "length_mm": 30}]
    trial = Trial(load("explore-straight", overrides={"world.parts": parts}))
    fallen = MicrotubWitness(trial.circuit)
    said = {what: Statement(what, "", value) for what, value in OUT.items()}
    fallen.look()
    far_below = (0.015, 0.0, -0.4)
    monkeypatch.setattr(TrueNose, "point", property(lambda _: far_below))
    for each in said.values():
        judged = fallen.judge(each)
        assert judged is not None
        assert judged.true, judged.why
    assert fallen._nose.place().along > 0.4
    judged = fallen.judge(Statement("end at", "", 28, 12))
    assert judged is not None
    assert judged.true, judged.why  # whatever the nose has come to
    fallen._nose.met.clear()  # it has never been at an end
    judged = fallen.judge(said["end"])
    assert judged is not None
    assert not judged.true


def test_a_servo_that_does_not_follow_is_broken_or_held(witness: MicrotubWitness) -> None:
    sim = witness._sim
    bus = witness._body._circuit.links[BUS]
    assert isinstance(bus, I2cBus)
    address = next(port.address for port in bus.ports.values() if port.name == "R1")
    said = Statement("alarm", "", [address, "STUCK"])
    assert (judged := witness.judge(said)) is not None
    assert not judged.true
    damage.weaken(sim, "R1.yaw", 0.1)
    assert (judged := witness.judge(said)) is not None
    assert judged.true
    damage.heal(sim, "R1.yaw")
    assert (judged := witness.judge(Statement("alarm", "", [address, "SENSOR"]))) is not None
    assert not judged.true


def test_a_linear_servo_is_measured_by_its_travel() -> None:
    world = {"kind": "pipe", "parts": PARTS}
    fields = {"robot": {"chain": "SES"}, "world": world, "control": {"system": "microtub"}}
    worm = MicrotubWitness(Trial(load(fields)).circuit)
    motors, bus = worm._sim.actuators, worm._body._circuit.links[BUS]
    assert isinstance(bus, I2cBus)
    address = next(port.address for port in bus.ports.values() if port.name == "E1")
    slide = next(n for n, held in worm._body._held.items() if n.startswith("E1.") and held < 0.01)
    rests = motors.position_at(motors.place(slide))
    for off_m, so in ((0.0003, False), (0.002, True)):
        motors.write_one(slide, rests + off_m)
        judged = worm.judge(Statement("alarm", "", [address, "STUCK"]))
        assert judged is not None
        assert judged.true is so, judged.why


@pytest.mark.parametrize("slope", [30, -30])
def test_a_slope_is_that_of_the_pipe_at_the_nose(slope: int) -> None:
    fields = {"world.parts": PARTS, "world.slope_deg": slope, "duration_s": 1.0}
    steep = MicrotubWitness(Trial(load("explore-straight", overrides=fields)).circuit)
    for limit in (20, -20, 40, -40):
        judged = steep.judge(Statement("steep", "", limit))
        assert judged is not None
        assert judged.true is (limit * slope > 0 and abs(limit) < 30), judged.why


def test_a_length_is_that_of_the_way_the_nose_is_on(witness: MicrotubWitness) -> None:
    """A leg where the nose was before does not make another one's length true."""
    nose = witness._nose
    assert nose.tubes is not None
    branch = next(tube for tube in nose.tubes.tubes if tube.branch)
    run = nose.tubes.tubes[branch.parent]
    long = round(1000 * nose.way(branch.along + branch.length))
    said = Statement("length", "", [0, long], 12)
    nose.been |= {run.part, branch.part}
    assert [each[-1] for each in nose.routes(branch.part)] == [branch]
    assert branch in [each[-1] for each in nose.routes(run.part)]
    judged = witness.judge(said)
    nose.been.clear()
    assert judged is not None
    assert judged.true  # at the inlet both legs lie ahead
    assert (judged := witness.judge(said)) is not None
    assert not judged.true  # it has not been there


def test_legs_are_left_until_every_end_was_met_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A nose that came near to an end, and did not see it, has not seen that leg."""
    long = {"part": "tee", "run_mm": 400, "branch_mm": 300, "branch_angle_deg": 60}
    circuit = Trial(load("explore-straight", overrides={"world.parts": [long]})).circuit
    nose = TrueNose(circuit.sim)
    pipe = PipeWitness(circuit, nose)
    left, end = Statement("legs left", "", 1), pipe.judges["end"]

    def so() -> bool:
        judged = pipe.judges["legs left"](left)
        assert judged is not None
        return judged.true

    for number, point in nose.ends.items():
        assert so(), "not met"
        nose.met.append(number)
        assert so(), "met, and not told"
        monkeypatch.setattr(TrueNose, "point", point)
        assert (judged := end(Statement("end", "", "open"))) is not None
        assert judged.true, judged.why
    assert not so(), "all are met and told"


def test_a_loop_is_seen_by_who_has_been_where_it_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no end: a nose that was at every end may not have been in it."""
    world = {"kind": "pipe-network", "number": 1, "loops": [1, 1], "branches": [0, 0]}
    fields = exploring(world, 1, robot={"chain": "TRRHRRVP"}, name="loop")
    circuit = Trial(parse(fields, where="loop")).circuit
    nose = TrueNose(circuit.sim)
    judges = PipeWitness(circuit, nose).judges

    def so(what: str) -> bool:
        judged = judges[what](Statement(what, "", 1))
        assert judged is not None
        return judged.true

    for point in nose.ends.values():
        monkeypatch.setattr(TrueNose, "point", point)
        nose.look()
    assert (so("all seen"), so("legs left")) == (False, True)
    (seam,) = nose.seams.values()
    monkeypatch.setattr(TrueNose, "point", seam)
    nose.look()
    assert so("all seen")


def test_arrived_and_inside_are_judged(witness: MicrotubWitness) -> None:
    said = (("arrived", [8], True), ("arrived", [90], False), ("inside", None, True))
    for what, value, so in said:
        judged = witness.judge(Statement(what, "", value, 12))
        assert judged is not None
        assert judged.true is so, judged.why


def test_in_the_open_a_point_is_in_the_frame_of_the_start() -> None:
    world = {"kind": "open-air", "heading_deg": 90}
    fields = {"robot": {"chain": "TRRR"}, "world": world, "control": {"system": "microtub"}}
    outside = MicrotubWitness(Trial(load(fields)).circuit)
    for value, so in (([20, 0], True), ([0, 300], False), ([300, 0], False)):
        judged = outside.judge(Statement("arrived", "", value, 30))
        assert judged is not None
        assert judged.true is so, judged.why
    inside = outside.judge(Statement("inside", ""))
    assert inside is not None
    assert not inside.true


@pytest.mark.parametrize(("away_mm", "so"), [(40, True), (400, False)])
def test_something_was_touched_where_it_stands(away_mm: float, so: bool) -> None:
    box = {"shape": "box", "at_mm": [away_mm + 10, 0], "size_mm": [20, 60, 60], "turn_deg": 5}
    post = {"name": "post", "at_mm": [0, away_mm + 40]}
    world = {"kind": "open-air", "obstacles": [box], "landmarks": [post]}
    fields = {"robot": {"chain": "TRRR"}, "world": world, "control": {"system": "microtub"}}
    outside = MicrotubWitness(Trial(load(fields)).circuit)
    outside.look()
    by_joint = Statement("touch", "", source="module 3")
    kinds = (Statement("touch", "", source="nose"), Statement("landmark", ""), by_joint)
    for said in kinds if away_mm > 100 else kinds[:2]:  # a joint feels what holds a module
        judged = outside.judge(said)
        assert judged is not None
        assert judged.true is so, judged.why


@pytest.mark.parametrize("away_mm", [10, 60])
def test_what_holds_a_module_is_at_hand(away_mm: float) -> None:
    """Beside the third one; its front is 56 mm behind the nose."""
    wall = {"shape": "box", "at_mm": [-60, away_mm + 24], "size_mm": [30, 20, 60]}
    world = {"kind": "open-air", "obstacles": [wall]}
    fields = {"robot": {"chain": "PRRR"}, "world": world, "control": {"system": "microtub"}}
    outside = MicrotubWitness(Trial(load(fields)).circuit)
    outside.look()
    for what, so in (("touch", away_mm < 20), ("no touch", away_mm > 20)):
        judged = outside.judge(Statement(what, "", source="module 3"))
        assert judged is not None
        assert judged.true is so, judged.why


def test_a_module_may_be_told_lost_a_moment_after_the_bus_was_disturbed() -> None:
    trial = Trial(load("explore-straight", overrides={"duration_s": 1.0}))
    body, bus = BodyWitness(trial.circuit), trial.circuit.links[BUS]
    trial.circuit.start()
    trial.circuit.kernel.run(seconds(0.5))
    assert isinstance(bus, I2cBus)
    lost = Statement("lost", "", next(p.address for p in bus.ports.values() if p.name == "R1"))

    def judged() -> bool:
        found = body.judges["lost"](lost)
        return found is not None and found.true

    body.look()
    assert not judged()
    bus.disturb(cut=True)
    body.look()
    assert judged()
    bus.mend()
    body.look()
    assert judged()
    for _ in range(CALL_LOOKS):
        body.look()
    assert not judged()
    trial.circuit.nodes["R1"].kill()
    body.look()
    trial.circuit.nodes["R1"].start()
    trial.circuit.kernel.run(trial.circuit.kernel.now + seconds(0.5))
    assert judged(), "it was down a moment ago"
    for _ in range(CALL_LOOKS):
        body.look()
    assert not judged()


@pytest.mark.parametrize("central", ["PC", "H1"])
def test_a_robot_whose_central_control_hangs_owes_nobody_an_answer(central: str) -> None:
    options = {"control.options.central": central, "duration_s": 1.0}
    trial = Trial(load("explore-straight", overrides=options))
    judges = MicrotubWitness(trial.circuit)
    trial.measure()
    assert judges.reachable()
    trial.circuit.nodes["T1"].kill("a fault elsewhere")
    assert judges.reachable()
    trial.circuit.nodes[central].kill("a fault")
    assert not judges.reachable()
