"""ErekoBot's form (004 Figs 7, 9 and 11): modules, period, operating mode, alpha; of each module
its address and its table of t, angle and PWM; start and stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import RLock
from typing import Any

import viser

from annelid.console import look
from annelid.console.messages import Built
from annelid.console.tabs import Desk, put, trying
from annelid.console.tabs.forms import form_of
from annelid.console.tabs.said import say
from annelid.systems.erekobot.network import HOST_NAME
from annelid.systems.erekobot.packets import PERIOD_MAX
from annelid.systems.erekobot.sayings import START, STOP
from annelid.systems.erekobot.servo_table import PWM_MAX, PWM_MIN, REACH_DEG, degrees_of, pwm_of
from annelid.systems.erekobot.spec import ErekobotSpec
from annelid.trial.load import changed
from annelid.trial.scenario import Scenario

LETTER = "K"
"""Of the module on the shelf."""
WAVE, CUSTOM = "wave", "custom"
"""Operating modes: tables that follow from alpha, or tables that the user edits."""
OPTIONS = "control.options."
ABOVE = {"period", "alpha_deg", "addresses", "tables_deg"}
"""Fields that have their place above the other options."""


class ErekobotForm:
    def __init__(self, desk: Desk, built: Built) -> None:
        self._desk = desk
        self._one = RLock()
        """The page calls from several threads: the table is filled by one at a time."""
        scenario = desk.session.scenario
        if scenario is None or not isinstance(options := scenario.control.options, ErekobotSpec):
            raise LookupError("ErekoBot's form without ErekoBot")
        self._flashed = len(built.modules)
        with desk.server.gui.add_folder("ErekoBot"):
            self._lay_out(scenario, options, self._flashed)

    def _lay_out(self, scenario: Scenario, options: ErekobotSpec, modules: int) -> None:
        desk, gui = self._desk, self._desk.server.gui
        self._addresses = list(options.addresses_for(modules))
        self._tables = [list(table) for table in options.tables_deg]
        mode = CUSTOM if options.tables_deg else WAVE
        self._buttons = gui.add_button_group("Gait", ("Start", "Stop"))
        self._count = gui.add_number("Modules", modules, min=1, max=60, step=1)
        self._period = gui.add_number("Period", options.period, min=1, max=PERIOD_MAX, step=1)
        self._mode: viser.GuiDropdownHandle[str] = gui.add_dropdown(
            "Operating mode", (WAVE, CUSTOM), initial_value=mode
        )
        self._alpha = gui.add_number(
            "Alpha (°)", options.gait.alpha_deg, min=0.0, max=90.0, step=1.0
        )
        place = gui.add_folder("Tables of gaits")
        with place:
            self._module = gui.add_number("Module", 1, min=1, max=modules, step=1)
            self._address = gui.add_number("Address", self._addresses[0], min=1, max=254, step=1)
            self._rows = TableRows(gui, place, trying(desk, self._edited))
        with gui.add_folder("Options", expand_by_default=False):
            self._form = form_of(gui, scenario, without=ABOVE)
        self._fill()
        for handle in (self._count, self._period, self._mode, self._alpha):
            handle.on_update(trying(desk, lambda _: self._alone(self._initialize)))
        self._module.on_update(trying(desk, lambda _: self._alone(self._fill)))
        self._address.on_update(trying(desk, self._addressed))
        self._buttons.on_click(trying(desk, self._pressed))

    # -- tables ----------------------------------------------------------------------------------

    def _alone(self, do: Callable[[], None]) -> None:
        with self._one:
            do()

    def _initialize(self) -> None:
        """Another number of modules or states, another alpha: tables begin anew from the wave."""
        count = int(self._count.value)
        fits = len(self._tables) == count
        if self._mode.value == WAVE or not (fits and len(self._tables[0]) == self._period.value):
            self._tables = []
        if len(self._addresses) != count:
            self._addresses = list(range(1, count + 1))
        self._module.max = count
        if self._module.value > count:
            put(self._module, count)
        self._fill()

    def _fill(self) -> None:
        """The table and the address of the module that is chosen."""
        module = int(self._module.value)
        put(self._address, self._addresses[module - 1])
        self._rows.show(self._angles(module))

    def _angles(self, module: int) -> list[float]:
        if self._tables:
            return self._tables[module - 1]
        options = self._scenario().control.options
        if not isinstance(options, ErekobotSpec):
            return []
        wave = options.model_copy(update={"tables_deg": ()})
        return [
            round(degrees_of(pwm), 1) for pwm in wave.tables[0].streamed(module, wave.period).pwm
        ]

    def _edited(self, _: Any) -> None:
        """The user edits an angle: from now on all tables are the user's."""
        if not self._tables:
            self._tables = [self._angles(each + 1) for each in range(int(self._count.value))]
        self._tables[int(self._module.value) - 1] = self._rows.angles
        if self._mode.value != CUSTOM:
            put(self._mode, CUSTOM)

    def _addressed(self, _: Any) -> None:
        self._addresses[int(self._module.value) - 1] = int(self._address.value)

    # -- start and stop --------------------------------------------------------------------------

    def _scenario(self) -> Scenario:
        """With what the form says now."""
        scenario = self._desk.session.scenario
        if scenario is None:
            raise LookupError("a form without a scenario")
        count = int(self._count.value)
        numbered = self._addresses == list(range(1, count + 1))
        fields: dict[str, Any] = {
            **self._form.overrides(),
            f"{OPTIONS}period": int(self._period.value),
            f"{OPTIONS}gait.alpha_deg": float(self._alpha.value),
            f"{OPTIONS}addresses": [] if numbered else self._addresses,
            f"{OPTIONS}tables_deg": self._tables if self._mode.value == CUSTOM else [],
        }
        if count != self._flashed:
            fields["robot.chain"] = LETTER * count
        return changed(scenario, fields, plugins=self._desk.plugins)

    def _pressed(self, event: Any) -> None:
        """What is in the modules' memory cannot be changed from the line: other tables begin a run
        anew; else the host is told."""
        session = self._desk.session
        if event.target.value == "Stop":
            say(self._desk, STOP)
            return
        wanted = self._scenario()
        if wanted != session.scenario:
            session.open(wanted, paused=False)
            return
        said = [e.kind for e in session.events if e.source == HOST_NAME and e.kind in (START, STOP)]
        if said and said[-1] == STOP:
            say(self._desk, START)
        session.play()


class TableRows:
    """Made inside of ``place``, where rows come and go; ``edited`` is called when somebody has
    changed an angle or a PWM."""

    def __init__(
        self, gui: viser.GuiApi, place: viser.GuiFolderHandle, edited: Callable[[Any], None]
    ) -> None:
        self._gui = gui
        self._place = place
        self._edited = edited
        gui.add_html(look.html(look.dim("Time state: angle (°), PWM")))
        self._rows: list[viser.GuiVector2Handle] = []
        self.angles: list[float] = []
        """Degrees, one for each time state."""

    def show(self, angles: Sequence[float]) -> None:
        self.angles = list(angles)
        while len(self._rows) > len(angles):
            self._rows.pop().remove()
        with self._place:
            while len(self._rows) < len(angles):
                self._rows.append(self._row(len(self._rows)))
        for row, angle in zip(self._rows, angles, strict=True):
            put(row, (angle, float(pwm_of(angle))))

    def _row(self, state: int) -> viser.GuiVector2Handle:
        row = self._gui.add_vector2(
            f"t = {state}",
            (0.0, float(pwm_of(0.0))),
            min=(-REACH_DEG, float(PWM_MIN)),
            max=(REACH_DEG, float(PWM_MAX)),
            step=1.0,
            hint="Angle in degrees, and the same as a pulse in ticks of 8 µs",
        )
        row.on_update(lambda event: self._changed(state, event))
        return row

    def _changed(self, state: int, event: Any) -> None:
        """Whichever of the two was changed, the other follows."""
        if event.client is None or state >= len(self.angles):
            return  # our own doing
        angle, pwm = event.target.value
        before = self.angles[state]
        if angle == before:
            angle = round(degrees_of(round(pwm)), 1)
        if angle == before:
            return
        self.angles = [*self.angles[:state], float(angle), *self.angles[state + 1 :]]
        put(event.target, (float(angle), float(pwm_of(angle))))
        self._edited(event)
