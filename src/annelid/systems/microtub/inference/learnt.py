"""Rules that offline studies give to the central control (000 §7), with their evidence.

::

    [[learnt]]
    name = "six rotations, open air, GA"
    configuration = "rrrrrr"             # wire ids head first; ? any module, * any number
    mdl = ["00003300000003000", ...]     # of the modules studied; none may be able to do less
    situations = ["open_air"]
    ability = "forward"
    grade = 3
    gait = { commands = ["MO1"], amplitude_deg = 85, omega_rad_s = 15, phase_rad = 1.97 }

    [learnt.evidence]
    study = "open-air-six-r"             # where it can be looked up
    measure = "speed_m_s"
    value = 0.31
    runs = 20

Among ways of the same grade the central control takes a learnt one first; ``grade`` decides whether
it also beats the rules of Table 9.  A robot that has been damaged, so that a module reports less
than ``mdl``, is not the robot that was studied, and the rule does not hold for it.

A study writes such a file with
``annelid.trial.toml.dumps(RuleFile(learnt=…).model_dump(mode="json", exclude_defaults=True))``.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from annelid.robot.capabilities import GRADE_MAX
from annelid.spec import Spec
from annelid.systems.microtub.inference.rules import Environment, Gait, Rule, Term

Mode = Literal["general", "pipe", "open_air"]


class Evidence(Spec):
    """What the study measured, so that a reader can judge the rule."""

    study: str
    """Where it can be looked up."""
    measure: str
    """Name with unit: ``speed_m_s``."""
    value: float
    """What was measured."""
    runs: int = Field(ge=1)
    """Over how many varied runs."""
    low: float | None = None
    """A low quantile of them."""


class LearntRule(Spec):
    name: str = Field(min_length=1)
    """Of the rule."""
    configuration: str = Field(pattern=r"^[a-z?*]+$")
    """The chain it was found for, as wire letters; ``?`` and ``*`` stand for any."""
    mdl: tuple[str, ...] = ()
    """Empty: whatever the modules can still do."""
    situations: tuple[Mode, ...] = Field(min_length=1)
    """Working modes it holds in."""
    ability: str
    """What the robot then can do."""
    grade: Annotated[int, Field(ge=1, le=GRADE_MAX)]
    """How well."""
    gait: Gait
    evidence: Evidence
    """What the study measured."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.mdl and ("*" in self.configuration or len(self.mdl) != len(self.configuration)):
            raise ValueError(
                f"mdl: expected a string for each module of {self.configuration!r} (and no `*`), "
                f"got {len(self.mdl)}"
            )
        return self

    def rule(self) -> Rule:
        """As the engine has it."""
        said = self.evidence
        low = "" if said.low is None else f", low {said.low:g}"
        return Rule(
            name=self.name,
            anywhere=(Term(skill="PS"),),
            environment=Environment(**dict.fromkeys(self.situations, self.grade)),
            configuration=self.configuration,
            least=self.mdl,
            robot=self.ability,
            gait=self.gait,
            source=f"study {said.study}: {said.measure} {said.value:g}{low} in {said.runs} runs",
            extension=True,
            learnt=True,
        )
