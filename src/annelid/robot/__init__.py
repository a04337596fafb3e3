"""What a robot is, as data: connectors, module types, chains, trees and loops, capabilities.

``RobotSpec`` is what a user writes, ``Robot`` what ``assemble`` makes of it with a shelf of
module types.  A ``ModuleType`` is one file in ``annelid.modules``; its ``Body`` is neutral data
that the physics, the firmware and the documentation read alike.  ``Tolerances`` say how far a robot
that is built may be from that data, and ``AsBuilt`` is one that was.
"""

from annelid.robot.as_built import AsBuilt
from annelid.robot.capabilities import INDICATORS, Capabilities
from annelid.robot.module import Action, Forbidden, ModuleType, Pose
from annelid.robot.robot import Joined, Placed, Robot, RobotSpec, Shelf, assemble, chain
from annelid.robot.service import Serves, Service
from annelid.robot.servo import Servo
from annelid.robot.tolerances import Tolerances
