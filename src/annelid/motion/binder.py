"""What a gait uses to bind itself: the robot's actuators, and the layers so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from annelid.errors import InputError
from annelid.motion.actuators import ActuatorRow
from annelid.motion.layers import Fixed, Floats, Layer, Moving, Waves, WaveTerm, Window
from annelid.motion.selector import Selector, items, select
from annelid.robot import Placed, Robot


class Binder:
    """For one robot; gaits are laid in their order."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.row = ActuatorRow(robot)
        """Names and places of the actuators."""
        self._layers: list[Layer | list[WaveTerm]] = []
        """A list of terms is a layer of waves that may still grow."""
        self._top: dict[int, int] = {}
        """Which layer lies uppermost on an actuator."""

    def layers(self) -> tuple[Layer, ...]:
        return tuple(Waves(each) if isinstance(each, list) else each for each in self._layers)

    def lay(self, layer: Layer, places: Iterable[int]) -> None:
        """Over those before it."""
        for place in places:
            self._top[place] = len(self._layers)
        self._layers.append(layer)

    def hold(self, window: Window, target: Mapping[int, float]) -> None:
        """Actuators at fixed values, by place; NaN: released."""
        at, values = np.array(list(target), np.intp), np.array(list(target.values()), float)
        self.lay(Fixed(window, at, values), target)

    def move(
        self, window: Window, places: Iterable[int], values: Callable[[float], Floats]
    ) -> None:
        """Actuators at what ``values`` says at every time, one value a place; the time is that
        since the window opened, s."""
        at = np.array(list(places), np.intp)
        self.lay(Moving(window, at, values), at.tolist())

    def lay_waves(self, terms: Iterable[WaveTerm]) -> None:
        """A wave joins the waves that lie uppermost on its actuator, else starts a new layer."""
        fresh: list[WaveTerm] = []
        for term in terms:
            top = self._layers[self._top[term.place]] if term.place in self._top else None
            (top if isinstance(top, list) else fresh).append(term)
        if fresh:
            self._top.update((term.place, len(self._layers)) for term in fresh)
            self._layers.append(fresh)

    def having(self, selector: Selector, mount: str, where: str) -> list[Placed]:
        """The selected modules that have this actuator.

        A pattern passes over modules without it; a module called by its name must have it.
        """
        return self._fit(selector, lambda m: self.row.has(m, mount), mount, where)

    def able(self, selector: Selector, capabilities: tuple[str, ...], where: str) -> list[Placed]:
        """The selected modules in which an actuator serves one of these; else as ``having``."""

        def fits(module: Placed) -> bool:
            return any(self.row.serving(module, each) for each in capabilities)

        needed = f"actuator that serves {' or '.join(capabilities)}"
        return self._fit(selector, fits, needed, where)

    def _fit(
        self, selector: Selector, fits: Callable[[Placed], bool], needed: str, where: str
    ) -> list[Placed]:
        modules = select(self.robot, selector, where=f"{where}.modules")
        fit = [module for module in modules if fits(module)]
        named = set(items(selector))
        wrong = [m.name for m in modules if m not in fit and m.name in named]
        if wrong or not fit:
            raise self.nothing(where, ",".join(wrong) or selector, needed)
        return fit

    def nothing(self, where: str, selector: Selector, needed: str) -> InputError:
        """The selected modules have no such actuator."""
        shown = selector if isinstance(selector, str) else ",".join(selector)
        return InputError(
            f"{where}: {shown!r} has no {needed}; this robot ({self.robot.letters}) has "
            f"{self.row.inventory()}"
        )
