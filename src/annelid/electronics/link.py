"""What all links share: a name, a seed, disturbances and a record.

**Disturbances** are one frozen table, :class:`LinkFaults`, replaced as a whole by
:meth:`Link.disturb` and :meth:`Link.mend`, so that none can change without a line in the trace.

**The record.**  Everything on a wire becomes an event of kind ``wire`` whose source is the link::

    {"from": "host", "to": ["M1"], "bytes": "10ff000110", "start_ns": 0, "end_ns": 5208333,
     "outcome": "delivered"}

``got`` is added where what arrived is not what was sent.  The outcomes are listed at
:class:`OnWire`.

**Chance** comes from the stream ``link/NAME``, so a second link changes nothing for the first.
An idle link has nothing in the queue of the kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from hashlib import blake2b
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from annelid.errors import InputError, UnknownName
from annelid.kernel import SECOND, Kernel, RandomStreams
from annelid.spec import Spec

Probability = Annotated[float, Field(ge=0.0, le=1.0)]

LONG_FRAME = 256
"""Bytes beyond which the trace keeps the beginning, the length and a hash: a picture has 76 800."""


class OnWire(StrEnum):
    """What became of something on the wire, as the trace tells it."""

    DELIVERED = "delivered"
    CORRUPTED = "corrupted"
    """Delivered with flipped bits; ``got`` has them."""
    FRAMING = "framing error"
    PARITY = "parity error"
    """Not delivered, because the receiver saw that it was broken."""
    LOST = "lost"
    CUT = "cut"
    STUCK = "stuck"
    COLLISION = "collision"
    """Two senders at once."""
    DEAF = "deaf"
    """The receiver was sending (half duplex)."""
    OVERRUN = "overrun"
    """The receiver's buffer was full."""
    OFF = "receiver off"
    NOBODY = "no receiver"
    NACK = "nack"
    ARBITRATION_LOST = "arbitration lost"
    BUS_ERROR = "bus error"
    ABORTED = "aborted"
    """The sender lost its power."""
    NOISE = "noise"
    """Nobody sent it."""


class LinkFaults(Spec):
    """Everything that is wrong with a link at present."""

    loss: Probability = 0.0
    """That a receiver misses a byte, frame or edge."""
    bit_error: Probability = 0.0
    """That one bit is read as its opposite."""
    noise_hz: Annotated[float, Field(ge=0.0, le=1e6)] = 0.0
    """Sparks per second from a source nearby (a motor): each spoils what it meets on the wire."""
    cut: bool | tuple[tuple[str, str], ...] = False
    """Everywhere, or between these pairs of neighbouring ports."""
    stuck: Literal[0, 1] | None = None
    """The level at which the wire is held."""


class LinkSpec(Spec):
    """What scenarios say of any link; its everyday imperfections."""

    loss: Probability = 0.0
    bit_error: Probability = 0.0


class Link:
    """Base of the simulated links; a subclass has ports, times and :meth:`_faults_changed`."""

    kind = ""
    """By which a scenario chooses it (``links.py``)."""
    title = ""
    """One line about it."""
    ports: dict[str, Any]
    """By name."""
    in_a_row = True
    """Whether the ports hang along a wire, so that it can be cut only between neighbours."""

    def __init__(
        self, name: str, kernel: Kernel, streams: RandomStreams, *, everyday: LinkSpec
    ) -> None:
        self.name = name
        self.kernel = kernel
        self._streams = streams
        self._everyday = LinkFaults(loss=everyday.loss, bit_error=everyday.bit_error)
        self._faults = self._everyday
        self._spread_faults()

    @property
    def faults(self) -> LinkFaults:
        """What is wrong at present."""
        return self._faults

    @property
    def port_names(self) -> Sequence[str]:
        """In the order along the wire."""
        return tuple(self.ports)

    def disturb(self, **changes: Any) -> None:
        """Change some of the fields of :class:`LinkFaults`, from this moment on."""
        now = self._faults.model_dump()
        self._replace(LinkFaults.parse({**now, **changes}, where=f"link {self.name}"))

    def mend(self) -> None:
        """Back to the everyday state of the spec."""
        self._replace(self._everyday)

    def flush(self) -> None:
        """Write what is still gathering for the trace; to be called when a run ends."""

    def record_wire(
        self,
        sender: str,
        to: Sequence[str],
        data: bytes,
        start_ns: int,
        end_ns: int,
        outcome: OnWire,
        got: bytes | None = None,
    ) -> None:
        """One event of kind ``wire``."""
        detail: dict[str, Any] = {
            "from": sender,
            "to": to,
            "start_ns": start_ns,
            "end_ns": end_ns,
            "outcome": outcome,
        }
        _put_bytes(detail, "bytes", data)
        if got is not None and got != data:
            _put_bytes(detail, "got", got)
        self.kernel.record(self.name, "wire", detail)

    # -- for subclasses ------------------------------------------------------------------------

    @property
    def _rng(self) -> np.random.Generator:
        return self._streams[f"link/{self.name}"]

    def _faults_changed(self) -> None:
        """Something is broken or mended: a bus falls apart, a level changes."""

    def _misses(self) -> bool:
        """Whether a receiver misses what reaches it now."""
        return self._loss > 0.0 and self._rng.random() < self._loss

    def _is_cut(self, a: str, b: str) -> bool:
        """Between two ports, in whichever order they are named."""
        cut = self._faults.cut
        if isinstance(cut, bool):
            return cut
        return (a, b) in cut or (b, a) in cut

    def _pieces(self, names: Sequence[str]) -> list[list[str]]:
        """What the cuts leave of a bus along which the ports hang in this order."""
        pieces: list[list[str]] = []
        for i, name in enumerate(names):
            if i == 0 or self._is_cut(names[i - 1], name):
                pieces.append([])
            pieces[-1].append(name)
        return pieces

    def _spoil(self, data: bytes, duration_ns: int) -> bytes:
        """``data`` after the bit errors and sparks of its journey."""
        if not (self._bit_error or self._noise_hz) or not data:
            return data
        rng = self._rng
        flips = int(rng.binomial(8 * len(data), self._bit_error)) if self._bit_error else 0
        if self._noise_hz:
            flips += int(rng.poisson(self._noise_hz * duration_ns / SECOND))
        if not flips:
            return data
        spoilt = bytearray(data)
        size = min(flips, 8 * len(data))
        for place in rng.choice(8 * len(data), size=size, replace=False, shuffle=False).tolist():
            spoilt[place >> 3] ^= 0x80 >> (place & 7)
        return bytes(spoilt)

    def _check_new(self, name: str) -> None:
        if name in self.port_names:
            raise InputError(f"link {self.name}: expected a new port, got {name!r} again")

    # -- changing faults -----------------------------------------------------------------------

    def _replace(self, faults: LinkFaults) -> None:
        if faults == self._faults:
            return
        if not isinstance(faults.cut, bool):
            for pair in faults.cut:
                self._check_cut(*pair)
        self._faults = faults
        self._spread_faults()
        self.kernel.record(self.name, "link faults", faults.model_dump(exclude_defaults=True))
        self._faults_changed()

    def _check_cut(self, a: str, b: str) -> None:
        names = list(self.port_names)
        for end in (a, b):
            if end not in names:
                raise UnknownName("port", end, names, where=f"link {self.name}: cut")
        apart = abs(names.index(a) - names.index(b))
        if self.in_a_row and apart not in (1, len(names) - 1):
            raise InputError(
                f"link {self.name}: cut: expected neighbours on the wire, got {a!r} and {b!r}."
                f" In order: {', '.join(names)}"
            )

    def _spread_faults(self) -> None:
        """Plain attributes, because they are read for every byte."""
        faults = self._faults
        self._loss = faults.loss
        self._bit_error = faults.bit_error
        self._noise_hz = faults.noise_hz
        self._stuck = faults.stuck
        self._sound = faults == LinkFaults()


def _put_bytes(detail: dict[str, Any], key: str, data: bytes) -> None:
    if len(data) <= LONG_FRAME:
        detail[key] = data.hex()
    else:
        detail[key] = data[:32].hex()
        detail[f"{key}_length"] = len(data)
        detail[f"{key}_hash"] = blake2b(data, digest_size=16).hexdigest()


def wire_ns(bits: int, bits_per_second: int) -> int:
    """How long ``bits`` take from the start of a transmission, to the nearest ns.

    Always from the start, so that the error of a long transmission is half a ns as well.
    """
    return (2 * bits * SECOND + bits_per_second) // (2 * bits_per_second)
