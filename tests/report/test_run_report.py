"""A report must tell a stranger what happened, alone, with or without pictures."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest

from annelid.errors import MissingFile
from annelid.physics import render
from annelid.report import ReportPaths, write_report
from annelid.report.film import (
    FRAMES_PER_S,
    LONGEST_S,
    LOOP_FRAMES_PER_S,
    VIDEO,
    Film,
    chapters,
    draw_loop,
)
from annelid.report.recording import Recording

ROOT = Path(__file__).parents[2]

OUTSIDE = re.compile(
    r"""(https?:)?//[a-z0-9]|@import|\b(src|href)=["'](?!data:|#)""", re.IGNORECASE
)
"""An address of anything that is not inside the page."""

BASE64 = re.compile(r"base64,[A-Za-z0-9+/=]+")


Told = list[tuple[float, str]]


@pytest.fixture(scope="module")
def written(run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[ReportPaths, Told]:
    folder = tmp_path_factory.mktemp("report") / "short-001"
    shutil.copytree(run_folder, folder)
    told: Told = []
    return write_report(folder, progress=lambda *step: told.append(step)), told


@pytest.fixture(scope="module")
def html(written: tuple[ReportPaths, Told]) -> str:
    return written[0].report.read_text(encoding="utf-8")


def test_the_headline_says_who_how_far_and_how_long(html):
    title = re.search(r"<h1>(.*?)</h1>", html)
    assert title is not None
    assert re.fullmatch(r"TRHV did not reach the goal: \d+ mm of 794 mm in 1\.5 s", title[1])
    assert "goal not reached" in html
    assert "A head pulled by a screw." in html
    assert "touch and camera, rotation, helicoidal, traveller" in html


def test_tiles_and_table_have_the_numbers_of_the_run(html, run_folder):
    metrics = json.loads((run_folder / "metrics.json").read_text())
    tiles = {what: value for value, what in re.findall(r"<b>(.*?)</b><span>(.*?)</span>", html)}
    for what, name, factor, unit in (
        ("progress of the head", "progress_m", 1000, "mm"),
        ("mean speed", "speed_m_s", 1000, "mm/s"),
        ("simulated time", "time_s", 1, "s"),
        ("energy drawn", "energy_j", 1, "J"),
        ("cost of transport", "cost_of_transport", 1, ""),
        ("highest filtered current", "peak_current_a", 1000, "mA"),
        ("hottest winding", "hottest_c", 1, "°C"),
        ("mass of 4 modules", "mass_kg", 1000, "g"),
    ):
        (shown,) = [value for text, value in tiles.items() if text.startswith(what)]
        number, _, shown_unit = shown.partition(" ")
        assert shown_unit == unit, what
        assert float(number) == pytest.approx(metrics[name] * factor, rel=0.02), what
        assert f"<td>{name}</td><td class=number>{metrics[name]:.4g}</td>" in html


def test_every_plot_is_there_with_units(html):
    for heading in (
        *("Position", "Path", "Servo angles", "Current", "Temperature", "Energy", "Sensors"),
        *("Numbers", "Events"),
    ):
        assert f"<h2>{heading}</h2>" in html
    assert html.count("<svg") == 7
    for label in (
        *("progress of the head (mm)", "x (mm)", "angle (°)", "filtered current (mA)"),
        *("winding temperature (°C)", "power of all motors (W)", "energy drawn so far (J)"),
        *("infrared (mm)", "accelerometer (m/s²)", "cost_of_transport"),
    ):
        assert label in html
    assert "limp servo R1.yaw" in html  # marked in the plots
    assert "annelid replay" in html


def test_the_page_needs_nothing_from_outside(html):
    found = OUTSIDE.search(BASE64.sub("", html))
    assert found is None, html[found.start() - 80 : found.end() + 80]


def test_picture_and_video_or_one_line(written, html):
    paths, _ = written
    reason = render.available()
    if reason is not None:
        assert paths == ReportPaths(paths.report, None, None, reason)
        assert "apt-get install libegl1" in html
        return
    assert paths.note is None
    assert paths.picture is not None
    assert paths.picture.read_bytes().startswith(b"\x89PNG")
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(paths.video))
    assert frames == pytest.approx(1.5 * FRAMES_PER_S, abs=2)  # real time
    assert seconds == pytest.approx(1.5, abs=0.2)
    assert 'src="data:video/mp4' in html


def test_a_long_run_lasts_as_long_as_a_person_will_watch(run_folder):
    """The default run takes three minutes: it is shown faster, in 30 to 60 seconds."""
    recording = Recording(run_folder)
    (chapter, *_) = chapters(recording)
    times = np.linspace(0.0, 188.0, len(chapter.times))
    film = Film(recording, [replace(chapter, times=times)], VIDEO, LONGEST_S, FRAMES_PER_S)
    assert 30 <= film.lasts <= 60
    assert film.count == film.lasts * FRAMES_PER_S


def test_a_loop_for_a_page_moves_and_is_small(run_folder, tmp_path):
    if (why := render.available()) is not None:
        pytest.skip(why)
    from PIL import Image, ImageSequence

    recording = Recording(run_folder)
    draw_loop(recording, chapters(recording), tmp_path / "loop.webp")
    with Image.open(tmp_path / "loop.webp") as loop:
        frames = len([*ImageSequence.Iterator(loop)])
        assert frames == pytest.approx(1.5 * LOOP_FRAMES_PER_S, abs=1)
        assert loop.info["loop"] == 0
    shown = (ROOT / "docs" / "pictures" / "default.webp").stat().st_size
    assert 100_000 < shown < 2_000_000
    assert "docs/pictures/default.webp" in (ROOT / "README.md").read_text().partition("##")[0]


def test_progress_is_told_from_beginning_to_end(written):
    told = [fraction for fraction, _ in written[1]]
    assert told[0] == 0.0
    assert told[-1] == 1.0
    assert told == sorted(told)


def test_without_pictures_everything_else_is_there(run_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("MUJOCO_GL", "disabled")
    folder = tmp_path / "short-001"
    shutil.copytree(run_folder, folder)
    paths = write_report(folder)
    assert paths.picture is None
    assert paths.video is None
    assert paths.note is not None
    assert "\n" not in paths.note
    text = paths.report.read_text(encoding="utf-8")
    assert paths.note in text
    assert text.count("<svg") == 7
    assert "<img" not in text


def test_a_run_that_was_killed_is_shown_as_far_as_it_goes(run_folder, tmp_path):
    folder = tmp_path / "short-001"
    shutil.copytree(run_folder, folder)
    (folder / "metrics.json").unlink()
    (folder / "seal.json").unlink()
    paths = write_report(folder, video=False)
    text = paths.report.read_text(encoding="utf-8")
    assert "cut short" in text
    assert text.count("<svg") == 7
    assert paths.video is None


def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(MissingFile, match="expected a run folder"):
        write_report(tmp_path)
