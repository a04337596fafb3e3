"""What the scenario lets happen to the body at set times: cuts, joins, servos that are let go."""

from __future__ import annotations

from collections.abc import Iterable
from math import radians

from annelid.errors import InputError
from annelid.kernel import Kernel, Priority, seconds
from annelid.physics.simulation import Simulation
from annelid.trial.scenario import Cut, Join, Release


class Happenings:
    """Each at its time, and told in the trace."""

    def __init__(self, kernel: Kernel, sim: Simulation) -> None:
        self.released: set[str] = set()
        """Motors that no gait may command now."""
        self._kernel = kernel
        self._sim = sim

    def schedule(self, events: Iterable[Cut | Join | Release]) -> None:
        for event in events:
            self._schedule(event)

    def _schedule(self, event: Cut | Join | Release) -> None:
        call_at = self._kernel.call_at
        at_ns = seconds(event.at_s)
        match event:
            case Cut() | Join():
                call_at(at_ns, lambda: self._dock(event), priority=Priority.OUTSIDE)
            case Release():
                name = event.actuator
                call_at(at_ns, lambda: self._release(name), priority=Priority.OUTSIDE)
                if event.until_s is not None:
                    until_ns = seconds(event.until_s)
                    call_at(until_ns, lambda: self._restore(name), priority=Priority.OUTSIDE)

    def _dock(self, event: Cut | Join) -> None:
        """Two faces that miss each other cannot join; that is an outcome, not a mistake."""
        self._sim.advance_to(self._kernel.now)
        detail: dict[str, object] = {"a": event.a, "b": event.b}
        try:
            if isinstance(event, Cut):
                self._sim.cut(event.a, event.b)
            else:
                angle = None if event.angle_deg is None else radians(event.angle_deg)
                self._sim.join(event.a, event.b, angle=angle)
                detail["angle_rad"] = self._sim.robot.docks[-1].angle
        except InputError as error:
            self._kernel.record("trial", f"{event.do} failed", {**detail, "why": str(error)})
        else:
            self._kernel.record("trial", event.do, {**detail, "epoch": self._sim.epoch})

    def _release(self, name: str) -> None:
        self.released.add(name)
        self._kernel.record(name, "release", {})

    def _restore(self, name: str) -> None:
        self.released.discard(name)
        self._kernel.record(name, "restore", {})
