"""Which rows use a scenario of the claims, as the rows' own modules tell.

A row uses the scenarios that its module names, and those named in what it takes from other modules
of this folder: B23 takes functions of B22 and gives them a scenario of its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from annelid.papers.claim import CLAIMS, Claim
from annelid.trial.load import shipped

FOLDER: Final = Path(__file__).parent
PACKAGE: Final = "annelid.papers"


def rows_of_scenarios(claims: Sequence[Claim] = CLAIMS) -> dict[str, list[str]]:
    """Every scenario of the claims, and the ids of the rows that use it."""
    rows: dict[str, list[str]] = {name: [] for name in shipped(claims=True)}
    for claim in claims:
        for name in _named(claim.file, None, rows):
            rows[name].append(claim.id)
    return rows


def _named(module: str, wanted: Collection[str] | None, names: Collection[str]) -> set[str]:
    """Those of ``names`` that stand in what is ``wanted`` of a module; None: in all of it."""
    path = FOLDER / f"{module}.py"
    if not path.is_file():
        return set()
    tree = ast.parse(path.read_bytes())
    nodes = list(ast.walk(tree)) if wanted is None else _reached(tree, wanted)
    found = {name for node in nodes for name in _meant(node, names)}
    for taken, parts in _taken(tree, nodes):
        found |= _named(taken, parts, names)
    return found


def _meant(node: ast.AST, names: Collection[str]) -> Iterable[str]:
    """``f"a05-{drive}"`` stands for all that begin so."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value} & set(names)
    if not isinstance(node, ast.JoinedStr) or not isinstance(node.values[0], ast.Constant):
        return ()
    parts = (re.escape(str(p.value)) if isinstance(p, ast.Constant) else ".+" for p in node.values)
    pattern = re.compile("".join(parts))
    return (name for name in names if pattern.fullmatch(name))


def _reached(tree: ast.Module, wanted: Collection[str]) -> list[ast.AST]:
    """What stands in these functions, classes and constants, and in those that they use.  Defaults
    of parameters are left out: who calls may give something else."""
    defined = {name: node for node in tree.body for name in _defines(node)}
    found: dict[str, list[ast.AST]] = {}
    todo = list(wanted)
    while todo:
        name = todo.pop()
        if name in found or name not in defined:
            continue
        found[name] = list(_inside(defined[name]))
        todo += [node.id for node in found[name] if isinstance(node, ast.Name)]
    return [node for nodes in found.values() for node in nodes]


def _defines(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    yield from (target.id for target in targets if isinstance(target, ast.Name))


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.arguments):
            yield from _inside(child)


def _taken(tree: ast.Module, nodes: Sequence[ast.AST]) -> Iterator[tuple[str, set[str]]]:
    """Modules of this folder, and what of them stands in ``nodes``."""
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        known = {alias.asname or alias.name: alias.name for alias in node.names}
        if node.module == PACKAGE:
            for called, module in known.items():
                yield module, _attributes(called, nodes)
        elif node.module.startswith(f"{PACKAGE}."):
            parts = {name for called, name in known.items() if called in names}
            yield node.module.removeprefix(f"{PACKAGE}."), parts


def _attributes(of: str, nodes: Sequence[ast.AST]) -> set[str]:
    return {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == of
    }
