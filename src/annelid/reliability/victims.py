"""Commands that may be killed at any moment, and what each of them has finished by then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annelid.reliability.surroundings import SMALL

SCENARIO: Final = "small.toml"
STUDY: Final = "study.toml"
PIPES: Final = "pipes.toml"
FILES: Final[Mapping[str, str]] = {
    SCENARIO: SMALL,
    STUDY: """name = "small"
optimiser = {kind = "ga", population = 6}
fitness = {terms = [{metric = "distance_m"}]}
budget = {generations = 3}

[scenario]
name = "small"
duration_s = 0.2
robot = {chain = "RR"}
world = {kind = "open-air"}

[[space.genes]]
field = "jitter_deg"
low = 0
high = 5
bits = 6
""",
    PIPES: """name = "pipes"
world = {kind = "pipe", parts = [{part = "straight", length_mm = 200}, {part = "cap"}]}
""",
}
"""What they read, by name."""


@dataclass(frozen=True)
class Victim:
    """A command that is killed, and started again until it has come to its end."""

    words: Callable[[Path], tuple[str, ...]]
    """By the folder that it writes."""
    finished: Callable[[Path], frozenset[str]]
    """What of that folder must not be lost: the same words whenever it was left alone."""
    goes_on: bool = True
    """In the same folder; else in one of its own each time, and what was cut off must open."""
    ends: bool = True
    """By itself; else it is killed after ``LONGEST_S`` at the latest."""


LONGEST_S: Final = 8.0


def _lines(name: str) -> Callable[[Path], frozenset[str]]:
    """Whole lines of a file, such as a sweep's; the last may have been cut."""

    def lines(out: Path) -> frozenset[str]:
        path = out / name
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        return frozenset(text[: text.rfind("\n") + 1].splitlines())

    return lines


def _evaluations(out: Path) -> frozenset[str]:
    """Of a study."""
    from annelid.offline.folder import STORE
    from annelid.offline.store import Store

    if not _begun(out):
        return frozenset()
    with Store.open(out / STORE) as store:
        evaluations = store.evaluations(store.id("small")).values()
    return frozenset(f"{one.genome} {one.seed} {one.state} {one.runs}" for one in evaluations)


def _begun(out: Path) -> bool:
    """Whether there is a study to go on with."""
    from annelid.offline.folder import STORE
    from annelid.offline.store import Store

    path = out / STORE
    if not path.exists() or not path.stat().st_size:
        return False
    with Store.open(path) as store:
        return "small" in store.names


def _runs(out: Path) -> frozenset[str]:
    """Digests of runs that are whole; one that was cut off must open, or be refused in words."""
    from annelid.errors import AnnelidError
    from annelid.kernel.trace import digest
    from annelid.trial.folder import SCENARIO as WRITTEN
    from annelid.trial.replay import Run
    from annelid.trial.seal import sealed

    found = set[str]()
    for folder in (path.parent for path in out.rglob(WRITTEN)):
        try:
            run = Run(folder)
            run.events()
            whole = sealed(folder)
        except AnnelidError:
            continue
        if whole:
            found.add(digest(run.trace))
    return frozenset(found)


def _nothing(out: Path) -> frozenset[str]:
    return frozenset()


def _sweep(out: Path) -> tuple[str, ...]:
    vary = ("--vary", "robot.chain=RR,RRR", "--repeats", "12", "--workers", "2")
    return ("sweep", SCENARIO, *vary, "--out", str(out), "--no-report")


def _evolve(out: Path) -> tuple[str, ...]:
    words = ("evolve", STUDY, "--workers", "2", "--out", str(out), "--no-report")
    return (*words, "--resume") if _begun(out) else words


def _run(out: Path) -> tuple[str, ...]:
    words = ("run", SCENARIO, "--set", "duration_s=2", "--out", str(out))
    return (*words, "--no-report", "--no-video")


def _reproduce(out: Path) -> tuple[str, ...]:
    page = str(out.with_suffix(".html"))
    return ("reproduce", "C5", "--quick", "--runs", str(out), "--html", page, "--workers", "2")


def _design(out: Path) -> tuple[str, ...]:
    return ("design", PIPES, "--chain", "TRH", "--runs", "3", "--workers", "2", "--out", str(out))


def _console(out: Path) -> tuple[str, ...]:
    return ("console", SCENARIO, "--no-open", "--port", "0")


VICTIMS: Final[Mapping[str, Victim]] = {
    "sweep": Victim(_sweep, _lines("trials.jsonl")),
    "evolve": Victim(_evolve, _evaluations),
    "run": Victim(_run, _runs, goes_on=False),
    "reproduce": Victim(_reproduce, _runs),
    "design": Victim(_design, _lines("runs.jsonl")),
    "console": Victim(_console, _nothing, goes_on=False, ends=False),
}
