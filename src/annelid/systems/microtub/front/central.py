"""Runs MICROTUB's central control as its own process (000 §6: "on an external PC").

The program is the one that simulated PCs run.  Its board is this machine; its ports lead over a
stream to a simulation, and its time is that of the simulation (``exchange``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from annelid.behaviour import Behaviour
from annelid.electronics.port import Frame, Outcome, Sending
from annelid.errors import PortError
from annelid.hardware.address import Address
from annelid.hardware.board import PcBoard, Tell, silent
from annelid.hardware.exchange import (
    Done,
    ProgramHello,
    RunUntil,
    SimulationHello,
    TheEnd,
    hear,
    tell,
)
from annelid.hardware.lines import Lines, call
from annelid.kernel import Kernel, Mailbox, Program, to_seconds
from annelid.kernel.trace.table import encode_detail
from annelid.robot.module import ModuleType
from annelid.systems import Extra
from annelid.systems.microtub.central.behaviours import CENTRAL_LAYER
from annelid.systems.microtub.central.catalogue import catalogue
from annelid.systems.microtub.central.control import central_control
from annelid.systems.microtub.inference import rule_tables, rulebook
from annelid.systems.microtub.spec import MicrotubSpec

Behaviours = Sequence[type[Behaviour[Any]]]
"""Of a plugin, besides the central control's own."""


@dataclass(frozen=True)
class CentralResult:
    """How a session went."""

    end: str
    """Why the simulation ended."""
    seconds: float
    sent: int
    heard: int
    """Frames."""


class DistantPort:
    """A :class:`~annelid.electronics.port.FramePort` whose wire is at the other end."""

    def __init__(self, name: str, leave: list[tuple[DistantPort, Frame, Sending]]) -> None:
        self.name = name
        self.received: Mailbox[Frame] = Mailbox(name=name)
        self._leave = leave

    def send(self, frame: Frame) -> Sending:
        sending = Sending()
        self._leave.append((self, frame, sending))
        return sending


def run_central(
    address: Address,
    *,
    behaviours: Behaviours = (),
    extras: Sequence[Extra] = (),
    modules: Sequence[type[ModuleType]] = (),
    tell: Tell = silent,
) -> CentralResult:
    """Until the simulation ends; a :class:`PortError` if it is gone before."""
    layer, rules = CENTRAL_LAYER.plus(*behaviours), rule_tables(extras)
    rulebook(rules)  # what is wrong with it is told before anybody is called
    known = catalogue(*modules)
    central = partial(central_control, behaviours=layer, rules=rules, known=known)
    with call(address) as lines:
        return Distance(lines, central, tell).run()


class Distance:
    """One session."""

    def __init__(self, lines: Lines, central: Callable[..., Program], show: Tell) -> None:
        self._lines = lines
        tell(lines, ProgramHello())
        hello = hear(lines, SimulationHello)
        spec = MicrotubSpec.parse(hello.options, where=f"{lines.address}: options")
        self._kernel = Kernel(crash="raise")
        self._logged: list[tuple[str, dict[str, Any]]] = []
        self._leave: list[tuple[DistantPort, Frame, Sending]] = []
        self._under_way: dict[int, Sending] = {}
        self._sent = self._heard = 0
        self._show = show
        board = PcBoard(hello.board, self._kernel, tell=self._note)
        for name in hello.ports:
            board.ports[name] = DistantPort(name, self._leave)
        self._ports: Mapping[str, DistantPort] = board.ports
        self._kernel.spawn(central(board, spec=spec), hello.board)

    def run(self) -> CentralResult:
        try:
            while True:
                turn = hear(self._lines, RunUntil, TheEnd)
                if isinstance(turn, TheEnd):
                    seconds = to_seconds(self._kernel.now)
                    return CentralResult(turn.end, seconds, self._sent, self._heard)
                self._take(turn)
                tell(
                    self._lines, Done(at_ns=turn.until_ns, sent=self._frames(), logged=self._log())
                )
        finally:
            self._kernel.close()

    def _take(self, turn: RunUntil) -> None:
        """Up to that moment; what has come by then is there in it."""
        kernel = self._kernel
        kernel.run(max(turn.until_ns, kernel.now))
        kernel.inject(partial(self._arrive, turn))
        kernel.run(kernel.now + 1)

    def _arrive(self, turn: RunUntil) -> None:
        for number, outcome in turn.outcomes:
            if number in self._under_way:
                self._under_way.pop(number).finish(self._outcome(outcome))
        for name, address, data in turn.heard:
            if name not in self._ports:
                raise PortError(f"{self._lines.address}: a frame for the unknown port {name!r}")
            self._heard += 1
            try:
                self._ports[name].received.put(Frame(bytes.fromhex(data), address))
            except ValueError:
                raise self._senseless("bytes in hexadecimal", data) from None

    def _outcome(self, word: str) -> Outcome:
        try:
            return Outcome(word)
        except ValueError:
            raise self._senseless("an outcome of a frame", word) from None

    def _senseless(self, expected: str, got: str) -> PortError:
        return PortError(f"{self._lines.address}: expected {expected}, got {got[:60]!a}")

    def _frames(self) -> tuple[tuple[int, str, int, str], ...]:
        frames = []
        for port, frame, sending in self._leave:
            self._sent += 1
            self._under_way[self._sent] = sending
            frames.append((self._sent, port.name, frame.address, frame.data.hex()))
        self._leave.clear()
        return tuple(frames)

    def _note(self, t_ns: int, kind: str, detail: Mapping[str, Any]) -> None:
        self._logged.append((kind, json.loads(encode_detail(detail))))
        self._show(t_ns, kind, detail)

    def _log(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        logged, self._logged = tuple(self._logged), []
        return logged
