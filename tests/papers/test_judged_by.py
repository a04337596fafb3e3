"""Which rows of the kept table were measured with the judge as it is now."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from annelid.papers import CLAIMS, Bench, Claim, Outcome, judged_by, reproduce
from annelid.papers.judged_by import digest, standing, standings
from annelid.papers.record import keep_table
from annelid.trial.load import shipped


def fine(bench: Bench) -> Outcome:
    return Outcome("3 cm/s", True)


ONE = Claim("A1", "it moves", "§1", "predicted", fine, "a01_it_moves")
TWO = Claim("A2", "it is fast", "§2", "predicted", fine, "a02_it_is_fast")
JUDGE = "from annelid.papers.shared import limit\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Judges of two rows; the second takes its limit from a module that both might use."""
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "a01_it_moves.py").write_text("SCENARIO = 'a09-mixed'\n")
    (folder / "a02_it_is_fast.py").write_text(JUDGE)
    (folder / "shared.py").write_text("limit = 1\n")
    (folder / "bench.py").write_text("")
    monkeypatch.setattr(judged_by, "FOLDER", folder)
    monkeypatch.setattr(
        "annelid.papers.record.digest", lambda claim, runs: digest(claim, runs, folder=folder)
    )
    monkeypatch.setattr(judged_by, "digest", lambda claim, runs: digest(claim, runs, folder=folder))
    return folder


def heading(table: Path) -> str:
    return (table / "claims.md").read_text().splitlines()[2]


def test_a_row_whose_judge_changed_is_marked_and_does_not_count(folder, tmp_path):
    table = tmp_path / "results"
    reproduce(keep=table, claims=(ONE, TWO), workers=1)
    assert heading(table).startswith("2 of 2 pass as judged today; 0 measured with an older judge")
    (folder / "a02_it_is_fast.py").write_text(JUDGE + "# stricter\n")
    reproduce(["A1"], keep=table, claims=(ONE, TWO), workers=1)
    assert heading(table).startswith("1 of 2 pass as judged today; 1 measured with an older judge")
    told = (table / "claims.md").read_text()
    assert "| it is fast | §2 | predicted | 3 cm/s | pass (older judge) |" in told
    assert "| it moves | §1 | predicted | 3 cm/s | pass |" in told
    reproduce(["A2"], keep=table, claims=(ONE, TWO), workers=1)
    assert heading(table).startswith("2 of 2 pass")


def test_what_a_judge_imports_belongs_to_it(folder):
    before = [digest(claim, (), folder=folder) for claim in (ONE, TWO)]
    (folder / "shared.py").write_text("limit = 2\n")
    assert digest(ONE, (), folder=folder) == before[0]
    assert digest(TWO, (), folder=folder) != before[1]


def test_the_frame_of_all_rows_judges_none(folder):
    (folder / "a01_it_moves.py").write_text("from annelid.papers import bench\n")
    before = digest(ONE, (), folder=folder)
    (folder / "bench.py").write_text("speed = 1\n")
    assert digest(ONE, (), folder=folder) == before


def test_a_changed_scenario_is_another_judge(folder, tmp_path, monkeypatch):
    before, other = digest(ONE, (), folder=folder), digest(TWO, ("a11-stl",), folder=folder)
    for name in ("a09-mixed.toml", "a11-stl.toml", "a11-tube.stl"):
        path = next(iter(shipped(claims=True).values())).with_name(name)
        (tmp_path / name).write_bytes(path.read_bytes())

    def pretended(*, claims: bool = False):
        return {path.stem: path for path in tmp_path.glob("*.toml")} if claims else {}

    monkeypatch.setattr(judged_by, "scenarios", pretended)
    assert digest(ONE, (), folder=folder) == before
    (tmp_path / "a09-mixed.toml").write_text("duration_s = 1\n")
    assert digest(ONE, (), folder=folder) != before, "one that the module names"
    assert digest(TWO, ("a11-stl",), folder=folder) == other
    (tmp_path / "a11-tube.stl").write_bytes(b"another tube")
    assert digest(TWO, ("a11-stl",), folder=folder) != other, "the mesh of one that has run"


def test_a_search_is_judged_by_its_study_too(monkeypatch, tmp_path):
    search = next(claim for claim in CLAIMS if claim.id == "B19")
    before = digest(search, ())
    (tmp_path / "undulating.toml").write_text("name = 'undulating'\n")
    paths = {"undulating": tmp_path / "undulating.toml"}
    monkeypatch.setattr(judged_by, "studies", lambda: paths)
    assert digest(search, ()) != before


def test_a_row_without_a_digest_was_measured_with_an_older_judge():
    assert standing({"id": "A1", "verdict": "pass"}, ONE) == "older judge"
    assert standing({"id": "A1", "judge": "0" * 16}, None) == "older judge"
    assert standing(None, ONE) == "not measured"


@pytest.mark.parametrize(("then", "now", "found"), [(1, 1, "current"), (1, 2, "older judge")])
def test_without_a_digest_the_files_of_its_commit_tell(folder, then, now, found):
    def git(*words: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@b.example")
        ran = subprocess.run(
            ["git", "-C", folder, *who, *words], capture_output=True, text=True, check=True
        )
        return ran.stdout.strip()

    git("init", "-q")
    (folder / "shared.py").write_text(f"limit = {then}\n")
    git("add", ".")
    git("commit", "-qm", "measured")
    record = {"id": "A2", "verdict": "pass", "runs": {}, "commit": git("rev-parse", "HEAD")}
    (folder / "shared.py").write_text(f"limit = {now}\n")
    assert standing(record, TWO) == found
    assert standing({**record, "commit": 40 * "0"}, TWO) == "older judge", "unknown to git"


def test_rows_that_were_never_measured_are_listed(folder, tmp_path):
    reproduce(["A1"], keep=tmp_path / "results", claims=(ONE, TWO), workers=1)
    table = (tmp_path / "results" / "claims.md").read_text()
    assert "1 of 2 pass as judged today; 0 measured with an older judge; 1 not measured" in table
    assert "| A2 | it is fast | §2 | predicted | – | not measured | – |" in table
    rows = json.loads((tmp_path / "results" / "claims.json").read_text())["rows"]
    assert [row["id"] for row in rows] == ["A1"]


def test_the_order_is_that_of_the_claims(folder):
    found = standings([{"id": "Z9"}, {"id": "A2"}], (ONE, TWO))
    assert [row["id"] for row, _ in found] == ["A1", "A2", "Z9"]


def test_every_shipped_claim_names_a_file_that_is_there():
    assert not [c.id for c in CLAIMS if not (judged_by.FOLDER / f"{c.file}.py").is_file()]


def test_the_table_of_all_claims_can_be_written_anew_without_measuring(tmp_path):
    keep_table(tmp_path, [], commit=None, date="2026-01-01")
    assert f"0 of {len(CLAIMS)} pass" in heading(tmp_path)
    assert "| B25 | What a robot tells its operator is so |" in (tmp_path / "claims.md").read_text()
