"""What leaves a module because of what comes in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annelid.systems.erekobot import messages
from annelid.systems.erekobot.packets import Configuration, Packet, Standard, encode
from annelid.systems.erekobot.receiver import Receiver
from annelid.systems.erekobot.relay import Forwarding, Relay

ME = 5


def relay(mode: Forwarding) -> Relay:
    return Relay(Receiver(messages.configurations), mode, lambda address, _: address != ME)


def through(one: Relay, data: bytes) -> tuple[list[Packet], list[bytes]]:
    """What is heard, and what leaves after each byte."""
    packets: list[Packet] = []
    left = []
    for byte in data:
        heard, on = one.feed(byte)
        packets += [each.packet for each in heard]
        left.append(on)
    return packets, left


def test_cut_through_sends_after_four_bytes_and_store_after_all() -> None:
    data = encode(Standard(7, 300))
    _, cut = through(relay("cut-through"), data)
    assert cut == [b"", b"", b"", data[:4], data[4:]]
    _, store = through(relay("store"), data)
    assert store == [b"", b"", b"", b"", data]
    _, none = through(relay("none"), data)
    assert b"".join(none) == b""


def test_ones_own_packets_stay_and_those_for_all_go_on() -> None:
    mine: list[Packet] = [messages.configuration_follows(ME), Configuration(ME, 6, 0, 3, 16, 1)]
    other: list[Packet] = [messages.configuration_follows(9), Configuration(9, 10, 0, 3, 16, 1)]
    both = [*mine, messages.start(), *other]
    for one in (relay("cut-through"), relay("store")):
        heard, left = through(one, b"".join(map(encode, both)))
        assert heard == both
        assert b"".join(left) == b"".join(map(encode, [messages.start(), *other]))


def test_a_wrong_checksum_goes_on_only_where_nobody_checked_it() -> None:
    spoilt = encode(Standard(7, 300))[:4] + b"\x00"
    assert b"".join(through(relay("cut-through"), spoilt)[1]) == spoilt
    assert b"".join(through(relay("store"), spoilt)[1]) == b""


@given(st.binary(max_size=60), st.lists(st.integers(1, 20), max_size=6))
def test_whatever_comes_the_next_module_hears_all_that_is_for_others(
    noise: bytes, addresses: list[int]
) -> None:
    """A byte is never sent twice, and no sound packet is lost on the way."""
    data = noise + b"".join(encode(Standard(address, 1000)) for address in addresses)
    cut = relay("cut-through")
    heard, left = through(cut, data)
    rest, last = cut.expire()
    on = b"".join([*left, last])
    assert len(on) <= len(data)
    assert cut.between_packets
    mine = [each for each in (*heard, *(h.packet for h in rest)) if each.address != ME]
    following = Receiver(messages.configurations)
    there = [h.packet for byte in on for h in following.feed(byte)]
    there += [h.packet for h in following.expire()]
    assert [each for each in mine if each not in there] == []
