"""The Fourth Profile: the host sends the gait itself, as a small program.

004: "This profile has not been implemented in this protocol by impracticability hardware."  Here
the module checks what it is sent (bytecode.py) and runs it at every tick; what it refuses changes
nothing, and it goes on with the program it had.
"""

from __future__ import annotations

from annelid.kernel import Program, to_seconds
from annelid.systems.erekobot import messages
from annelid.systems.erekobot.bytecode import ProgramInputs, ProgramRefusal, crc, evaluate, verify
from annelid.systems.erekobot.module import Module, ModuleMemory
from annelid.systems.erekobot.packets import BROADCAST, GaitProgram
from annelid.systems.erekobot.servo_table import pwm_of


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
