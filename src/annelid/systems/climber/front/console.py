"""Console: a click into the scene sets the climber's goal (003 §4)."""

from __future__ import annotations

from typing import Any

import numpy as np
import viser
from numpy.typing import NDArray

from annelid.console.messages import Built
from annelid.console.scene import GROUND
from annelid.console.tabs import Desk, trying
from annelid.console.tabs.said import say
from annelid.errors import InputError
from annelid.physics.frames import Placement
from annelid.report.plots import COLOURS
from annelid.systems.climber.sayings import GO
from annelid.systems.climber.spec import ClimberSpec


class ClimberGoal:
    def __init__(self, desk: Desk, built: Built) -> None:
        self._desk = desk
        self._asked = False
        self._marks = 0
        scenario = desk.session.scenario
        if scenario is None or not isinstance(options := scenario.control.options, ClimberSpec):
            raise LookupError("a climber's form without a climber")
        start = scenario.world.scenery(1.0).start
        self._start = Placement.of(start.at, start.turn)
        for place in (*options.way, *(more for each in options.operator for more in each.way)):
            self._mark(place.pose().at)
        button = desk.server.gui.add_button("Set a goal: click on the ground", icon=viser.Icon.FLAG)
        button.on_click(trying(desk, self._ask))

    def _ask(self, _: Any) -> None:
        if not self._asked:
            self._asked = True
            self._desk.server.scene.on_click()(trying(self._desk, self._clicked))

    def _clicked(self, event: Any) -> None:
        if not self._asked:
            return  # a second click, which came before the first was heard
        self._asked = False
        self._desk.server.scene.remove_click_callback()
        point = self._desk.scene.hit(np.asarray(event.ray_origin), np.asarray(event.ray_direction))
        if point is None:
            raise InputError("there is no ground where you clicked")
        self.go_to(point)

    def go_to(self, point: NDArray[np.float64]) -> None:
        """A point of the world, m; the way is told from where the body began."""
        there = self._start.inverse() @ Placement.of(tuple(point.tolist()))
        x, y, _ = (1000 * there.at).round().tolist()
        say(self._desk, f"{GO} {x:.0f} {y:.0f}")
        self._mark(np.array([x, y, 0.0]) / 1000)

    def _mark(self, at: NDArray[np.float64]) -> None:
        """A ball where the body shall go, from where it began."""
        self._marks += 1
        self._desk.server.scene.add_icosphere(
            f"{GROUND}/goals/{self._marks}",
            radius=0.012,
            color=_rgb(COLOURS[1]),
            position=(self._start @ Placement.of(at)).at,
        )


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
