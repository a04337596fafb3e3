"""The Second Profile: the module has a table of gaits, the host says when (004, Fig. 8)."""

from __future__ import annotations

from annelid.electronics.board import Board
from annelid.kernel import Program
from annelid.systems.erekobot.module import ErekobotSetup, Module
from annelid.systems.erekobot.packets import Standard
from annelid.systems.erekobot.servo_table import GaitTable


def second_profile(board: Board, setup: ErekobotSetup, table: GaitTable) -> Program:
    """Fig. 8: the loop (yellow), broadcast (red: start and stop), unicast (blue: time state)."""
    me = Module(board, setup)
    phase = 0
    while True:
        me.asks_time()
        if me.gait.due:
            me.turn(table.at(me.gait.take() + phase))
        fired = yield me.next()
        if fired.timed_out:
            continue
        packets = yield from me.serial.receive(fired.value)
        for packet in packets:
            if me.keeps_time(packet) or not (isinstance(packet, Standard) and me.is_mine(packet)):
                continue
            if packet.message < len(table):
                phase = packet.message - (me.gait.step if me.gait.moving else 0)
            else:
                me.refuse("time state", packet.message)
        yield from me.rest(packets)
