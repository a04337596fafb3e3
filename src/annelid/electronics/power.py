"""The power of a robot: who draws how much current, the voltage that is left, the energy used.

One program for the whole robot, ten times a second of virtual time: boards draw their idle
current, motors what the physics says they drew since the last look; the supply answers with the
voltage of the rail.  Where that is too low for a board (brown-out), its board goes off until the
voltage has recovered, and then boots: a robot on a dying battery starts and fails again and
again, as real ones do.

A robot without boards, moved by gaits alone, has motors that draw and nothing that could brown
out; ``weaken_servos`` is how it feels an empty battery.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from annelid.electronics.devices import PhysicsGrid
from annelid.electronics.node import Node, NodeState
from annelid.electronics.supply import Supply, TetherSupply
from annelid.kernel import Program, Sleep, period
from annelid.kernel.trace import NumericTable, Trace
from annelid.physics import damage
from annelid.spec import Spec

Floats = NDArray[np.float64]

GRAVITY = 9.81
"""In the cost of transport, which compares robots as if on Earth, m/s²."""

WEAKEST = 0.05
"""Share of the torque that servos keep on a dead rail: the engine needs some."""


class PowerSpec(Spec):
    """The supply and the consumers; currents are typical of an 8-bit board at 5 V (proposed: the
    papers give none)."""

    supply: Supply = TetherSupply()
    """Where the power comes from."""
    idle_ma: float = Field(default=20.0, ge=0)
    """Of every board that is on."""
    port_ma: float = Field(default=1.0, ge=0)
    """More for every port a board has."""
    brown_out_v: float = Field(default=2.7, ge=0)
    """Below it a board cannot run (ATmega8: 2.7 V or 4.0 V)."""
    recovery_v: float = Field(default=0.1, ge=0)
    """So much above it a board starts again."""
    weaken_servos: bool = False
    """Whether servos feel the voltage of the rail; otherwise they are as strong as on the bench."""
    rate_hz: float = Field(default=10.0, gt=0, le=1000)
    """How often the rail is computed."""


class Power:
    """The electrical side of a robot, as numbers per board."""

    def __init__(
        self,
        grid: PhysicsGrid,
        nodes: Mapping[str, Node],
        spec: PowerSpec,
        *,
        trace: Trace | None = None,
    ) -> None:
        self.spec = spec
        self.source = spec.supply.source()
        self.names = tuple(nodes)
        self.volts = self.source.nominal
        """Of the rail, at the last look."""
        self.lowest = self.volts
        """That it has been at any look."""
        self.amperes = 0.0
        """From the rail, the mean since the look before."""
        self.energy: Floats = np.zeros(len(nodes))
        """Per board, with its motors, since the start, J."""
        self.unowned = 0.0
        """Of motors whose module has no board, J."""
        self.boards = 0.0
        """All boards without their motors, J."""
        self.brown_outs = 0
        self._grid = grid
        self._nodes = tuple(nodes.values())
        self._ports = np.array([len(node.board.ports) for node in self._nodes])
        self._browned: set[Node] = set()
        self._start_ns = self._last_ns = grid.kernel.now
        self._epoch = -1
        self._motor_names: tuple[str, ...] = ()
        self._owner = np.zeros(0, dtype=np.intp)
        self._drawn: Floats = np.zeros(0)
        self._table: NumericTable | None = None
        if trace is not None:
            self.record_into(trace)

    def record_into(self, trace: Trace) -> None:
        """A row of the table ``power`` at every look from now on."""
        columns = {"voltage": "V", "current": "A", "charge": "1", "drawn": "J"}
        boards = {f"energy[{name}]": "J" for name in self.names}
        self._table = trace.table("power", columns | boards)

    def program(self) -> Program:
        """To be spawned once."""
        tick = Sleep(period(self.spec.rate_hz))
        while True:
            yield tick
            self.update()

    def update(self) -> None:
        """Account for the time since the last look."""
        grid = self._grid
        grid.sync()
        now = grid.kernel.now
        passed = (now - self._last_ns) * 1e-9
        if passed <= 0:
            return
        self._last_ns = now
        motors = self._motors()
        amperes = self._idle()
        self.amperes = float(amperes.sum() + motors.sum() / passed / self.source.nominal)
        self.volts = self.source.load(self.amperes, passed)
        self.lowest = min(self.lowest, self.volts)
        idle = amperes * self.volts * passed
        self.energy += motors[:-1] + idle
        self.boards += float(idle.sum())
        self.unowned += float(motors[-1])
        if self.spec.weaken_servos:
            share = round(self.volts / self.source.nominal, 2)
            damage.starve(grid.sim, min(1.0, max(WEAKEST, share)))
        self._brown_out()
        if self._table is not None:
            row = [self.volts, self.amperes, self.source.charge, self.source.drawn, *self.energy]
            self._table.append(grid.sim.now_ns, row)

    @property
    def total(self) -> float:
        """All boards and motors, J; what the source had to give for it is ``source.drawn``."""
        return float(self.energy.sum()) + self.unowned

    def total_now(self) -> float:
        """As ``total``, carried on from the last look to this moment: for a curve without steps."""
        since = (self._grid.kernel.now - self._last_ns) * 1e-9
        boards = self.boards + float(self._idle().sum()) * self.volts * since
        return float(self._grid.sim.actuators.energy().sum()) + boards

    def life_s(self) -> float:
        """How long the supply would last from now on at the mean load so far."""
        return self.source.life((self._last_ns - self._start_ns) * 1e-9)

    # -- inside --------------------------------------------------------------------------------

    def _idle(self) -> Floats:
        """What each board draws now without its motors, A."""
        alive = np.array([node.alive for node in self._nodes], dtype=np.float64)
        idle: Floats = alive * (self.spec.idle_ma + self.spec.port_ma * self._ports) / 1000
        return idle

    def _motors(self) -> Floats:
        """Energy of each board's motors since the last look, J; the last number is nobody's."""
        sim = self._grid.sim
        if sim.epoch != self._epoch:
            before = dict(zip(self._motor_names, self._drawn, strict=True))
            place = {name: number for number, name in enumerate(self.names)}
            self._motor_names = sim.actuators.names
            self._owner = np.array(
                [place.get(name.partition(".")[0], len(place)) for name in self._motor_names],
                dtype=np.intp,
            )
            self._drawn = np.array([before.get(name, 0.0) for name in self._motor_names])
            self._epoch = sim.epoch
        energy = sim.actuators.energy()
        gained = energy - self._drawn
        self._drawn = energy
        shares: Floats = np.bincount(self._owner, gained, len(self.names) + 1).astype(np.float64)
        return shares

    def _brown_out(self) -> None:
        if self.volts < self.spec.brown_out_v:
            for node in self._nodes:
                if node.alive:
                    self.brown_outs += 1
                    self._browned.add(node)
                    node.stop(f"brown-out: {self.volts:.2f} V")
        elif self._browned and self.volts >= self.spec.brown_out_v + self.spec.recovery_v:
            browned, self._browned = self._browned, set()
            for node in self._nodes:
                if node in browned and node.state is NodeState.OFF:
                    node.resets += 1
                    node.board.log("reset", {"reason": f"recovered: {self.volts:.2f} V"})
                    node.start()
