"""Planes meet the corners of rigid stretches, and pieces are rooted in their middle."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from tests.rigs import robot, robot_from, simulation

from annelid.physics.skeleton import FLOOR, middle

OPEN = {"kind": "open-air"}


def points(sim, body: str) -> int:
    of = sim.model.body(body).id
    small = sim.model.geom_conaffinity == FLOOR
    return int(((sim.model.geom_bodyid == of) & small).sum())


def test_a_rigid_stretch_touches_with_its_outer_corners_only():
    """R2's back and R3's front are one rigid piece: each keeps the four corners at its joint."""
    sim = simulation("RRRR", OPEN)
    assert points(sim, "R2/back") == points(sim, "R3/front") == 4
    assert points(sim, "R1/front") == points(sim, "R4/back") == 8  # its free face as well
    whole = simulation("RPPPR", OPEN)
    assert [points(whole, f"P{k}/front") for k in (1, 2, 3)] == [0, 0, 0]


def test_after_a_cut_the_new_ends_have_corners():
    sim = simulation("RRRR", OPEN)
    sim.cut("R2.back", "R3.front")
    assert points(sim, "R2/back") == points(sim, "R3/front") == 8


def test_a_chain_lies_as_high_and_weighs_as_much_on_its_corners():
    sim = simulation("RRRRRR", OPEN, timestep_ms=1.0)
    sim.advance(1000)
    up = float(sum(sim.data.efc_force[a] for a in sim.data.contact.efc_address))
    assert up == pytest.approx(sim.mass * 9.81, rel=0.02)
    assert sim.centre()[2] == pytest.approx(0.0115, abs=2e-4)
    assert len(sim.data.contact) <= 6 * 5 + 4


def test_boxes_still_meet_obstacles():
    wall = {"shape": "box", "at_mm": [120, 0], "size_mm": [20, 200, 60]}
    sim = simulation("RP", {**OPEN, "obstacles": [wall]}, timestep_ms=1.0)
    sim.data.qvel[0] = 0.5
    sim.advance(600)
    assert sim.head()[0] < 0.112


def test_what_a_world_has_none_of_is_left_out():
    sim = simulation("RR", {"kind": "pipe"})
    assert not (sim.model.geom_conaffinity & FLOOR).any()


@pytest.mark.parametrize(
    ("chain", "root"), [("R", "R1"), ("RR", "R1"), ("RRR", "R2"), ("R" * 9, "R5"), ("TRHP", "R1")]
)
def test_a_chain_is_rooted_in_its_middle(chain, root):
    made = robot(chain)
    assert middle(made, made.pieces()[0]) == root


def test_a_walker_is_rooted_where_its_legs_meet_and_a_ring_anywhere():
    types = ["Y", "L", "L", "L", "L"]
    docks = [{"a": f"Y1.leg{k}", "b": f"L{k}.front"} for k in (1, 2, 3, 4)]
    walker = robot_from({"modules": [{"type": t} for t in types[::-1]], "docks": docks})
    assert middle(walker, walker.pieces()[0]) == "Y1"
    bent = {"type": "C", "start": {"pitch": 90}}
    ends = [{"a": f"C{k}.back", "b": f"C{k % 4 + 1}.front"} for k in (1, 2, 3, 4)]
    ring = robot_from({"modules": [bent] * 4, "docks": ends})
    assert middle(ring, ring.pieces()[0]) == "C1"


def test_the_head_begins_where_the_world_says_wherever_the_root_is():
    """Bent joints, too: the root moves, the head does not."""
    world = {"kind": "pipe", "slope_deg": 20, "parts": [{"part": "straight", "length_mm": 500}]}
    straight = simulation("RRRRR", world)
    assert straight.head() == pytest.approx([0, 0, 0], abs=1e-9)
    bent = simulation(robot("RRRRR", R={"start": {"pitch": 10}}), world)
    assert bent.head() == pytest.approx([0, 0, 0], abs=1e-9)
    ahead = straight.placement("R5").at
    assert np.linalg.norm(ahead) == pytest.approx(4 * 0.034, abs=1e-6)
    assert np.linalg.norm(bent.placement("R5").at - ahead) > 0.01


def test_a_piece_can_be_put_by_any_of_its_modules():
    sim = simulation("RRRRR", OPEN)
    there = sim.placement("R1") @ sim.placement("R4").inverse()
    sim.put("R4", there @ sim.placement("R4"))
    mujoco.mj_forward(sim.model, sim.data)
    assert sim.placement("R4").at == pytest.approx([0, 0, 0.014], abs=1e-9)
