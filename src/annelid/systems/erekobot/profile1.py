"""The First Profile: the host computes every angle, the module obeys or passes on (004, Fig. 6)."""

from __future__ import annotations

from annelid.electronics.board import Board
from annelid.kernel import Program, Receive
from annelid.systems.erekobot.module import ErekobotSetup, Module
from annelid.systems.erekobot.packets import Standard


def first_profile(board: Board, setup: ErekobotSetup) -> Program:
    """Fig. 6; what is not for this module has been passed on by the time it is complete."""
    me = Module(board, setup)
    while True:
        byte = yield Receive(me.serial.port.received)
        packets = yield from me.serial.receive(byte)
        for packet in packets:
            if isinstance(packet, Standard) and me.is_mine(packet):
                me.turn(packet.message)
        yield from me.rest(packets)
