"""Order, ends and errors of programs, as the writer of a program meets them."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from annelid.errors import InputError, OutputError
from annelid.kernel import (
    MILLISECOND,
    SECOND,
    Join,
    Kernel,
    Livelock,
    Mailbox,
    Pacer,
    Priority,
    ProcessState,
    ProgramError,
    RandomStreams,
    Receive,
    Sleep,
    Until,
    seconds,
)
from annelid.kernel.trace import Trace, events
from annelid.kernel.waits import Program

Log = list[Any]


def nap(log: Log, what: Any, *lengths: int) -> Program:
    for ns in lengths:
        yield Sleep(ns)
    log.append(what)
    return what


def test_same_instant_runs_by_priority_then_by_order_of_queueing() -> None:
    kernel, log = Kernel(), Log()
    kernel.call_at(5, lambda: log.append("late"), priority=Priority.LATE)
    for name in ("a", "b", "c"):
        kernel.spawn(nap(log, name, 5), name)
    kernel.call_at(5, lambda: log.append("outside"), priority=Priority.OUTSIDE)
    kernel.run(6)
    assert log == ["outside", "a", "b", "c", "late"]


def test_runs_join_without_a_seam_and_exclude_their_end() -> None:
    def times(*ends: int) -> list[int]:
        kernel, seen = Kernel(), Log()

        def ticker() -> Program:
            while True:
                seen.append(kernel.now)
                yield Sleep(10)

        kernel.spawn(ticker(), "ticker")
        for end in ends:
            kernel.run(end)
            assert kernel.now == end
        return seen

    assert times(30) == [0, 10, 20]
    assert times(10, 15, 30) == times(30)


def noisy_run(seed: int) -> list[tuple[int, str]]:
    kernel, streams, log = Kernel(), RandomStreams(seed), Log()
    boxes = [Mailbox[int]() for _ in range(5)]

    def module(i: int) -> Program:
        chance = streams[f"module/{i}"]
        while True:
            yield Sleep(int(chance.integers(0, 3)))
            boxes[int(chance.integers(5))].put(i)
            message = yield Receive(boxes[i])
            log.append((kernel.now, f"{i} from {message}"))
            boxes[i].put(i)
            yield Sleep(1)

    for i in range(5):
        kernel.spawn(module(i), f"m{i}")
    kernel.run(300)
    return log


def test_the_same_seed_gives_the_same_run() -> None:
    assert len(noisy_run(1)) > 100
    assert noisy_run(1) == noisy_run(1)
    assert noisy_run(1) != noisy_run(2)


def test_what_an_operator_did_between_runs_replays_exactly() -> None:
    def scene(kernel: Kernel, log: Log) -> None:
        def ticker() -> Program:
            while True:
                log.append(kernel.now)
                yield Sleep(10)

        kernel.spawn(ticker(), "ticker")

    live, lived, times = Kernel(), Log(), Log()
    scene(live, lived)
    live.run(20)
    times.append(live.inject(lambda: lived.append("first")))
    live.run(35)
    live.call_at(40, live.stop)
    live.run(50)
    times.append(live.inject(lambda: lived.append("second")))
    live.run(60)

    replay, replayed = Kernel(), Log()
    scene(replay, replayed)
    for t_ns, what in zip(times, ("first", "second"), strict=True):
        replay.call_at(t_ns, partial(replayed.append, what), priority=Priority.OUTSIDE)
    replay.run(60)
    assert lived == [0, 10, "first", 20, 30, 40, "second", 50]
    assert replayed == lived


def test_a_program_in_the_past_or_without_waits_is_refused() -> None:
    kernel = Kernel()
    kernel.run(10)
    with pytest.raises(InputError, match="10 ns"):
        kernel.call_at(9, print)
    with pytest.raises(InputError, match="10 ns"):
        kernel.run(5)
    with pytest.raises(InputError, match="R1: expected a program"):
        kernel.spawn(print, "R1")  # type: ignore[arg-type]


@pytest.mark.parametrize("nonsense", [None, 15, Sleep(-1), Sleep(1.5), Until("x"), Receive(3)])  # type: ignore[arg-type]
def test_a_senseless_wait_fails_in_the_program_at_its_line(nonsense: Any) -> None:
    def program() -> Program:
        yield nonsense

    kernel = Kernel()
    kernel.spawn(program(), "R1")
    with pytest.raises(ProgramError, match=r"R1: InputError: .*expected.*test_loop\.py"):
        kernel.run(1)


def test_until_a_past_moment_goes_on_at_once() -> None:
    kernel, log = Kernel(), Log()
    kernel.run(50)

    def program() -> Program:
        yield Until(20)
        log.append(kernel.now)
        yield Until(70)
        log.append(kernel.now)

    kernel.spawn(program(), "p")
    kernel.run()
    assert log == [50, 70]


def test_join_waits_for_the_end_and_tells_which() -> None:
    kernel, log = Kernel(), Log()
    child = kernel.spawn(nap(log, "value", 10), "child")

    def parent() -> Program:
        done = yield Join(child)
        log.append((kernel.now, done.state, done.result))
        again = yield Join(child)  # ended already: at once
        log.append(again is child)

    kernel.spawn(parent(), "parent")
    kernel.run()
    assert log == ["value", (10, ProcessState.DONE, "value"), True]


def test_a_kill_runs_finally_and_wakes_joiners_and_takes_no_message() -> None:
    kernel, log = Kernel(), Log()
    box = Mailbox[str]()

    def holder() -> Program:
        try:
            log.append((yield Receive(box)))
        finally:
            log.append("bus released")

    victim = kernel.spawn(holder(), "victim")

    def killer() -> Program:
        yield Sleep(5)
        victim.kill()
        victim.kill()
        box.put("kept")

    def witness() -> Program:
        log.append((yield Join(victim)).state)

    kernel.spawn(killer(), "killer")
    kernel.spawn(witness(), "witness")
    kernel.run(10)
    assert log == ["bus released", ProcessState.KILLED]
    assert box.poll() == "kept"
    assert victim not in kernel.processes


def test_closing_the_kernel_ends_everybody_the_youngest_first() -> None:
    kernel, log = Kernel(), Log()

    def board(name: str) -> Program:
        try:
            while True:
                yield Sleep(10)
        finally:
            log.append(name)
            processes[name].kill()  # harmless

    processes = {name: kernel.spawn(board(name), name) for name in "abc"}
    kernel.run(25)
    kernel.close()
    assert log == ["c", "b", "a"]
    assert {p.state for p in processes.values()} == {ProcessState.KILLED}
    assert not kernel.processes


def test_a_program_may_kill_itself() -> None:
    kernel, log = Kernel(), Log()

    def program() -> Program:
        me.kill()
        log.append("still here")
        yield Sleep(1)
        log.append("never")

    me = kernel.spawn(program(), "me")
    kernel.run()
    assert log == ["still here"]
    assert me.state is ProcessState.KILLED


def broken() -> Program:
    yield Sleep(3)
    raise ZeroDivisionError("no legs")


def test_a_crash_names_the_program_and_is_in_the_trace() -> None:
    trace, memory = Trace.in_memory()
    kernel = Kernel(record=trace.events.append)
    kernel.spawn(broken(), "R7")
    with pytest.raises(ProgramError, match=r"R7: ZeroDivisionError: no legs") as caught:
        kernel.run(10)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    trace.close()
    (event,) = events(memory, kind="crash")
    assert (event.time_ns, event.source) == (3, "R7")
    assert event.detail["error"] == "ZeroDivisionError: no legs"
    assert event.detail["where"].startswith("test_loop.py:")


def test_a_contained_crash_leaves_the_others_running() -> None:
    kernel, log = Kernel(crash="contain"), Log()
    process = kernel.spawn(broken(), "R7")
    kernel.spawn(nap(log, "fine", 10), "R8")
    kernel.run(20)
    assert process.state is ProcessState.CRASHED
    assert isinstance(process.error, ZeroDivisionError)
    assert log == ["fine"]


def test_a_full_disk_is_not_contained() -> None:
    def writer() -> Program:
        yield Sleep(1)
        raise OutputError("disk full")

    kernel = Kernel(crash="contain")
    kernel.spawn(writer(), "R1")
    with pytest.raises(OutputError, match=r"^disk full$"):
        kernel.run(5)


def test_time_that_stands_still_is_an_error_not_a_hang() -> None:
    def idle() -> Program:
        while True:
            yield Sleep(0)

    kernel = Kernel(instant_limit=1000)
    kernel.spawn(idle(), "R2.idle")
    with pytest.raises(Livelock, match=r"R2\.idle"):
        kernel.run(SECOND)


def test_two_programs_that_wake_each_other_forever_are_both_named() -> None:
    a, b = Mailbox[int](), Mailbox[int]()

    def echo(mine: Mailbox[int], other: Mailbox[int]) -> Program:
        while True:
            other.put((yield Receive(mine)))

    kernel = Kernel(instant_limit=1000)
    kernel.spawn(echo(a, b), "ping")
    kernel.spawn(echo(b, a), "pong")
    a.put(1)
    a.put(2)
    with pytest.raises(Livelock, match="ping, pong"):
        kernel.run(SECOND)


def test_stop_and_go_on() -> None:
    kernel, log = Kernel(), Log()
    kernel.call_at(5, kernel.stop)
    kernel.spawn(nap(log, "end", 5, 5), "p")
    kernel.run(100)
    assert kernel.now == 5
    assert log == []
    kernel.run(100)
    assert kernel.now == 100
    assert log == ["end"]


def test_a_cancelled_call_does_not_happen_and_does_not_pile_up() -> None:
    kernel, log = Kernel(), Log()
    for _ in range(5000):
        kernel.call_at(SECOND, lambda: log.append("no")).cancel()
    assert len(kernel.queue) < 1000
    kernel.call_at(SECOND, lambda: log.append("yes"))
    kernel.run()
    assert log == ["yes"]


class FakeWall:
    """A wall clock that moves when somebody idles."""

    def __init__(self) -> None:
        self.ns = 7 * SECOND
        self.visits: list[float] = []

    def idle(self, wait: float) -> None:
        self.visits.append(wait)
        self.ns += seconds(wait)


@pytest.fixture
def wall() -> FakeWall:
    return FakeWall()


def test_paced_to_a_wall_clock(wall: FakeWall) -> None:
    kernel, seen = Kernel(), Log()

    def ticker() -> Program:
        while True:
            yield Sleep(15 * MILLISECOND)
            seen.append((kernel.now, wall.ns - 7 * SECOND))

    kernel.spawn(ticker(), "ticker")
    kernel.run(100 * MILLISECOND, pacer=Pacer(lambda: wall.ns, wall.idle, speed=0.5))
    assert [t for t, _ in seen] == [15 * MILLISECOND * n for n in range(1, 7)]
    assert all(w == 2 * t for t, w in seen)
    assert wall.ns == 7 * SECOND + 200 * MILLISECOND
    assert max(wall.visits) <= 0.010


def test_what_arrives_while_idling_comes_in_time(wall: FakeWall) -> None:
    kernel, log = Kernel(), Log()

    def idle(wait: float) -> None:
        wall.idle(wait)
        if not log and pacer.virtual_ns() >= 30 * MILLISECOND:
            at = pacer.virtual_ns()
            kernel.inject(lambda: log.append(kernel.now), at_ns=at)

    pacer = Pacer(lambda: wall.ns, idle)
    kernel.run(SECOND, pacer=pacer)
    assert log == [30 * MILLISECOND]


def test_a_run_that_falls_behind_is_forgiven_and_says_so(wall: FakeWall) -> None:
    kernel = Kernel()

    def lag() -> None:
        wall.ns += SECOND

    kernel.call_at(0, lag)
    pacer = Pacer(lambda: wall.ns, wall.idle)
    kernel.run(200 * MILLISECOND, pacer=pacer)
    assert pacer.forgiven_ns == 800 * MILLISECOND
