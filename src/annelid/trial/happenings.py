"""Applies a scenario's events at their times: cuts and joins between modules."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from math import radians

from annelid.errors import InputError
from annelid.kernel import Kernel, Priority, seconds
from annelid.physics.simulation import Simulation
from annelid.trial.scenario import CutEvent, JoinEvent


class Happenings:
    """Each at its time, and told in the trace."""

    def __init__(self, kernel: Kernel, sim: Simulation) -> None:
        self._kernel = kernel
        self._sim = sim

    def schedule(self, events: Iterable[CutEvent | JoinEvent]) -> None:
        for event in events:
            dock = partial(self._dock, event)
            self._kernel.call_at(seconds(event.at_s), dock, priority=Priority.OUTSIDE)

    def _dock(self, event: CutEvent | JoinEvent) -> None:
        """Two faces that miss each other cannot join; that is an outcome, not a mistake."""
        self._sim.advance_to(self._kernel.now)
        detail: dict[str, object] = {"a": event.a, "b": event.b}
        try:
            if isinstance(event, CutEvent):
                self._sim.cut(event.a, event.b)
            else:
                angle = None if event.angle_deg is None else radians(event.angle_deg)
                self._sim.join(event.a, event.b, angle=angle)
                detail["angle_rad"] = self._sim.robot.docks[-1].angle
        except InputError as error:
            self._kernel.record("trial", f"{event.do} failed", {**detail, "why": str(error)})
        else:
            self._kernel.record("trial", event.do, {**detail, "epoch": self._sim.epoch})
