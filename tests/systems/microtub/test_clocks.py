"""One time for all modules (000 §4.1.6), and one owner of the sync line."""

from __future__ import annotations

import numpy as np
import pytest
from tests.systems.microtub.robots import Chain, boards

from annelid.kernel import MILLISECOND, SECOND, milliseconds
from annelid.systems.microtub.clocks import TICK_NS, GaitClock
from annelid.systems.microtub.line_owner import QUIET_NS, LineOwner, LineUse

DRIFT_PPM = 30_000.0
SET_TWICE_S = 3.0
"""The baton keeps what clocks have drifted before it ran; the second RTC takes it away."""


def spread_ms(chain: Chain, *, after_s: float, until_s: float) -> float:
    """The worst difference between two modules' t: what each was set to, and its own rate."""
    # Boards tick on the steps of the physics; between two of them no baton is under way.
    grid = np.arange(after_s * SECOND + MILLISECOND // 4, until_s * SECOND, 7 * MILLISECOND)
    shown = []
    for node in chain.network.modules:
        at, t = np.array(settings(chain, node.name, until_s), float).T[:2]
        last = np.searchsorted(at, grid, side="right") - 1
        shown.append(t[last] + (grid - at[last]) * (1 + node.board.clock.drift_ppm / 1e6))
    return float(np.ptp(np.array(shown), axis=0).max() / MILLISECOND)


def settings(chain: Chain, name: str, until_s: float) -> list[tuple[int, int]]:
    return [
        (at, detail["t_ns"])
        for at, source, kind, detail in chain.rig.events
        if kind == "clock" and source == name and at < until_s * SECOND
    ]


def on_line(chain: Chain, at_s: float) -> list[bool]:
    """Whether each module has had a pass of the baton in the last 100 ms."""
    passes = [
        (at / SECOND, name)
        for at, name, kind, detail in chain.rig.events
        if kind == "clock" and detail["by"] == "line"
    ]
    return [
        any(name == node.name and at_s - 0.1 < at <= at_s for at, name in passes)
        for node in chain.network.modules
    ]


@pytest.fixture(scope="module")
def errors() -> dict[str, float]:
    found = {}
    for sync in ("rtc", "line"):
        chain = boards("TRSERR", sync=sync, drift_ppm=DRIFT_PPM, clock_log=True, seed=4)
        chain.run(20.0)
        assert chain.found[0].error is None
        found[sync] = spread_ms(chain, after_s=SET_TWICE_S, until_s=20.0)
    return found


def test_rtc_bounds_what_drift_makes_in_two_seconds(errors: dict[str, float]) -> None:
    assert 20 < errors["rtc"] < 2 * DRIFT_PPM / 1e6 * 2000 + 5


def test_the_line_is_the_more_accurate(errors: dict[str, float]) -> None:
    assert errors["line"] < 2.0
    assert errors["line"] < errors["rtc"] / 10


def test_all_modules_tick_alike() -> None:
    """Read literally, 000's ends tick half as often (FACTS §6)."""
    for letters in ("R", "RR", "TRPSERV"):
        chain = boards(letters, sync="line", boot_ms=0.0, clock_log=True)
        chain.run(5.0)
        ticks = [
            sum(detail["by"] == "line" for detail in chain.details("clock", node.name))
            for node in chain.network.modules
        ]
        assert max(ticks) - min(ticks) <= 1
        assert max(ticks) == pytest.approx((5.0 - 0.9) / (TICK_NS / SECOND), rel=0.1)


def test_a_cut_line_falls_back_to_rtc_and_comes_back_by_itself() -> None:
    chain = boards("TRSERR", sync="line", drift_ppm=DRIFT_PPM, clock_log=True, seed=4)
    line = chain.network.sync[2]
    chain.rig.kernel.call_at(4 * SECOND, lambda: line.disturb(cut=True))
    chain.rig.kernel.call_at(10 * SECOND, line.mend)
    chain.run(16.0)
    assert all(on_line(chain, 3.9))
    assert not any(on_line(chain, 9.2)[3:])
    assert all(on_line(chain, 15.9))
    assert spread_ms(chain, after_s=5.0, until_s=10.0) < 2 * DRIFT_PPM / 1e6 * 2000 + 20
    assert spread_ms(chain, after_s=13.0, until_s=16.0) < 2.0


def test_the_clock_gives_the_line_to_a_check_and_takes_it_again() -> None:
    chain = boards("RSE", sync="line", clock_log=True)
    chain.run(2.0)
    assert all(on_line(chain, 2.0))
    chain.network.modules[0].reset()
    chain.run(4.0)
    assert len(chain.found) == 2
    assert chain.found[1].error is None
    assert all(on_line(chain, 4.0))


def test_rtc_lets_a_wave_go_on() -> None:
    clock = GaitClock(rtc_ns=2 * SECOND)
    clock.start(100)
    clock.rtc(100 + milliseconds(2030))
    assert clock.t_ns(100 + milliseconds(2030)) == 2 * SECOND
    clock.rtc(100 + milliseconds(2030 + 1960))
    assert clock.t_ns(100 + milliseconds(2030 + 1960)) == 4 * SECOND


def test_the_line_has_one_owner() -> None:
    line, now = LineOwner(), 0
    line.want(LineUse.CLOCK, now)
    assert not line.has(LineUse.CLOCK, now), "what the one before left must fade"
    now += QUIET_NS
    assert line.has(LineUse.CLOCK, now)
    line.want(LineUse.ELBOW, now)
    line.want(LineUse.CHECK, now)
    assert line.has(LineUse.CHECK, now)
    assert not line.has(LineUse.ELBOW, now + QUIET_NS)
    line.leave(LineUse.CHECK, now)
    assert line.has(LineUse.ELBOW, now + QUIET_NS)
    line.leave(LineUse.ELBOW, now)
    assert line.has(LineUse.CLOCK, now + QUIET_NS)
    line.leave(LineUse.CLOCK, now)
    assert line.owner is None
