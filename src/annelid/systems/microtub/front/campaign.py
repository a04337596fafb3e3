"""Runs the same work for many seeds: tells how far it is, keeps what is done, writes the page.

What is done is kept line by line in a file named by the work and by the code that did it, so that
the same command goes on where it was broken off, and never mixes results of two versions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from annelid import errors
from annelid.boundary.files import write_file
from annelid.trial.pool import processes

KEPT: Final = Path("runs/campaigns")


class Seeded(Protocol):
    """A result: a dataclass with the seed that gave it."""

    @property
    def seed(self) -> int: ...


Result = TypeVar("Result", bound=Seeded)


def campaign(
    name: str,
    work: Callable[[int], Result],
    seeds: Sequence[int],
    *,
    workers: int | None,
    read: Callable[[dict[str, Any]], Result],
) -> list[Result]:
    """:func:`kept_runs` under a line on the screen that tells how far it is."""
    from annelid.cli.screen import Screen

    with Screen(stderr=True).waiting(f"{name} …") as status:

        def tell(number: int, of: int) -> None:
            status.update(f"{name}: {number} of {of}")

        return kept_runs(name, work, seeds, workers=workers, read=read, tell=tell)


def kept_runs(
    name: str,
    work: Callable[[int], Result],
    seeds: Sequence[int],
    *,
    workers: int | None,
    read: Callable[[dict[str, Any]], Result],
    tell: Callable[[int, int], None],
) -> list[Result]:
    """In the order of the seeds; ``read`` makes a result of what was kept."""
    kept = KEPT / f"{name}-{code()}.jsonl"
    done = {one.seed: one for one in _read(kept, read)}
    left = [seed for seed in seeds if seed not in done]
    again = "the same command goes on from there"
    with processes(min(workers, len(left)) if workers and left else workers, go_on=again) as pool:
        for one in pool.map(work, left, tell=tell):
            done[one.seed] = one
            kept.parent.mkdir(parents=True, exist_ok=True)
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(one)) + "\n")  # type: ignore[call-overload]
    return [done[seed] for seed in seeds]


def keep_page(place: Path, title: str, command: str, lines: Sequence[str]) -> None:
    """The page, with the day and the commit it was measured at."""
    from annelid.papers.record import measured_by

    write_file(place, "\n".join([f"# {title}", "", measured_by(command), "", *lines]) + "\n")


def by_feature(
    features: Mapping[str, Callable[[Result], str]],
    found: Sequence[Result],
    row: Callable[[Sequence[Result]], tuple[object, ...]],
) -> Iterator[tuple[object, ...]]:
    """Rows of a table: each feature, each value of it, and what those with it came to."""
    for feature, of in features.items():
        for value in sorted({of(one) for one in found}):
            yield (feature, value, *row([one for one in found if of(one) == value]))


def _read(kept: Path, read: Callable[[dict[str, Any]], Result]) -> Iterator[Result]:
    """A last line that was cut short is left out."""
    if not kept.is_file():
        return
    for line in kept.read_text(encoding="utf-8").splitlines():
        try:
            yield read(json.loads(line))
        except (json.JSONDecodeError, TypeError):
            continue


def code() -> str:
    """Of all of the package's source."""
    digest = hashlib.sha256()
    for file in sorted(Path(errors.__file__).parent.rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:10]
