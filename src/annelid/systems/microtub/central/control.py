"""The central control as a program on a node of its own (000 §6): a PC on the bus, or a module.

It goes round like this, each thing at its own rate::

    look at the robot anew, if there is reason to       (discovery, health)
    set the clocks                                      every 2 s
    poll everybody, and one by name                     every half second
    ask how far the robot has come                      every half second
    let the behaviours decide, and carry it out         five times a second
    hear modules and operator                           in between, at once

Between two of these it sleeps, so that it costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, cast

from annelid.behaviour import BehaviourLayer
from annelid.electronics.board import Board
from annelid.kernel import AnyOf, Program, Receive, milliseconds, seconds
from annelid.systems.microtub.agent import MOVED, STARTED, UNHEARD
from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.behaviours import CENTRAL_LAYER
from annelid.systems.microtub.central.behaviours.balance import ROLL_OVER
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.cartography import Cartographer
from annelid.systems.microtub.central.catalogue import Catalogue, catalogue
from annelid.systems.microtub.central.desk import OperatorDesk
from annelid.systems.microtub.central.drive_help import DriveHelp
from annelid.systems.microtub.central.elbows import Elbows
from annelid.systems.microtub.central.feeling import TouchListener
from annelid.systems.microtub.central.felt_corner import FeltCorner
from annelid.systems.microtub.central.giving_way import GivingWay
from annelid.systems.microtub.central.health import Health
from annelid.systems.microtub.central.inquiry import Inquiry
from annelid.systems.microtub.central.joints import ANSWERS, JointAngles
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import TouchReport
from annelid.systems.microtub.central.mind import CentralMind
from annelid.systems.microtub.central.movements import Executive, Order
from annelid.systems.microtub.central.operator import OPERATOR_LINE
from annelid.systems.microtub.central.reckoning import Reckoning
from annelid.systems.microtub.central.sight import PictureReader
from annelid.systems.microtub.central.surroundings import Surroundings
from annelid.systems.microtub.central.ways_out import WaysOut
from annelid.systems.microtub.discovery import Ear, FoundChain, as_event, discover
from annelid.systems.microtub.inference import Engine, RuleTable, rulebook
from annelid.systems.microtub.module import BUS
from annelid.systems.microtub.protocol import (
    LLC1,
    LLC2,
    Alarm,
    BadFrame,
    Message,
    TouchSide,
    decode,
)
from annelid.systems.microtub.spec import MicrotubSpec

CENTRAL: Final = "central"
"""The central control's port on the bus where it shares a board with a module, whose own is
``bus``."""
AGAIN_NS: Final = milliseconds(300)
"""A hole in a bend is soon out of sight of a robot that moves: the next picture comes then."""
OBEYED_NS: Final = milliseconds(250)
"""Until modules that were told to stop stand: some passes of their loop."""
FELT_S: Final = 1.2
"""So long a nose that a wave swings presses against something before it is sure."""
HELD_S: Final = 2.0
"""The same of a joint that is held."""


def central_control(
    board: Board,
    *,
    spec: MicrotubSpec,
    behaviours: BehaviourLayer = CENTRAL_LAYER,
    rules: Sequence[RuleTable] = (),
    known: Catalogue | None = None,
) -> Program:
    """Lives one after the other: RST begins the next, which knows where the robot is and nothing
    else.  ``rules`` are those of plugins, and the spec's come on top; ``known`` are the types of
    modules."""
    knowledge = Knowledge(catalogue=catalogue() if known is None else known)
    yield board.sleep(spec.start_s)
    yield from CentralControl(board, spec, behaviours, rules, knowledge, first=True).run()
    while True:
        board.log("restart", {})
        knowledge = knowledge.next_life()
        yield from CentralControl(board, spec, behaviours, rules, knowledge).run()


@dataclass(slots=True)
class Errand:
    """Something to be done again and again."""

    period_ns: int
    run: Callable[[], Program]
    due_ns: int = 0


class CentralControl:
    """One life."""

    def __init__(
        self,
        board: Board,
        spec: MicrotubSpec,
        behaviours: BehaviourLayer,
        rules: Sequence[RuleTable],
        knowledge: Knowledge,
        *,
        first: bool = False,
    ) -> None:
        self.board = board
        self.spec = spec
        self.knowledge = knowledge
        self._first = first
        bus = board.ports[CENTRAL if CENTRAL in board.ports else BUS]
        self.ear = Ear(board, bus, crc=spec.crc, heed=self._heed)
        self.health = Health(self.ear, self.knowledge)
        self.inquiry = Inquiry(self.ear, self.knowledge)
        engine = Engine(rulebook(rules, spec.rules))
        self.abilities = Abilities(
            self.knowledge, board.log, adapt=spec.adapt, tethered=spec.tether, engine=engine
        )
        self.bifurcations = Bifurcations(self.knowledge, enter=spec.bifurcations)
        self.joints = JointAngles(self.ear, self.inquiry, self.knowledge)
        self.elbows = Elbows(self.joints, self.knowledge, self.bifurcations, board.log)
        self.corners = FeltCorner(self.joints, self.knowledge, self.bifurcations, board.log)
        self.drive_help = DriveHelp(self.joints, self.knowledge, self.bifurcations)
        self.giving_way = GivingWay(self.joints, self.knowledge, board.log)
        self.mind = CentralMind(
            self.knowledge, self.abilities, self.bifurcations, board.log, behaviours=behaviours
        )
        self.executive = Executive(self.ear, self.knowledge)
        self.reckoning = Reckoning(self.knowledge)
        self.ways_out = WaysOut(self.knowledge, board.log)
        self.surroundings = Surroundings(self.knowledge, spec.environment)
        self.cartographer = Cartographer(self.knowledge, board.log)
        self.sight = PictureReader(board, self.knowledge, self.inquiry)
        self.feeling = TouchListener(self.ear, self.knowledge, self.inquiry)
        self.restart = False
        line = board.ports.get(OPERATOR_LINE)
        self.desk = (
            None
            if line is None
            else OperatorDesk(
                board,
                line,
                knowledge=self.knowledge,
                abilities=self.abilities,
                inquiry=self.inquiry,
                halt=self._halt,
                restart=self._begin_anew,
            )
        )
        self._line = line
        now = board.now
        self._looking = Errand(seconds(spec.look_s), self._look, now)
        self._errands = (
            Errand(seconds(spec.rtc_s), lambda: self.ear.say(LLC2.RTC), now),
            Errand(seconds(spec.poll_s), self._poll, now),
            Errand(seconds(spec.ask_s), self._ask, now),
            self._looking,
            Errand(seconds(spec.think_s), self._think, now),
        )

    def run(self) -> Program:
        board, bus = self.board, Receive(self.ear.port.received)
        waits = [bus] if self._line is None else [bus, Receive(self._line.received)]
        while not self.restart:
            if self.health.wanted is not None:
                yield from self._look_anew(self.health.wanted)
            for errand in self._errands:
                if board.now >= errand.due_ns:
                    errand.due_ns = max(errand.due_ns + errand.period_ns, board.now)
                    yield from errand.run()
            soonest = min(errand.due_ns for errand in self._errands)
            fired = yield AnyOf(*waits, board.until(soonest))
            if fired.timed_out:
                continue
            if fired.index == 0:
                said = decode(fired.value, crc=self.spec.crc)
                if isinstance(said, BadFrame):
                    self.ear.note(said)
                else:
                    self._heed(said)
            elif self.desk is not None:
                yield from self.desk.serve(fired.value)
                yield from self._think()
                yield from self.desk.deliver()
        yield from self.executive.stop()
        yield from self.ear.say(LLC2.RST)

    def _halt(self) -> Program:
        """For the operator: all at once, then each by name; brings the addresses of those who may
        not have heard it, or None where there is nobody."""
        yield from self.executive.stop()
        deaf: list[int] = []
        for part in self.knowledge.parts:
            if not (yield from self.ear.say(LLC2.STP, to=part.address)):
                deaf.append(part.address)
        until_ns = self.board.now + OBEYED_NS
        while (yield from self.ear.hear(until_ns)) is not None:
            pass
        return deaf if self.knowledge.parts else None

    def _begin_anew(self) -> None:
        self.restart = True

    # -- looking ---------------------------------------------------------------------------------

    def _look_anew(self, reason: str) -> Program:
        """Check the configuration; where that fails, go by what is remembered."""
        known = bool(self.knowledge.parts)
        addresses = [part.address for part in self.knowledge.parts]
        self.board.log("look anew", {"reason": reason})
        if known:
            yield from self.executive.stop()
        configuration: FoundChain = yield from discover(self.ear, self.spec)
        self.board.log("configuration", as_event(configuration))
        found = {member.address for member in configuration.members}
        gone = [address for address in addresses if address not in found]
        cut = configuration.error is None and (yield from self.health.on_bus(gone))
        if configuration.error is None and not cut:
            self.knowledge.know(configuration.members)
            if gone:
                self._came_apart(len(gone))
        elif known:
            yield from self.health.ask_each()
        if self.knowledge.parts:
            self.health.settled(addresses)
        self.abilities.infer()
        yield from self.executive.introduce()

    def _came_apart(self, missing: int) -> None:
        """What is left of a robot that broke does not go on exploring: it brings itself home."""
        self.knowledge.task.break_off(telling.missing(missing), "; going home with the rest")

    # -- hearing ---------------------------------------------------------------------------------

    def _heed(self, said: Message) -> None:
        """Handles every message of a module, also while the program waits for another."""
        knowledge, values = self.knowledge, said.values
        self.health.heard(said.sender)
        if said.command is LLC2.APO and values:
            if isinstance(values[0], Alarm):
                self.health.alarm(said.sender, values[0], int(values[1]))
            else:
                self._hear_words(said.sender, str(values[0]))
        elif said.command is LLC2.AMC:
            before = self.abilities.inferred.abilities
            if knowledge.change(said.sender, str(values[0])):
                now = self.abilities.infer().abilities
                if now != before:
                    who = knowledge.called(said.sender)
                    news = f"{who} reports damage or repair; this robot can now: "
                    able = ", ".join(f"{name} {grade}" for name, grade in now.items())
                    told = telling.of_itself("abilities", news + (able or "nothing"))
                    knowledge.task.tell(told)
        elif said.command is LLC2.AIM:
            self.inquiry.learn(said)
        elif said.command in ANSWERS:
            self.joints.learn(said)
        elif said.command is LLC1.TS:
            side, *direction = values
            toward = int(direction[0]) if direction else None
            self._feel(TouchReport(said.sender, cast(TouchSide, side), toward, self.board.now))
        elif said.command is LLC1.TSF:
            knowledge.turn_ended = knowledge.turning
            knowledge.turning = False

    def _feel(self, felt: TouchReport) -> None:
        """What may be a touch counts ahead, in a robot that has nothing better to feel with; what
        is felt below is the floor."""
        knowledge = self.knowledge
        if knowledge.in_pipe is False:
            felt = felt.rolled(knowledge.roll)
        if felt.held and (knowledge.heading <= 0 or knowledge.cameras):
            return
        if felt.side is TouchSide.BELOW and knowledge.in_pipe is False:
            return
        knowledge.felt = felt
        if knowledge.in_pipe is False and knowledge.heading > 0:
            knowledge.place.held(HELD_S if felt.held else FELT_S)

    def _hear_words(self, sender: int, words: str) -> None:
        if words == STARTED:
            self.health.want(f"{self.knowledge.called(sender)} has started")
        elif words == MOVED and self._first and not self.knowledge.parts:
            self.knowledge.astray = self.knowledge.place.lost = True
            self.knowledge.openings_doubted = True
        elif words == UNHEARD:
            self.knowledge.place.lost = True
            self.health.want(f"{self.knowledge.called(sender)} has heard nothing, and stopped")
        elif words in set(Situation):
            self.knowledge.seen[sender] = Situation(words)

    # -- errands ---------------------------------------------------------------------------------

    def _poll(self) -> Program:
        yield from self.ear.say(LLC2.PO)
        yield from self.health.roll_call()

    def _ask(self) -> Program:
        yield from self.inquiry.ask_the_way()
        yield from self.inquiry.ask_orientation()
        if self.feeling.wanted and self.spec.environment == "auto":
            yield from self.feeling.feel()

    def _look(self) -> Program:
        if self.knowledge.in_pipe:
            yield from self.inquiry.ask_the_bore()
        if self.sight.wanted:
            yield from self.sight.look()
            if self.sight.soon:
                self._looking.due_ns = self.board.now + AGAIN_NS

    def _adjustments(self, anew: bool) -> list[Order]:
        """To servos, while a movement goes on."""
        return [*self.bifurcations.orders(anew), *self.drive_help.orders(anew)]

    def _think(self) -> Program:
        if self.restart or not self.knowledge.parts:
            return
        self.knowledge.now_ns = self.board.now
        self.reckoning.update(self.executive.current)
        self.cartographer.follow()  # before anybody puts something on the map
        self.elbows.look()
        self.bifurcations.feel(self.joints.total(self.bifurcations.joints))
        self.corners.look()
        self.ways_out.update()
        self.giving_way.look()
        if self.surroundings.update():
            self.board.log("mode", {"mode": self.knowledge.mode.meaning})
        movement = self.mind.decide()
        yield from self.executive.carry_out(movement)
        yield from self.executive.adjust(self._adjustments)
        readers = (self.elbows, self.bifurcations, self.corners, self.giving_way)
        yield from self.joints.ask(joint for each in readers for joint in each.wants())
        if movement is not None and movement.name == ROLL_OVER:
            yield from self.inquiry.ask_orientation()
        self.cartographer.tell(anyway=self.knowledge.task.ended is not None)
        if self.desk is not None:
            self.desk.report()
            yield from self.desk.deliver()
