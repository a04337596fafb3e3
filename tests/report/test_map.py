"""The robot's map in the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.systems.microtub.mapping.walks import Explorer, network

from annelid.kernel.trace.reader import Event
from annelid.report.happened import words
from annelid.report.recording import Recording
from annelid.systems.microtub.front.map import in_words, lengths, map_plot, sections
from annelid.systems.microtub.mapping import PipeMap, compare, to_spec
from annelid.systems.microtub.system import MICROTUB
from annelid.worlds.pipe_world import Pipe


def told(recording: Recording, *maps: dict[str, Any]) -> Recording:
    """As if the central control had told of these maps."""
    events = [Event(index, "CC", "map", detail, index) for index, detail in enumerate(maps)]
    recording.__dict__["events"] = events
    return recording


def described(pipes: PipeMap) -> dict[str, Any]:
    return to_spec(pipes).model_dump(mode="json")


@pytest.fixture
def recording(run_folder: Path) -> Recording:
    """Of a run in a pipe with one elbow."""
    return Recording(run_folder)


def test_the_last_map_is_drawn_over_the_pipes_with_its_errors(recording: Recording):
    world = recording.scenario.world
    assert isinstance(world, Pipe)
    made = Explorer(world.tubes(), odometer=lambda way: way * 1.02).explore()
    (section,) = sections(told(recording, described(PipeMap()), described(made)))
    assert "<h2>Map</h2>" in section
    assert "it stays level" in section
    assert "lengths are wrong by +2.0% in all" in section
    assert "<td>elbow1</td>" in section
    for label in ("pipe", "map", "bend", "end", "robot"):
        assert f">{label}</text>" in section
    assert ">break</text>" not in section


def test_no_map_no_section(recording: Recording):
    assert list(sections(told(recording))) == []


def test_a_map_that_cannot_be_read_is_said_so(recording: Recording):
    (section,) = sections(told(recording, {"places": 3}))
    assert "cannot be read" in section


def test_a_climbing_map_is_seen_from_the_side_too():
    pipes = network()
    made = Explorer(pipes).explore()
    plot = map_plot(made, pipes)
    assert "it climbs 300 mm" in plot.caption
    assert "from the side" in plot.svg
    assert "over the pipes" not in map_plot(made, None).caption


def test_errors_in_words():
    pipes = network()
    draw = np.random.default_rng(0)
    made = Explorer(pipes, odometer=lambda way: way * (1 + draw.normal(0, 0.01))).explore()
    said = in_words(compare(made, pipes))
    assert said.startswith("6 places are where something really is")
    blind = PipeMap()
    blind.advance(0.9)
    assert "Not on the map, though passed: elbow1, break in straight2, tee1" in in_words(
        compare(blind, pipes)
    )


def test_the_event_in_words():
    event = Event(0, "CC", "map", described(Explorer(network()).explore()), 0)
    assert words(event, MICROTUB.event_words).startswith("its map has 7 places after 1.")


def test_lengths_are_told_with_how_far_off_they_may_be():
    made = Explorer(network()).explore()
    first, second, *_ = made.graph.stretches.values()
    first.off, second.off = 0.0312, None
    (row, other, *_) = lengths(made.graph).split("<tr>")[2:]
    places = made.graph.places[first.start], made.graph.places[first.end or 0]
    begin, end = (made.graph.along(*made.graph.centre(place)) for place in places)
    assert "<td>home</td><td>bend 1</td>" in row
    assert f">{1000 * (end - begin):.0f}<" in row
    assert ">31<" in row
    assert "not known" in other
    assert lengths(PipeMap().graph) == ""
