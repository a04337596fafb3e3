"""The handbook: what its pages show works as it stands there, and its reference is whole."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from tests.shown import BY_HAND, LANGUAGES, Block, blocks, do, lines, understood

from annelid.errors import SpecError
from annelid.registry import KINDS, kind
from annelid.report.reference import pages
from annelid.trial.metrics import Metrics
from annelid.trial.scenario import Scenario

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [*sorted(DOCS.rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
SHOWING = [page for page in PAGES if blocks(page.read_text())]
TUTORIALS = [page for page in SHOWING if page.parent.name == "tutorials"]
QUICK = ("behaviours", "exporting", "inference", "sensors", "systems")
"""Pages that are over within a second or two."""


@pytest.mark.timeout(1200)  # that on pipes searches chains
@pytest.mark.parametrize(
    "page",
    [
        page if page.stem in QUICK else pytest.param(page, marks=pytest.mark.slow)
        for page in SHOWING
        if page.name != "README.md"  # test_readme.py does, with what ``make run`` sets up
    ],
    ids=lambda path: path.stem,
)
def test_a_page_can_be_followed_to_its_end(page: Path, tmp_path: Path):
    printed = do(page.read_text(), tmp_path, dict(os.environ))
    for metrics in tmp_path.rglob("metrics.json"):
        assert Metrics.read(metrics).crashed == ()
    if page.stem == "controller":
        ways = re.findall(r"came to (\d+) mm and back to (\d+) mm", printed)
        assert len(ways) == 2
        assert all(int(there) > 140 and int(back) < int(there) - 20 for there, back in ways)


@pytest.mark.parametrize("page", SHOWING, ids=lambda path: path.stem)
def test_every_block_says_what_it_is_and_every_command_is_one(page: Path):
    text = page.read_text()
    for block in blocks(text):
        assert block.language in LANGUAGES, f"```{block.language}: {block.text}"
        if block.language == "sh":
            for words, line in lines(block):
                if words[0] == "annelid" and words[1] != "--install-completion":
                    understood(words)
                assert words[0] in ("annelid", "make", "python") or BY_HAND in line, line
        if block.language == "toml":
            assert block.file or block.scenario, block.text
    for said in re.findall(r"`(annelid [a-z][^`…\[]+)`", text):
        words = ["1" if word.isupper() else word for word in shlex.split(said)]  # SCENARIO, N
        understood(words, whole=False)


def test_a_tutorial_is_typed_by_its_reader():
    assert len(TUTORIALS) == 4
    for page in TUTORIALS:
        found = blocks(page.read_text())
        assert [block.language for block in found if block.language == "sh"]
        for block in found:
            assert block.language in ("sh", "text") or block.file, f"{page.name}: {block.text}"
            assert BY_HAND not in block.text


def test_a_page_that_shows_a_mistake_is_found_out(tmp_path: Path):
    wrong = "```sh\nannelid scenaros\n```\n"
    with pytest.raises(AssertionError, match="scenaros"):
        do(wrong, tmp_path, dict(os.environ))
    right = "```sh\nannelid metrics   # is refused\n```\n"
    with pytest.raises(AssertionError, match="metrics"):
        do(right, tmp_path, dict(os.environ))
    with pytest.raises(ZeroDivisionError):
        do("```python\na = 0\n```\n\n```python\nb = 1 / a\n```\n", tmp_path, {})
    with pytest.raises(SpecError, match="chian"):
        do('```toml\n# in snake\nrobot = {chian = "R"}\n```\n', tmp_path, {})
    with pytest.raises(AssertionError):
        do("](../src/annelid/errors.py):\n\n```python\nclass No: ...\n```\n", tmp_path, {})
    for wrong in ("annelid scenaros", "annelid run --sede 1", "annelid run --seed x"):
        with pytest.raises(AssertionError, match=r"scenaros|sede|seed"):
            understood(shlex.split(wrong))


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
