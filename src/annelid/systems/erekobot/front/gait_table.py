"""Console: an editor for a module's gait table, a row for each time state with angle and PWM."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import viser

from annelid.console import look
from annelid.console.tabs import put
from annelid.systems.erekobot.servo_table import PWM_MAX, PWM_MIN, REACH_DEG, degrees_of, pwm_of


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
