"""The report of one run: page, picture and video, in the run folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from annelid.boundary.files import write_file
from annelid.physics.still import encode
from annelid.report import page, summary
from annelid.report.as_built import as_built_section
from annelid.report.figures import all_plots
from annelid.report.film import Chapter, chapters, draw_picture, draw_video
from annelid.report.happened import events_section
from annelid.report.in_control import control_section
from annelid.report.in_step import phase_section
from annelid.report.recording import Recording
from annelid.report.servo_table import servo_section
from annelid.report.supply import power_section
from annelid.report.system import system_sections
from annelid.report.wire import wire_section
from annelid.trial.folder import PICTURE, VIDEO
from annelid.trial.plugins import Plugins

Progress = Callable[[float, str], None]
"""``(fraction done, what is being done)``."""

INLINE_VIDEO = 6_000_000
"""Bytes up to which the video goes into the page itself."""


@dataclass(frozen=True)
class ReportPaths:
    """What was written; a picture that could not be drawn is None, and ``note`` says why."""

    report: Path
    picture: Path | None
    video: Path | None
    note: str | None


def write_report(
    run_folder: Path | str,
    *,
    video: bool = True,
    plugins: Plugins = Plugins(),  # noqa: B008
    progress: Progress | None = None,
) -> ReportPaths:
    """Draw what a run recorded, also one that was cut short, into its own folder."""
    from annelid.physics import render

    tell = progress or _silent
    recording = Recording(run_folder, plugins=plugins)
    folder = recording.folder
    tell(0.0, "reading the run")
    story = chapters(recording)
    why_not = render.available()
    if why_not is None and not story:
        why_not = "no pictures: this run recorded no joint positions (record.state_hz = 0)"
    picture: bytes | None = None
    picture_path = video_path = None
    if why_not is None:
        tell(0.05, "picture")
        drawn = draw_picture(story)
        picture = encode(drawn, "jpeg")
        picture_path = write_file(folder / PICTURE, encode(drawn, "png"))
        if video:
            video_path = folder / VIDEO
            draw_video(recording, story, video_path, lambda f: tell(0.1 + 0.7 * f, "video"))
    tell(0.85, "plots")
    html = _page(recording, story, picture, video_path, why_not)
    tell(0.98, "page")
    written = write_file(folder / "report.html", html)
    tell(1.0, "done")
    return ReportPaths(written, picture_path, video_path, why_not)


def _silent(fraction: float, what: str) -> None:
    pass


def _page(
    recording: Recording,
    story: Sequence[Chapter],
    picture: bytes | None,
    video: Path | None,
    note: str | None,
) -> str:
    scenario, metrics = recording.scenario, recording.metrics
    body = [
        page.heading(
            f"Annelid · run {recording.folder.resolve().name} · seed {scenario.seed}",
            summary.headline(recording),
            summary.story(recording),
            badge=summary.badge(metrics),
        ),
        page.tiles(summary.facts(metrics)),
    ]
    if note is not None:
        body.append(page.note(note))
    if picture is not None:
        alt = f"{recording.letters} in its world"
        caption = "The robot at the end of the run; faint: where it was before, if well apart."
        body.append(page.figure(page.image(picture, "image/jpeg", alt=alt), caption))
    if video is not None:
        body.append(_video(video))
    body += system_sections(recording)
    body += _sections(recording, control_section, phase_section)
    for plot in all_plots(recording, story[0].plan if story else None):
        body.append(page.section(plot.title, page.figure(plot.svg, plot.caption)))
    body += _sections(recording, servo_section, wire_section, power_section, as_built_section)
    body += [_numbers(recording), events_section(recording), _again(recording)]
    return page.page(summary.headline(recording), body)


def _sections(recording: Recording, *kinds: Callable[[Recording], str | None]) -> list[str]:
    """Those that this run has anything for."""
    return [section for make in kinds if (section := make(recording)) is not None]


def _video(path: Path) -> str:
    data = path.read_bytes()
    source = page.inline(data, "video/mp4") if len(data) <= INLINE_VIDEO else path.name
    caption = f"Also in {path.name}."
    return page.figure(
        f'<video controls muted loop preload="metadata" src="{source}"></video>', caption
    )


def _numbers(recording: Recording) -> str:
    rows = summary.rows(recording.metrics)
    if not rows:
        return page.section("Numbers", page.paragraph("The run was cut short before it wrote any."))
    half = -(-len(rows) // 2)
    left, right = rows[:half], [*rows[half:], ("", "")][:half]
    paired = [(*a, *b) for a, b in zip(left, right, strict=False)]
    return page.section(
        "Numbers", page.table(("name", "value", "name", "value"), paired, numbers=(1, 3))
    )


def _again(recording: Recording) -> str:
    folder = escape(str(recording.folder))
    return page.section(
        "The scenario, and how to run it again",
        page.text_block(recording.scenario_text),
        page.paragraph("The same scenario gives the same run, bit for bit:"),
        f"<pre>annelid replay {folder}\nannelid run {folder}/scenario.toml</pre>",
    )
