"""Report: the commands of the boards to their servos, as a gait table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from annelid.report import page
from annelid.report.recording import Recording

MOST_ROWS = 64
MOST_SERVOS = 16


def servo_section(recording: Recording) -> str | None:
    """None where gaits move the robot: their targets change all the time."""
    if recording.scenario.control.system is None:
        return None
    time = recording.time("actuators")
    motors = recording.motors()[:MOST_SERVOS]
    columns = [recording.column("actuators", f"target[{name}]") for name in motors]
    if not motors or len(time) < 2:
        return None
    rows = changes(np.stack([values for values, _ in columns], axis=1))
    shown = rows[:MOST_ROWS]
    head = ("time (s)", *(f"{m} ({unit})" for m, (_, unit) in zip(motors, columns, strict=True)))
    table = page.table(
        head,
        [(f"{time[row]:.2f}", *(_cell(values[row]) for values, _ in columns)) for row in shown],
        numbers=range(len(head)),
    )
    left = f" The first {len(shown)} of {len(rows)} changes." if len(rows) > len(shown) else ""
    return page.section(
        "Servo table",
        page.paragraph(f"Where each servo was told to be; a dash: let go.{left}"),
        f'<div class="scroll">{table}</div>',
    )


def changes(targets: NDArray[np.float64]) -> list[int]:
    """Rows in which a target is new; of rows that follow each other, in which the boards change
    one after the other, the last."""
    same = (targets[1:] == targets[:-1]) | (np.isnan(targets[1:]) & np.isnan(targets[:-1]))
    new = [0, *(np.flatnonzero(~same.all(axis=1)) + 1).tolist()]
    return [row for row, after in zip(new, [*new[1:], -1], strict=True) if after != row + 1]


def _cell(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.0f}"
