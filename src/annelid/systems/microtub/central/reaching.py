"""Turns the command RPL into a task, or refuses it with a reason (000 §6.1.6, Table 8).

===========  ===========================  ==================================================
place        in a pipe                    in the open
===========  ===========================  ==================================================
coordinates  the way along the map        dead reckoning
end, bif.    seen and felt on the way     refused
touch        the nose                     what feels, else what holds a joint
home         the way back                 dead reckoning
forward      the way                      dead reckoning
back         the way, to home at most     dead reckoning
up, down     by the accelerometers        refused
corner       a touch that leaves a way    a touch with a wall beside, by the camera
pipe         refused: it is in one        ahead, until the infrared eyes are inside
landmark     refused                      by the camera
===========  ===========================  ==================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, sin
from types import MappingProxyType
from typing import Final, NamedTuple

from annelid.robot.service import VERTICAL
from annelid.systems.microtub.central.cartography import way_to_point
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.task import Task, Want
from annelid.systems.microtub.central.telling import ASTRAY
from annelid.systems.microtub.protocol import Destination
from annelid.systems.microtub.protocol.parameters import Value

NOT_HERE: Final[Mapping[tuple[Destination, bool], str]] = MappingProxyType(
    {
        (Destination.END, False): "the robot is not in a pipe",
        (Destination.BIFURCATION, False): "the robot is not in a pipe",
        (Destination.UP, False): "in the open there is no way up",
        (Destination.DOWN, False): "in the open there is no way down",
        (Destination.PIPE, True): "the robot is in a pipe already",
        (Destination.LANDMARK, True): "landmarks are looked for in the open",
    }
)
"""By place and whether it is in a pipe."""


FELT: Final = {
    Destination.TOUCH,
    Destination.CORNER,
    Destination.END,
    Destination.BIFURCATION,
}
"""Places that a robot knows by what is ahead of it."""
MEASURED: Final = {
    Destination.FORWARD,
    Destination.BACK,
    Destination.COORDINATES,
    Destination.UP,
    Destination.DOWN,
}
"""Places in a pipe that a robot knows by the way."""
UNMEASURED: Final = "no module measures the way"


class TaskRefusal(NamedTuple):
    task: Task
    why: str


def reaching(values: Sequence[Value], knowledge: Knowledge) -> Task | TaskRefusal:
    """The task that RPL with these values is, here and now."""
    place = next(each for each in Destination if each == values[0])
    task = Task(Want.REACH, place, back=place in (Destination.HOME, Destination.BACK))
    why = _unable(place, knowledge) or _aim(task, [int(value) for value in values[1:]], knowledge)
    return task if why is None else TaskRefusal(task, why)


def _unable(place: Destination, knowledge: Knowledge) -> str | None:
    """What the place needs and this robot has not, here."""
    if knowledge.in_pipe is not None and (place, knowledge.in_pipe) in NOT_HERE:
        return NOT_HERE[place, knowledge.in_pipe]
    if place in FELT and not knowledge.able("Sense_front") and not _by_others(place, knowledge):
        return "no module can feel what is ahead"
    if place in (Destination.UP, Destination.DOWN) and not knowledge.able("Sense_grav"):
        return "no module can feel which way is up"
    if knowledge.astray and (place is Destination.HOME or place in MEASURED):
        return ASTRAY
    if lacks_the_way(place, knowledge):
        return UNMEASURED
    if place is Destination.PIPE and not knowledge.seen:
        return "no module can see whether it is in a pipe"
    if place is Destination.LANDMARK and not knowledge.cameras:
        return "no module has a camera"
    return None


def _by_others(place: Destination, knowledge: Knowledge) -> bool:
    """Whether sensors at the sides feel it, or joints that swing."""
    feels = knowledge.able("Sense_side") or knowledge.able(VERTICAL)
    return place is Destination.TOUCH and not knowledge.in_pipe and bool(feels)


def lacks_the_way(place: Destination | None, knowledge: Knowledge) -> bool:
    """Whether that place is known by the way, and here nobody measures it."""
    return place in MEASURED and bool(knowledge.in_pipe) and not knowledge.measured


def _aim(task: Task, mm: Sequence[int], knowledge: Knowledge) -> str | None:
    """Where exactly; why that cannot be, or None."""
    if task.place is Destination.COORDINATES:
        x, y, z = (each / 1000 for each in mm)
        task.point = (x, y, z)
        if knowledge.in_pipe:
            task.along = way_to_point(knowledge.pipes, task.point)
            if task.along is None:
                return "the pipe does not lead there"
            task.back = task.along < knowledge.way
    elif task.place in (Destination.FORWARD, Destination.BACK):
        gone = (-1 if task.back else 1) * mm[0] / 1000
        x, y, yaw = knowledge.pose
        task.point = (x + gone * cos(yaw), y + gone * sin(yaw), 0.0)
        task.along = knowledge.way + gone
        if knowledge.in_pipe and task.along < 0:
            return f"home is {1000 * knowledge.way:.0f} mm back, and nothing is known behind it"
    elif task.place is Destination.TOUCH and not (knowledge.in_pipe or knowledge.cameras):
        task.back_to = (
            knowledge.place.ahead - knowledge.length
        )  # who stands at a wall feels nothing
    elif task.place in (Destination.UP, Destination.DOWN):
        sense = 1 if task.place is Destination.UP else -1
        task.height = (knowledge.height or 0.0) + sense * mm[0] / 1000
    return None
