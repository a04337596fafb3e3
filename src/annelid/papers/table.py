"""Every claim, in order, as ``claims.toml`` has them: what is said, where, which file measures it.

An experiment is a function ``experiment(bench) -> Outcome`` in a file of its own, imported when it
runs; the table itself costs nothing to read.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.resources import files
from typing import Final

from annelid.papers.bench import Bench
from annelid.papers.claim import Claim, Outcome


def _experiment(file: str) -> Callable[[Bench], Outcome]:
    def experiment(bench: Bench) -> Outcome:
        outcome: Outcome = import_module(f"annelid.papers.{file}").experiment(bench)
        return outcome

    return experiment


def _claims() -> Iterator[Claim]:
    text = (files("annelid.papers") / "claims.toml").read_text("utf-8")
    for row in tomllib.loads(text)["claim"]:
        experiment = _experiment(row.pop("file"))
        yield Claim(**row, experiment=experiment)


CLAIMS: Final[tuple[Claim, ...]] = tuple(_claims())
