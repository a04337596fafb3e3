"""Searches the chain that explores given pipes with the fewest modules.

Length by length: what cannot work is left out (``designs``), the most promising of the rest race on
the same networks, until one reaches the wanted rate.  Every finished run is a line of
``runs.jsonl`` at once; the same command goes on from there.

Designs are tried on the same networks in the same order, in rounds that double (3, 6, 12 …).  One
whose 95 % interval lies below the wanted rate is out; one whose interval lies above has won: a
loser is stopped as soon as it is known.  What comes next follows from the results so far, so a race
that was killed goes on as if it had not been.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, Literal

from annelid.boundary.files import writing
from annelid.errors import AnnelidError, InputError
from annelid.modules import shelf
from annelid.systems.microtub.designs import Design, Sieve, Sieved, chosen, levels
from annelid.systems.microtub.front.networks import Explored, explored
from annelid.systems.microtub.networks import exploring
from annelid.systems.microtub.prices import Prices
from annelid.trial.lock import LOCK, locked
from annelid.trial.pool import Pool
from annelid.trial.rows import read_rows
from annelid.trial.summary import wilson
from annelid.worlds import parse_world, worlds
from annelid.worlds.pipe_network import DrawnPipes
from annelid.worlds.pipe_world import Pipe

FIRST: Final = 3
"""Runs of the first round: of three failures the interval ends at 56 %."""

Verdict = Literal["yes", "in these runs", "unclear", "no"]
"""Whether the wanted rate is reached: surely, by the rate alone, maybe, surely not."""


def verdict(done: Sequence[bool], wanted: float) -> Verdict:
    """By Wilson's interval of 95 %."""
    if not done:
        return "unclear"
    low, high = wilson(sum(done), len(done))
    if low >= wanted:
        return "yes"
    if high < wanted:
        return "no"
    return "in these runs" if sum(done) >= wanted * len(done) else "unclear"


def decided(done: Sequence[bool], *, wanted: float, runs: int) -> bool:
    return len(done) >= runs or verdict(done, wanted) in ("yes", "no")


def rounds(runs: int) -> Iterator[int]:
    """How many runs a design has had after each round."""
    total = FIRST
    while total < runs:
        yield total
        total *= 2
    yield runs


def next_runs(
    results: Mapping[str, Sequence[bool]], *, wanted: float, runs: int
) -> list[tuple[str, int]]:
    """(design, number of the run) of the next round; none: the race is over."""
    open_ = {
        name: len(done)
        for name, done in results.items()
        if not decided(done, wanted=wanted, runs=runs)
    }
    if not open_:
        return []
    target = next(total for total in rounds(runs) if total > min(open_.values()))
    return [(name, k) for name, begun in open_.items() for k in range(begun, target)]


RUNS: Final = "runs.jsonl"
ROW: Final = {"design", "run", "error", "explored"}
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Question:
    """What a user asks."""

    name: str
    world: dict[str, Any]
    wanted: float = 0.8
    runs: int = 20
    seed: int = 0
    letters: str = "TRHV"
    longest: int = 8
    candidates: int = 4
    """Designs of each length that are simulated."""
    chains: tuple[str, ...] = ()
    """Compare these, and search no others."""
    settings: tuple[tuple[tuple[str, Any], ...], ...] = ((),)
    """Parameters that every chain is tried with, each in its turn."""

    def pipes(self, run: int) -> dict[str, Any]:
        """The world of a run: another network, or the same with another robot."""
        if self.drawn:
            return {**self.world, "number": self.seed + run}
        return self.world

    @cached_property
    def drawn(self) -> bool:
        return isinstance(parse_world(self.world, worlds(), where=self.name), DrawnPipes)

    @cached_property
    def networks(self) -> list[Pipe]:
        """Of all runs; a single one where they do not differ."""
        found = []
        for run in range(self.runs if self.drawn else 1):
            world = parse_world(self.pipes(run), worlds(), where=self.name)
            assert isinstance(world, Pipe)
            found.append(world)
        return found


@dataclass(frozen=True)
class RacedDesign:
    """A design that was simulated."""

    sieved: Sieved
    price: float
    wanted: float
    found: tuple[Explored | str, ...]
    """Of each run, or why it could not be made."""

    @property
    def design(self) -> Design:
        return self.sieved.design

    @property
    def done(self) -> list[bool]:
        """Whether every end was seen, and it came home."""
        return [not isinstance(one, str) and one.good and one.whole for one in self.found]

    @property
    def verdict(self) -> Verdict:
        return verdict(self.done, self.wanted)

    @property
    def ran(self) -> list[Explored]:
        return [one for one in self.found if not isinstance(one, str)]

    def rank(self) -> tuple[Any, ...]:
        """Surely good before good so far; then few modules, then cheap ones; others by rate."""
        order = ("yes", "in these runs", "unclear", "no").index(self.verdict)
        rate = sum(self.done) / len(self.done) if self.done else 0.0
        small = (len(self.design.chain), self.price)
        return (order, *small, -rate) if order < 2 else (2, -rate, *small)


@dataclass
class Contest:
    """A question, on its way to an answer."""

    question: Question
    prices: Prices
    code: str
    """Which version of the programs: results of two are never mixed."""
    entries: list[RacedDesign] = field(default_factory=list)
    """Simulated, the best first."""
    left_out: list[Sieved] = field(default_factory=list)
    """Beyond their range in too many networks."""
    passed_over: int = 0
    """Within range, of lengths that were raced, and not simulated: others looked better."""

    def folder(self, runs: Path) -> Path:
        text = json.dumps({**asdict(self.question), "code": self.code}, sort_keys=True)
        return runs / f"design-{self.question.name}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"

    def run(self, place: Path, pool: Pool, tell: Tell) -> None:
        try:
            with writing(place), locked(place / LOCK, what=str(place)):
                self._run(place / RUNS, pool, tell)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                f"interrupted; what was done is in {place}, and the same command goes on from there"
            ) from None

    def _run(self, file: Path, pool: Pool, tell: Tell) -> None:
        asked = self.question
        tell("drawing the networks")
        kept = _Kept(file)
        sieve = Sieve([world.tubes() for world in asked.networks], shelf())
        for level in self._levels():
            tell(f"{len(level[0].chain)} modules: looking at {len(level)} designs")
            sieved = [sieve.judge(design) for design in level]
            least = asked.wanted * len(asked.networks)
            within = [one for one in sieved if one.within >= max(least, 1)]
            self.left_out += [one for one in sieved if one.within < max(least, 1)]
            prices = {one.design: self.prices.of(one.design.chain) for one in within}
            most = len(within) if asked.chains else asked.candidates
            racers = chosen(within, most, prices)
            self.passed_over += len(within) - len(racers)
            self._race(racers, prices, kept, pool, tell)
            if not asked.chains and any(
                one.verdict in ("yes", "in these runs") for one in self.entries
            ):
                break
        if not self.entries:
            raise InputError(self._hopeless())
        self.entries.sort(key=RacedDesign.rank)

    def _levels(self) -> Iterator[list[Design]]:
        asked = self.question
        spelt = (
            [list(asked.chains)] if asked.chains else levels(asked.letters, asked.longest, shelf())
        )
        for chains in spelt:
            yield [Design(chain, settings) for chain in chains for settings in asked.settings]

    def _race(
        self,
        racers: Sequence[Sieved],
        prices: dict[Design, float],
        kept: _Kept,
        pool: Pool,
        tell: Tell,
    ) -> None:
        asked = self.question
        by_name = {one.design.name: one for one in racers}

        def entries() -> dict[str, RacedDesign]:
            return {
                name: RacedDesign(
                    one, prices[one.design], asked.wanted, kept.of(name, runs=asked.runs)
                )
                for name, one in by_name.items()
            }

        def due() -> list[tuple[str, int]]:
            done = {name: entry.done for name, entry in entries().items()}
            return next_runs(done, wanted=asked.wanted, runs=asked.runs)

        while todo := due():
            tasks = [(by_name[name].design, run) for name, run in todo if (name, run) not in kept]
            work = partial(attempt, question=asked)

            def told(number: int, of: int) -> None:
                tell(f"racing {len(by_name)} designs: {number} of {of} runs of this round")

            for row in pool.map(work, tasks, tell=told):
                kept.add(row)
        self.entries += entries().values()

    def _hopeless(self) -> str:
        asked = self.question
        best = max(self.left_out, key=lambda o: (o.within, o.mass > 0, o.spare), default=None)
        if best is None:
            return f"no chain of up to {asked.longest} modules can be made of {asked.letters}"
        whom = (
            f"none of {', '.join(asked.chains)}"
            if asked.chains
            else f"no chain of up to {asked.longest} modules of {asked.letters}"
        )
        many = len(asked.networks)
        what = f"{asked.wanted:.0%} of these {many} networks" if many > 1 else "these pipes"
        best_of = f"; the best, {best.design.name}, {best.within} of {many}" if many > 1 else ""
        return f"{whom} can explore {what}{best_of}, because: {best.why}"


def attempt(task: tuple[Design, int], *, question: Question) -> dict[str, Any]:
    """Run one design in one network; a robot that does not fit is an outcome."""
    design, run = task
    row: dict[str, Any] = {"design": design.name, "run": run, "error": None, "explored": None}
    try:
        fields = exploring(
            question.pipes(run),
            question.seed + run,
            robot=design.robot,
            name=f"{question.name}-{design.chain}-{run}",
        )
        row["explored"] = asdict(explored(fields))
    except AnnelidError as error:
        row["error"] = str(error)
    return row


class _Kept:
    """Runs that are done, in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._rows = {(row["design"], row["run"]): row for row in read_rows(file, ROW)}

    def add(self, row: dict[str, Any]) -> None:
        self._rows[row["design"], row["run"]] = row
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def __contains__(self, key: tuple[str, int]) -> bool:
        return key in self._rows

    def of(self, design: str, *, runs: int) -> tuple[Explored | str, ...]:
        """Its runs as far as whole rounds go: of a round that was broken off nothing is judged, so
        that a race ends as if it had not been."""
        done = 0
        while (design, done) in self._rows:
            done += 1
        whole = max((total for total in rounds(runs) if total <= done), default=0)
        rows = [self._rows[design, run] for run in range(whole)]
        return tuple(row["error"] or Explored.read(row["explored"]) for row in rows)
