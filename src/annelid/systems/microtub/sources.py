"""Which sensors feed the sources that statements name (``central.telling``).

==================  ===========================================  ==============================
source              sensors                                      of which modules
==================  ===========================================  ==============================
nose                the four infrared rays and the touch         all that have them
traveller           the encoders of its wheels                   all: the middle one counts
camera              camera                                       the foremost
accelerometer       its axes                                     the foremost and the middle
thermometer,        the same                                     the foremost
hygrometer
map                 as nose and traveller: what was met, where
dead reckoning      as nose: whether it is in the open, and      all that have them
                    whether something holds it
module N            every sensor                                 that one
==================  ===========================================  ==============================

The foremost and the middle are those of which the boards run.  Every other source (servos, supply,
boards that answer, speed of the gait, central control) needs no sensor.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple

from annelid.electronics.circuit import Circuit
from annelid.electronics.node import Node, NodeState
from annelid.systems.microtub.behaviours.surroundings import RAYS, TOUCH
from annelid.systems.microtub.body_witness import module_at
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.information import AXES, ENCODERS
from annelid.systems.statement import Statement

Chosen = Callable[[Sequence[Node]], Sequence[Node]]


def every(having: Sequence[Node]) -> Sequence[Node]:
    return having


def foremost(having: Sequence[Node]) -> Sequence[Node]:
    return _running(having)[:1]


def foremost_and_middle(having: Sequence[Node]) -> Sequence[Node]:
    """As the central control asks them (``Inquiry.ask_orientation``)."""
    able = _running(having)
    return [able[0], able[len(able) // 2]] if able else []


def _running(having: Sequence[Node]) -> Sequence[Node]:
    return [node for node in having if node.state is NodeState.RUNNING]


class Feed(NamedTuple):
    sensors: tuple[str, ...]
    """As their board calls them."""
    of: Chosen
    """Of those modules that have one of them, head first."""


NOSES: Final = Feed((*RAYS, TOUCH), every)
TRAVELLERS: Final = Feed(ENCODERS, every)
FEEDS: Final[Mapping[str, tuple[Feed, ...]]] = {
    telling.NOSE: (NOSES,),
    telling.TRAVELLER: (TRAVELLERS,),
    telling.CAMERA: (Feed(("camera",), foremost),),
    telling.ACCELEROMETER: (Feed(AXES, foremost_and_middle),),
    "thermometer": (Feed(("thermometer",), foremost),),
    "hygrometer": (Feed(("hygrometer",), foremost),),
    telling.MAP: (NOSES, TRAVELLERS),
    telling.DEAD_RECKONING: (NOSES,),
    telling.GAIT: (),
    telling.SERVOS: (),
    telling.SUPPLY: (),
    telling.BOARDS: (),
    telling.ITSELF: (),
}


class Sources:
    """Of one robot."""

    def __init__(self, circuit: Circuit) -> None:
        self._circuit = circuit
        self._modules = [circuit.nodes[module.name] for module in circuit.sim.robot.modules]

    def sensors(self, said: Statement) -> Collection[str]:
        """Names of all that feed it: ``T1.infrared_left``."""
        found: set[str] = set()
        for source in said.source.split(", "):
            for feed in FEEDS.get(source, ()):
                found |= self._fed(feed)
            if source.startswith("module "):
                name = module_at(self._circuit, int(source.removeprefix("module ")))
                if name is not None:
                    found |= set(_sensors(self._circuit.nodes[name]).values())
        return found

    def _fed(self, feed: Feed) -> set[str]:
        wanted = set(feed.sensors)
        having = [node for node in self._modules if wanted & _sensors(node).keys()]
        return {
            full
            for node in feed.of(having)
            for short, full in _sensors(node).items()
            if short in wanted
        }


def _sensors(node: Node) -> dict[str, str]:
    """Cameras too: what the board calls them to their full name."""
    board = node.board
    sensors = {name: each.name for name, each in board.sensors.items()}
    return sensors | {name: each.name for name, each in board.cameras.items()}
