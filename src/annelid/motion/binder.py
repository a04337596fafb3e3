"""What a gait uses to bind itself: the robot's actuators, and the layers so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import degrees, radians

import numpy as np
from numpy.typing import NDArray

from annelid.errors import InputError
from annelid.motion.layers import Fixed, Floats, Layer, Moving, Waves, WaveTerm, Window
from annelid.motion.selector import Selector, items, select
from annelid.robot import Placed, Robot
from annelid.robot.body import LinearMount, Mount, ServoMount
from annelid.robot.service import Service, travel

NAMES_SHOWN = 8


class ActuatorRow:
    """All actuators of a robot in one numbered row: ``R1.yaw``, ``R1.pitch``, ``H1.drive`` …

    Every mount of every module, in the order of the robot (head first).  Values are in the
    actuator's own unit: servo angle in rad, linear servo in m, drive level from -1 to 1.
    """

    def __init__(self, robot: Robot) -> None:
        pairs = [(module, mount) for module in robot.modules for mount in module.body.mounts]
        self.names: tuple[str, ...] = tuple(f"{m.name}.{mount.name}" for m, mount in pairs)
        self._places: Mapping[tuple[str, str], int] = {
            (module.name, mount.name): place for place, (module, mount) in enumerate(pairs)
        }
        self._mounts: Sequence[Mount] = [mount for _, mount in pairs]
        self._services: Mapping[str, Mapping[str, Service]] = {
            module.name: module.type.services(module.body) for module in robot.modules
        }
        self.rest: NDArray[np.float64] = np.array(
            [module.type.rest().get(mount.name, 0.0) for module, mount in pairs], float
        )

    def has(self, module: Placed, mount: str) -> bool:
        return (module.name, mount) in self._places

    def place(self, module: Placed, mount: str) -> int:
        return self._places[module.name, mount]

    def serving(self, module: Placed, capability: str) -> tuple[int, Service] | None:
        """What serves a capability of this module, and its place; None: nothing that moves."""
        found = self._services[module.name].get(capability)
        if found is None or not self.has(module, found.actuator):
            return None
        return self.place(module, found.actuator), found

    def servos(self, module: Placed) -> list[int]:
        """The places of what can be released: servos, rotary and linear."""
        return [
            self._places[module.name, mount.name]
            for mount in module.body.mounts
            if isinstance(mount, ServoMount | LinearMount)
        ]

    def from_human(self, module: Placed, place: int, value: float, *, where: str) -> float:
        """Degrees, mm or level to the actuator's unit; refused where the joint cannot go."""
        mount = self._mounts[place]
        if isinstance(mount, ServoMount):
            si, unit = radians(value), "°"
        elif isinstance(mount, LinearMount):
            si, unit = value / 1000, " mm"
        else:
            si, unit = value, ""
        low, high = travel(module.body, mount)
        if not low - 1e-9 <= si <= high + 1e-9:
            ends = [degrees(e) if unit == "°" else e * 1000 if unit else e for e in (low, high)]
            raise InputError(
                f"{where}: {self.names[place]}: expected {ends[0]:.4g} to {ends[1]:.4g}{unit}, "
                f"got {value:g}{unit}"
            )
        return si

    def inventory(self) -> str:
        """What the robot has, for messages: ``yaw (R1, R2), drive (H1)``."""
        owners: dict[str, list[str]] = {}
        for name in self.names:
            module, _, mount = name.partition(".")
            owners.setdefault(mount, []).append(module)
        shown = [
            f"{mount} ({', '.join(who[:NAMES_SHOWN])}{', …' if len(who) > NAMES_SHOWN else ''})"
            for mount, who in owners.items()
        ]
        return ", ".join(shown) or "no actuators at all"


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
