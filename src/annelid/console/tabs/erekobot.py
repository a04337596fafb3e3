"""ErekoBot's form (004 Figs 7, 9 and 11): modules, options, the table they make; start and stop."""

from __future__ import annotations

from typing import Any

from annelid.console import look
from annelid.console.tabs import Desk, trying
from annelid.console.tabs.forms import form_of
from annelid.errors import InputError
from annelid.systems.erekobot.servo_table import degrees_of
from annelid.systems.erekobot.spec import ErekobotSpec
from annelid.trial.load import changed
from annelid.trial.scenario import Scenario

LETTER = "K"
"""Of the module on the shelf."""
MARGIN_S = 0.05
"""A stop is said a little after it was asked for, because it must still be to come."""


class ErekobotForm:
    def __init__(
        self, desk: Desk, scenario: Scenario, options: ErekobotSpec, *, modules: int
    ) -> None:
        self._desk = desk
        gui = desk.server.gui
        self._modules = modules
        self._count = gui.add_number("Modules", modules, min=1, max=60, step=1)
        self._buttons = gui.add_button_group("Gait", ("Start", "Stop"))
        self._module = gui.add_number("Table of module", 1, min=1, max=modules, step=1)
        self._table = gui.add_html(look.html(_table(options, 1)))
        with gui.add_folder("Options"):
            self._form = form_of(gui, scenario)
        self._module.on_update(trying(desk, self._show))
        self._buttons.on_click(trying(desk, self._pressed))

    def _show(self, event: Any) -> None:
        """With what the form says now."""
        scenario = self._desk.session.scenario
        if scenario is None:
            return
        options = changed(scenario, self._form.overrides()).control.options
        if isinstance(options, ErekobotSpec):
            self._table.content = look.html(_table(options, int(event.target.value)))

    def _pressed(self, event: Any) -> None:
        session = self._desk.session
        scenario = session.scenario
        if scenario is None:
            return
        if event.target.value == "Start":
            fields = self._form.overrides()
            if int(self._count.value) != self._modules:
                fields["robot.chain"] = LETTER * int(self._count.value)
            session.open(changed(scenario, fields), paused=False)
            return
        begun = [each.t_ns / 1e9 for each in session.events if each.kind == "start"]
        if len(begun) < 2:  # the trial's own, and the host's
            raise InputError("the host has not started the gait yet")
        stop_s = max(session.now_s - begun[-1], 0.0) + MARGIN_S
        session.amend(changed(scenario, {"control.options.stop_s": round(stop_s, 3)}))


def _table(options: ErekobotSpec, module: int) -> str:
    """Of one module, through a cycle."""
    table = options.gait.wave().table(module, options.period)
    rows = [
        [f"{state}", f"{state * options.interval_ms:.0f}", f"{degrees_of(pwm):+.0f}", f"{pwm}"]
        for state, pwm in enumerate(table.pwm)
    ]
    return look.table(("state", "t (ms)", "angle (°)", "PWM"), rows, numbers=(0, 1, 2, 3))
