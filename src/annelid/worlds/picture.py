"""Draws a pipe network as SVG, without simulating anything: from above and from the side.

A tube of radius r is a line as wide as its bore along the projected centre line, so elbows, tees
and loops need no geometry of their own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

import numpy as np

from annelid.worlds.tubes import Break, Floats, Tube, TubeNetwork

WIDTH, TALLEST = 960, 420
"""px, of the picture and of one view."""
MARGIN_M, LABEL_M = 0.08, 0.03
"""Around the pipes, and from an end to its label."""
WALL_M: Final = 0.003
"""Thickness that is drawn."""
GAP: Final = 46
"""Between the two views, px: room for a title."""
BEND_STEP: Final = 0.05
"""rad between the points of a bend."""
TEXT: Final = "font-family='sans-serif' font-size='12'"
INK, SOFT, BORE, RED = "#1d2733", "#5b6875", "#dbe7f1", "#c0392b"

VIEWS: Final = (("from above", (0, 1)), ("from the side", (0, 2)))
FLAT_M: Final = 0.002
"""A network that rises less than this beyond its bore is level."""


def svg(network: TubeNetwork, *, title: str = "") -> str:
    """A whole SVG document; a level network has one view."""
    low, high = network.bounding_box()
    level = high[2] - low[2] < 2 * max(t.radius_start for t in network.tubes) + FLAT_M
    views = VIEWS[:1] if level else VIEWS
    wide, deep, tall = (float(size) + 2 * MARGIN_M for size in high - low)
    scale = min(WIDTH / wide, TALLEST / deep, TALLEST / tall)
    body: list[str] = []
    top = 26.0 if title else 0.0
    for name, axes in views:
        height = scale * float(high[axes[1]] - low[axes[1]] + 2 * MARGIN_M)
        corner = np.array([low[axes[0]] - MARGIN_M, high[axes[1]] + MARGIN_M])
        shown = _View(network, axes, corner, scale, top + GAP - 20)
        body.append(_text(8, top + 16, name + (" (level)" if level else ""), SOFT))
        body += shown.lines()
        top += height + GAP
    head = _text(8, 17, title, INK) if title else ""
    body.append(_ruler(scale, top + 4))
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {top + 30:.0f}' "
        f"role='img' aria-label='{escape(title or 'pipe network', quote=True)}'>"
        f"<rect width='100%' height='100%' fill='white'/>{head}{''.join(body)}</svg>\n"
    )


class _View:
    def __init__(
        self,
        network: TubeNetwork,
        axes: tuple[int, int],
        corner: Floats,
        scale: float,
        top: float,
    ) -> None:
        self._network, self._axes = network, axes
        self._corner, self._scale, self._top = corner, scale, top

    def lines(self) -> Iterator[str]:
        """All walls first, then all bores: where tubes meet there is no wall between them."""
        for tube in self._network.tubes:
            yield from self._tube(tube, INK, 2 * WALL_M)
        for tube in self._network.tubes:
            yield from self._tube(tube, BORE, 0.0)
        for tube in self._network.tubes:
            if tube.closed_end:
                yield self._cap(tube)
        for fault in self._network.breaks:
            yield self._break(fault)
        ends = self._network.ends()
        for number, point in ends.items():
            tube = self._network.tubes[number]
            beyond = np.array(point) + LABEL_M * tube.frame(tube.length)[1]
            yield self._label(beyond, f"{tube.part}: {'capped' if tube.closed_end else 'open'}")
        yield self._inlet()

    def _px(self, point: Sequence[float] | Floats) -> tuple[float, float]:
        x, y = (float(point[axis]) for axis in self._axes)
        return (
            (x - float(self._corner[0])) * self._scale,
            (float(self._corner[1]) - y) * self._scale + self._top,
        )

    def _tube(self, tube: Tube, colour: str, wider: float) -> Iterator[str]:
        pieces = max(1, math.ceil(tube.angle / BEND_STEP)) if tube.bent else 1
        if tube.radius_start != tube.radius_end:
            pieces = 12
        places = np.linspace(0.0, tube.length, pieces + 1)
        points = [self._px(tube.frame(float(s))[0]) for s in places]
        if tube.radius_start == tube.radius_end:
            groups = [(points, tube.radius_start)]
        else:
            groups = [
                (points[k : k + 2], tube.radius(float(places[k : k + 2].mean())))
                for k in range(pieces)
            ]
        for line, radius in groups:
            where = " ".join(f"{x:.1f},{y:.1f}" for x, y in line)
            wide = (2 * radius + wider) * self._scale
            yield (
                f"<polyline points='{where}' fill='none' stroke='{colour}' "
                f"stroke-width='{wide:.1f}' stroke-linejoin='round'/>"
            )
        if len(set(points)) == 1 or math.dist(points[0], points[-1]) < 1:  # it comes towards you
            x, y = points[0]
            wide = (tube.radius_start + wider / 2) * self._scale
            yield f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{wide:.1f}' fill='{colour}'/>"

    def _cap(self, tube: Tube) -> str:
        point, tangent, _ = tube.frame(tube.length)
        flat = np.array([tangent[axis] for axis in self._axes])
        size = float(np.linalg.norm(flat))
        x, y = self._px(point)
        across = np.array([flat[1], flat[0]]) / size if size > 1e-6 else np.array([1.0, 0.0])
        dx, dy = across * tube.radius_end * self._scale
        return (
            f"<line x1='{x - dx:.1f}' y1='{y - dy:.1f}' x2='{x + dx:.1f}' y2='{y + dy:.1f}' "
            f"stroke='{INK}' stroke-width='{2 * WALL_M * self._scale:.1f}'/>"
        )

    def _break(self, fault: Break) -> str:
        tube = self._network.tube(fault.part)
        point, tangent, up = tube.frame(fault.along)
        side = math.cos(fault.clock) * up + math.sin(fault.clock) * np.cross(tangent, up)
        x, y = self._px(point + tube.radius(fault.along) * side)
        return (
            f"<circle cx='{x:.1f}' cy='{y:.1f}' r='5' fill='{RED}'>"
            f"<title>{escape(fault.shape)} of {1000 * fault.size:.0f} mm</title></circle>"
        )

    def _label(self, point: Floats, words: str) -> str:
        x, y = self._px(point)
        anchor = "end" if x > 0.9 * WIDTH else "start" if x < 0.1 * WIDTH else "middle"
        return _text(x, y + (-18 if anchor == "end" else 4), words, SOFT, anchor=anchor)

    def _inlet(self) -> str:
        inlet = self._network.tubes[0]
        begin, _, _ = inlet.frame(0.0)
        back = begin - 0.05 * np.array(inlet.tangent)
        (x1, y1), (x2, y2) = self._px(back), self._px(begin)
        turn = math.degrees(math.atan2(y2 - y1, x2 - x1))
        return (
            f"<g stroke='{RED}' fill='{RED}' stroke-width='3'>"
            f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}'/>"
            f"<path d='M0 0 L-10 -5 L-10 5 Z' stroke='none' "
            f"transform='translate({x2:.1f} {y2:.1f}) rotate({turn:.1f})'/></g>"
        )


def _text(x: float, y: float, words: str, colour: str, *, anchor: str = "start") -> str:
    where = f"x='{x:.0f}' y='{y:.0f}' text-anchor='{anchor}'"
    return f"<text {where} fill='{colour}' {TEXT}>{escape(words)}</text>"


def _ruler(scale: float, y: float) -> str:
    """A length to compare with."""
    reach = next(
        mm for mm in (1000, 500, 200, 100, 50) if mm / 1000 * scale < WIDTH / 3 or mm == 50
    )
    end = 8 + reach / 1000 * scale
    return (
        f"<path d='M8 {y:.0f} V{y + 6:.0f} H{end:.0f} V{y:.0f}' fill='none' stroke='{SOFT}'/>"
        + _text(end + 6, y + 8, f"{reach} mm", SOFT)
    )
