"""Watches a run as it goes: falls, trips, the goal, home; and says when it has come to its end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from annelid.kernel import Kernel, Program, Sleep, seconds
from annelid.physics.simulation import Simulation
from annelid.trial.metrics import Stopped, Tally
from annelid.trial.scenario import Scenario
from annelid.trial.truth import TruthTally


@dataclass(frozen=True)
class Lookout:
    """A program of every kind of run."""

    scenario: Scenario
    sim: Simulation
    kernel: Kernel
    tally: Tally
    truth: TruthTally
    end: Callable[[Stopped], None]
    """Called when the run is to end with this instant."""

    def program(self) -> Program:
        tick = Sleep(self.scenario.control.tick_ns)
        home, ending_ns = False, None
        while True:
            self.sim.advance_to(self.kernel.now)
            self.tally.falls.look(self.sim)
            self.tally.look(self.sim)
            for work in self.sim.wall.look(self.sim):
                self.kernel.record(work.tool, work.what, work.detail)
            self.truth.look()
            if (fall := self.tally.falls.fall) is not None:
                self.kernel.record("trial", "fell", {"why": fall.why, "who": list(fall.who)})
                self.end("fell")
                return
            self._tell_trips()
            if self.tally.reached_ns == self.sim.now_ns:
                self.kernel.record("trial", "goal", self._where())
            if (self.tally.home_ns is not None) is not home:
                home = not home
                self.kernel.record("trial", "home" if home else "gone", self._where())
            if not self.tally.done:
                ending_ns = None
            elif ending_ns is None:
                ending_ns = self.kernel.now + seconds(self.scenario.linger_s)
            lingered = ending_ns is not None and self.kernel.now >= ending_ns
            if self.scenario.stop_at_goal and lingered:
                self.end("goal")
                return
            yield tick

    def _tell_trips(self) -> None:
        if not self.scenario.physics.trip:
            return
        actuators = self.sim.actuators
        for name in self.tally.new_trips(self.sim):
            filtered_a = float(actuators.filtered()[actuators.place(name)])
            self.kernel.record(name, "trip", {"filtered_a": filtered_a})

    def _where(self) -> dict[str, float]:
        return {"progress_m": self.tally.progress}
