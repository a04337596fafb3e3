"""``annelid export``: writes the protocol and the rules as files for other tools."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class ExportKind(StrEnum):
    C_HEADER = "c-header"
    PROTOCOL_PAGE = "protocol-page"
    RULES_PAGE = "rules-page"


def export(
    what: Annotated[ExportKind, typer.Argument(help="File to write.")],
    out: Annotated[
        Path | None, typer.Option(help="Where to write it. Default: the screen.")
    ] = None,
) -> None:
    """Write MICROTUB's protocol as a C header or a page, or its rules as a page.

    Examples:

        annelid export c-header --out microtub_protocol.h

        annelid export rules-page --out docs/inference.md
    """
    from annelid.systems.microtub.inference.page import rules_page
    from annelid.systems.microtub.protocol.c_header import c_header
    from annelid.systems.microtub.protocol.page import docs_page

    makers = {
        ExportKind.C_HEADER: c_header,
        ExportKind.PROTOCOL_PAGE: docs_page,
        ExportKind.RULES_PAGE: rules_page,
    }
    text = makers[what]()
    if out is None:
        typer.echo(text, nl=False)
        return
    out.write_text(text, encoding="utf-8")
    typer.echo(str(out))
