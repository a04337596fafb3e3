"""What an operator can say to the host while it runs (004, Figs 7, 9 and 11, and the Third Profile:
"the host sets up when and which tables will be used").

=================  =============================================================  ==========
line               what the host does                                            profiles
=================  =============================================================  ==========
start, stop        the modules move, they stop                                   all
table N [ADDRESS]  all modules, or one, go by their table N                      1, 3
period N           N time states in a cycle                                      1, 3, 4
address OLD NEW    the module OLD is called NEW from now on                      3
profile N          all go on with another profile                                all
program FORMULA    all go by another formula (bytecode.py)                       4
=================  =============================================================  ==========
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field, field_validator

from annelid.errors import InputError
from annelid.spec import Spec
from annelid.systems.erekobot.packets import PERIOD_MAX, PROFILES

START, STOP = "start", "stop"
"""Words, and kinds of event."""
TABLE, PERIOD, ADDRESS, PROFILE, PROGRAM = "table", "period", "address", "profile", "program"

NUMBERS: Final[dict[str, tuple[tuple[str, int, int], ...]]] = {
    START: (),
    STOP: (),
    TABLE: (("N", 0, 0xFFFF), ("[ADDRESS]", 1, 254)),
    PERIOD: (("N", 1, PERIOD_MAX),),
    ADDRESS: (("OLD", 1, 254), ("NEW", 1, 254)),
    PROFILE: (("N", PROFILES[0], PROFILES[-1]),),
}
"""Words followed by numbers: name, lowest and highest of each; in brackets: may be left out."""

HELP: Final = (
    f"{START}             the modules move",
    f"{STOP}              they stop",
    f"{TABLE} N [ADDRESS] all, or the one with that address, go by table N",
    f"{PERIOD} N          time states in a cycle",
    f"{ADDRESS} OLD NEW   a module is called NEW from now on",
    f"{PROFILE} N         all go on with another profile",
    f"{PROGRAM} FORMULA   Fourth Profile: another formula, e.g. psi sin 30 mul",
)


@dataclass(frozen=True)
class HostSaying:
    """One line, understood."""

    word: str
    numbers: tuple[int, ...] = ()
    formula: str = ""


def parse_saying(line: str) -> HostSaying:
    """Refuse a line that makes no sense to any profile."""
    word, *rest = line.strip().casefold().split() or [""]
    if word == PROGRAM and rest:
        return HostSaying(word, formula=" ".join(rest))
    if word not in NUMBERS:
        known = ", ".join((*NUMBERS, PROGRAM))
        raise InputError(f"erekobot: expected one of {known}, got {line!r}")
    wanted = NUMBERS[word]
    least = sum(not name.startswith("[") for name, *_ in wanted)
    if not least <= len(rest) <= len(wanted) or not all(each.isdecimal() for each in rest):
        usage = " ".join((word, *(name for name, *_ in wanted)))
        raise InputError(f"erekobot: expected {usage}, got {line!r}")
    numbers = tuple(int(each[:9]) for each in rest)
    for (name, low, high), number in zip(wanted, numbers, strict=False):
        if not low <= number <= high:
            raise InputError(f"erekobot: {word}: {name}: expected {low} to {high}, got {number}")
    return HostSaying(word, numbers)


def completions(line: str) -> list[str]:
    """How the first word may go on."""
    begun = line.lstrip().casefold()
    return [word for word in (*NUMBERS, PROGRAM) if word.startswith(begun)]


class ErekobotTyped(Spec):
    """A line that a scenario has somebody say: ``{at_s = 10, say = "table 1"}``."""

    at_s: Annotated[float, Field(ge=0.0)]
    """When."""
    say: str
    """What, as on the command line."""

    @field_validator("say")
    @classmethod
    def _understood(cls, line: str) -> str:
        parse_saying(line)
        return line
