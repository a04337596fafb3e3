"""Makes the picture and the video of a run from its recorded joint positions.

The picture shows the whole world with the robot at the end of the run, and faintly where it was
before.  The video goes with the robot, with the story in captions (``story.py``); it plays in real
time, or faster so that it lasts no longer than a person will watch.  The loop is a short one for a
page: an animated WebP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from annelid.errors import OutputError
from annelid.report.recording import Recording
from annelid.report.story import shown
from annelid.report.story import story as told

if TYPE_CHECKING:
    from annelid.physics.build import Plan
    from annelid.physics.render import Image

Floats = NDArray[np.float64]
Tell = Callable[[float], None]
"""Told the fraction that is done."""

VIDEO = (848, 480)
"""Both sides divide by 16, as the codec wants them."""
LONGEST_S = 40.0
FRAMES_PER_S = 12.0
LOOP = (560, 320)
LOOP_S = 14.0
LOOP_FRAMES_PER_S = 8.0


@dataclass(frozen=True)
class Chapter:
    """What was recorded with one model; cutting or joining begins another."""

    plan: Plan
    times: Floats
    """s."""
    qpos: Floats


def chapters(recording: Recording) -> list[Chapter]:
    return [
        Chapter(states.sim.plan, np.asarray(states.times_ns * 1e-9, np.float64), states.qpos)
        for states in recording.run.states()
        if len(states.times_ns)
    ]


def draw_picture(story: Sequence[Chapter]) -> Image:
    """The last moment, with ghosts of earlier ones that stand clear of each other."""
    from annelid.physics.still import still

    return still(story[-1].plan, story[-1].qpos)


def draw_video(recording: Recording, story: Sequence[Chapter], path: Path, tell: Tell) -> None:
    """Write an H.264 file that browsers play."""
    import imageio_ffmpeg

    film = Film(recording, story, VIDEO, LONGEST_S, FRAMES_PER_S)
    writer = imageio_ffmpeg.write_frames(
        str(path),
        VIDEO,
        fps=film.count / film.lasts,
        codec="libx264",
        output_params=["-crf", "24", "-preset", "veryfast", "-movflags", "+faststart"],
        macro_block_size=16,
        ffmpeg_log_level="error",
    )
    try:
        writer.send(None)
        for number, frame in enumerate(film.frames()):
            writer.send(np.ascontiguousarray(frame))
            tell((number + 1) / film.count)
    except OSError as error:
        raise OutputError(f"{path}: the video could not be written: {error}") from None
    finally:
        writer.close()


def draw_loop(recording: Recording, story: Sequence[Chapter], path: Path) -> None:
    """Write an animated WebP of a few hundred kilobytes, which plays for ever."""
    from PIL import Image as Pictures

    film = Film(recording, story, LOOP, LOOP_S, LOOP_FRAMES_PER_S)
    first, *rest = map(Pictures.fromarray, film.frames())
    first.save(
        path,
        save_all=True,
        append_images=rest,
        duration=round(1000 * film.lasts / film.count),
        loop=0,
        quality=60,
        method=4,
    )


class Film:
    """Which moments of a run are shown, and how."""

    def __init__(
        self,
        recording: Recording,
        story: Sequence[Chapter],
        size: tuple[int, int],
        longest: float,
        rate: float,
    ) -> None:
        begin, end = float(story[0].times[0]), float(story[-1].times[-1])
        self.lasts = min(max(end - begin, 0.5), longest)
        """s."""
        self.count = max(2, round(self.lasts * rate))
        self._story = story
        self._size = size
        self._moments = np.linspace(begin, end, self.count)
        self._caption = _Caption(recording, speed=(end - begin) / self.lasts)

    def frames(self) -> Iterator[Image]:
        for moment, frame in _frames(self._story, self._moments, self._size):
            yield self._caption.on(frame, moment)


def _frames(
    story: Sequence[Chapter], moments: Floats, size: tuple[int, int]
) -> Iterator[tuple[float, Image]]:
    from annelid.physics.render import Painter
    from annelid.physics.view import follow, overview

    width, height = size
    aspect = width / height
    starts = [chapter.times[0] for chapter in story[1:]]
    number_of = np.searchsorted(starts, moments, side="right")
    first = story[0]
    whole = overview(first.plan, [first.qpos[0], first.qpos[-1]], aspect=aspect)
    direction = (whole.azimuth_deg, whole.elevation_deg)
    for number, chapter in enumerate(story):
        own = moments[number_of == number]
        if not len(own):
            continue
        rows = np.clip(np.searchsorted(chapter.times, own), 0, len(chapter.times) - 1)
        states = list(chapter.qpos[rows])
        views = follow(chapter.plan, states, aspect=aspect, direction=direction)
        with Painter(chapter.plan.model, width=width, height=height) as painter:
            for moment, qpos, view in zip(own, states, views, strict=True):
                yield float(moment), painter.frame(qpos, view)


class _Caption:
    """Time, speed of the film, the way done and the story, written into a frame."""

    def __init__(self, recording: Recording, *, speed: float) -> None:
        self._times = recording.time("robot")
        self._way, _ = recording.column("robot", "progress")
        self._goal = recording.scenario.target()
        self._name = f"{recording.letters} · {recording.scenario.name}"
        self._speed = f"×{speed:.1f}" if speed > 1.05 else ""
        self._story = list(shown(told(recording), speed))

    def on(self, frame: Image, moment: float) -> Image:
        from PIL import Image as Pictures
        from PIL import ImageDraw

        picture = Pictures.fromarray(frame)
        pen = ImageDraw.Draw(picture)
        ink, soft = (29, 39, 51), (91, 104, 117)
        width = picture.size[0]
        pen.text((16, 14), self._name, font=_font(15), fill=soft)
        clock = f"{moment:5.1f} s  {self._speed}".rstrip()
        pen.text((width - 16, 14), clock, font=_font(18), fill=ink, anchor="ra")
        if len(self._times):
            way = float(np.interp(moment, self._times, self._way))
            text = f"{way:.0f} mm"
            if self._goal:  # at the top, because players put their buttons at the bottom
                text += f" of {self._goal * 1000:.0f} mm"
                done = min(max(way / (self._goal * 1000), 0.0), 1.0)
                pen.rectangle((0, 0, width, 5), fill=(205, 213, 221))
                pen.rectangle((0, 0, done * width, 5), fill=(31, 111, 178))
            pen.text((16, 36), text, font=_font(15), fill=ink)
        for begin, end, text in self._story:
            if begin <= moment < end:
                self._tell(pen, text, picture.size)
        return np.asarray(picture)

    def _tell(self, pen: Any, text: str, size: tuple[int, int]) -> None:
        """In the lower part, above where players put their buttons; smaller where it is long."""
        width, height = size
        points = next(
            (p for p in (18, 16, 14, 12) if pen.textlength(text, font=_font(p)) < width - 48), 10
        )
        font, at = _font(points), (width / 2, height - 58)
        left, top, right, bottom = pen.textbbox(at, text, font=font, anchor="mm")
        pen.rounded_rectangle((left - 12, top - 8, right + 12, bottom + 8), 8, fill=(29, 39, 51))
        pen.text(at, text, font=font, fill=(255, 255, 255), anchor="mm")


@lru_cache(maxsize=8)
def _font(size: int) -> Any:
    import matplotlib as mpl
    from PIL import ImageFont

    return ImageFont.truetype(str(Path(mpl.get_data_path()) / "fonts/ttf/DejaVuSans.ttf"), size)
