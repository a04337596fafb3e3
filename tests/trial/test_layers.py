"""Behaviours as a table: a plugin's goes to the layer it derives from, a live edit to the boards it
is meant for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annelid.behaviour import Behaviour, BehaviourLayer, BehaviourTable
from annelid.errors import InputError
from annelid.systems import SYSTEMS, System
from annelid.systems.microtub.behaviours import EmbeddedBehaviour
from annelid.trial.layers import behaviours_of
from annelid.trial.load import load, parse
from annelid.trial.outside import Rethink, Timed
from annelid.trial.plugins import Plugins
from annelid.trial.plugins import load as load_plugins
from annelid.trial.replay import Run, replay
from annelid.trial.run import Trial

Write = Callable[[str], Plugins]
NOTHING = Plugins()

NOD = """
from annelid.systems.microtub.behaviours import EmbeddedBehaviour
from annelid.systems.microtub.behaviours.embedded import WALKING

class Nod(EmbeddedBehaviour):
    name = "nod"
    level = WALKING

    @classmethod
    def make(cls, module, /):
        return cls() if "pitch" in module.servos else None

    def propose(self, stimuli, /):
        yield self.proposal("pitch", 0.25)
"""

LIMP = """
from annelid.systems.microtub.behaviours import EmbeddedBehaviour
from annelid.systems.microtub.behaviours.embedded import SURVIVAL

class Limp(EmbeddedBehaviour):
    name = "limp"
    level = SURVIVAL

    def condition(self, stimuli, /):
        return stimuli.now_ns > 800_000_000

    def propose(self, stimuli, /):
        for servo in stimuli.servos:
            yield self.proposal(servo, {value}, reason="tired")
"""

SHY = """
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

FREEZE = """
from annelid.systems.climber.executive.links import BODY
from annelid.systems.climber.planner.planner_behaviour import PlannerBehaviour

class Freeze(PlannerBehaviour):
    name = "freeze"
    level = 2

    def condition(self, now, /):
        return now.time_s > 1.0

    def propose(self, now, /):
        yield self.proposal(BODY, now.wish, reason="it is cold")
"""


@pytest.fixture
def bring(tmp_path: Path) -> Write:
    def bring(text: str) -> Plugins:
        path = tmp_path / "plugin.py"
        path.write_text(text, encoding="utf-8")
        return load_plugins([path])

    return bring


class Lived:
    """A short run, and what came of it."""

    def __init__(
        self, table: Mapping[str, Any], plugins: Plugins = NOTHING, *outside: Timed
    ) -> None:
        self.trial = Trial(parse(table, plugins=plugins), plugins=plugins, outside=outside)
        self.events: list[tuple[str, str, Mapping[str, Any]]] = []
        self.trial.listeners.append(lambda _, *event: self.events.append(event))
        self.metrics = self.trial.measure()
        assert not self.metrics.crashed

    def target(self, servo: str) -> float:
        motors = self.trial.sim.actuators
        return float(motors.targets[motors.place(servo)])

    def said(self, kind: str) -> list[tuple[str, Mapping[str, Any]]]:
        return [(source, detail) for source, each, detail in self.events if each == kind]

    @property
    def movements(self) -> list[str]:
        return [detail["name"] for _, detail in self.said("movement")]


def robot(chain: str, *, duration_s: float = 1.6, **options: Any) -> dict[str, Any]:
    """In a pipe; it is told to explore when it knows itself."""
    return {
        "duration_s": duration_s,
        "physics": {"timestep_ms": 1},
        "robot": {"chain": chain},
        "world": {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 300}]},
        "control": {
            "system": "microtub",
            "options": {
                "operator": [{"at_s": 1.2, "say": "EXP"}],
                "environment": "pipe",
                **options,
            },
        },
    }


def climber(duration_s: float) -> dict[str, Any]:
    table = load("climber").model_dump(mode="json")
    return {**table, "duration_s": duration_s, "stop_at_goal": False}


def edited(at_s: float, board: str, behaviour: str, old: str, new: str) -> Timed:
    """The behaviour of that board as its table has it, with ``new`` for ``old``."""
    table = climber(1.0) if behaviour == "trajectory tracking" else robot("RHV")
    trial = Trial(parse(table))
    text = behaviours_of(trial.circuit.nodes[board].firmware)[behaviour].source
    assert old in text
    what = Rethink(boards=(board,), behaviour=behaviour, source=text.replace(old, new))
    return Timed(int(at_s * 1e9), what)


# -- from a plugin ---------------------------------------------------------------------------------


def test_an_embedded_behaviour_moves_the_modules_it_suits(bring: Write) -> None:
    table = robot("RHV", duration_s=1.0)
    assert Lived(table).target("R1.pitch") != pytest.approx(0.25)
    assert Lived(table, bring(NOD)).target("R1.pitch") == pytest.approx(0.25)


def test_one_of_the_survival_level_releases_a_servo_or_replaces_its_target(bring: Write) -> None:
    table = robot("RHV", duration_s=1.0)
    released = Lived(table, bring(LIMP.format(value=None) + NOD))
    assert np.isnan(released.target("R1.pitch"))
    replaced = Lived(table, bring(LIMP.format(value=0.125) + NOD))
    assert replaced.target("R1.pitch") == pytest.approx(0.125)


def test_a_central_behaviour_decides_where_to_go(bring: Write) -> None:
    assert Lived(robot("HV")).movements[0] == "push"
    assert Lived(robot("HV"), bring(SHY)).movements[0] == "push backwards"


def test_both_layers_may_be_on_one_board(bring: Write) -> None:
    lived = Lived(robot("RHV", central="R1"), bring(SHY + NOD))
    assert lived.movements[0] == "push backwards"
    assert lived.target("R1.pitch") == pytest.approx(0.25)


def test_a_behaviour_of_the_planner_holds_the_body(bring: Write) -> None:
    def wish_mm(lived: Lived) -> float:
        return float(lived.said("watch")[-1][1]["wish_mm"][0])

    assert wish_mm(Lived(climber(3.0))) > 5.0
    assert wish_mm(Lived(climber(3.0), bring(FREEZE))) < 4.0


class Stranger(Behaviour[Any]):
    name = "stranger"


class Unheard(EmbeddedBehaviour):
    name = "unheard"
    level = 7


class Nameless(EmbeddedBehaviour):
    level = 1


class Again(EmbeddedBehaviour):
    name = "turning"
    level = 1


class Namesake(EmbeddedBehaviour):
    """Of one of the central control."""

    name = "wandering"
    level = 1


class Needy(EmbeddedBehaviour):
    name = "needy"
    level = 1

    def __init__(self, servo: str) -> None:
        self._servo = servo


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (
            Stranger,
            "microtub: behaviour Stranger: expected a class that derives from .*EmbeddedBehaviour "
            r"\(embedded\) or .*CentralBehaviour \(central\), got one that derives from .*Beh",
        ),
        (Unheard, "behaviour Unheard: level: expected one of 4, 3, 2, 1, 0, got 7"),
        (Nameless, "behaviour Nameless: name: expected one, got none"),
        (Again, "behaviour Again: the name 'turning' is taken by .*Turning"),
        (Namesake, "behaviour Namesake: the name 'wandering' is taken by .*Wandering"),
        (
            Needy,
            r"Needy: expected to be made without arguments, or .* make\(cls, context\); .*'servo'",
        ),
    ],
)
def test_what_fits_nowhere_is_told_in_one_line(kind: type[Behaviour[Any]], said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        Trial(parse(robot("HV")), plugins=Plugins({"behaviour": (kind,)}))
    assert "\n" not in str(caught.value)


def test_gaits_have_no_use_for_a_behaviour(bring: Write) -> None:
    with pytest.raises(InputError, match="gaits drive this robot, got for a system: nod"):
        Trial(load("snake"), plugins=bring(NOD))


def test_a_central_control_elsewhere_is_not_given_behaviours_here(bring: Write) -> None:
    here = robot("RHV", central="elsewhere")
    Trial(parse(here), plugins=bring(NOD))
    with pytest.raises(InputError, match="got shy; give it to the other process: annelid central"):
        Trial(parse(here), plugins=bring(SHY))


def test_a_system_of_a_plugin_has_layers_like_any_other() -> None:
    given: list[BehaviourTable] = []
    table = BehaviourTable((BehaviourLayer.of("brain", Stranger),))
    kind = SYSTEMS.table()["erekobot"].options
    own = System(
        name="own",
        title="own",
        options=kind,
        build=lambda options, circuit, *, behaviours: given.append(behaviours),
        behaviours=table,
    )
    assert own.layers == {"brain": Stranger}
    idea = type("Idea", (Stranger,), {"name": "idea"})
    plugins = Plugins({"system": (own,), "behaviour": (idea,)})
    scenario = {"robot": {"chain": "K"}, "world": {"kind": "open-air"}}
    Trial(parse({**scenario, "control": {"system": "own"}}, plugins=plugins), plugins=plugins)
    assert list(given[0]["brain"].entries) == ["idea"]


# -- written anew while it runs --------------------------------------------------------------------


def test_an_embedded_behaviour_is_written_anew_on_one_board_alone() -> None:
    edit = edited(0.5, "H1", "push forward", "level * full", "0.5 * level * full")
    table = robot("THRHV", duration_s=2.5)
    lived, before = Lived(table, NOTHING, edit), Lived(table)
    assert [before.target(f"{name}.drive") for name in ("H1", "H2")] == [1.0, 1.0]
    assert [lived.target(f"{name}.drive") for name in ("H1", "H2")] == [0.5, 1.0]


def test_a_central_behaviour_is_written_anew_and_the_run_replays(tmp_path: Path) -> None:
    edit = edited(0.4, "PC", "pipe following", "[STEP_M, ", "[-STEP_M, ")
    lived = Lived(robot("HV", duration_s=3.0), NOTHING, edit)
    assert lived.movements[0] == "push backwards"
    run = Trial(parse(robot("HV", duration_s=3.0)), outside=(edit,)).run(tmp_path / "run")
    again = replay(Run(run.folder), programs=True)
    assert again.same, again.difference


def test_a_behaviour_of_the_planner_is_written_anew() -> None:
    nowhere = edited(0.1, "Y1", "trajectory tracking", "cls(planner.way,", "cls([],")
    lived, before = Lived(climber(3.0), NOTHING, nowhere), Lived(climber(3.0))
    assert before.said("watch")[-1][1]["wish_mm"][0] > 5.0
    assert lived.said("watch")[-1][1]["wish_mm"][0] < 1.0


def test_one_that_fails_gives_way_to_the_one_before() -> None:
    table = robot("HV", duration_s=2.5)
    bad = edited(0.5, "H1", "push forward", "level * full", "level / 0")
    lived = Lived(table, NOTHING, bad)
    ((who, detail),) = lived.said("program failed")
    assert (who, detail["error"]) == ("H1", "ZeroDivisionError: float division by zero")
    assert "line" in detail["where"]
    half = edited(2.4, "H1", "push forward", "level * full", "0.5 * full")
    mended = Lived({**table, "duration_s": 5.0}, NOTHING, bad, half)
    assert len(mended.said("program failed")) == 1
    assert mended.target("H1.drive") == 0.5


@pytest.mark.parametrize(
    ("board", "behaviour", "source", "said"),
    [
        (
            "PC",
            "push forward",
            "",
            "PC: unknown behaviour 'push forward'. .*Available: .*wandering",
        ),
        ("H1", "wandering", "", "H1: unknown behaviour 'wandering'.*Available: .*push forward"),
        ("operator", "wandering", "", "operator: the program that runs there has no behaviours"),
        ("X9", "wandering", "", "unknown board 'X9'"),
        ("H1", "turning", "x = 1", r"expected a class Turning\(EmbeddedBehaviour\) in the text"),
        ("H1", "turning", "class Turning: ...", r"expected a class Turning\(EmbeddedBehaviour\)"),
        (
            "H1",
            "turning",
            "from annelid.systems.microtub.behaviours import EmbeddedBehaviour\n"
            "class Turning(EmbeddedBehaviour):\n    name = 'other'\n    level = 1\n",
            "name: expected 'turning', by which others know it, got 'other'",
        ),
    ],
)
def test_a_live_edit_that_cannot_be_is_refused(
    board: str, behaviour: str, source: str, said: str
) -> None:
    trial = Trial(parse(robot("HV")))
    with pytest.raises(InputError, match=said) as caught:
        trial.inject(Rethink(boards=(board,), behaviour=behaviour, source=source))
    assert "\n" not in str(caught.value)
