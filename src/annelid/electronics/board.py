"""The board: everything that a program can read, write or wait for.

A program is a function of a :class:`Board` that yields what it waits for::

    def follow(board: Board) -> Program:
        while True:
            board.servos["yaw"].target = board.sensors["range"].read()
            yield board.sleep(0.015)

These are protocols: a simulated board (``simboard.py``) satisfies them, and so can a real one, so
that the same program runs on both.  A program must not look behind them; whatever it needs to
know about the robot comes through a sensor, a port, or a parameter it was made with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from annelid.electronics.port import Pin
from annelid.kernel import Program, Wait

Firmware = Callable[["Board"], Program]
"""What is flashed onto a board; called again at every reset, with everything forgotten."""


class Measured(NamedTuple):
    """Of a servo, at one moment; units as its properties have them."""

    angle: float
    current: float
    tripped: bool


class BoardServo(Protocol):
    """A motor with its own controller: in rad; a linear servo in m; a drive from -1 to 1."""

    @property
    def target(self) -> float:
        """The last command; NaN while released."""

    @target.setter
    def target(self, value: float) -> None: ...

    @property
    def angle(self) -> float:
        """Where it is, in the steps of its potentiometer or encoder; on a drive, how far its wheels
        have turned (rad)."""

    @property
    def current(self) -> float:
        """As the board measures it, behind its RC filter, A."""

    @property
    def temperature(self) -> float:
        """Of the winding, °C."""

    @property
    def tripped(self) -> bool:
        """Whether the overcurrent comparator has cut it off (000 §4.1.2)."""

    def measure(self) -> Measured:
        """All that a control loop looks at, in one reading."""

    def release(self) -> None:
        """No more voltage: the joint gives way until the next target."""

    def reset(self) -> None:
        """Power a tripped servo again; it resumes its target."""


class Sensor(Protocol):
    """One number: a touch force (N), a distance (m), one axis of an accelerometer (m/s²) …"""

    def read(self) -> float:
        """As its converter gives it: always a number, within the sensor's range and in its steps.
        What is beyond the range reads as its end."""

    @property
    def valid(self) -> bool:
        """False where the sensor itself says that it is broken; most broken ones do not know."""


class BoardCamera(Protocol):
    def picture(self) -> NDArray[np.uint8]:
        """Grey, rows from the top."""


class Latch(Protocol):
    """An active connector of the module.  It takes time to move; a program waits for it::

    latch.detach()
    yield latch.moved()
    if latch.closed: ...        # it did not come off
    """

    @property
    def closed(self) -> bool:
        """Whether the face is docked, by this latch or another module's."""

    def attach(self) -> None:
        """Begin to grasp whatever face is near enough when the latch has closed."""

    def detach(self) -> None:
        """Begin to let go."""

    def moved(self) -> Wait:
        """Until the movement under way has ended; brings whether the face is then docked."""


class Gripper(Protocol):
    """What holds on to a surface (003 §3: a suction cup).  It takes its time both ways; how far it
    has come, a sensor tells."""

    @property
    def gripping(self) -> bool:
        """The last command."""

    def attach(self) -> None: ...

    def detach(self) -> None: ...


class Board(Protocol):
    """One computer with what is soldered to it.

    Everything is found by its name on this module: ``servos["yaw"]``, ``sensors["touch"]``,
    ``sensors["accelerometer.x"]``, ``latches["back"]``, ``ports["bus"]``, ``pins["sync_out"]``.
    A name that is not there is an ``UnknownName`` that lists what is.
    """

    @property
    def name(self) -> str: ...

    @property
    def servos(self) -> Mapping[str, BoardServo]: ...

    @property
    def sensors(self) -> Mapping[str, Sensor]: ...

    @property
    def cameras(self) -> Mapping[str, BoardCamera]: ...

    @property
    def latches(self) -> Mapping[str, Latch]: ...

    @property
    def grippers(self) -> Mapping[str, Gripper]: ...

    @property
    def ports(self) -> Mapping[str, Any]:
        """Of the kinds in ``port.py``; a program says which it expects."""

    @property
    def pins(self) -> Mapping[str, Pin]: ...

    @property
    def voltage(self) -> float | None:
        """At the terminals of its supply, per cell of a battery, V; None: it cannot measure it."""

    @property
    def random(self) -> np.random.Generator:
        """The board's own stream of chance."""

    @property
    def now(self) -> int:
        """By the board's own clock, ns; it drifts."""

    def sleep(self, seconds: float) -> Wait:
        """So long by the board's own clock; the lateness of one turn does not add to the next."""

    def tick(self, seconds: float) -> Wait:
        """The next tick of a timer with this period, however long the pass since the last one has
        taken; the first is a period from now."""

    def until(self, local_ns: int) -> Wait:
        """The moment at which the board's own clock shows ``local_ns``."""

    def log(self, kind: str, detail: Mapping[str, Any]) -> None:
        """A line in the trace, under the board's name."""
