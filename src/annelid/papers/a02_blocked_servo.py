"""A2: a servo on its way from 100° to 180° is blocked at 135° (000 §4.1.2, Fig 10).

The servo of 001 on a fixed block, a stop at 135°, and a board with the behaviours of a module.  Its
setpoint moves at 9 rad/s, since a step of 80° draws more than 100 mA by itself (FACTS §3).  The
control has no comparator: it shows what a program alone would make of it.

No run of a robot shows this: a module on its boards keeps every target within 5° of its servo, and
so below 100 mA.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import degrees, inf, radians
from typing import Final

from annelid.electronics.board import Board, Firmware
from annelid.electronics.circuit import Circuit
from annelid.kernel import Kernel, Program, seconds, to_seconds
from annelid.papers import Bench, Figure, Outcome, Series
from annelid.papers.a01_servo_step import Rig, on_block
from annelid.robot import ModuleType
from annelid.systems.microtub.behaviours import Stimuli, module_stack, step
from annelid.systems.microtub.protocol.enums import Alarm

FROM, TO, STOP_DEG = radians(100), radians(180), 135.0
SPEED: Final = 9.0
"""Of the setpoint, rad/s."""
TICK_S: Final = 0.015
SPAN_S: Final = 0.4
MOST_MA, REST_MA = 120.0, 10.0
"""What the filtered current may reach, and what is left once the servo is released."""


@dataclass
class Seen:
    """What was measured at every physics step."""

    time_ms: list[float] = field(default_factory=list)
    filtered_ma: list[float] = field(default_factory=list)
    farthest_deg: float = 0.0
    told_ms: float = inf
    """When the board raised its alarm; infinite: never."""

    @property
    def released(self) -> bool:
        """Whether next to no current was left in the last 50 ms."""
        return max(self.filtered_ma[-len(self.filtered_ma) // 8 :]) < REST_MA


def program(kind: ModuleType, seen: Seen) -> Firmware:
    """A module's tick with one order that moves."""

    def firmware(board: Board) -> Program:
        stimuli = Stimuli.of(board, kind, lead=inf)
        stack = module_stack(kind, record=board.log)
        while True:
            now_s = to_seconds(board.now)
            stimuli.orders["servo"] = min(FROM + SPEED * now_s, TO)
            step(stack, stimuli, board.now)
            if Alarm.OVERLOADED in (raised.alarm for raised in stimuli.alarms):
                seen.told_ms = min(seen.told_ms, 1000 * now_s)
            stimuli.alarms.clear()
            yield board.sleep(TICK_S)

    return firmware


def blocked(*, comparator: bool) -> Seen:
    """The movement of Fig 10, looked at in every step of the physics."""
    sim = on_block(FROM, trip=comparator, stop_deg=STOP_DEG)
    kernel, seen = Kernel(), Seen()
    circuit = Circuit(kernel, sim)
    circuit.add("Z1", program(Rig(), seen))  # it knows nothing of the stop
    circuit.start()
    while kernel.now < seconds(SPAN_S):
        kernel.run(kernel.now + sim.step_ns)
        circuit.grid.sync()
        seen.time_ms.append(1000 * to_seconds(sim.now_ns))
        seen.filtered_ma.append(1000 * sim.actuators.filtered_at(0))
        seen.farthest_deg = max(seen.farthest_deg, degrees(sim.actuators.position_at(0)))
    return seen


def experiment(bench: Bench) -> Outcome:
    ours, late = blocked(comparator=True), blocked(comparator=False)
    peak, alone = max(ours.filtered_ma), max(late.filtered_ma)
    return Outcome(
        ours=(
            f"blocked at {ours.farthest_deg:.1f}°, released at a peak of {peak:.1f} mA "
            f"(filtered; without the comparator {alone:.0f} mA), alarm at {ours.told_ms:.0f} ms"
        ),
        passed=peak < MOST_MA < alone and ours.told_ms < inf and ours.released,
        note=(
            f"Setpoint at {SPEED:g} rad/s, ticks of {1000 * TICK_S:.0f} ms; the comparator cuts, "
            "the behaviour keeps the servo released and tells.  Control: without the comparator "
            "the behaviour alone is too late.  A servo on a block, with the nominal numbers of 001."
        ),
        values={
            "peak_filtered_ma": peak,
            "peak_without_comparator_ma": alone,
            "blocked_at_deg": ours.farthest_deg,
            "alarm_ms": ours.told_ms,
        },
        plots=(
            Figure(
                "Current of the blocked servo",
                "time, ms",
                "filtered current, mA",
                (
                    Series.of("with the comparator", ours.time_ms, ours.filtered_ma),
                    Series.of("by the program alone", late.time_ms, late.filtered_ma),
                    Series.of("limit", (0, 1000 * SPAN_S), (MOST_MA,) * 2, style="dashed"),
                ),
            ),
        ),
    )
