"""Connects a real serial port to one end of a simulated line.

The bridge is the program of the board at that end.  The boards behind it cannot tell whether a
simulated neighbour speaks or a real one.

What comes from outside is sent on at the baud rate of the simulated line.  From a
pseudo-terminal, which has no baud rate, bytes get the time on the wire that they would have had;
from a true wire they come one byte later than they did there, 1 ms at 9600 baud.
"""

from __future__ import annotations

from annelid.electronics.board import Board
from annelid.electronics.port import BytePort
from annelid.kernel import AnyOf, Program, Receive


def bridge(board: Board, *, outside: BytePort, port: str) -> Program:
    """Pass bytes on between ``outside`` and the board's own ``port``, both ways, for ever."""
    inside: BytePort = board.ports[port]
    either = AnyOf(Receive(outside.received), Receive(inside.received))
    ways = ((outside, inside), (inside, outside))
    while True:
        fired = yield either
        source, sink = ways[fired.index]
        sink.send(bytes((fired.value, *source.received.drain())))
