"""Infrared and video: who sees whom, messages that meet, pictures of several frames."""

from __future__ import annotations

import math
from typing import Any

import pytest

from annelid.electronics.aux_line import AuxLine, AuxLineSpec
from annelid.electronics.infrared import Infrared, InfraredSpec, LineOfSight
from annelid.electronics.port import Frame, Outcome
from annelid.errors import InputError
from annelid.kernel import MILLISECOND, Kernel, RandomStreams
from annelid.kernel.trace import Trace, events


class Rig:
    def __init__(self, sights: dict[tuple[str, str], LineOfSight], **spec: Any) -> None:
        self.trace, self.sink = Trace.in_memory()
        self.kernel = Kernel(record=self.trace.events.append)
        self.sights = sights
        self.air = Infrared(
            "air",
            self.kernel,
            RandomStreams(1),
            InfraredSpec(**spec),
            sight=lambda a: {b: how for (one, b), how in self.sights.items() if one == a},
        )
        names = dict.fromkeys(name for pair in sights for name in pair)
        self.faces = {name: self.air.attach(name) for name in names}

    def heard(self) -> dict[str, list[bytes]]:
        return {
            name: [frame.data for frame in face.received.drain()]
            for name, face in self.faces.items()
            if len(face.received)
        }

    def outcomes(self) -> list[str]:
        self.trace.flush()
        return [event.detail["outcome"] for event in events(self.sink, kind="wire")]


@pytest.mark.parametrize(
    ("sight", "seen"),
    [
        (LineOfSight(0.10), True),
        (LineOfSight(0.11), False),
        (LineOfSight(0.05, sender_rad=math.radians(29)), True),
        (LineOfSight(0.05, sender_rad=math.radians(-31)), False),
        (LineOfSight(0.05, receiver_rad=math.radians(31)), False),
    ],
)
def test_range_and_cones(sight: LineOfSight, seen: bool) -> None:
    rig = Rig({("a", "b"): sight}, range_m=0.10, cone_deg=30.0)
    sending = rig.faces["a"].send(Frame(b"hello"))
    rig.kernel.run()
    assert rig.heard() == ({"b": [b"hello"]} if seen else {})
    assert sending.outcome is Outcome.SENT  # it cannot know
    assert rig.outcomes() == ["delivered" if seen else "no receiver"]


def test_all_in_sight_hear_it() -> None:
    rig = Rig(
        {
            ("a", "b"): LineOfSight(0.02),
            ("a", "c"): LineOfSight(0.03),
            ("b", "d"): LineOfSight(0.01),
        }
    )
    rig.faces["a"].send(Frame(b"x"))
    rig.kernel.run()
    assert rig.heard() == {"b": [b"x"], "c": [b"x"]}


def test_messages_that_meet_at_a_face_spoil_each_other() -> None:
    rig = Rig(
        {
            ("a", "c"): LineOfSight(0.02),
            ("b", "c"): LineOfSight(0.02),
            ("b", "d"): LineOfSight(0.02),
        }
    )
    rig.faces["a"].send(Frame(bytes(4)))
    rig.kernel.run(MILLISECOND)
    rig.faces["b"].send(Frame(bytes(4)))
    rig.kernel.run()
    assert rig.heard() == {"d": [bytes(4)]}
    assert sorted(rig.outcomes()) == ["collision", "collision", "delivered"]


@pytest.mark.parametrize(("duplex", "heard"), [("half", {}), ("full", {"a": [b"2"], "b": [b"1"]})])
def test_a_face_is_dazzled_by_its_own_light(duplex: str, heard: dict[str, list[bytes]]) -> None:
    rig = Rig({("a", "b"): LineOfSight(0.0), ("b", "a"): LineOfSight(0.0)}, duplex=duplex)
    rig.faces["a"].send(Frame(b"1"))
    rig.faces["b"].send(Frame(b"2"))
    rig.kernel.run()
    assert rig.heard() == heard


def test_modules_that_part_in_mid_message_lose_it() -> None:
    rig = Rig({("a", "b"): LineOfSight(0.0)})
    rig.faces["a"].send(Frame(bytes(10)))
    rig.kernel.run(MILLISECOND)
    rig.sights.clear()
    rig.kernel.run()
    assert rig.heard() == {}
    assert rig.outcomes() == ["lost"]


def test_a_large_picture_takes_several_video_frames_and_its_hash_is_in_the_trace() -> None:
    trace, sink = Trace.in_memory()
    kernel = Kernel(record=trace.events.append)
    line = AuxLine("video", kernel, RandomStreams(1), AuxLineSpec())
    camera, control = line.attach("camera"), line.attach("control")
    with pytest.raises(InputError, match="expected two ends, got 'third' as a third"):
        line.attach("third")
    camera.send(Frame(bytes(320 * 240 + 1)))
    kernel.run()
    assert kernel.now == 80 * MILLISECOND
    assert len(control.received.drain()[0].data) == 320 * 240 + 1
    trace.flush()
    (event,) = events(sink, kind="wire")
    assert event.detail["bytes_length"] == 320 * 240 + 1
    assert len(event.detail["bytes_hash"]) == 32
