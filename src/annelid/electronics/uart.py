"""Asynchronous serial lines: bytes at a baud rate, from one port to the next or to all.

The line of ErekoBot (004, 2.2.1): 9600 baud, 8N1; the host talks to the first module, each module
to the next; or all on a bus, or closed to a ring.

**Time.**  A byte has a start bit, data, perhaps parity, and stop bits: ten bits at 8N1, 1.0417 ms.
The ``k``-th byte of a burst ends at ``start + round(k * 10 / baud)``, so a long burst is as exact
as a short one.  A byte arrives at the end of its stop bit.

**What goes wrong.**  *Half duplex*: a port hears nothing while it sends.  *Collision*: bytes that
overlap on a bus are garbled, and come out as framing errors or random values.  *Floating wire*:
without a pull-up an idle input takes noise for start bits and receives random bytes (004, 2.3.1);
the pull-up cures it.  *Overrun*: a byte that finds the receive buffer full is lost.  *Stuck* low is
an endless break (framing errors), stuck high is silence.  Loss strikes at each receiver, bit
errors on the wire, alike for all who listen.  Faults count as they stand when a byte ends.

**The record** has one event for up to 32 sound bytes of a burst, and one for each other byte.
"""

from __future__ import annotations

from collections.abc import Sequence

from annelid.electronics.link import Link, OnWire
from annelid.electronics.port import Completion
from annelid.electronics.uart_byte import HARDWARE_BUFFER, UartSpec, collided, flipped
from annelid.electronics.uart_port import UartPort, UartWire
from annelid.kernel import SECOND, Kernel, Priority, RandomStreams

LOGGED_BYTES = 32
"""Bytes in one event of the trace: an event costs more than a byte."""

_NORMAL = int(Priority.NORMAL)
_DELIVERED, _OVERRUN = OnWire.DELIVERED, OnWire.OVERRUN


class Uart(Link):
    """A serial link; :meth:`attach` the ports in the order in which they stand on the line."""

    kind = "uart"
    title = "bytes at a baud rate: a line, a bus or a ring"

    def __init__(
        self,
        name: str,
        kernel: Kernel,
        streams: RandomStreams,
        spec: UartSpec | None = None,
    ) -> None:
        self.spec = spec or UartSpec()
        self.ports: dict[str, UartPort] = {}
        self._wires: list[UartWire] = []
        self.value_mask = (1 << self.spec.data_bits) - 1
        self._half = self.spec.duplex == "half"
        self._byte_ns = self.spec.bytes_ns(1)
        # Two bytes' worth of numerator and denominator, for round-half-up in whole numbers.
        self._bits_ns2 = 2 * self.spec.bits_per_byte * SECOND
        self._baud2 = 2 * self.spec.baud
        self._on_end = self._end_byte
        super().__init__(name, kernel, streams, everyday=self.spec)

    def attach(self, name: str) -> UartPort:
        """The next port along the line."""
        self._check_new(name)
        capacity = HARDWARE_BUFFER + self.spec.software_buffer
        port = self.ports[name] = UartPort(self, name, capacity=capacity)
        self._rewire()
        return port

    def flush(self) -> None:
        for port in self.ports.values():
            self._write_log(port)

    # -- sending, for the ports ----------------------------------------------------------------

    def begin(self, port: UartPort) -> None:
        """The first byte of a burst starts now."""
        port.burst_ns = self.kernel.now
        port.left = Completion()
        port.wire.flying[port] = None
        self._begin_byte(port)

    def abort(self, port: UartPort) -> None:
        """The power went: the byte in mid-air reaches nobody."""
        now = self.kernel.now
        self._write_log(port)
        data = bytes([port.queue[port.count]])
        self.record_wire(port.name, [], data, port.start_ns, now, OnWire.ABORTED)
        port.end_ns = now
        self._end_burst(port)

    def _begin_byte(self, port: UartPort) -> None:
        kernel = self.kernel
        port.start_ns = now = kernel.now
        baud2 = self._baud2
        taken = ((port.count + 1) * self._bits_ns2 + (baud2 >> 1)) // baud2
        port.end_ns = end = port.burst_ns + taken
        port.garbled = False
        wire = port.wire
        if wire.shared:
            if wire.end_ns > now:
                wire.garbled = port.garbled = True
            for other in wire.flying:
                if other is not port and other.end_ns > now:
                    other.garbled = port.garbled = True
        kernel.push(end, _NORMAL, self._on_end, port)

    def _end_byte(self, port: UartPort) -> None:
        if not port.sending or port.end_ns != self.kernel.now:
            return  # the power went in the meantime
        value = port.queue[port.count]
        if self._sound and not port.garbled:
            start = port.start_ns
            got, outcomes = value, [self._offer(each, value, start) for each in port.hearers]
        else:
            got, outcomes = self._disturbed(port, value)
        if outcomes and outcomes.count(_DELIVERED) == len(outcomes):
            if not port.log:
                port.log_ns = port.start_ns
            port.log.append(value)
            if len(port.log) >= LOGGED_BYTES:
                self._write_log(port, port.end_ns)
        else:
            self._write_byte(port, value, got, outcomes)
        port.count += 1
        if port.count < len(port.queue):
            self._begin_byte(port)
        else:
            self._write_log(port, port.end_ns)
            self._end_burst(port)

    def _end_burst(self, port: UartPort) -> None:
        port.queue.clear()
        port.count = 0
        port.sending = False
        port.wire.flying.pop(port, None)
        port.left.finish(None)

    # -- receiving -----------------------------------------------------------------------------

    def _offer(self, hearer: UartPort, value: int, start_ns: int) -> OnWire:
        """A byte whose form is right arrives at an input."""
        if self._half and hearer.end_ns > start_ns:
            return OnWire.DEAF
        if not hearer.powered:
            return OnWire.OFF
        return _DELIVERED if hearer.received.put(value) else _OVERRUN

    def _disturbed(self, port: UartPort, value: int) -> tuple[int, list[OnWire]]:
        """A byte on a wire with something wrong: what it became, and what each input made of it."""
        if self._stuck is not None:
            for hearer in port.hearers:
                hearer.framing_errors += hearer.powered and self._stuck == 0
            return value, [OnWire.STUCK] * len(port.hearers)
        got, fate = value, OnWire.DELIVERED
        if port.garbled:
            got, fate = collided(self.spec, self._rng)
        elif self._bit_error:
            got, fate = flipped(self.spec, value, self._bit_error, self._rng)
        outcomes = [self._arrival(port, hearer, got, fate) for hearer in port.hearers]
        if port.garbled:
            spoilt = (OnWire.FRAMING, OnWire.CORRUPTED)
            outcomes = [OnWire.COLLISION if each in spoilt else each for each in outcomes]
        return got, outcomes

    def _arrival(self, port: UartPort, hearer: UartPort, got: int, fate: OnWire) -> OnWire:
        if self.spec.topology != "bus" and self._is_cut(port.name, hearer.name):
            return OnWire.CUT
        if fate is OnWire.LOST or self._misses():
            return OnWire.LOST
        if fate is OnWire.FRAMING:
            hearer.framing_errors += hearer.powered
            return fate
        if fate is OnWire.PARITY:
            hearer.parity_errors += hearer.powered
            return fate
        arrived = self._offer(hearer, got, port.start_ns)
        return fate if arrived is OnWire.DELIVERED else arrived

    # -- wiring and noise ----------------------------------------------------------------------

    def _faults_changed(self) -> None:
        self._rewire()

    def _rewire(self) -> None:
        """Who drives what and who hears whom, now that a port or a fault has come or gone."""
        self.flush()
        for wire in self._wires:
            if wire.noise is not None:
                wire.noise.cancel()
        self._wires = []
        ports = list(self.ports.values())
        if self.spec.topology == "bus":
            for piece in self._pieces(self.port_names):
                there = [self.ports[name] for name in piece]
                self._lay(UartWire(there, shared=True), there)
        else:
            shared = self._noise_rate() > 0.0
            closing = ports[:1] if self.spec.topology == "ring" and len(ports) > 1 else []
            for i, port in enumerate(ports):
                self._lay(UartWire(ports[i + 1 : i + 2] or closing, shared=shared), [port])

    def _lay(self, wire: UartWire, drivers: Sequence[UartPort]) -> None:
        self._wires.append(wire)
        for port in drivers:
            port.wire = wire
            port.hearers = tuple(each for each in wire.listeners if each is not port)
            if port.sending:
                wire.flying[port] = None
        self._await_noise(wire)

    def _noise_rate(self) -> float:
        return self._noise_hz + (0.0 if self.spec.pull_up else self.spec.floating_hz)

    def _await_noise(self, wire: UartWire) -> None:
        rate = self._noise_rate()
        if rate > 0.0 and wire.listeners:
            wait = 1 + int(self._rng.exponential(SECOND / rate))
            wire.noise = self.kernel.call_at(self.kernel.now + wait, lambda: self._spark(wire))

    def _spark(self, wire: UartWire) -> None:
        """Noise: a false start bit on an idle wire; on a driven one only true sparks matter."""
        now = self.kernel.now
        busy = [port for port in wire.flying if port.end_ns > now]
        if busy:
            if self._rng.random() < self._noise_hz / self._noise_rate():
                for port in busy:
                    port.garbled = True
        elif wire.end_ns <= now and self._stuck is None:
            wire.start_ns, wire.end_ns, wire.garbled = now, now + self._byte_ns, False
            self.kernel.push(wire.end_ns, _NORMAL, self._end_false_byte, wire)
        self._await_noise(wire)

    def _end_false_byte(self, wire: UartWire) -> None:
        if wire.garbled:
            return  # a true byte began meanwhile; that one is spoilt
        value = int(self._rng.integers(0, 1 << self.spec.data_bits))
        start, end = wire.start_ns, wire.end_ns
        heard = [
            port.name
            for port in wire.listeners
            if self._offer(port, value, start) is OnWire.DELIVERED
        ]
        self.record_wire("noise", heard, bytes([value]), start, end, OnWire.NOISE)

    # -- the record ----------------------------------------------------------------------------

    def _write_log(self, port: UartPort, end_ns: int | None = None) -> None:
        """The sound bytes since the last event, as one; they ended where the next byte starts."""
        if port.log:
            end = port.start_ns if end_ns is None else end_ns
            data = bytes(port.log)
            port.log.clear()
            names = [hearer.name for hearer in port.hearers]
            self.record_wire(port.name, names, data, port.log_ns, end, OnWire.DELIVERED)

    def _write_byte(self, port: UartPort, value: int, got: int, outcomes: Sequence[OnWire]) -> None:
        """A byte by itself, with one event for each thing that became of it."""
        self._write_log(port)
        sent, start, end = bytes([value]), port.start_ns, port.end_ns
        if not outcomes:
            why = OnWire.CUT if self._faults.cut else OnWire.NOBODY
            self.record_wire(port.name, [], sent, start, end, why)
        for outcome in dict.fromkeys(outcomes):
            names = [
                hearer.name
                for hearer, its in zip(port.hearers, outcomes, strict=True)
                if its is outcome
            ]
            arrived = bytes([got]) if got != value else None
            self.record_wire(port.name, names, sent, start, end, outcome, arrived)
