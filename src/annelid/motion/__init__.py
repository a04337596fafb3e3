"""Movements of robots, as pure functions of time and parameters.

A *movement* (``waves``, ``inchworm``, ``push``) is a formula of the papers: no robot, no state, no
clock of its own.  A *gait* (``gait``) is what a scenario says: which movement, on which modules,
from when until when.  ``bind`` puts gaits and a robot together: it resolves the names once and
leaves a function from time to one value per actuator, cheap enough for every control tick.  The
firmware of the modules uses the same formulas with its own clock.

Gaits are freely mixed: a later one wins over an earlier one on the same actuator, except that
waves add to waves; so a chain can undulate, inch and screw at the same time (000 Fig. 19).

What goes the other way, from readings to movement, is here too: the traveller's way
(``odometry``), pitch and roll from gravity (``orientation``), and the zeros of the sensor that
tells them (``zeros``).
"""

from annelid.motion.bind import BoundGaits, bind
from annelid.motion.gait import GAITS, Gait, GaitSpec, parse_gaits
from annelid.motion.gaits.hold import HoldGait
from annelid.motion.gaits.inchworm import InchwormGait
from annelid.motion.gaits.push import PushGait
from annelid.motion.gaits.relax import RelaxGait
from annelid.motion.gaits.snake import SnakeGait
from annelid.motion.gaits.wave import WaveGait
from annelid.motion.orientation import pitch_and_roll
from annelid.motion.selector import select
from annelid.motion.snake import SNAKE, SnakeRow
from annelid.motion.waves import wave
from annelid.motion.zeros import accelerometer_zeros
