"""The Second Profile: the module has a table of gaits, the host says when (004, Fig. 8)."""

from __future__ import annotations

from annelid.kernel import Program
from annelid.systems.erekobot.module import Module, ModuleMemory
from annelid.systems.erekobot.packets import Standard


def second_profile(me: Module, memory: ModuleMemory) -> Program:
    """Fig. 8: the loop (yellow), broadcast (red: start and stop), unicast (blue: time state)."""
    me.begin()
    table, phase = memory.tables[0], 0
    while True:
        me.asks_time()
        if me.gait.due:
            me.turn(table.at(me.gait.take() + phase))
        fired = yield me.next()
        if fired.timed_out:
            continue
        packets = yield from me.serial.receive(fired.value)
        for packet in packets:
            if (other := me.asked_profile(packet)) is not None:
                return other
            if me.keeps_time(packet) or not (isinstance(packet, Standard) and me.is_mine(packet)):
                continue
            if packet.message < len(table):
                phase = packet.message - (me.gait.step if me.gait.moving else 0)
            else:
                me.refuse("time state", packet.message)
        yield from me.rest(packets)
