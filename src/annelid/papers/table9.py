"""Table 9 of 000 read by hand: what each rule should say to a chain, as regular expressions.

A second reading of the table that shares nothing with the inference engine but the names of the
rules.  Chains are letters of modules as built; an E has RotY 2, so it folds with R about that axis.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from numpy.random import Generator

from annelid.modules import shelf
from annelid.systems.microtub.inference import (
    Engine,
    Inferred,
    RobotSituation,
    Rulebook,
    StatedModule,
)
from annelid.systems.microtub.protocol import WorkingMode

LETTERS: Final = "RSEHPB"

_FOLD: Final = "[RE]{3}"
_EXT: Final = f"(?:E|{_FOLD})"
_EXT_GOOD: Final = "(?:E|RRR)"


def expected(chain: str, situation: RobotSituation) -> dict[str, int]:
    """Rule of Table 9 to the grade of its best conclusion; those that do not hold are left out."""
    if not (situation.tethered or "B" in chain):
        return {}
    pipe, open_air = (situation.mode is mode for mode in (WorkingMode.PIPE, WorkingMode.OPEN_AIR))

    def has(pattern: str) -> bool:
        return re.search(pattern, chain) is not None

    fold = 3 if has("RRR") else 2 if has(_FOLD) else 0
    grades = {
        "three rotations extend": min(fold, 3 if open_air else 1),
        "support unit": 3 if has("SS") else 0,
        "snake": min(fold, 3 if open_air else 1 if pipe else 2),
    }
    if open_air:
        units = 3 if has(_EXT_GOOD + "{2}") else 2 if has(_EXT + "{2}") else 0
    else:
        units = 3 if has("EE") else 1 if has(_EXT + "{2}") else 0
    grades["extension unit"] = units
    if pipe:
        worm = 3 if has("S.*E.*S") else 1 if has(f"S.*{_FOLD}.*S") else 0
        of_units = 3 if has("SS.*EE.*SS") else 1 if has(f"SS.*{_EXT}{{2}}.*SS") else 0
        push = 3 if has("H") else 0
        bend = 3 if has("R") else 2 if has("E") else 0
        grades |= {"inchworm": worm, "inchworm backwards": worm}
        grades |= {"inchworm of units": of_units, "inchworm of units backwards": of_units}
        grades |= {"push": push, "push backwards": push, "push round a bend": min(push, bend)}
    return {rule: grade for rule, grade in grades.items() if grade}


def table_only() -> Engine:
    """The engine with the rules of Table 9 and nothing of ours: no further rules, no limits."""
    whole, printed = Rulebook(), Rulebook(empty=True)
    printed.add(*(rule for rule in whole.rules.values() if not rule.extension))
    for task in whole.tasks.values():
        if set(task.needs) <= printed.skills:
            printed.add_task(task)
    return Engine(printed)


def concluded(known: Inferred) -> dict[str, int]:
    """Rule to the grade of its best conclusion, as the engine has it."""
    found: dict[str, int] = {}
    for fact in (*known.base.local(), *known.base.robot.values()):
        if (rule := fact.rule) is not None:
            found[rule.name] = max(fact.grade, found.get(rule.name, 0))
    return found


def stock() -> Mapping[str, tuple[str, str]]:
    """Letter to wire id and MDL string as built."""
    return {
        letter: (kind.wire_id, kind.parse({}, where=letter).capabilities.digits)
        for letter, kind in shelf().items()
    }


def of_words(draw: Generator, words: Sequence[str], size: int) -> str:
    """A random chain of this length, made of pieces in which units can be found."""
    chain = ""
    while len(chain) < size:
        chain += str(draw.choice(list(words)))
    return chain[:size]


def members(chain: str, kinds: Mapping[str, tuple[str, str]]) -> list[StatedModule]:
    return [StatedModule(address, *kinds[letter]) for address, letter in enumerate(chain, 1)]
