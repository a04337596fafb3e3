"""What 000 claims of its modules together: order, capabilities, one time."""

from __future__ import annotations

import pytest

from annelid.papers import (
    Bench,
    Outcome,
    b01_configuration,
    b02_capabilities,
    b08_clocks,
    b10_commands,
)
from annelid.papers.bus_chain import module_type
from annelid.systems.microtub.discovery import FoundModule


def shows(outcome: Outcome) -> Outcome:
    assert outcome.passed, outcome
    assert outcome.plots
    return outcome


def test_order_and_type_of_random_chains() -> None:
    for length in (1, 4, 13):
        assert b01_configuration.look(b01_configuration.Draw(length, seed=3)).right
    for i, broken in enumerate(b01_configuration.BREAKS):
        seen = b01_configuration.look(b01_configuration.Draw(5, seed=i, broken=broken))
        assert seen.ended
        assert not seen.wrong


def test_a_wrong_order_would_show() -> None:
    wanted = [(4, "R"), (9, "S")]
    types = [module_type(letter) for _, letter in wanted]
    right = [
        FoundModule(address, kind.wire_id, kind.capabilities.digits)
        for (address, _), kind in zip(wanted, types, strict=True)
    ]
    assert b01_configuration._same(right, wanted, frozenset())
    assert not b01_configuration._same(right[::-1], wanted, frozenset())
    assert not b01_configuration._same(right[1:], wanted, frozenset())
    assert b01_configuration._same(right[1:], wanted, frozenset({4}))


def test_capabilities_fall_with_a_jammed_servo_and_not_without() -> None:
    told = b02_capabilities.damage(b02_capabilities.Damage(3, seed=0))
    assert told.learnt
    assert told.polled
    assert told.asked
    sound = b02_capabilities.damage(b02_capabilities.Damage(None, seed=0))
    assert sound.reported_s is None
    assert sound.asked


def test_the_line_is_more_accurate_than_rtc() -> None:
    found = shows(b08_clocks.experiment(Bench(workers=1, quick=True))).values
    assert found["ratio"] > 4


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("row", [b01_configuration, b02_capabilities])
def test_rows_for_another_seed(row: object) -> None:
    shows(row.experiment(Bench(seed=100)))  # type: ignore[attr-defined]


def test_every_command_of_modules_and_operator_is_obeyed_or_answered():
    for hold in b10_commands.CONVERSATIONS:
        found = hold(1)
        assert len(found) >= 3
        assert [name for name, seen in found.items() if not seen] == []
