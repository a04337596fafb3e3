"""What is made from the table for others: sentences, the page, the header."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from annelid.errors import InputError
from annelid.systems.microtub.protocol import (
    CC,
    COMMANDS,
    HLC,
    LLC1,
    LLC2,
    OPERATOR,
    Alarm,
    Command,
    Destination,
    EnvironmentInfo,
    ModuleInfo,
    RobotInfo,
    describe,
    encode,
    plain,
    wire_bytes,
)
from annelid.systems.microtub.protocol.answers import module_answer, read_module_answer
from annelid.systems.microtub.protocol.c_header import c_header
from annelid.systems.microtub.protocol.page import docs_page
from annelid.systems.microtub.protocol.parameters import Value

ROOT = Path(__file__).parents[3]
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def line(command: Command, *values: Value, to: int, sender: int = CC) -> str:
    return describe(wire_bytes(encode(command, *values, to=to, sender=sender)))


def test_a_conversation_reads_like_one():
    assert line(LLC1.MS1, 45, to=5) == "CC → 5: MS1 servo 1 to 45°"
    assert line(LLC1.GPS, to=0) == "CC → all: GPS get position start"
    assert line(LLC1.PC1, "r", to=CC, sender=2) == "2 → CC: PC1 my turn, I am r"
    assert (
        line(LLC2.SIE, EnvironmentInfo.TEMPERATURE, to=9) == "CC → 9: SIE tell me the temperature"
    )
    assert line(LLC2.AIE, 1, -20, to=CC, sender=9) == "9 → CC: AIE the temperature is -20 °C"
    assert line(LLC2.APO, to=CC, sender=1) == "1 → CC: APO answer to the polling message"
    assert line(LLC2.APO, Alarm.HOT, 2, to=CC, sender=1).endswith(": a servo is too hot, 2")
    assert line(HLC.RPL, Destination.HOME, to=CC, sender=OPERATOR) == (
        "operator → CC: RPL reach a place: home"
    )
    assert line(HLC.AIR, RobotInfo.BATTERIES, True, to=OPERATOR).endswith("batteries, yes")


def test_answers_to_the_operator_have_plain_words():
    def told(command: Command, *values: Value) -> str:
        return plain(line(command, *values, to=OPERATOR).partition(": ")[2])

    assert told(HLC.ANS, "explore: begun, it's slow") == "explore: begun, it's slow"
    assert told(HLC.AIR, RobotInfo.WORKING_MODULES, "chvb") == "working modules, 'chvb'"
    assert told(HLC.AIE, EnvironmentInfo.BORE, 410) == "the bore of the pipe is 410 1/10 mm"
    assert plain("operator: ANS") == "operator: ANS", "no sentence of the protocol"


def test_bad_frames_are_described_too():
    assert describe(b"") == "nothing"
    assert describe(b"\x0a") == "? → 5: only the address"
    assert describe(b"\x0b\x3f\x09") == (
        "? → 5: bad frame, a read, which MICROTUB does not use: 0b 3f 09"
    )
    assert describe(bytes.fromhex("0a3fff")) == ("CC → 5: bad frame, unknown instruction: 0a 3f ff")


def test_a_checksum_is_noticed_without_being_told():
    frame = encode(LLC1.MS1, 45, to=5, crc=True)
    assert describe(wire_bytes(frame)) == "CC → 5: MS1 servo 1 to 45°"


def test_answers_about_the_module_are_numbers_in_a_string():
    answer = module_answer(ModuleInfo.ORIENTATION, 0, -30, 90)
    assert answer == "4 0 -30 90"
    assert read_module_answer(answer) == (ModuleInfo.ORIENTATION, (0, -30, 90))
    assert line(LLC2.AIM, answer, to=CC, sender=3) == "3 → CC: AIM the orientation is 0, -30, 90"
    assert line(LLC2.AIM, "hello", to=CC, sender=3).endswith(": 'hello'")
    for odd in ("", "4", "4 1", "1 2 3", "8 1", "1 x", "1 1.5", "1  2"):
        assert read_module_answer(odd) is None
    with pytest.raises(InputError, match="orientation: expected 3 whole numbers, got 1"):
        module_answer(ModuleInfo.ORIENTATION, 5)
    with pytest.raises(InputError, match="up to six digits"):
        module_answer(ModuleInfo.DISTANCE, 10_000_000, 1)


def test_the_page_in_the_repository_is_the_one_the_table_makes():
    kept = (ROOT / "docs" / "microtub-protocol.md").read_text(encoding="utf-8")
    assert kept == docs_page(), "renew it: annelid export default protocol-page --out docs/…"


def test_the_page_and_the_header_have_every_command():
    page, header = docs_page(), c_header()
    for command in COMMANDS:
        assert f"| {command.opcode:02X}H | {command.name} |" in page
        assert f"MICROTUB_{command.level}_{command.name} = 0x{command.opcode:02X}," in header
    assert header.isascii()


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
@pytest.mark.parametrize("language", ["c", "c++"])
def test_the_header_compiles(language: str, tmp_path: Path):
    assert COMPILER is not None
    header = tmp_path / "microtub_protocol.h"
    header.write_text(c_header())
    standard = "-std=c99" if language == "c" else "-std=c++11"
    ran = subprocess.run(
        [COMPILER, "-x", language, standard, "-Wall", "-Wextra", "-Werror", "-pedantic",
         "-fsyntax-only", str(header)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if language == "c++" and ("cc1plus" in ran.stderr or "not recognized" in ran.stderr):
        pytest.skip("no C++ compiler")
    assert ran.returncode == 0, ran.stderr


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_firmware_computes_the_same_checksum(tmp_path: Path):
    assert COMPILER is not None
    (tmp_path / "microtub_protocol.h").write_text(c_header())
    (tmp_path / "main.c").write_text(
        '#include "microtub_protocol.h"\n'
        "int main(void) {\n"
        "    uint8_t frame[] = {5 << 1, MICROTUB_ADDRESS_CC, MICROTUB_LLC1_MS1,\n"
        "                       MICROTUB_TYPE_ANGLE, 45};\n"
        "    return microtub_size(MICROTUB_TYPE_VALUE) == 2 ? microtub_pec(frame, 5) : 99;\n"
        "}\n"
    )
    program = tmp_path / "main"
    subprocess.run([COMPILER, str(tmp_path / "main.c"), "-o", str(program)], check=True)
    code = subprocess.run([str(program)], check=False).returncode
    assert code == encode(LLC1.MS1, 45, to=5, crc=True).data[-1]
