"""Arrays in a file of NumPy's (``.npz``): size, unpacked size, and nothing that runs code."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np

from annelid.boundary.files import read_bytes
from annelid.boundary.plain import shortened
from annelid.errors import InputError

ARRAYS_BYTES_MAX: Final = 2_000_000_000
"""Packed or unpacked: a landscape of 100 000 gaits has 200 MB."""


def read_arrays(path: Path, *, what: str = "file of arrays") -> dict[str, np.ndarray[Any, Any]]:
    """By name."""
    data = read_bytes(path, what=what, most=ARRAYS_BYTES_MAX)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            size = sum(each.file_size for each in packed.infolist())
        if size > ARRAYS_BYTES_MAX:
            raise InputError(
                f"{path}: expected at most {ARRAYS_BYTES_MAX} bytes of arrays, got {size}"
            )
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            found = dict(file)
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{path}: not a {what}: {why}") from None
    except (MemoryError, NotImplementedError, RuntimeError) as error:
        raise InputError(f"{path}: not a {what}: {type(error).__name__}") from None
    for name, each in found.items():
        if not isinstance(each, np.ndarray):  # NumPy hands over as bytes what it does not know
            raise InputError(f"{path}: not a {what}: {shortened(name)} is no array")
    return found
