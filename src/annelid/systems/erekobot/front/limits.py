"""What limits the number of modules: the line's delay, the addresses, the current.

Times follow from bytes at 9600 baud and the work of a module (004 eq 1, FACTS §5).  Currents are
measured: a chain of that number crawls, on a supply that does not give way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from annelid.electronics.power import PowerSpec
from annelid.electronics.supply import TetherSupply
from annelid.systems.erekobot.packets import BROADCAST, CONFIGURATION, STANDARD
from annelid.systems.erekobot.relay import LOOK_AHEAD
from annelid.systems.erekobot.spec import ErekobotSpec
from annelid.trial.load import load
from annelid.trial.replay import Run
from annelid.trial.run import Trial

BYTE_MS: Final = 10 / 9.6
"""Ten bits at 9600 baud."""
ADDRESSES: Final = BROADCAST - 1
"""0 is the host, 255 are all."""
SCENARIO: Final = "erekobot"
SECONDS: Final = 4.0
STIFF: Final = 1e-4
"""Ohm a metre of a cable that does not give way."""
IN_A_WAVE: Final = 6
"""Modules in one wave of the gait, in chains of any length."""


@dataclass(frozen=True)
class Limits:
    """Of a chain of so many modules; times in ms, currents in A."""

    modules: int
    line_ms: float
    """From a command's first bit to the servo of the last module, passing on while receiving."""
    stored_ms: float
    """The same with modules that store a packet before they pass it on."""
    bus_ms: float
    ring_ms: float
    """From the host to the host: 004's eq 1."""
    state_ms: float
    """The shortest time state of the First Profile: an angle for each module has to leave."""
    set_up_s: float
    """Of the Third Profile, once."""
    mean_a: float
    peak_a: float
    """Of a tenth of a second."""

    @property
    def cable_ohm(self) -> float:
        """The most that a cable may have, so that no board browns out."""
        return (TetherSupply().volts - PowerSpec().brown_out_v) / self.peak_a

    @property
    def enough(self) -> bool:
        """Whether the cable of a scenario that says nothing suffices."""
        usual = TetherSupply()
        return usual.length_m * usual.ohm_per_m <= self.cable_ohm


def fields(modules: int) -> dict[str, Any]:
    """A crawling chain of so many, on a supply that suffices."""
    return {
        "robot.chain": "K" * modules,
        "duration_s": SECONDS,
        "control.options.beyond_paper": True,
        "control.options.gait": {"alpha_deg": 30, "waves": 1, "segments": IN_A_WAVE},
        "power.supply.ohm_per_m": STIFF,
    }


def limits(modules: int, *, spec: ErekobotSpec = ErekobotSpec()) -> Limits:  # noqa: B008
    """Measured in one run of :data:`SECONDS`."""
    with TemporaryDirectory(prefix="annelid-") as folder:
        trial = Trial(load(SCENARIO, overrides=fields(modules)))
        run = Run(trial.run(Path(folder) / "run").folder)
        current = run["power"]["current"]
        mean_a, peak_a = float(current.mean()), float(current.max())
    packet_ms, work_ms = STANDARD.size * BYTE_MS, spec.processing_ms
    hop_ms, here_ms = LOOK_AHEAD * BYTE_MS + work_ms, packet_ms + work_ms
    announced = STANDARD.size + CONFIGURATION.size
    return Limits(
        modules=modules,
        line_ms=(modules - 1) * hop_ms + here_ms,
        stored_ms=modules * here_ms,
        bus_ms=here_ms,
        ring_ms=modules * hop_ms + packet_ms + spec.host_ms,
        state_ms=modules * packet_ms,
        set_up_s=modules * announced * BYTE_MS / 1000,
        mean_a=mean_a,
        peak_a=peak_a,
    )


HEADS: Final = (
    "modules",
    "command at the last: line, stored, bus (ms)",
    "round a ring (ms)",
    "shortest time state of Profile 1 (ms)",
    "set-up of Profile 3 (s)",
    "addresses left",
    "current: mean, peak (A)",
    "cable at most (Ω)",
    "5 m of 0.25 mm²",
)


def table(numbers: Iterable[int]) -> Iterator[str]:
    """Line by line, as it is measured."""
    yield "| " + " | ".join(HEADS) + " |"
    yield "|" + "---|" * len(HEADS)
    for number in numbers:
        found = limits(number)
        cells = (
            str(found.modules),
            f"{found.line_ms:.0f}, {found.stored_ms:.0f}, {found.bus_ms:.0f}",
            f"{found.ring_ms:.0f}",
            f"{found.state_ms:.0f}",
            f"{found.set_up_s:.2f}",
            str(ADDRESSES - found.modules),
            f"{found.mean_a:.1f}, {found.peak_a:.1f}",
            f"{found.cable_ohm:.2f}",
            "enough" if found.enough else "boards go off",
        )
        yield "| " + " | ".join(cells) + " |"
