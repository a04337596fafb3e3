"""The events that decisions leave in the trace; :mod:`annelid.behaviour.why` reads them.

===============  ==========================================================================
kind             detail
===============  ==========================================================================
``decision``     the winners on a channel are others: ``channel value winners before rule
                 reason losers``
``behaviour``    one became active or ceased to be: ``behaviour active reason``
``token``        it passed to another: ``token owner before reason``
``flip-flop``    winners keep taking a channel from each other: ``channel between undone
                 window_ns``
===============  ==========================================================================

A value that merely moves is no event: a wave that goes on costs the trace nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

Log = Callable[[str, Mapping[str, Any]], Any]
"""``(kind, detail)``: a board's ``log``.  Time and place are the board's to add: the time that
behaviours see is its own clock's, and drifts."""

DECISION: Final = "decision"
BEHAVIOUR: Final = "behaviour"
TOKEN: Final = "token"
FLIP_FLOP: Final = "flip-flop"


def plain(value: Any) -> Any:
    """A value as the trace can keep it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return str(value)
