"""Faults of sensors and cameras."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, Self

from pydantic import Field, model_validator

from annelid.electronics.devices import SimCamera, SimSensor
from annelid.electronics.faults import FaultSpec, Mend
from annelid.errors import UnknownName
from annelid.kernel import to_seconds
from annelid.physics import broken_sensors
from annelid.physics.broken_sensors import BrokenSensor, DeadCamera

if TYPE_CHECKING:
    from annelid.electronics.circuit import Circuit
    from annelid.physics.simulation import Simulation


class DeadSensor(FaultSpec):
    """The sensor measures nothing any more; ``mode`` says what its board reads instead.

    ``stuck``: one and the same number; a camera is black.  ``floating``: an open input wanders
    through the sensor's range; a camera shows noise.  ``flagged``: the far end of the range, and
    the sensor says that it is not valid; a camera is black.
    """

    what: ClassVar[str] = "sensor"

    fault: Literal["dead_sensor"] = "dead_sensor"
    sensor: str
    """``T1.touch``; ``R1.accelerometer`` for all its axes, ``R1.accelerometer.x`` for one."""
    mode: Literal["stuck", "floating", "flagged"] = "stuck"
    """What its board reads: a fixed value, drift and hum, or the end of the range marked as
    invalid."""
    reading: float | None = None
    """Where it is stuck, in its unit; None: at its last reading.  The range limits this, too."""

    @model_validator(mode="after")
    def _reads_where_stuck(self) -> Self:
        if self.reading is not None and self.mode != "stuck":
            raise ValueError(f"reading: only with mode = 'stuck', got mode = {self.mode!r}")
        return self

    def check(self, circuit: Circuit) -> None:
        _channels(circuit, self.sensor, cameras=True)

    def strike(self, circuit: Circuit) -> Mend:
        sim = circuit.sim
        mends: list[Mend] = []
        for sensor in _channels(circuit, self.sensor, cameras=True):
            if isinstance(sensor, SimCamera):
                shows: DeadCamera = "noise" if self.mode == "floating" else "black"
                mends.append(_break_camera(sim, sensor.name, shows))
            else:
                mends.append(_break(sim, sensor.name, self._broken(sim, sensor.name)))
        return lambda: _all(mends)

    def _broken(self, sim: Simulation, name: str) -> BrokenSensor:
        """What becomes of one channel."""
        match self.mode:
            case "flagged":
                return broken_sensors.flagged()
            case "floating":
                draw = sim.streams[f"fault/{name}"]
                step_s = to_seconds(sim.step_ns)
                return broken_sensors.floating(sim.sensors.converter(name), draw, step_s)
            case "stuck":
                last = self.reading
                return broken_sensors.stuck(sim.sensors.read_one(name) if last is None else last)


class NoisySensor(FaultSpec):
    """Gaussian noise on top of what is measured, within the sensor's range."""

    what: ClassVar[str] = "sensor"

    fault: Literal["noisy_sensor"] = "noisy_sensor"
    sensor: str
    """``T1.touch``"""
    deviation: float = Field(gt=0)
    """Standard deviation, in the sensor's unit."""

    def check(self, circuit: Circuit) -> None:
        _channels(circuit, self.sensor, cameras=False)

    def strike(self, circuit: Circuit) -> Mend:
        sim = circuit.sim
        names = [each.name for each in _channels(circuit, self.sensor, cameras=False)]
        mends = [
            _break(sim, name, broken_sensors.noisy(sim.sensors.noise(name, self.deviation)))
            for name in names
        ]
        return lambda: _all(mends)


def _channels(circuit: Circuit, name: str, *, cameras: bool) -> list[SimSensor | SimCamera]:
    """All channels of a sensor, or the one that is named."""
    everything: dict[str, SimSensor | SimCamera] = {}
    for node in circuit.nodes.values():
        everything |= {s.name: s for s in node.board.sensors.values()}
        if cameras:
            everything |= {c.name: c for c in node.board.cameras.values()}
    found = [s for full, s in everything.items() if full == name or full.startswith(f"{name}.")]
    if not found:
        raise UnknownName("sensor", name, everything)
    return found


def _break(sim: Simulation, name: str, broken: BrokenSensor) -> Mend:
    """Mended unless another fault has taken its place."""
    sim.sensors.break_one(name, broken)

    def mend() -> None:
        if sim.damage.sensors.get(name) is broken:
            sim.sensors.break_one(name, None)

    return mend


def _break_camera(sim: Simulation, name: str, shows: DeadCamera) -> Mend:
    sim.sensors.break_camera(name, shows)
    return lambda: sim.sensors.break_camera(name, None)


def _all(mends: list[Mend]) -> None:
    for mend in mends:
        mend()
