"""The page: a robot, a bar to play and pause it, and a tab for everything that one can do.

One page for all who look: what one operator sets, the others see.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import viser

from annelid.console import look
from annelid.console.gate import Gate, guarding
from annelid.console.scene import Scene
from annelid.console.session import Session
from annelid.trial.scenario import Scenario

FRAME_S = 1 / 40
SLOW_S = 0.25
"""Between two drawings of tables and plots."""
LARGEST = 2 * 1024 * 1024
"""Bytes of one message from a browser: an upload, a program, a picture of the page."""
PORT = 8080


class Page:
    def __init__(
        self,
        scenario: Scenario,
        *,
        gate: Gate,
        port: int = PORT,
        runs: Path = Path("runs"),
        plugins: tuple[str, ...] = (),
        edit_from_afar: bool = False,
    ) -> None:
        self.gate = gate
        self.edit_from_afar = edit_from_afar
        with guarding(gate, largest=LARGEST):
            self.server = viser.ViserServer(host=gate.host, port=port, verbose=False)
        self.session = Session(runs=runs, plugins=plugins, notice=self.say)
        self.scene = Scene(self.server)
        self._over = threading.Event()
        self._shown_model: object = None
        self._shown_frame: object = None
        self._slow: list[Callable[[], None]] = []
        self._lay_out()
        self.session.open(scenario, paused=True)

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

    def run(self) -> None:
        """Until somebody stops it."""
        slow_at = 0.0
        while not self._over.is_set():
            began = time.monotonic()
            self._draw()
            if began >= slow_at:
                slow_at = began + SLOW_S
                for draw in self._slow:
                    draw()
            self._over.wait(max(0.0, FRAME_S - (time.monotonic() - began)))

    def close(self) -> None:
        self._over.set()
        self.session.close()
        self.server.stop()

    # -- what is on it ---------------------------------------------------------------------------

    def _lay_out(self) -> None:
        gui = self.server.gui
        look.dress(gui)
        self._status = gui.add_html("")
        transport = gui.add_button_group("Run", ("Play", "Pause", "Step", "Reset"))
        speed = gui.add_slider("Speed (× real time)", 0.1, 20.0, 0.1, 1.0)
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
        transport.on_click(lambda event: deeds[event.target.value]())
        view.on_click(lambda event: views[event.target.value]())
        speed.on_update(lambda event: self.session.set_speed(event.target.value))
        self._slow.append(self._draw_status)

    def _draw(self) -> None:
        session = self.session
        built, frame = session.built, session.frame
        if built is not None and built is not self._shown_model and frame is not None:
            self._shown_model = built
            self.gate.folder = built.folder
            self.scene.show_model(built.model, frame.qpos)
        if frame is not None and frame is not self._shown_frame:
            self._shown_frame = frame
            self.scene.pose(frame.qpos)

    def _draw_status(self) -> None:
        self._status.content = look.status(self.session)
