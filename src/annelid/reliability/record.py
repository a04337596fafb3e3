"""Tables of what was found, and the file that keeps them: ``results/reliability.md``.

Each part of the file is written by its own command and leaves the others as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from annelid.papers.record import stamp
from annelid.reliability.campaign import OUTCOMES, Struck
from annelid.trial.summary import wilson

RESULTS: Final = Path("results/reliability.md")
HEAD: Final = """# Reliability

Written by `annelid campaign`, `annelid fuzz` and `annelid soak`, with `--keep`; what is measured is
told in [docs/reliability.md](../docs/reliability.md).
"""


def keep(title: str, command: str, lines: Sequence[str], *, path: Path = RESULTS) -> Path:
    """Write one part anew."""
    commit, day = stamp()
    part = "\n".join([f"## {title}", "", f"Measured {day} at {commit} by `{command}`.", "", *lines])
    before = path.read_text(encoding="utf-8") if path.is_file() else HEAD
    parts = {each.split("\n", 1)[0]: each for each in re.split(r"\n(?=## )", before.strip())[1:]}
    parts[f"## {title}"] = part.strip()
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n\n".join([HEAD.strip(), *(parts[key].strip() for key in sorted(parts))])
    path.write_text(text + "\n", encoding="utf-8")
    return path


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
    yield from (
        "",
        f"| fault | runs | {' | '.join(OUTCOMES)} |",
        "|---" * (2 + len(OUTCOMES)) + "|",
    )
    for kind in sorted({kind for one in struck for kind in one.faults} or {"none"}):
        ones = [one for one in struck if kind in one.faults]
        counts = [sum(one.outcome == outcome for one in ones) for outcome in OUTCOMES]
        yield f"| {kind} | {len(ones)} | {' | '.join(map(str, counts))} |"
    if failed:
        yield from ("", "| scenario | seed | faults | outcome | why |", "|---|---|---|---|---|")
        for one in failed:
            why = one.why.replace("|", "/").replace("\n", " ")[:160]
            cells = (one.scenario, str(one.seed), " + ".join(one.faults), one.outcome, why)
            yield f"| {' | '.join(cells)} |"
