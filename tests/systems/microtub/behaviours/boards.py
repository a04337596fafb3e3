"""Real boards (circuit and physics) that run a module's behaviours and can be told what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

from tests.electronics.circuits import Rig, rig
from tests.rigs import WEIGHTLESS

from annelid.behaviour import BehaviourStack
from annelid.electronics.board import Board, Firmware
from annelid.kernel import Program, to_seconds
from annelid.kernel.trace import Event
from annelid.robot import Robot
from annelid.robot.module import ModuleType
from annelid.systems.microtub.behaviours import Raised, Stimuli, module_stack, step
from annelid.systems.microtub.behaviours.fusion import PAPERS_LIMIT

TICK_S = 0.015


@dataclass
class Module:
    """What a test may look at and change while the board runs."""

    stimuli: Stimuli
    stack: BehaviourStack[Stimuli]
    alarms: list[tuple[float, Raised]] = field(default_factory=list)
    lowest: dict[str, float] = field(default_factory=dict)
    highest: dict[str, float] = field(default_factory=dict)
    """Of all targets that reached a servo."""

    def kinds(self) -> list[Any]:
        return [raised.alarm for _, raised in self.alarms]


@dataclass
class Chain:
    rig: Rig
    modules: dict[str, Module] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Module:
        return self.modules[name]

    def run(self, until_s: float) -> None:
        self.rig.run(until_s)

    def trace(self) -> list[Event]:
        return [
            Event(time_ns, source, kind, dict(detail), sequence)
            for sequence, (time_ns, source, kind, detail) in enumerate(self.rig.events)
        ]


def firmware(
    chain: Chain, name: str, kind: ModuleType, position: int, *, lead: float, trip: bool
) -> Firmware:
    def program(board: Board) -> Program:
        stimuli = Stimuli.of(board, kind, lead=lead)
        stimuli.position = position
        stack = module_stack(kind, record=board.log, overload=PAPERS_LIMIT if trip else None)
        module = chain.modules[name] = Module(stimuli, stack)
        while True:
            now_s = stimuli.gait_s = to_seconds(board.now)
            step(stack, stimuli, board.now)
            module.alarms += [(now_s, raised) for raised in stimuli.alarms]
            stimuli.alarms.clear()
            for servo, device in board.servos.items():
                target = device.target
                module.lowest[servo] = min(target, module.lowest.get(servo, inf))
                module.highest[servo] = max(target, module.highest.get(servo, -inf))
            yield board.sleep(TICK_S)

    return program


def boards(
    who: Robot | str,
    world: Mapping[str, Any] = WEIGHTLESS,
    *,
    lead: float = inf,
    trip: bool = True,
    comparator: bool = False,
    **options: Any,
) -> Chain:
    """A chain whose boards have made their first tick.

    ``trip``: the behaviour looks at currents; ``comparator``: the servos' own does.
    """
    chain = Chain(rig(who, world, trip=comparator, **options))
    for position, module in enumerate(chain.rig.sim.robot.modules):
        program = firmware(chain, module.name, module.type, position, lead=lead, trip=trip)
        chain.rig.add(module.name, program, crash="raise")
    chain.rig.circuit.start()
    chain.run(0.001)
    return chain
