"""The style of the page: one scale of type, one set of colours, units on everything."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import viser

from annelid.report.plots import COLOURS

if TYPE_CHECKING:
    from annelid.console.source import RunSource

BRAND = (0, 114, 178)
"""The first of the reports' colours."""

SMALL, BODY, LARGE = "0.75rem", "0.8125rem", "1rem"

STYLE = f"""<style>
.mantine-Notifications-root {{ inset: auto auto 1rem 1rem !important; }}
[data-dock-tab] {{ padding: 0 0.6em !important; }}
p.mantine-Text-root:has(> label) {{ letter-spacing: normal !important; color: inherit !important; }}
.mantine-Flex-root:has(> div > .mantine-Textarea-root) {{
  flex-direction: column; align-items: stretch !important; }}
.mantine-Textarea-input {{ min-height: 15em; white-space: pre; overflow-x: auto;
  font-family: ui-monospace, "DejaVu Sans Mono", monospace !important; }}
.an {{ font-size: {BODY}; line-height: 1.4; padding: 0 0.75em 0.25em; }}
.an table {{ border-collapse: collapse; width: 100%; }}
.an th, .an td {{ text-align: left; padding: 0.1em 0.4em 0.1em 0; white-space: nowrap;
  vertical-align: top; }}
.an th {{ font-weight: 600; opacity: 0.7; font-size: {SMALL}; }}
.an td.n, .an th.n {{ text-align: right; font-variant-numeric: tabular-nums; }}
.an .scroll {{ max-height: 22em; overflow: auto; }}
.an .big {{ font-size: {LARGE}; font-weight: 600; font-variant-numeric: tabular-nums; }}
.an .dim {{ opacity: 0.65; }}
.an .bad {{ color: {COLOURS[1]}; font-weight: 600; }}
.an .good {{ color: {COLOURS[2]}; font-weight: 600; }}
.an .wrap td:last-child {{ white-space: normal; }}
.an .plot {{ background: #fff; color: #222; border-radius: 4px; }}
.an .plot svg {{ width: 100%; height: auto; }}
.an code {{ font-size: {SMALL}; }}
</style>"""


def dress(gui: viser.GuiApi, *, dark: bool = False) -> None:
    """Light or dark, for all who look; no logo, and no button that sends the page elsewhere."""
    gui.configure_theme(
        control_width="large",
        dark_mode=dark,
        show_logo=False,
        show_share_button=False,
        brand_color=BRAND,
    )
    gui.set_panel_label("Annelid")
    gui.main_panel.dock_right()


def html(content: str) -> str:
    """In our type; the styles are on the page once (``STYLE``)."""
    return f'<div class="an">{content}</div>'


def table(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = ()
) -> str:
    """Cells are HTML already; columns in ``numbers`` stand to the right."""

    def cells(tag: str, row: Sequence[str]) -> str:
        kinds = (' class="n"' if place in numbers else "" for place in range(len(row)))
        return "".join(
            f"<{tag}{kind}>{cell}</{tag}>" for kind, cell in zip(kinds, row, strict=True)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return (
        f'<div class="scroll"><table class="wrap"><thead><tr>{cells("th", head)}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def bad(text: str) -> str:
    return f'<span class="bad">{escape(text)}</span>'


def good(text: str) -> str:
    return f'<span class="good">{escape(text)}</span>'


def dim(text: str) -> str:
    return f'<span class="dim">{escape(text)}</span>'


def status(session: RunSource) -> str:
    """Time, pace and how far it has come, in one line."""
    name = "" if session.scenario is None else session.scenario.name
    readings, ended = session.readings, session.ended
    if ended is not None:
        state = bad(f"ended: {ended.error or ended.reason}")
    elif session.frame is None:
        state = dim("building …")
    elif session.paused:
        state = dim("paused")
    else:
        state = good("running")
    parts = [f'<span class="big">{session.now_s:.2f} s</span>', state]
    if readings is not None:
        if not session.paused:
            parts.append(dim(f"{readings.speed:.2f} × real time"))
        parts.append(f"{round(readings.progress_m * 1000) + 0} mm")
        if readings.volts is not None:
            parts.append(f"{readings.volts:.2f} V")
    return html(f"<div><b>{escape(name)}</b></div>" + " · ".join(parts))
