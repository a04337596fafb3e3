"""Records a simulation: which numbers go into the tables of the trace.

=============  ==========================================================================
``modules``    where every module is: ``x[R1]`` … m, ``qw[R1]`` … (scalar first)
``actuators``  ``target[R1.yaw]``, ``position``, ``current``, ``filtered``, ``temperature``,
               ``energy``; a released motor's target is NaN
``robot``      progress, centre of mass, tilt of the first module, power, energy, voltage; with
               a supply, what its boards draw is in it and the voltage is the rail's
``sensors``    one column per reading, ``T1.touch``, ``R1.accelerometer.x`` …, as boards read it:
               through a fault, if there is one, and the sensor's converter
``state_0``    all joint positions, from which pictures are drawn; ``state_1`` after the
               first cut or join, because the model then is another one
``power``      the supply's: see :mod:`annelid.electronics.power`
=============  ==========================================================================

Rows are stamped with the physics step that they show.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from annelid.electronics.power import Power
from annelid.kernel import Kernel, Program, Sleep, period
from annelid.kernel.trace import NumericTable, Trace
from annelid.physics.simulation import Simulation
from annelid.robot.body import DriveMount, LinearMount, Mount
from annelid.trial.metrics import Tally
from annelid.trial.scenario import Record, Scenario

Floats = NDArray[np.float64]

POSE = {"x": "m", "y": "m", "z": "m", "qw": "1", "qx": "1", "qy": "1", "qz": "1"}


class Recorder:
    """Samples ``sim`` into ``trace``; both outlive it."""

    def __init__(
        self,
        sim: Simulation,
        trace: Trace,
        record: Record,
        tally: Tally,
        *,
        power: Power | None = None,
    ) -> None:
        self._sim = sim
        self._power = power
        self._tally = tally
        self._trace = trace
        self._record = record
        names = [module.name for module in sim.robot.modules]
        self._modules = trace.table(
            "modules",
            {f"{part}[{name}]": "m" if part in "xyz" else "1" for part in POSE for name in names},
        )
        self._actuators = self._actuator_table()
        self._robot = trace.table(
            "robot",
            {
                "progress": "m",
                "x": "m",
                "y": "m",
                "z": "m",
                "tilt": "rad",
                "power": "W",
                "energy": "J",
                "voltage": "V",
            },
        )
        self._sensors: NumericTable | None = None
        if record.sensors and sim.sensors.names:
            units = dict(zip(sim.sensors.names, sim.sensors.units, strict=True))
            self._sensors = trace.table("sensors", units)
        self._voltage = max((motor.voltage for motor in sim.plan.motors), default=0.0)
        self._energy = 0.0
        self._energy_ns = 0
        self._state: NumericTable | None = None
        self._epoch = -1

    def program(self, kernel: Kernel) -> Program:
        """Tables at their rate, in virtual time."""
        tick = Sleep(self._record.every_ns)
        while True:
            self._sim.advance_to(kernel.now)
            self.sample()
            yield tick

    def state_program(self, kernel: Kernel) -> Program:
        """Joint positions at theirs."""
        tick = Sleep(period(self._record.state_hz))
        while True:
            self._sim.advance_to(kernel.now)
            self.sample_state()
            yield tick

    def sample(self) -> None:
        """One row in every table but the state's."""
        sim, now = self._sim, self._sim.now_ns
        self._tally.see(sim)
        self._modules.append(now, self._sim.poses().T.ravel())
        motors = sim.actuators
        energy = motors.energy()
        if self._actuators is not None:
            columns = (
                motors.targets,
                motors.position(),
                motors.current(),
                motors.filtered(),
                motors.temperature(),
                energy,
            )
            self._actuators.append(now, np.concatenate(columns))
        drawn = float(energy.sum()) if self._power is None else self._power.total_now()
        self._robot.append(now, self._row(now, drawn))
        if self._sensors is not None:
            self._sensors.append(now, sim.sensors.read())

    def sample_state(self) -> None:
        sim = self._sim
        if self._state is None or sim.epoch != self._epoch:
            self._epoch = sim.epoch
            columns = dict.fromkeys(sim.coordinates(), "m or rad")
            self._state = self._trace.table(f"state_{sim.epoch}", columns)
        self._state.append(sim.now_ns, sim.data.qpos)

    def _row(self, now: int, energy: float) -> list[float]:
        """Power is the mean since the last row: what the battery had to give."""
        sim = self._sim
        passed = (now - self._energy_ns) * 1e-9
        power = (energy - self._energy) / passed if passed > 0 else 0.0
        self._energy, self._energy_ns = energy, now
        x, y, z = sim.centre().tolist()
        seen = self._tally
        voltage = self._voltage if self._power is None else self._power.volts
        return [seen.progress, x, y, z, seen.tilt, power, energy, voltage]

    def _actuator_table(self) -> NumericTable | None:
        """Columns grouped by quantity, so that a block of them is one motor array."""
        motors = self._sim.plan.motors
        if not motors:
            return None
        columns: dict[str, str] = {}
        for quantity, fixed in (
            ("target", ""),
            ("position", ""),
            ("current", "A"),
            ("filtered", "A"),
            ("temperature", "°C"),
            ("energy", "J"),
        ):
            for motor in motors:
                columns[f"{quantity}[{motor.name}]"] = fixed or _unit(motor.mount, quantity)
        return self._trace.table("actuators", columns)


def table_bytes(sim: Simulation, scenario: Scenario) -> float:
    """What the tables of the whole run take on the disk, without its events."""
    record = scenario.record
    sensors = len(sim.sensors.names) if record.sensors else 0
    columns = len(POSE) * len(sim.robot.modules) + 6 * len(sim.plan.motors) + sensors + 12
    a_second = record.rate_hz * columns + record.state_hz * (sim.model.nq + 1)
    return float(8 * scenario.duration_s * a_second)


def _unit(mount: Mount, quantity: str) -> str:
    if isinstance(mount, LinearMount):
        return "m"
    return "level" if isinstance(mount, DriveMount) and quantity == "target" else "rad"
