"""The Third Profile: several tables of gaits, chosen and set by the host (004, Fig. 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from annelid.electronics.board import Board
from annelid.kernel import Program
from annelid.systems.erekobot.messages import brief_configurations, configurations
from annelid.systems.erekobot.module import ErekobotSetup, Module
from annelid.systems.erekobot.packets import BriefConfiguration, Configuration
from annelid.systems.erekobot.servo_table import GaitTable


def third_profile(
    board: Board, setup: ErekobotSetup, tables: Sequence[GaitTable], *, brief: bool = False
) -> Program:
    """Fig. 10: as the Second, but unicast sets up the movement, announced by a Standard Packet.

    ``brief``: configurations have the eight bytes of Fig. 4 and keep the module's first table.
    """
    me = Module(board, setup, brief_configurations if brief else configurations)
    table, period, phase = tables[0], len(tables[0]), 0
    while True:
        me.asks_time()
        if me.gait.due:
            me.turn(table.at(me.gait.take() + phase, period))
        fired = yield me.next()
        if fired.timed_out:
            continue
        packets = yield from me.serial.receive(fired.value)
        for packet in packets:
            if me.keeps_time(packet) or not me.is_mine(packet):
                continue
            if isinstance(packet, Configuration):
                if packet.table >= len(tables):
                    me.refuse("table", packet.table)
                    continue
                table = tables[packet.table]
            if isinstance(packet, Configuration | BriefConfiguration):
                period, phase = packet.period, packet.phase
                me.setup = replace(me.setup, address=packet.new_address, modules=packet.modules)
        yield from me.rest(packets)
