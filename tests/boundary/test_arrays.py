"""Files of NumPy's arrays from outside."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from annelid.boundary import arrays
from annelid.boundary.arrays import read_arrays
from annelid.errors import InputError


def packed(**content: object) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **content)  # type: ignore[arg-type]
    return file.getvalue()


def entry(content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as into:
        into.writestr("a.npy", content)
    return file.getvalue()


GOOD = packed(a=np.arange(1000.0))


def flipped() -> bytes:
    spoilt = bytearray(GOOD)
    spoilt[len(spoilt) // 2] ^= 255
    return bytes(spoilt)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(GOOD)
    assert np.array_equal(read_arrays(tmp_path / "a.npz")["a"], np.arange(1000.0))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nothing of the kind",
        GOOD[: len(GOOD) // 2],
        GOOD[:-30],
        flipped(),
        entry(b""),
        entry(b"\x93NUMPY\x01\x00"),
        entry(b"\x93NUMPY\x01\x00\x10\x00{'descr': '<f8'}"),
        packed(a=np.array([{"code": "runs"}], dtype=object)),
    ],
)
def test_what_is_no_file_of_arrays_is_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.npz").write_bytes(content)
    with pytest.raises(InputError) as error:
        read_arrays(tmp_path / "a.npz")
    assert "\n" not in str(error.value)


def test_what_unpacks_to_too_much_is_refused_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "ARRAYS_BYTES_MAX", 10_000)
    (tmp_path / "a.npz").write_bytes(packed(a=np.zeros(100_000)))
    with pytest.raises(InputError, match="at most 10000 bytes of arrays, got 800"):
        read_arrays(tmp_path / "a.npz")


@pytest.mark.parametrize("made", [Path.mkdir, lambda path: path.symlink_to(path)])
def test_what_is_no_file_is_one_line(tmp_path: Path, made: Callable[[Path], object]) -> None:
    made(tmp_path / "a.npz")
    with pytest.raises(InputError):
        read_arrays(tmp_path / "a.npz")
