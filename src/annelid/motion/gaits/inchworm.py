"""``gait = "inchworm"``: supports grip in turns while extensions stretch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal

import numpy as np
from pydantic import Field, PositiveFloat

from annelid.errors import InputError
from annelid.motion.gait import GaitSpec
from annelid.motion.inchworm import PHASE_S, PHASES, Inchworm
from annelid.motion.layers import Inching
from annelid.motion.selector import Selector
from annelid.robot import Action, Placed

if TYPE_CHECKING:
    from annelid.motion.binder import Binder


class InchwormGait(GaitSpec):
    """Supports grip in turns while extensions stretch and shorten, in six phases (FACTS §3).

    Without selectors: all extensions of the chain, the supports before the first of them in
    front, those after the last of them at the rear.
    """

    gait: Literal["inchworm"] = "inchworm"
    rear: Selector | None = None
    """Supports that grip behind; None: those behind the last extension."""
    extend: Selector | None = None
    """Extensions; None: all."""
    front: Selector | None = None
    """Supports that grip in front; None: those before the first extension."""
    durations_s: tuple[PositiveFloat, ...] = Field(
        default=(PHASE_S,) * len(PHASES), min_length=len(PHASES), max_length=len(PHASES)
    )
    """Durations of the six phases."""
    reverse: bool = False
    """Walk tail first."""

    def lay(self, binder: Binder, where: str) -> None:
        rear, extend, front = self._units(binder, where)
        parts: list[tuple[Placed, str, int]] = [
            *((module, "Sup", 0) for module in rear),
            *((module, "Ext", 1) for module in extend),
            *((module, "Sup", 2) for module in front),
        ]
        shared = {module.name for module in rear} & {module.name for module in front}
        if shared:
            raise InputError(f"{where}: {', '.join(sorted(shared))} cannot be both rear and front")
        names = [(module, module.type.actuator_of(able) or "") for module, able, _ in parts]
        places = [binder.row.place(module, name) for module, name in names]
        low = [_meaning(module, Action.CONTRACT, name, where) for module, name in names]
        high = [_meaning(module, Action.EXTEND, name, where) for module, name in names]
        cycle = Inchworm(self.durations_s, self.reverse)
        roles = [role for *_, role in parts]
        at = np.array(places, np.intp)
        layer = Inching.of(self.window(), cycle, at, roles, np.array(low), np.array(high))
        binder.lay(layer, places)

    def _units(self, binder: Binder, where: str) -> tuple[list[Placed], list[Placed], list[Placed]]:
        robot, row = binder.robot, binder.row
        order = {module.name: place for place, module in enumerate(robot.modules)}

        def unit(field: str, able: str, found: Callable[[], Iterable[Placed]]) -> list[Placed]:
            selector = getattr(self, field)
            if selector is not None:
                return binder.able(selector, (able,), f"{where}.{field}")
            modules = [m for m in found() if row.serving(m, able)]
            if not modules:
                raise InputError(
                    f"{where}.{field}: no module with {able} there; an inchworm needs a support "
                    f"on both sides of an extension, as in SES; the chain is "
                    f"{robot.letters} with {row.inventory()}"
                )
            return modules

        extend = unit("extend", "Ext", lambda: robot.modules)
        first, last = order[extend[0].name], order[extend[-1].name]
        front = unit("front", "Sup", lambda: robot.modules[:first])
        rear = unit("rear", "Sup", lambda: robot.modules[last + 1 :])
        return rear, extend, front


def _meaning(module: Placed, action: Action, mount: str, where: str) -> float:
    """What "extend" or "contract" is for this module, as its type says (000 §5)."""
    pose = module.type.actions().get(action, {})
    if mount not in pose:
        raise InputError(f"{where}: {module.name} does not say what {action} means for {mount}")
    return pose[mount]
