"""Console: the robot's map of its pipes, drawn as in the report."""

from __future__ import annotations

from annelid.console import look
from annelid.console.messages import Built, Happened
from annelid.console.tabs import Desk
from annelid.errors import SpecError
from annelid.systems.microtub.front.map import MAP, map_plot
from annelid.systems.microtub.mapping import MapSpec, from_spec
from annelid.trial.scenario import Scenario
from annelid.worlds.pipe_world import Pipe


class MapView:
    def __init__(self, desk: Desk, built: Built) -> None:
        self._desk = desk
        self._drawn: Happened | None = None
        gui = desk.server.gui
        with gui.add_folder("Map", expand_by_default=False):
            self._map = gui.add_html(look.html(look.dim("No map has been told yet.")))

    def draw(self) -> None:
        session = self._desk.session
        told = next((event for event in reversed(session.events) if event.kind == MAP), None)
        if told is not None and told is not self._drawn and session.scenario is not None:
            self._drawn = told
            self._map.content = look.html(_map(told, session.scenario))


def _map(told: Happened, scenario: Scenario) -> str:
    """As the report draws it, over the pipes as they are."""
    try:
        pipes = from_spec(MapSpec.parse(told.detail, where="event map"))
    except SpecError as error:
        return look.bad(f"The map cannot be read: {error}")
    world = scenario.world
    plot = map_plot(pipes, world.tubes() if isinstance(world, Pipe) else None)
    return f'<div class="plot">{plot.svg}</div>{look.dim(plot.caption)}'
