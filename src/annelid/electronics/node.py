"""A node: a board with its program, from power-up to crash, hang or death.

======== ================================================ =================== ==================
state    how it comes to it                               program             servos
======== ================================================ =================== ==================
off      not started; :meth:`Node.stop`; brown-out        none                released
booting  :meth:`Node.start`, :meth:`Node.reset`           begins after boot   released
running                                                   runs                commanded
done     the program returned                             ended               last command held
hung     :meth:`Node.hang`                                not scheduled       last command held
crashed  the program raised                               ended               last command held
dead     :meth:`Node.kill`                                none                released, or frozen
======== ================================================ =================== ==================

A watchdog, if there is one, resets a hung or crashed board after its time.  A board that is off,
booting or dead is silent: its ports neither send nor acknowledge, its pins are not driven, and
what its program's ``finally`` blocks still try to do reaches nobody.
"""

from __future__ import annotations

from collections.abc import Generator
from enum import StrEnum
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, Field

from annelid.electronics.board import Firmware
from annelid.electronics.port import Completion
from annelid.electronics.simboard import SimBoard
from annelid.errors import InputError
from annelid.kernel import Process, Program, RandomStreams, Sleep, Timer, Wait, milliseconds
from annelid.spec import Spec


def _ordered(span: float | tuple[float, float]) -> float | tuple[float, float]:
    if isinstance(span, tuple) and span[0] > span[1]:
        raise ValueError(f"expected [lowest, highest], got {list(span)}")
    return span


Span = Annotated[float | tuple[float, float], AfterValidator(_ordered)]
"""A number, or ``[lowest, highest]`` between which chance chooses."""

Duration = Annotated[
    Annotated[float, Field(ge=0)] | tuple[Annotated[float, Field(ge=0)], float],
    AfterValidator(_ordered),
]


def draw(span: float | tuple[float, float], chance: np.random.Generator) -> float:
    return float(chance.uniform(*span)) if isinstance(span, tuple) else span


class BoardSpec(Spec):
    """How good a computer is; the defaults are an ideal one."""

    drift_ppm: Span = 0.0
    """Of its clock; a quartz is within 50, an RC oscillator within 30 000 (004 drifts by 3 %)."""
    offset_ms: Span = 0.0
    """What its clock shows when the run begins."""
    boot_ms: Duration = 0.0
    """From power to the program's first line; a range makes the order of starting random."""
    pass_ms: Duration = 0.0
    """What one pass of the program costs, from the end of a wait to the next wait."""
    watchdog_ms: float | None = Field(default=None, gt=0)
    """A hung or crashed program is reset after this; None: it stays so."""
    crash: Literal["contain", "raise"] = "contain"
    """``raise`` ends the run where a program fails, for those who are writing it."""


class NodeState(StrEnum):
    OFF = "off"
    BOOTING = "booting"
    RUNNING = "running"
    DONE = "done"
    HUNG = "hung"
    CRASHED = "crashed"
    DEAD = "dead"


class Node:
    """Runs ``firmware`` on ``board``; begins with :meth:`start`."""

    def __init__(
        self,
        board: SimBoard,
        firmware: Firmware,
        spec: BoardSpec | None = None,
        *,
        streams: RandomStreams,
    ) -> None:
        self.board = board
        self.firmware = firmware
        self.spec = spec or BoardSpec()
        self.state = NodeState.OFF
        self.resets = 0
        self.error: BaseException | None = None
        """What the program raised, the last time it did."""
        self._kernel = board.grid.kernel
        self._chance = streams[f"node/{board.name}"]
        self._costs = self.spec.pass_ms != 0.0
        self._process: Process | None = None
        self._program: Program | None = None
        self._wait: Wait | None = None
        self._timer: Timer | None = None
        board.power(False)

    @property
    def name(self) -> str:
        return self.board.name

    @property
    def alive(self) -> bool:
        """Whether the board has power and is not broken."""
        return self.state not in (NodeState.OFF, NodeState.DEAD)

    # -- what can be done to it ----------------------------------------------------------------

    def start(self) -> None:
        """Power on, also after a kill (the board was replaced); the program begins after boot."""
        if self.alive:
            raise InputError(f"{self.name}: cannot start a board that is {self.state}")
        self._boot()

    def stop(self, reason: str = "switched off") -> None:
        """Power off."""
        if self.alive:
            self._take_down(NodeState.OFF, release=True)
            self.board.log("off", {"reason": reason})

    def reset(self, reason: str = "reset") -> None:
        """The program from its beginning, with nothing remembered; a board without power or life
        does not react."""
        if not self.alive:
            return
        self.resets += 1
        self._take_down(NodeState.OFF, release=True)
        self.board.log("reset", {"reason": reason})
        self._boot()

    def kill(
        self, reason: str = "killed", *, servos: Literal["release", "freeze"] = "release"
    ) -> None:
        """The board is dead until somebody starts it anew.

        Servos without a signal let go; ``freeze`` is for those that hold their last command.
        """
        if self.state is not NodeState.DEAD:
            self._take_down(NodeState.DEAD, release=servos == "release")
            self.board.log("dead", {"reason": reason, "servos": servos})

    def hang(self, reason: str = "hung") -> None:
        """The program is scheduled no more; devices keep their command, ports still receive."""
        if self.state is NodeState.RUNNING and self._process is not None:
            self.state = NodeState.HUNG
            self._process.kill()
            self.board.log("hang", {"reason": reason})
            self._watch()

    def resume(self, reason: str = "resumed") -> None:
        """A hung program goes on where it hung, waiting for what it waited for."""
        if self.state is NodeState.HUNG and self._program is not None:
            self._cancel_timer()
            self.board.log("resume", {"reason": reason})
            self._spawn(self._program, self._wait)

    # -- life ----------------------------------------------------------------------------------

    def _boot(self) -> None:
        self.state = NodeState.BOOTING
        delay = milliseconds(draw(self.spec.boot_ms, self._chance))
        if delay:
            self._timer = self._kernel.call_at(self._kernel.now + delay, self._begin)
        else:
            self._begin()

    def _begin(self) -> None:
        self._timer = None
        self.board.power(True)
        self._spawn(self._program_of(self.firmware), None)

    def _program_of(self, firmware: Firmware) -> Program:
        """What fails before its first wait fails like a program that has begun."""
        try:
            program: Any = firmware(self.board)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  a user's function may raise anything
            return _failing(error)
        if isinstance(program, Generator):
            return program
        name = getattr(firmware, "__name__", "the program")
        return _failing(
            InputError(f"{name}: expected a function that yields its waits, got {program!r}")
        )

    def _spawn(self, program: Program, wait: Wait | None) -> None:
        self.state = NodeState.RUNNING
        self._program = program
        self._process = self._kernel.spawn(
            self._drive(program, wait), self.name, crash=self.spec.crash
        )

    def _drive(self, program: Program, wait: Wait | None) -> Program:
        """The program, with the time its passes cost.

        A pass happens at its end: what it reads is as old as nothing, what it sends leaves when
        the work is done.
        """
        send = program.send
        costs = self._costs
        try:
            if wait is None:
                wait = next(program)
            while True:
                self._wait = wait
                try:
                    value = yield wait
                except InputError as refusal:  # the kernel cannot wait for that
                    wait = program.throw(refusal)
                    continue
                if costs:
                    self._wait = _over(value)  # hung at work, it will do that work again
                    yield Sleep(milliseconds(draw(self.spec.pass_ms, self._chance)))
                wait = send(value)
        except StopIteration as end:
            if self._program is program:
                self.state = NodeState.DONE
            return end.value
        except GeneratorExit:
            if self.state is not NodeState.HUNG:
                program.close()
            raise
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit, too, ends a program and not the run
            self._crashed(program, error)
            raise

    def _crashed(self, program: Program, error: BaseException) -> None:
        """The kernel records and contains it; the board waits for its watchdog, if it has one."""
        self.error = error
        if self._program is program:
            self.state = NodeState.CRASHED
            self._watch()

    def _watch(self) -> None:
        if self.spec.watchdog_ms is not None:
            bites = self._kernel.now + milliseconds(self.spec.watchdog_ms)
            self._timer = self._kernel.call_at(bites, lambda: self.reset("watchdog"))

    def _take_down(self, state: NodeState, *, release: bool) -> None:
        process, program = self._process, self._program
        self._process = self._program = self._wait = None
        self.state = state
        self._cancel_timer()
        self.board.power(False, release=release)
        if process is not None and process.alive:
            process.kill()  # closes the program, at its next wait if it is what is running now
        elif program is not None:
            program.close()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _failing(error: BaseException) -> Program:
    raise error
    yield


def _over(value: Any) -> Completion[Any]:
    """A wait that has brought ``value`` already."""
    done: Completion[Any] = Completion()
    done.finish(value)
    return done
