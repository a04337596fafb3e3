"""Does every movement that the rules grant to a chain move it as it says?

``granted`` lists what the rules give a robot in a situation, each as the movement that the central
control would command; ``scenario`` is a run in which the modules are told just that; ``Watched``
measures what came of it, with the sign it should have: ahead, back, to the left, turned to the
left.  ``drawn`` makes chains that nobody tuned anything for.

A movement keeps its word if it is as fast as its grade says (``LEAST_M_S``), or turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2, cos, degrees, pi, sin
from typing import Any, Final

import numpy as np

from annelid.kernel import seconds
from annelid.motion.snake import turning_bend
from annelid.physics.simulation import Simulation
from annelid.robot import Robot
from annelid.systems.microtub.central.catalogue import KnownType
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.central.movements import Movement, movement
from annelid.systems.microtub.inference import Engine, Fact, RobotSituation
from annelid.systems.microtub.protocol import WorkingMode

MOVES: Final = ("forward", "backward", "turn", "lateral", "rotate")
"""Abilities that change where the robot is; a turn in a pipe needs an elbow and is not tried."""
START_S: Final = 1.6
"""By then the central control knows its robot."""
SETTLED_S: Final = 1.0
"""After which a movement has begun."""
WALK_S: Final = 8.0
EVERY_S: Final = 0.1
LEAST_M_S: Final = {1: 0.002, 2: 0.004, 3: 0.008}
"""By grade, of what goes somewhere."""
LEAST_DEG_S: Final = {1: 0.5, 2: 1.0, 3: 2.0}
"""By grade, of what turns."""
TURNING: Final = ("turn", "rotate")

CORES: Final = ("RRR", "RRRR", "RRRRR", "RRRRRR", "SES", "SEES", "RRSESRR", "H", "RHH", "EEE", "")
CARGO: Final = "TVPNBGSEHR"
MOST_CARGO: Final = 3
"""At either end."""

Fields = dict[str, Any]


@dataclass(frozen=True)
class GrantedWay:
    """A way that the rules have found, and how it is commanded."""

    ability: str
    fact: Fact
    movement: Movement

    @property
    def name(self) -> str:
        return self.ability if self.fact.rule is None else self.fact.rule.name

    def keeps_its_word(self, rate: float) -> bool:
        """``rate``: m/s or degrees a second, as :meth:`Watched.rate` has it."""
        least = LEAST_DEG_S if self.ability in TURNING else LEAST_M_S
        return rate >= least[self.fact.grade]


def granted(robot: Robot, mode: WorkingMode, engine: Engine | None = None) -> Iterator[GrantedWay]:
    """All that is granted to a healthy robot there; module k of it has address k."""
    parts = tuple(
        KnownModule(
            address,
            placed.type.wire_id,
            placed.type.capabilities.digits,
            kind=KnownType(placed.type),
        )
        for address, placed in enumerate(robot.modules, 1)
    )
    in_pipe = mode is WorkingMode.PIPE
    known = (engine or Engine()).infer(parts, RobotSituation(mode))
    for ability in MOVES:
        for fact in known.ways(ability):
            if fact.rule is None or fact.rule.gait is None or (ability == "turn" and in_pipe):
                continue
            straight = ability in ("forward", "backward")
            helped = straight and fact.rule.gait.commands[0] in ("MO1", "MOS", "MWO")
            pushing = "Push_pipe" if in_pipe else "Push_flat"
            bend = round(degrees(turning_bend(len(fact.modules)))) if ability == "turn" else None
            told = movement(
                fact,
                parts,
                helpers=[part for part in parts if helped and part.can(pushing)],
                bend_deg=bend,
                in_pipe=in_pipe,
            )
            yield GrantedWay(ability, fact, told)


def scenario(letters: str, robot: Robot, way: GrantedWay, world: Fields, *, seed: int) -> Fields:
    """The robot in the world, told nothing but this movement."""
    orders: list[Fields] = []
    for number, order in enumerate(way.movement.orders):
        say = " ".join(map(str, (order.command.name, *map(int, order.values))))
        to = robot.modules[order.to - 1].name if order.to else ""
        orders.append({"at_s": START_S + 0.02 * number, "say": say, "to": to})
    place = "open-air" if world["kind"] == "open-air" else "pipe"
    addresses = list(range(1, len(robot.modules) + 1))
    return {
        "name": f"granted-{seed}",
        "seed": seed,
        "duration_s": START_S + SETTLED_S + WALK_S,
        "robot": {"chain": letters},
        "world": world,
        "physics": {"timestep_ms": 1.0},
        "tolerances": {"draw": True},
        "control": {
            "system": "microtub",
            "options": {"environment": place, "orders": orders, "addresses": addresses},
        },
    }


class Watched:
    """Looks at a simulation every ``EVERY_S``; :meth:`rate` says how fast it went."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self._seen: list[tuple[int, float, float, float]] = []

    def look(self) -> None:
        """Where the centre is, and where the chain points."""
        places = self._sim.poses()[:, :3]
        fore = np.linspace(1, -1, len(places))[:, None]
        ahead = (fore * (places - places.mean(0))).sum(0)
        x, y, _ = self._sim.centre()
        self._seen.append((self._sim.now_ns, float(x), float(y), atan2(ahead[1], ahead[0])))

    def rate(self, ability: str) -> float:
        """m/s, or degrees a second, in the sense of the ability; a single module points ahead."""
        begin = seconds(START_S + SETTLED_S)
        rows = [row for row in self._seen if row[0] >= begin]
        heading = np.unwrap([row[3] for row in rows]) if len(self._sim.robot.modules) > 1 else [0.0]
        (since, x, y, _), (until, to_x, to_y, _) = rows[0], rows[-1]
        passed = (until - since) / 1e9
        if ability in TURNING:
            return float(degrees(heading[-1] - heading[0]) / passed)
        towards = heading[0] + {"forward": 0.0, "backward": pi, "lateral": pi / 2}[ability]
        return float(((to_x - x) * cos(towards) + (to_y - y) * sin(towards)) / passed)


def drawn(seed: int, joint: str = "R") -> str:
    """Letters of a chain that nobody tuned anything for; ``joint`` stands for every R."""
    draw = np.random.default_rng([2026, seed])

    def some() -> str:
        return "".join(draw.choice(list(CARGO), int(draw.integers(0, MOST_CARGO + 1))))

    return (some() + str(draw.choice(CORES)) + some()).replace("R", joint) or "H"


def drawn_world(seed: int, mode: WorkingMode) -> Fields:
    """Open ground, or a straight level pipe of 38.5 to 46 mm."""
    if mode is not WorkingMode.PIPE:
        return {"kind": "open-air"}
    bore = float(np.random.default_rng([2027, seed]).uniform(38.5, 46))
    parts = [{"part": "straight", "length_mm": 3000}]
    return {"kind": "pipe", "bore_mm": bore, "launch_spare_mm": 1500, "parts": parts}
