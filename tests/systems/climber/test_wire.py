"""Frames on the servo bus: there and back, and through rubbish."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annelid.modules.leg import CUP_AREA
from annelid.systems.climber.system import describe_frames
from annelid.systems.climber.wire import ANGLE, GRIP, KEEP, Format, Report

FORM = Format(legs=6, joints=3)
angle = st.floats(-3.2, 3.2)


@given(st.lists(angle, min_size=18, max_size=18), st.integers(0, 500), st.integers(0, 5))
@settings(max_examples=50)
def test_every_leg_reads_its_own_target(angles: list[float], sequence: int, leg: int) -> None:
    rows = np.array(angles).reshape(6, 3)
    frame = FORM.command(sequence, rows, [GRIP, 0, KEEP, GRIP, 0, GRIP])
    assert len(frame) == FORM.command_size
    told = FORM.target(frame, leg)
    assert told is not None
    assert told[0] == sequence & 0xFF
    assert told[1].angles == pytest.approx(rows[leg], abs=ANGLE)
    assert (told[1].grip, told[1].keep) == ((leg in (0, 3, 5)), leg == 2)


@pytest.mark.parametrize("angle", [-1e3, -3.5, 3.5, 1e3])
def test_what_a_field_cannot_hold_is_sent_as_the_nearest(angle: float) -> None:
    """Strange frames once made the planner want 3.3 rad, and its board stopped."""
    told = FORM.target(FORM.command(1, np.full((6, 3), angle), [GRIP] * 6), 2)
    assert told is not None
    assert told[1].angles == pytest.approx([np.copysign(3.2767, angle)] * 3, abs=2 * ANGLE)
    strange = Report(1, 7, (angle,) * 3, 9e9, -angle, (angle,) * 3, angle)
    (heard,) = FORM.reports(FORM.report(strange))
    assert heard.angles == pytest.approx(told[1].angles, abs=2 * ANGLE)
    assert heard.pressure == 6_553_500.0


@pytest.mark.parametrize("suction_n", [13.0, 60.0, 190.0])
def test_a_full_vacuum_of_strong_cups_is_told(suction_n: float) -> None:
    """One byte ended at 50 N: cups of 60 N never told more than 83 %, and counted as open when
    their sensor read a little low.  The sensor itself ends at 100 kPa."""
    full = suction_n / CUP_AREA
    (heard,) = FORM.reports(FORM.report(replace(report(2), pressure=full)))
    assert heard.pressure == pytest.approx(full, abs=50)


def report(leg: int) -> Report:
    return Report(leg, 7, (0.1, -1.2, 2.3), 15_300.0, 0.0123, (0.5, 0.0, 1.49), 31.0)


@given(st.binary(max_size=40), st.binary(max_size=40))
@settings(max_examples=80)
def test_reports_are_found_amid_rubbish(before: bytes, after: bytes) -> None:
    rubbish = before.replace(b"\x5a", b"\x00"), after.replace(b"\x5a", b"\x00")
    data = rubbish[0] + FORM.report(report(1)) + FORM.report(report(4)) + rubbish[1]
    found = FORM.reports(data)
    assert [one.leg for one in found] == [1, 4]
    assert found[0].angles == pytest.approx((0.1, -1.2, 2.3), abs=ANGLE)
    assert found[0].pressure == pytest.approx(15_300.0, abs=50)
    assert found[0].distance == pytest.approx(0.0123, abs=1e-4)


@given(st.binary(max_size=200))
@settings(max_examples=100)
def test_rubbish_is_survived(data: bytes) -> None:
    FORM.reports(data)
    FORM.target(data, 0)
    assert b"".join(piece for piece, _ in describe_frames(data)) == data


def test_a_broken_frame_is_no_command() -> None:
    frame = bytearray(FORM.command(1, np.zeros((6, 3)), [0] * 6))
    frame[10] ^= 4
    assert FORM.target(bytes(frame), 0) is None
