"""B7: where the nose thinks it is, over pipes of 36 to 200 mm and open air (000 §4.1.5).

T R R lies rolled by chance in a pipe or on open ground and swings its nose as in a gait
(``b07-situation``).  Judged is what the nose's module has told last on the bus.  The paper says
what is to be told apart and gives no rate.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from annelid.kernel import RandomStreams
from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import curves, numbers
from annelid.papers.interval import Rate
from annelid.papers.said import frames
from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.behaviours.surroundings import NARROW
from annelid.systems.microtub.protocol import LLC2
from annelid.trial.replay import Run
from annelid.worlds.pipe_world import Pipe

SCENARIO: Final = "b07-situation"
BORES_MM: Final = (36, 40, 44, 48, 52, 54, 56, 58, 60, 70, 80, 100, 120, 140, 160, 180, 200)
WANTED: Final = 0.95
PIPES, OPEN = 6, 40
"""Repeats in each bore, and on open ground."""
KINDS: Final = (Situation.NARROW_PIPE, Situation.WIDE_PIPE, Situation.OPEN_AIR)


def rolled(seed: int) -> dict[str, Any]:
    roll_deg = RandomStreams(seed)["papers/b07"].uniform(-180, 180)
    return {"robot.roll_deg": round(float(roll_deg), 1)}


def truth(bore_mm: float | None) -> Situation:
    if bore_mm is None:
        return Situation.OPEN_AIR
    return Situation.NARROW_PIPE if bore_mm <= 1000 * NARROW else Situation.WIDE_PIPE


def judge(run: Run) -> bool:
    """Whether what was told last is so."""
    world = run.scenario.world
    told = [
        message.values[0]
        for _, message in frames(run)
        if message.command is LLC2.APO and set(message.values) & set(Situation)
    ]
    return told[-1:] == [truth(world.bore_mm if isinstance(world, Pipe) else None)]


def experiment(bench: Bench) -> Outcome:
    pipes, grounds = (1, 3) if bench.quick else (PIPES, OPEN)
    bores = BORES_MM[::4] if bench.quick else BORES_MM
    cases = {bore: Case(SCENARIO, {"world.bore_mm": bore}, varied=rolled) for bore in bores}
    found = bench.trials(cases, judge, repeats=pipes)
    ground = {"open": Case(SCENARIO, {"world.kind": "open-air"}, varied=rolled)}
    of = {kind: [b for bore in bores if truth(bore) is kind for b in found[bore]] for kind in KINDS}
    of[Situation.OPEN_AIR] = bench.trials(ground, judge, repeats=grounds)["open"]
    rate = {kind: Rate.count(right) for kind, right in of.items()}
    overall = float(np.mean([each.value for each in rate.values()]))
    worst = min(bores, key=lambda bore: np.mean(found[bore]))
    return Outcome(
        ours=(
            f"{100 * overall:.1f} % right: "
            + ", ".join(f"{kind} {each}" for kind, each in rate.items())
        ),
        passed=overall >= WANTED,
        note=(
            f"T R R rolled by any angle; {pipes} robots in each of {len(bores)} bores, {grounds} "
            "on open ground; the three situations count alike.  A pipe is narrow up to "
            f"{1000 * NARROW:.0f} mm (ours); the worst bore is {worst} mm with "
            f"{100 * float(np.mean(found[worst])):.0f} %.  A wall at arm's length beside the nose "
            "looks like a wide pipe to four rays; that is not tried here."
        ),
        values=numbers({str(kind): each for kind, each in rate.items()} | {"overall": overall}),
        plots=(
            curves(
                "Situation awareness over the bore",
                "bore, mm",
                "right, %",
                {"measured": [(bore, 100 * float(np.mean(found[bore]))) for bore in bores]},
            ),
        ),
    )
