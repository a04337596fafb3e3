"""The program of a MICROTUB module: agent, embedded behaviours, configuration check, clock.

It goes round about every 15 ms, and at once for a frame, an edge on a sync line during a check, or
a frame of its own that has ended.  In every round the behaviours (``behaviours/``) decide on every
servo; the agent only tells them what was ordered, and the bus what they have found.  The baton of
the clock is passed on in an interrupt: a hop that waited for the loop would cost more than the
clocks drift.
"""

from __future__ import annotations

from dataclasses import dataclass

from annelid.behaviour import BehaviourLayer
from annelid.electronics.board import Board
from annelid.electronics.port import FramePort
from annelid.kernel import AnyOf, Edge, Program, Receive, Wait, to_seconds
from annelid.systems.microtub.agent import HeterogeneousAgent, Identity
from annelid.systems.microtub.behaviours import (
    EMBEDDED_LAYER,
    Situation,
    Stimuli,
    module_stack,
    step,
)
from annelid.systems.microtub.behaviours.elbow import ElbowLine
from annelid.systems.microtub.behaviours.embedded import Overload
from annelid.systems.microtub.clocks import Baton, GaitClock
from annelid.systems.microtub.configuration_check import ConfigurationCheck
from annelid.systems.microtub.line_owner import LineOwner, LineUse
from annelid.systems.microtub.outbox import Outbox
from annelid.systems.microtub.protocol import LLC1, LLC2, Alarm
from annelid.systems.microtub.spec import SyncMethod

BUS, SIN, SOUT = "bus", "sin", "sout"
"""What ports and pins are called on a board."""


@dataclass(frozen=True)
class MicrotubSetup:
    """What is flashed into a module, and the numbers it lives by; ns."""

    who: Identity
    sync: SyncMethod
    loop_ns: int
    settle_ns: int
    rtc_ns: int
    low_power_v: float
    silence_ns: int
    """After so long without a word from the central control it stops."""
    crc: bool = False
    overload: Overload | None = None
    """When a servo that draws too much is released."""
    gentle: bool = False
    """Whether targets are led gently everywhere, as a limit of 100 mA needs (FACTS §3)."""
    clock_log: bool = False
    """Whether every setting of t goes into the trace, to be compared among modules."""


def module(
    board: Board, *, setup: MicrotubSetup, behaviours: BehaviourLayer = EMBEDDED_LAYER
) -> Program:
    """A module's life; RST begins it anew, with everything forgotten."""
    while True:
        yield from ModuleProgram(board, setup, behaviours).run()
        board.log("restart", {})


class ModuleProgram:
    """One life."""

    def __init__(self, board: Board, setup: MicrotubSetup, behaviours: BehaviourLayer) -> None:
        self.board = board
        self.setup = setup
        self.port: FramePort = board.ports[BUS]
        self.sin, self.sout = board.pins[SIN], board.pins[SOUT]
        changed = self._log_clock if setup.clock_log else None
        self.clock = GaitClock(rtc_ns=setup.rtc_ns, changed=changed)
        self.baton = Baton(self.sin, self.sout, self.clock)
        self.line = LineOwner()
        self.outbox = Outbox(board, self.port, setup.who.address, crc=setup.crc)
        self.check = ConfigurationCheck(
            self.sin, self.sout, settle_ns=setup.settle_ns, alarm=self._alarm
        )
        kind = setup.who.module
        self.stimuli = Stimuli.of(board, kind, gentle=setup.gentle)
        self.elbow = ElbowLine(self.sin, self.sout, self.stimuli, log=board.log)
        bare = not board.servos and not board.sensors
        self.stack = (
            None
            if bare
            else module_stack(
                kind, behaviours=behaviours, record=board.log, overload=setup.overload
            )
        )
        """A board that is on no body has nothing to decide on."""
        self.agent = HeterogeneousAgent(
            board,
            setup.who,
            stimuli=self.stimuli,
            outbox=self.outbox,
            check=self.check,
            clock=self.clock,
            low_power_v=setup.low_power_v,
            silence_ns=setup.silence_ns,
            crc=setup.crc,
        )
        self._situation = Situation.UNKNOWN

    def run(self) -> Program:
        ends = [pin.line.on_change(self._interrupt) for pin in (self.sin, self.sout)]
        try:
            yield from self._loop()
        finally:
            for end in ends:
                end()

    def _interrupt(self, level: bool) -> None:
        self.baton.look(self.board.now)

    def _loop(self) -> Program:
        board, agent = self.board, self.agent
        for pin in (self.sin, self.sout):
            pin.drive(False)
        listen = Receive(self.port.received)
        edges = (Edge(self.sin.line), Edge(self.sout.line))
        due_ns = board.now
        while not agent.restart:
            waits: list[Wait] = [listen]
            if self.outbox.sending is not None:
                waits.append(self.outbox.sending)
            if self.check.active:
                waits += edges
            soonest = due_ns
            if self.check.deadline_ns is not None:
                soonest = min(soonest, self.check.deadline_ns)
            if self.baton.due_ns is not None:
                soonest = min(soonest, self.baton.due_ns)
            waits.append(board.until(soonest))
            fired = yield AnyOf(*waits)
            if fired.index == 0:
                agent.hear(fired.value)
            now = board.now
            self.outbox.look()
            self._use_line(now)
            if now >= due_ns:
                due_ns = max(due_ns + self.setup.loop_ns, now)
                self._pass(now)

    def _alarm(self, what: Alarm, detail: int, at_once: bool) -> None:
        self.agent.alarm(what, detail, at_once)

    # -- the sync line -------------------------------------------------------------------------

    def _use_line(self, now: int) -> None:
        """Check before elbow before clock, which takes the line when it is free and the place is
        known."""
        line, check, baton = self.line, self.check, self.baton
        check.look(now)
        if check.active:
            line.want(LineUse.CHECK, now)
        else:
            line.leave(LineUse.CHECK, now)
        self._use_line_in_elbow(now)
        if self.setup.sync != "line" or check.first is None or check.last is None:
            return
        line.want(LineUse.CLOCK, now)
        if line.has(LineUse.CLOCK, now):
            if not baton.running:
                baton.run(now, first=check.first, last=check.last)
            baton.look(now)
        elif baton.running:
            baton.stop()

    def _use_line_in_elbow(self, now: int) -> None:
        """A check ends an elbow: nobody would know any more whose turn it was."""
        line, elbow, agent = self.line, self.elbow, self.agent
        if self.stimuli.walk.elbow is None:
            if line.wants(LineUse.ELBOW):
                elbow.forget()
                if not self.check.active:
                    elbow.clear()
                line.leave(LineUse.ELBOW, now)
        elif self.check.active:
            agent.walking.end_elbow("a configuration check")
        elif not line.wants(LineUse.ELBOW):
            self.baton.stop()
            elbow.clear()
            line.want(LineUse.ELBOW, now)
        elif line.has(LineUse.ELBOW, now):
            if not elbow.running:
                elbow.begin(first=bool(self.check.first))
            if elbow.look(now):
                agent.queue(LLC1.TSF)

    # -- the loop ------------------------------------------------------------------------------

    def _pass(self, now: int) -> None:
        agent, stimuli = self.agent, self.stimuli
        agent.watch(now)
        if self.stack is not None:
            stimuli.gait_s = to_seconds(self.clock.t_ns(now))
            step(self.stack, stimuli, now)
            agent.report()
            if stimuli.situation is not self._situation:
                self._situation = stimuli.situation
                agent.queue(LLC2.APO, stimuli.situation.value)
        information, was_low = agent.information, agent.information.low
        information.sample(backwards=agent.told.speed < 0)
        if information.low and not was_low:
            stimuli.warn(Alarm.POWER, "the supply is nearly empty")
            agent.report()

    def _log_clock(self, t_ns: int, by: str) -> None:
        self.board.log("clock", {"t_ns": t_ns, "by": by})
