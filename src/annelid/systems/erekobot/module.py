"""What the programs of all profiles share: one module with its servo, its line and its gait time.

A profile's own file holds what its flow chart shows (004, Figs 6, 8, 10); here stand the boxes
that are the same in all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from annelid.electronics.board import Board
from annelid.kernel import AnyOf, Program, Receive, seconds
from annelid.systems.erekobot import messages
from annelid.systems.erekobot.gait_time import (
    HOP_MS,
    GaitTime,
    cristian,
    one_way_ns,
    return_share,
    wait_until,
)
from annelid.systems.erekobot.messages import (
    ASK_TIME,
    KIND,
    PROFILE,
    START,
    STOP,
    TIME,
    VALUE,
    Announces,
)
from annelid.systems.erekobot.packets import BROADCAST, HOST, PROFILES, Packet, Standard
from annelid.systems.erekobot.relay import Forwarding
from annelid.systems.erekobot.serial import PacketPort
from annelid.systems.erekobot.servo_table import PWM_MAX, PWM_MIN, GaitTable, radians_of

Sync = Literal["off", "tell", "ask"]
"""Nobody corrects the clocks; the server tells all; each module asks (gait_time.py)."""

TIMEOUT_S: Final = 0.020
"""004 gives no number (FACTS §5, proposed): longer than the 11.5 ms of a Configuration Packet."""


@dataclass(frozen=True, slots=True)
class ErekobotSetup:
    """What is flashed into one module."""

    address: int
    index: int
    """Place in the line, from 1 beside the host."""
    modules: int
    servo: str = "pitch"
    forwarding: Forwarding = "cut-through"
    timeout_s: float | None = TIMEOUT_S
    interval_s: float = 0.2
    """From one time state to the next."""
    tick_s: float = 0.05
    """How often a module of the Fourth Profile computes its angle."""
    sync: Sync = "off"
    sync_s: float = 1.0
    learns_rate: bool = True
    """Whether the times it is told also teach it the rate of its oscillator."""
    server: int = HOST
    """Who is asked for the time."""
    hop_ms: float = HOP_MS
    """What each place in the line adds to a packet's way; 0 on a bus."""
    busy_s: tuple[float, float] = (0.0, 0.0)
    """How long a module is deaf after a packet, from and to: its servo's pulses take the
    processor (a proposal for 004's Fig. 13, whose cause the paper does not give)."""


@dataclass(frozen=True, slots=True)
class ModuleMemory:
    """What a module has besides its programs."""

    tables: tuple[GaitTable, ...]
    """The Second Profile knows the first of them, the Third all."""
    brief: bool = False
    """Configurations have the eight bytes of Fig. 4 and keep the module's table."""
    answers: bool = False
    """The host is told the verdict on a program; it needs a way back, the ring."""


class Module:
    """A board that runs the profiles, one at a time."""

    def __init__(self, board: Board, setup: ErekobotSetup) -> None:
        self.board = board
        self.setup = setup
        self.serial = PacketPort(
            board,
            passes=self._passes,
            forwarding=setup.forwarding,
            timeout_s=setup.timeout_s,
        )
        self.gait = GaitTime(board, seconds(setup.interval_s), learns_rate=setup.learns_rate)
        self._asked_ns: int | None = None
        self._ask_due_ns: int | None = None

    def begin(self, announces: Announces = messages.nothing, *, interval_s: float = 0.0) -> None:
        """A profile begins: the module stands, and knows which packets it may be sent."""
        self.gait.stop()
        self.gait.interval_ns = seconds(interval_s or self.setup.interval_s)
        self._ask_due_ns = None
        self.serial.receiver.announces = announces

    def asked_profile(self, packet: Packet) -> int | None:
        """Which profile all shall go on with, if the packet says so."""
        if not isinstance(packet, Standard) or packet.address != BROADCAST:
            return None
        number = packet.message - PROFILE
        if number not in PROFILES:
            return None
        self.board.log("profile", {"profile": number})
        return number

    # -- waiting -------------------------------------------------------------------------------

    def next(self) -> AnyOf:
        """A byte on the line, the next step of the gait, or time to ask for the time."""
        received = Receive(self.serial.port.received)
        step_ns = self.gait.due_ns if self.gait.moving else None
        clock = wait_until(self.board, step_ns, self._ask_due_ns)
        return AnyOf(received) if clock is None else AnyOf(received, clock)

    def rest(self, after: list[Packet]) -> Program:
        """The time after a packet in which the module hears nothing."""
        low, high = self.setup.busy_s
        if after and high > 0.0:
            yield self.board.sleep(float(self.board.random.uniform(low, high)))

    # -- the line ------------------------------------------------------------------------------

    def _passes(self, address: int, message: int | None) -> bool:
        """What is for others goes on, and what is for all; a question that found no one ends
        where it began, or it would go round the ring for ever."""
        mine = self.setup.address
        return address != mine and message != (ASK_TIME | mine)

    def is_mine(self, packet: Packet) -> bool:
        return packet.address == self.setup.address

    # -- the servo -----------------------------------------------------------------------------

    def turn(self, pwm: int) -> None:
        """Apply a pulse width; one that would break the servo is refused."""
        if PWM_MIN <= pwm <= PWM_MAX:
            self.board.servos[self.setup.servo].target = radians_of(pwm)
            gait = {"gait_ns": self.gait.elapsed} if self.gait.moving else {}
            self.board.log("servo", {"pwm": pwm, **gait})
        else:
            self.refuse("pulse width", pwm)

    def refuse(self, what: str, got: object) -> None:
        """A sound packet that makes no sense here changes nothing; the trace knows of it."""
        self.board.log("refused", {"what": what, "got": got})

    # -- start, stop and time ------------------------------------------------------------------

    def keeps_time(self, packet: Packet) -> bool:
        """Start, stop, and the keeping of time: the broadcast side of Figs 8 and 10.

        True if the packet was about that.
        """
        if not isinstance(packet, Standard):
            return False
        to_me = packet.address == self.setup.address
        match packet.message & KIND, packet.message:
            case _, message if packet.address == BROADCAST and message == START:
                self._start()
            case _, message if packet.address == BROADCAST and message == STOP:
                self.gait.stop()
                self._ask_due_ns = None
                self.board.log("stop", {"gait_ns": self.gait.elapsed})
            case kind, message if kind == TIME and packet.address == BROADCAST:
                if self.setup.sync == "tell":
                    late = one_way_ns(self.setup.index, self.setup.hop_ms)
                    self._correct(self.gait.unwrapped(message) + late)
            case kind, message if kind == TIME and to_me:
                self._answered(message)
            case kind, message if kind == ASK_TIME and to_me:
                if self.gait.moving:
                    asker = message & VALUE & 0xFF
                    self.serial.send(messages.tell_time(asker, self.gait.elapsed))
            case _:
                return False
        return True

    def asks_time(self) -> None:
        """Ask the server, if it is time to."""
        if self._ask_due_ns is not None and self.board.now >= self._ask_due_ns:
            self._ask_due_ns += seconds(self.setup.sync_s)
            self._asked_ns = self.board.now
            self.serial.send(messages.ask_time(self.setup.server, self.setup.address))

    def _start(self) -> None:
        setup = self.setup
        known = setup.sync != "off"
        self.gait.start(one_way_ns(setup.index, setup.hop_ms) if known else 0)
        if setup.sync == "ask" and setup.server != setup.address:
            # One after the other, so that their questions do not meet in the same module.
            share = setup.sync_s * setup.index / (setup.modules + 1)
            self._ask_due_ns = self.board.now + seconds(share)
        self.board.log("start", {"gait_ns": self.gait.elapsed})

    def _answered(self, message: int) -> None:
        if self._asked_ns is None:
            return
        told = self.gait.unwrapped(message)
        from_host = self.setup.server == HOST
        share = return_share(self.setup.index, self.setup.modules) if from_host else 0.5
        asked_ns, self._asked_ns = self._asked_ns, None
        self._correct(cristian(asked_ns, self.board.now, told, share))

    def _correct(self, gait_ns: int) -> None:
        if self.gait.moving:
            self.board.log("time", {"ahead_ns": self.gait.correct(gait_ns)})
