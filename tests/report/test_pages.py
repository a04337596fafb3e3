"""The pages of compare, sweep and reproduce."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from annelid.report.claims import claims_page
from annelid.report.comparison import comparison_page
from annelid.report.plots import Curve, PlotPanel, draw, thin
from annelid.report.sweep import sweep_page, sweep_plots


def _setting(bore: float, chain: str, successes: int) -> dict[str, Any]:
    return {
        "world.bore_mm": bore,
        "robot.chain": chain,
        "trials": 10,
        "successes": successes,
        "rate": successes / 10,
        "rate_low": max(successes / 10 - 0.2, 0.0),
        "rate_high": min(successes / 10 + 0.2, 1.0),
        "median_time_to_goal_s": 30.0 + bore if successes else None,
        "median_speed_m_s": 0.02,
        "median_energy_per_metre_j_m": None,
        "errors": "",
    }


DOT = {"title": "a dot", "png": b"png"}


def test_claims_show_numbers_verdicts_and_plots(tmp_path):
    figure = {
        "title": "Speed",
        "x_label": "slope (°)",
        "y_label": "speed (cm/s)",
        "series": (
            {"label": "paper", "x": (0.0, 30.0), "y": (2.0, 1.5), "style": "points"},
            {"label": "ours", "x": (0.0, 30.0), "y": (2.1, 1.4), "style": "line"},
        ),
    }
    row = {"id": "A3", "claim": "speed <falls>", "paper": "2 cm/s", "ours": "2.1 cm/s"}
    row["kind"] = "by construction"
    rows: list[dict[str, Any]] = [
        {**row, "verdict": "pass", "note": "", "plots": (figure,), "pictures": (DOT,)},
        {**row, "id": "A4", "verdict": "short", "note": "too slow", "plots": ()},
    ]
    html = claims_page(rows, tmp_path / "deep" / "claims.html").read_text("utf-8")
    assert "1 of 2 claims hold" in html
    assert "speed &lt;falls&gt;" in html
    assert "too slow" in html
    assert html.count("by construction") == 4, "in the table and in each section"
    assert html.count("<svg") == 1
    assert html.count("<img") == 1
    assert "a dot" in html
    assert "slope (°)" in html
    assert not re.search(r"https?://", html)


def test_a_sweep_draws_rates_against_the_field_one_curve_per_rest(tmp_path):
    results = [
        _setting(bore, chain, successes)
        for chain, base in (("TRRH", 4), ("TRH", 0))
        for bore, successes in ((38.0, base), (40.0, base + 5))
    ]
    html = sweep_page(results, tmp_path / "sweep.html").read_text("utf-8")
    assert "40 trials in 4 settings" in html
    assert html.count("<svg") == 2
    for text in ("success rate (%)", "world.bore_mm", "chain TRRH", "chain TRH", "speed, median"):
        assert text in html
    assert "energy per metre, median" not in html


def test_rates_that_are_the_same_are_seen_beside_each_other(monkeypatch):
    cells = [(chain, bore) for chain in ("TRRH", "TRH", "RRH") for bore in (38.0, 40.0)]
    panel = plotted([_setting(bore, chain, 5) for chain, bore in cells], monkeypatch)
    first, second, third = (np.asarray(curve.x, float).tolist() for curve in panel.curves)
    assert first[0] < second[0] == 38.0 < third[0]
    assert third[1] - first[1] < 0.2  # of a step of 2


def test_the_table_of_a_sweep_reads_as_that_of_the_terminal(tmp_path):
    html = sweep_page([_setting(38.0, "TRH", 5)], tmp_path / "sweep.html").read_text("utf-8")
    table = html[html.index("<h2>Table</h2>") :]
    for text in (">10<", ">5<", ">50%<", ">speed, cm/s<", ">95 %<"):
        assert text in table
    assert "energy, J/m" not in table  # nothing was measured


def test_a_sweep_over_words_names_them_on_the_axis(tmp_path):
    results = [{"robot.chain": c, **_setting(0, c, 5)} for c in ("TRRH", "TRH")]
    for row in results:
        del row["world.bore_mm"]
    html = sweep_page(results, tmp_path / "sweep.html").read_text("utf-8")
    axis = html[: html.index("<h2>Table</h2>")]
    assert ">TRRH<" in axis
    assert ">TRH<" in axis


def plotted(results: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> PlotPanel:
    """The first panel that a sweep draws."""
    panels: list[PlotPanel] = []

    def keep(drawn: Sequence[PlotPanel], **_: Any) -> str:
        panels.extend(drawn)
        return ""

    monkeypatch.setattr("annelid.report.sweep.draw", keep)
    sweep_plots(results)
    return panels[0]


def test_numbers_are_a_scale_and_names_are_beside_each_other(monkeypatch):
    cells = [(chain, bore) for chain in ("TRRH", "TRH") for bore in (38.0, 40.0)]
    rows = [{"robot.chain": chain, **_setting(bore, chain, 5)} for chain, bore in cells]
    panel = plotted(rows, monkeypatch)  # numbers along x though the chain comes first
    assert panel.x_label == "world.bore_mm"
    assert [curve.label for curve in panel.curves] == ["chain TRRH", "chain TRH"]
    assert {curve.style for curve in panel.curves} == {"line"}

    for row in rows:
        row["world.bore_mm"] = f"{row['world.bore_mm']:.0f} mm"
    panel = plotted(rows, monkeypatch)
    assert {curve.style for curve in panel.curves} == {"points"}
    assert panel.x_ticks == ((0.0, "TRRH"), (1.0, "TRH"))
    first, second = (np.asarray(curve.x) for curve in panel.curves)
    assert (abs(first - second) > 0.1).all()  # their bars do not cover each other


def test_points_are_not_joined():
    bars = (np.ones(3), np.ones(3))
    joined, apart = (
        draw([PlotPanel("x", "y", [Curve([0, 1, 2], [3, 1, 2], style=style, error=bars)])])
        for style in ("line", "points")
    )
    assert joined.count("<path") == apart.count("<path") + 1


def test_a_run_compared_with_itself_is_the_same(run_folder, tmp_path):
    path = comparison_page([run_folder, run_folder], tmp_path / "compare.html")
    html = path.read_text("utf-8")
    assert "bit for bit" in html
    assert html.count("<svg") == 2
    assert "progress of the head (mm)" in html
    assert "cost_of_transport" in html


def test_thinning_keeps_a_peak_of_one_sample():
    time = np.linspace(0, 10, 20_000)
    current = np.zeros_like(time)
    current[12_345] = 5.0
    x, y = thin(time, current)
    assert len(x) <= 800
    assert y.max() == 5.0
    assert x[np.argmax(y)] == pytest.approx(time[12_345])


def test_the_same_plot_is_the_same_text():
    panel = PlotPanel("time (s)", "way (mm)", [Curve([0, 1], [0, 2], "a")], levels=[(1.0, "goal")])
    assert draw([panel]) == draw([panel])
