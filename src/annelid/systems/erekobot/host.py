"""The host's program (004's Java windows, Figs 7, 9 and 11), for all profiles.

It knows a board with a serial port and nothing of what is behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from math import ceil
from typing import Any

from annelid.electronics.board import Board
from annelid.electronics.port import SAYS, TERMINAL, Terminal
from annelid.errors import InputError
from annelid.kernel import SECOND, AnyOf, Program, Receive, Wait, milliseconds, seconds
from annelid.systems.erekobot import messages
from annelid.systems.erekobot.bytecode import ProgramRefusal, crc
from annelid.systems.erekobot.gait_time import GaitTime
from annelid.systems.erekobot.messages import ASK_TIME, KIND, VALUE, VERDICT
from annelid.systems.erekobot.packets import (
    BROADCAST,
    HOST,
    BriefConfiguration,
    Configuration,
    GaitProgram,
    Packet,
    Standard,
)
from annelid.systems.erekobot.relay import Forwarding
from annelid.systems.erekobot.serial import PacketPort
from annelid.systems.erekobot.spec import ErekobotProbe, ErekobotSpec

START, STOP = "start", "stop"
"""Words of the operator, and kinds of event."""
DELAY = "delay"
"""Event: a probe's packet is back."""

PROBE = 254
"""An address that nobody has, for packets that are to go all the way round."""


def host(board: Board, spec: ErekobotSpec, modules: int) -> Program:
    """Set the modules up, start them, keep their time, stop them; or probe the line."""
    me = Host(board, spec, modules)
    yield from me.listen(seconds(spec.start_s))
    if spec.probe is not None:
        return (yield from probe(board, spec.probe))
    while True:
        if me.wanted:
            yield from me.stream_angles() if spec.profile == 1 else me.command()
            me.wanted = False
        yield from me.listen(SECOND)


def parse_saying(line: str) -> bool:
    """What an operator says to the host: whether the modules shall move."""
    word = line.strip().casefold()
    if word not in (START, STOP):
        raise InputError(f"erekobot: expected {START} or {STOP}, got {line!r}")
    return word == START


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


class Host:
    """The PC on the bench."""

    def __init__(self, board: Board, spec: ErekobotSpec, modules: int) -> None:
        self.board = board
        self.spec = spec
        self.modules = modules
        self.addresses = spec.addresses_for(modules)
        self.wanted = True
        """Whether the modules shall move: from the beginning, unless the operator says stop."""
        self._terminal: Terminal | None = board.ports.get(TERMINAL)
        self.gait = GaitTime(board, milliseconds(spec.interval_ms))
        self.serial = PacketPort(
            board, passes=self._passes, forwarding=self._forwarding(), timeout_s=0.02
        )

    def _forwarding(self) -> Forwarding:
        return "store" if self.spec.topology == "ring" else "none"

    @staticmethod
    def _passes(address: int, message: int | None) -> bool:
        """In a ring, our own packets come back and end here; the modules' time goes on."""
        return (
            message is not None and messages.is_time(message) and address not in (HOST, BROADCAST)
        )

    # -- saying and hearing --------------------------------------------------------------------

    def say(self, *packets: Packet) -> Generator[Wait, Any, None]:
        """Send, and leave a gap after each where half-duplex modules need one."""
        for packet in packets:
            self.serial.send(packet)
            if self.spec.gap_ms:
                yield self.serial.port.drained()
                yield from self.listen(milliseconds(self.spec.gap_ms))

    def listen(self, duration_ns: int) -> Generator[Wait, Any, None]:
        """Answer what comes in, for so long, or until the operator wants something else."""
        yield from self.listen_until(self.board.now + duration_ns)

    def listen_until(self, local_ns: int) -> Generator[Wait, Any, None]:
        end = self.board.until(local_ns)
        typed = () if self._terminal is None else (Receive(self._terminal.typed),)
        while True:
            fired = yield AnyOf(Receive(self.serial.port.received), end, *typed)
            if fired.timed_out:
                return
            if fired.index == 2:
                self.board.log(SAYS, {"line": fired.value})
                before, self.wanted = self.wanted, parse_saying(fired.value)
                if self.wanted is not before:
                    return
                continue
            for packet in self.serial.take(fired.value):
                self._hear(packet)

    def _hear(self, packet: Packet) -> None:
        if not isinstance(packet, Standard) or packet.address != HOST:
            return
        kind = packet.message & KIND
        if kind == ASK_TIME and self.gait.moving:
            asker = packet.message & VALUE & 0xFF
            self.serial.send(messages.tell_time(asker, self.gait.elapsed))
        elif kind == VERDICT:
            verdict, module = (packet.message & VALUE) >> 8, packet.message & 0xFF
            known = verdict in set(ProgramRefusal)
            name = ProgramRefusal(verdict).name.lower().replace("_", " ") if known else str(verdict)
            self.board.log("verdict", {"module": module, "refusal": name})

    # -- the profiles --------------------------------------------------------------------------

    def command(self) -> Program:
        """Set up, start, keep time, stop: all profiles in which modules have a gait."""
        for _ in range(self.spec.repeats):
            yield from SET_UP[self.spec.profile](self)
        yield self.serial.port.drained()
        for _ in range(self.spec.repeats):
            self.gait.start()
            yield from self.say(messages.start())
        self.board.log(START, {"profile": self.spec.profile})
        yield from self.keep_time()
        for _ in range(self.spec.repeats):
            yield from self.say(messages.stop())
        self.gait.stop()
        self.board.log(STOP, {"gait_ns": self.gait.elapsed})

    def stream_angles(self) -> Program:
        """First Profile: every angle of every module, in real time."""
        spec = self.spec
        tables = [spec.streamed(i) for i in range(1, self.modules + 1)]
        steps = None if spec.stop_s is None else ceil(spec.stop_s * 1000 / spec.interval_ms)
        self.gait.start()
        self.board.log(START, {"profile": 1})
        while self.wanted and (steps is None or self.gait.step < steps):
            state = self.gait.take()
            for address, table in zip(self.addresses, tables, strict=True):
                yield from self.say(Standard(address, table.at(state)))
            yield from self.listen_until(self.gait.due_ns)
        self.board.log(STOP, {"gait_ns": self.gait.elapsed})

    def set_time_states(self) -> Program:
        """Second Profile: all have the same table, each begins at another place of it."""
        for index, address in enumerate(self.addresses, 1):
            yield from self.say(Standard(address, self.spec.phase(index)))

    def configure(self) -> Program:
        """Third Profile."""
        spec = self.spec
        for index, address in enumerate(self.addresses, 1):
            phase = spec.phase(index)
            packet: Packet
            if spec.brief_configuration:
                packet = BriefConfiguration(address, address, self.modules, spec.period, phase)
            else:
                packet = Configuration(address, address, 0, self.modules, spec.period, phase)
            yield from self.say(messages.configuration_follows(address), packet)

    def send_programs(self) -> Program:
        """Fourth Profile."""
        code = self.spec.code()
        period_ms = round(self.spec.period * self.spec.interval_ms)
        for index, address in enumerate(self.addresses, 1):
            packet = GaitProgram(address, index, self.modules, period_ms, code, crc(code))
            yield from self.say(messages.program_follows(address, len(code)), packet)

    def keep_time(self) -> Program:
        """Tell the time again and again, or wait to be asked, until it is time to stop."""
        spec, gait = self.spec, self.gait
        end_ns = None if spec.stop_s is None else seconds(spec.stop_s)
        every_ns = seconds(spec.sync_s)
        start_ns = self.board.now - gait.elapsed
        told = 0
        while self.wanted and (end_ns is None or gait.elapsed < end_ns):
            told += 1
            next_ns = told * every_ns if end_ns is None else min(told * every_ns, end_ns)
            yield from self.listen_until(start_ns + next_ns)
            if spec.sync == "tell" and gait.elapsed >= told * every_ns:
                self.serial.send(messages.tell_time(BROADCAST, gait.elapsed))


SET_UP: dict[int, Callable[[Host], Program]] = {
    2: Host.set_time_states,
    3: Host.configure,
    4: Host.send_programs,
}
