"""The travelling waves of 000 §4.1.6: one for the vertical joints, one for the horizontal ones.

::

    Θv_i(t) = Av·sin(ωv·t + (i - 1)·φv)      (7)
    Θh_i(t) = Ah·sin(ωh·t + (i - 1)·φh)      (8)

The papers count modules from i = 1 at the head; ``index`` here is i - 1, so the head has 0.

**Direction.**  A point of equal phase obeys ``ω·t + index·φ = const``: with ω and φ of the same
sign it moves to smaller indices, that is towards the head.  A body that rests on the crests of a
*vertical* wave moves **with** the wave (FACTS §2), so φ > 0 walks head first and φ < 0 backwards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def wave(
    t: float,
    amplitude: ArrayLike,
    omega: ArrayLike,
    phase: ArrayLike,
    index: ArrayLike,
    offset: ArrayLike = 0.0,
) -> Floats:
    """Eqs 7 and 8 of 000 for all joints at once; angles in rad, ``omega`` in rad/s.

    ``phase`` is φ, the lead of a module over the one before it; ``index`` counts from 0 at the
    head.  ``offset`` is the constant that turns a straight path into an arc (000 §4.1.6).
    """
    angle = np.asarray(omega, float) * t + np.asarray(index, float) * np.asarray(phase, float)
    values: Floats = np.asarray(offset, float) + np.asarray(amplitude, float) * np.sin(angle)
    return values
