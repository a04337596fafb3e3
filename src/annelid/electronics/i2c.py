"""The I2C bus of MICROTUB (000): every module may be master, 100 kbit/s, seven-bit addresses.

A frame is a write: start, address byte, data bytes, stop; nine bits to the byte because each is
acknowledged.  Reading is not modelled: the modules of 000 answer with frames of their own.

**Starting.**  A master that finds the bus busy waits for the stop.  All who wait then, or who come
within the hold time of a start (0.4 bits: 4 us at 100 kbit/s), start together and arbitrate
(:mod:`~annelid.electronics.i2c_port`).  A loser is told at the bit in which it lost; to try
again is its own business.  Masters that send the same bits never notice each other, and the frame
arrives once.

**Address 0** is the general call: all listen who want to, and one acknowledge is enough.

**What goes wrong.**  A receiver that is absent, dead, cut off or misses its address (``loss``)
leaves the address without acknowledge, and the frame ends there: NACK.  Bit errors at the inputs
give data that are wrong and delivered, for I2C has no checksum; an address of somebody else or of
nobody; or an acknowledge that the master does not see, whereupon it stops early.  A wire that is
stuck blocks the bus: the frame on it and those that wait longer than ``timeout_ms`` end as bus
errors.  A cut leaves two buses that work on.
"""

from __future__ import annotations

from collections.abc import Sequence

from annelid.electronics.i2c_port import (
    BITS_PER_BYTE,
    MAX_ADDRESS,
    START_AND_STOP,
    BusSection,
    I2cPort,
    I2cSpec,
    Transfer,
    first_difference,
    winner,
)
from annelid.electronics.link import Link, OnWire, wire_ns
from annelid.electronics.port import Frame, Outcome, QueuedFramePort, Sending
from annelid.errors import InputError
from annelid.kernel import Kernel, Priority, RandomStreams, microseconds, milliseconds

_NORMAL = int(Priority.NORMAL)


class I2cBus(Link):
    """:meth:`attach` the modules in the order in which they hang along the bus."""

    kind = "i2c"
    title = "I2C: one bus for all boards; a board sends when the bus is free"

    def __init__(
        self, name: str, kernel: Kernel, streams: RandomStreams, spec: I2cSpec | None = None
    ) -> None:
        self.spec = spec or I2cSpec()
        self.ports: dict[str, I2cPort] = {}
        self._sections: list[BusSection] = []
        self._apart: list[list[str]] = []
        self._hold_ns = wire_ns(4, 10 * self.spec.clock_hz)
        self._stretch_ns = microseconds(self.spec.stretch_us)
        self._timeout_ns = milliseconds(self.spec.timeout_ms)
        super().__init__(name, kernel, streams, everyday=self.spec)

    def attach(self, name: str, address: int | None, *, general_call: bool = True) -> I2cPort:
        """The next module along the bus; without an address nobody can call it by one."""
        self._check_new(name)
        taken = {port.address: port.name for port in self.ports.values()}
        if address is not None:
            if not 1 <= address <= MAX_ADDRESS:
                raise InputError(f"{self.name}/{name}: address: expected 1 to 127, got {address}")
            if address in taken:
                raise InputError(
                    f"{self.name}/{name}: address {address} belongs to {taken[address]}"
                )
        port = I2cPort(self, name, address, general_call=general_call, inbox=self.spec.inbox)
        self.ports[name] = port
        self._recut()
        return port

    def hang_together(self, groups: Sequence[Sequence[str]]) -> None:
        """The wire has come apart, or together: ports of one group are on one wire, in this order.

        A port that is in no group hangs alone.
        """
        named = {name for group in groups for name in group}
        alone = [[name] for name in self.port_names if name not in named]
        self._apart = [list(group) for group in groups] + alone
        self._recut()

    def _groups(self) -> Sequence[Sequence[str]]:
        return self._apart or [self.port_names]

    # -- starting, for the ports ---------------------------------------------------------------

    def begin(self, port: QueuedFramePort) -> None:
        mine = self.ports[port.name]
        mine.section.wanting[mine] = None
        if self._stuck is not None:
            self._await_release(mine)
        else:
            self._start(mine.section)

    def abort(self, port: QueuedFramePort) -> None:
        """A dead master lets go of both wires; the others see a free bus at once."""
        mine = self.ports[port.name]
        section, transfer = mine.section, mine.section.transfer
        if transfer is None or mine not in transfer.masters:
            return
        if len(transfer.masters) > 1:
            transfer.masters.remove(mine)
            return
        section.transfer = None
        self._write(transfer, [], OnWire.ABORTED, self.kernel.now)
        self._start(section)

    def _start(self, section: BusSection) -> None:
        """A start condition, if somebody wants to send and nobody does."""
        if section.wanting and section.transfer is None and not section.starting:
            section.starting = True
            section.start_ns = now = self.kernel.now
            self.kernel.push(now + self._hold_ns, _NORMAL, self._arbitrate, section)

    def _arbitrate(self, section: BusSection) -> None:
        """The hold time is over: from here on the bits decide among those who have started."""
        if not section.starting:
            return  # stuck or cut since
        section.starting = False
        masters = list(section.wanting)
        if not masters:
            return  # their power went
        if len(masters) == 1:
            section.transfer = transfer = self._transfer(section, masters, _on_wire(masters[0]))
        else:
            section.transfer = transfer = self._settle(section, masters)
        self.kernel.push(transfer.end_ns, _NORMAL, self._end, transfer)

    def _settle(self, section: BusSection, wanting: Sequence[I2cPort]) -> Transfer:
        """Several at once: the lowest bits win; each of the others will be told when it lost."""
        sent = [_on_wire(port) for port in wanting]
        best = winner(sent)
        masters = [port for port, its in zip(wanting, sent, strict=True) if its == best]
        transfer = self._transfer(section, masters, best)
        for port, its in zip(wanting, sent, strict=True):
            bit = first_difference(its, best)
            if bit is None:
                continue
            if not transfer.acknowledged and bit >= BITS_PER_BYTE * len(transfer.sent):
                transfer.masters.append(port)  # all stop here, before they could differ
            else:
                lost_ns = section.start_ns + self.spec.bits_ns(2 + bit)
                lost_ns += bit // BITS_PER_BYTE * self._stretch_ns
                lost = (port, port.queue[0][1], its, section.start_ns)
                self.kernel.push(lost_ns, _NORMAL, self._tell_loser, lost)
        return transfer

    def _transfer(self, section: BusSection, masters: list[I2cPort], sent: bytes) -> Transfer:
        """What will be on the bus, who will hear it, and when it will end."""
        got, bytes_sent, acknowledged = sent, len(sent), True
        if not self._sound:
            got = self._spoil(sent, self.spec.frame_ns(len(sent) - 1))
        receivers: list[I2cPort] = []
        missed: list[I2cPort] = []
        if not got[0] & 1:
            for port in section.called(got[0] >> 1):
                if port.powered and port not in masters:
                    (missed if self._misses() else receivers).append(port)
        if not receivers:
            bytes_sent, acknowledged = 1, False
        elif self._bit_error:
            unseen = int(self._rng.geometric(self._bit_error))
            if unseen <= bytes_sent:
                bytes_sent, acknowledged = unseen, False
        bits = START_AND_STOP + BITS_PER_BYTE * bytes_sent
        end = section.start_ns + wire_ns(bits, self.spec.clock_hz) + bytes_sent * self._stretch_ns
        sent, got = sent[:bytes_sent], got[:bytes_sent]
        start = section.start_ns
        return Transfer(masters, sent, got, receivers, missed, start, end, acknowledged)

    def _tell_loser(self, lost: tuple[I2cPort, Sending, bytes, int]) -> None:
        port, sending, sent, start = lost
        if sending.done:
            return  # its power went
        now = self.kernel.now
        self.record_wire(port.name, [], sent, start, now, OnWire.ARBITRATION_LOST)
        port.finish(Outcome.ARBITRATION_LOST)
        if self._stuck is not None:
            self._await_release(port)

    # -- ending --------------------------------------------------------------------------------

    def _end(self, transfer: Transfer) -> None:
        section = transfer.masters[0].section
        if section.transfer is not transfer:
            return  # aborted
        section.transfer = None
        end = transfer.end_ns
        frame = Frame(transfer.got[1:], transfer.got[0] >> 1)
        whole = transfer.acknowledged and transfer.got == transfer.sent
        sound = OnWire.DELIVERED if whole else OnWire.CORRUPTED
        heard: dict[OnWire, list[str]] = {}
        for port in transfer.receivers:
            if port.section is not section:
                outcome = OnWire.CUT
            elif not port.powered:
                outcome = OnWire.OFF
            else:
                outcome = sound if port.received.put(frame) else OnWire.OVERRUN
            heard.setdefault(outcome, []).append(port.name)
        if transfer.missed:
            heard[OnWire.LOST] = [port.name for port in transfer.missed]
        if not heard:
            heard[OnWire.CUT if self._faults.cut else OnWire.NACK] = []
        for outcome, names in heard.items():
            self._write(transfer, names, outcome, end)
        acknowledged = transfer.acknowledged and sound in heard
        for master in transfer.masters:
            master.finish(Outcome.ACKNOWLEDGED if acknowledged else Outcome.NACK)
        self._start(section)

    def _write(self, transfer: Transfer, to: Sequence[str], outcome: OnWire, end_ns: int) -> None:
        """The address byte is the first of the bytes."""
        masters = "+".join(port.name for port in transfer.masters)
        sent, got, start = transfer.sent, transfer.got, transfer.start_ns
        self.record_wire(masters, to, sent, start, end_ns, outcome, got)

    # -- stuck and cut -------------------------------------------------------------------------

    def _faults_changed(self) -> None:
        for port in self.ports.values():
            if port.deadline is not None:
                port.deadline.cancel()
                port.deadline = None
        self._recut()

    def _recut(self) -> None:
        """Sections anew; a frame stays in that of its master."""
        transfers = [s.transfer for s in self._sections if s.transfer is not None]
        for section in self._sections:
            section.starting = False
            section.transfer = None
        self._sections = []
        for piece in [p for group in self._groups() for p in self._pieces(group)]:
            ports = [self.ports[name] for name in piece]
            section = BusSection(ports)
            self._sections.append(section)
            for port in ports:
                port.section = section
        for transfer in transfers:
            if self._stuck is None:
                transfer.masters[0].section.transfer = transfer
            else:
                self._write(transfer, [], OnWire.BUS_ERROR, self.kernel.now)
                for master in transfer.masters:
                    master.finish(Outcome.BUS_ERROR)
        for section in self._sections:
            if self._stuck is None:
                self._start(section)
            else:
                for port in section.wanting:
                    self._await_release(port)

    def _await_release(self, port: I2cPort) -> None:
        """Give up on a held bus after the timeout."""
        if port.queue:
            sending = port.queue[0][1]
            until = self.kernel.now + self._timeout_ns
            port.deadline = self.kernel.call_at(until, lambda: self._give_up(port, sending))

    def _give_up(self, port: I2cPort, sending: Sending) -> None:
        port.deadline = None
        if sending.done:
            return
        now = self.kernel.now
        self.record_wire(
            port.name, [], _on_wire(port), now - self._timeout_ns, now, OnWire.BUS_ERROR
        )
        port.finish(Outcome.BUS_ERROR)
        self._await_release(port)


def _on_wire(port: I2cPort) -> bytes:
    """Address and write bit, then the data, of the frame in front."""
    frame = port.queue[0][0]
    return bytes([frame.address << 1]) + frame.data
