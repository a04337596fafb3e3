"""The tabs of the page: Build, Operate, See, Break, Program, Keep.

A tab lays itself out when it is made, adapts to a robot in ``renew``, and shows what is new in
``draw``, a few times a second.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import viser

from annelid.console.messages import Built
from annelid.console.scene import Scene
from annelid.console.source import RunSource
from annelid.errors import AnnelidError
from annelid.kernel.process import what_of
from annelid.systems import SYSTEMS, System
from annelid.trial.plugins import Plugins


class Desk(Protocol):
    """What a tab sees of the page."""

    server: viser.ViserServer
    session: RunSource
    scene: Scene
    plugins: Plugins
    """Modules, worlds and systems of the user's own."""

    def say(self, title: str, text: str, trouble: bool = False) -> None:
        """To all who look."""

    def may_edit(self, event: Any) -> bool:
        """Whether the visitor who pressed this may edit programs; if not, a message says so."""


class Drawn(Protocol):
    def draw(self) -> None:
        """Show what is new."""


class Tab(Drawn, Protocol):
    def renew(self, built: Built) -> None:
        """The robot is another one, or has come apart."""


def system_of(desk: Desk, built: Built) -> System | None:
    """None where gaits move the robot, or where its plugin is not here."""
    systems, name = desk.plugins.table(SYSTEMS), built.system
    return None if name is None or name not in systems else systems[name]


def trying(desk: Desk, deed: Callable[[Any], object]) -> Callable[[Any], None]:
    """What cannot be done is said on the page, and the page goes on."""

    def attempt(event: Any) -> None:
        try:
            deed(event)
        except AnnelidError as error:
            desk.say("Not done", str(error), True)
        except Exception as error:  # noqa: BLE001  what one visitor sends must not end the page
            desk.say("Not done", what_of(error), True)

    return attempt


def put(handle: Any, value: object) -> None:
    """Set an input's value; viser's types do not say that one may."""
    handle.value = value
