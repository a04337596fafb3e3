"""The listings of the page on CONRO are the programs that run."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from annelid.systems.conro.spec import ConroSpec
from annelid.trial.load import shipped

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "conro.md").read_text()
LISTINGS = dict(re.findall(r"\]\(\.\./([\w/]+\.py)\):\n\n```python\n(.*?)\n```", PAGE, re.DOTALL))


@pytest.mark.parametrize("program", ["tree", "ring", "walker", "general", "wall"])
def test_a_listing_is_the_whole_of_its_program(program: str) -> None:
    file = f"src/annelid/systems/conro/{program}.py"
    listed = LISTINGS[file]
    assert listed.startswith(f"def {program}(")
    assert (ROOT / file).read_text().endswith(f"\n{listed}\n")


def test_every_scenario_it_names_is_shipped() -> None:
    named = re.findall(r"^annelid run ([\w-]+)", PAGE, re.MULTILINE)
    assert len(named) > 5
    assert set(named) <= set(shipped())


def test_its_options_are_options() -> None:
    listed = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    options = [found for text in listed if (found := tomllib.loads(text).get("control"))]
    assert len(options) == 2
    for each in options:
        ConroSpec.parse(each["options"], where="page")
