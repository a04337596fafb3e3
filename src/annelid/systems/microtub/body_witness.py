"""Judges what a robot says of its own body, by its boards, servos, bus and supply.

The table of all statements is in ``witness``.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.electronics.circuit import Circuit
from annelid.electronics.i2c import I2cBus
from annelid.electronics.link import LinkFaults
from annelid.electronics.node import NodeState
from annelid.systems.microtub.module import BUS
from annelid.systems.microtub.protocol.enums import Alarm, RobotInfo
from annelid.systems.statement import Judgement, Statement, judged_number

TOLD_LOOKS: Final = 12
"""Looks that an alarm may be old when it is told: modules are polled every half second."""
MEMORY: Final = 0.05
"""Of the running average of currents: the last two seconds count."""
HOT_C: Final = 45.0
HELD_DEG: Final = 3.0
"""A servo this far from its target does not follow; one that does rests within 1°."""
LOW_CHARGE: Final = 0.2


class BodyWitness:
    """Of one run."""

    def __init__(self, circuit: Circuit) -> None:
        self._circuit = circuit
        self._sim = circuit.sim
        self._off_targets: deque[NDArray[np.float64]] = deque(maxlen=TOLD_LOOKS)
        """Of all servos, at the last looks: an alarm waits to be polled."""
        self._drawn_a = 0.0
        """All servos, over the last two seconds."""

    @property
    def judges(self) -> Mapping[str, Callable[[Statement], Judgement | None]]:
        """By what is said."""
        return {
            "lost": self._lost,
            "missing": self._missing,
            "alarm": self._alarm,
            RobotInfo.WORKING_MODULES.meaning: self._modules,
            RobotInfo.BATTERIES.meaning: self._batteries,
            RobotInfo.AVERAGE_CONSUMPTION.meaning: self._consumption,
        }

    def look(self) -> None:
        """Ten times a second."""
        drawn = float(np.abs(self._sim.actuators.filtered()).sum())
        self._drawn_a += MEMORY * (drawn - self._drawn_a)
        self._off_targets.append(self._off_target())

    def _lost(self, said: Statement) -> Judgement:
        bus, name = self._circuit.links[BUS], self._module(said.value)
        if name is None:
            return Judgement(False, f"no module has the address {said.value}")
        state = self._circuit.nodes[name].state
        disturbed = "; its bus is disturbed" if bus.faults != LinkFaults() else ""
        gone = self._off() > 0 or state is not NodeState.RUNNING or bool(disturbed)
        return Judgement(gone, f"the board {name} is {state}{disturbed}")

    def _alarm(self, said: Statement) -> Judgement | None:
        address, alarm = said.value
        name, power = self._module(address), self._circuit.power
        if alarm == Alarm.POWER.name:
            charge = 1.0 if power is None else power.source.charge
            return Judgement(charge < LOW_CHARGE, f"the supply has {charge:.0%} left")
        if name is None:
            return None
        if alarm == Alarm.HOT.name:
            heat = [self._sim.actuators.temperature_at(place) for place in self._servos(name)]
            hottest = max(heat, default=0.0)
            return Judgement(hottest >= HOT_C, f"its hottest winding has {hottest:.0f} °C")
        if alarm == Alarm.STUCK.name:
            return self._follows_not(name)
        if alarm == Alarm.SENSOR.name:
            broken = [s for s in self._sim.damage.sensors if s.startswith(f"{name}.")]
            return Judgement(bool(broken), f"broken sensors of {name}: {', '.join(broken)}")
        return None

    def _servos(self, module: str) -> list[int]:
        """Their places among the actuators."""
        names = self._sim.actuators.names
        return [place for place, servo in enumerate(names) if servo.startswith(f"{module}.")]

    def _follows_not(self, module: str) -> Judgement:
        """A servo is broken, or something holds it off its target."""
        actuators, damage = self._sim.actuators, self._sim.damage
        places = self._servos(module)
        broken = {*damage.stuck, *damage.weak, *damage.limp} & {actuators.names[p] for p in places}
        lately = [off[places] for off in self._off_targets if off.size > max(places, default=-1)]
        far = np.degrees(np.nan_to_num([*lately, self._off_target()[places]])).max(initial=0.0)
        so = bool(broken) or bool(far >= HELD_DEG)
        return Judgement(so, f"a servo of {module} is {far:.0f}° from its target; broken: {broken}")

    def _off_target(self) -> NDArray[np.float64]:
        """How far each servo is from its target, rad."""
        actuators = self._sim.actuators
        off: NDArray[np.float64] = np.abs(actuators.targets - actuators.position())
        return off

    def _modules(self, said: Statement) -> Judgement:
        nodes, modules = self._circuit.nodes, self._sim.robot.modules
        running = [m for m in modules if nodes[m.name].state is NodeState.RUNNING]
        ids = "".join(each.type.wire_id for each in running)
        so = Counter(said.value[0]) == Counter(ids)
        return Judgement(so, f"boards that run: {ids}, said {said.value[0]}")

    def _batteries(self, said: Statement) -> Judgement:
        power = self._circuit.power
        charge = 1.0 if power is None else power.source.charge
        so = charge >= LOW_CHARGE / 4 if said.value[0] else charge < LOW_CHARGE
        return Judgement(so, f"the supply has {charge:.0%} left")

    def _consumption(self, said: Statement) -> Judgement:
        return judged_number(said, 1000 * self._drawn_a, "servos draw {:.0f} mA")

    def _module(self, address: int) -> str | None:
        """Its name."""
        bus = self._circuit.links[BUS]
        assert isinstance(bus, I2cBus)
        return next((p.name for p in bus.ports.values() if p.address == address), None)

    def _off(self) -> int:
        """How many modules hang no longer together with the first."""
        robot = self._sim.robot
        whole = next(piece for piece in robot.pieces() if robot.modules[0].name in piece)
        return len(robot.modules) - len(whole)

    def _missing(self, said: Statement) -> Judgement:
        robot, nodes = self._sim.robot, self._circuit.nodes
        whole = next(piece for piece in robot.pieces() if robot.modules[0].name in piece)
        dead = [n for n in whole if nodes[n].state is not NodeState.RUNNING]
        off = len(robot.modules) - len(whole)
        why = f"{off} modules are not in the first one's piece, {len(dead)} of it do not run"
        if self._circuit.links[BUS].faults != LinkFaults():
            return Judgement(True, f"{why}; the bus is disturbed")
        return Judgement(off <= said.value <= off + len(dead), why)
