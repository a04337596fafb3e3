"""What was said in a run, for judges: to the operator, to the modules, on the wires."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from annelid.electronics.port import ANSWER
from annelid.papers.case import places
from annelid.systems.microtub.central.movements import MOVEMENT
from annelid.systems.microtub.central.operator import OPERATOR_NAME
from annelid.systems.microtub.module import BUS
from annelid.systems.microtub.protocol import Message
from annelid.systems.microtub.protocol.describe import understand
from annelid.systems.microtub.spec import MicrotubSpec
from annelid.trial.replay import Run

Said = list[tuple[float, str]]
"""When (s), and what."""


def answers(run: Run) -> Said:
    """What the operator has read."""
    return [
        (event.time_ns * 1e-9, event.detail["words"])
        for event in run.events(ANSWER)
        if event.source == OPERATOR_NAME
    ]


def movements(run: Run) -> Said:
    """What the central control has told the modules to do."""
    return [(event.time_ns * 1e-9, event.detail["name"]) for event in run.events(MOVEMENT)]


def when(said: Said, words: str) -> list[float]:
    """The times at which these words were among what was said, s."""
    return [time for time, line in said if words in line]


def frames(run: Run, link: str = BUS) -> Iterator[tuple[float, Message]]:
    """What was delivered on a link, and when it ended, s."""
    for event in run.events("wire"):
        detail = event.detail
        if event.source != link or detail["outcome"] != "delivered":
            continue
        message = understand(bytes.fromhex(detail["bytes"]))
        if isinstance(message, Message):
            yield detail["end_ns"] * 1e-9, message


def addresses(run: Run) -> Sequence[int]:
    """Of the modules in the order of the robot, where the scenario gives them."""
    options = run.scenario.control.options
    assert isinstance(options, MicrotubSpec)
    return options.addresses


def place_at(run: Run, module: str, time_s: float) -> NDArray[np.float64]:
    """Where the front of a module was at a time: x y z, m."""
    time, path = run.time("modules"), places(run, module)
    return np.array([np.interp(time_s, time, path[:, axis]) for axis in range(3)])
