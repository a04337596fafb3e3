"""Tab Build: type a chain or pick modules, choose or edit a world, and see the robot at once."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import viser

from annelid.boundary.files import parse_toml
from annelid.boundary.plain import shortened
from annelid.console import look
from annelid.console.messages import Built
from annelid.console.tabs import Desk, put, trying
from annelid.errors import AnnelidError, InputError, OutputError, SpecError
from annelid.modules import MODULES
from annelid.spec import Spec
from annelid.systems import SYSTEMS
from annelid.trial.load import load, parse, shipped
from annelid.trial.scenario import Scenario
from annelid.trial.toml import dumps

UPLOAD_MAX = 64 * 1024
"""Bytes of a scenario."""
CHAIN_MAX = 120
PAUSE_S = 0.6
"""Without a keystroke; then what is written is shown."""
AS_IT_IS = "as it is"

WORLDS: Mapping[str, str] = {
    "straight pipe": 'kind = "pipe"\nbore_mm = 40\nparts = [{part = "straight", length_mm = 600}]',
    "pipe with an elbow": (
        'kind = "pipe"\nbore_mm = 40\nparts = [\n'
        '  {part = "straight", length_mm = 350},\n'
        '  {part = "elbow", angle_deg = 90, radius_mm = 60},\n'
        '  {part = "straight", length_mm = 350},\n]'
    ),
    "open air": 'kind = "open-air"',
    "undulating terrain": 'kind = "terrain"\namplitude_mm = 10\nwavelength_mm = 200',
    "tilted plane": 'kind = "plane"\nslope_deg = 10',
}
GAITS: Mapping[str, str] = {
    "snake": '[[gaits]]\ngait = "snake"\nmove = "forward"',
    "push": '[[gaits]]\ngait = "push"\n\n[[gaits]]\ngait = "relax"\nmodules = "R"',
    "inchworm": '[[gaits]]\ngait = "inchworm"',
}


class Build:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        gui = desk.server.gui
        types = desk.plugins.table(MODULES)
        self._titles = {f"{letter}: {types[letter].title}": letter for letter in types}
        self._base: Scenario | None = None
        """What is open; all that has no field here stays as it is there."""
        self._shown = self._seen = self._written = ("", "", "")
        """Texts: of what is open, at the last look, and as they last failed."""
        self._since = 0.0
        open_ = gui.add_dropdown("Open", ("–", *shipped()))
        self._chain = gui.add_text("Chain", "", hint="Letters of modules, head first")
        self._module = gui.add_dropdown("Shelf", tuple(self._titles))
        shelf_buttons = gui.add_button_group("Module", ("Add", "Take off"))
        world = gui.add_dropdown("World", (AS_IT_IS, *WORLDS))
        self._world = gui.add_text("World (TOML)", "", multiline=True)
        controls = {**GAITS, **_examples(desk)}
        control = gui.add_dropdown("Control", (AS_IT_IS, *controls))
        self._control = gui.add_text("Control (TOML)", "", multiline=True)
        self._state = gui.add_html("")
        self._name = gui.add_text("Name", "mine")
        save = gui.add_button("Save as a scenario", icon=viser.Icon.DEVICE_FLOPPY)
        upload = gui.add_upload_button(
            "Open a file (.toml)", mime_type=".toml", icon=viser.Icon.UPLOAD
        )
        open_.on_update(trying(desk, self._open))
        shelf_buttons.on_click(trying(desk, self._pick))
        world.on_update(
            trying(desk, lambda event: self._fill(self._world, WORLDS, event.target.value))
        )
        control.on_update(
            trying(desk, lambda event: self._fill(self._control, controls, event.target.value))
        )
        save.on_click(trying(desk, self._save))
        upload.on_upload(trying(desk, self._upload))

    def renew(self, built: Built) -> None:
        """What is open stands here to be edited, unless it was opened from here."""
        scenario = self._desk.session.scenario
        if scenario is None or scenario is self._base:
            return
        self._base = scenario
        put(self._chain, scenario.robot.chain or "")
        put(self._world, _written(scenario.world))
        put(self._control, _written(scenario.control))
        put(self._name, f"my-{scenario.name}"[:80])
        self._shown = self._seen = self._texts()
        self._state.content = ""

    def draw(self) -> None:
        """What is written is shown as soon as nobody has typed for a moment."""
        texts, now = self._texts(), time.monotonic()
        if texts != self._seen:
            self._seen, self._since = texts, now
        if texts == self._shown or texts == self._written or now - self._since < PAUSE_S:
            return
        if not self._desk.session.built or not self._desk.session.built.live:
            return
        self._written = texts
        try:
            scenario = self._scenario()
        except AnnelidError as error:
            self._state.content = look.html(look.bad(str(error)))
            return
        self._state.content = ""
        self._shown, self._base = texts, scenario
        self._show(scenario)

    def _texts(self) -> tuple[str, str, str]:
        return str(self._chain.value).strip(), str(self._world.value), str(self._control.value)

    @staticmethod
    def _fill(text: viser.GuiTextHandle, table: Mapping[str, str], choice: str) -> None:
        if choice in table:
            put(text, table[choice])

    def _open(self, event: Any) -> None:
        if event.target.value in shipped():
            self._show(load(event.target.value, plugins=self._desk.plugins))

    def _pick(self, event: Any) -> None:
        if event.target.value == "Add":
            put(self._chain, self._chain.value + self._titles[self._module.value])
        else:
            put(self._chain, self._chain.value[:-1])

    def _save(self, event: Any) -> None:
        scenario = self._scenario()
        text = dumps(scenario.model_dump(mode="json"))
        if event.client is not None:
            event.client.send_file_download(
                f"{scenario.name}.toml", text.encode(), save_immediately=True
            )
        if self._desk.may_edit(event):
            self._desk.say("Saved", f"as {_write(scenario.name, text)}")

    def _show(self, scenario: Scenario) -> None:
        self._desk.session.open(scenario, paused=True)

    def _upload(self, event: Any) -> None:
        file = event.target.value
        require_short(shortened(str(file.name)), file.content)
        try:
            text = file.content.decode("utf-8")
        except UnicodeDecodeError:
            raise SpecError(f"{file.name}: expected text (UTF-8)") from None
        name = shortened(str(file.name))
        self._show(parse(parse_toml(text, name), plugins=self._desk.plugins, where=name))

    def _scenario(self) -> Scenario:
        """The one that is open, with what is written here."""
        base = self._base
        if base is None:
            raise InputError("nothing is open yet")
        chain = self._chain.value.strip()
        if len(chain) > CHAIN_MAX:
            raise InputError(f"chain: expected {CHAIN_MAX} modules at most, got {len(chain)}")
        table = base.model_dump(mode="json")
        for name, text in (("world", self._world.value), ("control", self._control.value)):
            require_short(name, text)
        table["name"] = self._name.value.strip() or "mine"
        table["world"] = parse_toml(self._world.value, "world")
        table["control"] = parse_toml(self._control.value, "control")
        if chain != (base.robot.chain or ""):
            table["robot"] = {"chain": chain}
        if (chain, self._control.value) != (self._shown[0], self._shown[2]):
            table |= {"faults": [], "events": []}  # they name parts of the robot that was
        return parse(table, plugins=self._desk.plugins, where="this page")


def require_short(name: str, content: str | bytes) -> None:
    """Refuse more than a scenario has: the server that reads it is everybody's."""
    if len(content) > UPLOAD_MAX:
        raise InputError(
            f"{name}: expected {UPLOAD_MAX // 1024} KiB at most, got {len(content) / 1024:.1f}"
        )


def _examples(desk: Desk) -> dict[str, str]:
    """Of the systems that have one to begin with."""
    systems = desk.plugins.table(SYSTEMS)
    made = {name: systems[name].example for name in systems}
    return {name: text for name, text in made.items() if text}


def _written(spec: Spec) -> str:
    """What was said of it, without what nobody said."""
    return dumps(spec.model_dump(mode="json", exclude_unset=True)).strip()


def _write(name: str, text: str) -> Path:
    """Beside the runs, and over nothing."""
    for number in range(1, 1000):
        path = Path(f"{name}.toml" if number == 1 else f"{name}-{number}.toml")
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            continue
        except OSError as error:
            raise OutputError(f"{path}: {error.strerror}") from None
        return path
    raise OutputError(f"{name}.toml: there are too many of that name already")
