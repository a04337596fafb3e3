"""Checks which modules still answer: roll calls, alarms, and new configuration checks (000 §5.2).

Polling all at once tells nothing of a module that has died, so one module is called by name at
every poll, each in its turn.  Who does not acknowledge is called again at the next poll, and after
three calls it counts as lost.  A lost
module, one that says it has just started, and one that speaks though it is not in the chain are
reasons to check the configuration again ("after split up and if a module is broken").  A piece with
a battery of its own goes on running while it is away and says nothing when it is docked again: so
those who were there once are called now and then, too.

**Where the check fails**, because a dead board in the middle interrupts the sync lines, the order
of before still stands: bodies do not change places.  Each module is then asked for its
capabilities by name (SYC), and those that are silent count as bodies without skills.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from annelid.kernel import Program
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.central.task import Task, Want
from annelid.systems.microtub.discovery import Ear
from annelid.systems.microtub.protocol import LLC2, Alarm, Destination

AGAIN: Final = 5
"""Every so many roll calls one that is not there any more is called."""
TOLD: Final = frozenset(Alarm) - {
    Alarm.FORBIDDEN,
    Alarm.INSTRUCTION,
    Alarm.PARAMETERS,
    Alarm.UNABLE,
}
"""Alarms that the operator is told, once for each module; the others are about what was said."""
MISSES: Final = 3
"""Roll calls in a row without an acknowledge after which a module is lost."""


class Health:
    """Of one robot; ``wanted`` is why its configuration should be checked again."""

    def __init__(self, ear: Ear, knowledge: Knowledge) -> None:
        self.wanted: str | None = "the robot is not known yet"
        self.alarms: Counter[tuple[int, Alarm]] = Counter()
        self._ear = ear
        self._knowledge = knowledge
        self._misses: Counter[int] = Counter()
        self._turn = 0
        self._gone: dict[int, bool] = {}
        """Those who were in the chain once, or speak without being in it; True: a check was made
        because of that one, and has not found it in the chain."""

    def want(self, reason: str) -> None:
        """Check again as soon as there is time; the first reason stands."""
        self.wanted = self.wanted or reason

    def settled(self, before: Iterable[int] = ()) -> None:
        """The chain is known; ``before`` are the addresses of those who were in it until now."""
        self.wanted = None
        self._misses.clear()
        self._knowledge.unheard.clear()
        there = {part.address for part in self._knowledge.alive}
        gone = {**dict.fromkeys(before, False), **self._gone}
        self._gone = {each: tried for each, tried in gone.items() if each not in there}

    def heard(self, sender: int) -> None:
        """Somebody speaks: is it one of us?"""
        parts = self._knowledge.alive
        if parts and all(part.address != sender for part in parts):
            self._back(sender)

    def _back(self, address: int) -> None:
        """One who is not in the chain is on the bus; looked for once, until it is heard no more."""
        if not self._gone.get(address, False):
            self._gone[address] = True
            self.want(f"{self._knowledge.called(address)} is there, and not in the chain")

    def alarm(self, sender: int, alarm: Alarm, detail: int) -> None:
        self.alarms[sender, alarm] += 1
        if alarm in TOLD and self.alarms[sender, alarm] == 1:
            self._knowledge.task.tell(telling.alarm(self._knowledge, sender, alarm))
        if alarm is Alarm.HOT:
            self._knowledge.hot_ns = self._ear.board.now
        if alarm is Alarm.STUCK:
            self._knowledge.place.lost = True
        if alarm is Alarm.POWER:
            self._save_power()
        self._ear.board.log(
            "alarm heard", {"from": sender, "alarm": alarm.meaning, "detail": detail}
        )

    def _save_power(self) -> None:
        """No helpers any more, and home while there is power for it.  Who explores a pipe knows the
        way back through it; any other task gives way to that of reaching home."""
        knowledge, task = self._knowledge, self._knowledge.task
        knowledge.low_power = True
        if task.exploring and knowledge.in_pipe:
            task.break_off(telling.low_power(), ": going home")
        elif task.going_on and task.place is not Destination.HOME:
            instead = Task(Want.REACH, Destination.HOME, back=True, news=task.news)
            instead.tell(telling.low_power(), f": going home, instead of: {task}")
            knowledge.begin_afresh()
            knowledge.task = instead

    def roll_call(self) -> Program:
        """Poll one module by name."""
        there = self._knowledge.alive
        if not there:
            return
        self._turn += 1
        if self._gone and self._turn % AGAIN == 0:
            yield from self._call_one_gone()
        part = self._next(there)
        if (yield from self._ear.say(LLC2.PO, to=part.address)):
            del self._misses[part.address]
            return
        self._misses[part.address] += 1
        self._knowledge.unheard.add(part.address)
        if self._misses[part.address] >= MISSES:
            self._ear.board.log("module lost", {"address": part.address, "id": part.id})
            self._knowledge.bury(part.address)
            self._knowledge.task.tell(telling.module_lost(self._knowledge, part.address))
            self.want(f"{self._knowledge.called(part.address)} does not answer")

    def _next(self, there: Sequence[KnownModule]) -> KnownModule:
        doubted = (part for part in there if self._misses[part.address])
        return next(doubted, there[self._turn % len(there)])

    def _call_one_gone(self) -> Program:
        address = list(self._gone)[self._turn // AGAIN % len(self._gone)]
        if (yield from self._ear.say(LLC2.PO, to=address)):
            self._back(address)
        else:
            self._gone[address] = False

    def on_bus(self, addresses: Iterable[int]) -> Program:
        """Whether one of them still answers: then a sync line is cut, and not the chain."""
        for address in addresses:
            if (yield from self._ear.say(LLC2.PO, to=address)):
                self._ear.board.log("line cut", {"answers": address})
                return True
        return False

    def ask_each(self) -> Program:
        """The chain of before, by name: who answers, and with what; brings whether anybody did."""
        knowledge, ear = self._knowledge, self._ear
        for part in knowledge.parts:
            said = yield from ear.inquire(LLC2.SYC, to=part.address, answer=LLC2.AMC)
            if said is None:
                knowledge.bury(part.address)
            else:
                knowledge.change(part.address, str(said.values[0]))
        left = len(knowledge.alive)
        ear.board.log("chain as remembered", {"ids": knowledge.ids, "alive": left})
        return left > 0
