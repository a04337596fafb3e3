"""The Third Profile: several tables of gaits, chosen and set by the host (004, Fig. 10)."""

from __future__ import annotations

from dataclasses import asdict, replace

from annelid.kernel import Program
from annelid.systems.erekobot.messages import brief_configurations, configurations
from annelid.systems.erekobot.module import Module, ModuleMemory
from annelid.systems.erekobot.packets import BriefConfiguration, Configuration


def third_profile(me: Module, memory: ModuleMemory) -> Program:
    """Fig. 10: as the Second, but unicast sets up the movement, announced by a Standard Packet; it
    may do so while the module moves."""
    me.begin(brief_configurations if memory.brief else configurations)
    tables = memory.tables
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
            if (other := me.asked_profile(packet)) is not None:
                return other
            if me.keeps_time(packet) or not me.is_mine(packet):
                continue
            if isinstance(packet, Configuration):
                if packet.table >= len(tables):
                    me.refuse("table", packet.table)
                    continue
                table = tables[packet.table]
            if isinstance(packet, Configuration | BriefConfiguration):
                period, phase = packet.period, packet.phase
                me.board.log("configured", asdict(packet))
                me.setup = replace(me.setup, address=packet.new_address, modules=packet.modules)
        yield from me.rest(packets)
