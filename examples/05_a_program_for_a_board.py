"""Control by a program on a board, as it could run on the real module.

The program sees its board and nothing else: servos, sensors, its clock.  Every module of this robot
has the same program: it bends to one side until it has arrived, then to the other.
"""

from math import radians

import annelid
from annelid.electronics.board import Board
from annelid.electronics.circuit import Circuit
from annelid.kernel import Program
from annelid.spec import Spec
from annelid.systems import System


class Options(Spec):
    """What a scenario may say in [control.options]."""

    reach_deg: float = 30.0


def build(options: Options, circuit: Circuit) -> None:
    """A board with the program on every module."""

    def program(board: Board) -> Program:
        servo, side, turns = board.servos["yaw"], 1.0, 0
        while True:
            servo.target = side * radians(options.reach_deg)
            if side * servo.angle > 0.9 * radians(options.reach_deg):
                side, turns = -side, turns + 1
                board.log("turned", {"times": turns, "current_a": servo.current})
            yield board.sleep(0.02)

    for module in circuit.sim.robot.modules:
        circuit.add(module.name, program)


SWING = System("swing", "every module bends to and fro by itself", Options, build)

if __name__ == "__main__":
    scenario = {
        "robot": {"chain": "RR"},
        "world": {"kind": "open-air"},
        "control": {"system": "swing"},
        "duration_s": 3,
    }
    run = annelid.run(scenario, plugins=[__file__])
    for name in ("R1", "R2"):
        times = [event.time_ns / 1e9 for event in run.events("turned") if event.source == name]
        print(f"{name} turned {len(times)} times, first after {times[0]:.2f} s")
