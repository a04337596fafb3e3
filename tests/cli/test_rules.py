"""A file of rules means the same to ``annelid infer`` and to the robot of ``annelid run``."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.errors import AnnelidError, InputError
from annelid.trial.replay import Run, replay

SCENARIO = """
duration_s = 2.5
stop_at_goal = false

[physics]
timestep_ms = 1

[robot]
chain = "HHV"

[world]
kind = "pipe"
parts = [{part = "straight", length_mm = 400}]

[control]
system = "microtub"

[control.options]
environment = "pipe"
operator = [{at_s = 1.2, say = "EXP"}]
"""

GENTLE = """
remove = ["push"]

[[rule]]
name = "creep"
anywhere = ["PS", "Push_pipe"]
limited_by = ["Push_pipe"]
environment = { pipe = 3 }
robot = "forward"
gait = { commands = ["MHE"], level = 0.25 }
"""

TABLE = """
from annelid.systems.microtub.inference import Environment, Gait, Rule, RuleTable, Term

CREEPING = RuleTable(
    "creeping",
    rules=(
        Rule(
            name="{name}",
            anywhere=(Term(skill="PS"), Term(skill="Push_pipe")),
            limited_by=("Push_pipe",),
            environment=Environment(pipe=3),
            robot="{robot}",
            gait=Gait(commands=("MHE",), level=0.25),
        ),
    ),
    remove=("push",),
)
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pipe.toml").write_text(SCENARIO, encoding="utf-8")
    Path("gentle.toml").write_text(GENTLE, encoding="utf-8")
    Path("creeping.py").write_text(TABLE.format(name="creep", robot="forward"), encoding="utf-8")


def annelid(*args: str) -> str:
    ran = CliRunner().invoke(app, [*args])
    if isinstance(ran.exception, AnnelidError):
        raise ran.exception
    assert ran.exit_code == 0, ran.exception
    return ran.stdout


def run(out: str, *args: str) -> Run:
    annelid("run", "pipe.toml", "--out", out, "--no-video", "--no-report", *args)
    return Run(Path(out))


def way_ahead(run: Run) -> tuple[str, float]:
    """The first movement, and how the drive is told to push at the end."""
    first, *_ = run.events("movement")
    return first.detail["name"], float(run["actuators"]["target[H1.drive]"][-1])


@pytest.mark.parametrize("brought", [("--rules", "gentle.toml"), ("--plugin", "creeping.py")])
def test_a_rule_changes_what_the_robot_does_as_infer_says(brought: tuple[str, str]) -> None:
    assert "forward 3: by 'push'" in annelid("infer", "HHV")
    assert way_ahead(run("without")) == ("push", 1.0)
    assert "forward 3: by 'creep'" in annelid("infer", "HHV", *brought)
    assert way_ahead(run("with", *brought)) == ("creep", 0.25)


def test_the_run_folder_has_the_rules_and_replays() -> None:
    made = run("with", "--rules", "gentle.toml")
    Path("gentle.toml").unlink()
    (file,) = made.scenario.control.options.rules  # type: ignore[union-attr]
    assert [rule.name for rule in file.rule] == ["creep"]
    again = replay(made)
    assert again.same, again.difference


def test_files_add_up_and_a_file_beats_a_plugin() -> None:
    Path("brisk.toml").write_text(
        GENTLE.replace('remove = ["push"]', "").replace("0.25", "0.5"), encoding="utf-8"
    )
    both = ("--rules", "gentle.toml", "--rules", "brisk.toml")
    assert "level 0.5" in annelid("infer", "HHV", *both)
    assert way_ahead(run("both", *both)) == ("creep", 0.5)
    mixed = ("--plugin", "creeping.py", "--rules", "brisk.toml")
    assert "level 0.5" in annelid("infer", "HHV", *mixed)
    assert way_ahead(run("mixed", *mixed)) == ("creep", 0.5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[rool]]\nname = "x"\n', "rool.*unknown field"),
        (GENTLE.replace('"forward"', '"forwards"'), "unknown ability 'forwards'. Did you mean 'fo"),
        (GENTLE.replace("Push_pipe", "Push_pip"), "unknown capability 'Push_pip'. Did you mean"),
        ('remove = ["pushh"]\n', "unknown rule 'pushh'. Did you mean 'push'"),
        (GENTLE.replace("MHE", "MHH"), "unknown movement command of LLC2 'MHH'"),
        (GENTLE + GENTLE.split("\n", 2)[2], "rule names must differ, got twice: creep"),
    ],
)
@pytest.mark.parametrize("command", [("infer", "HHV"), ("run", "pipe.toml", "--out", "none")])
def test_a_bad_file_is_told_in_one_line(command: tuple[str, ...], text: str, said: str) -> None:
    Path("bad.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said) as caught:
        annelid(*command, "--rules", "bad.toml")
    assert "\n" not in str(caught.value)
    assert not Path("none").exists()


@pytest.mark.parametrize(("scenario", "got"), [("snake", "gaits"), ("erekobot", "erekobot")])
def test_rules_for_a_robot_that_has_none_are_refused(scenario: str, got: str) -> None:
    said = rf"--rules: {scenario}: expected a system that has rules \(microtub\), got {got}"
    with pytest.raises(InputError, match=said):
        annelid("run", scenario, "--rules", "gentle.toml")
    with pytest.raises(InputError, match="creeping"):
        annelid("run", scenario, "--plugin", "creeping.py")


def test_a_table_of_a_plugin_is_checked_like_a_file() -> None:
    Path("bad.py").write_text(TABLE.format(name="creep", robot="forwards"), encoding="utf-8")
    said = "rule table 'creeping': rule 'creep': unknown ability 'forwards'"
    for command in (("infer", "HHV"), ("run", "pipe.toml")):
        with pytest.raises(InputError, match=said):
            annelid(*command, "--plugin", "bad.py")
    Path("twice.py").write_text(
        TABLE.format(name="a", robot="forward") + "AGAIN = RuleTable('creeping')\n",
        encoding="utf-8",
    )
    with pytest.raises(InputError, match="rule 'creeping' is there already"):
        annelid("run", "pipe.toml", "--plugin", "twice.py")


def test_the_old_name_of_the_option_is_answered_with_the_new_one() -> None:
    Path("old.toml").write_text(SCENARIO + "learnt = []\n", encoding="utf-8")
    with pytest.raises(InputError, match="learnt is now rules"):
        annelid("run", "old.toml")
