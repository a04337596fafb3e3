"""The planner's program: one turn per tick on the trunk's board."""

from __future__ import annotations

from typing import Final, Protocol

from annelid.behaviour import BehaviourLayer
from annelid.electronics.board import Board
from annelid.electronics.port import SAYS, TERMINAL, BytePort, Terminal
from annelid.kernel import Program, to_seconds
from annelid.systems.climber.leg_board import BUS
from annelid.systems.climber.model import Climber
from annelid.systems.climber.planner.mind import PlannerMind
from annelid.systems.climber.planner.orders import Orders
from annelid.systems.climber.sayings import parse_saying
from annelid.systems.climber.wire import Format

HAND: Final = "hand"
"""The port at which the planner tells the person who holds the robot to let go."""


class Holder(Protocol):
    """Whoever holds the robot at the start."""

    @property
    def share(self) -> float:
        """Of the weight that it bears, 0 to 1."""

    def bear(self, share: float) -> None: ...


class Planner:
    """What is flashed into the trunk; a reset begins with a new mind."""

    def __init__(self, climber: Climber, orders: Orders, form: Format, tick_s: float) -> None:
        self._climber = climber
        self._orders = orders
        self._form = form
        self._tick = tick_s
        self.mind: PlannerMind | None = None
        """Of the program that runs; None before the first boot."""

    def __call__(self, board: Board, *, behaviours: BehaviourLayer) -> Program:
        self.mind = PlannerMind(self._climber, self._orders, self._tick, board.log, behaviours)
        return self._run(board, self.mind)

    def _run(self, board: Board, mind: PlannerMind) -> Program:
        """Answers that came since the last turn, thought, the next command."""
        port: BytePort = board.ports[BUS]
        terminal: Terminal | None = board.ports.get(TERMINAL)
        hand: Holder | None = board.ports.get(HAND)
        axes = [board.sensors[f"accelerometer.{axis}"] for axis in "xyz"]
        form, sequence = self._form, 0
        while True:
            time_s = to_seconds(board.now)
            mind.hear(form.reports(bytes(port.received.drain())), time_s)
            if all(axis.valid for axis in axes):
                mind.feel(*(axis.read() for axis in axes))
            if terminal is not None and mind.now is not None:
                for line in terminal.typed.drain():
                    board.log(SAYS, {"line": line})
                    mind.obey(parse_saying(line))
            angles, flags = mind.think(time_s, board.now)
            port.send(form.command(sequence, angles, flags))
            if hand is not None and mind.held < hand.share:
                hand.bear(mind.held)
            sequence += 1
            yield board.sleep(self._tick)
