"""A2: a servo on its way from 100° to 180° is blocked at 135° (000 §4.1.2, Fig 10).

The servo of 001 on a fixed block, a stop at 135°, and a board with the behaviours of a module.  Its
setpoint moves at 9 rad/s, since a step of 80° draws more than 100 mA by itself (FACTS §3).  The
same is done once without the comparator, to see what a program alone would make of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import degrees, inf, radians
from typing import Final

import mujoco

from annelid.electronics.board import Board, Firmware
from annelid.electronics.circuit import Circuit
from annelid.kernel import Kernel, Program, seconds, to_seconds
from annelid.papers.a01_servo_step import Rig
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.physics.settings import Physics
from annelid.physics.simulation import Simulation
from annelid.robot import ModuleType, assemble, chain
from annelid.robot.body import UP, Body, Joint
from annelid.systems.microtub.behaviours import Stimuli, module_stack, step
from annelid.systems.microtub.protocol.enums import Alarm
from annelid.worlds.open_air import OpenAir

FROM, TO, STOP = radians(100), radians(180), radians(135)
SPEED: Final = 9.0
"""Of the setpoint, rad/s."""
TICK_S: Final = 0.015
SPAN_S: Final = 0.4
MOST_MA: Final = 120.0


class BlockedRig(Rig):
    """The rig of A1 with something in the way of its horn."""

    def body(self) -> Body:
        body = super().body()
        block, horn = body.parts
        joint = Joint(name="shaft", kind="hinge", axis=UP, range=(0.0, STOP))
        return body.model_copy(update={"parts": (block, horn.model_copy(update={"joint": joint}))})


@dataclass
class Seen:
    """What was measured at every physics step."""

    time: list[float] = field(default_factory=list)
    angle: list[float] = field(default_factory=list)
    filtered: list[float] = field(default_factory=list)
    released_s: float = inf
    """When the program had let the servo go."""
    alarms: list[tuple[float, Alarm]] = field(default_factory=list)


def program(kind: ModuleType, seen: Seen) -> Firmware:
    """A module's tick with one order that moves."""

    def firmware(board: Board) -> Program:
        stimuli = Stimuli.of(board, kind, lead=inf)
        stack = module_stack(kind, record=board.log)
        while True:
            now_s = to_seconds(board.now)
            stimuli.orders["servo"] = min(FROM + SPEED * now_s, TO)
            step(stack, stimuli, board.now)
            seen.alarms += [(now_s, raised.alarm) for raised in stimuli.alarms]
            stimuli.alarms.clear()
            if stack.decision("servo").blank:
                seen.released_s = min(seen.released_s, now_s)
            yield board.sleep(TICK_S)

    return firmware


def blocked(*, comparator: bool) -> Seen:
    """The movement of Fig 10, looked at in every step of the physics."""
    robot = assemble(chain("Z"), {"Z": BlockedRig})
    sim = Simulation(robot, OpenAir(gravity=0.0), Physics(trip=comparator))
    sim.data.joint("Z1/shaft").qpos[0] = FROM
    mujoco.mj_forward(sim.model, sim.data)
    kernel, seen = Kernel(), Seen()
    circuit = Circuit(kernel, sim)
    circuit.add("Z1", program(Rig(), seen))  # it knows nothing of the stop
    circuit.start()
    while kernel.now < seconds(SPAN_S):
        kernel.run(kernel.now + sim.step_ns)
        circuit.grid.sync()
        seen.time.append(to_seconds(sim.now_ns))
        seen.angle.append(sim.actuators.position_at(0))
        seen.filtered.append(1000 * sim.actuators.filtered_at(0))
    return seen


def experiment(bench: Bench) -> Outcome:
    ours, late = blocked(comparator=True), blocked(comparator=False)
    peak, alone = max(ours.filtered), max(late.filtered)
    reached = degrees(max(ours.angle))
    told = [time for time, alarm in ours.alarms if alarm is Alarm.OVERLOADED]
    after = [ma for time, ma in zip(ours.time, ours.filtered, strict=True) if time > SPAN_S - 0.05]
    return Outcome(
        ours=(
            f"blocked at {reached:.1f}°, released at a peak of {peak:.1f} mA (filtered), alarm "
            + (f"at {1000 * told[0]:.0f} ms" if told else "never raised")
        ),
        passed=peak < MOST_MA and bool(told) and ours.released_s < inf and max(after) < 10.0,
        note=(
            f"Setpoint at {SPEED:g} rad/s, ticks of {1000 * TICK_S:.0f} ms; the comparator cuts, "
            f"the behaviour keeps the servo released and tells. Without the comparator the "
            f"behaviour alone lets the peak reach {alone:.0f} mA."
        ),
        values={
            "peak_filtered_ma": peak,
            "peak_without_comparator_ma": alone,
            "blocked_at_deg": reached,
            "alarm_ms": 1000 * told[0] if told else inf,
            "left_ma": max(after),
        },
        plots=(
            Figure(
                "Current of the blocked servo",
                "time, ms",
                "filtered current, mA",
                (
                    _series("with the comparator", ours, ours.filtered),
                    _series("by the program alone", late, late.filtered),
                    Series.of("limit", (0, 1000 * SPAN_S), (MOST_MA,) * 2, style="dashed"),
                ),
            ),
            Figure(
                "Angle of the blocked servo",
                "time, ms",
                "angle, °",
                (_series("angle", ours, [degrees(angle) for angle in ours.angle]),),
            ),
        ),
    )


def _series(label: str, seen: Seen, y: list[float]) -> Series:
    return Series.of(label, [1000 * time for time in seen.time], y)
