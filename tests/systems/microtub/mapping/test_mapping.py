"""A map must be right where the robot's odometer is, and near where it is not."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.systems.microtub.mapping.walks import Explorer, network

from annelid.errors import GeometryError, InputError, SpecError
from annelid.systems.microtub.mapping import (
    PipeBranch,
    PipeMap,
    PlaceKind,
    compare,
    from_spec,
    to_spec,
)
from annelid.worlds.pipe_world import Pipe
from annelid.worlds.tubes import TubeNetwork

LEFT = pi / 2
"""A bend of a right angle."""

Pipe.parse({"parts": [{"part": "straight", "length_mm": 100}]}, where="warm-up").tubes()
"""The first network loads compiled geometry, whose libraries seed `random`: not within a strategy,
where hypothesis would object."""


@st.composite
def networks(draw: st.DrawFn) -> TubeNetwork:
    """Random pipes in space; those that run into themselves are left out."""
    parts: list[dict[str, Any]] = []
    for index in range(draw(st.integers(1, 3))):
        parts.append({"part": "straight", "length_mm": draw(st.integers(100, 500))})
        roll = draw(st.integers(0, 11)) * 30
        if draw(st.booleans()):
            angle, radius = draw(st.sampled_from([30, 45, 90])), draw(st.integers(30, 80))
            parts.append(
                {"part": "elbow", "roll_deg": roll, "angle_deg": angle, "radius_mm": radius}
            )
        else:
            name = f"t{index}"
            parts.append({"part": "tee", "name": name, "roll_deg": roll, "run_mm": 150})
            tail = {"part": "straight", "length_mm": draw(st.integers(100, 300))}
            parts.append({**tail, "at": f"{name}.branch"})
            if draw(st.booleans()):
                parts.append({"part": "elbow", "angle_deg": 45})
            parts.append({"part": "straight", "length_mm": 80, "at": f"{name}.run"})
    hole = {"part": "straight1", "along_mm": 50, "clock_deg": draw(st.integers(-179, 180))}
    try:
        return Pipe.parse({"parts": parts, "breaks": [hole]}, where="test").tubes()
    except (GeometryError, SpecError):
        assume(False)
        raise


@given(networks(), st.booleans())
@settings(max_examples=25)
def test_a_network_walked_without_noise_is_reproduced(pipes: TubeNetwork, confirm: bool):
    made = Explorer(pipes, confirm=confirm).explore()
    found = compare(made, pipes)
    assert made.conflicts == 0
    assert (found.missed, found.extra) == ((), ())
    assert found.worst_position_m < 1e-9
    assert found.worst_length_error < 1e-9
    assert max(abs(each.angle_error_rad or 0.0) for each in found.matched) < 1e-6
    bends = sum(tube.bent for tube in pipes.tubes)
    tees = sum(tube.branch for tube in pipes.tubes)
    kinds = [place.kind for place in made.graph.places.values()]
    assert kinds.count(PlaceKind.TURN) == bends
    assert kinds.count(PlaceKind.JUNCTION) == tees
    assert kinds.count(PlaceKind.END) == tees + 1
    assert kinds.count(PlaceKind.BREAK) == 1


@given(networks(), st.integers(0, 10_000), st.booleans())
@settings(max_examples=25)
def test_two_percent_of_noise_stay_about_two_percent(pipes: TubeNetwork, seed: int, confirm: bool):
    draw = np.random.default_rng(seed)
    scale = 1 + draw.uniform(-0.02, 0.02)
    made = Explorer(pipes, odometer=lambda way: way * scale, confirm=confirm).explore()
    found = compare(made, pipes)
    assert (found.missed, found.extra) == ((), ())
    assert abs(found.length_error) < 0.021
    assert found.worst_length_error < 0.021
    assert found.worst_position_m < 0.021 * max(each.true_m for each in found.matched)
    assert found.worst_m(PlaceKind.BREAK) < 0.021 * 0.2


def test_where_it_is_after_a_bend_up_and_a_bend_left():
    """Up first, then to what is left for a robot that now climbs."""
    pipes = PipeMap()
    pipes.advance(1.0)
    pipes.turned(pi / 2, LEFT)
    pipes.advance(0.5)
    pipes.turned(0.0, LEFT)
    pipes.advance(0.25)
    assert pipes.where.frame.point == pytest.approx([1.0, 0.25, 0.5])
    assert pipes.where.frame.heading == pytest.approx([0.0, 1.0, 0.0])
    assert pipes.where.along == pytest.approx(1.75)
    assert pipes.where.new


def test_corners_correct_the_odometer_on_the_way_back():
    """The second measurement of a stretch counts as much as the first."""
    pipes = PipeMap()
    pipes.advance(0.5)
    pipes.turned(0.0, LEFT)
    pipes.advance(0.40)
    corner = pipes.turned(0.0, LEFT)
    pipes.advance(0.3)
    pipes.reversed()
    pipes.advance(0.31)
    assert pipes.turned(0.0, LEFT) is corner
    assert pipes.where.along == pytest.approx(0.9), "put right"
    pipes.advance(0.42)
    pipes.turned(0.0, LEFT)
    assert pipes.where.along == pytest.approx(0.5)
    assert pipes.graph.stretches[1].length == pytest.approx(0.41)
    assert len(pipes.graph.places) == 3


def test_many_walks_make_a_length_better():
    draw = np.random.default_rng(1)
    pipes = PipeMap()
    pipes.advance(0.5)
    pipes.turned(0.0, LEFT)
    pipes.advance(0.53)
    pipes.turned(0.0, LEFT)
    for _ in range(20):
        for _ in range(2):
            pipes.advance(0.1)
            pipes.reversed()
            pipes.advance(0.1)
            pipes.turned(0.0, LEFT)
            pipes.advance(0.5 * (1 + draw.normal(0, 0.03)))
            pipes.turned(0.0, LEFT)
    assert pipes.graph.stretches[1].length == pytest.approx(0.5, rel=0.015)


def test_a_junction_that_was_overlooked_is_put_in():
    pipes = PipeMap()
    pipes.advance(0.8)
    pipes.break_seen(-0.2, 0.0)
    pipes.dead_end()
    pipes.reversed()
    pipes.advance(0.5)
    pipes.reversed()
    place = pipes.junction("tee", [PipeBranch(), PipeBranch(0.0, LEFT)], 1)
    assert place is not None
    pipes.advance(0.1)
    assert pipes.where.frame.point == pytest.approx([0.3, 0.1, 0.0])
    spots = {p.kind: pipes.graph.frame(*pipes.graph.spot(p)).point[0] for p in
             pipes.graph.places.values()}  # fmt: skip
    assert spots[PlaceKind.END] == pytest.approx(0.8)
    assert spots[PlaceKind.BREAK] == pytest.approx(0.6)


def test_what_does_not_fit_is_counted_and_changes_nothing():
    pipes = PipeMap()
    pipes.advance(0.5)
    pipes.turned(0.0, LEFT)
    pipes.advance(0.5)
    pipes.dead_end()
    pipes.reversed()
    pipes.advance(0.8)
    before = to_spec(pipes).places
    assert pipes.turned(0.0, LEFT) is None, "on the way to a bend there is no other one"
    assert pipes.junction("tee", [PipeBranch()], 0) is None
    assert pipes.dead_end() is None
    assert pipes.conflicts == 3
    assert to_spec(pipes).places == before


def test_a_break_seen_twice_is_one_and_on_the_other_side_another():
    pipes = PipeMap()
    pipes.advance(0.1)
    first = pipes.break_seen(0.10, 0.0)
    pipes.advance(0.05)
    assert pipes.break_seen(0.06, 0.2) is first
    assert first.at == pytest.approx(0.205)
    assert pipes.break_seen(0.06, pi) is not first


def test_a_break_told_when_the_bend_is_known_lies_before_it_or_in_it():
    pipes = PipeMap()
    pipes.advance(0.4)
    pipes.turned(0.0, LEFT, 0.1, past_m=0.1)
    in_it, before = (pipes.break_seen(offset, 0.0) for offset in (-0.15, -0.3))
    assert pipes.graph.along(*pipes.graph.spot(in_it)) == pytest.approx(0.25)
    assert pipes.graph.along(*pipes.graph.spot(before)) == pytest.approx(0.1)
    assert in_it.stretch != before.stretch


def test_two_bends_close_together_are_two():
    pipes = PipeMap()
    pipes.advance(0.3)
    pipes.turned(0.0, LEFT, 0.05)
    pipes.advance(0.05)
    pipes.turned(0.0, LEFT, 0.05)
    assert [p.kind for p in pipes.graph.places.values()].count(PlaceKind.TURN) == 2


def test_what_was_overlooked_and_what_was_invented_is_told():
    pipes = network()
    made = PipeMap()
    made.advance(0.1)
    made.turned(0.0, 0.5)
    made.advance(0.7)
    found = compare(made, pipes)
    assert found.extra == (1,)
    assert set(found.missed) == {"elbow1", "break in straight2", "tee1"}
    assert found.matched == ()


def test_a_sloping_inlet_is_nothing_a_robot_can_know():
    pipes = network(slope_deg=20, roll_deg=0)
    found = compare(Explorer(network()).explore(), pipes)
    assert found.worst_position_m < 1e-9


def test_bad_arguments():
    pipes = PipeMap()
    with pytest.raises(InputError, match="0 or more"):
        pipes.advance(-1.0)
    with pytest.raises(InputError, match="expected 0 to 0, got 1"):
        pipes.junction("tee", [PipeBranch()], 1)


@given(networks(), st.floats(0, 0.3))
@settings(max_examples=12)
def test_a_map_read_back_is_the_same_and_goes_on(pipes: TubeNetwork, back: float):
    made = Explorer(pipes).explore()
    made.reversed()
    made.advance(back)
    again = from_spec(type(to_spec(made)).model_validate_json(to_spec(made).model_dump_json()))
    assert to_spec(again) == to_spec(made)
    for each in (made, again):
        each.advance(0.05)
        each.reversed()
        each.break_seen(0.02, 1.0)
    assert to_spec(again) == to_spec(made)


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("back_m", [0.0, 0.1])
def test_a_bend_that_is_told_late_is_put_before_the_end(closed: bool, back_m: float):
    """The nose met the pipe's end, or the robot turned back, before its tail was round."""
    pipes = PipeMap()
    pipes.advance(0.3)
    pipes.break_seen(0.15, 0.0)
    pipes.advance(0.2)
    if closed:
        pipes.dead_end()
    pipes.reversed()
    pipes.advance(back_m)
    place = pipes.turned(0.0, LEFT, 0.1, past_m=0.1 - back_m)
    assert place is not None
    assert pipes.conflicts == 0
    graph = pipes.graph
    assert graph.along(*graph.centre(place)) == pytest.approx(0.35)
    assert pipes.where.along == pytest.approx(0.5 - back_m)
    (seen,) = graph.breaks(graph.stretches[1])
    assert graph.along(*graph.spot(seen)) == pytest.approx(0.45)
    if closed:
        (end,) = (each for each in graph.places.values() if each.kind is PlaceKind.END)
        assert graph.along(*graph.spot(end)) == pytest.approx(0.5)
    pipes.advance(0.45 - back_m)
    assert pipes.where.stretch == 0
    assert pipes.where.along == pytest.approx(0.05)


@pytest.mark.parametrize("off", [-0.02, 0.0, 0.025])
def test_a_bend_that_is_told_again_far_behind_it_is_the_same_and_puts_the_robot_right(off: float):
    """On the second walk through a leg that ends, when the nose is 150 mm past the bend."""
    pipes = PipeMap()
    pipes.advance(0.5)
    pipes.turned(0.0, 1.0, 0.06)
    pipes.advance(0.4)
    end = pipes.dead_end()
    assert end is not None
    pipes.reversed()
    pipes.advance(0.8)
    pipes.reversed()
    pipes.advance(0.55 + off)
    places = len(pipes.graph.places)
    again = pipes.turned(0.0, 1.0, 0.06, past_m=0.15)
    assert again is not None
    assert len(pipes.graph.places) == places
    assert pipes.where.along == pytest.approx(0.65)
