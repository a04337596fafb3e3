"""Shows a run in a notebook: key numbers, a picture, and the video if there is one."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from pathlib import Path
from typing import Final

from annelid.trial.folder import VIDEO
from annelid.trial.metrics import Metrics

INLINE_VIDEO: Final = 6_000_000
"""Bytes up to which the video goes into the notebook itself."""


def shown(folder: Path, metrics: Metrics | None, picture: bytes | None) -> str:
    """HTML; ``metrics`` are None where the run was killed before it wrote them."""
    parts = [f"<b>{escape(str(folder))}</b>"]
    if metrics is None:
        parts.append("<p>This run was stopped before its numbers were written.</p>")
    else:
        cells = (
            f"<tr><td>{name}</td><td>{escape(value)}</td></tr>" for name, value in _key(metrics)
        )
        parts.append(f"<table>{''.join(cells)}</table>")
    if picture is not None:
        data = b64encode(picture).decode()
        parts.append(f'<img width="640" alt="the end" src="data:image/png;base64,{data}">')
    video = folder / VIDEO
    if video.is_file() and video.stat().st_size <= INLINE_VIDEO:
        data = b64encode(video.read_bytes()).decode()
        parts.append(f'<video width="640" controls src="data:video/mp4;base64,{data}"></video>')
    return "<div>" + "\n".join(parts) + "</div>"


def _key(metrics: Metrics) -> list[tuple[str, str]]:
    outcome = {True: "success", False: "not reached", None: "–"}[metrics.success]
    if metrics.fell_s is not None:
        outcome = f"fell at {metrics.fell_s:.1f} s: {metrics.fell_why}"
    rows: list[tuple[str, float | None, str]] = [
        ("time", metrics.time_s, "s"),
        ("progress", metrics.progress_m * 1000, "mm"),
        ("mean speed", None if metrics.speed_m_s is None else metrics.speed_m_s * 100, "cm/s"),
        ("energy", metrics.energy_j, "J"),
        ("cost of transport", metrics.cost_of_transport, ""),
        ("peak current", metrics.peak_current_a, "A"),
    ]
    told = [(name, "–" if v is None else f"{v:.3g} {unit}".strip()) for name, v, unit in rows]
    return [("scenario", f"{metrics.scenario}, seed {metrics.seed}"), ("outcome", outcome), *told]
