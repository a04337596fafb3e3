"""Sends well-formed frames with random content on every link of a running simulation.

Frames are learnt from the run itself: what boards say to each other is repeated from another board,
at another moment, with some of its bytes drawn anew.  Bytes go onto serial lines, levels onto sync
lines.  No board may crash, and the run has to end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from annelid.electronics.i2c_port import I2cPort
from annelid.electronics.port import Frame
from annelid.kernel import milliseconds
from annelid.reliability.campaign import judged
from annelid.trial.load import load
from annelid.trial.run import Trial

EVERY_MS: Final = 5.0
REMEMBERED: Final = 200
ADDRESSES: Final = 64


@dataclass(frozen=True)
class Babbled:
    """What came of one run."""

    scenario: str
    seed: int
    frames: int
    """Frames, strings of bytes and edges that were sent into it."""
    outcome: str
    why: str


def babble(source: str, seed: int, seconds: float, *, a_turn: int = 2) -> Babbled:
    """Run a scenario with ``a_turn`` foreign frames every few milliseconds."""
    whole = load(source)
    scenario = load(whole, overrides={"duration_s": min(whole.duration_s, seconds), "seed": seed})
    speakers: list[Babbler] = []

    def prepare(trial: Trial) -> None:
        speakers.append(Babbler(trial, np.random.default_rng([seed, 77]), a_turn))

    outcome, why, *_ = judged(scenario, prepare=prepare, truthful=False)
    return Babbled(source, seed, sum(each.sent for each in speakers), outcome, why)


class Babbler:
    """A broken board on every wire."""

    def __init__(self, trial: Trial, draw: np.random.Generator, a_turn: int) -> None:
        self.sent = 0
        self._trial = trial
        self._draw = draw
        self._a_turn = a_turn
        self._heard: deque[bytes] = deque(maxlen=REMEMBERED)
        trial.listeners.append(self._listen)
        trial.every(milliseconds(EVERY_MS), self._speak)

    def _listen(self, t_ns: int, source: str, kind: str, detail: Mapping[str, Any]) -> None:
        if kind == "wire" and isinstance(said := detail.get("bytes"), str):
            self._heard.append(bytes.fromhex(said[: 2 * 64]))

    def _speak(self) -> None:
        boards = [node.board for node in self._trial.circuit.nodes.values() if node.alive]
        for _ in range(self._a_turn if boards else 0):
            board = boards[int(self._draw.integers(len(boards)))]
            ways = [*board.ports.values(), *board.pins.values()]
            if ways:
                self._send(ways[int(self._draw.integers(len(ways)))])

    def _send(self, way: Any) -> None:
        if hasattr(way, "drive"):
            way.drive(bool(self._draw.random() < 0.5))
        elif isinstance(way, I2cPort):
            way.send(Frame(self._content(), int(self._draw.integers(ADDRESSES))))
        elif hasattr(way, "drained"):
            way.send(self._content())
        elif hasattr(way, "send"):
            way.send(Frame(self._content()))
        else:
            return  # a terminal, at which somebody types
        self.sent += 1

    def _content(self) -> bytes:
        """Of something that was said, some of it drawn anew; or nothing but chance."""
        if not self._heard or self._draw.random() < 0.2:
            return self._draw.bytes(int(self._draw.integers(1, 12)))
        said = bytearray(self._heard[int(self._draw.integers(len(self._heard)))] or b"\x00")
        for _ in range(int(self._draw.integers(1, 4))):
            said[int(self._draw.integers(len(said)))] = int(self._draw.integers(256))
        return bytes(said)
