"""The host's program (004's Java windows, Figs 7, 9 and 11), for all profiles.

It knows a board with a serial port and nothing of what is behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from math import ceil
from typing import Any, Final

from annelid.electronics.board import Board
from annelid.electronics.port import ANSWER, SAYS, TERMINAL, Terminal
from annelid.errors import InputError
from annelid.kernel import SECOND, AnyOf, Program, Receive, Wait, milliseconds, seconds
from annelid.systems.erekobot import messages
from annelid.systems.erekobot.bytecode import ProgramRefusal, crc
from annelid.systems.erekobot.deeds import DEEDS
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
from annelid.systems.erekobot.probe import probe
from annelid.systems.erekobot.relay import Forwarding
from annelid.systems.erekobot.sayings import START, STOP, HostSaying, parse_saying
from annelid.systems.erekobot.serial import PacketPort
from annelid.systems.erekobot.spec import ErekobotSpec

PROGRAM_TRIES: Final = 3
"""How often a module in a ring is sent its program until it answers."""
PROGRAM_BYTES: Final = 20
"""Of a program's packet besides its code, of its announcement and of the verdict on it."""
PASSING_NS: Final = milliseconds(20)
"""What a module may take to pass a packet on, besides the bytes."""
LOOK_NS: Final = milliseconds(10)
"""How often the host looks whether all have answered."""


def host(board: Board, spec: ErekobotSpec, modules: int) -> Program:
    """Set the modules up, start them, keep their time, stop them; or probe the line."""
    me = Host(board, spec, modules)
    yield from me.listen(seconds(spec.start_s))
    if spec.probe is not None:
        return (yield from probe(board, spec.probe))
    while True:
        yield from me.obey()
        me.wanted, me.again = me.wanted or me.again, False
        if me.wanted:
            yield from me.stream_angles() if me.spec.profile == 1 else me.command()
            me.wanted = False
        else:
            yield from me.listen(SECOND)


class Host:
    """The PC on the bench."""

    def __init__(self, board: Board, spec: ErekobotSpec, modules: int) -> None:
        self.board = board
        self.spec = spec
        self.modules = modules
        self.addresses = list(spec.addresses_for(modules))
        self.table, self.period = 0, spec.period
        """What all modules go by: the number of a table, and time states in a cycle."""
        self.wanted = True
        """Whether the modules shall move: from the beginning, unless the operator says stop."""
        self.again = False
        """Whether they shall go on after what ends now: another profile begins."""
        self._asked: list[HostSaying] = []
        self._terminal: Terminal | None = board.ports.get(TERMINAL)
        self._unanswered: set[int] = set()
        """Addresses of modules that have given no verdict on the program that they were sent."""
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
                self._asked.append(parse_saying(fired.value))
                return
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
            self._unanswered.discard(module)
            self.board.log("verdict", {"module": module, "refusal": name})

    def obey(self) -> Program:
        """Do what the operator has said since."""
        while self._asked:
            saying = self._asked.pop(0)
            try:
                yield from DEEDS[saying.word](self, saying)
            except InputError as error:
                self._show(str(error))

    def _show(self, words: str) -> None:
        self.board.log(ANSWER, {"words": words})
        if self._terminal is not None and self._terminal.screen is not None:
            self._terminal.screen(words)

    def place(self, address: int) -> int:
        """Of the module with that address, from 0."""
        if address not in self.addresses:
            known = ", ".join(str(each) for each in self.addresses)
            raise InputError(f"erekobot: no module has address {address}; there are {known}")
        return self.addresses.index(address)

    # -- the profiles --------------------------------------------------------------------------

    def command(self) -> Program:
        """Set up, start, keep time, stop: all profiles in which modules have a gait."""
        for _ in range(self.spec.repeats):
            yield from self.set_up()
        yield self.serial.port.drained()
        for _ in range(self.spec.repeats):
            self.gait.start()
            yield from self.say(messages.start())
        self.board.log(START, {"profile": self.spec.profile})
        yield from self.keep_time()
        if self.again:
            return  # with another profile modules stand until they are told to start
        for _ in range(self.spec.repeats):
            yield from self.say(messages.stop())
        self.gait.stop()
        self.board.log(STOP, {"gait_ns": self.gait.elapsed})

    def stream_angles(self) -> Program:
        """First Profile: every angle of every module, in real time."""
        spec = self.spec
        steps = None if spec.stop_s is None else ceil(spec.stop_s * 1000 / spec.interval_ms)
        self.gait.start()
        self.board.log(START, {"profile": 1})
        while self.wanted and (steps is None or self.gait.step < steps):
            state = self.gait.take()
            table, period = spec.tables[self.table], self.period
            for index, address in enumerate(self.addresses, 1):
                angles = table.streamed(index, period)
                yield from self.say(Standard(address, angles.at(state)))
            yield from self.listen_until(self.gait.due_ns)
            yield from self.obey()
            if self.again:
                return
            yield from self.listen_until(self.gait.due_ns)
        self.board.log(STOP, {"gait_ns": self.gait.elapsed})

    def set_up(self) -> Program:
        """What modules are told before they move, by profile."""
        return SET_UP[self.spec.profile](self)

    def set_time_states(self) -> Program:
        """Second Profile: all have the same table, each begins at another place of it."""
        for index, address in enumerate(self.addresses, 1):
            phase = self.spec.tables[0].phase(index, self.spec.period)
            yield from self.say(Standard(address, phase))

    def configure(
        self, number: int | None = None, only: Sequence[int] = (), *, renamed: int | None = None
    ) -> Program:
        """Third Profile: table, period and phase of all modules, or of those with some addresses,
        while they stand or while they move."""
        chosen = self.table if number is None else number
        table = self.spec.tables[chosen]
        for index, address in enumerate(self.addresses, 1):
            if only and address not in only:
                continue
            phase, new = table.phase(index, self.period), renamed or address
            packet: Packet
            if self.spec.brief_configuration:
                packet = BriefConfiguration(address, new, self.modules, self.period, phase)
            else:
                packet = Configuration(address, new, chosen, self.modules, self.period, phase)
            yield from self.say(messages.configuration_follows(address), packet)

    def send_programs(self) -> Program:
        """Fourth Profile.  In a ring modules answer; who does not is sent its program again."""
        self._unanswered = set(self.addresses)
        for _ in range(PROGRAM_TRIES if self.spec.topology == "ring" else 1):
            yield from self._send_programs(sorted(self._unanswered, key=self.place))
            if self.spec.topology == "ring":
                yield from self._await_verdicts()
            if not self._unanswered:
                return
        if self.spec.topology == "ring":
            silent = ", ".join(str(address) for address in sorted(self._unanswered))
            self._show(f"erekobot: no answer to {PROGRAM_TRIES} programs from module {silent}")

    def _send_programs(self, addresses: Sequence[int]) -> Program:
        code = self.spec.code()
        period_ms = round(self.period * self.spec.interval_ms)
        for address in addresses:
            index = self.place(address) + 1
            packet = GaitProgram(address, index, self.modules, period_ms, code, crc(code))
            yield from self.say(messages.program_follows(address, len(code)), packet)

    def _await_verdicts(self) -> Program:
        """Until all have answered, or as long as the last answer may take: each module passes a
        program on when it has stored the whole of it."""
        yield self.serial.port.drained()
        longest = self.spec.uart().bytes_ns(PROGRAM_BYTES + len(self.spec.code()))
        end_ns = self.board.now + (self.modules + 1) * (longest + PASSING_NS)
        while self._unanswered and self.board.now < end_ns:
            yield from self.listen(LOOK_NS)

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
            yield from self.obey()
            if self.again:
                return
            if gait.elapsed < next_ns:
                told -= 1  # somebody said something meanwhile
                continue
            if spec.sync == "tell" and gait.elapsed >= told * every_ns:
                self.serial.send(messages.tell_time(BROADCAST, gait.elapsed))


SET_UP: dict[int, Callable[[Host], Program]] = {
    2: Host.set_time_states,
    3: Host.configure,
    4: Host.send_programs,
}
