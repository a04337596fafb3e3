"""A plugin file adds to the shelf; a faulty one is named with its line, without a traceback."""

from __future__ import annotations

import io
import pickle
import sys

import pytest

from annelid.errors import InputError, MissingFile
from annelid.modules import MODULES
from annelid.robot import assemble, chain
from annelid.trial.load import parse
from annelid.trial.plugins import Plugins, load
from annelid.trial.run import Trial
from annelid.worlds import WORLDS, parse_world

FLOOR = """
from __future__ import annotations
from typing import ClassVar, Literal
from annelid.modules.passive import Passive
from annelid.worlds import Block, Pose, Scenery, World

NOTES = ["lists cannot be hashed"]

class Floor(World):
    title: ClassVar[str] = "floor"
    kind: Literal["floor"] = "floor"
    def scenery(self, robot_length: float) -> Scenery:
        return Scenery(start=Pose((0.0, 0.0, 0.02)), blocks=(Block(shape="plane", size=(0, 0)),))
"""

MODULE = """
from typing import ClassVar
from annelid.modules.passive import Passive

class Ballast(Passive):
    letter: ClassVar[str] = {letter!r}
    mass_g: float = 200.0
"""


BEHAVIOUR = """
import numpy as np
from annelid.systems.microtub.central.behaviours import CentralBehaviour
from annelid.systems.microtub.central.behaviours.base import DESTINATION, GOAL

class Shy(CentralBehaviour):
    name = "shy"
    level = GOAL

    def condition(self, knowledge, /):
        return knowledge.task.going_on

    def propose(self, knowledge, /):
        yield self.proposal(DESTINATION, np.array([-1.0, 0.0]), reason="home is nicer")
"""


@pytest.fixture
def write(tmp_path):
    def write(text, name="plugin.py"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_no_plugins():
    assert load([]) == Plugins()


def test_a_file_brings_a_world_and_only_its_own(write):
    plugins = load([write(FLOOR)])
    assert [world.__name__ for world in plugins.of(WORLDS)] == ["Floor"]
    assert plugins.of(MODULES) == ()
    assert parse_world({"kind": "floor"}, plugins.table(WORLDS)).scenery(0.1).blocks


def test_a_file_brings_a_module(write):
    plugins = load([write(MODULE.format(letter="Z"))])
    robot = assemble(chain("TZ"), plugins.table(MODULES))
    assert robot["Z1"].body.mass == pytest.approx(0.2)


def test_the_same_file_twice_is_one_plugin(write):
    path = write(FLOOR)
    assert len(load([path, path]).of(WORLDS)) == 1


def test_what_it_defines_can_be_sent_to_a_worker(write):
    world = load([write(FLOOR)]).of(WORLDS)[0](kind="floor", gravity=1.6)
    assert pickle.loads(pickle.dumps(world)) == world


def test_loading_a_file_again_leaves_what_was_made_of_it_whole(write):
    path = write(FLOOR)
    world = load([path]).of(WORLDS)[0](kind="floor")
    load([path])
    assert pickle.loads(pickle.dumps(world)) == world


def test_an_edit_is_seen_at_once(write):
    load([write(FLOOR)])
    (world,) = load([write(FLOOR.replace('"floor"', '"glass"'))]).of(WORLDS)
    assert world.title == "glass"


def test_a_letter_that_is_taken_is_refused(write):
    with pytest.raises(InputError, match=r"plugin\.py: module 'R' is there already"):
        load([write(MODULE.format(letter="R"))])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n\nx = = 2\n", r"plugin\.py:3: SyntaxError: invalid syntax"),
        ("import annelid\n1 / 0\n", r"plugin\.py:2: ZeroDivisionError: division by zero"),
        ("import wheels_of_fortune\n", r"plugin\.py:1: ModuleNotFoundError: No module named"),
        ("import sys\nsys.exit(3)\n", r"plugin\.py:2: SystemExit: 3"),
        ("x = 1\n", "defines nothing that can be used; expected one of: module"),
        ("from annelid.modules.rotation import Rotation\n", "defines nothing that can be used"),
        ("from annelid.worlds import World\nclass W(World): ...\n", r"W lacks scenery\(\)"),
        (MODULE.format(letter="kk"), "Ballast.letter: expected one capital letter, got 'kk'"),
        (FLOOR.replace(': Literal["floor"] = "floor"', ": str"), "Floor has no kind"),
        (FLOOR.replace('    title: ClassVar[str] = "floor"\n', ""), "Floor does not set title"),
    ],
)
def test_a_faulty_file_is_told_in_one_message(write, text, message):
    with pytest.raises(InputError, match=message) as caught:
        load([write(text)])
    assert "Traceback" not in str(caught.value)
    assert "\n" not in str(caught.value)


STIFF = """
from annelid.modules.rotation import Rotation
class Stiff(Rotation):
    letter = "W"
    wire_id = "w"
    title = "stiff"
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("class X(BaseException): pass\nraise X('hi')\n", r"plugin\.py:2: X: hi"),
        ("raise GeneratorExit\n", r"plugin\.py:1: GeneratorExit"),
        ("import asyncio; raise asyncio.CancelledError\n", r"plugin\.py:1: CancelledError"),
        ("import sys\ndel sys.modules[__name__]\nraise ValueError\n", r"plugin\.py:3: ValueError"),
        (
            "raise type('E', (Exception,), {'__str__': lambda s: 1 / 0})()\n",
            r"py:1: E, whose message",
        ),
        ("raise Exception('\\x1b[31mred\\nline2\\n' * 50)\n", r"py:1: Exception: \\x1b\[31mred"),
        (
            "class M(type):\n    def __getattribute__(self, n): raise RuntimeError('evil ' + n)\n"
            "class A(metaclass=M): pass\n",
            r"plugin\.py:2: A: RuntimeError: evil ",
        ),
        (
            STIFF + "    def body(self):\n        raise SystemExit(3)\n",
            r"py:8: Stiff: SystemExit: 3",
        ),
        (STIFF + "    def body(self): return None\n", r"plugin\.py:3: Stiff: AttributeError"),
    ],
    ids=["base", "exit", "cancelled", "gone", "mute", "colours", "metaclass", "body", "none"],
)
def test_whatever_a_file_raises_is_told_as_its_own_fault(write, text, message):
    with pytest.raises(InputError, match=message) as caught:
        load([write(text)])
    assert "\n" not in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_ctrl_c_is_nobodys_fault(write):
    with pytest.raises(KeyboardInterrupt):
        load([write("raise KeyboardInterrupt\n")])


def test_a_file_that_closes_a_stream_is_told(write, monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with pytest.raises(InputError, match=r"plugin\.py: closed sys\.stdout"):
        load([write(STIFF + "import sys\nsys.stdout.close()\n")])
    assert not sys.stdout.closed


@pytest.mark.parametrize("name", ["'/nowhere'", "5"])
def test_a_file_may_call_itself_what_it_likes(write, name):
    brought = load([write(f"{STIFF}\n__file__ = {name}\n")]).of(MODULES)
    assert str(sys.modules[brought[0].__module__].__file__).endswith("plugin.py")


def test_a_missing_file(tmp_path):
    with pytest.raises(MissingFile, match=r"nowhere\.py: no such Python file"):
        load([tmp_path / "nowhere.py"])
    with pytest.raises(MissingFile, match="is a folder"):
        load([tmp_path])
    (tmp_path / "loop.py").symlink_to("loop.py")
    with pytest.raises(MissingFile, match=r"loop\.py: .*symbolic links"):
        load([tmp_path / "loop.py"])


def test_a_behaviour_of_the_central_control_is_one_file(write):
    """Nothing of the system is edited: the file alone makes the robot go back."""
    plugins = load([write(BEHAVIOUR)])
    options = {"operator": [{"at_s": 1.2, "say": "EXP"}], "environment": "pipe"}
    table = {
        "duration_s": 1.6,
        "physics": {"timestep_ms": 1},
        "robot": {"chain": "HV"},
        "world": {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 300}]},
        "control": {"system": "microtub", "options": options},
    }
    trial = Trial(parse(table, plugins=plugins, where="test"), plugins=plugins)
    moves = []
    trial.listeners.append(lambda t, who, kind, d: moves.append(d) if kind == "movement" else None)
    trial.measure()
    assert moves[0]["name"] == "push backwards"
    table["control"] = {"system": "erekobot"}
    other = parse({**table, "robot": {"chain": "KKK"}, "world": {"kind": "open-air"}})
    with pytest.raises(InputError, match="erekobot: behaviour Shy: expected none, got"):
        Trial(other, plugins=plugins)
