"""``annelid new``: writes a working plugin of any kind, with its test, to start from.

The templates (``annelid/templates``) are small but real: they run and pass their own test, ruff and
mypy, so that a beginner changes something that works.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from annelid.errors import InputError, OutputError
from annelid.registry import kind

RUN: Final = "annelid run {scenario} --plugin {plugin}"
EXPLORE: Final = "explore-straight"
"""A scenario of MICROTUB."""
EVOLVE: Final = "annelid evolve STUDY --plugin {plugin}"
_LETTER: Final = re.compile(r'letter: ClassVar\[str\] = "(.)"')


@dataclass(frozen=True)
class Beginning:
    """How one of a kind begins."""

    sets: str = ""
    """Options of ``run`` by which a shipped scenario uses it."""
    scenario: str = "snake"
    """That scenario."""
    use: str = RUN
    """What to type when it works."""
    tagged: Callable[[str], str] = lambda name: name.replace("_", "-")
    """From the name of its file to the name by which others choose it."""


BEGINNINGS: Final[Mapping[str, Beginning]] = {
    "module": Beginning(
        "--set robot.chain={letter}{letter}{letter}{letter} --set control.gaits.0.modules={letter}"
    ),
    "world": Beginning("--set world.kind={tag}"),
    "gait": Beginning("--set \"control.gaits=[{{gait='{tag}'}}]\""),
    "controller": Beginning("--set \"control.controller={{controller='{tag}'}}\""),
    "servo": Beginning("--set robot.each.R.servo={tag}"),
    "system": Beginning('--set "control.gaits=[]" --set control.system={tag}'),
    "link": Beginning("--set control.links.bus={tag}", EXPLORE),
    "behaviour": Beginning(scenario=EXPLORE, tagged=lambda name: name.replace("_", " ")),
    "rule": Beginning(scenario=EXPLORE),
    "fault": Beginning(
        "--set \"faults=[{{fault='{tag}', module='R1'}}]\"", tagged=lambda name: name
    ),
    "objective": Beginning(use=EVOLVE),
    "measure": Beginning(use=EVOLVE),
    "optimiser": Beginning(use=EVOLVE),
}
"""By kind."""


def new(what: str, name: str, folder: Path) -> list[Path]:
    """Write ``name.py`` and ``test_name.py``."""
    _check_name(name)
    tag = BEGINNINGS[what].tagged(name)
    names = {"kind": tag, "tag": tag}
    if what == "module":
        letter = _free_letter(name, folder)
        names |= {"letter": letter, "wire": letter.lower()}
    elif tag in (taken := kind(what).table()):
        raise InputError(f"new {what}: {tag!r} is taken; taken names: {', '.join(taken)}")
    return _write(what, name, folder, names)


def next_steps(what: str, written: list[Path]) -> str:
    """What to type next, for the terminal."""
    plugin, test = written
    beginning = BEGINNINGS[what]
    letter = _LETTER.search(plugin.read_text(encoding="utf-8"))
    sets = beginning.sets.format(
        tag=beginning.tagged(plugin.stem), letter="" if letter is None else letter[1]
    )
    use = beginning.use.format(scenario=beginning.scenario, plugin=plugin)
    return f"Wrote {plugin} and {test}. Next:\n  python -m pytest {test}\n  {use} {sets}".rstrip()


def _free_letter(name: str, folder: Path) -> str:
    """One of the name's, if possible; neither of a module type nor of a plugin that is there."""
    from annelid.modules import shelf

    types = shelf()
    near = "".join(_LETTER.findall(_sources(folder)))
    wire = {each.wire_id.upper() for each in types.values()}
    wanted = [*name.upper(), *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    free = [c for c in wanted if c.isalpha() and c not in types and c not in wire and c not in near]
    if not free:
        raise InputError("new module: all 26 letters are taken")
    return str(free[0])


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,29}", name) or keyword.iskeyword(name):
        raise InputError(
            "new: name: expected a Python name of at most 30 small letters, digits and "
            f"underscores, such as 'wheel' or 'front_wheel', got {name!r}"
        )


def _sources(folder: Path) -> str:
    """The plugins that are already there, whose letters this one should not take."""
    return "\n".join(p.read_text(errors="replace") for p in sorted(folder.glob("*.py")))


def _write(what: str, name: str, folder: Path, names: dict[str, str]) -> list[Path]:
    names |= {"name": name, "words": name.replace("_", " ").strip()}
    names["Class"] = "".join(word.capitalize() for word in name.split("_"))
    paths = [folder / f"{name}.py", folder / f"test_{name}.py"]
    for path in paths:
        if path.exists():
            raise InputError(f"new: {path} exists already; choose another name or --folder")
    shelf = files("annelid") / "templates"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        texts = [
            (shelf / template).read_text(encoding="utf-8")
            for template in (f"{what}.txt", f"test_{what}.txt")
        ]
        if re.search(rf"\b{names['Class']}\b", texts[0]):  # something that the file imports
            names["Class"] += what.capitalize()
        for path, text in zip(paths, texts, strict=True):
            path.write_text(Template(text).substitute(names), encoding="utf-8")
    except OSError as error:
        raise OutputError(f"new: cannot write {error.filename}: {error.strerror}") from None
    return paths
