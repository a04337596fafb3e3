"""Tables of one's own, and an operator who starts and stops them (004 Figs 7, 9, 11)."""

from __future__ import annotations

import pytest
from tests.systems.erekobot.chains import network, pulses

from annelid.electronics.port import TERMINAL
from annelid.errors import InputError
from annelid.systems.erekobot.servo_table import pwm_of

OWN = [[10, 20, 30, 40], [-10, -20, -30, -40]]


@pytest.mark.parametrize("profile", [1, 2, 3])
def test_each_module_goes_through_its_own_table(profile: int) -> None:
    rig, _ = network(2, profile=profile, period=4, interval_ms=100, tables_deg=OWN)
    rig.run(1.5)
    for module, table in zip(("K1", "K2"), OWN, strict=True):
        cycle = [pwm_of(angle) for angle in table]
        assert pulses(rig, module)[:8] == cycle + cycle


@pytest.mark.parametrize("profile", [1, 2, 3, 4])
def test_the_operator_stops_and_starts(profile: int) -> None:
    rig, made = network(2, profile=profile, period=4, interval_ms=100, tick_ms=100)
    terminal = made.host.board.ports[TERMINAL]
    rig.run(1.0)
    terminal.type("stop")
    rig.run(1.5)
    stopped = len(pulses(rig, "K2"))
    assert stopped > 4
    rig.run(2.5)
    assert len(pulses(rig, "K2")) == stopped
    terminal.type("START")
    rig.run(3.5)
    assert len(pulses(rig, "K2")) > stopped + 4
    said = [kind for _, source, kind, _ in rig.events if source == "host"]
    assert [kind for kind in said if kind != "verdict"] == [
        "start",
        "says",
        "stop",
        "says",
        "start",
    ]


def test_other_words_are_refused() -> None:
    _, made = network(1)
    with pytest.raises(InputError, match=r"expected one of start, stop, .* got 'go'"):
        made.host.board.ports[TERMINAL].check("go")
