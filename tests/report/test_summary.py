"""The words and tiles at the top of a report: the numbers of the run, in the printed unit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annelid.report import summary
from annelid.report.recording import Recording
from annelid.trial.metrics import Metrics, WallTime

WENT = Metrics(
    scenario="short",
    seed=3,
    stopped="duration",
    interrupted=False,
    time_s=12.5,
    steps=25_000,
    modules=4,
    mass_kg=0.1284,
    progress_m=0.4321,
    progress_max_m=0.5,
    way_m=0.9,
    distance_m=0.44,
    speed_m_s=0.03457,
    success=None,
    time_to_goal_s=None,
    energy_j=6.25,
    energy_per_metre_j_m=14.46,
    cost_of_transport=11.48,
    power_mean_w=0.5,
    peak_current_a=0.1234,
    peak_current_at="H1.drive",
    hottest_c=31.26,
    hottest_at="R1.yaw",
    tripped=(),
    tilt_max_deg=8.5,
    wall=WallTime(seconds=5.0, real_time_factor=2.5),
)


def went(**changes: Any) -> Metrics:
    return WENT.model_copy(update=changes)


def test_every_tile_has_its_number_and_unit() -> None:
    assert summary.facts(WENT) == [
        ("432 mm", "progress of the head along the way"),
        ("34.6 mm/s", "mean speed along the way"),
        ("12.5 s", "simulated time"),
        ("6.25 J", "energy drawn by all motors"),
        ("11.5", "cost of transport: energy / (weight × way)"),
        ("123 mA", "highest filtered current (H1.drive)"),
        ("31.3 °C", "hottest winding (R1.yaw)"),
        ("128 g", "mass of 4 modules"),
        # 180 mAh at 3.7 V are 2398 J; at 0.5 W that is 4795 s
        ("80 min", "that one battery module (180 mAh) would last at this power"),
    ]


def test_a_tile_counts_what_was_said_and_is_so() -> None:
    told = ("2 of 3", "statements to its operator that are so")
    assert told in summary.facts(went(statements=3, statements_false=("home",)))
    assert told in summary.facts(went(statements=3, statements_misled=("home",)))
    beside = (
        "3 of 3",
        "statements to its operator that are so; 4 more claim nothing that is judged",
    )
    assert beside in summary.facts(went(statements=3, statements_empty=4))


def test_tiles_of_one_that_has_to_come_home_on_a_battery_that_lasts() -> None:
    tiles = summary.facts(
        went(
            there_and_back=True,
            way_m=1.234,
            boards_energy_j=2.0,
            charge=0.876,
            battery_life_s=3600.0,
            faults=2,
            resets=3,
        )
    )
    assert tiles[0] == ("1.23 m", "way of the head; 500 mm out")
    assert tiles[3] == ("6.25 J", "energy drawn by all motors and boards")
    assert tiles[-2:] == [
        ("88%", "left in the battery, for 60 min more"),
        ("2", "faults; boards were reset 3 times"),
    ]


def test_what_was_not_measured_is_a_dash() -> None:
    nothing = went(
        speed_m_s=None, cost_of_transport=None, peak_current_a=None, peak_current_at=None,
        hottest_c=None, hottest_at=None, power_mean_w=None,
    )  # fmt: skip
    tiles = {what: value for value, what in summary.facts(nothing)}
    assert len(tiles) == 8, "and no battery, which would last forever"
    for what in (
        "mean speed along the way",
        "cost of transport: energy / (weight × way)",
        "highest filtered current (no motor)",
        "hottest winding (none)",
    ):
        assert tiles[what] == "–"
    assert summary.facts(None) == []


def test_the_table_has_every_number_by_its_name() -> None:
    rows = dict(summary.rows(WENT))
    assert rows.keys() == (Metrics.model_fields.keys() - {"wall"}) | {
        "wall.seconds",
        "wall.real_time_factor",
    }
    shown = {
        "speed_m_s": "0.03457", "mass_kg": "0.1284", "steps": "25000", "interrupted": "no",
        "success": "–", "tripped": "none", "peak_current_at": "H1.drive", "wall.seconds": "5",
    }  # fmt: skip
    assert {name: rows[name] for name in shown} == shown


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "TRHV moved 432 mm in 12.5 s"),
        ({"progress_m": -0.02}, "TRHV moved backwards 20 mm in 12.5 s"),
        ({"progress_m": 0.0005}, "TRHV stayed where it was for 12.5 s"),
        (
            {"success": True, "time_to_goal_s": 7.25},
            "TRHV reached the goal, 794 mm along the way, in 7.2 s",
        ),
        ({"success": False}, "TRHV did not reach the goal: 500 mm of 794 mm in 12.5 s"),
        ({"fell_s": 3.14}, "TRHV fell after 3.1 s, 500 mm along the way"),
        (
            {"there_and_back": True, "time_home_s": 9.0},
            "TRHV went 500 mm along the way and was home again after 9.0 s",
        ),
        (
            {"there_and_back": True},
            "TRHV went 500 mm along the way and did not come home in 12.5 s",
        ),
    ],
)
def test_the_headline_says_how_far_and_how_long(
    run_folder: Path, changes: dict[str, Any], words: str
) -> None:
    recording = Recording(run_folder)
    recording.metrics = went(**changes)
    assert summary.headline(recording) == words


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "No motor was switched off by its current limit."),
        ({"tripped": ("a", "b")}, "The current limit switched off 2 motor(s): a, b."),
        ({"brown_outs": 4}, "Boards browned out 4 times."),
        ({"crashed": ("T1",)}, "Programs crashed on T1; the events below say why."),
        (
            {"statements": 2, "statements_false": ("home",)},
            "It told its operator what is not so: “home”.",
        ),
        ({"fell_s": 3.14, "fell_why": "it slid"}, "It fell at 3.1 s: it slid."),
    ],
)
def test_the_story_has_the_world_and_what_went_wrong(
    run_folder: Path, changes: dict[str, Any], words: str
) -> None:
    recording = Recording(run_folder)
    recording.metrics = went(**changes)
    told = summary.story(recording)
    assert told.endswith(words)
    assert "pipes of 2 straights, 1 elbow" in told, "and nothing that it has not"
    assert "narrowest bore 40 mm, 794 mm from start to end" in told


def test_columns_are_in_the_units_that_people_read(run_folder: Path) -> None:
    recording = Recording(run_folder)
    for table, name, unit, factor in (
        ("robot", "progress", "mm", 1000.0),
        ("actuators", "filtered[H1.drive]", "mA", 1000.0),
        ("actuators", "position[R1.yaw]", "°", 57.29577951308232),
        ("robot", "energy", "J", 1.0),
        ("actuators", "temperature[R1.yaw]", "°C", 1.0),
    ):
        values, shown = recording.column(table, name)
        assert shown == unit
        assert values == pytest.approx(factor * recording.run[table][name])
