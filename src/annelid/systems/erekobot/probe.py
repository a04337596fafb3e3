"""The host measures its line instead of driving a gait (004 §2.3)."""

from __future__ import annotations

from annelid.electronics.board import Board
from annelid.kernel import AnyOf, Program, Receive, milliseconds
from annelid.systems.erekobot.packets import Standard
from annelid.systems.erekobot.serial import PacketPort
from annelid.systems.erekobot.spec import ErekobotProbe

DELAY = "delay"
"""Event: a probe's packet is back."""

PROBE = 254
"""An address that nobody has, for packets that are to go all the way round."""


def probe(board: Board, asked: ErekobotProbe) -> Program:
    """Send packets that are for nobody round a ring, note when each is back (004 §2.3)."""
    serial = PacketPort(board, passes=lambda *_: False, forwarding="none", timeout_s=0.02)
    interval_ns, start_ns = milliseconds(asked.interval_ms), board.now
    sent_ns: dict[int, int] = {}
    for number in range(asked.packets + 1):  # after the last packet it only listens
        if number < asked.packets:
            sent_ns[number] = board.now
            serial.send(Standard(PROBE, number))
        end = board.until(start_ns + (number + 1) * interval_ns)
        while not (fired := (yield AnyOf(Receive(serial.port.received), end))).timed_out:
            for packet in serial.take(fired.value):
                if isinstance(packet, Standard) and packet.message in sent_ns:
                    delay_ns = board.now - sent_ns.pop(packet.message)
                    board.log(DELAY, {"packet": packet.message, "delay_ns": delay_ns})
