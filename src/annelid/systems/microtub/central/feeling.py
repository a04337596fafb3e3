"""Touches the wall with support arms, for a robot without a camera (000 §4.1.5).

Situation awareness goes by infrared, touch and current.  A chain without such sensors but with a
support module can still find out: told to expand, a support pushes against the wall of a pipe that
is narrow enough to hold on to, and its servo stalls; in the open it reaches its end and rests.  The
difference is its average consumption (Table 7, number 1): 70 mA against 15 after a second.
"""

from __future__ import annotations

from typing import Final

from annelid.kernel import Program
from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central.inquiry import Inquiry
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.discovery import Ear
from annelid.systems.microtub.protocol import LLC1, ModuleInfo, WorkingMode

STRETCH_S: Final = 1.0
"""Until the arms have come as far as they can, and the average shows it."""
WALL_MA: Final = 40
"""A servo that draws so much more than before pushes against something."""


class TouchListener:
    """Once for every robot that needs it."""

    def __init__(self, ear: Ear, knowledge: Knowledge, inquiry: Inquiry) -> None:
        self._ear = ear
        self._knowledge = knowledge
        self._inquiry = inquiry
        self._felt: tuple[object, ...] = ()

    @property
    def wanted(self) -> bool:
        """Whether nobody sees anything, and somebody could feel."""
        knowledge = self._knowledge
        return (
            knowledge.mode is WorkingMode.GENERAL
            and not knowledge.seen
            and bool(knowledge.able("Sup"))
            and self._felt != knowledge.parts
        )

    def feel(self) -> Program:
        """Stretch one support, look how far it came, and let go."""
        knowledge, ear = self._knowledge, self._ear
        self._felt = knowledge.parts
        support = knowledge.able("Sup")[0]
        before = yield from self._drawn(support)
        yield from ear.say(LLC1.EX, to=support.address)
        until_ns = ear.board.now + round(STRETCH_S * 1e9)
        while (yield from ear.hear(until_ns)) is not None:
            pass
        drawn = yield from self._drawn(support)
        yield from ear.say(LLC1.CT, to=support.address)
        if before is None or drawn is None:
            return
        seen = Situation.NARROW_PIPE if drawn - before >= WALL_MA else Situation.OPEN_AIR
        knowledge.seen[support.address] = seen
        ear.board.log(
            "felt", {"by": support.address, "more_ma": drawn - before, "situation": str(seen)}
        )

    def _drawn(self, support: KnownModule) -> Program:
        """mA; None: no answer."""
        asked = ModuleInfo.AVERAGE_CONSUMPTION
        answered = yield from self._inquiry.ask_all(asked, (support,))
        return self._knowledge.told[support.address, asked][0] if answered else None
