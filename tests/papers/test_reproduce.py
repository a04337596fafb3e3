"""The harness: what is written, in which form, and what happens when an experiment breaks."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from annelid.errors import SpecError, UnknownName
from annelid.papers import CLAIMS, Bench, Claim, Figure, Outcome, Series, reproduce
from annelid.papers.claim import Picture


def fine(bench: Bench) -> Outcome:
    figure = Figure("speed", "slope, °", "cm/s", (Series("ours", (0.0, 90.0), (3.0, 1.2)),))
    values = {"speed_cm_s": 3.0, "unknown": float("nan")}
    return Outcome(
        "3.0 cm/s", True, note="fitted | stated", values=values, plots=(figure,), pictures=(DOT,)
    )


def falls_short(bench: Bench) -> Outcome:
    return Outcome("1 cm/s", False, note="too slow")


def breaks(bench: Bench) -> Outcome:
    raise ZeroDivisionError("no wheel touched")


DOT = Picture("a dot", b"png")
FINE = Claim("A1", "it moves", "3 cm/s (Fig 1)", "fitted", fine)
SHORT = Claim("A3", "it is fast", "5 cm/s (Fig 2)", "predicted", falls_short)
BROKEN = Claim("A4", "it never fails", "§3", "predicted", breaks)


def test_json_has_one_row_for_each_claim(tmp_path):
    path = tmp_path / "out" / "claims.json"
    reproduce(json_path=path, claims=(FINE, SHORT))
    page = json.loads(path.read_text())
    assert set(page) == {"commit", "date", "rows"}
    first, second = page["rows"]
    assert {
        "id",
        "claim",
        "paper",
        "kind",
        "ours",
        "verdict",
        "note",
        "values",
        "runs",
        "seconds",
    } <= set(first)
    assert (first["id"], first["verdict"], second["verdict"]) == ("A1", "pass", "short")
    assert first["values"] == {"speed_cm_s": 3.0, "unknown": None}
    assert not {"plots", "pictures"} & set(first)


def test_only_what_was_asked_for_runs_in_the_order_of_the_table():
    rows = reproduce(["a3", "A1"], claims=(FINE, SHORT, BROKEN))
    assert [row.id for row in rows] == ["A1", "A3"]
    assert rows[0].plots[0].series[0].y == (3.0, 1.2)


def test_a_row_of_several_claims_is_found_by_each_of_them():
    three = replace(FINE, id="C1-C3")
    for given in ("c2", "C1-C3"):
        assert [row.id for row in reproduce([given], claims=(three, SHORT))] == ["C1-C3"]
    with pytest.raises(UnknownName, match=r"unknown claim 'C4'"):
        reproduce(["C4"], claims=(three, SHORT))


def test_an_unknown_claim_is_named_with_what_there_is():
    with pytest.raises(UnknownName, match=r"unknown claim 'A99'.*Available: A1, A3"):
        reproduce(["A99"], claims=(FINE, SHORT))


def test_a_broken_experiment_surfaces_and_the_others_are_still_written(tmp_path):
    path = tmp_path / "claims.json"
    with pytest.raises(ZeroDivisionError) as caught:
        reproduce(json_path=path, claims=(BROKEN, FINE))
    assert caught.value.__notes__ == ["in the experiment for claim A4"]
    broken, other = sorted(json.loads(path.read_text())["rows"], key=lambda row: -len(row["note"]))
    assert broken["verdict"] == "short"
    assert broken["note"] == "failed: ZeroDivisionError: no wheel touched"
    assert other["verdict"] == "pass"


def test_several_broken_experiments_come_as_a_group():
    with pytest.raises(ExceptionGroup) as caught:
        reproduce(claims=(BROKEN, BROKEN))
    assert len(caught.value.exceptions) == 2


def test_the_kept_table_renews_only_what_was_run(tmp_path):
    reproduce(keep=tmp_path, claims=(FINE, SHORT))
    faster = Claim("A3", "it is fast", "5 cm/s (Fig 2)", "predicted", fine)
    reproduce(["A3"], keep=tmp_path, claims=(FINE, faster))
    rows = json.loads((tmp_path / "claims.json").read_text())["rows"]
    assert [(row["id"], row["verdict"]) for row in rows] == [("A1", "pass"), ("A3", "pass")]
    table = (tmp_path / "claims.md").read_text()
    assert "2 of 2 pass" in table
    assert "| [A1](claims/A1.md) | it moves | 3 cm/s (Fig 1) | fitted | 3.0 cm/s | pass |" in table
    assert "fitted | stated" not in table


def test_the_page_of_a_row_has_what_the_table_has_no_room_for(tmp_path):
    reproduce(keep=tmp_path, claims=(FINE,))
    page = (tmp_path / "claims" / "A1.md").read_text()
    for words in ("fitted | stated", "| speed_cm_s | 3 |", "| unknown | – |"):
        assert words in page
    assert "**Seeds:** 0 pass, 1 pass, 2 pass" in page
    assert "![speed](A1-1.svg)" in page
    assert "![a dot](A1-2.png)" in page
    assert ElementTree.parse(tmp_path / "claims" / "A1-1.svg").getroot().tag.endswith("svg")
    assert (tmp_path / "claims" / "A1-2.png").read_bytes() == b"png"


def lucky(bench: Bench) -> Outcome:
    return Outcome(f"{bench.seed}", bench.seed == 0)


def test_a_quick_row_is_kept_as_a_pass_only_when_two_further_seeds_agree(tmp_path):
    claim = Claim("A1", "it is not luck", "§1", "predicted", lucky)
    (row,) = reproduce(keep=tmp_path, claims=(claim,))
    assert (row.verdict, row.ours) == ("short", "0")
    assert row.seeds == {"0": "pass", "1": "short", "2": "short"}
    (alone,) = reproduce(claims=(claim,))
    assert (alone.verdict, alone.seeds) == ("pass", {"0": "pass"})


def test_a_kept_table_that_is_not_one_is_refused(tmp_path):
    (tmp_path / "claims.json").write_text("[]")
    with pytest.raises(SpecError, match="not a table of claims"):
        reproduce(keep=tmp_path, claims=(FINE,))


def test_work_is_shared_among_processes_in_order():
    with Bench(workers=2) as bench:
        assert bench.map(abs, [-3, 2, -1]) == [3, 2, 1]


def test_ids_differ():
    ids = [claim.id for claim in CLAIMS]
    assert len(ids) == len(set(ids))
