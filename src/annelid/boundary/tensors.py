"""Reads arrays of numbers from outside: safetensors files, which hold weights and a text or two.

The format: eight bytes that say how long the header is, the header (JSON: name to type, shape and
place), the numbers.  The header is read as any JSON from outside; nothing in it is believed before
it is compared with what is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, Final, TypeGuard

import numpy as np
from numpy.typing import NDArray

from annelid.boundary.files import parse_table, read_bytes
from annelid.boundary.plain import shortened
from annelid.errors import SpecError

LENGTH: Final = 8
"""Bytes that say how long the header is."""
TEXTS: Final = "__metadata__"
"""In the header: texts that somebody put beside the numbers."""
AXES_MAX: Final = 8
"""Of one array."""
TYPES: Final[Mapping[str, str]] = {"F16": "<f2", "F32": "<f4", "F64": "<f8"}
"""Kinds of numbers that are read, and what NumPy calls them."""

Reals = NDArray[np.float32]


@dataclass(frozen=True)
class Tensors:
    """What such a file holds."""

    texts: Mapping[str, str]
    arrays: Mapping[str, Reals]
    """All of them finite."""


def read_tensors(path: Path, *, what: str, most: int) -> Tensors:
    """The file's arrays and texts; ``what`` it should be, of at most so many bytes."""
    data = read_bytes(path, what=what, most=most)
    if len(data) < LENGTH:
        raise SpecError(
            f"{path}: not a safetensors file: expected {LENGTH} bytes and more, got {len(data)}"
        )
    said = int.from_bytes(data[:LENGTH], "little")
    if said > len(data) - LENGTH:
        raise SpecError(
            f"{path}: not a safetensors file: expected a header of {said} bytes, got "
            f"{len(data) - LENGTH}"
        )
    where = f"{path}: header of a safetensors file"
    try:
        text = data[LENGTH : LENGTH + said].decode("utf-8")
    except UnicodeDecodeError as error:
        raise SpecError(f"{path}: not a safetensors file: {error}") from None
    header = parse_table(text, where)
    texts = header.pop(TEXTS, {})
    if not isinstance(texts, dict) or not all(isinstance(each, str) for each in texts.values()):
        raise SpecError(f"{where}: {TEXTS}: expected texts by name")
    numbers = memoryview(data)[LENGTH + said :]
    arrays, told = {}, 0
    for name, entry in header.items():
        arrays[name] = _array(entry, numbers, f"{path}: tensor {shortened(name)!r}")
        told += entry["data_offsets"][1] - entry["data_offsets"][0]
        if told > len(numbers):  # many arrays of the same bytes would fill the memory
            raise SpecError(f"{where}: expected tensors of {len(numbers)} bytes in all, got more")
    return Tensors(texts, arrays)


def _array(entry: Any, numbers: memoryview, where: str) -> Reals:
    fields = entry if isinstance(entry, dict) else {}
    kind, shape, place = (fields.get(name) for name in ("dtype", "shape", "data_offsets"))
    if not isinstance(kind, str) or kind not in TYPES:
        got = shortened(repr(kind))
        raise SpecError(f"{where}: dtype: expected {', '.join(TYPES)}, got {got}")
    if not _whole(shape) or len(shape) > AXES_MAX or max(shape, default=0) > len(numbers):
        raise SpecError(
            f"{where}: shape: expected at most {AXES_MAX} whole numbers, 0 to {len(numbers)}"
        )
    if not _whole(place) or len(place) != 2 or not place[0] <= place[1] <= len(numbers):
        raise SpecError(f"{where}: data_offsets: expected a place within {len(numbers)} bytes")
    kept = np.dtype(TYPES[kind])
    if prod(shape) * kept.itemsize != place[1] - place[0]:
        raise SpecError(
            f"{where}: shape {shape} of {kind}: expected {prod(shape) * kept.itemsize} bytes, got "
            f"{place[1] - place[0]}"
        )
    with np.errstate(over="ignore"):  # beyond single precision is infinite, and refused
        read = np.frombuffer(numbers[place[0] : place[1]], kept).reshape(shape).astype(np.float32)
    if not np.isfinite(read).all():
        raise SpecError(f"{where}: expected finite numbers, got NaN or infinity")
    return read


def _whole(value: Any) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(type(each) is int and each >= 0 for each in value)
