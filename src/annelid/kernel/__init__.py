"""Virtual time, the programs that run in it, random numbers, and the trace.

A robot of modules is many small computers that wait: for a tick, a message, an edge on a wire.
Here each of them is a *program*, a generator that yields what it waits for and reads like the
loop on the board::

    def module(board):
        tick = Sleep(period(67))
        while True:
            fired = yield AnyOf(Receive(board.inbox), tick)
            if fired.timed_out:
                board.servo.step()
            else:
                board.obey(fired.value)

    kernel = Kernel(record=trace.events.append)
    kernel.spawn(module(board), "R1")
    kernel.run(seconds(10))

**Time** is a whole number of ns (:mod:`~annelid.kernel.time`).  The kernel
(:mod:`~annelid.kernel.loop`) keeps one queue ordered by time, priority and sequence; a program
takes no virtual time except where it waits.  Nothing in here reads a wall clock: a
:class:`Pacer` slows a run down to one that it is given.  A program that never yields cannot be
interrupted; one that yields without time passing is stopped with a :class:`Livelock`.

**Waits** are in :mod:`~annelid.kernel.waits`, timeouts in :mod:`~annelid.kernel.anyof`, the things
waited on (:class:`Mailbox`, :class:`Line`) in :mod:`~annelid.kernel.primitives`.
Links are built of these.

**Ends.** A program returns, is killed, or crashes (:mod:`~annelid.kernel.process`); a crash ends
the run under its name, or is contained and recorded, as the spawner wishes.

**Outside.** What an operator does enters by :meth:`Kernel.inject`, which says at what moment it
took effect; scheduled for that moment in a second run, it gives the same run again.  That is how
reset, time slider and resume work: no state is ever saved, everything is replayed.

**Local clocks** (:mod:`~annelid.kernel.clock`) drift, and tick on the grid of the physics.
**Chance** comes in named streams (:mod:`~annelid.kernel.streams`).  **The trace**
(:mod:`annelid.kernel.trace`) is a package of its own.
"""

from annelid.kernel.anyof import AnyOf
from annelid.kernel.clock import LocalClock, LocalTimer
from annelid.kernel.loop import Kernel, Priority, Record
from annelid.kernel.pacing import Pacer
from annelid.kernel.primitives import Line, Mailbox
from annelid.kernel.process import Livelock, Process, ProcessState, ProgramError
from annelid.kernel.streams import RandomStreams
from annelid.kernel.time import (
    MICROSECOND,
    MILLISECOND,
    SECOND,
    microseconds,
    milliseconds,
    period,
    seconds,
    to_seconds,
)
from annelid.kernel.timer import Timer
from annelid.kernel.waits import (
    Direction,
    Edge,
    Join,
    Program,
    Receive,
    Sleep,
    Until,
    Wait,
    Waiter,
)
