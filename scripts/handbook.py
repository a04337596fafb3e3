"""Adds to the handbook what is not written by hand (a hook of mkdocs.yml).

- The reference: every field, metric and command, read from the code at each build.
- The changelog, the contributor's page and the results, which stand outside of ``docs/``.
- A page of ``docs/`` that the navigation does not name is put at the end of How-to.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from annelid.registry import KINDS

ROOT = Path(__file__).parents[1]
OUTSIDE = ("CHANGELOG.md", "CONTRIBUTING.md")
REFERENCE = "reference"
UNNAMED = "How-to"


def on_config(config: Any) -> Any:
    """Name the pages that nobody named."""
    named = set(re.findall(r"[\w./-]+\.md", str(config["nav"])))
    docs = Path(config["docs_dir"])
    found = sorted(str(path.relative_to(docs)) for path in docs.rglob("*.md"))
    kinds = [f"{REFERENCE}/{name}s.md" for name in KINDS]
    for section, pages in ((UNNAMED, found), (REFERENCE.capitalize(), kinds)):
        (there,) = [part[section] for part in config["nav"] if section in part]
        there += [page for page in pages if page not in named]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Make the pages that are not in ``docs/``."""
    from annelid.report.reference import pages

    texts = {f"{REFERENCE}/{name}": text for name, text in pages().items()}
    texts[f"{REFERENCE}/commands.md"] = _commands()
    texts |= {name: (ROOT / name).read_text(encoding="utf-8") for name in OUTSIDE}
    for path in sorted((ROOT / "results").rglob("*")):
        if path.suffix in (".md", ".svg"):
            texts[str(path.relative_to(ROOT))] = path.read_text(encoding="utf-8")
    for name, text in texts.items():
        made = File.generated(config, name, content=text)
        made.edit_uri = None
        if name.startswith("results/") and name != "results/claims.md":
            made.inclusion = type(made.inclusion).NOT_IN_NAV
        files.append(made)
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links that lead out of ``docs/`` in the repository lead to the pages made here."""
    markdown = re.sub(r"\[([^\]]+)\]\((?:\.\./)*(?:src|examples)/[^)]+\)", r"\1", markdown)
    if page.file.src_uri in OUTSIDE:
        return markdown.replace("](docs/", "](")
    if page.file.src_uri.startswith("results/"):
        return markdown.replace("](../docs/", "](../").replace("](../../docs/", "](../../")
    return markdown.replace("](../results/", "](results/").replace("](../C", "](C")


def on_page_content(html: str, **_: Any) -> str:
    """Docstrings are written for readers of the source: their marks mean nothing on a page."""
    html = re.sub(r":(?:func|class|mod|meth|attr|data|exc):(?=<code>)", "", html)
    return html.replace("<p>::</p>", "")


def _commands() -> str:
    """Each command with its arguments and options, as ``--help`` has them."""
    import typer

    from annelid.cli.main import app

    group: Any = typer.main.get_command(app)
    lines = ["# Commands", "", "`annelid COMMAND --help` prints the same.", ""]
    for name in sorted(group.commands):
        command = group.commands[name]
        if hasattr(command, "make_context") and not command.params:
            context = command.make_context(name, [], resilient_parsing=True)
            command = context.command
        lines += [f"## annelid {name}", "", *_told(command.help or ""), ""]
        rows = [row for row in map(_parameter, command.params) if row]
        if rows:
            lines += ["| | |", "|---|---|", *rows, ""]
    return "\n".join(lines) + "\n"


def _told(text: str) -> list[str]:
    """Help text; its examples are indented, which Markdown takes for code."""
    return [re.sub(r"^ {2,}", "    ", line) for line in text.splitlines()]


def _parameter(parameter: Any) -> str:
    about = (getattr(parameter, "help", "") or "").replace("|", r"\|")
    if parameter.param_type_name == "argument":
        return f"| `{str(parameter.name).upper()}` | {about} |"
    if "--help" in parameter.opts:
        return ""
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    return f"| {names} | {about} |"
