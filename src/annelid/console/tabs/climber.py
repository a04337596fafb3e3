"""The climber's goal, set by a click into the scene (003 §4: a trajectory for the body)."""

from __future__ import annotations

from typing import Any

import numpy as np
import viser
from numpy.typing import NDArray

from annelid.console.tabs import Desk, trying
from annelid.errors import InputError
from annelid.physics.frames import Placement
from annelid.report.plots import COLOURS
from annelid.systems.climber.spec import ClimberSpec
from annelid.trial.load import changed

SOON_S = 0.05
"""A command must still be to come when it is put into the run."""
GOALS = "/goals"


class ClimberGoal:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._asked = False
        self._mark()
        button = desk.server.gui.add_button("Set a goal: click on the ground", icon=viser.Icon.FLAG)
        button.on_click(trying(desk, self._ask))
        desk.server.gui.add_button_group("Critical stop", ("Release",)).on_click(
            trying(desk, lambda _: self._command({"do": "release"}))
        )

    def _ask(self, _: Any) -> None:
        if not self._asked:
            self._asked = True
            self._desk.server.scene.on_click()(trying(self._desk, self._clicked))

    def _clicked(self, event: Any) -> None:
        self._asked = False
        self._desk.server.scene.remove_click_callback()
        point = self._desk.scene.hit(np.asarray(event.ray_origin), np.asarray(event.ray_direction))
        if point is None:
            raise InputError("there is no ground where you clicked")
        self.go_to(point)

    def go_to(self, point: NDArray[np.float64]) -> None:
        """A point of the world, m; the way is told from where the body began."""
        scenario = self._desk.session.scenario
        if scenario is None:
            return
        start = scenario.world.scenery(1.0).start
        there = Placement.of(start.at, start.turn).inverse() @ Placement.of(tuple(point.tolist()))
        x, y, _ = (1000 * there.at).tolist()
        self._command({"do": "go", "way": [{"x_mm": round(x), "y_mm": round(y)}]})

    def _mark(self) -> None:
        """A ball where each goal is that was set by hand."""
        scenario = self._desk.session.scenario
        if scenario is None or not isinstance(scenario.control.options, ClimberSpec):
            return
        start = scenario.world.scenery(1.0).start
        places = [place for said in scenario.control.options.operator for place in said.way]
        for number, place in enumerate(places):
            at = Placement.of(start.at, start.turn) @ Placement.of(place.pose().at)
            self._desk.server.scene.add_icosphere(
                f"{GOALS}/{number}", radius=0.012, color=_rgb(COLOURS[1]), position=at.at
            )

    def _command(self, command: dict[str, Any]) -> None:
        session = self._desk.session
        scenario = session.scenario
        if scenario is None or not isinstance(scenario.control.options, ClimberSpec):
            return
        before = [each.model_dump(mode="json") for each in scenario.control.options.operator]
        said = {"at_s": round(session.now_s + SOON_S, 3), **command}
        session.amend(changed(scenario, {"control.options.operator": [*before, said]}))


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
