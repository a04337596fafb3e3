"""Pictures from a camera module to the central control, on the auxiliary wires (000 §2.1).

A picture would take 6.9 s on the bus; there goes its number (AIE), here the picture itself: its
number, height and width, then grey values, rows from the top.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

import numpy as np
from numpy.typing import NDArray

VIDEO: Final = "video"
"""The port, on the module and (with a dash and the module's name) on the PC."""

_HEAD: Final = Struct(">HHH")

Picture = NDArray[np.uint8]


def pack(number: int, picture: Picture) -> bytes:
    height, width = picture.shape
    return _HEAD.pack(number, height, width) + picture.tobytes()


def unpack(data: bytes) -> tuple[int, Picture] | None:
    """Number and picture; None where the wire has spoilt the size."""
    if len(data) < _HEAD.size:
        return None
    number, height, width = _HEAD.unpack_from(data)
    if len(data) != _HEAD.size + height * width:
        return None
    grey = np.frombuffer(data, dtype=np.uint8, offset=_HEAD.size)
    return number, grey.reshape(height, width)
