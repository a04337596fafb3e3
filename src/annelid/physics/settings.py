"""How the physics is computed: timestep, solver and similar settings."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from annelid.kernel import milliseconds
from annelid.spec import Spec


class Physics(Spec):
    timestep_ms: float = Field(default=0.5, gt=0, le=5)
    """0.5 is the paper's (001 §4.1.1) and resolves the servo's inrush current; 1 and 2 are for
    search."""
    servo: Literal["dcmotor", "quasi-static"] = "dcmotor"
    """``dcmotor``: current, winding temperature, dead band, trip.  ``quasi-static``: the same
    torque curve without the electrical transient, exact after the inrush, for larger steps."""
    trip: bool = False
    """Whether the current comparator releases servos (000 §4.1.2).  Off by default: with Table 1's
    servo a healthy 90° step peaks at 130 mA, above the paper's 100 mA (FACTS §3)."""
    impratio: float = Field(default=10.0, ge=1, le=1000)
    """How much stiffer friction is than the normal.  At 10 a drive that holds creeps 0.5 mm/s down
    a vertical pipe.  At 15 it creeps less, but wheels that slide jam a chain that backs through an
    elbow (the default run: 4 of 4 home at 10, 0 of 4 at 15).  Cups that must not creep on a wall
    for minutes want 100 (LAB)."""
    noslip: int = Field(default=0, ge=0, le=20)
    """Passes that take the last creep out of friction; cups on a wall want 3."""

    @model_validator(mode="after")
    def _stable(self) -> Physics:
        if self.servo == "dcmotor" and self.timestep_ms > 1:
            raise ValueError(
                f"timestep_ms = {self.timestep_ms}: the dcmotor servo needs 1 ms or less to "
                'resolve its current; choose servo = "quasi-static" for larger steps'
            )
        if abs(self.timestep_ms * 1000 - round(self.timestep_ms * 1000)) > 1e-9:
            raise ValueError("timestep_ms must be a whole number of microseconds")
        return self

    @property
    def step_ns(self) -> int:
        return milliseconds(self.timestep_ms)
