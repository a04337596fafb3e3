"""A2: a servo on its way from 100° to 180° is blocked at 135° (000 §4.1.2, Fig 10).

The servo of 001 on a fixed block, a stop at 135°, and a board with the behaviours of a module.  Its
setpoint moves at 9 rad/s, since a step of 80° draws more than 100 mA by itself (FACTS §3).  Each
run has a servo of its own, drawn from the default tolerances (torque, speed, zero, play); the worst
is judged.  The control has no comparator: a program alone has to be too late.

No run of a robot shows this: a module on its boards keeps every target within 5° of its servo, and
so below 100 mA.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from math import degrees, inf, radians
from typing import Final

from annelid.electronics.board import Board, Firmware
from annelid.electronics.circuit import Circuit
from annelid.kernel import Kernel, Program, seconds, to_seconds
from annelid.papers import Bench, Figure, Outcome, Series
from annelid.papers.a01_servo_step import Rig, on_block
from annelid.papers.interval import Rate
from annelid.robot import ModuleType
from annelid.systems.microtub.behaviours import Stimuli, module_stack, step
from annelid.systems.microtub.protocol.enums import Alarm

FROM, TO, STOP_DEG = radians(100), radians(180), 135.0
SPEED: Final = 9.0
"""Of the setpoint, rad/s."""
TICK_S: Final = 0.015
SPAN_S: Final = 0.4
SERVOS: Final = 20
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

    @property
    def peak_ma(self) -> float:
        return max(self.filtered_ma)

    @property
    def in_time(self) -> bool:
        """Whether it was released before it drew too much, and the board told."""
        return self.peak_ma < MOST_MA and self.told_ms < inf and self.released


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


def blocked(seed: int, *, comparator: bool) -> Seen:
    """The movement of Fig 10 with one servo, looked at in every step of the physics."""
    sim = on_block(FROM, trip=comparator, seed=seed, stop_deg=STOP_DEG)
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
    seeds = range(bench.seed, bench.seed + (6 if bench.quick else SERVOS))
    ours, late = (
        bench.map(partial(blocked, comparator=comparator), seeds, what="A2")
        for comparator in (True, False)
    )
    return outcome(ours, late)


def outcome(ours: Sequence[Seen], late: Sequence[Seen]) -> Outcome:
    """``late``: the same servos without the comparator."""
    in_time = Rate.count(seen.in_time for seen in ours)
    alone = Rate.count(seen.in_time for seen in late)
    worst, least = max(ours, key=_peak), min(late, key=_peak)
    told_ms = max(seen.told_ms for seen in ours)
    return Outcome(
        ours=(
            f"{in_time} servos released in time; worst peak {worst.peak_ma:.1f} mA (filtered), "
            f"alarm after {told_ms:.0f} ms at the latest; without the comparator {alone}, "
            f"peaks from {least.peak_ma:.0f} to {max(map(_peak, late)):.0f} mA"
        ),
        passed=in_time.good == in_time.of and in_time.above(alone),
        note=(
            f"Setpoint at {SPEED:g} rad/s, ticks of {1000 * TICK_S:.0f} ms; the comparator cuts, "
            "the behaviour keeps the servo released and tells.  Servos on a block, drawn from the "
            "default tolerances; a pass needs every one.  The comparator's own error is not drawn: "
            "it has no tolerance.  Control: the same servos without the comparator, by the program "
            "alone; the 95 % intervals must not meet.  Shown: the worst peak and the least of the "
            "control"
        ),
        values={
            "released_in_time_rate": in_time.value,
            "released_in_time_low": in_time.low,
            "released_in_time_without_comparator_rate": alone.value,
            "peak_filtered_ma_worst": worst.peak_ma,
            "peak_filtered_ma_least": min(seen.peak_ma for seen in ours),
            "peak_without_comparator_ma_least": least.peak_ma,
            "blocked_at_deg_most": max(seen.farthest_deg for seen in ours),
            "alarm_ms_latest": told_ms,
        },
        plots=(
            Figure(
                "Current of the blocked servo",
                "time, ms",
                "filtered current, mA",
                (
                    Series.of("with the comparator", worst.time_ms, worst.filtered_ma),
                    Series.of("by the program alone", least.time_ms, least.filtered_ma),
                    Series.of("limit", (0, 1000 * SPAN_S), (MOST_MA,) * 2, style="dashed"),
                ),
            ),
        ),
    )


def _peak(seen: Seen) -> float:
    return seen.peak_ma
