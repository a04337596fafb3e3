"""What 000 claims of its modules together: order, capabilities, one time, commands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from annelid.papers import (
    Bench,
    b01_configuration,
    b02_capabilities,
    b08_clocks,
    b10_commands,
    b10_operator,
)
from annelid.papers.case import Case, Judge
from annelid.systems.microtub.protocol import COMMANDS


def judged(case: Case, judge: Judge[Any], seed: int = 3) -> Any:
    return Bench(workers=1, seed=seed).trials({"": case}, judge)[""][0]


def test_order_and_type_of_random_chains() -> None:
    for length in (1, 4, 13):
        assert judged(b01_configuration.case(length), b01_configuration.judge).right


@pytest.mark.parametrize("broken", b01_configuration.BREAKS)
def test_a_broken_chain_is_told_as_an_error_or_rightly(broken: str) -> None:
    seen = judged(b01_configuration.case(5, broken=broken), b01_configuration.judge)
    assert seen.ended
    assert not seen.wrong


class MadeUp:
    """A run in which the central control found the modules in the wrong order."""

    def __init__(self, case: Case) -> None:
        self.scenario = case.repeat("", 3).scenario()

    def events(self, kind: str) -> list[Any]:
        from annelid.kernel.trace.reader import Event
        from annelid.trial.load import resolve

        modules = resolve(self.scenario)[0].modules
        options: Any = self.scenario.control.options
        found = {
            "order": list(options.addresses)[::-1],
            "ids": "".join(module.type.wire_id for module in modules)[::-1],
            "mdl": [module.type.capabilities.digits for module in modules][::-1],
            "error": None,
        }
        return [Event(0, "PC", kind, found, 0)] * 2


def test_a_wrong_order_would_show() -> None:
    made_up: Any = MadeUp(b01_configuration.case(4))
    seen = b01_configuration.judge(made_up)
    assert seen.wrong == 2
    assert not seen.right


def test_capabilities_fall_with_a_jammed_servo_and_not_without() -> None:
    for jammed in (True, False):
        told = judged(b02_capabilities.case("R1.pitch", jammed=jammed), b02_capabilities.judge)
        assert told.learnt
        assert told.right
        assert (told.after_s == told.after_s) is jammed


@pytest.mark.slow
def test_the_line_is_more_accurate_than_rtc_and_clocks_set_once_run_apart() -> None:
    drift = "RC, 3 %"
    worst = {
        way: float(np.max(judged(b08_clocks.case(way, drift), b08_clocks.judge)))
        for way in ("set once", "RTC", "line")
    }
    assert worst["set once"] > 2 * worst["RTC"] > 8 * worst["line"]


@pytest.mark.parametrize("kind", [*b02_capabilities.PARTLY, "sound"])
def test_capabilities_fall_in_part_with_a_weak_or_short_servo(kind: str) -> None:
    told = judged(b02_capabilities.walking(kind), b02_capabilities.judge)
    assert told.right
    assert (told.after_s == told.after_s) is (kind != "sound")


def test_a_weak_servo_that_has_not_walked_was_not_told() -> None:
    """Nothing is weighed in a module that stands: the judge wants its lower grade."""
    case = b02_capabilities.walking("weak")
    drawn = case.varied
    assert drawn is not None

    def standing(seed: int) -> dict[str, Any]:
        return {**drawn(seed), "control.options.orders": [{"at_s": 3.0, "say": "SYC", "to": "R3"}]}

    fields = {**case.fields, "duration_s": 4.0}
    assert not judged(Case(case.scenario, fields, varied=standing), b02_capabilities.judge).right


def clocks(**line: float) -> b08_clocks.Found:
    """A line that is as bad as given at some cost of a pass (``ms_3``), and good at the others."""
    error = {
        (way, drift, cost): np.full(len(b08_clocks.grid()), ms)
        for drift, cost in b08_clocks.SETTINGS
        for way, ms in (("set once", 9.0), ("RTC", 4.0), ("line", line.get(f"ms_{cost:g}", 0.1)))
    }
    cuts = {("line, cut", b08_clocks.ROUGH, cost): np.ones(1) for cost in b08_clocks.PASSES_MS}
    return b08_clocks.Found(error | {key: np.ones(len(b08_clocks.grid())) for key in cuts})


def test_the_line_has_to_be_better_with_slow_passes_too_and_the_row_says_where_it_is_not() -> None:
    assert clocks().passed
    assert "gains" not in clocks().told(3.0)
    for cost in b08_clocks.PASSES_MS:
        slow = clocks(**{f"ms_{cost:g}": 4.0})
        assert not slow.passed
        assert slow.told(cost).count("the line gains nothing: 1 times") == 2
    assert "gains little: 1.6 times" in clocks(ms_1=2.5).told(1.0)


def test_the_cost_of_a_pass_is_set_in_the_runs() -> None:
    scenario = b08_clocks.case("line", b08_clocks.ROUGH, 3.0).repeat("", 3).scenario()
    assert getattr(scenario.control.options, "pass_ms") == 3.0  # noqa: B009  of this system alone


@pytest.mark.slow
def test_every_command_is_looked_at() -> None:
    """Not that all are right, which is for the table."""
    shown: dict[str, bool] = {}
    for name in ("b10-modules", "elbow-dialogue"):
        shown |= judged(Case(name, {"physics.timestep_ms": 1.0}), b10_commands.judge)
    for case in b10_operator.cases().values():
        shown |= judged(case, b10_commands.judge)
    assert [command.full_name for command in COMMANDS if command.full_name not in shown] == []


def test_a_robot_that_does_not_move_has_not_obeyed_its_operator() -> None:
    case = b10_operator.cases()["b10-operator"]
    dead = {"faults": [{"fault": "stuck_servo", "servo": "H1.drive"}]}
    shown = judged(Case(case.scenario, {**case.fields, **dead}), b10_commands.judge)
    assert not shown["HLC.RPL"]
    assert not shown["HLC.EXP"]
    assert not shown["HLC.STP"], "what did not move was not stopped"
    assert shown["HLC.SIE"]
    assert shown["HLC.DO"]


def test_a_command_that_moves_nothing_is_not_shown() -> None:
    deaf = Case("b10-modules", {"faults": [{"fault": "stuck_servo", "servo": "R1.yaw"}]})
    shown = judged(deaf, b10_commands.judge)
    assert not shown["LLC1.MS1"]
    assert shown["LLC1.MS2"]
