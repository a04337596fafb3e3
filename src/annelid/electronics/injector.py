"""Causes faults at their time or condition, ends them, and records both in the trace.

Every fault becomes an event ``fault`` under the name of what broke, with the whole spec and the
reason; its end an event ``mended``.  What an operator breaks by hand enters by
:meth:`Injector.inject`, which returns the moment it took effect: given that moment in a second
run (``at_ns``), the same thing happens again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from annelid.electronics.circuit import Circuit
from annelid.electronics.condition import Condition
from annelid.electronics.faults import FaultSpec
from annelid.kernel import MILLISECOND, Priority, Program, Sleep, seconds

LOOK_EVERY_NS = 20 * MILLISECOND
"""How often conditions are looked at."""


class Injector:
    """Breaks the parts of one circuit."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.active: list[FaultSpec] = []
        """What is broken now."""
        self.happened = 0
        """Faults so far, the mended ones included."""
        self._kernel = circuit.kernel
        self._pending: list[tuple[Condition, FaultSpec]] = []

    def schedule(self, faults: Iterable[FaultSpec]) -> None:
        """Before a run: each at its time or condition.  Unknown targets are refused here."""
        for fault in faults:
            self.check(fault)
            if fault.when is not None:
                if not self._pending:
                    self._kernel.spawn(self._watch(), "faults", priority=Priority.OUTSIDE)
                self._pending.append((Condition.parse(fault.when), fault))
            else:
                at_s = fault.at_s or 0.0
                self._at(seconds(at_s), fault, f"at {at_s:g} s")

    def inject(self, fault: FaultSpec, *, at_ns: int = 0) -> int:
        """By hand, now or at ``at_ns``, whatever the fault's own moment; returns when."""
        return self._kernel.inject(self.by_hand(fault), at_ns=at_ns)

    def by_hand(self, fault: FaultSpec) -> Callable[[], None]:
        """What breaks it when called, in an instant of the caller's."""
        self.check(fault)
        return lambda: self._break(fault, "by hand")

    def check(self, fault: FaultSpec) -> None:
        """Refuse a target that does not exist, with the list of those that do."""
        if fault.when is not None:
            Condition.parse(fault.when).check(self.circuit.sim)
        fault.check(self.circuit)

    # -- when ----------------------------------------------------------------------------------

    def _at(self, t_ns: int, fault: FaultSpec, reason: str) -> None:
        self._kernel.call_at(t_ns, lambda: self._break(fault, reason), priority=Priority.OUTSIDE)

    def _watch(self) -> Program:
        """Ends with the last condition: no cost without one."""
        look = Sleep(LOOK_EVERY_NS)
        while self._pending:
            self.circuit.grid.sync()
            for entry in tuple(self._pending):
                condition, fault = entry
                if condition.holds(self.circuit.sim):
                    self._pending.remove(entry)
                    self._break(fault, f"when {fault.when}")
            yield look

    def _break(self, fault: FaultSpec, reason: str) -> None:
        now = self._kernel.now
        ends = seconds(fault.until_s) if fault.until_s is not None else None
        if ends is not None and ends <= now:
            return
        self.circuit.grid.sync()
        name = fault.who
        detail = {"reason": reason, **fault.model_dump(exclude_none=True)}
        self._kernel.record(name, "fault", detail)
        mend = fault.strike(self.circuit)
        self.active.append(fault)
        self.happened += 1
        if ends is not None:

            def end() -> None:
                self.circuit.grid.sync()
                mend()
                self.active.remove(fault)
                self._kernel.record(name, "mended", {"fault": fault.fault})

            self._kernel.call_at(ends, end, priority=Priority.OUTSIDE)
