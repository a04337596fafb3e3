"""A chain in an elbow without boards: the nose, the dialogue and the push, straight on the physics.

What the boards do over bus and wires (``systems.microtub``) is done here in one loop, because the
experiments of 001 have no boards and hundreds of runs: the same :class:`Nose`, the same
:class:`TurnInPipe` in every module, wires that need one tick.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, inf, radians, sin
from typing import Final

import numpy as np

from annelid.motion.elbow import LOOK_S, Nose, NoseFinding
from annelid.motion.turn_in_pipe import TurnInPipe
from annelid.papers.drive import along
from annelid.physics.simulation import Simulation
from annelid.robot.module import Action

TICK_S: Final = LOOK_S / 3
LEAD: Final = radians(5)
"""Of a target over its servo in a pipe (FACTS §3)."""
RAYS: Final = ("left", "up", "right", "down")


class ElbowRun:
    """One robot in one pipe."""

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        self._steps = max(1, round(TICK_S * 1e9) // sim.step_ns)
        self._time_s = 0.0
        self._ticks = 0
        self._nose = Nose()
        head = sim.robot.modules[0].name
        self._touch = f"{head}.nose"
        self._rays = [f"{head}.infrared_{side}" for side in RAYS]
        place = sim.actuators.place
        self._joints = {
            k: (place(f"{module.name}.yaw"), place(f"{module.name}.pitch"))
            for k, module in enumerate(sim.robot.modules)
            if Action.TURN in module.type.actions()
        }
        self._servos = [servo for pair in self._joints.values() for servo in pair]
        self._push = [
            place(f"{module.name}.{mount}")
            for module in sim.robot.modules
            for mount in module.type.actions().get(Action.PUSH, {})
        ]
        self._turns: Sequence[TurnInPipe] = ()
        self._towards = 0.0

    def round_the_bend(self, end: float, *, limit_s: float, stuck_s: float) -> float:
        """When the front of the last module comes to ``end`` (m along the pipe), s; infinite: it
        does not before ``limit_s``, or has not got on by a millimetre for ``stuck_s``."""
        tail = self.sim.robot.modules[-1].name
        best, best_s = -np.inf, 0.0
        while self._time_s < limit_s:
            self._tick()
            here = along(self.sim, tail)
            if here >= end:
                return self._time_s
            if here > best + 0.001:
                best, best_s = here, self._time_s
            elif self._time_s - best_s > stuck_s:
                return inf
        return inf

    def _tick(self) -> None:
        sim, actuators = self.sim, self.sim.actuators
        if self._ticks % 3 == 0:
            self._feel()
        angles = actuators.position()
        wanted = np.zeros(len(actuators))
        self._talk(angles, wanted)
        servos = self._servos
        wanted[servos] = np.clip(wanted[servos], angles[servos] - LEAD, angles[servos] + LEAD)
        wanted[self._push] = 1.0
        actuators.write(wanted)
        sim.advance(self._steps)
        self._ticks += 1
        self._time_s += TICK_S

    def _feel(self) -> None:
        """A touch begins the dialogue, once the one before is over."""
        read = self.sim.sensors.read_one
        felt = self._nose.look(read(self._touch), [read(ray) for ray in self._rays])
        if any(turn.finished for turn in self._turns):
            self._turns = ()
        if (
            felt is None
            or felt.what is not NoseFinding.TOUCH
            or felt.towards is None
            or self._turns
        ):
            return
        self._towards = felt.towards
        self._turns = [
            TurnInPipe(jointed=k in self._joints, first=k == 0)
            for k in range(len(self.sim.robot.modules))
        ]

    def _talk(self, angles: np.ndarray, wanted: np.ndarray) -> None:
        turns = self._turns
        ahead = [False, *(turn.ahead for turn in turns[:-1])]
        back = [*(turn.back for turn in turns[1:]), False]
        left, up = cos(self._towards), sin(self._towards)
        for k, turn in enumerate(turns):
            yaw, pitch = self._joints.get(k, (0, 0))
            bent = angles[yaw] * left + angles[pitch] * up if k in self._joints else 0.0
            turn.look(self._time_s, bent, ahead[k], back[k])
            if k in self._joints:
                wanted[yaw], wanted[pitch] = turn.target * left, turn.target * up
