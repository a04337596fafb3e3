"""How robots move, as pure functions of time and parameters.

A *movement* (``waves``, ``inchworm``, ``push``) is a formula of the papers: no robot, no state, no
clock of its own.  A *gait* (``gait``) is what a scenario says: which movement, on which modules,
from when until when.  ``bind`` puts gaits and a robot together: it resolves the names once and
leaves a function from time to one value per actuator, cheap enough for every control tick.  The
firmware of the modules uses the same formulas with its own clock.

Gaits are freely mixed: a later one wins over an earlier one on the same actuator, except that
waves add to waves; so a chain can undulate, inch and screw at the same time (000 Fig. 19).

What goes the other way, from readings to movement, is here too: the traveller's way
(``odometry``) and pitch and roll from gravity (``orientation``).
"""

from annelid.motion.bind import BoundGaits, bind
from annelid.motion.gait import (
    Gait,
    GaitSpec,
    HoldGait,
    InchwormGait,
    PushGait,
    RelaxGait,
    SnakeGait,
    WaveGait,
    parse_gaits,
)
from annelid.motion.selector import select
from annelid.motion.snake import SNAKE, SnakeRow
from annelid.motion.waves import wave

__all__ = [
    "SNAKE",
    "BoundGaits",
    "Gait",
    "GaitSpec",
    "HoldGait",
    "InchwormGait",
    "PushGait",
    "RelaxGait",
    "SnakeGait",
    "SnakeRow",
    "WaveGait",
    "bind",
    "parse_gaits",
    "select",
    "wave",
]
