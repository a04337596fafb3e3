"""Makes faults happen at their time or condition, and mends them; all of it in the trace.

Every fault becomes an event ``fault`` under the name of what broke, with the whole spec and the
reason; its end an event ``mended``.  What an operator breaks by hand enters by
:meth:`Injector.inject`, which returns the moment it took effect: given that moment in a second
run (``at_ns``), the same thing happens again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from annelid.electronics.circuit import Circuit
from annelid.electronics.condition import Condition
from annelid.electronics.devices import SimCamera, SimSensor
from annelid.electronics.faults import (
    ClockDrift,
    CutLink,
    DeadBoard,
    DeadSensor,
    Fault,
    FaultSpec,
    HungProgram,
    LeakyCup,
    LowBattery,
    NoisyLink,
    NoisySensor,
    StuckServo,
    WeakServo,
)
from annelid.electronics.link import Link
from annelid.electronics.supply import BatterySource
from annelid.errors import InputError, UnknownName
from annelid.kernel import MILLISECOND, Priority, Program, Sleep, seconds, to_seconds
from annelid.physics import broken_sensors, damage
from annelid.physics.broken_sensors import BrokenSensor, DeadCamera

Mend = Callable[[], None]

LOOK_EVERY_NS = 20 * MILLISECOND
"""How often conditions are looked at."""


class Injector:
    """Breaks the parts of one circuit."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.active: list[Fault] = []
        """What is broken now."""
        self.happened = 0
        """Faults so far, the mended ones included."""
        self._kernel = circuit.kernel
        self._pending: list[tuple[Condition, Fault]] = []

    def schedule(self, faults: Iterable[Fault]) -> None:
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

    def inject(self, fault: Fault, *, at_ns: int = 0) -> int:
        """By hand, now or at ``at_ns``, whatever the fault's own moment; returns when."""
        return self._kernel.inject(self.by_hand(fault), at_ns=at_ns)

    def by_hand(self, fault: Fault) -> Callable[[], None]:
        """What breaks it when called, in an instant of the caller's."""
        self.check(fault)
        return lambda: self._break(fault, "by hand")

    def check(self, fault: Fault) -> None:
        """Refuse a target that does not exist, with the list of those that do."""
        if fault.when is not None:
            Condition.parse(fault.when).check(self.circuit.sim)
        self._target(fault)

    # -- when ----------------------------------------------------------------------------------

    def _at(self, t_ns: int, fault: Fault, reason: str) -> None:
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

    def _break(self, fault: Fault, reason: str) -> None:
        now = self._kernel.now
        ends = seconds(fault.until_s) if fault.until_s is not None else None
        if ends is not None and ends <= now:
            return
        self.circuit.grid.sync()
        name = _name(fault)
        detail = {"reason": reason, **fault.model_dump(exclude_none=True)}
        self._kernel.record(name, "fault", detail)
        mend = self._apply(fault)
        self.active.append(fault)
        self.happened += 1
        if ends is not None:

            def end() -> None:
                self.circuit.grid.sync()
                mend()
                self.active.remove(fault)
                self._kernel.record(name, "mended", {"fault": fault.fault})

            self._kernel.call_at(ends, end, priority=Priority.OUTSIDE)

    # -- what ----------------------------------------------------------------------------------

    def _target(self, fault: FaultSpec) -> object:
        circuit = self.circuit
        match fault:
            case StuckServo() | WeakServo():
                return circuit.sim.actuators.place(fault.servo)
            case LeakyCup():
                return circuit.sim.cups.place(fault.cup)
            case DeadSensor():
                return self._sensors(fault.sensor, cameras=True)
            case NoisySensor():
                return self._sensors(fault.sensor, cameras=False)
            case DeadBoard() | HungProgram() | ClockDrift():
                return circuit.nodes[fault.board]
            case CutLink() | NoisyLink():
                link = circuit.links[fault.link]
                if isinstance(fault, CutLink) and fault.between is not None:
                    for port in fault.between:
                        if port not in link.port_names:
                            raise UnknownName(
                                "port", port, link.port_names, where=f"link {fault.link}"
                            )
                return link
            case LowBattery():
                return self._battery()
        raise InputError(f"no way to inject a {type(fault).__name__}")

    def _sensors(self, name: str, *, cameras: bool) -> list[SimSensor | SimCamera]:
        """All channels of a sensor, or the one that is named."""
        everything: dict[str, SimSensor | SimCamera] = {}
        for node in self.circuit.nodes.values():
            everything |= {s.name: s for s in node.board.sensors.values()}
            if cameras:
                everything |= {c.name: c for c in node.board.cameras.values()}
        found = [s for full, s in everything.items() if full == name or full.startswith(f"{name}.")]
        if not found:
            raise UnknownName("sensor", name, everything)
        return found

    def _battery(self) -> BatterySource:
        power = self.circuit.power
        if power is None or not isinstance(power.source, BatterySource):
            raise InputError("low_battery: this robot has no battery")
        return power.source

    def _apply(self, fault: Fault) -> Mend:
        """Break it; returns how to mend it."""
        sim, circuit = self.circuit.sim, self.circuit
        match fault:
            case StuckServo():
                damage.stick(sim, fault.servo)
                return lambda: damage.heal(sim, fault.servo, "stuck")
            case WeakServo():
                damage.weaken(sim, fault.servo, fault.factor)
                return lambda: damage.heal(sim, fault.servo, "weak")
            case LeakyCup():
                damage.leak(sim, fault.cup, holds=fault.holds, falls_s=fault.falls_s)
                return lambda: damage.seal(sim, fault.cup)
            case DeadSensor() | NoisySensor():
                return self._break_sensor(fault)
            case DeadBoard():
                node = circuit.nodes[fault.board]
                node.kill("dead_board", servos=fault.servos)
                return lambda: None if node.alive else node.start()
            case HungProgram():
                node = circuit.nodes[fault.board]
                node.hang("hung_program")
                return lambda: node.resume("mended")
            case CutLink():
                link = circuit.links[fault.link]
                if fault.between is None:
                    return _disturb(link, cut=True)
                return _cut(link, fault.between)
            case NoisyLink():
                link = circuit.links[fault.link]
                fields = {"loss": fault.loss, "bit_error": fault.bit_error}
                return _disturb(link, **fields, noise_hz=fault.noise_hz)
            case ClockDrift():
                board = circuit.nodes[fault.board].board
                before = board.clock.drift_ppm
                board.set_drift(fault.drift_ppm)
                return lambda: board.set_drift(before)
            case LowBattery():
                self._battery().set_charge(fault.charge)
                return lambda: None

    def _break_sensor(self, fault: DeadSensor | NoisySensor) -> Mend:
        sim = self.circuit.sim
        mends: list[Mend] = []
        for sensor in self._sensors(fault.sensor, cameras=isinstance(fault, DeadSensor)):
            if isinstance(sensor, SimCamera):
                floats = isinstance(fault, DeadSensor) and fault.mode == "floating"
                mends.append(self._break_camera(sensor.name, "noise" if floats else "black"))
            else:
                broken = self._broken(sensor.name, fault)
                sim.sensors.break_one(sensor.name, broken)
                mends.append(self._mend_sensor(sensor.name, broken))

        def mend() -> None:
            for each in mends:
                each()

        return mend

    def _broken(self, name: str, fault: DeadSensor | NoisySensor) -> BrokenSensor:
        """What becomes of one channel."""
        sim = self.circuit.sim
        if isinstance(fault, NoisySensor):
            return broken_sensors.noisy(sim.sensors.noise(name, fault.deviation))
        match fault.mode:
            case "flagged":
                return broken_sensors.flagged()
            case "floating":
                draw = sim.streams[f"fault/{name}"]
                step_s = to_seconds(sim.step_ns)
                return broken_sensors.floating(sim.sensors.converter(name), draw, step_s)
            case "stuck":
                last = fault.reading
                return broken_sensors.stuck(sim.sensors.read_one(name) if last is None else last)

    def _mend_sensor(self, name: str, broken: BrokenSensor) -> Mend:
        """Unless another fault has taken its place."""
        sim = self.circuit.sim

        def mend() -> None:
            if sim.damage.sensors.get(name) is broken:
                sim.sensors.break_one(name, None)

        return mend

    def _break_camera(self, name: str, shows: DeadCamera) -> Mend:
        sim = self.circuit.sim
        sim.sensors.break_camera(name, shows)
        return lambda: sim.sensors.break_camera(name, None)


def _cut(link: Link, pair: tuple[str, str]) -> Mend:
    """One cut more; mending takes this one away and leaves the others."""

    def others() -> tuple[tuple[str, str], ...] | None:
        cut = link.faults.cut
        return None if cut is True else tuple(p for p in cut or () if p != pair)

    if (found := others()) is not None:
        link.disturb(cut=(*found, pair))

    def mend() -> None:
        if (left := others()) is not None:
            link.disturb(cut=left or False)

    return mend


def _disturb(link: Link, **changes: Any) -> Mend:
    """Change some of a link's faults; mending puts back what those fields were before."""
    before = link.faults.model_dump()
    link.disturb(**changes)
    return lambda: link.disturb(**{field: before[field] for field in changes})


def _name(fault: Fault) -> str:
    match fault:
        case StuckServo() | WeakServo():
            return fault.servo
        case LeakyCup():
            return fault.cup
        case DeadSensor() | NoisySensor():
            return fault.sensor
        case DeadBoard() | HungProgram() | ClockDrift():
            return fault.board
        case CutLink() | NoisyLink():
            return fault.link
        case LowBattery():
            return "battery"
