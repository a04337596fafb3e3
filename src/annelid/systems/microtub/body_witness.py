"""Judges what a robot says of its own body, by its boards, servos, bus and supply.

The table of all statements is in ``witness``.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping
from math import inf, radians
from typing import Final

import numpy as np

from annelid.electronics.circuit import Circuit
from annelid.electronics.i2c import I2cBus
from annelid.electronics.link import LinkFaults
from annelid.electronics.node import NodeState
from annelid.robot.body import Body, DriveMount, LinearMount, Mount
from annelid.systems.microtub.central.operator import OPERATOR_LINE, OPERATOR_NAME
from annelid.systems.microtub.module import BUS
from annelid.systems.microtub.protocol.enums import Alarm, RobotInfo
from annelid.systems.statement import Judgement, Statement, judged_number

TOLD_LOOKS: Final = 12
"""Looks that an alarm may be old when it is told: modules are polled every half second."""
CALL_LOOKS: Final = 15
"""Looks since which a bus may be well again when a module is told lost: the roll call asks three
times, and the robot finishes what it is about before it speaks."""
GONE: Final = (NodeState.OFF, NodeState.HUNG, NodeState.DEAD)
"""Of a board from which nobody can expect an answer; a program that has crashed owes it."""
MEMORY: Final = 0.05
"""Of the running average of currents: the last two seconds count."""
HOT_C: Final = 45.0
HELD_DEG, HELD_SHARE = 3.0, 0.03
"""A servo this far from its target, or a linear one this share of its travel, does not follow; one
that does rests within a third of that."""
LOW_CHARGE: Final = 0.2
DRIVEN: Final = 0.1
"""rad/s; a drive whose target is more turns."""


class BodyWitness:
    """Of one run."""

    def __init__(self, circuit: Circuit) -> None:
        self._circuit = circuit
        self._sim = circuit.sim
        self._off_targets: deque[dict[str, float]] = deque(maxlen=TOLD_LOOKS)
        """Of all servos, at the last looks: an alarm waits to be polled."""
        self._held = {
            f"{module.name}.{mount.name}": _held(module.body, mount)
            for module in self._sim.robot.modules
            for mount in module.body.mounts
        }
        """How far each servo is from its target when it does not follow, in its own unit."""
        self._drawn_a = 0.0
        """All servos, over the last two seconds."""
        self._disturbed: deque[bool] = deque(maxlen=CALL_LOOKS)
        """Whether the bus was, at the last looks."""
        self._down: deque[set[str]] = deque(maxlen=CALL_LOOKS)
        """Boards that did not run, at the last looks."""
        self._answering = [
            name
            for name, node in circuit.nodes.items()
            if OPERATOR_LINE in node.board.ports and name != OPERATOR_NAME
        ]
        """Boards with a line to the operator."""
        self._drives = [
            f"{module.name}.{mount.name}"
            for module in self._sim.robot.modules
            for mount in module.body.mounts
            if isinstance(mount, DriveMount)
        ]
        self._led: dict[str, float] = {}
        """By how much each servo's target has changed since the look before, as off-targets."""
        self._targets: dict[str, float] = {}

    def reachable(self) -> bool:
        """Whether the board that answers the operator is there."""
        return all(self._circuit.nodes[name].state not in GONE for name in self._answering)

    @property
    def judges(self) -> Mapping[str, Callable[[Statement], Judgement | None]]:
        """By what is said."""
        return {
            "lost": self._lost,
            "missing": self._missing,
            "alarm": self._alarm,
            "low power": self._low_power,
            "stopped": self._stopped,
            RobotInfo.WORKING_MODULES.meaning: self._modules,
            RobotInfo.BATTERIES.meaning: self._batteries,
            RobotInfo.AVERAGE_CONSUMPTION.meaning: self._consumption,
        }

    def look(self) -> None:
        """Ten times a second."""
        drawn = float(np.abs(self._sim.actuators.filtered()).sum())
        self._drawn_a += MEMORY * (drawn - self._drawn_a)
        self._off_targets.append(self._off_target())
        before, self._targets = self._targets, self._target()
        self._led = {
            name: abs(target - before.get(name, target)) / self._held[name]
            for name, target in self._targets.items()
        }
        self._disturbed.append(self._circuit.links[BUS].faults != LinkFaults())
        nodes = self._circuit.nodes.items()
        self._down.append({name for name, each in nodes if each.state is not NodeState.RUNNING})

    def _lost(self, said: Statement) -> Judgement:
        name = self._module(said.value)
        if name is None:
            return Judgement(False, f"no module has the address {said.value}")
        state = self._circuit.nodes[name].state
        disturbed = "; its bus was disturbed lately" if any(self._disturbed) else ""
        down = state is not NodeState.RUNNING or any(name in each for each in self._down)
        gone = self._off() > 0 or down or bool(disturbed)
        return Judgement(gone, f"the board {name} is {state}{disturbed}")

    def _alarm(self, said: Statement) -> Judgement | None:
        address, alarm = said.value
        name = self._module(address)
        if alarm == Alarm.POWER.name:
            return self._low_power(said)
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
        names = {actuators.names[place] for place in self._servos(module)}
        broken = {*damage.stuck, *damage.weak, *damage.limp} & names
        lately = [*self._off_targets, self._off_target()]
        far = max((off.get(name, 0.0) for off in lately for name in names), default=0.0)
        why = f"a servo of {module} was at {far:.1f} times what one that follows may be off"
        return Judgement(bool(broken) or far >= 1.0, f"{why}; broken: {broken}")

    def _off_target(self) -> dict[str, float]:
        """How far each servo is from its target, where 1 is not to follow."""
        actuators = self._sim.actuators
        off = np.nan_to_num(np.abs(actuators.targets - actuators.position()))
        return {
            name: float(each) / self._held[name]
            for name, each in zip(actuators.names, off, strict=True)
        }

    def _target(self) -> dict[str, float]:
        """NaN, which nothing is compared with, for a released servo."""
        actuators = self._sim.actuators
        return dict(zip(actuators.names, actuators.targets.tolist(), strict=True))

    def _stopped(self, said: Statement) -> Judgement:
        """No drive turns, and no other servo is led on."""
        now = self._target()
        moved = [name for name in self._drives if abs(now[name]) > DRIVEN]
        moved += [name for name, led in self._led.items() if led > 1.0]
        return Judgement(not moved, f"still driven: {', '.join(moved) or 'nothing'}")

    def _modules(self, said: Statement) -> Judgement:
        nodes, modules = self._circuit.nodes, self._sim.robot.modules
        running = [m for m in modules if nodes[m.name].state is NodeState.RUNNING]
        ids = "".join(each.type.wire_id for each in running)
        told, there = Counter(said.value[0]), Counter(ids)
        so = told == there or (any(self._disturbed) and told <= there)
        return Judgement(so, f"boards that run: {ids}, said {said.value[0]}")

    def _low_power(self, said: Statement) -> Judgement:
        charge = self._charge
        return Judgement(charge < LOW_CHARGE, f"the supply has {charge:.0%} left")

    @property
    def _charge(self) -> float:
        """Share that is left in the supply."""
        power = self._circuit.power
        return 1.0 if power is None else power.source.charge

    def _batteries(self, said: Statement) -> Judgement:
        charge = self._charge
        so = charge >= LOW_CHARGE / 4 if said.value[0] else charge < LOW_CHARGE
        return Judgement(so, f"the supply has {charge:.0%} left")

    def _consumption(self, said: Statement) -> Judgement:
        return judged_number(said, 1000 * self._drawn_a, "servos draw {:.0f} mA")

    def _module(self, address: int) -> str | None:
        return module_at(self._circuit, address)

    def _off(self) -> int:
        """How many modules hang no longer together with the central control."""
        return len(self._sim.robot.modules) - len(self._piece)

    @property
    def _piece(self) -> Collection[str]:
        """Modules that hang together with the one whose board the central control runs on, or at
        which the PC's cable is plugged in: the last."""
        robot = self._sim.robot
        names = [each.name for each in robot.modules]
        carrier = next((name for name in self._answering if name in names), names[-1])
        return next(piece for piece in robot.pieces() if carrier in piece)

    def _missing(self, said: Statement) -> Judgement:
        nodes, off = self._circuit.nodes, self._off()
        dead = [n for n in self._piece if nodes[n].state is not NodeState.RUNNING]
        why = f"{off} modules are not in the central control's piece, {len(dead)} of it do not run"
        if self._circuit.links[BUS].faults != LinkFaults():
            return Judgement(True, f"{why}; the bus is disturbed")
        return Judgement(off <= said.value <= off + len(dead), why)


def module_at(circuit: Circuit, address: int) -> str | None:
    """The name of the module that has this address on the bus."""
    bus = circuit.links[BUS]
    assert isinstance(bus, I2cBus)
    return next((p.name for p in bus.ports.values() if p.address == address), None)


def _held(body: Body, mount: Mount) -> float:
    """In its own unit; a drive has no place to be at."""
    if isinstance(mount, DriveMount):
        return inf
    if isinstance(mount, LinearMount):
        low, high = body.joint(mount.joint).range or (0.0, inf)
        return HELD_SHARE * (high - low)
    return radians(HELD_DEG)
