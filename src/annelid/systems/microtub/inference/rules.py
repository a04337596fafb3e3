"""A rule: the columns of Table 9 of 000, as one readable row.

::

    [[rule]]
    name = "inchworm"
    anywhere = ["PS"]                        # conditions: somewhere in the robot
    sequential = ["Sup", "Ext", "Sup"]       # in this order, others may stand between
    environment = { pipe = 3 }               # highest grade there; not named: not there
    robot = "forward"                        # what the robot can do then
    gait = { commands = ["MWO"] }

A term is a capability and how many: ``"Ext"``, ``"Rot 3"``, ``"Sup 2+"`` (two or more).  It names
an indicator of MDL, ``Rot`` or ``RotXY`` (see ``masks``), or what another rule gives.

The grade of the conclusion is the lowest of what the pattern matched, of ``limited_by``, and of the
environment's cap.  Terms in ``anywhere`` are conditions only: a weak battery module does not make a
joint weaker (the worked example of 000 §6 has a module with PS 1 and still gets grade 3).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from annelid.errors import UnknownName
from annelid.robot.capabilities import GRADE_MAX, Capabilities
from annelid.spec import Spec
from annelid.systems.microtub.protocol import LLC2, Command, WorkingMode

_TERM = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)(?:\s+(\d+)(\+)?)?\s*")
_NAME = r"^[A-Za-z][A-Za-z0-9_]*$"

MOVEMENTS = tuple(
    name
    for name, command in vars(LLC2).items()
    if isinstance(command, Command)
    and name in ["MO1", "MOS", "MRO", "MSW", "TUR", "TUP", "MWO", "MHE"]
)
"""Commands of LLC2 that make modules walk."""

Grade = Annotated[int, Field(ge=0, le=GRADE_MAX)]


class Term(Spec):
    """A capability, and how many in a row."""

    skill: str = Field(pattern=_NAME)
    """Name of the capability."""
    count: int = Field(default=1, ge=1, le=62)
    """How many in a row."""
    more: bool = False
    """``count`` or more."""

    def __str__(self) -> str:
        if self.count == 1 and not self.more:
            return self.skill
        return f"{self.skill} × {self.count}" + (" or more" if self.more else "")


def _term(given: Any) -> Any:
    if not isinstance(given, str):
        return given
    found = _TERM.fullmatch(given)
    if found is None:
        raise ValueError(
            f'expected a capability and how many, as in "Ext", "Rot 3" or "Sup 2+", got {given!r}'
        )
    skill, count, more = found.groups()
    return Term(skill=skill, count=int(count or 1), more=more is not None)


Terms = tuple[Annotated[Term, BeforeValidator(_term)], ...]


class Environment(Spec):
    """The highest grade a rule gives in each working mode (000 §4); 0: it does not hold there."""

    general: Grade = 0
    """Highest grade where nothing is known of the surroundings."""
    pipe: Grade = 0
    """Highest grade in a pipe."""
    open_air: Grade = 0
    """Highest grade in the open."""

    def cap(self, mode: WorkingMode) -> int:
        grade: int = getattr(self, mode.name.lower())
        return grade


EVERYWHERE = Environment(general=GRADE_MAX, pipe=GRADE_MAX, open_air=GRADE_MAX)


class Gait(Spec):
    """How the central control walks when it uses a rule; a value that is not set is the table's
    (``annelid.motion``)."""

    commands: tuple[str, ...] = Field(min_length=1)
    """Movements of LLC2 (000 Table 5) that go on together."""
    amplitude_deg: float | None = Field(default=None, ge=0, le=90)
    """Of the wave; None: the command's own."""
    omega_rad_s: float | None = Field(default=None, gt=0)
    """Of the wave; None: the command's own."""
    phase_rad: float | None = Field(default=None, ge=0)
    """From one module to the next; None: the command's own."""
    offset_deg: float | None = Field(default=None, ge=-90, le=90)
    """Bend of the horizontal joints."""
    level: float | None = Field(default=None, ge=-1, le=1)
    """Of drives that push."""
    step_s: float | None = Field(default=None, gt=0)
    """Of one phase of the inchworm."""
    reverse: bool = False
    """Tail first."""

    @field_validator("commands")
    @classmethod
    def _known(cls, commands: tuple[str, ...]) -> tuple[str, ...]:
        for name in commands:
            if name not in MOVEMENTS:
                raise ValueError(str(UnknownName("movement command of LLC2", name, MOVEMENTS)))
        return commands

    def __str__(self) -> str:
        numbers = self.model_dump(exclude={"commands", "reverse"}, exclude_none=True)
        said = [f"{name} {value:g}" for name, value in numbers.items()]
        return ", ".join(["+".join(self.commands), *said, *(["reversed"] if self.reverse else [])])


class Rule(Spec):
    """One row: where the capabilities must stand, and what follows."""

    name: str = Field(min_length=1)
    """Of the rule."""
    anywhere: Terms = ()
    """Capabilities that the robot needs, wherever they are: ``Rot 3``."""
    sequential: Terms = ()
    """Capabilities that must stand in this order."""
    adjacent: Terms = ()
    """One directly after the other."""
    environment: Environment = EVERYWHERE
    """The highest grade it gives in each working mode."""
    limited_by: tuple[str, ...] = ()
    """Capabilities of ``anywhere`` that do the work, so that the conclusion is no better than the
    best of each."""
    configuration: str | None = Field(default=None, pattern=r"^[a-z?*]+$")
    """Wire ids head first, ``?`` any module, ``*`` any number of them: only for such robots."""
    least: tuple[str, ...] = ()
    """MDL strings head first: only while every module can do at least as much."""

    unit: str | None = Field(default=None, pattern=_NAME)
    """What the adjacent modules are together; other rules may build on it."""
    robot: str | None = Field(default=None, pattern=_NAME)
    """What the robot can do."""
    gait: Gait | None = None

    source: str = ""
    """Where it comes from."""
    extension: bool = False
    """Not in Table 9."""
    learnt: bool = False
    """From an offline study (000 §7)."""

    @field_validator("least")
    @classmethod
    def _strings(cls, least: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(Capabilities(digits).digits for digits in least)

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.unit is None) == (self.robot is None):
            raise ValueError("expected either `unit` or `robot`: what follows from the rule")
        if self.unit is not None and (not self.adjacent or self.sequential):
            raise ValueError(
                "a unit is made of neighbours: expected `adjacent`, and no `sequential`"
            )
        named = {term.skill for term in self.anywhere}
        if missing := [name for name in self.limited_by if name not in named]:
            raise ValueError(f"limited_by: expected names that stand in `anywhere`, got {missing}")
        if not (self.anywhere or self.sequential or self.adjacent or self.configuration):
            raise ValueError("a rule without conditions: expected at least one")
        return self

    @property
    def gives(self) -> str:
        return self.unit or self.robot or ""

    def fits(self, ids: str, strings: Sequence[str]) -> bool:
        """Whether the rule is about robots like this one: wire ids and MDL strings, head first."""
        if self.configuration is not None and not fnmatchcase(ids, self.configuration):
            return False
        if not self.least:
            return True
        return len(self.least) == len(strings) and all(
            has >= least
            for string, wanted in zip(strings, self.least, strict=True)
            for has, least in zip(string, wanted, strict=True)
        )

    @property
    def terms(self) -> Terms:
        return (*self.anywhere, *self.sequential, *self.adjacent)


class TaskNeeds(Spec):
    """What a job needs all at once: abilities of the robot or indicators of its modules."""

    name: str = Field(pattern=_NAME)
    """Of the task."""
    needs: tuple[str, ...] = Field(min_length=1)
    """Abilities that it takes."""
    about: str = ""
    """One line for people."""
