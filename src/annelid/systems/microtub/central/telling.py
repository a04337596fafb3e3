"""What the central control says to the operator, made of statements that can be judged.

Each function makes one kind of statement, with its words.  Values are in mm and degrees, as the
operator reads them; ``within`` is the half width of an interval that holds the truth in 95 of 100.
``systems.microtub.witness`` judges them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import degrees, pi, radians, sin
from typing import TYPE_CHECKING, Final, Literal

from annelid.motion.bifurcation import Junction
from annelid.systems.microtub.protocol.enums import (
    Alarm,
    EnvironmentInfo,
    RobotInfo,
)
from annelid.systems.microtub.protocol.parameters import Value
from annelid.systems.statement import Statement

if TYPE_CHECKING:
    from annelid.systems.microtub.central.knowledge import Knowledge
    from annelid.systems.microtub.central.known import TouchReport

NOSE: Final = "nose"
TRAVELLER: Final = "traveller"
CAMERA: Final = "camera"
ACCELEROMETER: Final = "accelerometer"
MAP: Final = "map"
DEAD_RECKONING: Final = "dead reckoning"
GAIT: Final = "speed of the gait"
SERVOS: Final = "servos"
SUPPLY: Final = "supply"
BOARDS: Final = "boards that answer"
ITSELF: Final = "central control"
"""Sources of statements; one that rests on several names them all (:func:`by`).  What sensors feed
each is in ``systems.microtub.sources``."""

LEAST_MM: Final = 12.0
"""A traveller's way is off by this, or by a share of it, in 95 of 100."""
TILT: Final = sin(radians(4))
"""Of a way, so much may have been up or down unnoticed: a moving accelerometer tells its pitch
within 4° in 95 of 100."""
UNMEASURED: Final = " (no module measures the way)"
"""Speeds of gaits in pipes are guesses: a robot without a traveller does not give a number."""
ASTRAY: Final = "the central control has started on the way, and does not know where home is"
UNKNOWN_PLACE: Final = " (nothing tells this robot how far it has come)"
"""In the open it is damaged or held, or has turned too often."""


@dataclass(frozen=True)
class Telling:
    """Words for the operator, and the statements in them."""

    words: str
    statements: tuple[Statement, ...] = ()

    @classmethod
    def of(cls, *parts: str | Statement, between: str = "") -> Telling:
        words = between.join(part if isinstance(part, str) else part.words for part in parts)
        return cls(words, tuple(part for part in parts if isinstance(part, Statement)))

    def __str__(self) -> str:
        return self.words


def by(*sources: str) -> str:
    """Of a statement that rests on all of these."""
    return ", ".join(sources)


LEAN: Final = radians(13)
"""By so much modules may lean more than their pipe, in wide bores, and by what their accelerometers
are off."""
LEAN_IN_BENDS: Final = radians(25)
"""In a bend the nose is turned ahead of the pipe as well."""


def way(
    knowledge: Knowledge,
    at: float | None = None,
    words: str = "{} mm from home",
) -> Statement:
    """How far from home the nose is, or something else that was met ``at`` m."""
    what = "way" if at is None else "place"
    if at is None and knowledge.in_pipe is False:
        return _in_the_open(knowledge, words)
    if not knowledge.measured:
        why = f" ({ASTRAY})" if knowledge.astray else UNMEASURED
        return Statement(what, words.format("?") + why, source=GAIT)
    here = 1000 * ((knowledge.way if at is None else at) + knowledge.nose_ahead)
    off = knowledge.off + knowledge.wheels_apart + knowledge.nose_ahead
    within = round(LEAST_MM + 1000 * off)
    return Statement(what, words.format(f"{here:.0f}"), round(here), within, TRAVELLER)


def _in_the_open(knowledge: Knowledge, words: str) -> Statement:
    """As the crow flies."""
    place = knowledge.place
    if not (place.known and knowledge.in_pipe is False):
        return Statement("way", words.format("?") + UNKNOWN_PLACE, source=GAIT)
    far, within = round(1000 * place.far), round(1000 * place.within)
    told = words.format(f"{far} +- {within}")
    return Statement("way", told, far, within, DEAD_RECKONING)


def touched(knowledge: Knowledge, felt: TouchReport) -> Statement:
    """By a nose, or by what another module has; what proves nothing was felt twice."""
    nose = any(part.address == felt.sender for part in knowledge.cameras)
    source = NOSE if nose else f"module {felt.sender}"
    twice = ", felt twice" if felt.held else ""
    at = way(knowledge, words=f"touched something {{}} mm from home{twice}")
    return replace(at, what="touch", source=by(source, at.source))


def no_touch(within: float) -> Statement:
    """On the way ahead, of so many m."""
    return Statement("no touch", f"nothing touched in {within:g} m", source=NOSE)


def at_place(knowledge: Knowledge, left: float) -> Statement:
    """Where the operator wanted it, ``left`` m off by its own reckoning."""
    task = knowledge.task
    if knowledge.in_pipe:
        along = 1000 * (task.along or 0.0)
        off = max(LEAST_MM, knowledge.doubt * abs(along)) + 2000 * knowledge.nose_ahead
        within = round(1000 * abs(left) + off)
        return Statement("arrived", f"within {within} mm", [round(along)], within, TRAVELLER)
    x, y, _ = task.point or (0.0, 0.0, 0.0)
    place = knowledge.place
    if not (place.known and knowledge.in_pipe is False):  # how fast it walks depends on the ground
        return Statement("reckoned there", f"where it should be{UNKNOWN_PLACE}", source=GAIT)
    within = round(1000 * (left + place.within))
    words = f"within {within} mm by dead reckoning"
    return Statement("arrived", words, [round(1000 * x), round(1000 * y)], within, DEAD_RECKONING)


def height(knowledge: Knowledge) -> Statement:
    above = 1000 * (knowledge.height or 0.0)
    within = round(max(20.0, 0.15 * abs(above), 1000 * TILT * knowledge.covered))
    return Statement(
        "height", f"{above:.0f} mm above it", round(above), within, by(ACCELEROMETER, TRAVELLER)
    )


def stopped(words: str) -> Statement:
    return Statement("stopped", words, source=BOARDS)


def inside() -> Statement:
    return Statement("inside", "inside a pipe", source=NOSE)


def pipe_end(end: Literal["open", "closed"]) -> Statement:
    words = "the pipe ends in open air" if end == "open" else "the pipe is closed"
    return Statement("end", words, end, source=NOSE)


def out_of_pipe() -> Statement:
    """Of a robot that nobody measures, and that has come into the pipe by itself: with joints that
    do not hold it slides back."""
    words = "the nose is out of the pipe, at its end or where the robot came in"
    return Statement("out of pipe", words, "open", source=NOSE)


def ended_after(knowledge: Knowledge, late: float) -> Statement:
    """How far from home the pipe ends; the nose is so far beyond that, m."""
    at = way(knowledge, knowledge.way - late, " after {} mm")
    return replace(at, what="end at", source=by(NOSE, at.source))


def too_wide() -> Statement:
    """Of a pipe in which wheels and supports reach no walls."""
    return Statement("too wide", "this pipe is too wide for what drives this robot", source=NOSE)


def out_of_sight() -> Statement:
    """In a wide pipe: it may end, or be too wide for the eyes."""
    return Statement("out of sight", "no wall in sight any more", source=NOSE)


def home(knowledge: Knowledge, words: str = "home") -> Statement:
    if knowledge.astray:
        return Statement("reckoned home", "where the central control started", source=GAIT)
    if not knowledge.measured:
        return Statement("reckoned home", f"where home should be{UNMEASURED}", source=GAIT)
    source = DEAD_RECKONING if knowledge.in_pipe is False else TRAVELLER
    return Statement("home", words, source=source)


def seen(left_out: int, *, cut_short: bool, doubtful: int = 0, age_s: float = 0.0) -> Statement:
    """Whether every leg of the pipes was entered, by all that was met in ``age_s``."""
    return replace(_seen(left_out, cut_short=cut_short, doubtful=doubtful), age_s=age_s)


def _seen(left_out: int, *, cut_short: bool, doubtful: int) -> Statement:
    if cut_short:
        return Statement("not all seen", "not everything seen", source=MAP)
    if left_out:
        return Statement("legs left", f"{left_out} of its legs not seen", left_out, source=MAP)
    if doubtful:
        return Statement("in doubt", "not sure that everything was seen", doubtful, source=MAP)
    return Statement("all seen", "everything seen", source=MAP)


def bifurcation(knowledge: Knowledge, met: Junction) -> Statement:
    """Of a cross the nose is not sure: in one tee of 25 it sinks into the branch, and sees farther
    across as well."""
    at = way(knowledge, met.middle, "a bifurcation {} mm from home")
    words = f"{at.words}, to {degrees(met.towards):.0f} deg from the left"
    looks = ", it looks like a cross" if met.crosses else ""
    return replace(at, what="bifurcation", words=f"{words}{looks}", source=by(NOSE, at.source))


def length(begin: float, end: float, off: float) -> Statement:
    """Of a stretch of the map, by the ways of its two places from home and how far off the
    difference may be, m."""
    long = round(1000 * (end - begin))
    ends = [round(1000 * begin), round(1000 * end)]
    return Statement("length", f"{long} mm of pipe", ends, round(1000 * off), MAP)


def broken(knowledge: Knowledge, at: float, direction: float) -> Statement:
    place = way(knowledge, at, "a break in the wall {} mm from home")
    words = f"{place.words}, {degrees(direction):.0f} deg from the left"
    return Statement("break", words, place.value, place.within, by(CAMERA, place.source))


def broken_in_bend(knowledge: Knowledge, at: float, direction: float, spread: float) -> Statement:
    """Sightings from several places differ by ``spread``, m."""
    told = broken(knowledge, at, direction % (2 * pi))
    within = None if told.within is None else told.within + round(1000 * spread)
    return replace(told, words=f"{told.words}, in a bend", within=within)


def worked(knowledge: Knowledge, at: float) -> Statement:
    place = way(knowledge, at, "the tool has worked on the wall {} mm from home")
    return Statement("worked", place.words, place.value, place.within, place.source)


def seen_there(knowledge: Knowledge, at: float, *, hole: bool) -> Statement:
    """What the camera shows where the tool was."""
    words = "the camera sees a hole there" if hole else "the camera sees no hole there any more"
    place = way(knowledge, at)
    what, source = "hole" if hole else "no hole", by(CAMERA, place.source)
    return Statement(what, words, place.value, place.within, source)


def module_lost(knowledge: Knowledge, address: int) -> Statement:
    return Statement("lost", f"{knowledge.called(address)} is lost", address, source=BOARDS)


def missing(count: int) -> Statement:
    """Come off or dead: from inside both look alike."""
    return Statement("missing", f"{count} modules do not answer any more", count, source=BOARDS)


def gets_nowhere(knowledge: Knowledge, movement: str) -> Statement:
    return _stands(knowledge, f"{movement} gets nowhere")


def stands(knowledge: Knowledge) -> Statement:
    return _stands(knowledge, "the robot is stuck")


def _stands(knowledge: Knowledge, words: str) -> Statement:
    """Wheels of a traveller stand still in a pipe, and outside of it."""
    if knowledge.in_pipe and knowledge.blind:
        words = f"{words}, or the robot is out of the pipe"
        return Statement("nowhere or out", words, source=TRAVELLER)
    return Statement("nowhere", words, source=TRAVELLER)


def stuck(knowledge: Knowledge) -> Statement:
    if knowledge.blind:
        return stands(knowledge)
    return replace(way(knowledge, words="stuck {} mm from home"), what="stuck")


def perhaps_stuck(*, hot: bool) -> Statement:
    """Of a robot that nobody measures."""
    why = "a drive is too hot" if hot else "nothing was met on a long way"
    words = f"{why}: the robot may be stuck, or the pipe may end here"
    return Statement("perhaps stuck", words, source=SERVOS)


def bend_takes_long(knowledge: Knowledge) -> Statement:
    """Of one in which the robot has been for too long.  A nose that hangs out of the end of a pipe
    bends the joints as well; a robot without eyes cannot tell."""
    words = "this robot does not get round the bend"
    if knowledge.blind:
        return Statement("bend or end", f"{words}, or the pipe ends here", source=SERVOS)
    return Statement("turned", words, source=by(NOSE, SERVOS))


def too_steep(knowledge: Knowledge, ahead: float) -> Statement:
    """Of a pipe that leans by ``ahead``, rad, up positive: modules lean over in it, so told is the
    least that it can be, degrees."""
    lean = LEAN_IN_BENDS if knowledge.turning else LEAN
    least = max(round(degrees(abs(ahead) - lean)), 0)
    words = f"the pipe {'rises' if ahead > 0 else 'falls'} by {least} deg or more: too steeply"
    what, doubt = ("steep or end", ", or ends here") if knowledge.hangs else ("steep", "")
    told = f"{words} for this robot{doubt}"
    return Statement(what, told, least if ahead > 0 else -least, source=ACCELEROMETER)


def too_sharp(knowledge: Knowledge, met: Junction) -> Statement:
    """A branch that the robot does not try to enter, as sharp as it looks.  Of one opening the nose
    cannot tell whether it is one: a bend may show a short gap as well."""
    sharp = f"of about {round(degrees(met.angle))} deg, too sharp for this robot"
    words = f"a side opens {{}} mm from home: it looks like a branch {sharp}, or a bend"
    if met.crosses:
        words = f"two sides open {{}} mm from home: it looks like branches {sharp}"
    return _side(knowledge, met.middle, words)


def side(knowledge: Knowledge, at: float) -> Statement:
    """Of one opening that nobody else felt.  A nose that swings or lies askew sees one where there
    is none (in 2 of 20 straight pipes), so this is a hint and no claim."""
    words = "perhaps a side opens {} mm from home: a branch, or a bend"
    return replace(_side(knowledge, at, words), what="perhaps side")


def _side(knowledge: Knowledge, at: float, words: str) -> Statement:
    place = way(knowledge, at, words)
    return replace(place, what="side", source=by(NOSE, place.source))


def turned(knowledge: Knowledge, at: float) -> Statement:
    """The joints are bent where the robot meant to go straight on."""
    words = "an elbow {} mm from home, or a branch that the robot has slid into"
    place = way(knowledge, at, words)
    return replace(place, what="turned", source=by(NOSE, SERVOS, place.source))


def low_power() -> Statement:
    return Statement("low power", "low power", source=SUPPLY)


def no_pipe(within: float) -> Statement:
    """On the way ahead, of so many m."""
    return Statement("no pipe", f"no pipe met in {within:g} m", source=NOSE)


def of_itself(what: str, words: str) -> Statement:
    """What the robot can do, knows, or refuses: nobody judges it, and the metrics list its kind."""
    return Statement(what, words, source=ITSELF)


OFF: Final[Mapping[str, tuple[float, float]]] = {
    RobotInfo.AVERAGE_CONSUMPTION.meaning: (50.0, 0.4),
    RobotInfo.CONSUMPTION_PEAKS.meaning: (60.0, 0.4),
    RobotInfo.ORIENTATION.meaning: (8.0, 0.0),
    EnvironmentInfo.TEMPERATURE.meaning: (2.0, 0.0),
    EnvironmentInfo.HUMIDITY.meaning: (5.0, 0.0),
    EnvironmentInfo.BORE.meaning: (15.0, 0.0),
}
"""How far answers are off in 95 of 100: in their own unit (mA, degrees, °C, %, 1/10 mm), and as a
share.  By their meaning: numbers of the two tables are equal."""


FROM: Final[Mapping[str, str]] = {
    RobotInfo.AVERAGE_CONSUMPTION.meaning: SERVOS,
    RobotInfo.CONSUMPTION_PEAKS.meaning: SERVOS,
    RobotInfo.WORKING_MODULES.meaning: BOARDS,
    RobotInfo.ORIENTATION.meaning: ACCELEROMETER,
    RobotInfo.DISTANCE.meaning: TRAVELLER,
    RobotInfo.BATTERIES.meaning: SUPPLY,
    EnvironmentInfo.TEMPERATURE.meaning: "thermometer",
    EnvironmentInfo.HUMIDITY.meaning: "hygrometer",
    EnvironmentInfo.BORE.meaning: NOSE,
}
"""What the answers rest on."""
OF_SENSORS: Final = (Alarm.HOT, Alarm.SENSOR, Alarm.SURROUNDINGS)
"""Alarms for which a module reads its sensors; of its servos each knows by itself."""


def answer(
    asked: RobotInfo | EnvironmentInfo,
    values: Sequence[Value],
    *,
    knowledge: Knowledge | None = None,
) -> Statement:
    """To SIR or SIE."""
    least, share = OFF.get(asked.meaning, (0.0, 0.0))
    if asked is RobotInfo.DISTANCE and knowledge is not None:
        off = knowledge.doubted + knowledge.wheels_apart + 2 * knowledge.nose_ahead
        least = LEAST_MM + 1000 * off
    size = max((abs(each) for each in values if isinstance(each, int)), default=0)
    within = max(least, share * size) or None
    told = [each if isinstance(each, str) else int(each) for each in values]
    words = f"{asked.meaning}: {', '.join(map(str, told))}"
    return Statement(asked.meaning, words, told, within, FROM[asked.meaning])


def alarm(knowledge: Knowledge, address: int, raised: Alarm) -> Statement:
    words = f"{knowledge.called(address)}: {raised.meaning}"
    source = f"module {address}" if raised in OF_SENSORS else SERVOS
    return Statement("alarm", words, [address, raised.name], source=source)


def landmark() -> Statement:
    return Statement("landmark", "a landmark is at hand", source=CAMERA)
