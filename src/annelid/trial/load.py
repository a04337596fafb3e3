"""Loads a scenario from a file or a shipped name, checks it, and says what is wrong.

What can be wrong with a scenario is found here, before anything is simulated: fields, letters,
gaits that move nothing, faces that do not exist.  What only shows on the compiled robot (a board
or link that a fault names) is found when the trial is built, before a folder is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from annelid.boundary.files import find_file, read_toml
from annelid.boundary.plain import admit
from annelid.errors import InputError, SpecError, UnknownName
from annelid.modules import MODULES
from annelid.motion import BoundGaits, bind
from annelid.robot import Robot, assemble
from annelid.robot.drawing import require_possible
from annelid.spec import faults_named
from annelid.trial.fields import check_field, set_field, table_of
from annelid.trial.plugins import Plugins
from annelid.trial.scenario import Scenario
from annelid.trial.toml import dumps
from annelid.worlds import World

DEFAULT = "default"


def shipped(*, claims: bool = False) -> dict[str, Path]:
    """The scenarios that come with Annelid, by name; ``claims``: those that the papers' claims are
    measured with."""
    folder = Path(str(files("annelid"))) / "scenarios" / ("claims" if claims else "")
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def load(
    source: str | Path | Mapping[str, Any] | Scenario = DEFAULT,
    *,
    plugins: Plugins = Plugins(),  # noqa: B008  frozen and empty
    overrides: Mapping[str, Any] | None = None,
) -> Scenario:
    """A scenario by path, shipped name or table, or one that is there; set ``overrides`` (dotted
    field to value), check."""
    if isinstance(source, Scenario):
        return changed(checked(source, plugins, where=source.name), overrides, plugins=plugins)
    if isinstance(source, Mapping):
        return changed(parse(source, plugins=plugins), overrides, plugins=plugins)
    path = find(source)
    scenario = parse(read_toml(path), plugins=plugins, where=str(source), folder=path.parent)
    return changed(scenario, overrides, plugins=plugins, where=str(source))


def find(source: str | Path) -> Path:
    """The file of a path or a shipped name."""
    if not isinstance(source, str | Path):
        raise InputError(f"scenario: expected a name, a file or a table, got {source!r:.60}")
    return find_file(source, "scenario", lambda: shipped() | shipped(claims=True))


def parse(
    data: Mapping[str, Any],
    *,
    plugins: Plugins = Plugins(),  # noqa: B008
    where: str = "scenario",
    folder: Path | None = None,
) -> Scenario:
    """A checked scenario from its table; files it names are looked for in ``folder``."""
    context = {**plugins.context, "folder": folder}
    admit(data, where)
    with faults_named(where), naming(where):
        scenario = Scenario.model_validate(data, context=context)
    return checked(scenario, plugins, where=where)


def checked(scenario: Scenario, plugins: Plugins, *, where: str) -> Scenario:
    """The same scenario, if its parts fit each other."""
    with naming(where):
        robot, _ = resolve(scenario, plugins)
        bound(scenario, robot)
        if scenario.tolerances.draw:
            require_possible(scenario.tolerances, robot)
        _check_events(scenario, robot)
    return scenario


def changed(
    scenario: Scenario,
    overrides: Mapping[str, Any] | None,
    *,
    plugins: Plugins = Plugins(),  # noqa: B008
    where: str = "scenario",
) -> Scenario:
    """The scenario with some fields set, checked as if they had stood in the file."""
    if not overrides:
        return scenario
    types = plugins.table(MODULES)
    data = scenario.model_dump(mode="json")
    for field, value in overrides.items():
        check_field(field, scenario, types, where=where)
        if field == "world.kind" and value != scenario.world.kind:
            data["world"] = {"kind": value}  # nothing of the old world fits another one
        elif field == "control.system" and value != scenario.control.system:
            control = table_of(data, "control", where=where)
            control.update(system=value, options=None)  # another one's mean nothing
        elif field == "robot.chain":
            table_of(data, "robot", where=where).update(modules=[], docks=None, chain=value)
        else:
            set_field(data, field, value, where=where)
    told = ", ".join(f"{field}={value}" for field, value in overrides.items())
    return parse(data, plugins=plugins, where=f"{where} with {told}")


def resolve(scenario: Scenario, plugins: Plugins = Plugins()) -> tuple[Robot, World]:  # noqa: B008
    """The robot with every module looked up, and its world."""
    robot = assemble(scenario.robot, plugins.table(MODULES), context=plugins.context)
    return robot, scenario.world


def bound(scenario: Scenario, robot: Robot) -> BoundGaits:
    """The scenario's gaits, ready to be asked at any time."""
    with naming("control."):
        return bind(scenario.control.gaits, robot)


def save(scenario: Scenario, path: Path, *, plugins: Plugins = Plugins()) -> None:  # noqa: B008
    """Write the scenario in full, and make sure that it reads back as the same."""
    path.write_text(dumps(scenario.model_dump(mode="json")), encoding="utf-8")
    if parse(read_toml(path), plugins=plugins, where=str(path), folder=path.parent) != scenario:
        raise SpecError(
            f"{path}: this scenario cannot be written as TOML without loss; a parameter set to "
            "None where its default is a number is the usual reason"
        )


@contextmanager
def naming(where: str) -> Iterator[None]:
    """Put the file, or the field, in front of what is wrong."""
    try:
        yield
    except InputError as error:
        joint = "" if where.endswith(".") else ": "
        error.args = ("\n".join(f"{where}{joint}{line}" for line in str(error).splitlines()),)
        raise


def _check_events(scenario: Scenario, robot: Robot) -> None:
    faces = [f"{m.name}.{face.name}" for m in robot.modules for face in m.body.faces]
    for place, event in enumerate(scenario.events):
        for field, face in (("a", event.a), ("b", event.b)):
            if face not in faces:
                raise UnknownName("face", face, faces, where=f"events.{place}.{field}")
