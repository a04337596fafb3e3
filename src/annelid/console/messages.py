"""The messages between server and worker process, as frozen data through a pipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annelid.trial.outside import Outside, Timed
from annelid.trial.scenario import Scenario

Floats = NDArray[np.float64]

# -- to the worker -----------------------------------------------------------------------------


@dataclass(frozen=True)
class StartRun:
    """Begin a run; what came from outside before is done again up to ``until_ns``, quickly."""

    scenario: Scenario
    runs: Path
    outside: tuple[Timed, ...] = ()
    until_ns: int = 0
    paused: bool = True
    speed: float = 1.0


@dataclass(frozen=True)
class SetPace:
    paused: bool
    speed: float


@dataclass(frozen=True)
class StepOnce:
    """One tick of the control, then pause."""


@dataclass(frozen=True)
class Do:
    """From outside, into the run."""

    what: Outside


@dataclass(frozen=True)
class Watch:
    """What costs something to send, and so is sent only when somebody looks."""

    camera: str | None = None
    wire: bool = False
    frames: bool = True
    """Where everything is, 40 times a second; off while no browser is open."""


@dataclass(frozen=True)
class Quit:
    pass


Command = StartRun | SetPace | StepOnce | Do | Watch | Quit

# -- from the worker ---------------------------------------------------------------------------


@dataclass(frozen=True)
class ServoLabel:
    """``R1.yaw``; ``unit`` and ``scale`` are for people."""

    name: str
    unit: str
    scale: float


@dataclass(frozen=True)
class Built:
    """A run begins, or its model is another one (a cut, a join)."""

    epoch: int
    model: bytes
    folder: Path
    modules: tuple[tuple[str, str], ...]
    """Name, and title of its type."""
    servos: tuple[ServoLabel, ...]
    cups: tuple[str, ...]
    sensors: tuple[str, ...]
    cameras: tuple[str, ...]
    boards: tuple[str, ...]
    links: Mapping[str, tuple[str, ...]]
    """Name to ports."""
    sources: Mapping[str, str]
    """Board to the text of its program."""
    behaviours: Mapping[str, Mapping[str, str]]
    """Board to its behaviours, by name, and their text; a board without any is left out."""
    system: str | None
    says: bool
    """Whether there is somebody to say HLC commands to."""
    live: bool = True
    """Whether anything can be told to it; a recorded run has gone its way."""


@dataclass(frozen=True)
class RobotPositions:
    """Where everything is."""

    t_ns: int
    epoch: int
    qpos: Floats


@dataclass(frozen=True)
class Readings:
    """What people watch beside it; arrays in the order of ``Built.servos``."""

    t_ns: int
    target: Floats
    position: Floats
    current: Floats
    temperature: Floats
    tripped: NDArray[np.bool_]
    boards: Mapping[str, str]
    lines: Mapping[str, bool]
    """Levels of the sync lines' pins, ``R1.sin``."""
    progress_m: float
    volts: float | None
    speed: float
    """Seconds simulated per second of the wall clock, of late."""
    paused: bool
    cpu_s: float
    """Of the worker, so far."""


@dataclass(frozen=True)
class Happened:
    t_ns: int
    source: str
    kind: str
    detail: Mapping[str, Any]


@dataclass(frozen=True)
class NewEvents:
    events: tuple[Happened, ...]


@dataclass(frozen=True)
class CameraPicture:
    """A camera's picture, grey."""

    camera: str
    picture: NDArray[np.uint8] = field(repr=False)


@dataclass(frozen=True)
class Taken:
    """Came from outside, and when."""

    timed: Timed


@dataclass(frozen=True)
class Refused:
    why: str


@dataclass(frozen=True)
class Stuck:
    """A written program does not let time pass."""

    board: str | None
    line: int


@dataclass(frozen=True)
class Ended:
    """The run is over; ``error`` where it was not meant to be."""

    folder: Path | None
    reason: str
    error: str | None = None


Report = (
    Built | RobotPositions | Readings | NewEvents | CameraPicture | Taken | Refused | Stuck | Ended
)
