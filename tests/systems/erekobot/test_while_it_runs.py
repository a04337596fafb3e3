"""Table, period, address, profile and program are changed while the modules move (004, 2.2.3)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.electronics.circuits import Rig
from tests.systems.erekobot.chains import QUICK, network, pulses

from annelid.electronics.port import TERMINAL
from annelid.errors import InputError
from annelid.systems.erekobot.servo_table import pwm_of
from annelid.systems.erekobot.spec import ErekobotSpec

OWN = [[[10, 20, 30, 40], [-10, -20, -30, -40]], [[1, 2], [3, 4]], [[50] * 3, [60] * 3]]
"""Of two modules: three tables of unlike periods."""
SEVERAL: dict[str, Any] = {
    "profile": 3,
    "interval_ms": 100,
    "period": 4,
    "tables_deg": OWN[0],
    "more_tables": [{"period": len(each[0]), "tables_deg": each} for each in OWN[1:]],
}


def run(modules: int, *said: tuple[float, str], until: float = 4.0, **options: Any) -> Rig:
    typed = [{"at_s": at_s, "say": line} for at_s, line in said]
    rig, _ = network(modules, operator=typed, **options)
    rig.run(until)
    return rig


def shown(rig: Rig, module: str, after_s: float) -> list[int]:
    """Pulse widths of a module from then on."""
    return [
        detail["pwm"]
        for time_ns, source, kind, detail in rig.events
        if source == module and kind == "servo" and time_ns >= after_s * 1e9
    ]


def refused(rig: Rig) -> list[str]:
    return [d["words"] for _, source, kind, d in rig.events if (source, kind) == ("host", "answer")]


def cycle(angles: list[int]) -> list[int]:
    return [pwm_of(angle) for angle in angles]


def test_the_host_says_which_of_several_tables_and_when() -> None:
    rig = run(2, (1.5, "table 1"), (2.5, "table 2"), **SEVERAL)
    for place, module in enumerate(("K1", "K2")):
        assert set(pulses(rig, module)[:8]) == set(cycle(OWN[0][place]))
        middle = [p for p in shown(rig, module, 1.8) if p not in cycle(OWN[2][place])]
        assert set(middle) == set(cycle(OWN[1][place]))
        assert all(a != b for a, b in pairwise(middle)), "two states in turn"
        assert set(shown(rig, module, 2.8)) == set(cycle(OWN[2][place]))
    assert not refused(rig)
    unsaid = run(2, **SEVERAL)
    assert set(shown(unsaid, "K1", 2.8)) == set(cycle(OWN[0][0])), "nobody said anything"


def test_one_module_alone_gets_another_table() -> None:
    rig = run(2, (1.5, "table 2 2"), **SEVERAL)
    assert set(shown(rig, "K2", 2.0)) == set(cycle(OWN[2][1]))
    assert set(shown(rig, "K1", 2.0)) == set(cycle(OWN[0][0]))


def test_a_chain_goes_back_by_its_second_table() -> None:
    back = {"gait": {**QUICK["gait"], "backwards": True}}
    rig, made = network(6, profile=3, more_tables=[back], drift_ppm=30_000, sync="tell", **QUICK)
    start = rig.sim.centre()[0]
    rig.run(6.0)
    there = rig.sim.centre()[0]
    made.host.board.ports[TERMINAL].type("table 1")
    rig.run(12.0)
    assert there - start > 0.12
    assert rig.sim.centre()[0] - there < -0.12


@pytest.mark.parametrize("profile", [1, 3, 4])
def test_the_period_is_changed_on_the_way(profile: int) -> None:
    rig = run(
        1, (2.0, "period 8"), until=8.0, profile=profile, tick_ms=100, **{**QUICK, "period": 16}
    )
    before, after = shown(rig, "K1", 0.0)[:18], shown(rig, "K1", 4.0)
    assert before[0] == pytest.approx(before[16], abs=1)
    assert abs(before[0] - before[8]) > 3 or abs(before[4] - before[12]) > 3
    assert after[:8] == pytest.approx(after[8:16], abs=1)


def test_an_address_is_changed_and_the_module_goes_by_it() -> None:
    rig = run(2, (1.0, "address 2 23"), (1.5, "table 2 23"), (2.0, "table 1 2"), **SEVERAL)
    assert set(shown(rig, "K2", 2.5)) == set(cycle(OWN[2][1]))
    assert refused(rig) == ["erekobot: no module has address 2; there are 1, 23"]
    configured = [d["new_address"] for d in rig.details("configured")]
    assert configured[-2:] == [23, 23]


@pytest.mark.parametrize("to", [1, 2, 4])
def test_the_profile_is_changed_and_all_go_on(to: int) -> None:
    rig = run(3, (2.0, f"profile {to}"), until=5.0, profile=3, **QUICK)
    assert [d["profile"] for d in rig.details("profile")] == [to] * 3
    assert all(len(shown(rig, f"K{k}", 3.0)) > 10 for k in (1, 2, 3))
    waves = [set(shown(rig, f"K{k}", 3.0)) for k in (1, 2, 3)]
    assert all(max(wave) - min(wave) > 30 for wave in waves)
    assert not refused(rig)


def test_through_all_profiles_and_back_on_a_ring() -> None:
    said = [(1.0 + k, f"profile {n}") for k, n in enumerate((4, 1, 2, 3))]
    rig = run(3, *said, until=6.0, profile=3, topology="ring", **QUICK)
    assert len(rig.details("profile")) == 12
    assert len(shown(rig, "K3", 5.3)) > 4


def test_another_program_is_sent_on_the_way() -> None:
    rig = run(2, (1.0, "program 20"), (2.0, "program psi psi"), profile=4, **QUICK)
    assert set(shown(rig, "K2", 1.5)) == {pwm_of(20)}
    assert len(set(shown(rig, "K2", 0.0))) > 5
    (words,) = refused(rig) or [str(rig.events[-1])]
    assert "psi" in words or "program" in words


@pytest.mark.parametrize(
    ("profile", "line", "words"),
    [
        (2, "table 1", "table needs profile 1 or 3, and the modules run profile 2"),
        (2, "period 8", "period needs profile 1 or 3 or 4"),
        (3, "table 9", "expected 0 to 0, got 9"),
        (3, "address 1 2", "address 2 is another module's: it would be there twice"),
        (3, "address 7 9", "no module has address 7; there are 1, 2"),
        (1, "address 1 9", "address needs profile 3"),
        (3, "program 20", "program needs profile 4"),
        (4, "program what", "what"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(
    profile: int, line: str, words: str
) -> None:
    rig = run(2, (1.0, line), until=2.5, profile=profile, **QUICK)
    (told,) = refused(rig)
    assert words in told
    assert "\n" not in told
    sound = run(2, until=2.5, profile=profile, **QUICK)
    assert pulses(rig, "K2") == pulses(sound, "K2")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "expected one of start, stop"),
        ("go", "expected one of start, stop"),
        ("table", r"expected table N \[ADDRESS\]"),
        ("table 1 2 3", r"expected table N \[ADDRESS\]"),
        ("period 40", "expected 1 to 32, got 40"),
        ("period -3", "expected period N"),
        ("address 2", "expected address OLD NEW"),
        ("address 0 9", "OLD: expected 1 to 254, got 0"),
        ("profile 5", "expected 1 to 4, got 5"),
        ("program", "expected one of"),
        ("table 99999999999999999999", "expected 0 to 65535"),
    ],
)
def test_lines_that_make_no_sense_are_refused_at_once(line: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        ErekobotSpec.parse({"operator": [{"at_s": 1, "say": line}]}, where="options")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"more_tables": [{"period": 4, "tables_deg": [[1, 2, 3]]}]}, "expected 4 angles"),
        ({"more_tables": [{}] * 16}, "more_tables"),
        ({"more_tables": [{}], "brief_configuration": True}, "name no table"),
        ({"addresses": [4, 4]}, "addresses must differ"),
    ],
)
def test_memories_that_make_no_sense_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ErekobotSpec.parse({"profile": 3, **options}, where="options")


def test_tables_for_another_number_of_modules_are_refused() -> None:
    with pytest.raises(InputError, match="tables_deg of table 1: expected 3, one for each module"):
        network(3, profile=3, more_tables=[{"period": 2, "tables_deg": OWN[1]}])


def test_random_words_leave_modules_that_obey() -> None:
    """Whatever was said before, a stop stops and a table is gone by."""
    draw = np.random.default_rng(4)
    lines = [
        "table 0",
        "table 1",
        "period 7",
        "period 16",
        "profile 3",
        "profile 1",
        "stop",
        "start",
    ]
    said = [(0.5 + 0.25 * k, str(draw.choice(lines))) for k in range(16)]
    back = {"gait": {**QUICK["gait"], "backwards": True}}
    ends = [(5.0, "profile 3"), (5.4, "start"), (5.8, "table 1"), (6.8, "stop")]
    rig = run(2, *said, *ends, until=8.0, profile=3, more_tables=[back], **QUICK)
    assert rig.details("configured")[-1]["table"] == 1
    assert len(shown(rig, "K2", 5.9)) > 4
    assert not shown(rig, "K2", 7.2)
