"""Decides which environment the robot is in, from its modules' reports: the working mode (000 §4).

The nose comes out of a pipe long before the tail does, and looks into side openings: what it sees
becomes the mode of all only after the robot has gone its own length with it, except for the first
time, when nothing is known and the robot stands.

A pipe too wide to reach both walls is a pipe for a robot that is in one: it leaves two ways, and a
wave goes along its floor, but wheels and supports hold nowhere.  Who comes to it from the open
treats it as open air (000 §4, note 7): walls on three sides may be anything.  A nose that leans in
a bend takes a narrow pipe for a wide one, and a way that is guessed runs on while the robot
struggles there: so a pipe is taken for wide only by a robot that lies straight in it.  One narrow
look ends that, for no nose takes a pipe for narrower than it is.  On the way back nothing is new.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.protocol import WorkingMode
from annelid.systems.microtub.spec import Environment

MODE_OF: Final[Mapping[Situation, WorkingMode]] = MappingProxyType(
    {
        Situation.NARROW_PIPE: WorkingMode.PIPE,
        Situation.WIDE_PIPE: WorkingMode.OPEN_AIR,
        Situation.OPEN_AIR: WorkingMode.OPEN_AIR,
    }
)
KNOWN: Final[Mapping[Environment, WorkingMode]] = MappingProxyType(
    {"pipe": WorkingMode.PIPE, "open-air": WorkingMode.OPEN_AIR}
)


class Surroundings:
    """Keeps ``mode`` of the knowledge."""

    def __init__(self, knowledge: Knowledge, environment: Environment = "auto") -> None:
        self._knowledge = knowledge
        self._given = KNOWN.get(environment)
        self._since: float | None = None
        """Where on the way the nose began to see something else."""

    def update(self) -> bool:
        """Whether the mode is another one now."""
        knowledge = self._knowledge
        mode = self._given or MODE_OF.get(knowledge.situation)
        wide = knowledge.situation is Situation.WIDE_PIPE and self._given is None
        if wide and knowledge.mode is not WorkingMode.OPEN_AIR:
            mode = WorkingMode.PIPE
        else:
            wide = False
        if mode is None or (mode is knowledge.mode and wide is knowledge.wide):
            self._since = None
            return False
        narrow = knowledge.wide and knowledge.situation is Situation.NARROW_PIPE
        if self._given is None and knowledge.mode is not WorkingMode.GENERAL and not narrow:
            leans = knowledge.turning or knowledge.crooked or knowledge.at_bifurcation
            if self._since is None or (wide and (leans or knowledge.heading < 0)):
                self._since = knowledge.way
            if abs(knowledge.way - self._since) < knowledge.length:
                return False
        self._since = None
        knowledge.came_in |= (knowledge.mode, mode) == (WorkingMode.OPEN_AIR, WorkingMode.PIPE)
        knowledge.mode, knowledge.wide = mode, wide
        return True
