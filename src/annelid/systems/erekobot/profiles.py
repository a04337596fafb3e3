"""The four profiles (004): what a module does with the packets that it is sent.

=======  ==========================================================================================
First    the host computes every angle, the module obeys or passes on (Fig. 6)
Second   the module has a table of gaits, the host says when (Fig. 8)
Third    several tables of gaits, chosen and set by the host (Fig. 10)
Fourth   the host sends the gait itself, as a small program
=======  ==========================================================================================

004 of the Fourth: "This profile has not been implemented in this protocol by impracticability
hardware."  Here the module checks what it is sent (bytecode.py) and runs it at every tick; what it
refuses changes nothing, and it goes on with the program it had.
"""

from __future__ import annotations

from dataclasses import asdict, replace

from annelid.kernel import Program, Receive, to_seconds
from annelid.systems.erekobot import messages
from annelid.systems.erekobot.bytecode import ProgramInputs, ProgramRefusal, crc, evaluate, verify
from annelid.systems.erekobot.messages import brief_configurations, configurations
from annelid.systems.erekobot.module import Module, ModuleMemory
from annelid.systems.erekobot.packets import (
    BROADCAST,
    BriefConfiguration,
    Configuration,
    GaitProgram,
    Standard,
)
from annelid.systems.erekobot.servo_table import pwm_of


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


def fourth_profile(me: Module, memory: ModuleMemory) -> Program:
    """A program may be sent while the module moves: it goes on by the new one."""
    me.begin(messages.programs, interval_s=me.setup.tick_s)
    running: GaitProgram | None = None
    while True:
        me.asks_time()
        if me.gait.due:
            me.gait.take()
            if running is not None:
                me.turn(pwm_of(evaluate(running.code, _moment(me, running))))
        fired = yield me.next()
        if fired.timed_out:
            continue
        packets = yield from me.serial.receive(fired.value)
        for packet in packets:
            if (other := me.asked_profile(packet)) is not None:
                return other
            for_me = me.is_mine(packet) or packet.address == BROADCAST
            if me.keeps_time(packet) or not (isinstance(packet, GaitProgram) and for_me):
                continue
            verdict = judge(packet)
            if verdict is ProgramRefusal.NONE:
                running = packet
            else:
                me.refuse("program", verdict.name.lower().replace("_", " "))
            if memory.answers and me.is_mine(packet):
                me.serial.send(messages.verdict(me.setup.address, verdict))
        yield from me.rest(packets)


def judge(packet: GaitProgram) -> ProgramRefusal:
    """Whether it arrived whole, and may be run."""
    return verify(packet.code) if crc(packet.code) == packet.crc else ProgramRefusal.CORRUPTED


def _moment(me: Module, program: GaitProgram) -> ProgramInputs:
    return ProgramInputs(
        seconds=to_seconds(me.gait.elapsed),
        period_s=program.period_ms / 1000,
        index=(program.index or me.setup.index) - 1,
        modules=program.modules,
    )
