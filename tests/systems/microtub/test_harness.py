"""Wires run through the docks: what a split and a join do to bus, power and sync lines; video."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.electronics.circuits import Rig
from tests.rigs import WEIGHTLESS, robot, simulation
from tests.systems.microtub.robots import findings

from annelid.electronics.node import NodeState
from annelid.systems.microtub.module import BUS
from annelid.systems.microtub.network import MicrotubNetwork, build
from annelid.systems.microtub.protocol import LLC1, LLC2, EnvironmentInfo, encode
from annelid.systems.microtub.spec import MicrotubSpec
from annelid.systems.microtub.video import pack, unpack


class Robot:
    """With a PC that discovers, and through which frames can be said."""

    def __init__(self, letters: str, world: Any = WEIGHTLESS, **each: Any) -> None:
        self.rig = Rig(simulation(robot(letters, **each), world))
        spec = MicrotubSpec(addresses=tuple(range(1, len(letters) + 1)), boot_ms=0.0)
        self.network: MicrotubNetwork = build(spec, self.rig.circuit)
        self.rig.circuit.start()

    def say(self, *frame: Any, to: int) -> None:
        self.network.pc.board.ports[BUS].send(encode(*frame, to=to))

    @property
    def ids(self) -> list[str]:
        found = [each for each in findings(self.rig) if not each.error]
        return ["".join(member.id for member in each.members) for each in found]

    @property
    def alive(self) -> str:
        return "".join("." if n.state is NodeState.OFF else "x" for n in self.network.modules)


def test_a_split_darkens_the_piece_without_the_cable_and_a_join_wakes_it() -> None:
    it = Robot("SRPE", P={"latch": True})
    it.rig.run(1.5)
    assert it.ids == ["srpe"]
    it.say(LLC1.SPT, to=3)
    it.rig.run(2.5)
    assert it.alive == "..xx"
    assert [line.name for line in it.network.sync] == ["sync/S1-R1", "sync/P1-E1"]
    it.say(LLC1.GPS, to=0)
    it.rig.run(2.7)
    it.say(LLC1.GPF, to=0)
    it.say(LLC1.ATT, to=3)
    it.rig.run(6.0)
    assert it.alive == "xxxx"
    assert it.ids[-1] == "srpe", "they say that they have started, and the PC looks again"


def test_a_piece_with_a_battery_stays_awake_alone() -> None:
    it = Robot("BRPE", P={"latch": True})
    it.rig.run(1.5)
    it.say(LLC1.SPT, to=3)
    it.rig.run(2.5)
    assert it.alive == "xxxx"
    it.say(LLC1.MS1, 40, to=2)
    it.rig.run(3.0)
    assert abs(it.rig.angle("R1.yaw")) < 0.05, "no wire leads there any more"


def test_cut_by_force_counts_as_well() -> None:
    it = Robot("SRPE")
    it.rig.run(1.5)
    it.rig.circuit.grid.sync()
    it.rig.sim.cut("R1.back", "P1.front")
    it.rig.run(1.6)
    assert it.alive == "..xx"


def test_a_picture_comes_on_its_own_wires_and_its_number_on_the_bus() -> None:
    pipe = {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 600}]}
    it = Robot("TR", pipe)
    it.rig.run(1.5)
    it.say(LLC2.SIE, EnvironmentInfo.PICTURE, to=1)
    it.rig.run(1.6)
    (frame,) = it.network.pc.board.ports["video-T1"].received.drain()
    received = unpack(frame.data)
    assert received is not None
    number, picture = received
    assert number == 1
    assert picture.shape == it.rig.circuit.nodes["T1"].board.cameras["camera"].picture().shape
    assert np.ptp(picture) > 20, "a pipe is bright near and dark far"


def test_a_picture_survives_the_wire_and_a_spoilt_one_is_none() -> None:
    grey = np.arange(12, dtype=np.uint8).reshape(3, 4)
    number, back = unpack(pack(7, grey)) or (0, grey)
    assert number == 7
    assert (back == grey).all()
    assert unpack(pack(7, grey)[:-1]) is None
    assert unpack(b"\x00") is None
