"""B5: the temperature of a servo of the rotation module, A to E (000 §4.1.1, Fig 9).

A to B it takes part in a snake's wave, B to C the robot rests, from C on it is commanded to move
and is blocked (a jammed gear), at D its behaviour stops it at 50 °C and it cools, at E it goes on
and heats again.  The current trip is off, as it must be for this figure: at 100 mA a winding never
gets beyond 39 °C (FACTS §3).  Judged are the turns of the curve, the stop, and the estimate of eq 6
against the winding temperature that the physics computes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import inf, radians
from typing import Final

from annelid.electronics.board import Board, Firmware
from annelid.electronics.circuit import Circuit
from annelid.kernel import Kernel, Program, seconds, to_seconds
from annelid.modules.rotation import Rotation
from annelid.motion.snake import SNAKE
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.drive import open_air, simulation
from annelid.physics.damage import stick
from annelid.robot.module import ModuleType
from annelid.systems.microtub.behaviours import STANDING, Stimuli, Walk, module_stack, step
from annelid.systems.microtub.behaviours.survival import COOLER_C, windings

CHAIN: Final = "RRRR"
SERVO: Final = "R2.pitch"
TICK_S: Final = 0.015
B_S, C_S, END_S = 20.0, 26.0, 72.0
PUSH: Final = radians(60)
"""Where the blocked servo is to go."""
STOP_C: Final = windings(Rotation())["pitch"].hottest_c
ESTIMATE_MAX: Final = 2.0
"""Difference of the estimate allowed, °C."""


@dataclass
class Curve:
    """At 10 Hz."""

    time: list[float] = field(default_factory=list)
    estimate: list[float] = field(default_factory=list)
    winding: list[float] = field(default_factory=list)
    released: list[bool] = field(default_factory=list)

    def between(self, start: float, end: float) -> list[float]:
        both = zip(self.time, self.winding, strict=True)
        return [heat for time, heat in both if start <= time < end]


def program(kind: ModuleType, position: int, watched: list[Stimuli]) -> Firmware:
    def firmware(board: Board) -> Program:
        stimuli = Stimuli.of(board, kind, lead=inf)
        stimuli.position = position
        stack = module_stack(kind, record=board.log, trip=False)
        if SERVO.startswith(board.name):
            watched.append(stimuli)
        while True:
            stimuli.gait_s = to_seconds(board.now)
            walking = stimuli.gait_s < B_S
            stimuli.walk = Walk.snake(SNAKE["forward"]) if walking else STANDING
            pitch = PUSH if stimuli.gait_s >= C_S and watched[:1] == [stimuli] else 0.0
            stimuli.orders = {} if walking else {"yaw": 0.0, "pitch": pitch}
            step(stack, stimuli, board.now)
            yield board.sleep(TICK_S)

    return firmware


def heated(seed: int) -> Curve:
    sim = simulation(CHAIN, open_air(), seed=seed)
    kernel, curve = Kernel(), Curve()
    circuit = Circuit(kernel, sim)
    watched: list[Stimuli] = []
    for position, module in enumerate(sim.robot.modules):
        circuit.add(module.name, program(module.type, position, watched))
    circuit.start()
    place = sim.actuators.place(SERVO)
    while kernel.now < seconds(END_S):
        kernel.run(kernel.now + seconds(0.1))
        circuit.grid.sync()
        if kernel.now == seconds(C_S):
            stick(sim, SERVO)
        servo = watched[0].servos["pitch"]
        curve.time.append(to_seconds(kernel.now))
        curve.estimate.append(servo.temperature)
        curve.winding.append(sim.actuators.temperature_at(place))
        curve.released.append(servo.target != servo.target)
    return curve


def experiment(bench: Bench) -> Outcome:
    curve = heated(bench.seed)
    changes = [
        (time, now)
        for (was, now), time in zip(pairwise(curve.released), curve.time[1:], strict=True)
        if was != now and time > C_S
    ]
    stopped = next((time for time, now in changes if now), inf)
    resumed = next((time for time, now in changes if not now and time > stopped), inf)
    peak = max(curve.winding)
    apart = max(abs(a - b) for a, b in zip(curve.estimate, curve.winding, strict=True))
    a_to_b = curve.between(0.0, B_S)
    b_to_c, c_to_d = curve.between(B_S, C_S), curve.between(C_S, stopped)
    d_to_e, e_on = curve.between(stopped, resumed), curve.between(resumed, resumed + 2.0)
    rises = all(part and part[-1] > part[0] for part in (a_to_b, c_to_d, e_on))
    falls = all(part and part[-1] < part[0] for part in (b_to_c, d_to_e))
    return Outcome(
        ours=(
            f"A {a_to_b[0]:.1f}, B {b_to_c[0]:.1f}, C {b_to_c[-1]:.1f} °C; stopped at "
            f"{c_to_d[-1]:.1f} °C {stopped - C_S:.1f} s after C, resumed {resumed - stopped:.0f} s "
            f"later; peak {peak:.1f} °C"
        ),
        passed=rises and falls and peak < STOP_C + 1.0 and apart <= ESTIMATE_MAX,
        note=(
            f"Current trip off. The estimate of eq 6 stays within {apart:.2f} °C of the winding. "
            f"Goes on {COOLER_C:.0f} °C below (ours; the paper gives no value), and heats again."
        ),
        values={
            "peak_c": peak,
            "estimate_apart_c": apart,
            "working_c": b_to_c[0],
            "stopped_after_s": stopped - C_S,
            "cooled_for_s": resumed - stopped,
        },
        plots=(
            Figure(
                "Temperature of a servo: wave, pause, blocked, stopped, again",
                "time, s",
                "temperature, °C",
                (
                    Series.of("estimate of eq 6", curve.time, curve.estimate),
                    Series.of("winding", curve.time, curve.winding, style="dashed"),
                ),
            ),
        ),
    )
