"""Boards, the devices on them, and the links between them.

A *link* connects *ports*; a program sees its own port and nothing else::

    line = Uart("line", kernel, streams, UartSpec(baud=9600, topology="ring"))
    host, first, second = (line.attach(name) for name in ("host", "M1", "M2"))

    def module(port):                        # any BytePort: simulated, or a real serial port
        while True:
            byte = yield Receive(port.received)
            port.send(bytes([byte]))         # queued; it takes its time on the wire

    line.disturb(bit_error=0.01)             # from this moment on, and noted in the trace
    line.disturb(cut=(("M1", "M2"),))
    line.mend()

=============  ===================  ==============================================================
link           port                 carries
=============  ===================  ==============================================================
``Uart``       ``BytePort``         bytes at a baud rate, along a line, on a bus, round a ring
``I2cBus``     ``FramePort``        frames to an address or to all; many masters, who arbitrate
``SyncLine``   ``Pin``              levels between neighbours, two wires to a joint
``Infrared``   ``FramePort``        messages to the faces in sight
``AuxLine``    ``FramePort``        pictures, point to point
=============  ===================  ==============================================================

Each has a spec (``UartSpec`` …), which is what a scenario carries, and a runtime class built from
it.  What all share, the faults and the record of everything on the wire, is in
:mod:`~annelid.electronics.link`; what programs see is in :mod:`~annelid.electronics.port`.  All
pass one conformance suite: exact times, order, loss, noise, cut, stuck, dead boards, repetition
from a seed, and no cost while idle.

Measured on one core of a 2-core x86 cloud machine, CPython 3.11, with sender, receiver and trace:
3 us for a byte on a UART, 12 us for a frame of eight bytes on an I2C bus of ten.

The *board* is what a program is given (:mod:`~annelid.electronics.board`), a *node* a board that
runs one.
"""
