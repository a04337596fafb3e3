"""B18 on boards: chains of drives and controlled joints, told EXP, in the two bends of the search.

In the search all rotation modules are limp and all drives push.  Here every module has its board,
the central control explores, and joints are told angles where it finds them of use.  The robots are
drawn from the default tolerances.  The best chain is the one that goes furthest, as in the search.

Not all 256 chains are run.  A chain with a rigid piece that is too long for the bend cannot pass,
however it is steered (``worlds/passing.py``).  Of those that fit, all with the most drives are run;
if none of them passes, all with one drive less, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, Final, NamedTuple

from annelid.modules import shelf
from annelid.papers.bench import Bench
from annelid.papers.case import Case
from annelid.papers.interval import Interval
from annelid.robot import assemble, chain
from annelid.robot.hauling import Hauling, Piece
from annelid.trial.load import load, resolve
from annelid.trial.replay import Run
from annelid.worlds.passing import passes

SCENARIO: Final = "b18-elbow"
MODULES: Final = 8
"""Behind the touch module: each is rotation or drive."""
BENDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "rising": {},
    "level": {
        "world.parts.1.radius_mm": 60,
        "world.parts.1.roll_deg": 0,
        "duration_s": 42,
    },
}
"""On the level 25 s are too short for a slow chain to pass."""
REPEATS: Final = 3


class Went(NamedTuple):
    passed: bool
    """The tail was out of the bend at some time."""
    way_m: float
    """Of the nose, at the end."""


def case(letters: str, bend: str, **fields: Any) -> Case:
    """Chains differ in length: each has its own place where its tail is out of the bend."""
    own = {"robot.chain": letters, **BENDS[bend]}
    scenario = load(SCENARIO, overrides=own)
    robot, world = resolve(scenario)
    straight = float(scenario.model_dump()["world"]["parts"][-1]["length_mm"]) / 1000
    out = (world.goal or 0.0) - straight + robot.length
    return Case(SCENARIO, {**own, "success.progress_m": round(out, 4), **fields})


def judge(run: Run) -> Went:
    return Went(run.metrics.time_to_goal_s is not None, run.metrics.progress_m)


@cache
def fitting(bend: str) -> list[list[str]]:
    """Chains whose rigid pieces all get round the bend: those with the most drives, those with one
    less, and so on, down to one."""
    robot, world = resolve(load(SCENARIO, overrides=BENDS[bend]))
    network = world.scenery(robot.length).tubes
    bends = () if network is None else tuple(tube for tube in network.tubes if tube.bent)
    known: dict[Piece, bool] = {}
    fit: dict[int, list[str]] = {}
    for rest in product("HR", repeat=MODULES):
        letters = "T" + "".join(rest)
        modules = assemble(chain(letters), shelf()).modules
        for piece in Hauling.of([module.type for module in modules]).pieces:
            if piece.alone not in known:
                known[piece.alone] = network is not None and all(
                    passes(network, tube, piece) for tube in bends
                )
            if not known[piece.alone]:
                break
        else:
            fit.setdefault(letters.count("H"), []).append(letters)
    return [fit[drives] for drives in sorted(fit, reverse=True) if drives]


@dataclass(frozen=True)
class OnBoards:
    """What chains did in one bend."""

    bend: str
    runs: Mapping[str, Sequence[Went]]

    def passes(self, letters: str) -> bool:
        """With every robot."""
        return all(went.passed for went in self.runs[letters])

    def way(self, letters: str) -> Interval:
        return Interval.mean([went.way_m for went in self.runs[letters]])

    @property
    def order(self) -> list[str]:
        """The one that goes furthest first."""
        return sorted(self.runs, key=lambda letters: -self.way(letters).value)

    @property
    def most(self) -> int:
        """Drives of the chain with the most of them that passes; 0: none passes."""
        return max((each.count("H") for each in self.runs if self.passes(each)), default=0)

    @property
    def rival(self) -> str:
        """Of the chains with the most drives that pass, the one that goes furthest; the best of
        all where none passes."""
        return next((each for each in self.order if each.count("H") == self.most), self.order[0])

    @property
    def verdict(self) -> str:
        """Whether the best has the most drives that still pass, as far as these robots can tell."""
        best, rival = self.order[0], self.rival
        if not self.most:
            return "none passes"
        if best == rival:
            second = next((each for each in self.order if each.count("H") < self.most), best)
            alone = second == best or self.further(best, second)
            return "holds" if alone else f"{second} ({second.count('H')} H) is as good"
        apart = self.further(best, rival)
        return "does not hold" if apart else f"{rival} ({self.most} H) is as good"

    def further(self, one: str, other: str) -> bool:
        """Whether it is more than chance: a robot and its repeat with the other chain have the same
        seed, so their differences are compared."""
        pairs = zip(self.runs[one], self.runs[other], strict=True)
        lead = Interval.mean([mine.way_m - its.way_m for mine, its in pairs])
        return lead.low > 0

    def told(self, paper: str) -> str:
        best = self.order[0]
        less = self.way(paper).value / self.way(best).value - 1
        beside = "" if paper == best else f", {paper} {less:+.1%}"
        return (
            f"{self.bend} {best} ({best.count('H')} H){beside}, most H that pass: {self.most} "
            f"({self.verdict})"
        )


def on_boards(bench: Bench, bend: str, likely: Iterable[str]) -> OnBoards:
    """Run the likely chains, and from the most drives that fit down until a chain passes."""
    repeats = 1 if bench.quick else REPEATS
    fields = {"duration_s": 3.0} if bench.quick else {}
    rounds = [list(likely), *([] if bench.quick else fitting(bend))]
    found = OnBoards(bend, {})
    for letters in rounds:
        if found.most > max(each.count("H") for each in letters):
            break
        todo = {
            f"{bend} {each}": case(each, bend, **fields)
            for each in letters
            if each not in found.runs
        }
        if todo:
            ran = bench.trials(todo, judge, repeats=repeats)
            runs = {key.split()[1]: each for key, each in ran.items()}
            found = OnBoards(bend, {**found.runs, **runs})
    return found
