"""A class name means one thing: a reader who searches for it finds one class."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import annelid

SOURCE = Path(annelid.__file__).parent


def test_no_class_name_is_defined_twice() -> None:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE)
        if place.parts[0] == "papers":  # each experiment there stands by itself
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{place}:{node.lineno}")
    twice = {name: where for name, where in places.items() if len(where) > 1}
    assert not twice, f"rename all but one: {twice}"
