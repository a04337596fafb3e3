"""Draws robots, worlds, commands and faults that nobody tuned anything for.

``stranger(seed)`` is a whole scenario as plain data: a chain of 1 to 9 modules, a pipe or open
ground, what the operator says, and in half of them something that breaks.  What it may be:

=========  ==================================================================================
chain      a survey robot, a snake, an inchworm, pushers, or any modules of the shelf
world      open ground, or a pipe of 38.5 to 50 mm that rises by up to 12°, with up to two
           elbows (30 to 90°, radius 50 to 110 mm, in any plane) or tees and crosses (35 to
           90°, at any clock angle), open or capped, whole or with a hole
commands   one of EXP, RPL and DO after two seconds, questions and further commands later
faults     a servo weak, limp or stuck, a dead board, a dead sensor, a cut sync line; in a
           quarter, instead: RST, a PC that dies, starts anew or hangs, an empty battery
=========  ==================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

DURATION_S: Final = 70.0

FIRST: Final = (
    *("EXP",) * 4,
    "RPL home", "RPL end", "RPL forward 300", "RPL back 50", "RPL touch", "RPL corner",
    "RPL bifurcation", "RPL 0 200 0 0", "RPL up 50", "RPL pipe", "RPL landmark",
    "DO repair", "DO hole",
)  # fmt: skip
LATER: Final = (
    *("SIR average", "SIR peaks", "SIR modules", "SIR orientation", "SIR distance"),
    *("SIR batteries", "SIE temperature", "SIE humidity", "STP", "RPL home", "EXP"),
)
LATER_S: Final = (20.0, 35.0, 50.0)

SURVEYS: Final = ("TRRHRRVP", "TRRHV", "TRRHRRP", "TRHRRHVP", "TRRHRRVB")
WORMS: Final = ("SES", "TSESV", "TRSESRV", "SEES", "RSESRV")
SHELF: Final = "TRRRHSEVPNBG"
FAULTS: Final = ("weak servo", "limp servo", "stuck servo", "dead board", "dead sensor", "cut line")
SERVOS: Final = {"R": ("yaw", "pitch"), "S": ("grip",), "E": ("extend",), "H": ("drive",)}

CROSSES: Final = 0.3
"""Share of the branches that have another one across."""

TROUBLED: Final = 0.25
"""Share in which something happens to the central control or to the power."""
TROUBLES: Final = ("RST", "dead PC", "PC starts anew", "PC hangs", "low battery")

Fields = dict[str, Any]


def stranger(seed: int) -> Fields:
    """A scenario, the same for the same seed."""
    draw = np.random.default_rng(seed)
    kind, chain = _chain(draw)
    world = _crossed(_world(draw), np.random.default_rng([seed, 1]))
    says = [{"at_s": 2.0, "say": str(draw.choice(FIRST))}]
    says += [
        {"at_s": at_s, "say": str(draw.choice(LATER))} for at_s in LATER_S if draw.random() < 0.4
    ]
    fault = _fault(draw, chain) if draw.random() < 0.5 else None
    fields: Fields = {
        "name": f"stranger-{seed}",
        "about": f"A robot that nobody tuned for: {kind}; {says[0]['say']}.",
        "seed": seed,
        "duration_s": DURATION_S,
        "robot": {"chain": chain},
        "world": world,
        "physics": {"timestep_ms": 1.0},
        "tolerances": {"draw": True},
        "record": {"rate_hz": 10},
        "control": {
            "system": "microtub",
            "options": {
                "operator": says,
                "bifurcations": str(draw.choice(("run", "branch", "both"))),
            },
        },
        "faults": [] if fault is None else [fault],
    }
    rare = np.random.default_rng([seed, 2])
    return _troubled(fields, rare) if rare.random() < TROUBLED else fields


def _chain(draw: np.random.Generator) -> tuple[str, str]:
    """What sort of robot, and its letters."""
    kind = str(draw.choice(("survey", "snake", "worm", "pushers", "anything")))
    if kind == "survey":
        return kind, str(draw.choice(SURVEYS))
    if kind == "worm":
        return kind, str(draw.choice(WORMS))
    if kind == "snake":
        nose, tail = ("T" if draw.random() < 0.7 else ""), ("V" if draw.random() < 0.4 else "")
        return kind, nose + "R" * int(draw.integers(4, 8)) + tail
    if kind == "pushers":
        return kind, "T" + "".join(draw.choice(list("RH"), int(draw.integers(2, 7)))) + "V"
    return kind, "".join(draw.choice(list(SHELF), int(draw.integers(1, 10))))


def _world(draw: np.random.Generator) -> Fields:
    if draw.random() < 0.25:
        return {"kind": "open-air"}
    parts: list[Fields] = [_straight(draw)]
    for _ in range(int(draw.integers(0, 3))):
        parts += [_fitting(draw), _straight(draw)]
    if draw.random() < 0.4:
        parts.append({"part": "cap"})
    slope = float(draw.uniform(0, 12)) if draw.random() < 0.3 else 0.0
    world: Fields = {"kind": "pipe", "bore_mm": float(draw.uniform(38.5, 50)), "parts": parts}
    world |= {"slope_deg": slope, "launch": "closed" if slope else "open"}
    if draw.random() < 0.4:
        along, clock = float(draw.uniform(40, 110)), float(draw.uniform(0, 360))
        world["breaks"] = [{"part": "straight1", "along_mm": along, "clock_deg": clock}]
    return world


def _crossed(world: Fields, rare: np.random.Generator) -> Fields:
    """Some tees are crosses; ``rare`` draws which, so that all else stays as it is."""
    for part in world.get("parts", ()):
        if part["part"] == "tee" and rare.random() < CROSSES:
            part["part"] = "cross"
    return world


def _troubled(fields: Fields, rare: np.random.Generator) -> Fields:
    """In the place of its fault; ``rare`` draws what, so that all else stays as it is."""
    what, at_s, lasts_s = str(rare.choice(TROUBLES)), float(rare.uniform(3, 45)), rare.uniform(1, 8)
    fields["faults"] = []
    options = fields["control"]["options"]
    if what == "RST":
        options["operator"] = [*options["operator"], {"at_s": at_s, "say": "RST"}]
    elif what == "low battery":
        fields["robot"] = {"chain": fields["robot"]["chain"] + "B"}
        fields["power"] = {"supply": {"kind": "battery"}}
        options["tether"] = False
        fields["faults"] = [{"fault": "low_battery", "charge": 0.04, "at_s": at_s}]
    else:
        fault: Fields = {"fault": "hung_program" if what == "PC hangs" else "dead_board"}
        until = {} if what == "dead PC" else {"until_s": at_s + float(lasts_s)}
        fields["faults"] = [{**fault, "board": "PC", "at_s": at_s, **until}]
    return fields


def _straight(draw: np.random.Generator) -> Fields:
    return {"part": "straight", "length_mm": float(draw.uniform(150, 350))}


def _fitting(draw: np.random.Generator) -> Fields:
    roll = float(draw.choice((0.0, 180.0, draw.uniform(0, 360))))
    if draw.random() < 0.7:
        angle, radius = float(draw.uniform(30, 90)), float(draw.uniform(50, 110))
        return {"part": "elbow", "angle_deg": angle, "radius_mm": radius, "roll_deg": roll}
    angle = float(draw.uniform(35, 90))
    legs = {"run_mm": 200.0, "branch_mm": 150.0, "branch_angle_deg": angle}
    return {"part": "tee", "roll_deg": roll, **legs}


def _fault(draw: np.random.Generator, chain: str) -> Fields | None:
    """Of something that this chain has; None where it has nothing of the kind."""
    what, at_s = str(draw.choice(FAULTS)), float(draw.uniform(3, 40))
    names = _names(chain)
    if what == "dead board":
        return {"fault": "dead_board", "board": str(draw.choice(names)), "at_s": at_s}
    if what == "cut line":
        if len(names) < 2:
            return None
        place = int(draw.integers(len(names) - 1))
        line = f"sync/{names[place]}-{names[place + 1]}"
        return {"fault": "cut_link", "link": line, "at_s": at_s}
    if what == "dead sensor":
        noses = [name for name in names if name.startswith("T")]
        sensors = [f"{name}.infrared_left" for name in noses]
        return {"fault": "dead_sensor", "sensor": sensors[0], "at_s": at_s} if sensors else None
    servos = [f"{name}.{each}" for name in names for each in SERVOS.get(name[0], ())]
    if not servos:
        return None
    fault: Fields = {"fault": what.replace(" ", "_"), "servo": str(draw.choice(servos))}
    if what == "weak servo":
        fault["factor"] = float(draw.choice((0.01, 0.3)))
    return {**fault, "at_s": at_s}


def _names(chain: str) -> Sequence[str]:
    """Of the modules: R1, R2 …"""
    counts: dict[str, int] = {}
    names = []
    for letter in chain:
        counts[letter] = counts.get(letter, 0) + 1
        names.append(f"{letter}{counts[letter]}")
    return names
