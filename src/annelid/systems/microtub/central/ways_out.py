"""Ways out for a robot that stands in a pipe although its drives run.

A drive that has become too hot is let cool first.  Exploring ahead, the robot then goes back, to
try again (``once_more``) or for good: other legs and the way home are worth more than a wedge that
gets tighter.  On the way back there is no other way, so it tries, the cheapest first: ahead a
little to loosen what is wedged, back with joints that give way, then, unless the pipe is steep,
rocking (``annelid.motion.bifurcation``) in both senses, longer each time.  A try that gets on goes
on; one ahead ends where the robot turned back, for there the pipe may end in the open.  Each try
goes into the trace (event ``way out``).  What has not helped after two rounds ends the task with
the truth.
"""

from __future__ import annotations

from math import inf
from typing import Final, NamedTuple

from annelid.behaviour import Log
from annelid.kernel import seconds
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.knowledge import Knowledge

OUT_M: Final = 0.04
"""A robot that has got so far back is out."""
ROUNDS: Final = 2
HOT_NS: Final = seconds(40)
"""A drive that was too hot so lately may stand still for that alone."""
REST_S: Final = 40.0
"""It then rests: a winding loses a quarter of its heat."""
RESTS, AHEAD_RESTS = 3, 1
"""At one place.  Ahead, who stands again after a rest stands because of the place."""


AHEAD_M: Final = 0.03
"""So far ahead loosens what can be loosened; down a slope a robot goes far in little time."""
GAIN_M, GAIN_NS = 0.003, seconds(3)
"""A try back that has gained so much in so long gets on."""
STEEP: Final = 0.85
"""Of the slope that this chain climbs in this bore: steeper, a robot does not rock, for wheels that
are lifted let it slide."""
MISCOUNT_M: Final = 0.03
"""So much a traveller may miscount in one try: wheels slip and turn with the body."""


class WayOut(NamedTuple):
    name: str
    sense: int
    """1 ahead, -1 back."""
    lasts_s: float
    rocking: bool = False
    limp: bool = False
    """Joints lie straight and give way to the wall, wherever the robot thinks that it is."""


TRIES: Final = (
    WayOut("ahead a little", 1, 2.5),
    WayOut("back, limp", -1, 8.0, limp=True),
    WayOut("back, rocking", -1, 12.0, rocking=True),
    WayOut("ahead, rocking", 1, 5.0, rocking=True),
    WayOut("back, limp", -1, 8.0, limp=True),
    WayOut("back, rocking", -1, 20.0, rocking=True),
)
"""In order of cost."""


class WaysOut:
    """Of one life of the central control; keeps ``blocked``, ``way_out`` and ``shaking``."""

    def __init__(self, knowledge: Knowledge, log: Log) -> None:
        self._knowledge = knowledge
        self._log = log
        self._at = 0.0
        """Where it stuck."""
        self._place: int | None = None
        """Of the try under way; None: it is not stuck."""
        self._until_ns = 0
        self._from = self._gained = 0.0
        """Where this try began, and how far back it has got."""
        self._turned = inf
        """Where the robot turned back."""
        self._rounds = self._rests = 0

    def update(self) -> None:
        """After the way has been brought up to date."""
        knowledge = self._knowledge
        jammed, knowledge.jammed = knowledge.jammed, False
        if not knowledge.task.homewards:
            self._turned = knowledge.way
        if not knowledge.task.exploring or not knowledge.in_pipe:
            self._end()
            self._rounds = self._rests = 0
        elif knowledge.resting:
            knowledge.resting = knowledge.now_ns < self._until_ns
        elif jammed and self._hot:
            self._rest()
        elif self._place is not None:
            self._go_on()
        elif jammed and not knowledge.task.homewards:
            knowledge.blocked = telling.stands(knowledge)
        elif jammed:
            self._rounds = self._rounds + 1 if abs(knowledge.way - self._at) < 2 * OUT_M else 1
            self._at = knowledge.way
            if self._rounds > ROUNDS:
                knowledge.task.end(telling.stuck(knowledge), success=False)
            else:
                self._begin(0)

    @property
    def _hot(self) -> bool:
        """Whether a drive that is too hot is why it stands."""
        now_ns, hot_ns = self._knowledge.now_ns, self._knowledge.hot_ns
        here = abs(self._knowledge.way - self._at) < 2 * OUT_M
        rests = self._rests if here else 0
        most = RESTS if self._knowledge.task.homewards else AHEAD_RESTS
        return hot_ns is not None and now_ns - hot_ns < HOT_NS and rests < most

    def _rest(self) -> None:
        knowledge = self._knowledge
        here = abs(knowledge.way - self._at) < 2 * OUT_M
        self._rests = self._rests + 1 if here else 1
        self._at, self._place = knowledge.way, None
        self._until_ns = knowledge.now_ns + seconds(REST_S)
        knowledge.way_out, knowledge.shaking, knowledge.resting = 0, False, True
        knowledge.limp = False
        self._log("way out", {"try": "rest", "round": self._rests, "way_m": knowledge.way})

    def _begin(self, place: int) -> None:
        """This try, or the next one that can be dared here."""
        knowledge = self._knowledge
        pitch = knowledge.pitch or 0.0
        steep = abs(pitch) > STEEP * knowledge.steepest(rises=pitch > 0)
        place = next((k for k in range(place, len(TRIES)) if not (steep and TRIES[k].rocking)), -1)
        if place < 0:
            self._end()
            return
        this = TRIES[place]
        self._place = place
        self._from = self._gained = knowledge.way
        self._until_ns = knowledge.now_ns + seconds(this.lasts_s)
        knowledge.way_out, knowledge.shaking, knowledge.limp = this.sense, this.rocking, this.limp
        knowledge.off += MISCOUNT_M
        self._log("way out", {"try": this.name, "round": self._rounds, "way_m": knowledge.way})

    def _go_on(self) -> None:
        knowledge = self._knowledge
        if knowledge.way < self._gained - GAIN_M:
            self._gained = knowledge.way
            self._until_ns = max(self._until_ns, knowledge.now_ns + GAIN_NS)
        if self._at - knowledge.way > OUT_M:
            self._end()
        elif self._place is not None and self._is_over(TRIES[self._place]):
            if self._place + 1 < len(TRIES):
                self._begin(self._place + 1)
            else:
                self._end()

    def _is_over(self, this: WayOut) -> bool:
        knowledge = self._knowledge
        if this.sense > 0 and knowledge.way >= min(self._from + AHEAD_M, self._turned):
            return True
        return knowledge.now_ns >= self._until_ns

    def _end(self) -> None:
        self._place = None
        knowledge = self._knowledge
        knowledge.way_out, knowledge.shaking, knowledge.limp = 0, False, False
        knowledge.resting = False
