"""B7: where the nose thinks it is, over pipes of 36 to 200 mm and open air (000 §4.1.5).

T R R lies rolled by chance in a pipe or on open ground and swings its nose as in a gait
(``b07-situation``).  Judged is what the nose's module has told last on the bus.  The paper says
what is to be told apart and gives no rate.  Ours is asked of each of the three situations: in the
mean of them one that is known everywhere would make up for one that is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Looks:
    """How many were right."""

    kinds: Mapping[Situation, Rate]
    bores: Mapping[int, Rate]
    """By their width, mm."""

    @property
    def overall(self) -> Rate:
        """Of all looks, pipes and open air."""
        each = self.kinds.values()
        return Rate.share(sum(rate.good for rate in each), sum(rate.of for rate in each))

    @property
    def passed(self) -> bool:
        return all(rate.value >= WANTED for rate in self.kinds.values())

    def __str__(self) -> str:
        worst = min(self.bores, key=lambda bore: self.bores[bore].value)
        kinds = ", ".join(f"{kind} {rate}" for kind, rate in self.kinds.items())
        return (
            f"{self.overall} looks right: {kinds}; the worst bore is {worst} mm: "
            f"{self.bores[worst]}"
        )


def experiment(bench: Bench) -> Outcome:
    pipes, grounds = (1, 3) if bench.quick else (PIPES, OPEN)
    bores = BORES_MM[::4] if bench.quick else BORES_MM
    cases = {bore: Case(SCENARIO, {"world.bore_mm": bore}, varied=rolled) for bore in bores}
    found = bench.trials(cases, judge, repeats=pipes)
    ground = {"open": Case(SCENARIO, {"world.kind": "open-air"}, varied=rolled)}
    of = {kind: [b for bore in bores if truth(bore) is kind for b in found[bore]] for kind in KINDS}
    of[Situation.OPEN_AIR] = bench.trials(ground, judge, repeats=grounds)["open"]
    rate = {kind: Rate.count(right) for kind, right in of.items()}
    told = Looks(rate, {bore: Rate.count(right) for bore, right in found.items()})
    return Outcome(
        ours=str(told),
        passed=told.passed,
        note=(
            f"T R R rolled by any angle; {pipes} robots in each of {len(bores)} bores, {grounds} "
            f"on open ground.  Asked for: {WANTED:.0%} of the looks right in each of the three "
            "situations; intervals of 95 % are printed and not asked.  A pipe is narrow up to "
            f"{1000 * NARROW:.0f} mm (ours).  A wall at arm's length beside the nose looks like a "
            "wide pipe to four rays; that is not tried here."
        ),
        values=numbers(
            {str(kind): each for kind, each in rate.items()}
            | {"overall": told.overall}
            | {f"{bore} mm": each.value for bore, each in told.bores.items()}
        ),
        plots=(
            curves(
                "Situation awareness over the bore",
                "bore, mm",
                "right, %",
                {"measured": [(bore, 100 * float(np.mean(found[bore]))) for bore in bores]},
            ),
        ),
    )
