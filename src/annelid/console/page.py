"""The page: the robot in 3D, a bar to play and pause it, and a tab for each kind of work.

One page for all who look: what one operator sets, the others see.
"""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from typing import Any

import viser

from annelid.console import look
from annelid.console.gate import AccessGate, free_port, guarding, looked_at, sits_here, values_only
from annelid.console.live import SPEEDS
from annelid.console.scene import Scene
from annelid.console.source import RunSource
from annelid.console.tabs import Desk, Tab, put, trying
from annelid.console.tabs.build import Build
from annelid.console.tabs.faults import Faults
from annelid.console.tabs.keep import Keep
from annelid.console.tabs.operate import Operate
from annelid.console.tabs.program import Program
from annelid.console.tabs.see import See
from annelid.errors import AnnelidError
from annelid.kernel.process import what_of
from annelid.trial.plugins import Plugins

FRAME_S = 1 / 50
"""At least between two frames."""
SLOW_S = 0.25
"""Between two drawings of tables and plots."""
LARGEST = 2 * 1024 * 1024
"""Bytes of one message from a browser: an upload, a program, a picture of the page."""
PORT = 8080
NOTICED_S = 0.011
"""What counts as another place of the time slider."""
TABS: Mapping[str, Callable[[Desk], Tab]] = {
    "Operate": Operate,
    "See": See,
    "Break": Faults,
    "Program": Program,
    "Build": Build,
    "Keep": Keep,
}


class Page:
    def __init__(
        self,
        session: RunSource,
        *,
        gate: AccessGate,
        port: int = PORT,
        plugins: Plugins = Plugins(),  # noqa: B008  frozen and empty
        edit_from_afar: bool = False,
    ) -> None:
        self.plugins = plugins
        self.gate = gate
        self.session = session
        session.notice = self.say
        self.edit_from_afar = edit_from_afar
        port = free_port(gate.host, port)
        with guarding(gate, largest=LARGEST), redirect_stdout(io.StringIO()):  # viser's own banner
            self.server = viser.ViserServer(host=gate.host, port=port, verbose=False)
        values_only(self.server)
        self.scene = Scene(self.server)
        self.shown = 0
        """Frames so far."""
        self._over = threading.Event()
        self._runner: threading.Thread | None = None
        self._watched: bool | None = None
        self._shown_model: object = None
        self._shown_frame: object = None
        self._slow: list[Callable[[], None]] = []
        self._undrawn: dict[Callable[[], None], str] = {}
        """What could not be drawn, and why."""
        self._lay_out()

    @property
    def address(self) -> str:
        return self.gate.address(self.server.get_port())

    def say(self, title: str, text: str, trouble: bool = False) -> None:
        """To all who look."""
        for client in self.server.get_clients().values():
            client.add_notification(
                title,
                text,
                color="red" if trouble else "blue",
                auto_close_seconds=12.0 if trouble else 5.0,
            )

    def may_edit(self, event: Any) -> bool:
        """Only visitors on this machine may edit programs, except with ``--edit-from-afar``."""
        if self.edit_from_afar or sits_here(self.server, event.client_id):
            return True
        if event.client is not None:
            event.client.add_notification(
                "Not from here",
                "Programs and files are written from this machine alone; --edit-from-afar allows "
                "others.",
                color="red",
            )
        return False

    def start(self) -> None:
        """Run in a thread of its own, until :meth:`close`."""
        self._runner = threading.Thread(target=self.run, daemon=True, name="page")
        self._runner.start()

    def run(self) -> None:
        """Until somebody stops it."""
        slow_at = 0.0
        while not self._over.is_set():
            began = time.monotonic()
            watched = looked_at(self.server)
            if watched is not self._watched:
                self._watched = watched
                self.session.watch(frames=watched)
            self.session.news.clear()
            self._safely(self._draw)
            if began >= slow_at:
                slow_at = began + SLOW_S
                for draw in self._slow:
                    self._safely(draw)
            self._over.wait(max(0.0, FRAME_S - (time.monotonic() - began)))
            self.session.news.wait(SLOW_S)

    def _safely(self, draw: Callable[[], None]) -> None:
        """Draw; what cannot be drawn is said once, and the rest of the page goes on."""
        try:
            draw()
        except Exception as error:  # noqa: BLE001  what one visitor sends must not end the page
            words = str(error) if isinstance(error, AnnelidError) else what_of(error)
            if self._undrawn.get(draw) != words:
                self._undrawn[draw] = words
                self.say("Not shown", words, True)

    def close(self) -> None:
        self._over.set()
        self.session.news.set()
        if self._runner is not None:
            self._runner.join()
        self.session.close()
        self.server.stop()

    # -- what is on it ---------------------------------------------------------------------------

    def _lay_out(self) -> None:
        gui = self.server.gui
        look.dress(gui)
        gui.add_html(look.STYLE)
        self._status = gui.add_html("")
        transport = gui.add_button_group("Run", ("Play", "Pause", "Step", "Reset"))
        speed = self._speed = gui.add_slider("Speed (×)", *SPEEDS, 0.1, 1.0)
        self._time: Any = None
        self._shown_s = 0.0
        if self.session.length_s is not None:
            self._time = gui.add_slider("Time (s)", 0.0, self.session.length_s, 0.01, 0.0)
            self._time.on_update(trying(self, self._seek))
        view = gui.add_button_group("View", ("Whole", "Follow", "Light", "Dark"))
        deeds = {
            "Play": self.session.play,
            "Pause": self.session.pause,
            "Step": self.session.step,
            "Reset": self.session.reset,
        }
        views: dict[str, Callable[[], None]] = {
            "Whole": lambda: self.scene.follow(False),
            "Follow": lambda: self.scene.follow(True),
            "Light": lambda: look.dress(gui, dark=False),
            "Dark": lambda: look.dress(gui, dark=True),
        }
        transport.on_click(trying(self, lambda event: deeds[event.target.value]()))
        view.on_click(trying(self, lambda event: views[event.target.value]()))
        speed.on_update(trying(self, lambda event: self.session.set_speed(event.target.value)))
        self._slow.append(self._draw_status)
        tabs = gui.add_tab_group()
        self._tabs: list[Tab] = []
        for title, make in TABS.items():
            with tabs.add_tab(title):
                tab = make(self)
            self._tabs.append(tab)
            self._slow.append(tab.draw)

    def _draw(self) -> None:
        session = self.session
        built, frame = session.built, session.frame
        if built is not None and built is not self._shown_model and frame is not None:
            self._shown_model = built
            self.gate.folder = built.folder
            self.scene.show_model(built.model, frame.qpos)
            for tab in self._tabs:
                tab.renew(built)
        if frame is not None and frame is not self._shown_frame:
            self._shown_frame = frame
            self.scene.pose(frame.qpos)
            self.shown += 1

    def _seek(self, event: Any) -> None:
        """Where somebody put the slider; where we put it, nothing."""
        if abs(event.target.value - self._shown_s) > NOTICED_S:
            self.session.seek(event.target.value)

    def _draw_status(self) -> None:
        if self._time is not None and not self.session.paused:
            self._shown_s = self.session.now_s
            self._time.value = round(self._shown_s, 2)
        if self._speed.value != self.session.speed:
            put(self._speed, self.session.speed)
        self._status.content = look.status(self.session)
