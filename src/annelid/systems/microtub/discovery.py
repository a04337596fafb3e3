"""How the central control finds the modules of its robot (000 §5.2, §5.3), as programs to reuse.

::

    found = yield from discover(ear, spec)
    if found.error: ...                     # stated, with what was heard
    for member in found.members: ...        # head first: address, id, MDL

**A check is believed** only if exactly one module says that it is the last, nobody speaks after it,
nobody speaks twice, nobody falls silent for longer than ``module_ms``, and nobody complains when
it is polled afterwards.  The chain is believed only if the MDL phase gives the same order again:
two checks that agree by accident would need the same accident twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from annelid.electronics.board import Board
from annelid.electronics.port import EVERYONE, FramePort, Outcome, deliver
from annelid.kernel import AnyOf, Program, Receive, milliseconds
from annelid.systems.microtub.agent import STARTED
from annelid.systems.microtub.protocol import (
    LLC1,
    LLC2,
    MODULES,
    Alarm,
    BadFrame,
    Command,
    Message,
    decode,
    encode,
)
from annelid.systems.microtub.protocol.parameters import Value
from annelid.systems.microtub.spec import MicrotubSpec

COMPLAINTS_NS: Final = milliseconds(60)
"""How long answers to a poll are waited for: 62 alarms take 40 ms of bus."""
ANSWER_NS: Final = milliseconds(60)
"""How long an answer to a question to one module is waited for."""
PAUSE_S: Final = 0.05
"""Between a check that failed and the next."""


@dataclass(frozen=True)
class CheckAnswer:
    """One module's turn in a check."""

    address: int
    said: str
    """ModuleID or MDL."""


@dataclass(frozen=True)
class CheckResult:
    """What one check brought; with an error, what was heard until then."""

    order: tuple[CheckAnswer, ...]
    error: str | None = None


@dataclass(frozen=True)
class FoundModule:
    address: int
    id: str
    mdl: str


@dataclass(frozen=True)
class FoundChain:
    """The chain, head first; or why it is not known."""

    members: tuple[FoundModule, ...]
    error: str | None = None
    attempts: int = 1


class Ear:
    """The central control's end of the bus.

    A program that waits for one answer also receives others: a touch, an alarm, a module that has
    started.  ``heed`` is told of every message, before the program that waits.
    """

    def __init__(
        self,
        board: Board,
        port: FramePort,
        *,
        crc: bool = False,
        heed: Callable[[Message], object] | None = None,
    ) -> None:
        self.board = board
        self.port = port
        self.crc = crc
        self._heed = heed

    def say(self, command: Command, *values: Value, to: int = EVERYONE) -> Program:
        """Until it is acknowledged (True) or was tried often enough (False)."""
        frame = encode(command, *values, to=to, crc=self.crc)
        outcome = yield from deliver(self.port, frame)
        return outcome is Outcome.ACKNOWLEDGED

    def hear(self, until_ns: int) -> Program:
        """The next sound message; None: the time (the board's own) is over."""
        while True:
            fired = yield AnyOf(Receive(self.port.received), self.board.until(until_ns))
            if fired.index == 1:
                return None
            said = decode(fired.value, crc=self.crc)
            if isinstance(said, Message):
                if self._heed is not None:
                    self._heed(said)
                return said
            self.note(said)

    def inquire(self, question: Command, *values: Value, to: int, answer: Command) -> Program:
        """Brings the answer of that module, or None."""
        if not (yield from self.say(question, *values, to=to)):
            return None
        until_ns = self.board.now + ANSWER_NS
        while True:
            said: Message | None = yield from self.hear(until_ns)
            if said is None or (said.command is answer and said.sender == to):
                return said

    def note(self, bad: BadFrame) -> None:
        self.board.log("refused", {"reason": bad.reason, "detail": bad.opcode or 0})


def check(ear: Ear, spec: MicrotubSpec, *, mdl: bool = False) -> Program:
    """GPS to GPF, or MDS to MDF; brings a :class:`CheckResult`."""
    begin, end = (LLC1.MDS, LLC1.MDF) if mdl else (LLC1.GPS, LLC1.GPF)
    ear.port.received.drain()
    if not (yield from ear.say(begin)):
        return CheckResult((), "nobody on the bus acknowledges")
    told = yield from _turns(ear, spec)
    yield from ear.say(end)
    late = yield from complaints(ear)
    if told.error is None and late:
        return CheckResult(told.order, late[0])
    return told


def _turns(ear: Ear, spec: MicrotubSpec) -> Program:
    """From the start to a stated end: every wait is limited."""
    now = ear.board.now
    module_ns = milliseconds(spec.module_ms)
    believed_ns = now + milliseconds(spec.settle_ms) // 2
    silent_ns = now + milliseconds(spec.settle_ms) + module_ns
    order: list[CheckAnswer] = []
    last: int | None = None
    while True:
        said = yield from ear.hear(silent_ns)
        if said is None:
            break
        if said.command is LLC2.APO and said.values[:1] == (Alarm.CHECK,):
            return CheckResult(tuple(order), f"{said.sender}: the module behind it spoke too early")
        if said.command not in (LLC1.PC1, LLC1.PCL) or ear.board.now < believed_ns:
            continue  # what a check that was broken off had still to say
        if any(each.address == said.sender for each in order):
            return CheckResult(tuple(order), f"two modules have address {said.sender}")
        order.append(CheckAnswer(said.sender, str(said.values[0])))
        if last is not None:
            return CheckResult(
                tuple(order), f"{last} was the last, but {said.sender} speaks after it"
            )
        if len(order) > len(MODULES):
            return CheckResult(tuple(order), f"more than {len(MODULES)} modules")
        if said.command is LLC1.PCL:
            last = said.sender
        silent_ns = ear.board.now + module_ns
    if last is None:
        after = f"after {order[-1].address}" if order else "after the start"
        return CheckResult(
            tuple(order), f"silence {after} for {spec.module_ms:g} ms, and no last one"
        )
    return CheckResult(tuple(order))


def complaints(ear: Ear) -> Program:
    """Poll everybody; brings what those say whose check has gone wrong."""
    found: list[str] = []
    yield from ear.say(LLC2.PO)
    until = ear.board.now + COMPLAINTS_NS
    while True:
        said = yield from ear.hear(until)
        if said is None:
            return found
        if said.command is LLC2.APO and said.values[:1] == (Alarm.CHECK,):
            found.append(f"{said.sender}: its turn never came")
        elif said.command is LLC2.APO and said.values == (STARTED,):
            found.append(f"{said.sender}: has started, but took no part")


def discover(ear: Ear, spec: MicrotubSpec) -> Program:
    """Both phases, until they agree or ``attempts`` are over; brings a :class:`FoundChain`."""
    error = ""
    for attempt in range(1, spec.attempts + 1):
        places: CheckResult = yield from check(ear, spec)
        if places.error is None:
            talents: CheckResult = yield from check(ear, spec, mdl=True)
            found = agreed(places, talents)
            if isinstance(found, tuple):
                return FoundChain(found, attempts=attempt)
            error = found
        else:
            error = f"configuration check: {places.error}"
        ear.board.log("check failed", {"attempt": attempt, "error": error})
        yield ear.board.sleep(PAUSE_S)
    return FoundChain((), error, spec.attempts)


def agreed(places: CheckResult, talents: CheckResult) -> tuple[FoundModule, ...] | str:
    """The chain that both phases tell, or why they do not."""
    if talents.error is not None:
        return f"MDL phase: {talents.error}"
    first = [each.address for each in places.order]
    second = [each.address for each in talents.order]
    if first != second:
        return f"the MDL phase gives the order {second}, the configuration check gave {first}"
    for a, b in zip(places.order, talents.order, strict=True):
        if len(a.said) != 1 or len(b.said) == 1:
            return f"{a.address}: expected its id and then its MDL, got {a.said} and {b.said}"
    return tuple(
        FoundModule(a.address, a.said, b.said)
        for a, b in zip(places.order, talents.order, strict=True)
    )


def as_event(configuration: FoundChain) -> Mapping[str, object]:
    return {
        "order": [member.address for member in configuration.members],
        "ids": "".join(member.id for member in configuration.members),
        "mdl": [member.mdl for member in configuration.members],
        "error": configuration.error,
        "attempts": configuration.attempts,
    }
