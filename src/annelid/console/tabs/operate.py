"""Tab Operate: send commands to the robot.

A gait has sliders that act while it moves.  A system has what its panel says (forms, and a part of
its own), a line to type into where it has a terminal, and a form of its options, which begins the
run anew (its programs are flashed with them).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Any

import viser

from annelid.console import look
from annelid.console.messages import Built
from annelid.console.tabs import Desk, system_of, trying
from annelid.console.tabs.forms import OptionsForm, form_of
from annelid.console.tabs.said import lay_form, say
from annelid.motion import Gait, PushGait, SnakeGait, WaveGait
from annelid.motion.snake import SNAKE
from annelid.systems.front import Form, Panel, found
from annelid.trial.load import changed
from annelid.trial.outside import Retune

SHOWN = 14
"""Lines of what was said and answered."""


class Operate:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._gui = desk.server.gui
        self._handles: list[Any] = []
        self._gaits: tuple[Gait, ...] = ()
        self._tuned = False
        self._form: OptionsForm | None = None
        self._told: viser.GuiHtmlHandle | None = None
        self._panel = self._gui.add_folder(None)
        self._key: object = None

    def renew(self, built: Built) -> None:
        scenario = self._desk.session.scenario
        if scenario is None or self._key == (scenario, built.folder):
            return  # a cut or a join leaves it as it is
        self._key = (scenario, built.folder)
        for handle in self._handles:
            handle.remove()
        self._handles, self._told, self._form = [], None, None
        with self._panel:
            if not built.live:
                words = "A recorded run: it can be watched, not told anything."
                self._keep(self._gui.add_html(look.html(look.dim(words))))
                return
            if built.system is None:
                self._gaits = scenario.control.gaits
                self._sliders()
            system = system_of(self._desk, built)
            panel = Panel() if system is None or system.panel is None else system.panel
            if built.says:
                self._commands(panel.forms)
            if panel.operate is not None:
                with self._keep(self._gui.add_folder(None)):
                    found(panel.operate)(self._desk, built)
            self._options(panel)

    def draw(self) -> None:
        if self._tuned:
            self._tuned = False
            self._desk.session.do(Retune(gaits=self._gaits))
        if self._told is not None:
            self._told.content = look.html(_talk(self._desk))

    def _keep(self, handle: Any) -> Any:
        self._handles.append(handle)
        return handle

    # -- gaits -----------------------------------------------------------------------------------

    def _sliders(self) -> None:
        for place, gait in enumerate(self._gaits):
            rows = _tunable(gait)
            if not rows:
                continue
            folder = self._keep(self._gui.add_folder(f"{place + 1}: {gait.gait}"))
            with folder:
                for label, field, low, high, step, value in rows:
                    slider = self._gui.add_slider(label, low, high, step, value)
                    slider.on_update(trying(self._desk, self._tune(place, field)))
        if not any(_tunable(gait) for gait in self._gaits):
            words = look.html(look.dim("Nothing in these gaits can be tuned."))
            self._keep(self._gui.add_html(words))

    def _tune(self, place: int, field: str) -> Callable[[Any], None]:
        def tune(event: Any) -> None:
            gaits = list(self._gaits)
            table = {**gaits[place].model_dump(), field: event.target.value}
            gaits[place] = type(gaits[place]).parse(table, where="gait")
            self._gaits, self._tuned = tuple(gaits), True

        return tune

    # -- commands --------------------------------------------------------------------------------

    def _commands(self, forms: Iterable[Form]) -> None:
        for form in forms:
            self._keep(lay_form(self._desk, form))
        self._line = self._keep(self._gui.add_text("Say", "", hint="A line at its terminal"))
        self._keep(self._gui.add_button("Say it", icon=viser.Icon.MESSAGE)).on_click(
            trying(self._desk, lambda _: say(self._desk, self._line.value))
        )
        self._told = self._keep(self._gui.add_html(""))

    # -- options of a system -----------------------------------------------------------------------

    def _options(self, panel: Panel) -> None:
        scenario = self._desk.session.scenario
        if panel.own_options or scenario is None or scenario.control.options is None:
            return
        title = f"{scenario.control.system}: options"
        folder = self._keep(self._gui.add_folder(title, expand_by_default=self._told is None))
        with folder:
            self._form = form_of(self._gui, scenario)
            start = self._gui.add_button("Start with these", icon=viser.Icon.PLAYER_PLAY)
            start.on_click(trying(self._desk, self._start))

    def _start(self, _: Any) -> None:
        session = self._desk.session
        if self._form is not None and session.scenario is not None:
            fields = self._form.overrides()
            session.open(
                changed(session.scenario, fields, plugins=self._desk.plugins), paused=False
            )


def _tunable(gait: Gait) -> list[tuple[str, str, float, float, float, float]]:
    """Label, field, least, most, step, value now."""
    match gait:
        case SnakeGait():
            row = SNAKE[gait.move]
            largest = max(row.vertical, row.horizontal)
            phase = row.phase_vertical if row.vertical >= row.horizontal else row.phase_horizontal
            return [
                _row("Amplitude (°)", "amplitude_deg", 90.0, gait.amplitude_deg, _deg(largest)),
                _row("Angular velocity (rad/s)", "omega_rad_s", 15.0, gait.omega_rad_s, row.omega),
                _row("Phase between modules (rad)", "phase_rad", 3.1, gait.phase_rad, abs(phase)),
            ]
        case WaveGait():
            return [
                _row("Amplitude (°)", "amplitude_deg", 90.0, gait.amplitude_deg, 0.0),
                _row("Angular velocity (rad/s)", "omega_rad_s", 15.0, gait.omega_rad_s, 0.0),
                _row("Phase between modules (rad)", "phase_rad", 3.1, gait.phase_rad, 0.0),
            ]
        case PushGait():
            return [("Level of the drive", "level", -1.0, 1.0, 0.05, gait.level)]
    return []


def _row(
    label: str, field: str, most: float, own: float | None, default: float
) -> tuple[str, str, float, float, float, float]:
    value = default if own is None else own
    step = most / 310 if field == "phase_rad" else 0.5
    return label, field, 0.5 if field == "omega_rad_s" else 0.0, most, round(step, 2), value


def _deg(angle: float) -> float:
    return round(angle * 57.29578, 1)


def _talk(desk: Desk) -> str:
    said = [each for each in desk.session.events if each.kind in ("says", "answer")][-SHOWN:]
    rows = [
        [
            f"{each.t_ns / 1e9:.2f} s",
            f"<b>{escape(each.detail['line'])}</b>"
            if each.kind == "says"
            else escape(str(each.detail["words"])),
        ]
        for each in reversed(said)
    ]
    return (
        look.table(("time", "said and answered"), rows) if rows else look.dim("Nothing said yet.")
    )
