"""Packets byte by byte, and every value that cannot be sent."""

from __future__ import annotations

import struct
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.errors import InputError
from annelid.systems.erekobot import messages
from annelid.systems.erekobot.packets import (
    BRIEF_CONFIGURATION,
    CONFIGURATION,
    STANDARD,
    BriefConfiguration,
    Configuration,
    GaitProgram,
    Standard,
    check_modules,
    encode,
    program_layout,
)

ADDRESS = st.integers(1, 254)
WORD = st.integers(0, 0xFFFF)
STANDARDS = st.builds(Standard, st.integers(0, 255), WORD)
CONFIGURATIONS = st.builds(
    Configuration, ADDRESS, ADDRESS, WORD, ADDRESS, st.integers(1, 32), st.integers(0, 31)
)
BRIEF = st.builds(
    BriefConfiguration, ADDRESS, ADDRESS, ADDRESS, st.integers(1, 32), st.integers(0, 31)
)
PROGRAMS = st.builds(
    GaitProgram,
    st.integers(0, 255),
    st.integers(0, 254),
    ADDRESS,
    st.integers(1, 0xFFFF),
    st.binary(min_size=1, max_size=63),
    WORD,
)


def test_sizes_are_the_papers() -> None:
    assert (STANDARD.size, CONFIGURATION.size, BRIEF_CONFIGURATION.size) == (5, 11, 8)


def test_bytes_are_big_endian_with_the_sum_behind_them() -> None:
    assert encode(messages.start()).hex(" ") == "10 ff 00 01 10"
    assert encode(messages.stop()).hex(" ") == "10 ff 00 00 0f"
    assert encode(Standard(23, 227)).hex(" ") == "10 17 00 e3 0a"
    assert encode(Standard(1, 311)).hex(" ") == "10 01 01 37 49"
    assert encode(Configuration(1, 2, 3, 10, 32, 31)).hex(" ") == (
        "10 01 02 00 03 0a 00 20 00 1f 5f"
    )
    assert encode(BriefConfiguration(1, 2, 10, 32, 31)).hex(" ") == "10 01 02 0a 00 20 1f 5c"


@given(STANDARDS)
def test_standard_packets_come_back(packet: Standard) -> None:
    assert STANDARD.decode(encode(packet)) == packet


@given(CONFIGURATIONS)
def test_configurations_come_back(packet: Configuration) -> None:
    assert CONFIGURATION.decode(encode(packet)) == packet


@given(BRIEF)
def test_brief_configurations_come_back(packet: BriefConfiguration) -> None:
    assert BRIEF_CONFIGURATION.decode(encode(packet)) == packet


@given(PROGRAMS)
def test_programs_come_back(packet: GaitProgram) -> None:
    assert program_layout(len(packet.code)).decode(encode(packet)) == packet


@given(STANDARDS, st.integers(0, 4), st.integers(1, 255))
def test_one_wrong_byte_is_always_seen(packet: Standard, place: int, change: int) -> None:
    data = bytearray(encode(packet))
    data[place] ^= change
    assert STANDARD.parse(bytes(data)) is None


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ((0, 2, 0, 5, 10, 0), "Configuration: address: expected 1 to 254, got 0"),
        ((255, 2, 0, 5, 10, 0), "address: expected 1 to 254, got 255"),
        ((1, 0, 0, 5, 10, 0), "new_address: expected 1 to 254, got 0"),
        ((1, 2, 65536, 5, 10, 0), "table: expected 0 to 65535"),
        ((1, 2, 0, 0, 10, 0), "modules: expected 1 to 254, got 0"),
        ((1, 2, 0, 5, 0, 0), "period: expected 1 to 32, got 0"),
        ((1, 2, 0, 5, 33, 0), "period: expected 1 to 32, got 33"),
        ((1, 2, 0, 5, 10, 32), "phase: expected 0 to 31, got 32"),
        ((1.0, 2, 0, 5, 10, 0), "address: expected 1 to 254, got 1.0"),
        ((True, 2, 0, 5, 10, 0), "address: expected 1 to 254, got True"),
    ],
)
def test_a_field_out_of_range_is_named_with_its_range(fields: tuple[int, ...], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Configuration(*fields)


@pytest.mark.parametrize("address", [-1, 256, 1.5, None])
def test_addresses_that_are_no_byte_are_refused(address: Any) -> None:
    for make in (
        lambda: Standard(address, 1),
        lambda: BriefConfiguration(1, address, 5, 16, 0),
        lambda: GaitProgram(address, 1, 1, 100, b"\x10", 0),
    ):
        with pytest.raises(InputError, match=f"address: expected . to 25[45], got {address}"):
            make()


@pytest.mark.parametrize("period", [0, 33, 0xFFFF])
def test_a_period_out_of_range_is_no_packet_even_with_a_right_checksum(period: int) -> None:
    for layout, body in (
        (CONFIGURATION, struct.pack(">BBBHBHH", 0x10, 1, 1, 0, 3, period, 0)),
        (BRIEF_CONFIGURATION, struct.pack(">BBBBHB", 0x10, 1, 1, 3, period, 0)),
    ):
        raw = body + bytes([sum(body) & 0xFF])
        assert layout.parse(raw) is None
        with pytest.raises(InputError, match=f"period: expected 1 to 32, got {period}"):
            layout.decode(raw)


def test_programs_have_a_length() -> None:
    for code in (b"", bytes(64)):
        with pytest.raises(InputError, match="length of code: expected 1 to 63"):
            GaitProgram(1, 1, 1, 100, code, 0)


def test_more_than_ten_modules_want_a_word() -> None:
    assert check_modules(10) == 10
    with pytest.raises(InputError, match="expected 1 to 10, got 11; beyond_paper = true"):
        check_modules(11)
    assert check_modules(11, beyond_paper=True) == 11
    with pytest.raises(InputError, match="expected 1 to 254, got 255"):
        check_modules(255, beyond_paper=True)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("10 ff 00 01", "expected 5 bytes, got 4"),
        ("11 ff 00 01 11", "expected synchronisation byte 10H, got 11H"),
        ("10 ff 00 01 11", "expected checksum 10H, got 11H"),
    ],
)
def test_what_is_no_packet_is_told_why(data: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        STANDARD.decode(bytes.fromhex(data))


@pytest.mark.realtime
def test_a_million_packets_in_ten_seconds() -> None:
    """Measured 2.5 s; a fiftieth of them here, with the whole second left for a slow machine."""
    count = 20_000
    start = time.process_time()
    for number in range(count):
        STANDARD.decode(STANDARD.encode(Standard(7, number)))
    assert (time.process_time() - start) * 1_000_000 / count <= 10
