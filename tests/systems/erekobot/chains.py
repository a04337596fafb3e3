"""A chain of ErekoBots with its host on a simulated line, ready to run."""

from __future__ import annotations

from typing import Any

from tests.electronics.circuits import Rig
from tests.rigs import simulation

from annelid.electronics.board import Board, Firmware
from annelid.electronics.port import BytePort
from annelid.kernel import Program
from annelid.systems.erekobot.network import ErekobotNetwork, build
from annelid.systems.erekobot.packets import Packet, encode
from annelid.systems.erekobot.spec import ErekobotSpec

QUICK: dict[str, Any] = {
    "period": 16,
    "interval_ms": 100,
    "gait": {"segments": 6, "waves": 1, "alpha_deg": 30},
}
"""A gait that crawls well within a few seconds."""


def network(
    modules: int, *, host: Firmware | None = None, seed: int = 0, **spec: Any
) -> tuple[Rig, ErekobotNetwork]:
    """Built and switched on; the physics is the coarse one, which is enough for crawling."""
    sim = simulation(
        "K" * modules,
        {"kind": "open-air"},
        seed=seed,
        jitter=0.01,
        timestep_ms=2,
        servo="quasi-static",
    )
    rig = Rig(sim)
    made = build(ErekobotSpec.parse(spec, where="control"), rig.circuit, host_firmware=host)
    rig.circuit.start()
    return rig, made


def saying(*sayings: tuple[float, Packet | bytes]) -> Firmware:
    """A host that says this, each at its time (s)."""

    def program(board: Board) -> Program:
        port: BytePort = board.ports["serial"]
        for at_s, what in sayings:
            yield board.until(round(at_s * 1e9))
            port.send(what if isinstance(what, bytes) else encode(what))

    return program


def pulses(rig: Rig, module: str) -> list[int]:
    """Every pulse width that a module gave its servo."""
    return [
        detail["pwm"]
        for _, source, kind, detail in rig.events
        if source == module and kind == "servo"
    ]


def refusals(rig: Rig, module: str) -> list[tuple[str, object]]:
    return [
        (detail["what"], detail["got"])
        for _, source, kind, detail in rig.events
        if source == module and kind == "refused"
    ]
