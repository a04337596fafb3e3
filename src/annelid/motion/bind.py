"""Gaits and a robot, put together: names are resolved once, ticks are array operations.

Order counts actuator by actuator: a later gait wins over an earlier one, except that waves add to
waves.  Where nothing is said an actuator stays in its type's rest pose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf, nan, radians

import numpy as np

from annelid.errors import InputError
from annelid.motion.actuators import ActuatorRow
from annelid.motion.gait import (
    Gait,
    GaitSpec,
    HoldGait,
    InchwormGait,
    PushGait,
    RelaxGait,
    SnakeGait,
    WaveGait,
)
from annelid.motion.inchworm import Inchworm
from annelid.motion.layers import Fixed, Floats, Inching, Layer, Pushing, Term, Waves, Window
from annelid.motion.push import Push
from annelid.motion.selector import Selector, items, select
from annelid.motion.snake import SNAKE
from annelid.robot import Action, Placed, Robot


@dataclass(frozen=True)
class BoundGaits:
    """What every actuator is told at any time."""

    actuators: tuple[str, ...]
    """``module.mount``, in the order of the robot."""
    rest: Floats
    layers: tuple[Layer, ...]

    def values(self, t: float) -> Floats:
        """One value per actuator: servo rad, linear m, drive level; NaN: released, no torque."""
        values = self.rest.copy()
        for layer in self.layers:
            layer.apply(t, values)
        return values

    def rows(self, times: Floats) -> Floats:
        """``values`` at many times, a row each: what a whole run is told."""
        rows = np.tile(self.rest, (len(times), 1))
        for layer in self.layers:
            if isinstance(layer, Waves):
                layer.apply_rows(times, rows)
            else:
                for t, row in zip(times.tolist(), rows, strict=True):
                    layer.apply(t, row)
        return rows


def bind(specs: Sequence[Gait], robot: Robot) -> BoundGaits:
    """Resolve ``specs`` against ``robot``; a gait that can move nothing is an ``InputError``."""
    binder = _Binder(robot)
    for k, spec in enumerate(specs):
        binder.add(spec, where=f"gaits[{k}] ({spec.gait})")
    return binder.done()


class _Binder:
    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._row = ActuatorRow(robot)
        self._layers: list[Layer | list[Term]] = []
        """A list of terms is a layer of waves that may still grow."""
        self._top: dict[int, int] = {}
        """Which layer lies uppermost on an actuator."""

    def done(self) -> BoundGaits:
        layers = (Waves(layer) if isinstance(layer, list) else layer for layer in self._layers)
        return BoundGaits(self._row.names, self._row.rest, tuple(layers))

    def add(self, spec: Gait, *, where: str) -> None:
        match spec:
            case WaveGait():
                self._wave(spec, where)
            case SnakeGait():
                self._snake(spec, where)
            case InchwormGait():
                self._inchworm(spec, where)
            case PushGait():
                self._push(spec, where)
            case HoldGait():
                self._hold(spec, where)
            case RelaxGait():
                self._relax(spec, where)

    def _wave(self, spec: WaveGait, where: str) -> None:
        window, waves = _window(spec), []
        modules = self._with(spec.modules, (spec.axis,), where)
        for index, module in enumerate(modules):
            waves.append(
                Term(
                    window,
                    self._row.place(module, spec.axis),
                    radians(spec.amplitude_deg),
                    spec.omega_rad_s,
                    index * spec.phase_rad,
                    radians(spec.offset_deg),
                )
            )
        self._lay_waves(waves)

    def _snake(self, spec: SnakeGait, where: str) -> None:
        row = SNAKE[spec.move].changed(
            amplitude=None if spec.amplitude_deg is None else radians(spec.amplitude_deg),
            omega=spec.omega_rad_s,
            phase=spec.phase_rad,
            offset=None if spec.offset_deg is None else radians(spec.offset_deg),
        )
        if spec.mirror:
            row = row.mirrored()
        window, waves = _window(spec), []
        for index, module in enumerate(self._with(spec.modules, ("yaw", "pitch"), where)):
            if self._row.has(module, "pitch"):
                place, phase = self._row.place(module, "pitch"), index * row.phase_vertical
                waves.append(Term(window, place, row.vertical, row.omega, phase, 0.0))
            if self._row.has(module, "yaw"):
                place = self._row.place(module, "yaw")
                phase = index * row.phase_horizontal + row.between
                waves.append(Term(window, place, row.horizontal, row.omega, phase, row.offset))
        self._lay_waves(waves)

    def _inchworm(self, spec: InchwormGait, where: str) -> None:
        rear, extend, front = self._inchworm_units(spec, where)
        parts: list[tuple[Placed, str, int]] = [
            *((module, "grip", 0) for module in rear),
            *((module, "extend", 1) for module in extend),
            *((module, "grip", 2) for module in front),
        ]
        shared = {module.name for module in rear} & {module.name for module in front}
        if shared:
            raise InputError(f"{where}: {', '.join(sorted(shared))} cannot be both rear and front")
        places = [self._row.place(module, mount) for module, mount, _ in parts]
        low = [_meaning(module, Action.CONTRACT, mount, where) for module, mount, _ in parts]
        high = [_meaning(module, Action.EXTEND, mount, where) for module, mount, _ in parts]
        cycle = Inchworm(spec.durations_s, spec.reverse)
        roles = [role for *_, role in parts]
        at = np.array(places, np.intp)
        layer = Inching.of(_window(spec), cycle, at, roles, np.array(low), np.array(high))
        self._lay(layer, places)

    def _inchworm_units(
        self, spec: InchwormGait, where: str
    ) -> tuple[list[Placed], list[Placed], list[Placed]]:
        order = {module.name: place for place, module in enumerate(self._robot.modules)}

        def unit(field: str, mount: str, found: Callable[[], Iterable[Placed]]) -> list[Placed]:
            selector = getattr(spec, field)
            if selector is not None:
                return self._with(selector, (mount,), f"{where}.{field}")
            modules = [m for m in found() if self._row.has(m, mount)]
            if not modules:
                raise InputError(
                    f"{where}.{field}: no module with {mount} there; an inchworm needs a support "
                    f"on both sides of an extension, as in SES; the chain is "
                    f"{self._robot.letters} with {self._row.inventory()}"
                )
            return modules

        extend = unit("extend", "extend", lambda: self._robot.modules)
        first, last = order[extend[0].name], order[extend[-1].name]
        front = unit("front", "grip", lambda: self._robot.modules[:first])
        rear = unit("rear", "grip", lambda: self._robot.modules[last + 1 :])
        return rear, extend, front

    def _push(self, spec: PushGait, where: str) -> None:
        full: dict[int, float] = {}
        for module in select(self._robot, spec.modules, where=f"{where}.modules"):
            for mount, value in module.type.actions().get(Action.PUSH, {}).items():
                if self._row.has(module, mount):
                    full[self._row.place(module, mount)] = value
        if not full:
            raise self._nothing(where, spec.modules, "drive or anything else that pushes")
        push = Push(spec.level, spec.changes)
        at, values = np.array(list(full), np.intp), np.array(list(full.values()), float)
        self._lay(Pushing(_window(spec), at, values, push), full)

    def _hold(self, spec: HoldGait, where: str) -> None:
        target: dict[int, float] = {}
        for mount, value in spec.pose.items():
            for module in self._with(spec.modules, (mount,), f"{where}.pose.{mount}"):
                place = self._row.place(module, mount)
                at = f"{where}.pose"
                target[place] = self._row.from_human(module, place, value, where=at)
        self._fixed(_window(spec), target)

    def _relax(self, spec: RelaxGait, where: str) -> None:
        modules = select(self._robot, spec.modules, where=f"{where}.modules")
        target = {place: nan for module in modules for place in self._row.servos(module)}
        if not target:
            raise self._nothing(where, spec.modules, "servo to release")
        window = _window(spec)
        self._fixed(Window(window.start, window.end), target)

    def _fixed(self, window: Window, target: dict[int, float]) -> None:
        at, values = np.array(list(target), np.intp), np.array(list(target.values()), float)
        self._lay(Fixed(window, at, values), target)

    def _lay(self, layer: Layer, places: Iterable[int]) -> None:
        for place in places:
            self._top[place] = len(self._layers)
        self._layers.append(layer)

    def _lay_waves(self, terms: list[Term]) -> None:
        """A wave joins the waves that lie uppermost on its actuator, else starts a new layer."""
        fresh: list[Term] = []
        for term in terms:
            top = self._layers[self._top[term.place]] if term.place in self._top else None
            (top if isinstance(top, list) else fresh).append(term)
        if fresh:
            self._top.update((term.place, len(self._layers)) for term in fresh)
            self._layers.append(fresh)

    def _with(self, selector: Selector, mounts: tuple[str, ...], where: str) -> list[Placed]:
        """The selected modules that have one of ``mounts``.

        A pattern passes over modules without it; a module called by its name must have it.
        """
        modules = select(self._robot, selector, where=f"{where}.modules")
        fit = [m for m in modules if any(self._row.has(m, mount) for mount in mounts)]
        named = set(items(selector))
        wrong = [m.name for m in modules if m not in fit and m.name in named]
        if wrong or not fit:
            raise self._nothing(where, ",".join(wrong) or selector, " or ".join(mounts))
        return fit

    def _nothing(self, where: str, selector: Selector, needed: str) -> InputError:
        shown = selector if isinstance(selector, str) else ",".join(selector)
        return InputError(
            f"{where}: {shown!r} has no {needed}; this robot ({self._robot.letters}) has "
            f"{self._row.inventory()}"
        )


def _window(spec: GaitSpec) -> Window:
    return Window(spec.from_s, inf if spec.until_s is None else spec.until_s, spec.ramp_s)


def _meaning(module: Placed, action: Action, mount: str, where: str) -> float:
    """What "extend" or "contract" is for this module, as its type says (000 §5)."""
    pose = module.type.actions().get(action, {})
    if mount not in pose:
        raise InputError(f"{where}: {module.name} does not say what {action} means for {mount}")
    return pose[mount]
