"""What the page shows, live or recorded: the newest state of everything, and how to play it."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable

from annelid.console.messages import Built, CameraPicture, Ended, Happened, Readings, RobotPositions
from annelid.kernel import to_seconds
from annelid.trial.outside import Outside
from annelid.trial.scenario import Scenario

EVENTS_KEPT = 2000
WIRES_KEPT = 500
"""The newest of them; the trace has all."""

Notice = Callable[[str, str, bool], None]
"""Title, text, and whether it is trouble: for people to read."""


class RunSource(ABC):
    """Fields are replaced as a whole, never changed, so that the page can look at any time."""

    length_s: float | None = None
    """Of a recorded run; a live one has none."""

    def __init__(self, notice: Notice) -> None:
        self.notice = notice
        self.news = threading.Event()
        """Set when there is something new to show; the code that shows it clears it."""
        self.scenario: Scenario | None = None
        self.paused, self.speed = True, 1.0
        self.forget()

    def forget(self) -> None:
        self.built: Built | None = None
        self.frame: RobotPositions | None = None
        self.readings: Readings | None = None
        self.seen: CameraPicture | None = None
        self.ended: Ended | None = None
        self.events: tuple[Happened, ...] = ()
        self.wires: tuple[Happened, ...] = ()
        self.frames = 0
        """How many have come."""

    @property
    def now_s(self) -> float:
        """The newest that is known, of frames or readings."""
        known = [each.t_ns for each in (self.frame, self.readings) if each is not None]
        return to_seconds(max(known, default=0))

    @abstractmethod
    def play(self) -> None: ...

    @abstractmethod
    def pause(self) -> None: ...

    @abstractmethod
    def step(self) -> None: ...

    @abstractmethod
    def reset(self) -> None: ...

    @abstractmethod
    def set_speed(self, speed: float) -> None: ...

    @abstractmethod
    def seek(self, t_s: float) -> None:
        """Show another moment."""

    @abstractmethod
    def open(self, scenario: Scenario, *, paused: bool = True) -> None:
        """Another scenario, or the same from its beginning."""

    @abstractmethod
    def do(self, what: Outside) -> None:
        """Something from outside, now."""

    @abstractmethod
    def watch(
        self,
        *,
        camera: str | bool | None = True,
        wire: bool | None = None,
        frames: bool | None = None,
    ) -> None:
        """What is to be sent at all; ``camera=True`` and ``None`` leave it as it is."""

    @abstractmethod
    def close(self) -> None:
        """Nobody looks any more."""
