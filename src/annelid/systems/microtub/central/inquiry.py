"""The questions of the central control to the modules: how often, and what to do with the answers.

000 §5.1: modules speak when they are polled; what they know of themselves (Table 7) they tell when
they are asked.  One question goes to one module at a time, in turn, so that the bus stays free.

==============  ==============================  =======================================
question        to whom                         how often
==============  ==============================  =======================================
distance        travellers                      at every step of the behaviours
orientation     the middle one that feels it    twice a second; at every decision
                                                while the robot rolls over
bore            the foremost nose               every second, inside a pipe
consumption     modules with servos             when the operator asks
==============  ==============================  =======================================
"""

from __future__ import annotations

from collections.abc import Iterable

from annelid.kernel import Program
from annelid.systems.microtub.central.catalogue import TRAVELLER
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.discovery import Ear
from annelid.systems.microtub.protocol import (
    LLC2,
    EnvironmentInfo,
    Message,
    ModuleInfo,
)
from annelid.systems.microtub.protocol.answers import read_module_answer


class Inquiry:
    """Asks; :meth:`learn` takes what comes back, whenever it comes."""

    def __init__(self, ear: Ear, knowledge: Knowledge) -> None:
        self._ear = ear
        self._knowledge = knowledge

    def learn(self, said: Message) -> None:
        """An AIM."""
        answer = read_module_answer(str(said.values[0]))
        if answer is not None:
            asked, values = answer
            self._knowledge.told[said.sender, asked] = values
            self._knowledge.heard_ns[said.sender, asked] = self._knowledge.now_ns

    @property
    def travellers(self) -> tuple[KnownModule, ...]:
        return tuple(part for part in self._knowledge.alive if part.id == TRAVELLER)

    def ask_the_way(self) -> Program:
        for part in self.travellers:
            yield from self._ear.say(LLC2.SIM, ModuleInfo.DISTANCE, to=part.address)

    def ask_the_bore(self) -> Program:
        """A nose that is in a bend or a bifurcation looks into openings, and is not asked."""
        knowledge = self._knowledge
        if knowledge.turning or knowledge.at_bifurcation or knowledge.crooked:
            return
        for nose in knowledge.able("Sense_front")[:1]:
            said = yield from self._ask_environment(EnvironmentInfo.BORE, nose)
            if said is None:
                knowledge.unheard.add(nose.address)
                continue
            knowledge.unheard.discard(nose.address)
            if said.values[0] == EnvironmentInfo.BORE:
                knowledge.bore = int(said.values[1]) / 10_000

    def ask_orientation(self) -> Program:
        """Of the middle one of those who feel gravity, which leans as the robot does, and of the
        foremost, which leans as the pipe ahead."""
        able = self._knowledge.able("Sense_grav")
        for address in dict.fromkeys(able[k].address for k in (0, len(able) // 2) if able):
            yield from self._ear.say(LLC2.SIM, ModuleInfo.ORIENTATION, to=address)

    def ask_all(self, asked: ModuleInfo, parts: Iterable[KnownModule]) -> Program:
        """One after the other, each answer waited for; brings those who answered."""
        answered: list[KnownModule] = []
        for part in parts:
            said = yield from self._ear.inquire(LLC2.SIM, asked, to=part.address, answer=LLC2.AIM)
            if said is not None:
                answered.append(part)
        return answered

    def ask_environment(self, asked: EnvironmentInfo, parts: Iterable[KnownModule]) -> Program:
        """Of the first that can tell; brings the value, or None."""
        for part in parts:
            said = yield from self._ask_environment(asked, part)
            if said is not None and said.values[0] == asked:
                return said.values[1]
        return None

    def _ask_environment(self, asked: EnvironmentInfo, part: KnownModule) -> Program:
        """Brings its answer, or None."""
        return (yield from self._ear.inquire(LLC2.SIE, asked, to=part.address, answer=LLC2.AIE))
