"""Writes exported files."""

from __future__ import annotations

from pathlib import Path

from annelid.errors import OutputError


def written(path: Path, content: str | bytes) -> Path:
    """Write a file, and the folders above it; what cannot be is told in one line."""
    data = content.encode() if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise OutputError(f"{path}: could not write it: {error.strerror or error}") from None
    return path
