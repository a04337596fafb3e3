"""Gaits in the memory of modules: a wave, or tables of one's own, in a scenario.

Modules of the Third Profile have several, by number (004, 2.2.3)::

    [control.options]
    profile = 3
    gait = {alpha_deg = 30, waves = 1, segments = 6}          # table 0
    more_tables = [{gait = {alpha_deg = 30, waves = 1, segments = 6, backwards = true}}]
    operator = [{at_s = 10, say = "table 1"}]
"""

from __future__ import annotations

from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from annelid.spec import Spec
from annelid.systems.erekobot.packets import PERIOD_MAX
from annelid.systems.erekobot.servo_table import REACH_DEG, GaitTable, SerpenoidWave

Degrees = Annotated[float, Field(ge=-REACH_DEG, le=REACH_DEG)]
TABLES_MAX: Final = 16
"""That a module holds: 16 of 32 states of two bytes are the ATmega8's 1 KiB of RAM (proposed)."""


class ErekobotGait(Spec):
    """The wave (servo_table.SerpenoidWave)."""

    alpha_deg: Annotated[float, Field(ge=0.0, le=90.0)] = 20.0
    """Amplitude of the joints' angles."""
    waves: Annotated[float, Field(ge=0.0, le=50.0)] = 2.0
    """Along the body."""
    segments: Annotated[int, Field(ge=1, le=254)] = 5
    """How many modules the waves are spread over."""
    backwards: bool = False
    """Whether the wave runs the other way."""

    def wave(self) -> SerpenoidWave:
        return SerpenoidWave(
            self.alpha_deg, self.waves, segments=self.segments, backwards=self.backwards
        )


class ErekobotTables(Spec):
    """One gait of all modules."""

    gait: ErekobotGait = ErekobotGait()
    period: Annotated[int, Field(ge=1, le=PERIOD_MAX)] = 16
    """Time states in a cycle."""
    tables_deg: tuple[tuple[Degrees, ...], ...] = ()
    """A table of angles for each module, one for each time state; empty: the wave's."""

    @model_validator(mode="after")
    def _one_angle_a_state(self) -> Self:
        for number, table in enumerate(self.tables_deg):
            if len(table) != self.period:
                raise ValueError(
                    f"tables_deg.{number}: expected {self.period} angles, one for each time "
                    f"state of the period, got {len(table)}"
                )
        return self

    def streamed(self, index: int, period: int) -> GaitTable:
        """What the host tells the module at this place, from 1, through a cycle of so many states
        (First Profile)."""
        if self.tables_deg:
            own = GaitTable.of_degrees(self.tables_deg[index - 1])
            return GaitTable(tuple(own.at(state, period) for state in range(period)))
        return self.gait.wave().table(index, period)

    def held(self, index: int) -> GaitTable:
        """What the module at this place has in its memory: the wave's is the same for all, who
        begin at other places of it (:meth:`phase`)."""
        if self.tables_deg:
            return GaitTable.of_degrees(self.tables_deg[index - 1])
        return self.gait.wave().shared(self.period)

    def phase(self, index: int, period: int) -> int:
        """The time state at which the module at this place begins."""
        return 0 if self.tables_deg else self.gait.wave().phase(index, period)
