"""A board whose program runs in another process or on another machine.

In the simulation only its ports are left.  They keep what arrives until the other side fetches it
(:meth:`RemoteGate.fetch`).  What the program sends and logs comes back as a *turn*
(:meth:`RemoteGate.deed`) and leaves by the board's own ports.  The ports have power only while the
other side is connected: otherwise a frame is not acknowledged, as on a real bus.

Turns come from outside and stand in the trace like what an operator types, so that a run replays
without the other process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from annelid.electronics.board import Board
from annelid.electronics.port import Frame, FramePort, Outcome, Powered, Sending
from annelid.errors import InputError, UnknownName
from annelid.kernel import AnyOf, Mailbox, Program, Receive

GATE: Final = "gate"
"""Name of the port at which the program elsewhere is in touch."""
LONGEST: Final = 1 << 20
"""Bytes of a frame; a picture has 69 kB."""
ADDRESSES: Final = range(128)


class Passed(NamedTuple):
    """A frame through the gate."""

    port: str
    address: int
    data: bytes


class Sent(NamedTuple):
    """One that the program elsewhere sends; its number comes back with the outcome."""

    number: int
    frame: Passed


class Logged(NamedTuple):
    kind: str
    detail: Mapping[str, Any]


class RemoteTurn(NamedTuple):
    """What the program elsewhere did since the last one."""

    sent: tuple[Sent, ...] = ()
    logged: tuple[Logged, ...] = ()
    gone: bool = False
    """It hangs up: the board says its last words and goes silent."""


class RemoteGate:
    """A port like others; its board's firmware is :func:`elsewhere`."""

    def __init__(self) -> None:
        self.turns: Mailbox[RemoteTurn] = Mailbox(name=GATE)
        self.here = False
        """Whether somebody is at the gate."""
        self._ports: dict[str, FramePort] = {}
        self._heard: list[Passed] = []
        self._sending: list[tuple[int, Sending]] = []

    def power(self, on: bool) -> None:
        self.here = False
        self._heard.clear()
        self._sending.clear()

    @property
    def ports(self) -> tuple[str, ...]:
        return tuple(self._ports)

    # -- for the connection to the program --------------------------------------------------------

    def deed(self, turn: RemoteTurn) -> Callable[[], None]:
        """What the turn does, to be called in its moment; one that cannot be is refused here."""
        for sent in turn.sent:
            port, address, data = sent.frame
            if port not in self._ports:
                raise UnknownName("port", port, self._ports, where=GATE)
            if address not in ADDRESSES or len(data) > LONGEST:
                raise InputError(
                    f"gate: expected an address of 0 to {ADDRESSES[-1]} and at most {LONGEST}"
                    f" bytes, got {address} and {len(data)}"
                )
        return partial(self._take, turn)

    def _take(self, turn: RemoteTurn) -> None:
        self.turns.put(turn)

    def fetch(self) -> tuple[list[Passed], list[tuple[int, Outcome]]]:
        """What has come since the last time, and what became of frames that were sent."""
        heard, self._heard = self._heard, []
        through = [
            (number, each.outcome) for number, each in self._sending if each.outcome is not None
        ]
        self._sending = [pair for pair in self._sending if not pair[1].done]
        return heard, through

    # -- for the firmware -------------------------------------------------------------------------

    def open(self, ports: Mapping[str, FramePort]) -> None:
        self._ports = dict(ports)

    def heard(self, port: str, frame: Frame) -> None:
        if self.here:
            self._heard.append(Passed(port, frame.address, frame.data))

    def send(self, sent: Sent) -> None:
        port, address, data = sent.frame
        self._sending.append((sent.number, self._ports[port].send(Frame(data, address))))


def elsewhere(board: Board, *, last_words: Iterable[tuple[str, Frame]] = ()) -> Program:
    """The firmware that is left here; ``last_words`` are said for one who hangs up."""
    gate: RemoteGate = board.ports[GATE]
    ports = {name: port for name, port in board.ports.items() if name != GATE}
    gate.open(ports)
    _power(ports.values(), on=False)
    names = list(ports)
    either = AnyOf(Receive(gate.turns), *(Receive(ports[name].received) for name in names))
    while True:
        fired = yield either
        if fired.index:
            gate.heard(names[fired.index - 1], fired.value)
            continue
        turn: RemoteTurn = fired.value
        if not gate.here and not turn.gone:
            _power(ports.values(), on=True)
            gate.here = True
            board.log("present", {})
        for kind, detail in turn.logged:
            board.log(kind, detail)
        for sent in turn.sent:
            gate.send(sent)
        if turn.gone and gate.here:
            for name, frame in last_words:
                yield ports[name].send(frame)
            _power(ports.values(), on=False)
            gate.here = False
            board.log("gone", {})


def _power(ports: Iterable[Powered], *, on: bool) -> None:
    for port in ports:
        port.power(on)
