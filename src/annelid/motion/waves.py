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

from math import sin

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def wave(
    t: float,
    amplitude: float,
    omega: float,
    phase: float = 0.0,
    index: float = 0.0,
    lead: float = 0.0,
) -> float:
    """Eqs 7 and 8 of 000 for one joint; ``phase`` is φ, the lead of a module over the one before.

    The angle has the unit of ``amplitude``; ``omega`` is in rad/s.  ``lead`` is that of this wave
    over another one, rad.  One number costs a tenth of an array of one.
    """
    return amplitude * sin(omega * t + index * phase + lead)


def waves(angles: Floats, leads: Floats, amplitudes: Floats, offsets: Floats) -> Floats:
    """The same for many joints, or many moments, at once; ``angles`` are ω·t and are overwritten.

    ``leads`` are (i - 1)·φ; ``offsets`` turn a straight path into an arc (000 §4.1.6).
    """
    angles += leads
    np.sin(angles, angles)
    angles *= amplitudes
    angles += offsets
    return angles
