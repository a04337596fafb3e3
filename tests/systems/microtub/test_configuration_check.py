"""Order and type of every module over the sync lines, whatever the chain (000 §5.2, §5.3)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.systems.microtub.robots import LETTERS, Chain, boards, made

from annelid.errors import InputError, SpecError
from annelid.kernel import milliseconds
from annelid.modules import shelf
from annelid.systems.microtub.discovery import CheckAnswer, CheckResult, agreed
from annelid.systems.microtub.protocol import LLC1, LLC2, Alarm, Message, encode

IDS = {letter: kind.wire_id for letter, kind in shelf().items()}


def wire_ids(letters: str) -> str:
    return "".join(IDS[letter] for letter in letters)


def right(chain: Chain, letters: str) -> bool:
    return chain.order == chain.network.addresses and chain.ids == wire_ids(letters)


@settings(max_examples=25)
@given(
    letters=st.text(LETTERS, min_size=1, max_size=20),
    seed=st.integers(0, 10_000),
    skew_ms=st.just(0.0) | st.floats(0.001, 5),
    boot_ms=st.just(0.0) | st.floats(0.001, 250),
    drift_ppm=st.sampled_from([0.0, 50.0, 30_000.0]),
    sync=st.sampled_from(["rtc", "line"]),
)
def test_any_chain_is_found_in_its_order(
    letters: str, seed: int, skew_ms: float, boot_ms: float, drift_ppm: float, sync: str
) -> None:
    chain = boards(
        letters,
        seed=seed,
        pass_ms=(0.0, skew_ms),
        boot_ms=(0.0, boot_ms),
        drift_ppm=drift_ppm,
        sync=sync,
    )
    chain.run_until_found(3.0)
    assert chain.found, "the check did not end"
    assert chain.found[-1].error is None
    assert right(chain, letters)
    assert [m.mdl for m in chain.found[-1].members] == [
        made(letter).capabilities.digits for letter in letters
    ]


def test_as_many_modules_as_the_bus_has_addresses_for() -> None:
    letters = (LETTERS * 7)[:62]
    chain = boards(letters, drift_ppm=30_000)
    chain.run(2.0)
    assert right(chain, letters)
    assert sorted(chain.order) == list(range(1, 63))
    assert chain.order != tuple(sorted(chain.order)), "addresses tell the place"
    with pytest.raises(InputError, match="1 to 62 modules"):
        boards("R" * 63)


def test_a_chain_that_wakes_up_late_is_looked_at_again() -> None:
    """The last board starts a second after the first check."""
    chain = boards("RSE", boot_ms=0.0)
    tail = chain.network.modules[-1]
    tail.stop()
    chain.run(1.0)
    assert chain.ids == "rs"
    tail.start()
    chain.run(2.5)
    assert chain.ids == "rse"


def test_a_module_that_restarts_is_found_again() -> None:
    chain = boards("RSE")
    chain.run(1.2)
    chain.network.modules[1].reset()
    chain.run(3.0)
    assert len(chain.found) == 2
    assert right(chain, "RSE")


@settings(max_examples=30)
@given(again_ms=st.floats(0.3, 45.0), seed=st.integers(0, 1000))
def test_a_check_may_begin_again_at_any_moment(again_ms: float, seed: int) -> None:
    """What the first check had still to say is not taken for the second's."""
    start = 0.4
    says = [
        (start, encode(LLC1.GPS, to=0)),
        (start + again_ms / 1000, encode(LLC1.GPS, to=0)),
        (start + 0.2, encode(LLC1.GPF, to=0)),
    ]
    chain = boards("TRSER", says=says, seed=seed, pass_ms=(0.0, 2.0))
    chain.run(0.8)
    settled = [
        (detail["end_ns"], detail["from"])
        for _, link, kind, detail in chain.rig.events
        if link == "bus" and kind == "wire" and detail["outcome"] == "delivered"
        if detail["from"].startswith("M")
    ]
    second_ns = milliseconds(1000 * start + again_ms + 10)
    names = [name for at, name in settled if at > second_ns]
    assert names == ["M1", "M2", "M3", "M4", "M5"]


@settings(max_examples=50)
@given(
    letters=st.text("RSEP", min_size=2, max_size=8),
    place=st.integers(0, 7),
    at_ms=st.floats(290.0, 480.0),
    seed=st.integers(0, 1000),
    data=st.data(),
)
def test_a_death_or_a_cut_ends_in_an_error_or_in_the_right_order(
    letters: str, place: int, at_ms: float, seed: int, data: st.DataObject
) -> None:
    """Never in a wrong order, never in a hang; whatever breaks, at whatever moment."""
    chain = boards(letters, seed=seed, pass_ms=(0.0, 2.0), attempts=2)
    network = chain.network
    what = data.draw(st.sampled_from(["death", "hang", "cut", "forward", "backward"]))
    k = place % (len(letters) - 1)
    line = network.sync[k]
    front, rear = line.port_names
    break_it = {
        "death": network.modules[k].kill,
        "hang": network.modules[k].hang,
        "cut": lambda: line.disturb(cut=True),
        "forward": lambda: line.disturb(cut=((front, rear),)),
        "backward": lambda: line.disturb(cut=((rear, front),)),
    }[what]
    chain.rig.kernel.call_at(milliseconds(at_ms), break_it)
    chain.run_until_found(4.0)
    assert chain.found, "the check did not end"
    found = chain.found[0]
    if found.error is None:
        told = [member.address for member in found.members]
        whole = list(network.addresses)
        gone = what in ("death", "hang") and k == 0  # nobody is left who knew of it
        alive = whole[1:] if gone else whole
        assert told in (whole, alive)
    else:
        assert found.members == ()


@pytest.mark.parametrize("way", ["cut", "forward", "backward"])
@pytest.mark.parametrize("k", [0, 2, 4])
def test_a_cut_line_is_always_an_error(way: str, k: int) -> None:
    chain = boards("TRSERR", attempts=2)
    line = chain.network.sync[k]
    front, rear = line.port_names
    cuts = {"cut": True, "forward": ((front, rear),), "backward": ((rear, front),)}
    line.disturb(cut=cuts[way])
    chain.run(2.0)
    assert chain.found[0].error
    assert not chain.found[0].members


@pytest.mark.parametrize("level", [0, 1])
def test_a_line_held_at_a_level_is_an_error(level: int) -> None:
    chain = boards("TRSERR", attempts=2)
    chain.network.sync[2].disturb(stuck=level)
    chain.run(3.0)
    assert chain.found[0].error


def test_a_dead_module_in_the_middle_is_an_error_until_it_is_mended() -> None:
    chain = boards("TRSERR", attempts=2)
    dead = chain.network.modules[3]
    dead.kill()
    chain.run(2.0)
    assert chain.found[0].error
    dead.start()
    chain.run(4.0)
    assert right(chain, "TRSERR")


def test_without_settling_the_order_may_be_wrong_and_is_refused() -> None:
    """FACTS §6: the settling time is essential."""
    failures = 0
    for seed in range(10):
        chain = boards("RRRRRR", seed=seed, settle_ms=0.5, pass_ms=(0.0, 3.0), attempts=1)
        chain.run_until_found(2.0)
        failures += chain.found[0].error is not None
        assert chain.found[0].error is not None or right(chain, "RRRRRR")
    assert failures > 0


def test_two_modules_with_one_address_are_an_error() -> None:
    with pytest.raises(SpecError, match="two modules with address 5"):
        boards("RR", addresses=(5, 5))
    chain = boards("RSE", attempts=1)
    first, second = chain.network.modules[:2]
    second.firmware = first.firmware  # it believes to be the first one, and says so
    chain.run(2.0)
    assert chain.found[0].error == (
        f"configuration check: two modules have address {chain.network.addresses[0]}"
    )


def test_an_empty_bus_is_an_error() -> None:
    chain = boards("R", attempts=2)
    chain.network.modules[0].kill()
    chain.run(1.0)
    assert "nobody on the bus" in (chain.found[0].error or "")


def test_a_noisy_bus_never_gives_a_wrong_order() -> None:
    for seed in range(8):
        chain = boards("TRSER", seed=seed, crc=True, attempts=3)
        chain.network.bus.disturb(bit_error=2e-3)
        chain.run_until_found(3.0)
        assert chain.found
        assert chain.found[0].error is not None or right(chain, "TRSER")


def test_sparks_on_a_sync_line_never_give_a_wrong_order() -> None:
    for seed in range(8):
        chain = boards("TRSER", seed=seed, attempts=3)
        chain.network.sync[1].disturb(noise_hz=50.0)
        chain.run_until_found(3.0)
        assert chain.found
        assert chain.found[0].error is not None or right(chain, "TRSER")


def test_a_line_that_was_alive_and_is_not_any_more_becomes_an_alarm() -> None:
    chain = boards("RSE", attempts=1)
    chain.run(1.0)
    chain.network.modules[2].kill()
    chain.network.modules[0].reset()  # makes the central control look again
    chain.run(3.0)
    assert {"alarm": Alarm.SYNC_LINE.meaning, "detail": 2} in chain.details("alarm", "M2")


def test_both_phases_must_tell_the_same() -> None:
    places = CheckResult((CheckAnswer(4, "r"), CheckAnswer(9, "s")))
    talents = CheckResult((CheckAnswer(9, "0" * 17), CheckAnswer(4, "0" * 17)))
    assert "the MDL phase gives the order [9, 4]" in str(agreed(places, talents))
    assert "its id and then its MDL" in str(agreed(places, places))
    assert "MDL phase: x" in str(agreed(places, CheckResult((), "x")))


def test_a_module_says_its_place_when_it_is_asked() -> None:
    says = [
        (0.3, encode(LLC1.GP, to=7)),
        (0.4, encode(LLC1.GPS, to=0)),
        (0.6, encode(LLC1.GPF, to=0)),
        (0.7, encode(LLC1.GP, to=7)),
        (0.75, encode(LLC1.GP, to=9)),
        (0.8, encode(LLC2.PO, to=7)),
    ]
    chain = boards("RS", says=says, addresses=(7, 9))
    chain.run(1.0)
    told = [(m.command, m.values) for m in chain.heard if isinstance(m, Message)]
    turns = [(LLC1.PC1, ("r",)), (LLC1.PCL, ("s",))]
    assert told == [*turns, *turns, (LLC2.APO, (Alarm.CHECK, LLC1.GP.opcode))]
