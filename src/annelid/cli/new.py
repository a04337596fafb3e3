"""``annelid new``: a working module type or world in one file, with its test, to start from.

The templates are small but real: they build, run and pass their own test, ruff and mypy, so that
a beginner changes something that works.
"""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from string import Template

from annelid.errors import InputError, OutputError

MODULE = Template('''"""$letter: the $words module, a shell with one servo that bends it sideways.

Use it with ``annelid run SCENARIO --plugin $name.py``,
in a chain such as "T${letter}${letter}H".
"""

from __future__ import annotations

from math import radians
from typing import ClassVar

from pydantic import Field

from annelid.modules.servos import MICROTUB, ServoChoice
from annelid.modules.shells import VIOLET, back, front, shell
from annelid.robot import Capabilities, ModuleType
from annelid.robot.body import Body, Joint, Part, ServoMount


class $Class(ModuleType):
    """Every field is a parameter that a scenario can set ([robot.each.$letter])."""

    letter: ClassVar[str] = "$letter"
    wire_id: ClassVar[str] = "$wire"
    title: ClassVar[str] = "$words"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of(RotY=3)

    length_mm: float = Field(default=40.0, gt=0)
    mass_g: float = Field(default=20.0, gt=0)
    bend_deg: float = Field(default=60.0, gt=0, le=90)
    servo: ServoChoice = MICROTUB

    def body(self) -> Body:
        """Two halves of shell; the hinge between them stands upright.  Metres, kilograms, rad."""
        half = self.length / 2
        limit = radians(self.bend_deg)
        bend = Joint(name="bend", kind="hinge", axis=(0.0, 0.0, -1.0), range=(-limit, limit))
        return Body(
            parts=(
                Part(name="front", geoms=shell(0.0, -half, mass=self.mass / 2, colour=VIOLET)),
                Part(
                    name="back",
                    parent="front",
                    at=(-half, 0.0, 0.0),
                    joint=bend,
                    geoms=shell(0.0, -half, mass=self.mass / 2, colour=VIOLET),
                ),
            ),
            faces=(front(), back("back", (-half, 0.0, 0.0))),
            mounts=(ServoMount(name="bend", servo=self.servo, joints=("bend",)),),
            friction=self.friction,
        )
''')

MODULE_TEST = Template('''"""The $words module docks into a chain and weighs what it should."""

from pathlib import Path

import pytest

from annelid.modules import shelf
from annelid.robot import Robot, assemble, chain
from annelid.trial.plugins import load

PLUGIN = Path(__file__).with_name("$name.py")


def build(letters: str, **parameters: float) -> Robot:
    return assemble(chain(letters, $letter=parameters), shelf(*load([PLUGIN]).modules))


def test_a_chain_with_it_weighs_the_sum_of_its_modules() -> None:
    with_it, without = build("T${letter}P"), build("TP")
    assert with_it.mass - without.mass == pytest.approx(0.020)


def test_its_parameters_can_be_set() -> None:
    assert build("$letter", mass_g=50).mass == pytest.approx(0.050)


def test_its_servo_bends_it() -> None:
    (module,) = build("$letter").modules
    assert [mount.name for mount in module.body.mounts] == ["bend"]
''')

WORLD = Template('''"""The $words world: a floor with a row of steps across the way.

Use it with ``annelid run SCENARIO --plugin $name.py``,
where the scenario's world has kind = "$kind".
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from annelid.worlds import Block, Pose, Scenery, Surface, World


class $Class(World):
    """Every field is a parameter that a scenario can set."""

    title: ClassVar[str] = "$words"

    kind: Literal["$kind"] = "$kind"
    surface: Surface = Surface(friction=0.6)
    steps: int = Field(default=3, ge=0, le=100)
    step_mm: float = Field(default=5.0, gt=0, le=100)
    """Height of a step."""
    apart_mm: float = Field(default=200.0, ge=20)

    def scenery(self, robot_length: float) -> Scenery:
        """Metres.  The robot's nose starts at the origin, looking along x, 14 mm above ground."""
        half = self.step_mm / 2000
        floor = Block(shape="plane", size=(0.0, 0.0), name="floor")
        steps = [
            Block(
                shape="box",
                size=(0.01, 0.3, half),
                at=(self.apart_mm / 1000 * (index + 1), 0.0, half),
                grey=0.3,
                name=f"step{index + 1}",
            )
            for index in range(self.steps)
        ]
        return Scenery(start=Pose((0.0, 0.0, 0.014)), blocks=(floor, *steps))

    @property
    def goal(self) -> float:
        """Beyond the last step."""
        return self.apart_mm / 1000 * (self.steps + 1)
''')

WORLD_TEST = Template('''"""The $words world has its steps in place and refuses nonsense."""

from pathlib import Path

import pytest

from annelid.errors import SpecError
from annelid.trial.plugins import load
from annelid.worlds import World, parse_world, worlds

PLUGIN = Path(__file__).with_name("$name.py")


def build(**fields: float) -> World:
    registry = worlds(*load([PLUGIN]).worlds)
    return parse_world({"kind": "$kind", **fields}, registry)


def test_the_steps_stand_across_the_way() -> None:
    scenery = build(steps=2, apart_mm=300).scenery(robot_length=0.2)
    places = [block.at[0] for block in scenery.blocks if block.name.startswith("step")]
    assert places == pytest.approx([0.3, 0.6])


def test_the_goal_is_beyond_the_last_step() -> None:
    assert build(steps=2, apart_mm=300).goal == pytest.approx(0.9)


def test_a_step_must_have_a_height() -> None:
    with pytest.raises(SpecError, match="step_mm"):
        build(step_mm=-1)
''')


def new_module(name: str, folder: Path) -> list[Path]:
    """Write ``name.py`` and ``test_name.py``: a module type with a letter that is free."""
    from annelid.modules import shelf

    _check_name(name)
    types = shelf()
    near = "".join(re.findall(r'letter: ClassVar\[str\] = "(.)"', _sources(folder)))
    wire = {kind.wire_id.upper() for kind in types.values()}
    wanted = [*name.upper(), *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    free = [c for c in wanted if c.isalpha() and c not in types and c not in wire and c not in near]
    if not free:
        raise InputError("new module: all 26 letters are taken")
    names = {"letter": free[0], "wire": free[0].lower()}
    return _write(name, folder, (MODULE, MODULE_TEST), names)


def new_world(name: str, folder: Path) -> list[Path]:
    """Write ``name.py`` and ``test_name.py``: a world of the kind ``name``."""
    from annelid.worlds import worlds

    _check_name(name)
    kind = name.replace("_", "-")
    if kind in (taken := worlds()):
        raise InputError(f"new world: kind {kind!r} is taken; taken kinds: {', '.join(taken)}")
    return _write(name, folder, (WORLD, WORLD_TEST), {"kind": kind})


def next_steps(written: list[Path]) -> str:
    """What to type next, for the terminal."""
    plugin, test = written
    return (
        f"Wrote {plugin} and {test}. Next:\n"
        f"  python -m pytest {test}\n"
        f"  annelid run SCENARIO --plugin {plugin}"
    )


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,29}", name) or keyword.iskeyword(name):
        raise InputError(
            "new: name: expected a Python name of at most 30 small letters, digits and "
            f"underscores, such as 'wheel' or 'front_wheel', got {name!r}"
        )


def _sources(folder: Path) -> str:
    """The plugins that are already there, whose letters this one should not take."""
    return "\n".join(p.read_text(errors="replace") for p in sorted(folder.glob("*.py")))


def _write(
    name: str, folder: Path, templates: tuple[Template, Template], names: dict[str, str]
) -> list[Path]:
    names |= {"name": name, "words": name.replace("_", " ").strip()}
    names["Class"] = "".join(word.capitalize() for word in name.split("_"))
    paths = [folder / f"{name}.py", folder / f"test_{name}.py"]
    for path in paths:
        if path.exists():
            raise InputError(f"new: {path} exists already; choose another name or --folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, template in zip(paths, templates, strict=True):
            path.write_text(template.substitute(names), encoding="utf-8")
    except OSError as error:
        raise OutputError(f"new: cannot write {error.filename}: {error.strerror}") from None
    return paths
