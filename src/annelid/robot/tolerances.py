"""Tolerances: how far a built robot may be from its design.

::

    [tolerances]
    draw = true            # this run is one robot of many; its seed says which
    mass_percent = 2
    zero_deg = 1

Every number is the standard deviation of a normal distribution that is cut at ``CUT`` deviations:
a part that is further off would have been thrown away.  A percentage is of the nominal value, and
0 leaves that quantity nominal.  ``annelid.robot.as_built`` draws from it; ``docs/tolerances.md``
has the reasons at length.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from annelid.spec import Spec

CUT = 3.0
"""No draw is further off than this many deviations."""

Percent = Annotated[float, Field(ge=0, le=30)]
"""Of the nominal value; at 30, cut at three deviations, a tenth of it is left."""


class Tolerances(Spec):
    """Standard deviations between robots of one design, and whether this run draws one."""

    draw: bool = False
    """False: the nominal robot, with every number as its module's file has it."""
    mass_percent: Percent = 2.0
    """Of a module: printed shells, glue, screws and cables weigh differently from copy to copy."""
    friction_percent: Percent = 10.0
    """Of each module's skin, and of the ground: dust, wear and damp change a measured coefficient
    by this much from day to day."""
    torque_percent: Percent = 5.0
    """Stall torque or force of a motor: sellers promise ten per cent, which is two deviations."""
    speed_percent: Percent = 3.0
    """No-load speed of a motor."""
    zero_deg: float = Field(default=1.0, ge=0, le=10)
    """Where a servo's horn sits on its shaft: splines leave steps of many degrees, which a person
    trims by eye to about one."""
    zero_mm: float = Field(default=0.2, ge=0, le=5)
    """The same of a linear servo."""
    play_deg: float = Field(default=0.5, ge=0, le=10)
    """Lost motion of a servo's gears when it turns back.  Never negative: the size of the draw."""
    play_mm: float = Field(default=0.1, ge=0, le=5)
    """The same of a linear servo."""
    bore_percent: Annotated[float, Field(ge=0, le=10)] = 0.5
    """Of all bores of a pipe together: a wall of 2 mm is made to a tenth, so a bore of 40 mm is
    0.2 mm wider or narrower."""
    start_deg: float = Field(default=1.0, ge=0, le=30)
    """First joint angles, and how the robot is turned about its axis; a fifth of it sideways.  A
    scenario's ``jitter_deg`` stands in its place."""
    start_mm: float = Field(default=2.0, ge=0, le=6)
    """Where the robot is put down, along its axis and, on open ground, to a side.  At most 6: the
    launch tube leaves 20 behind the tail."""
    sensor_offset_percent: Percent = 0.5
    """Zero error of an analogue sensor, of its range."""
    sensor_noise_percent: Percent = 20.0
    """How much noisier or quieter a sensor is than its kind."""
    clock_ppm: float = Field(default=20.0, ge=0, le=10_000)
    """Of a board's clock, besides what its system sets: a cheap quartz stays within 50."""
