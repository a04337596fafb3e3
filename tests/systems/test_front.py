"""A system from a plugin file has words, a report section and commands as the shipped ones have."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.errors import SpecError
from annelid.report import write_report
from annelid.systems import SYSTEMS
from annelid.systems.front import Form, Number, Place, found
from annelid.systems.verbs import verbs
from annelid.trial.load import parse
from annelid.trial.outside import Say
from annelid.trial.plugins import load as load_plugins
from annelid.trial.replay import Run
from annelid.trial.run import Trial

LAMP = Path(__file__).parents[1] / "plugins" / "lamp.py"
SCENARIO = """
name = "lamp"
duration_s = 0.5
[robot]
chain = "RR"
[world]
kind = "open-air"
[control]
system = "lamp"
"""

COMMANDS = (
    *("run", "console", "operate", "central", "sweep", "replay", "compare", "bus", "infer"),
    *("scenarios", "modules", "worlds", "new", "export", "evolve", "landscape", "studies"),
    *("reproduce", "bench", "converge", "erekobot", "study"),
)

HELP = """
import sys
from annelid.cli.main import app
app(standalone_mode=False)
print("loaded:", {"mujoco", "numba", "pyarrow", "matplotlib"} & set(sys.modules))
"""


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    file = tmp_path / "lamp.toml"
    file.write_text(SCENARIO)
    return file


def test_the_report_of_a_plugins_system_has_its_sections(tmp_path: Path) -> None:
    plugins = load_plugins([LAMP])
    table = {
        "duration_s": 0.5,
        "robot": {"chain": "RR"},
        "world": {"kind": "open-air"},
        "control": {"system": "lamp"},
    }
    trial = Trial(parse(table, plugins=plugins), plugins=plugins)
    run = trial.run(tmp_path / "run")
    html = write_report(run.folder, video=False, plugins=plugins).report.read_text()
    (light,) = re.findall(r"<section>\s*<h2>Light</h2>.*?</section>", html, re.DOTALL)
    assert "How bright it is." in light
    assert light.count("<td>1.25</td>") == 5, "a row for each time it told"
    for words in ("level (cd)", "bright", "dim", "half 1", "half 2", "target[R1.yaw]"):
        assert f">{words}</text>" in light
    assert "It told its level 5 times." in html
    assert "Dark" not in html, "nothing was recorded for it"


def test_the_documented_system_works(tmp_path: Path, scenario: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "systems.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "mine.py").write_text(code)
    folder = tmp_path / "run"
    command = ["run", str(scenario), "--plugin", str(tmp_path / "mine.py"), "--no-video"]
    told = CliRunner().invoke(app, [*command, "--out", str(folder)])
    assert told.exit_code == 0, told.output
    assert "<h2>Light</h2>" in (folder / "report.html").read_text()


def test_a_plugins_system_is_operated_from_the_keyboard(tmp_path: Path, scenario: Path) -> None:
    folder = tmp_path / "run"
    typed = "help\nglow 3\nwait 0.2\nlamp 3\nwait 0.2\nquit\n"
    told = CliRunner().invoke(
        app,
        ["operate", str(scenario), "--plugin", str(LAMP), "--out", str(folder), "--speed", "100"],
        input=typed,
    )
    assert told.exit_code == 0, told.output
    for words in ("lamp LEVEL   candela", "expected lamp LEVEL, got 'glow 3'", "shines with 3 cd"):
        assert words in told.output
    said = [each.what for each in Run(folder, plugins=load_plugins([LAMP])).outside]
    assert said == [Say(line="lamp 3")]


def test_only_a_robot_with_a_central_control_can_have_it_elsewhere(scenario: Path) -> None:
    command = ["operate", str(scenario), "--plugin", str(LAMP), "--central", "tcp:0"]
    told = CliRunner().invoke(app, command)
    assert "--central: lamp has no central control" in str(told.exception)


@pytest.mark.parametrize(("shipped", "line"), [("erekobot", "stop"), ("climber", "go 10 0")])
def test_shipped_robots_with_a_terminal_are_operated(
    shipped: str, line: str, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    typed = f"help\nfly\nwait 0.3\n{line}\nwait 0.1\nquit\n"
    told = CliRunner().invoke(
        app, ["operate", shipped, "--out", str(folder), "--speed", "1000"], input=typed
    )
    assert told.exit_code == 0, told.output
    assert f"{line.split(maxsplit=1)[0]} " in told.output
    assert "got 'fly'" in told.output
    assert [each.what for each in Run(folder).outside] == [Say(line=line)]


def test_a_form_with_an_unknown_field_is_refused() -> None:
    with pytest.raises(SpecError, match="unknown field 'lvl'; known: v"):
        Form("Lamp", {"On": "lamp {lvl}"}, (Number("v", 5),))


def test_every_place_that_a_shipped_system_names_is_there() -> None:
    systems = SYSTEMS.table()
    places: list[Place | None] = [verb.place for verb in verbs()]
    for name in systems:
        system = systems[name]
        places += [system.report, system.bench, *system.measures.values()]
        if system.panel is not None:
            places += [system.panel.operate, system.panel.see]
    assert sum(callable(found(place)) for place in places if place is not None) > 12


@pytest.mark.parametrize("place", ["annelid.nowhere:at_all", "annelid.errors:nothing", "", "a"])
def test_a_place_where_nothing_is_told(place: str) -> None:
    with pytest.raises(SpecError, match=r"expected a place package\.module:name, got "):
        found(place)


# -- verbs -----------------------------------------------------------------------------------------


def test_help_lists_every_command_without_loading_a_system() -> None:
    command = [sys.executable, "-c", HELP, "--help"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for name in COMMANDS:
        assert re.search(rf"^│ {name} ", told, re.MULTILINE), name
    assert told.endswith("loaded: set()\n")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["infer", "--help"], "--without"),
        (["export", "--help"], "c-header"),
        (["central", "--help"], "annelid central tcp:4101"),
        (["erekobot", "--help"], "pair"),
        (["erekobot", "host", "--help"], "--profile"),
        (["study", "--help"], "learn"),
        (["study", "learn", "--help"], "--likely"),
    ],
)
def test_a_systems_command_explains_itself(command: list[str], says: str) -> None:
    told = CliRunner().invoke(app, command)
    assert told.exit_code == 0
    assert says in told.output


def _packages(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    points = [EntryPoint(name, value, "annelid.verbs")]
    monkeypatch.setattr("annelid.systems.verbs.entry_points", lambda *, group: points)


def hello(name: str) -> None:
    """Greet somebody."""
    print(f"hello {name}")


def test_a_package_brings_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "strangers_commands", sys.modules[__name__])
    _packages(monkeypatch, "hello", "strangers_commands:hello")
    assert "hello " in CliRunner().invoke(app, ["--help"]).output
    assert CliRunner().invoke(app, ["hello", "worm"]).output == "hello worm\n"


def test_a_command_of_a_taken_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    _packages(monkeypatch, "run", "strangers_commands:hello")
    with pytest.raises(SpecError, match="command 'run' is there already; taken names: run, cons"):
        CliRunner().invoke(app, ["--help"])
