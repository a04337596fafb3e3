"""Control by a system of boards that talk: a host sends modules their angles, by a serial line."""

from functools import partial
from math import radians, sin

import annelid
from annelid.electronics.board import Board
from annelid.electronics.circuit import Circuit
from annelid.electronics.uart import Uart
from annelid.electronics.uart_byte import UartSpec
from annelid.kernel import Program, Receive
from annelid.spec import Spec
from annelid.systems import System

MIDDLE = 90
"""The byte that stands for an angle of zero; a step is a degree."""


class Options(Spec):
    amplitude_deg: float = 40.0
    omega_rad_s: float = 4.0


def host(board: Board, *, options: Options, modules: int) -> Program:
    """Sends the number of a module and its angle, one module after the other."""
    line = board.ports["line"]
    while True:
        time = board.now / 1e9
        for place in range(modules):
            wave = options.amplitude_deg * sin(options.omega_rad_s * time + 1.2 * place)
            line.send(bytes((place, 200, MIDDLE + round(wave))))
        yield board.sleep(0.05)


def module(board: Board, *, place: int) -> Program:
    """Obeys what is sent to its number; 200 is no number and no angle, so it marks the middle."""
    line = board.ports["line"]
    last = [0, 0, 0]
    while True:
        last = [*last[1:], (yield Receive(line.received))]
        if last[0] == place and last[1] == 200:
            board.servos["pitch"].target = radians(last[2] - MIDDLE)


def build(options: Options, circuit: Circuit) -> None:
    modules = circuit.sim.robot.modules
    line = circuit.connect(Uart, "line", UartSpec(topology="bus"))
    told = circuit.add("host", partial(host, options=options, modules=len(modules)))
    told.board.ports["line"] = line.attach("host")
    for place, each in enumerate(modules):
        node = circuit.add(each.name, partial(module, place=place))
        node.board.ports["line"] = line.attach(each.name)


HOSTED = System("hosted", "a host sends every module its angle", Options, build)

if __name__ == "__main__":
    robot, world = {"chain": "RRRRRR"}, {"kind": "open-air"}
    scenario = {"robot": robot, "world": world, "control": {"system": "hosted"}, "duration_s": 4}
    for amplitude in (0, 40):
        options = {"amplitude_deg": amplitude}
        run = annelid.run(scenario, plugins=[__file__], control__options=options)
        print(f"{amplitude:2} degrees: {1000 * run.metrics.distance_m:.0f} mm")
