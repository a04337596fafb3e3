"""The trace of a run: tables of numbers over time, and events.

::

    with Trace.to_folder(run / "trace") as trace:
        servos = trace.table("servos", {"servo_rad[R1.pitch]": "rad", "servo_a[R1.pitch]": "A"})
        servos.append(t_ns, values)
        trace.events.append(t_ns, "R1", "fault", {"servo": "pitch", "what": "stalled"})

    reader = TraceReader(run / "trace")
    reader.read("servos")["servo_rad[R1.pitch]"]
    events(reader, kind="fault")
    digest(reader)                      # equal digests: equal runs, bit for bit

Rows gather in memory (half a microsecond for 30 channels) and go to the sinks in blocks, at
moments of *virtual* time, so the same run leaves the same bytes.  The folder is readable after a
kill or a full disk, up to the last block; :mod:`annelid.kernel.trace.disk` says why it is Arrow.
"""

from annelid.kernel.trace.disk import DiskSink
from annelid.kernel.trace.memory import MemorySink
from annelid.kernel.trace.reader import Event, TraceReader, TraceSource, digest, events
from annelid.kernel.trace.table import NumericTable
from annelid.kernel.trace.trace import Trace
