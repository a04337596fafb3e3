"""The movements that the central control can command, and who sends them to the modules.

A *movement* is a name for people and the frames that bring it about, in their order.  The modules
know the gaits; a movement only says which, how fast and whose part is whose.  Two movements that
are equal need not be sent twice.

How a way of moving that the rules have found (``inference``) becomes a movement:

=========  ===============================================================================
MWO        INH to each module of the pattern (first support, extension, second support); what
           pushes ahead of the extension is the first support, and free joints wave along
MHE        nothing but the command: who can push pushes, the others rest
MO1 …      the command to all; a helicoidal module among them pushes along (000 §6.1.2)
MRO        with the arc that as many joints as there are need, as WAV
MO1+MOS    both waves at once, as WAV: ``rotating`` of ``annelid.motion.snake``
TUR        with the bend of the joints, left or right
=========  ===============================================================================

The :class:`Executive` sends them: frames only when the decision changes.  A new movement takes the
place of the old at once, because a movement command makes modules forget the one before (000
Table 5).  Working mode and places in the wave are told whenever they are others than before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import degrees, pi, radians
from typing import Final, NamedTuple

from annelid.electronics.port import EVERYONE
from annelid.kernel import Program
from annelid.motion.snake import SNAKE, SnakeRow, rolling, rotating
from annelid.systems.microtub.behaviours.walk import SNAKES
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.central.pace import (
    GUESSED,
    ROLLING,
    STANDING,
    Pace,
    rotation,
    snake,
    snake_turn,
)
from annelid.systems.microtub.discovery import Ear
from annelid.systems.microtub.inference.facts import Derived, Fact
from annelid.systems.microtub.inference.rules import Gait
from annelid.systems.microtub.protocol import (
    LLC1,
    LLC2,
    Command,
    InchwormPart,
    Wave,
    WorkingMode,
)
from annelid.systems.microtub.protocol.parameters import Value

INCHWORM: Final = tuple(InchwormPart)
"""In the order of the pattern, head first."""
FULL: Final = 100
MOVEMENT: Final = "movement"
"""Kind of event: another movement begins."""
IN_PIPE: Final = SNAKE["forward"].changed(amplitude=radians(35), omega=8.0, phase=1.5)
"""The caterpillar where a wave of 50° has no room: six R in 40 mm make 2.8 cm/s with it, and 1.7
with 25°; with joints that give way sideways it goes round bends, too."""

ALONG: Final = SNAKE["forward"].changed(amplitude=radians(15), omega=8.0, phase=pi / 2)
"""The wave that goes along with push and inchworm.  T R R H S E S R R in 40 mm, 0° and 10°, two
robots each, cm/s: push 2.0 and 0.9, with the inchworm 1.5 and 1.2, with the wave too 1.7 and 1.3,
with the front support folded as well 2.8 and 1.8.  With the pusher behind the extension (T R S E S
R H) none of that helps: 1.8 without and 1.7 with the wave."""


STRAIGHT_DEG: Final = 90
"""A servo order goes from -90 to 90 degrees; a bend that is felt and striven for may be more."""


class Order(NamedTuple):
    """One frame to the modules."""

    command: Command
    values: tuple[Value, ...] = ()
    to: int = EVERYONE

    def __str__(self) -> str:
        said = " ".join(map(str, (self.command.name, *map(int, self.values))))
        return said if self.to == EVERYONE else f"{said} to {self.to}"


def bend_orders(
    address: int, angles: tuple[int, int], before: tuple[int, int] | None
) -> Iterator[Order]:
    """To the two servos of a joint, degrees: those that have changed, as far as a frame says."""
    for number, command in enumerate((LLC1.MS1, LLC1.MS2)):
        if before is None or before[number] != angles[number]:
            yield Order(command, (min(max(angles[number], -STRAIGHT_DEG), STRAIGHT_DEG),), address)


@dataclass(frozen=True)
class Movement:
    """Equal ones are the same movement."""

    name: str
    orders: tuple[Order, ...]
    heading: int = 0
    """1 forwards, -1 backwards, 0 neither."""
    pace: Pace = STANDING
    """How fast that is where nobody measures the way."""
    way: str = ""
    """The rule behind it."""
    gait: str = ""
    """The command by which the modules walk: ``MHE``, ``MWO`` …"""
    still: bool = False
    """Whether the robot then lies still, and straight."""
    ending: tuple[Order, ...] = ()
    """To be said when it gives way to another one."""
    upon: Movement | None = None
    """The movement that goes on meanwhile: its orders come first, and where the modules follow
    them already only the rest is said."""

    def __str__(self) -> str:
        return self.name


def movement(
    way: Fact,
    parts: Sequence[KnownModule],
    *,
    heading: int = 0,
    helpers: Sequence[KnownModule] = (),
    percent: int = FULL,
    bend_deg: int | None = None,
    mirrored: bool = False,
    in_pipe: bool = False,
) -> Movement:
    """The movement of a way that the rules have found; ``helpers`` push along.

    ``percent`` below 0 is backwards, or to the other side; ``mirrored`` exchanges left and right
    in what is made of waves.
    """
    rule = way.rule
    gait = None if rule is None else rule.gait
    if rule is None or gait is None:
        return Movement(way.skill, ())
    level = 1.0 if gait.level is None else gait.level
    pace = round(level * percent) * (-1 if gait.reverse else 1)
    orders = [
        Order(LLC2.SPD, (pace,)),
        *_gait_orders(gait, way, parts, bend_deg, mirrored, in_pipe, pace, helpers),
    ]
    waves = any(order.command is LLC2.WAV for order in orders) and gait.commands[0] == "MWO"
    orders += [Order(LLC2.MHE, (), part.address) for part in helpers]
    name = rule.name + (" with push" if helpers else "") + (" and wave" if waves else "")
    joints = () if in_pipe else way.modules
    left = (bend_deg or gait.offset_deg or 0.0) >= 0 if gait.commands[0] == "TUR" else not mirrored
    fast = _pace(gait, parts, joints, heading, left=left if percent > 0 else not left)
    return Movement(name, tuple(orders), heading, fast, rule.name, gait.commands[0])


def _pace(
    gait: Gait,
    parts: Sequence[KnownModule],
    joints: Sequence[int],
    heading: int,
    *,
    left: bool,
) -> Pace:
    """``joints``: of a wave over open ground; none: in a pipe."""
    first, tuned = gait.commands[0], (gait.amplitude_deg, gait.omega_rad_s, gait.phase_rad)
    level = 1.0 if gait.level is None else abs(gait.level)
    if joints and tuned == (None, None, None) and level == 1.0:
        masses = [None if part.kind is None else part.kind.module.mass for part in parts]
        if len(gait.commands) > 1:
            return rotation(left=left)
        if first == "MO1":
            return snake(masses, joints, backwards=heading < 0)
        if first == "TUR":
            return snake_turn(masses, joints, left=left)
        if first == "MRO":
            return Pace(left=ROLLING if left else -ROLLING)
    return Pace(heading * GUESSED.get(first, 0.0) * level)


def _gait_orders(
    gait: Gait,
    way: Fact,
    parts: Sequence[KnownModule],
    bend_deg: int | None,
    mirrored: bool,
    in_pipe: bool,
    pace: int,
    helpers: Sequence[KnownModule],
) -> Iterator[Order]:
    first = gait.commands[0]
    if len(gait.commands) > 1:
        row = rotating(len(way.modules))
        yield Order(LLC2.MO1)
        yield from _waves(row.mirrored() if mirrored else row)
        return
    if first == "MWO":
        yield from _inchworm(way, parts, helpers, backwards=gait.reverse)
        return
    if first == "TUR" and (bend_deg is not None or gait.offset_deg is not None):
        bend = bend_deg if bend_deg is not None else round(gait.offset_deg or 0.0)
        yield Order(LLC2.TUR, (bend,))
        return
    command: Command = getattr(LLC2, first)
    yield Order(command)
    if first == "MRO" and gait.amplitude_deg is None:
        yield from rolling_waves(len(way.modules), pace)
        return
    tuned = gait.amplitude_deg, gait.omega_rad_s, gait.phase_rad
    if first == "MO1" and in_pipe and tuned == (None, None, None):
        yield from _waves(IN_PIPE, backwards=gait.reverse)
    elif command in SNAKES and any(each is not None for each in tuned):
        row = SNAKE[SNAKES[command]].changed(
            amplitude=None if gait.amplitude_deg is None else radians(gait.amplitude_deg),
            omega=gait.omega_rad_s,
            phase=gait.phase_rad,
        )
        yield from _waves(row, backwards=gait.reverse)


def rolling_waves(joints: int, pace: int) -> Iterator[Order]:
    """MRO's waves for a chain with so many joints; ``pace`` in percent, below 0 to the right."""
    row = rolling(joints)
    row = row.changed(omega=row.omega * abs(pace) / FULL)
    yield from _waves(row if pace >= 0 else row.mirrored())


def _waves(row: SnakeRow, *, backwards: bool = False) -> Iterator[Order]:
    """A row of the table as WAV frames, head first; backwards the waves run the other way."""
    sense = -1 if backwards else 1
    for wave, amplitude, phase, lead in (
        (Wave.VERTICAL, row.vertical, row.phase_vertical, 0.0),
        (Wave.HORIZONTAL, row.horizontal, row.phase_horizontal, row.between),
    ):
        if amplitude:
            values = (
                wave,
                round(degrees(amplitude)),
                round(1000 * row.omega),
                round(1000 * sense * phase),
                round(1000 * sense * lead),
            )
            yield Order(LLC2.WAV, values)


def _inchworm(
    way: Fact, parts: Sequence[KnownModule], helpers: Sequence[KnownModule], *, backwards: bool
) -> Iterator[Order]:
    """All three movements at once (000 Fig 19) where a helper pushes ahead of the extension: its
    wheels hold the front, so the support there stays folded, and free joints wave along."""
    why = way.why
    pattern = why.pattern if isinstance(why, Derived) else ()
    roles = {
        place: part for part, fact in zip(INCHWORM, pattern, strict=False) for place in fact.modules
    }
    extends = [place for place, part in roles.items() if part is InchwormPart.EXTENSION]
    pushed = any(parts.index(each) < min(extends, default=0) for each in helpers)
    for place, part in roles.items():
        if not (pushed and part is InchwormPart.FIRST_SUPPORT):
            yield Order(LLC1.INH, (part,), parts[place].address)
    yield Order(LLC2.MWO)
    for place, each in enumerate(parts):
        if pushed and place not in roles and each.can("RotX") and each.can("RotY"):
            for wave in _waves(ALONG, backwards=backwards):
                yield wave._replace(to=each.address)


def introductions(parts: Sequence[KnownModule]) -> Iterator[Order]:
    """What every module has to know before it can walk with the others: its place in a wave."""
    waving = [part for part in parts if part.alive and (part.can("RotX") or part.can("RotY"))]
    for place, part in enumerate(waving):
        yield Order(LLC2.PLA, (place,), part.address)


def straightened(parts: Sequence[KnownModule]) -> Iterator[Order]:
    """Joints that are stopped stay bent as in mid-wave, and hold up the robot until they sag: so
    each is told to be straight."""
    for part in parts:
        if part.alive and part.can("RotX") and part.can("RotY"):
            yield from (Order(servo, (0,), part.address) for servo in (LLC1.MS1, LLC1.MS2))


def _said(before: Movement | None, movement: Movement) -> int:
    """How many of a movement's orders the modules follow already."""
    if before is None:
        return 0
    if movement.upon == before:
        return len(before.orders)
    return len(movement.orders) if before.upon == movement else 0


class Executive:
    """``current`` is the movement that the modules were told last; None: to stand."""

    def __init__(self, ear: Ear, knowledge: Knowledge) -> None:
        self.current: Movement | None = None
        self.begun = 0
        """Movements so far."""
        self._adjusted = 0
        self._ear = ear
        self._knowledge = knowledge
        self._mode: WorkingMode | None = None

    def carry_out(self, movement: Movement | None) -> Program:
        """Brings nothing; sends what is new."""
        yield from self._tell_mode()
        if movement == self.current:
            return
        if movement is None:
            yield from self.stop()
            return
        before, self.current = self.current, movement
        ending = () if before is None else before.ending
        said = _said(before, movement)
        self.begun += 1
        self._knowledge.heading = movement.heading
        self._knowledge.gait = movement.gait
        self._knowledge.standing_since_ns = self._ear.board.now if movement.still else None
        orders = [str(order) for order in movement.orders]
        self._ear.board.log(MOVEMENT, {"name": movement.name, "orders": orders})
        yield from self._send(ending)
        yield from self._send(movement.orders[said:])

    def adjust(self, orders: Callable[[bool], Iterable[Order]]) -> Program:
        """Servos that have to stand otherwise now, while the movement goes on; ``orders(anew)``
        gives all of them where the modules have forgotten, else those that have changed."""
        anew, self._adjusted = self.begun != self._adjusted, self.begun
        if self.current is not None:
            yield from self._send(orders(anew))

    def _send(self, orders: Iterable[Order]) -> Program:
        for order in orders:
            yield from self._ear.say(order.command, *order.values, to=order.to)

    def stop(self) -> Program:
        """Everybody stands still; in the open the robot lies down."""
        walked = self.current is not None
        if walked:
            self._ear.board.log(MOVEMENT, {"name": "stop", "orders": ["STP"]})
        self.current = None
        self._knowledge.heading = 0
        self._knowledge.gait = ""
        self._knowledge.standing_since_ns = None
        yield from self._ear.say(LLC2.STP)
        if walked and self._knowledge.in_pipe is False:
            yield from self._send(straightened(self._knowledge.parts))

    def introduce(self) -> Program:
        """After discovery: modules have forgotten, or never knew."""
        self.current = None
        self._mode = None
        yield from self._send(introductions(self._knowledge.parts))
        yield from self._tell_mode()

    def _tell_mode(self) -> Program:
        if self._knowledge.mode is not self._mode:
            self._mode = self._knowledge.mode
            yield from self._ear.say(LLC2.CM, self._mode)
