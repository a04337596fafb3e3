"""Messages, edges and timeouts: nothing is lost, and the result says what happened."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from annelid.errors import InputError
from annelid.kernel import (
    AnyOf,
    Direction,
    Edge,
    Join,
    Kernel,
    Line,
    Mailbox,
    Receive,
    Sleep,
    Until,
)
from annelid.kernel.waits import Program, Wait

Log = list[Any]


def collect(kernel: Kernel, log: Log, *waits: Wait) -> None:
    """A program that yields ``waits`` in turn and logs when and what."""

    def program() -> Program:
        for wait in waits:
            result = yield wait
            log.append((kernel.now, result))

    kernel.spawn(program(), "collector")


def test_messages_arrive_in_order_and_at_the_moment_they_were_put() -> None:
    kernel, log, box = Kernel(), Log(), Mailbox[str]()
    collect(kernel, log, *[Receive(box)] * 3)
    kernel.call_at(5, lambda: (box.put("a"), box.put("b")))
    kernel.call_at(9, lambda: box.put("c"))
    kernel.run()
    assert log == [(5, "a"), (5, "b"), (9, "c")]


def test_of_two_receivers_the_one_who_waited_longer_gets_the_message() -> None:
    kernel, first, second, box = Kernel(), Log(), Log(), Mailbox[int]()
    collect(kernel, first, Receive(box))
    collect(kernel, second, Receive(box))
    kernel.call_at(1, lambda: (box.put(1), box.put(2)))
    kernel.run()
    assert (first, second) == ([(1, 1)], [(1, 2)])


def test_a_full_mailbox_loses_and_counts() -> None:
    box = Mailbox[int](capacity=2)
    assert [box.put(i) for i in range(4)] == [True, True, False, False]
    assert box.dropped == 2
    assert len(box) == 2
    assert box.drain() == [0, 1]
    assert box.poll() is None
    with pytest.raises(InputError, match="capacity of 1"):
        Mailbox(capacity=0)


def test_a_timeout_says_so_and_takes_no_message() -> None:
    kernel, log, box = Kernel(), Log(), Mailbox[str]()
    collect(kernel, log, AnyOf(Receive(box), Sleep(10)), AnyOf(Receive(box), Until(30)))
    kernel.call_at(20, lambda: box.put("late"))
    kernel.run()
    (t1, missed), (t2, got) = log
    assert (t1, missed.timed_out, missed.index) == (10, True, 1)
    assert (t2, got.timed_out, got.index, got.value) == (20, False, 0, "late")


def test_the_first_ready_wins_and_the_others_keep_their_messages() -> None:
    kernel, log, a, b = Kernel(), Log(), Mailbox[str](), Mailbox[str]()
    a.put("a")
    b.put("b")
    collect(kernel, log, AnyOf(Sleep(0), Receive(b), Receive(a)))
    kernel.run()
    assert log[0][1].value == "b"
    assert a.poll() == "a"
    assert b.poll() is None


def test_two_messages_in_one_instant_are_both_received() -> None:
    kernel, log, a, b = Kernel(), Log(), Mailbox[str](), Mailbox[str]()
    collect(kernel, log, *[AnyOf(Receive(a), Receive(b))] * 2)
    kernel.call_at(3, lambda: (b.put("b"), a.put("a")))
    kernel.run()
    assert [(t, f.index, f.value) for t, f in log] == [(3, 1, "b"), (3, 0, "a")]


def test_anyof_may_be_nested_and_joined() -> None:
    kernel, log, box = Kernel(), Log(), Mailbox[int]()
    child = kernel.spawn((Sleep(4) for _ in range(1)), "child")
    collect(kernel, log, AnyOf(AnyOf(Receive(box), Join(child)), Sleep(99)))
    kernel.run()
    t_ns, outer = log[0]
    assert (t_ns, outer.index, outer.value.index, outer.value.value) == (4, 0, 1, child)


def test_a_kill_withdraws_every_branch() -> None:
    kernel, log, box, line = Kernel(), Log(), Mailbox[int](), Line()
    collect(kernel, log, AnyOf(Receive(box), Edge(line), Sleep(50)))
    kernel.run(1)
    next(iter(kernel.processes)).kill()
    box.put(1)
    line.set(True)
    kernel.run()
    assert log == []
    assert box.poll() == 1


def test_edges_of_each_direction() -> None:
    kernel, rising, falling, either, line = Kernel(), Log(), Log(), Log(), Line()
    collect(kernel, rising, Edge(line, Direction.RISING), Edge(line, Direction.RISING))
    collect(kernel, falling, Edge(line, Direction.FALLING))
    collect(kernel, either, Edge(line), Edge(line))
    for t_ns, level in ((1, False), (2, True), (4, True), (5, False), (7, True)):
        kernel.call_at(t_ns, partial(line.set, level))
    kernel.run()
    assert rising == [(2, True), (7, True)]
    assert falling == [(5, False)]
    assert either == [(2, True), (5, False)]


def test_a_pulse_of_no_length_is_still_an_edge() -> None:
    kernel, log, line = Kernel(), Log(), Line()
    collect(kernel, log, AnyOf(Edge(line, Direction.RISING), Sleep(100)))
    kernel.call_at(5, partial(line.set, True))
    kernel.call_at(5, partial(line.set, False))
    kernel.run()
    assert log[0][0] == 5
    assert not log[0][1].timed_out


def test_one_line_in_two_branches_fires_once() -> None:
    kernel, log, line = Kernel(), Log(), Line()
    collect(kernel, log, AnyOf(Edge(line, Direction.RISING), Edge(line)), Sleep(10))
    kernel.call_at(5, lambda: line.set(True))
    kernel.run()
    assert [t for t, _ in log] == [5, 15]


def test_an_interrupt_hears_every_change_and_no_equal_level() -> None:
    calls, line = Log(), Line()
    end = line.on_change(calls.append)
    for level in (False, True, True, False):
        line.set(level)
    end()
    line.set(True)
    assert calls == [True, False]


def test_timeouts_that_were_not_needed_do_not_pile_up() -> None:
    kernel, box = Kernel(), Mailbox[int]()

    def receiver() -> Program:
        while True:
            yield AnyOf(Receive(box), Sleep(10**12))

    def sender() -> Program:
        for i in range(5000):
            yield Sleep(10)
            box.put(i)

    kernel.spawn(receiver(), "receiver")
    kernel.spawn(sender(), "sender")
    kernel.run(10**6)
    assert len(kernel.queue) < 1000


def test_an_empty_anyof_is_refused() -> None:
    with pytest.raises(InputError, match="at least one"):
        AnyOf()
