"""How a robot decides: behaviours propose values, arbiters choose or mix them, the trace says why.

A *behaviour* looks at the stimuli of its node and proposes values on named *channels*: a servo, a
destination, a gait.  Several may propose at once; a table of *arbiters* says, channel by channel,
what comes of it.  Whether a behaviour may speak at all is another matter (*activation*: its
condition, levels that disable others, tokens).  Nothing here knows a robot: channels, levels and
stimuli are the system's own words::

    class Wave(Behaviour[Module]):
        name, level = "wave", WALKING
        def propose(self, module):
            yield self.proposal("yaw", 0.3 * sin(5 * module.time_s))

    class AvoidOverheating(Behaviour[Module]):
        name, level, period_ns = "avoid overheating", SURVIVAL, period(10)
        def condition(self, module):
            return module.temperature > 50
        def propose(self, module):
            yield self.proposal("yaw", None, reason=f"{module.temperature:.0f} °C")

    fusion = Fusion({"yaw": Inhibit(Level(SURVIVAL), over=Blend(Level(WALKING)))})
    stack = BehaviourStack([Wave(), AvoidOverheating()], fusion, record=board.log)
    target = stack.step(board.now, module)["yaw"]       # None: let the servo go

``behaviour.py`` has the nouns and the base class, ``table.py`` which behaviours a board
has, ``activation.py`` and ``tokens.py`` who may run, ``arbiters.py`` the seven rules as pure
functions, ``fusion.py`` the tables made of them, ``stack.py`` the step, channel by channel
(``channel.py``), ``flipflop.py`` the watch for behaviours that undo each other, ``chronicle.py``
what is recorded and ``why.py`` how to ask it.
"""

from annelid.behaviour.behaviour import (
    BEHAVIOURS,
    BELOW,
    EVERY_STEP,
    SILENCE,
    Behaviour,
    Decision,
    Option,
    Proposal,
    Proposals,
)
from annelid.behaviour.chronicle import Log
from annelid.behaviour.flipflop import FlipFlop
from annelid.behaviour.fusion import (
    Arbiter,
    Blend,
    ByToken,
    Fusion,
    Gate,
    Inhibit,
    Level,
    Select,
    Sum,
    Suppress,
)
from annelid.behaviour.stack import BehaviourStack
from annelid.behaviour.table import BehaviourLayer, BehaviourTable, Entry
from annelid.behaviour.tokens import Token
from annelid.behaviour.why import why
