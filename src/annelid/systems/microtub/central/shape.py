"""How the robot's joints are bent: asked for while it enters a leg of a bifurcation.

Joints in a pipe give way to the wall, so their angles are the pipe's, not the central control's
wishes.  ``bifurcations`` decides by them which leg the robot is in.
"""

from __future__ import annotations

from annelid.kernel import Program
from annelid.systems.microtub.central.bends import SERVO
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.discovery import Ear
from annelid.systems.microtub.protocol import LLC1, Message


class Shape:
    """Of one life of the central control."""

    def __init__(self, ear: Ear, bifurcations: Bifurcations) -> None:
        self._ear = ear
        self._bifurcations = bifurcations
        self._angles: dict[int, dict[int, float]] = {}
        """By joint, of its two servos since they were last asked for, degrees."""

    def ask(self) -> Program:
        """Answers come in between and are looked at before the next decision."""
        self._angles.clear()
        if self._bifurcations.asks:
            for joint in self._bifurcations.joints:
                for question in (LLC1.GS1, LLC1.GS2):
                    yield from self._ear.say(question, to=joint)

    def learn(self, said: Message) -> None:
        """SS1 or SS2."""
        servos = self._angles.setdefault(said.sender, {})
        servos[SERVO[said.command]] = float(said.values[0])

    def look(self) -> None:
        whole = {
            joint: (servos[0], servos[1])
            for joint, servos in self._angles.items()
            if len(servos) == len(SERVO)
        }
        if whole:
            self._bifurcations.feel(whole)
