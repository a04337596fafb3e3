"""A run with firmware: its packets, its supply and its faults are in the report, in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annelid.kernel.trace.reader import Event
from annelid.report import happened, write_report
from annelid.report.servo_table import changes
from annelid.report.wire import _row as wire_row
from annelid.report.wire import _summary as wire_words
from annelid.report.wire import frames, journeys
from annelid.systems.erekobot.packets import Configuration, Standard, encode
from annelid.systems.erekobot.system import describe_frames
from annelid.trial.load import parse
from annelid.trial.replay import Run
from annelid.trial.run import Trial

BROKEN: dict[str, Any] = {
    "name": "broken",
    "duration_s": 1.5,
    "robot": {"chain": "KKKK"},
    "world": {"kind": "open-air"},
    "physics": {"timestep_ms": 1.0},
    "control": {"system": "erekobot", "options": {"profile": 3, "sync": "tell"}},
    "power": {"supply": {"kind": "battery"}},
    "record": {"state_hz": 0},
    "faults": [
        {"fault": "dead_board", "board": "K4", "at_s": 0.5, "until_s": 1.0},
        {"fault": "stuck_servo", "servo": "K2.pitch", "at_s": 0.7},
    ],
}


def event(source: str, kind: str, at_ns: int = 0, /, **detail: Any) -> Event:
    return Event(time_ns=at_ns, source=source, kind=kind, detail=detail, sequence=0)


def wire(start: int, end: int, sender: str, to: list[str], data: bytes, **more: Any) -> Event:
    detail = {"from": sender, "to": to, "bytes": data.hex(), "start_ns": start, "end_ns": end}
    return event("line", "wire", end, **{**detail, "outcome": "delivered", **more})


def test_the_report_of_a_broken_robot(tmp_path: Path) -> None:
    folder = Trial(parse(BROKEN)).run(tmp_path / "run").folder
    html = write_report(folder, video=False).report.read_text()
    for heading in ("Servo table", "Wire", "Power", "Events"):
        assert f"<h2>{heading}</h2>" in html
    assert "to all: start" in html
    assert "to 2: a configuration follows" in html
    assert "10 ff 00 01 10" in html
    assert "breaks: dead board (servos release), at 0.5 s, until 1 s" in html
    assert "breaks: stuck servo, at 0.7 s" in html
    assert "mended: dead board" in html
    assert "power of motors and boards (W)" in html
    assert "dead board K4" in html  # marked in the plots
    run = Run(folder)
    metrics, power = run.metrics, run["power"]
    assert (
        f"A battery gave {metrics.energy_j:.3g} J, {metrics.boards_energy_j:.3g} J of it to "
        f"boards; the rail had {power['voltage'].min():.3g} V at its lowest. "
        f"{100 * power['charge'][-1]:.1f}% of the charge is left"
    ) in html
    drawn, seconds = float(power["energy[K1]"][-1]), run.time("power")[-1]
    mean_mw = 1000 * drawn / seconds
    cells = f"<td>K1</td><td class=number>{drawn:.3g}</td><td class=number>{mean_mw:.3g}</td>"
    assert cells in html
    (dies,) = [e for e in run.events("fault") if e.source == "K4"]
    assert f"<td class=number>{dies.time_ns / 1e9:.3f}</td><td>K4</td><td>breaks: dead" in html


def test_bytes_become_packets_and_packets_journeys() -> None:
    """A stream that the trace broke in the middle of a packet, passed on by the next board."""
    one, two = encode(Standard(1, 2)), encode(Configuration(1, 1, 0, 6, 16, 3))
    start = encode(Standard(255, 1))
    data = one + two + start
    found = frames(
        [
            wire(0, 8_000, "host", ["K1"], data[:8]),
            wire(8_000, 21_000, "host", ["K1"], data[8:]),
            wire(17_000, 22_000, "K1", ["K2"], start),
            wire(900_000_000, 900_005_000, "host", ["K1"], start),
        ],
        describe_frames,
    )
    assert [(f.sender, f.data, f.start_ns, f.end_ns) for f in found] == [
        ("host", one, 0, 5_000),
        ("host", two, 5_000, 16_000),
        ("host", start, 16_000, 21_000),
        ("K1", start, 17_000, 22_000),
        ("host", start, 900_000_000, 900_005_000),
    ]
    assert [f.words for f in found[:3]] == [
        "to 1: a configuration follows",
        "to 1: table 0, phase 3 of 16, 6 modules, address 1",
        "to all: start",
    ]
    told = journeys(found)
    assert [len(journey.hops) for journey in told] == [1, 1, 2, 1]
    assert told[2].delay_ns == 6_000
    assert wire_words(found, told).startswith(
        "4 packets, 5 with their repetitions by others, 31 bytes."
    )
    assert wire_row(told[3])[0] == "0.9000"


def test_frames_without_a_describer_and_with_lost_bytes() -> None:
    frame, picture = frames(
        [
            wire(0, 5_000, "a", [], b"\x01\x02", outcome="lost"),
            wire(0, 9_000, "b", ["c"], bytes(32), bytes_length=76_800, bytes_hash="00"),
        ],
        None,
    )
    assert (frame.outcome, frame.words) == ("lost", "")
    assert picture.words == "the beginning of 76800 bytes"


@pytest.mark.parametrize("noise", [b"", b"\x10", b"\x10" * 9, bytes(range(256)), b"\xff\x10\xff"])
def test_whatever_is_on_the_wire_is_described_whole(noise: bytes) -> None:
    sound = encode(Standard(3, 185))
    pieces = describe_frames(noise + sound)
    assert b"".join(piece for piece, _ in pieces) == noise + sound
    assert pieces[-1] == (sound, "to 3: servo to 0° (185)")


def test_passing_on_is_told_in_milliseconds() -> None:
    """Sent at 0, passed on 6 ms and 16 ms later, and heard 5 ms after that."""
    start = encode(Standard(255, 1))
    hops = [("host", "K1", 0), ("K1", "K2", 6_000_000), ("K2", "K3", 16_000_000)]
    found = frames(
        [wire(at, at + 5_000_000, one, [other], start) for one, other, at in hops], describe_frames
    )
    (journey,) = journeys(found)
    assert wire_row(journey)[5:7] == ("3", "21.00")
    assert "costs 8.00 ms from board to board; the slowest took 21.0 ms over 3 hops" in wire_words(
        found, [journey]
    )


def test_events_have_their_numbers_in_the_units_that_people_read() -> None:
    trip = happened.words(event("R1.yaw", "trip", filtered_a=0.1234))
    assert trip == "switched off by its current limit at 123 mA"
    assert happened.words(event("T1", "goal", progress_m=0.794)) == "reaches the goal at 794 mm"


def test_a_programs_own_event_may_have_any_fields() -> None:
    assert happened.words(event("K1", "trip")) == "trip"
    assert happened.words(event("K1", "goal", progress_m="far")) == "goal: progress_m far"


def test_changes_that_follow_each_other_are_one_row() -> None:
    nan = np.nan
    targets = np.array([[nan, 0], [nan, 0], [1, 0], [1, 2], [1, 2], [3, 2], [3, 2]])
    assert changes(targets) == [0, 3, 5]
