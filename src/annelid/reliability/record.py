"""Tables of what was found, and the file that keeps them: ``results/reliability.md``.

Each part of the file is written by its own command and leaves the others as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from annelid.boundary.files import write_file
from annelid.boundary.markdown import markdown_table
from annelid.papers.record import measured_by
from annelid.reliability.campaign import OUTCOMES, Struck
from annelid.trial.summary import wilson

RESULTS: Final = Path("results/reliability.md")
HEAD: Final = """# Reliability

Written by `annelid campaign`, `annelid fuzz` and `annelid soak`, with `--keep`; what is measured is
told in [docs/reliability.md](../docs/reliability.md).
"""


def keep(title: str, command: str, lines: Sequence[str], *, path: Path = RESULTS) -> Path:
    """Write one part anew."""
    part = "\n".join([f"## {title}", "", measured_by(command), "", *lines])
    before = path.read_text(encoding="utf-8") if path.is_file() else HEAD
    parts = {each.split("\n", 1)[0]: each for each in re.split(r"\n(?=## )", before.strip())[1:]}
    parts[f"## {title}"] = part.strip()
    text = "\n\n".join([HEAD.strip(), *(parts[key].strip() for key in sorted(parts))])
    return write_file(path, text + "\n")


def campaign_lines(struck: Sequence[Struck]) -> Iterator[str]:
    """Kinds of faults against outcomes; a run with a pair counts for each of the two."""
    failed = [one for one in struck if one.outcome != "ok"]
    low, high = wilson(len(failed), len(struck)) if struck else (0.0, 1.0)
    pairs = sum(len(one.faults) > 1 for one in struck)
    names = {one.scenario for one in struck}
    yield f"{len(struck)} runs of {len(names)} scenarios, {pairs} of them with two faults:"
    yield f"{len(failed)} failed (95 %: {low:.1%} to {high:.1%})."
    misled = sum(one.misled > 0 for one in struck)
    yield f"In {misled} a broken sensor made the robot say what is not so; these are no failures."
    kinds = {kind: [one for one in struck if kind in one.faults] for kind in _kinds(struck)}
    counts = [
        (kind, len(ones), *(sum(one.outcome == each for one in ones) for each in OUTCOMES))
        for kind, ones in kinds.items()
    ]
    yield from ("", *markdown_table(("fault", "runs", *OUTCOMES), counts))
    if failed:
        head = ("scenario", "seed", "faults", "outcome", "why")
        rows = [
            (one.scenario, one.seed, " + ".join(one.faults), one.outcome, one.why[:160])
            for one in failed
        ]
        yield from ("", *markdown_table(head, rows))


def _kinds(struck: Sequence[Struck]) -> list[str]:
    return sorted({kind for one in struck for kind in one.faults} or {"none"})
