"""Builds the climber's boards: a planner on the trunk, a program on each leg, the servo bus."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import ceil, radians
from typing import Final

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.behaviour import BehaviourTable
from annelid.electronics.circuit import Circuit
from annelid.electronics.hand import SimHand
from annelid.electronics.node import Node
from annelid.electronics.port import TERMINAL, Terminal
from annelid.electronics.uart import Uart
from annelid.errors import InputError
from annelid.modules.leg import TIP
from annelid.physics.rays import Rays
from annelid.systems.climber.executive.pose import BodyPose
from annelid.systems.climber.leg_board import BUS, GUARD_S, LegSetup, leg
from annelid.systems.climber.model import Climber, read_robot
from annelid.systems.climber.planner.mind import PLANNER_LAYER
from annelid.systems.climber.planner.orders import Orders, WalkingStyle
from annelid.systems.climber.planner.program import HAND, Planner
from annelid.systems.climber.refusals import (
    refuse_a_fall,
    refuse_another_surface,
    refuse_out_of_reach,
    refuse_unreachable,
)
from annelid.systems.climber.sayings import places_of
from annelid.systems.climber.spec import ClimberSpec
from annelid.systems.climber.wire import Format

Floats = NDArray[np.float64]

BEHAVIOURS: Final = BehaviourTable((PLANNER_LAYER,))
"""The legs' boards have none: they obey."""
TICK_MIN_S: Final = 0.020
SIGHT: Final = 10.0
"""How far a surface is looked for at the start, m."""
HOLDS: Final = 0.5
"""Share of a vacuum with which a leg that starts keeps its impeller running."""


@dataclass(frozen=True)
class ClimberNetwork:
    """What was built."""

    climber: Climber
    planner: Planner
    head: Node
    legs: tuple[Node, ...]
    bus: Uart
    tick_s: float


def build(
    spec: ClimberSpec, circuit: Circuit, *, behaviours: BehaviourTable = BEHAVIOURS
) -> ClimberNetwork:
    refuse_another_surface(spec.surface, circuit.sim.world)
    climber = read_robot(circuit.sim.robot, stance_mm=spec.stance_mm)
    start = BodyPose(np.zeros(3), _matrix(circuit.sim.placement(climber.hub).turn))
    refuse_a_fall(climber, start.into(np.array([0.0, 0.0, -circuit.sim.world.gravity])))
    refuse_out_of_reach(climber, *_start(circuit, climber))
    places = [*spec.way, *(place for each in spec.operator for place in each.way)]
    refuse_unreachable(climber, [place.pose() for place in places], spec.danger_limit)
    form = Format(climber.count, len(climber.joints))
    bus = circuit.connect(Uart, BUS, spec.uart())
    byte_s = bus.spec.bytes_ns(1) * 1e-9
    grid_s = circuit.sim.step_ns * 1e-9
    turn_s = _whole(byte_s * form.report_size + GUARD_S, grid_s)
    needed = byte_s * form.command_size + turn_s * (form.legs + 1) + 2 * grid_s
    tick_s = max(TICK_MIN_S, _whole(needed, 0.005)) if spec.tick_ms is None else spec.tick_ms / 1000
    if tick_s < needed:
        raise InputError(
            f"climber: tick_ms = {spec.tick_ms:g}: {form.legs} legs need {needed * 1000:.1f} ms on "
            f"a bus of {spec.baud} baud"
        )
    orders = Orders(
        [place.pose() for place in spec.way],
        spec.pace(),
        spec.rule(),
        radians(spec.zero_deg),
        radians(spec.sway_deg),
        spec.surface == "curved",
        WalkingStyle(spec.gait),
        [(each.at_s, each.said()) for each in spec.operator],
    )
    planner = Planner(climber, orders, form, tick_s)
    head = circuit.add(climber.hub, partial(planner, behaviours=behaviours[PLANNER_LAYER.name]))
    head.board.ports[BUS] = bus.attach(climber.hub)
    head.board.ports[HAND] = hand = SimHand(circuit.grid, climber.hub)
    if not circuit.sim.cups.touching().all():
        hand.bear(1.0)
    head.board.ports[TERMINAL] = Terminal(
        lambda line: refuse_unreachable(climber, places_of(line), spec.danger_limit)
    )
    legs = []
    for index, name in enumerate(climber.names):
        setup = LegSetup(
            index=index,
            format=form,
            joints=climber.joints,
            byte_s=byte_s,
            hold_above=HOLDS * climber.full_pressure,
            turn_s=turn_s,
        )
        node = circuit.add(name, partial(leg, setup=setup))
        node.board.ports[BUS] = bus.attach(name)
        legs.append(node)
    return ClimberNetwork(climber, planner, head, tuple(legs), bus, tick_s)


def _start(circuit: Circuit, climber: Climber) -> tuple[Floats, Floats]:
    """(feet in the body, how far the surface is below the body at each) as it is put down."""
    sim = circuit.sim
    place = sim.placement(climber.hub)
    body = BodyPose(place.at, _matrix(place.turn))
    feet = body.into(np.array([sim.data.body(f"{name}/tip").xpos for name in climber.names]))
    rays = Rays(sim.plan, sim.data, sim.wall)
    over = body.out(feet * (1.0, 1.0, 0.0))
    below = np.array([rays.distance(at, -body.turn[:, 2].copy(), SIGHT) for at in over])
    return feet, np.where(below < SIGHT, below - TIP, np.inf)


def _matrix(quaternion: Floats) -> Floats:
    matrix = np.empty(9)
    mujoco.mju_quat2Mat(matrix, quaternion)
    return matrix.reshape(3, 3)


def _whole(value: float, step: float) -> float:
    return ceil(value / step - 1e-9) * step
