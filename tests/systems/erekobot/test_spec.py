"""What a scenario may say, and what it is told if it may not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.systems.erekobot.chains import network

from annelid.errors import InputError
from annelid.systems.erekobot.bytecode import ProgramInputs, evaluate
from annelid.systems.erekobot.spec import ErekobotSpec


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"profile": 5}, "profile"),
        ({"period": 0}, "period: .* at least 1"),
        ({"period": 33}, "period: .* at most 32"),
        ({"addresses": [0]}, "addresses.0"),
        ({"addresses": [255]}, "addresses.0"),
        ({"addresses": [3, 3]}, "addresses must differ"),
        ({"topology": "star"}, "topology"),
        ({"sync": "ask"}, 'sync = "ask" needs a way back'),
        ({"interval_ms": 0}, "interval_ms"),
        ({"busy_ms": [3, 1]}, "lowest, highest"),
        ({"gait": {"alpha": 3}}, "gait.alpha"),
        ({"speed": 1}, "speed"),
        ({"period": 3, "tables_deg": [[1, 2]]}, "tables_deg.0: expected 3 angles"),
        ({"period": 1, "tables_deg": [[91]]}, "tables_deg.0.0"),
        ({"period": 1, "tables_deg": [[9]], "profile": 4}, "a formula"),
    ],
)
def test_mistakes_name_their_field(table: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        ErekobotSpec.parse(table, where="control")


def test_eleven_modules_want_a_word() -> None:
    with pytest.raises(InputError, match="modules: expected 1 to 10, got 11; beyond_paper"):
        network(11)
    rig, made = network(11, beyond_paper=True)
    rig.run(0.5)
    assert len(made.modules) == 11


def test_as_many_addresses_as_modules() -> None:
    with pytest.raises(InputError, match="addresses: expected 2, one for each module, got 3"):
        network(2, addresses=[1, 2, 3])


def test_as_many_tables_as_modules() -> None:
    with pytest.raises(
        InputError, match="tables_deg of table 0: expected 2, one for each module, got 1"
    ):
        network(2, period=1, tables_deg=[[10]])


def test_a_robot_without_the_servo_is_refused() -> None:
    with pytest.raises(InputError, match="no module of KK has a servo 'knee'"):
        network(2, servo="knee")


def test_the_wave_as_a_program_is_the_wave() -> None:
    for backwards in (False, True):
        spec = ErekobotSpec.parse({"gait": {"backwards": backwards}}, where="control")
        code, wave = spec.code(), spec.gait.wave()
        for index in range(5):
            now = ProgramInputs(seconds=0.7, period_s=3.2, index=index, modules=5)
            assert evaluate(code, now) == pytest.approx(wave.angle_deg(now.psi, index + 1), abs=1)
