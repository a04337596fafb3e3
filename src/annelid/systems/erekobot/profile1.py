"""The First Profile: the host computes every angle, the module obeys or passes on (004, Fig. 6)."""

from __future__ import annotations

from annelid.kernel import Program, Receive
from annelid.systems.erekobot.module import Module, ModuleMemory
from annelid.systems.erekobot.packets import Standard


def first_profile(me: Module, memory: ModuleMemory) -> Program:
    """Fig. 6; what is not for this module has been passed on by the time it is complete."""
    me.begin()
    while True:
        byte = yield Receive(me.serial.port.received)
        packets = yield from me.serial.receive(byte)
        for packet in packets:
            if (other := me.asked_profile(packet)) is not None:
                return other
            if isinstance(packet, Standard) and me.is_mine(packet):
                me.turn(packet.message)
        yield from me.rest(packets)
