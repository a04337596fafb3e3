"""Tab Keep: save pictures, the video and the report of the current run."""

from __future__ import annotations

import multiprocessing
from html import escape
from pathlib import Path
from typing import Any

import imageio.v3 as images
import viser

from annelid.console import look
from annelid.console.gate import RUN
from annelid.console.messages import Built
from annelid.console.tabs import Desk, trying
from annelid.errors import AnnelidError, InputError
from annelid.report import write_report
from annelid.trial.crews import end_with_parent

PICTURE = (1280, 720)


class Keep:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        gui = desk.server.gui
        self._folder: Path | None = None
        self._pictures = 0
        self._drawing: Any = None
        self._answer: Any = None
        picture = gui.add_button("Picture", icon=viser.Icon.CAMERA)
        report = gui.add_button_group("Run so far", ("Report", "Report and video"))
        self._links = gui.add_html("")
        picture.on_click(trying(desk, self._picture))
        report.on_click(trying(desk, self._report))

    def renew(self, built: Built) -> None:
        if built.folder != self._folder:
            self._folder, self._pictures = built.folder, 0

    def draw(self) -> None:
        if self._drawing is not None and not self._drawing.is_alive():
            said = self._answer.recv() if self._answer.poll() else "the drawing process ended"
            self._drawing = None
            if said is not None:
                self._desk.say("Report", said, True)
        folder = self._folder
        if folder is None:
            return
        links = [
            f'<a href="{RUN}{name}" target="_blank" rel="noopener">{escape(name)}</a>'
            for name in ("report.html", "video.mp4")
            if (folder / name).is_file()
        ]
        links += [
            f'<a href="{RUN}{path.name}" target="_blank" rel="noopener">{escape(path.name)}</a>'
            for path in sorted(folder.glob("picture-*.png"))
        ]
        state = look.dim("drawing …") if self._drawing is not None else ""
        where = f"Recorded in <code>{escape(str(folder))}</code>"
        self._links.content = look.html(f"{where}<br>{' · '.join(links)} {state}")

    def _picture(self, event: Any) -> None:
        if event.client is None or self._folder is None:
            return
        width, height = PICTURE
        seen = event.client.get_render(height=height, width=width)
        self._pictures += 1
        path = self._folder / f"picture-{self._pictures:03d}.png"
        images.imwrite(path, seen[..., :3])
        event.client.send_file_download(path.name, path.read_bytes(), save_immediately=True)

    def _report(self, event: Any) -> None:
        if self._folder is None:
            return
        if self._drawing is not None:
            raise InputError("a report is being drawn already")
        self._desk.session.pause()
        context = multiprocessing.get_context("spawn")
        self._answer, theirs = context.Pipe()
        video = event.target.value != "Report"
        self._drawing = context.Process(
            target=_draw, args=(theirs, self._folder, video), daemon=True, name="annelid report"
        )
        self._drawing.start()


def _draw(answer: Any, folder: Path, video: bool) -> None:
    """In a process of its own: pictures take seconds."""
    end_with_parent()
    try:
        note = write_report(folder, video=video).note
        answer.send(note or None)
    except AnnelidError as error:
        answer.send(str(error))
