"""Bends that joints felt are set right by how steep the pipe behind them is."""

from __future__ import annotations

import json
from math import asin, degrees, radians

import numpy as np
import pytest

from annelid.systems.microtub.mapping import MapSpec, PipeBranch, PipeMap, from_spec, to_spec
from annelid.systems.microtub.mapping import set_right as set_the_bends_right
from annelid.systems.microtub.mapping.frame import PipeFrame
from annelid.systems.microtub.mapping.lie import likeliest

TAIL_M = 0.12
"""From the nose back to the module that feels gravity."""


def walked(felt: PipeBranch, *rises_deg: float) -> PipeMap:
    """Half a metre, a bend as joints felt it, half a metre; each half rises so."""
    pipes = PipeMap()
    first, second = (radians(each) for each in rises_deg)
    for _ in range(50):
        pipes.advance(0.01)
        pipes.leans(TAIL_M, first, 0.01)
    pipes.turned(felt.direction, felt.angle, 0.1)
    for _ in range(50):
        pipes.advance(0.01)
        # The module comes round the bend a body's length behind the nose.
        pipes.leans(TAIL_M, second if pipes.where.at > 0.1 + TAIL_M else first, 0.01)
    pipes.dead_end()
    return pipes


def end_of(pipes: PipeMap) -> np.ndarray:
    graph = pipes.graph
    last = graph.places[max(graph.places)]
    return graph.frame(*graph.spot(last)).point


@pytest.mark.parametrize("inlet_deg", [0.0, 12.0, -20.0])
def test_a_level_bend_that_was_felt_askew_lies_level(inlet_deg: float):
    """Seen from the inlet, whose slope is felt too."""
    felt = PipeBranch(radians(9), radians(70))
    true = PipeFrame.origin().turned(0.0, radians(70)).heading
    rises = degrees(asin(true[0] * np.sin(radians(inlet_deg))))
    pipes = walked(felt, inlet_deg, rises)
    askew = end_of(pipes)[2]
    set_the_bends_right(pipes.graph)
    assert abs(askew) > 0.05
    assert abs(end_of(pipes)[2]) < 0.015


def test_nothing_is_set_right_that_nobody_felt():
    pipes = PipeMap()
    pipes.advance(0.5)
    pipes.turned(radians(9), radians(70), 0.1)
    pipes.advance(0.5)
    before = end_of(pipes)
    set_the_bends_right(pipes.graph)
    assert end_of(pipes) == pytest.approx(before)


def test_over_bends_of_chance_the_pipe_comes_out_nearer_to_the_truth():
    """Joints are off by some degrees, accelerometers by less; the map by less than the joints."""
    chance = np.random.default_rng(12)
    before: list[float] = []
    after: list[float] = []
    for _ in range(300):
        slope = radians(chance.uniform(-20, 20))
        vertical = np.array([np.sin(slope), 0.0, np.cos(slope)])
        true = PipeBranch(chance.uniform(0, 2 * np.pi), radians(chance.uniform(25, 95)))
        frame = PipeFrame.origin()
        heading = frame.turned(true.direction, true.angle).heading
        felt = PipeBranch(
            true.direction + radians(chance.normal(0, 6)), true.angle + radians(chance.normal(0, 6))
        )
        lies = asin(float(heading @ vertical)) + radians(chance.normal(0, 1.5))
        for way, off in (felt, before), (likeliest(frame, felt, lies, vertical), after):
            found = frame.turned(way.direction, way.angle).heading
            off.append(degrees(np.arccos(min(1.0, float(found @ heading)))))
    assert np.mean(after) < 0.85 * np.mean(before)
    assert np.percentile(after, 99) < np.percentile(before, 99) + 1


def test_what_was_felt_is_kept_with_the_map():
    pipes = walked(PipeBranch(radians(9), radians(70)), 0.0, 0.0)
    again = from_spec(MapSpec.parse(json.loads(to_spec(pipes).model_dump_json()), where="map"))
    for each in (pipes, again):
        set_the_bends_right(each.graph)
    assert end_of(again) == pytest.approx(end_of(pipes))
    assert again.graph.stretches[1].felt == pipes.graph.stretches[1].felt
