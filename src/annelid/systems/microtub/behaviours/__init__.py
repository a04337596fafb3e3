"""The behaviours embedded in a module (000 §4.1) and how they are fused (§4.2, Fig 13).

::

    stimuli = Stimuli.of(board, kind)
    stack = module_stack(kind, record=board.log)
    while True:
        stimuli.walk = walk_of(LLC2.MO1)                  # by the agent, from an LLC2 command
        step(stack, stimuli, board.now)
        for alarm in stimuli.alarms: ...                  # to the central control
        yield board.sleep(0.015)

============  ===============================================================================
survival      ``survival`` (with ``workspace``: where servos may be sent), ``drive_test``
perception    ``self_diagnostic``, ``surroundings``, ``elbow``, ``touch``
command,      ``walking``: orders, waves, turns, inchworm, push, rest
walking, rest
============  ===============================================================================

``embedded`` is what all of them derive from, with who is above whom; ``stimuli`` what they look at,
and the tick; ``fusion`` Fig 13 and the layer of them; ``walk`` which walk a movement command is.
``why(events, "pitch", t)`` answers why a servo is as it is.
"""

from annelid.systems.microtub.behaviours.embedded import EmbeddedBehaviour, EmbeddedContext
from annelid.systems.microtub.behaviours.fusion import EMBEDDED_LAYER, module_stack
from annelid.systems.microtub.behaviours.stimuli import Raised, Situation, Stimuli, step
from annelid.systems.microtub.behaviours.walk import STANDING, GaitOrders, Sinusoid, Walk, Worm
