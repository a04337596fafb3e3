"""Computes the phase of each module's cycle from the recorded signals.

A module that keeps a role signals when its cycle has come to the delay of a connector, whether
anybody is docked there or not; one that does not signal (a leg) begins its cycle when it hears one,
or was to begin it some steps before, where the signal says that it is so late.  So the trace tells
phases without a line in the programs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from annelid.motion.casts import Cast
from annelid.systems import Phases
from annelid.systems.conro.general import SLOTS
from annelid.systems.conro.ring import SIGNAL as LOOP_SIGNAL
from annelid.systems.conro.spec import ConroSpec

Moments = list[tuple[float, float]]
"""(Time in s, steps of the cycle that were over)."""
Floats = NDArray[np.float64]
OFF: Final = 0.1
"""By more of it a cycle does not last longer or shorter than usual: a signal is missing."""


def phases(spec: ConroSpec, modules: int, wire: Sequence[Mapping[str, Any]]) -> Phases | None:
    """None for gait tables and hormones, whose modules have no cycles of their own."""
    if spec.method != "roles":
        return None
    cast = spec.cast(modules)
    role = cast.root
    sent: dict[str, Moments] = defaultdict(list)
    heard: dict[str, Moments] = defaultdict(list)
    for signal in wire:
        module, _, connector = signal["from"].partition(".")
        data = bytes.fromhex(signal["bytes"])
        if (over := _over(cast, data, connector)) is None:
            continue
        sent[module].append((signal["start_ns"] * 1e-9, over))
        for face in signal["to"] if signal["outcome"] == "delivered" else ():
            heard[face.partition(".")[0]].append((signal["end_ns"] * 1e-9, _late(data)))
    if not sent:
        return None
    cycle_s = role.period * spec.step_ms / 1000
    for module, moments in sent.items():  # a leg that led itself at first is silent later
        last_s = max(moments)[0] + cycle_s
        heard[module] = moments + [at for at in heard[module] if at[0] > last_s]
    known = heard
    first = min(sent, key=lambda name: sent[name][0])
    theirs, steps = np.array(sorted(sent[first])).T
    lasts_s = _cycles(theirs, cycle_s)
    behind = {}
    for name, moments in known.items():
        time, own = np.array([at for at in sorted(moments) if at[0] >= theirs[0]]).reshape(-1, 2).T
        last = np.searchsorted(theirs, time, side="right") - 1
        over = (steps[last] - own) / role.period + (time - theirs[last]) / lasts_s[last]
        behind[name] = (time, over % 1.0)
    return Phases(first, cycle_s, behind)


def _cycles(begun: Floats, usual_s: float) -> Floats:
    """How long each cycle of a module lasts that signals at these moments, s.  By its timer it may
    be shorter than usual, and irregular by a step or two; counted by the usual one, a chain in step
    would seem to be that far out of it.  A signal that is missing makes no long cycle."""
    following = np.searchsorted(begun, begun + usual_s / 2)
    lasts_s = np.append(begun, np.inf)[following] - begun
    return np.where(np.abs(lasts_s / usual_s - 1) < OFF, lasts_s, usual_s)


def _over(cast: Cast, signal: bytes, connector: str) -> float | None:
    """Steps of the sender's cycle that are over when it sends this by that connector; None: it is
    of a loop that does not move yet, and passes signals on at once."""
    if len(signal) == LOOP_SIGNAL.size and LOOP_SIGNAL.unpack(signal)[-1]:
        return None
    sender = cast.roles[signal[3]] if len(signal) == 5 else cast.root
    return sender.delays.get(connector, 0) + _late(signal)  # 0: up to its parent


def _late(signal: bytes) -> int:
    """Steps by which a signal says that it was sent late: chance, where they go both ways."""
    return signal[2] % SLOTS if len(signal) == 5 else 0
