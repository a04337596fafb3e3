"""Makes a form from the options of a system: one input for each field of its spec.

What a form cannot show (a list of commands, say) stays in the scenario as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import viser

from annelid.errors import InputError
from annelid.spec import Spec
from annelid.trial.scenario import Scenario

LEFT_OUT = {"operator", "servos"}
"""Fields that are said elsewhere on the page."""


UNITS = {
    "_mm_s": "mm/s",
    "_deg_s": "°/s",
    "_deg": "°",
    "_ms": "ms",
    "_s": "s",
    "_mm": "mm",
    "_ppm": "ppm",
}
"""How names of fields end, and what a person reads."""


class OptionsForm:
    """Fields by their dotted name, each with a way to read it."""

    def __init__(self, left_out: Collection[str] = LEFT_OUT) -> None:
        self.left_out = left_out
        self.fields: dict[str, Callable[[], Any]] = {}

    def overrides(self) -> dict[str, Any]:
        return {name: read() for name, read in self.fields.items()}


def form_of(
    gui: viser.GuiApi, scenario: Scenario, *, without: Collection[str] = frozenset()
) -> OptionsForm:
    """Of ``control.options`` of a scenario; fields ``without`` have another place."""
    form = OptionsForm({*LEFT_OUT, *without})
    options = scenario.control.options
    if options is not None:
        _lay(gui, form, options, "control.options.")
    return form


def _lay(gui: viser.GuiApi, form: OptionsForm, spec: Spec, prefix: str) -> None:
    for name, field in type(spec).model_fields.items():
        if name in form.left_out:
            continue
        value = getattr(spec, name)
        if isinstance(value, Spec):
            with gui.add_folder(_label(name), expand_by_default=True):
                _lay(gui, form, value, f"{prefix}{name}.")
            continue
        read = _field(gui, _label(name), field.annotation, value)
        if read is not None:
            form.fields[prefix + name] = read


def _field(gui: viser.GuiApi, label: str, kind: Any, value: Any) -> Callable[[], Any] | None:
    choices = _choices(kind)
    if choices and value is not None:
        shown = tuple(str(choice) for choice in choices)
        box = gui.add_dropdown(label, shown, initial_value=str(value))
        return lambda: choices[shown.index(box.value)]
    if isinstance(value, bool):
        tick = gui.add_checkbox(label, value)
        return lambda: tick.value
    if isinstance(value, int | float):
        whole = isinstance(value, int)
        number = gui.add_number(label, value, step=1 if whole else 0.1)
        return lambda: int(number.value) if whole else float(number.value)
    if isinstance(value, str):
        text = gui.add_text(label, value)
        return lambda: text.value
    if isinstance(value, tuple) and all(isinstance(each, int | float) for each in value):
        if _length(kind) is not None:
            return None  # a span: rarely changed, and clumsy as text
        words = gui.add_text(label, ", ".join(map(str, value)))
        return lambda: _numbers(label, words.value)
    return None


def _choices(kind: Any) -> tuple[Any, ...]:
    if get_origin(kind) is Literal:
        return get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        inner = [each for each in get_args(kind) if each is not NoneType]
        return _choices(inner[0]) if len(inner) == 1 else ()
    return ()


def _length(kind: Any) -> int | None:
    """Of a tuple that has a fixed one."""
    arguments = get_args(kind)
    return None if Ellipsis in arguments else len(arguments)


def _numbers(label: str, words: str) -> list[int]:
    try:
        return [int(word) for word in words.replace(",", " ").split()]
    except ValueError:
        raise InputError(f"{label}: expected whole numbers with commas, got {words!r}") from None


def _label(name: str) -> str:
    """``alpha_deg`` is read as ``alpha (°)``."""
    for ending, unit in UNITS.items():
        if name.endswith(ending):
            return f"{name.removesuffix(ending).replace('_', ' ')} ({unit})"
    return name.replace("_", " ")
