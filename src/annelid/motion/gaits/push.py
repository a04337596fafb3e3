"""``gait = "push"``: self-propelled modules drive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from pydantic import field_validator

from annelid.motion.gait import GaitSpec, Level
from annelid.motion.layers import Pushing
from annelid.motion.push import Change, Push
from annelid.motion.selector import Selector, select
from annelid.robot import Action

if TYPE_CHECKING:
    from annelid.motion.binder import Binder


class PushGait(GaitSpec):
    """Modules with a drive push the chain forwards or backwards (000 §4.1.8)."""

    gait: Literal["push"] = "push"
    modules: Selector = "all"
    """Which modules it drives: names or letters, ``H``, ``H1``; ``all``."""
    level: Level = 1.0
    """Share of full speed; negative: backwards."""
    changes: tuple[tuple[float, Level], ...] = ()
    """``[time_s, level]``: from this time on, this level."""

    @field_validator("changes")
    @classmethod
    def _rising(cls, changes: tuple[Change, ...]) -> tuple[Change, ...]:
        times = [time for time, _ in changes]
        if times != sorted(set(times)):
            raise ValueError(f"expected rising times, got {times}")
        return changes

    def lay(self, binder: Binder, where: str) -> None:
        full: dict[int, float] = {}
        for module in select(binder.robot, self.modules, where=f"{where}.modules"):
            for mount, value in module.type.actions().get(Action.PUSH, {}).items():
                if binder.row.has(module, mount):
                    full[binder.row.place(module, mount)] = value
        if not full:
            raise binder.nothing(where, self.modules, "drive or anything else that pushes")
        push = Push(self.level, self.changes)
        at, values = np.array(list(full), np.intp), np.array(list(full.values()), float)
        binder.lay(Pushing(self.window(), at, values, push), full)
