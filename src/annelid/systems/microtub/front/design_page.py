"""The answer of ``annelid design``: a ranked table, and a page with all that led to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Final

from annelid.boundary.files import write_file
from annelid.boundary.markdown import markdown_table
from annelid.papers.interval import Rate
from annelid.papers.record import measured_by
from annelid.report import page as html
from annelid.systems.microtub.front.contest import Contest, RacedDesign, Verdict
from annelid.systems.microtub.prices import parts
from annelid.worlds.picture import svg

HTML, MARKDOWN = "report.html", "ranking.md"
DRAWN: Final = 3
"""Networks that the page shows."""
HEAD: Final = (
    *("", "chain", "modules", "all ends seen, and home", "wanted rate", "time", "energy"),
    *("mass", "price", "runs with false words"),
)
LEFT_OUT: Final = ("left out", "chains", "such as")
WORDS: Final[dict[Verdict, str]] = {
    "yes": "reached",
    "in these runs": "reached in these runs",
    "unclear": "unclear",
    "no": "not reached",
}


def page(contest: Contest) -> Iterator[str]:
    """The lines that are printed, and kept as Markdown."""
    yield summary(contest)
    yield from ("", *markdown_table(HEAD, _ranking(contest)), "", NOTES)
    if contest.left_out:
        yield from ("", *markdown_table(LEFT_OUT, _reasons(contest)))


NOTES: Final = (
    "Rates with 95 % intervals. A design was stopped when its interval fell below the wanted rate "
    "or rose above it, so losers have few runs. Time and energy (of the motors) are medians of the "
    "runs that did it."
)


def summary(contest: Contest) -> str:
    """What to build, in a sentence."""
    asked, best = contest.question, contest.entries[0]
    many = len(asked.networks)
    where = f"{many} networks" if many > 1 else "these pipes"
    rate = f"{best.design.name}: {Rate.count(best.done)}"
    if best.verdict == "yes":
        return f"Build {rate} in {where}."
    if best.verdict == "in these runs":
        return f"Build {rate} in {where}; to be surer of {asked.wanted:.0%}, ask for more --runs."
    others = "" if asked.chains else f" of up to {asked.longest} modules"
    return f"No design{others} that was tried reached {asked.wanted:.0%}. The best is {rate}."


def _ranking(contest: Contest) -> list[tuple[str, ...]]:
    return [_cells(contest, place, entry) for place, entry in enumerate(contest.entries, 1)]


def _cells(contest: Contest, place: int, entry: RacedDesign) -> tuple[str, ...]:
    done = [one for one, good in zip(entry.found, entry.done, strict=True) if good]
    times = [one.time_s for one in done if not isinstance(one, str)]
    spent = [one.energy_j for one in done if not isinstance(one, str)]
    return (
        str(place),
        entry.design.name,
        parts(entry.design.chain),
        str(Rate.count(entry.done)),
        WORDS[entry.verdict],
        f"{median(times):.0f} s" if times else "–",
        f"{median(spent):.1f} J" if spent else "–",
        f"{1000 * entry.sieved.mass:.0f} g",
        f"{entry.price:.0f} {contest.prices.currency}",
        f"{sum(bool(one.false) for one in entry.ran)} of {len(entry.ran)}",
    )


def _reasons(contest: Contest) -> Iterator[tuple[str, str, str]]:
    """Why designs were not simulated, the most frequent first."""
    counted = Counter(one.why for one in contest.left_out)
    for why, count in counted.most_common():
        such = min(
            (one.design.name for one in contest.left_out if one.why == why),
            key=lambda name: (len(name), name),
        )
        yield why, str(count), such
    if contest.passed_over:
        yield "within range, but others of its length looked better", str(contest.passed_over), ""


def _failures(contest: Contest) -> Iterator[tuple[str, str, str, str]]:
    """Of the runs of the best three designs that did not do it."""
    for entry in contest.entries[:3]:
        for run, (one, good) in enumerate(zip(entry.found, entry.done, strict=True)):
            if good:
                continue
            seed = str(contest.question.seed + run)
            if isinstance(one, str):
                yield entry.design.name, seed, "could not be run", one
                continue
            lacking = [f"{part} not seen" for part in one.missed] + list(one.unreachable)
            lacking += [] if one.home else ["not home"]
            ended = one.said or f"no word within {one.time_s:.0f} s"
            yield entry.design.name, seed, "; ".join(lacking), ended


def write(contest: Contest, folder: Path, command: str) -> tuple[Path, Path]:
    """Both pages, into the folder of the runs."""
    asked = contest.question
    measured = measured_by(command)
    text = "\n".join([f"# Robots for {asked.name}", "", measured, "", *page(contest)])
    markdown = write_file(folder / MARKDOWN, text + "\n")
    best = contest.entries[0]
    good = best.verdict in ("yes", "in these runs")
    badge = ("good" if good else "bad", f"{asked.wanted:.0%} wanted: {WORDS[best.verdict]}")
    body = [
        html.heading("Annelid · design", f"Robots for {asked.name}", summary(contest), badge=badge),
        html.section(
            "Ranking",
            html.table(HEAD, _ranking(contest), numbers=(0, 5, 6, 7, 8)),
            html.paragraph(NOTES),
        ),
        html.section("The pipes", *_pictures(contest)),
    ]
    if failures := list(_failures(contest)):
        head = ("design", "seed", "what was lacking", "how it ended, in the robot's words")
        body.append(html.section("What went wrong", html.table(head, failures)))
    if contest.left_out:
        body.append(
            html.section("Not simulated", html.table(LEFT_OUT, _reasons(contest), numbers=(1,)))
        )
    prices = contest.prices
    each = [(name, f"{price:g}") for name, price in (*prices.modules.items(), *prices.once.items())]
    body.append(
        html.section(
            f"Prices ({prices.currency})",
            html.table(("", "each"), each, numbers=(1,)),
            html.paragraph(measured),
        )
    )
    return html.write(folder / HTML, f"Robots for {asked.name}", body), markdown


def _pictures(contest: Contest) -> Iterator[str]:
    networks = contest.question.networks
    if len(networks) > DRAWN:
        yield html.paragraph(f"The first {DRAWN} of {len(networks)} networks.")
    for number, world in enumerate(networks[:DRAWN], contest.question.seed):
        told = f"bore {world.bore_mm:.1f} mm"
        title = f"network {number}, {told}" if len(networks) > 1 else told
        yield html.figure(svg(world.tubes(), title=title))
