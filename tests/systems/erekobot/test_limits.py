"""What limits the number of modules, and that thirty work when nothing does."""

from __future__ import annotations

from pathlib import Path

import pytest

from annelid.papers import Bench
from annelid.papers.e07_topologies import delay_case, delays_ms
from annelid.systems.erekobot.front.limits import fields, limits
from annelid.trial.load import load
from annelid.trial.run import Trial

PAGE = Path(__file__).parents[3] / "docs" / "erekobot.md"
COARSE = {"physics.timestep_ms": 2.0, "physics.servo": "quasi-static"}


@pytest.mark.slow
def test_times_are_those_of_the_simulated_line() -> None:
    cases = {name: delay_case(name) for name in ("line", "bus")}
    found = Bench(workers=1, quick=True).trials(cases, delays_ms)
    measured = {name: each[0] for name, each in found.items()}
    told = limits(len(measured["line"]))
    assert measured["line"][-1] == pytest.approx(told.line_ms, abs=1.0)
    assert measured["bus"][-1] == pytest.approx(told.bus_ms, abs=1.0)


@pytest.mark.parametrize(
    "topology", ["line", *(pytest.param(name, marks=pytest.mark.slow) for name in ("bus", "ring"))]
)
def test_thirty_crawl_with_power_that_suffices(topology: str) -> None:
    asked = {**fields(30), **COARSE, "control.options.topology": topology}
    measured = Trial(load("erekobot", overrides={**asked, "duration_s": 6.0})).measure()
    assert measured.brown_outs == 0
    assert measured.progress_m > 0.1


def test_thirty_go_off_on_a_thin_cable_and_ten_is_what_the_paper_allows() -> None:
    thin = {**fields(30), **COARSE, "power.supply.ohm_per_m": 0.14}
    assert Trial(load("erekobot", overrides=thin)).measure().brown_outs > 0


def test_the_page_has_the_table_of_the_command() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith(("| 5 |", "| 30 |"))]
    assert len(rows) == 2
    found = limits(5)
    cells = [cell.strip() for cell in rows[0].strip("|").split("|")]
    assert cells[1] == f"{found.line_ms:.0f}, {found.stored_ms:.0f}, {found.bus_ms:.0f}"
    assert cells[-1] == ("enough" if found.enough else "boards go off")
    assert float(cells[6].split(", ")[1]) == pytest.approx(found.peak_a, rel=0.1)
