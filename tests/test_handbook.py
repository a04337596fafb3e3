"""The handbook: what its pages show works as it stands there, and its reference is whole."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from tests.shown import Block, blocks, do

from annelid.registry import KINDS, kind
from annelid.report.reference import pages
from annelid.trial.metrics import Metrics
from annelid.trial.scenario import Scenario

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
TRIED = [*sorted((DOCS / "tutorials").glob("*.md")), DOCS / "install.md"]
"""Pages whose commands are typed in their order."""


@pytest.mark.slow
@pytest.mark.parametrize("page", TRIED, ids=lambda path: path.stem)
def test_a_page_can_be_followed_to_its_end(page: Path, tmp_path: Path):
    printed = do(page.read_text(), tmp_path, dict(os.environ))
    for metrics in tmp_path.rglob("metrics.json"):
        assert Metrics.read(metrics).crashed == ()
    if page.stem == "controller":
        ways = re.findall(r"came to (\d+) mm and back to (\d+) mm", printed)
        assert len(ways) == 2
        assert all(int(there) > 140 and int(back) < int(there) - 20 for there, back in ways)


def test_every_tutorial_shows_commands_and_names_its_files():
    assert len(TRIED) == 5
    for page in TRIED:
        found = blocks(page.read_text())
        assert [block.language for block in found if block.language == "sh"]
        for block in found:
            if block.language in ("toml", "python"):
                assert block.file, f"{page.name}: {block.text}"


def test_a_page_that_shows_a_mistake_is_found_out(tmp_path: Path):
    wrong = "```sh\nannelid scenaros\n```\n"
    with pytest.raises(AssertionError, match="scenaros"):
        do(wrong, tmp_path, dict(os.environ))
    right = "```sh\nannelid metrics   # is refused\n```\n"
    with pytest.raises(AssertionError, match="metrics"):
        do(right, tmp_path, dict(os.environ))


def test_the_editors_page_names_a_schema_that_its_example_fits(tmp_path: Path):
    page = (DOCS / "editors.md").read_text()
    example, *_ = [block for block in blocks(page) if block.language == "toml"]
    assert example.text.startswith("#:schema ./scenario.schema.json\n")
    commands = [block for block in blocks(page) if block.text.startswith("annelid schema")]
    do("```sh\n" + commands[0].text.splitlines()[0] + "\n```\n", tmp_path, dict(os.environ))
    schema = json.loads((tmp_path / "scenario.schema.json").read_text())
    table = tomllib.loads(example.text)
    assert [*Draft202012Validator(schema).iter_errors(table)] == []
    assert [*Draft202012Validator(schema).iter_errors({**table, "nmae": "x"})]


def test_a_block_is_saved_where_it_says():
    assert Block("toml", "# elbow.toml\nname = 1\n").file == "elbow.toml"
    assert Block("toml", "name = 1\n").file is None


def test_the_reference_has_every_name_and_every_field():
    made = pages()
    for name in KINDS:
        for member in kind(name).table():
            assert f"`{member}`" in made[f"{name}s.md"]
    for field in Scenario.model_fields:
        assert f"| `{field}` |" in made["scenario.md"]
    for field in Metrics.model_fields:
        assert f"| `{field}` |" in made["metrics.md"]
    assert "| `radius_mm` | 60 | mm |" in made["worlds.md"]
    for text in made.values():
        assert "PydanticUndefined" not in text


def test_every_page_is_reached_from_the_navigation_or_left_to_it():
    named = re.findall(r"[\w./-]+\.md", (ROOT / "mkdocs.yml").read_text())
    assert len(named) == len(set(named)), "a page is named twice"
    outside = ("reference/", "results/", "CHANGELOG", "CONTRIBUTING")
    for page in named:
        assert page.startswith(outside) or (DOCS / page).is_file(), page


@pytest.mark.slow
def test_the_handbook_is_built_without_a_warning_and_needs_no_network(tmp_path: Path):
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    for name in ("index.html", "reference/metrics.html", "reference/commands.html", "api.html"):
        html = (tmp_path / name).read_text()
        fetched = re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)"', html)
        assert fetched == [], name
    assert "annelid sweep" in (tmp_path / "reference/commands.html").read_text()
    assert "from_datasheet" in (tmp_path / "api.html").read_text()
