"""C1-C3: caterpillar, sidewinder and rolling track of eight modules (002 §5).

002 gives speeds, and neither the time of a cycle nor the motors; it says that the motors and the
supply are what limits them.  So two machines are measured:

- *strong*: servos that follow their way-points, which is what the scenarios have.  The ways in a
  cycle are then geometry, 14.6, 27 and 40 cm, in the ratios 1 : 1.85 : 2.75 at every T.  No wave of
  the track changes that: with d = 2T/N it rolls N/2 modules a cycle whatever its amplitude and
  harmonics, with d = T/N (LAB) N modules and 1 : 1.85 : 5.5; friction from 0.1 to 1 changes
  nothing, as none of them slips.
- *limited*: servos that lag.  Chains then undulate less and get less far, while a track that turns
  over at all still rolls its four modules: the ratios come near the printed ones.  Torque and speed
  of the servo are fitted; the cycle is the one in which four modules are 0.50 km/h.

What the fit was not made with is predicted: chains of 5 and 12, a track of 6.  The fitted servo is
too weak to turn a track of ten over; what torque it would take, at the same speed, is looked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import degrees, pi
from types import MappingProxyType
from typing import Any, Final

from annelid.modules.servos import CONRO_FED
from annelid.motion.roles import ROLES, STEPS
from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.conro_bodies import loop
from annelid.papers.cycles import cycle_s, path, per_cycle
from annelid.papers.interval import Interval
from annelid.trial.replay import Run

PRINTED: Final[Mapping[str, float]] = MappingProxyType(
    {"caterpillar": 0.13, "sidewinder": 0.24, "rolling-track": 0.50}
)
"""km/h (002 §5.1-5.3)."""
SCENARIOS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "caterpillar": "c01-caterpillar",
        "sidewinder": "c02-sidewinder",
        "rolling-track": "c03-rolling-track",
    }
)
MODULES: Final = 8


@dataclass(frozen=True)
class Machine:
    servo: str | Mapping[str, Any]
    """As a scenario has it: a name, or what a datasheet says."""
    step_ms: float
    """Between two way-points."""

    @property
    def cycle_s(self) -> float:
        return STEPS * self.step_ms / 1000


def _torque(share: float) -> dict[str, Any]:
    """The fitted servo with so much of its torque, at the same speed."""
    fed = CONRO_FED
    return {
        "voltage": fed.voltage,
        "stall_torque": fed.stall_torque * share,
        "no_load_speed": fed.no_load_speed,
    }


MACHINES: Final[Mapping[str, Machine]] = MappingProxyType(
    {
        "limited": Machine("conro-as-fed", 16.0),
        "strong": Machine("conro", 22.0),
        "10 % more torque": Machine(_torque(1.1), 16.0),
        "10 % less torque": Machine(_torque(0.9), 16.0),
    }
)
"""The strong one's cycle gives the caterpillar its printed speed; the last two tell how much hangs
on the fit."""

REPEATS: Final = 5
SETTLE, CYCLES = 3, 8
"""Cycles to fall into step (the track needs two to elect), and cycles measured."""

UNFITTED: Final = (("caterpillar", 5), ("caterpillar", 12), ("sidewinder", 5), ("sidewinder", 12))
TRACKS: Final = (6, 10)
STRONGER: Final = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5)
"""Times the fitted torque, for the track of ten."""
TURNS: Final = 0.9
"""Of N/2 modules a cycle, from which on a track rolls."""
LENGTH_CM: Final = 10.0

NEAR = 0.15
"""How far a ratio may be off: the paper prints two digits and names no cycle."""


@dataclass(frozen=True)
class Way:
    cm: float
    """In a cycle."""
    path: tuple[tuple[float, float], ...]


def case(
    role: str,
    name: str,
    *,
    modules: int = MODULES,
    torque: float = 1.0,
    cycles: int = CYCLES,
    fine: bool = False,
) -> Case:
    """The files have the limited machine and eight modules; others are set here."""
    machine = MACHINES[name] if torque == 1.0 else Machine(_torque(torque), 16.0)
    body = loop(modules) if role == "rolling-track" else {"robot.chain": "C" * modules}
    fields: dict[str, Any] = {
        **(body if modules != MODULES else {}),
        "duration_s": (SETTLE + cycles) * machine.cycle_s,
        "control.options.step_ms": machine.step_ms,
        "robot.each.C.servo": machine.servo,
    }
    if fine:
        fields |= {"physics.timestep_ms": 0.5, "physics.servo": "dcmotor"}
    return Case(SCENARIOS[role], fields)


def judge(run: Run) -> Way:
    """Where the centre is on the floor, once a cycle."""
    way = path(run, SETTLE, round(run.scenario.duration_s / cycle_s(run)))
    return Way(100 * per_cycle(way), tuple((float(x), float(y)) for x, y in way - way[0]))


def asked_deg_s(role: str, machine: Machine) -> float:
    """The fastest turn that the way-points of a role ask of a servo."""
    swings = ROLES[role](MODULES, STEPS).motion.values()
    return degrees(max(abs(swing.amplitude) for swing in swings)) * 2 * pi / machine.cycle_s


def ratios(speeds: Mapping[str, float]) -> list[float]:
    return [speed / speeds["caterpillar"] for speed in speeds.values()]


def predicted(bench: Bench, *, repeats: int, cycles: int) -> tuple[dict[str, float], str]:
    """cm in a cycle of bodies that were not fitted to, and what servo a track of ten needs."""
    asked = UNFITTED[:1] if bench.quick else (*UNFITTED, ("rolling-track", TRACKS[0]))
    cases = {(role, n): case(role, "limited", modules=n, cycles=cycles) for role, n in asked}
    found = bench.trials(cases, judge, repeats=repeats)
    ways = {key: Interval.mean([way.cm for way in some]) for key, some in found.items()}
    values = {f"predicted_{role}_of_{n}_cm_per_cycle": w.value for (role, n), w in ways.items()}
    told = ", ".join(f"{role} of {n} {way.told(1)} cm" for (role, n), way in ways.items())
    if bench.quick:
        return values, told
    half = TRACKS[1] / 2 * LENGTH_CM
    tens = {
        times: case("rolling-track", "limited", modules=TRACKS[1], torque=times, cycles=cycles)
        for times in STRONGER
    }
    rolled = bench.trials(tens, judge, repeats=repeats)
    share = {times: min(way.cm for way in some) / half for times, some in rolled.items()}
    values |= {f"track_of_ten_share_at_{times:g}_torque": each for times, each in share.items()}
    enough = [times for times in STRONGER if share[times] >= TURNS]
    needs = (
        f"{enough[0] * CONRO_FED.stall_torque:.2f} N·m ({enough[0]:g} times the fitted torque)"
        if enough
        else f"more than {STRONGER[-1] * CONRO_FED.stall_torque:.2f} N·m"
    )
    return values, f"{told}; a track of ten needs {needs}"


def experiment(bench: Bench) -> Outcome:
    repeats = 1 if bench.quick else REPEATS
    cycles = 3 if bench.quick else CYCLES
    machines = list(MACHINES)[: 2 if bench.quick else None]
    cases = {(name, role): case(role, name, cycles=cycles) for name in machines for role in PRINTED}
    found = bench.trials(cases, judge, repeats=repeats)
    values: dict[str, float] = {}
    told_ways = []
    for (name, role), ways in found.items():
        machine = MACHINES[name]
        way = Interval.mean([each.cm for each in ways])
        if name == "limited":
            told_ways.append(way.told(1))
        values |= {
            f"{name}_{role}_cm_per_cycle": way.value,
            f"{name}_{role}_cm_per_cycle_half_interval": way.half,
            f"{name}_{role}_cm_per_cycle_least": min(each.cm for each in ways),
            f"{name}_{role}_km_h": way.value / machine.cycle_s * 0.036,
            f"{name}_{role}_asked_deg_s": asked_deg_s(role, machine),
            f"{role}_printed_km_h": PRINTED[role],
        }
    if not bench.quick:
        fine = {role: case(role, "limited", fine=True) for role in PRINTED}
        for role, (once,) in bench.trials(fine, judge).items():
            values[f"limited_{role}_cm_per_cycle_at_0.5_ms"] = once.cm
    more, told_more = predicted(bench, repeats=repeats, cycles=cycles)
    values |= more
    speeds = {name: {role: values[f"{name}_{role}_km_h"] for role in PRINTED} for name in machines}
    ours = speeds["limited"]
    wanted = ratios(PRINTED)
    near = all(abs(r / w - 1) <= NEAR for r, w in zip(ratios(ours), wanted, strict=True))
    told = {
        name: " : ".join(f"{ratio:.2f}" for ratio in ratios(each)) for name, each in speeds.items()
    }
    limited, strong = MACHINES["limited"], MACHINES["strong"]
    asked = [values[f"limited_{role}_asked_deg_s"] for role in PRINTED]
    return Outcome(
        ours=(
            "km/h: "
            + ", ".join(f"{speed:.2f}" for speed in ours.values())
            + "; cm a cycle: "
            + ", ".join(told_ways)
        ),
        passed=max(ours, key=lambda role: ours[role]) == "rolling-track" and near,
        note=(
            f"{MODULES} modules, {repeats} robots each, one cycle of {limited.cycle_s:.2f} s.  "
            f"Ratios {told['limited']} against 1 : 1.85 : 3.85, with the servo as the limit that "
            f"002 says it was: {CONRO_FED.stall_torque:.2f} N·m and "
            f"{degrees(CONRO_FED.no_load_speed):.0f}°/s, fitted; the way-points ask "
            f"{min(asked):.0f}-{max(asked):.0f}°/s of it.  Servos that follow them give "
            f"{told['strong']} at any T ({strong.cycle_s:.2f} s: "
            + ", ".join(f"{speed:.2f}" for speed in speeds["strong"].values())
            + " km/h), whatever the track's wave: it rolls four modules a cycle"
            + "".join(f".  {name}: {told[name]}" for name in machines[2:])
            + f".  Predicted with the fit, in a cycle: {told_more}"
        ),
        values=values,
        plots=(
            Figure(
                "Way of the centre, a point a cycle",
                "x (m)",
                "y (m)",
                tuple(
                    Series.of(
                        f"{role}, {name}",
                        *zip(*found[name, role][0].path, strict=True),
                    )
                    for name in machines[:2]
                    for role in PRINTED
                ),
            ),
        ),
    )
