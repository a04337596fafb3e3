"""Writes the table of rules as a page of documentation (``docs/inference.md``)."""

from __future__ import annotations

from collections.abc import Iterator

from annelid.boundary.markdown import markdown_table
from annelid.robot.capabilities import INDICATORS
from annelid.systems.microtub.inference.limits import Limit
from annelid.systems.microtub.inference.rulebook import Rulebook
from annelid.systems.microtub.inference.rules import EVERYWHERE, Rule, Terms

_TOP = """\
# What a MICROTUB robot can do

Made by `annelid export default rules-page`; do not edit. The rules are
`src/annelid/systems/microtub/inference/rules.toml`.

Each module tells what it can do as 17 digits from 0 (not at all) to 3 (well), its MDL string (000
§3.4). Rules say what follows from what stands where in the chain (000 §6, Table 9). They are gone
over until nothing new follows; units that come out are capabilities for the next round.

- **anywhere**: conditions only, somewhere in the robot. PS is power; a cable counts as PS 3.
- **in order**: one after the other from head to tail, others may stand between.
- **adjacent**: direct neighbours. `Rot` is RotX or RotY, the same for all of them; `RotXY` is both.
- The **grade** is the lowest of what was matched, at most that of the environment; a dash means
  that the rule does not hold there. Capabilities in *italics* limit the grade, too.

`annelid infer TRRHRRVP --mode pipe` prints what follows for a chain, with proofs; `--task` asks
which modules a task needs, `--split` where best to cut the robot in two, `--without R2.pitch` what
is left when a servo fails.

"""

_HEAD = (
    *("rule", "anywhere", "in order", "adjacent", "gives"),
    *("pipe", "open air", "general", "gait"),
)

_LIMITS = """
## Ours, where a granted movement would get nowhere

A limit lowers what the rules named give; Table 9 itself stays as printed.
"""

_FILE = """\
## Rules of your own

`annelid infer … --rules FILE` and `annelid run … --rules FILE` take a TOML file that adds, changes
and removes rules. In a run it becomes `control.options.rules` of the scenario, which the run folder
keeps.

```toml
# my-rules.toml
remove = ["serpentine"]

[[rule]]                                # a new rule, or instead of the one of that name
name = "pull along"
anywhere = ["PS", "Grab"]
sequential = ["Ext"]                    # or adjacent = ["Rot 3"], ["Sup 2+"]
environment = { pipe = 2 }              # modes that are not named: not there
robot = "forward"                       # or unit = "..." for neighbours that make a unit
gait = { commands = ["MWO"] }

[[limit]]                               # lowers rules where they promise too much
name = "no pulling of trains"
rules = ["pull along"]
carried = 2                             # modules carried along for each that works
grade = 1

[[task]]
name = "fetch"
needs = ["forward", "Grab"]

[[learnt]]                              # what a study has found (000 §7)
name = "six rotations, open air"
configuration = "rrrrrr"                # wire ids head first; ? any module, * any number
situations = ["open_air"]
ability = "forward"
grade = 3
gait = { commands = ["MO1"], amplitude_deg = 85, omega_rad_s = 15, phase_rad = 1.97 }
evidence = { study = "open-air-six-r", measure = "speed_m_s", value = 0.31, runs = 20 }
```

A learnt rule may also have `mdl`, the strings of the modules studied: if one of them can do less,
the rule does not hold. Among ways of the same grade a learnt one comes first, then the one in which
most modules work. `evidence` is for the person who reviews the file.

A rule gives an ability or a unit that the rules above give, or one that a rule or a task asks for;
another is refused as misspelt.

A plugin brings rules as a table with a name, for `annelid run` and `annelid infer … --plugin FILE`:

```python
from annelid.systems.microtub.inference import Environment, Gait, Rule, RuleTable, Term

GENTLE = RuleTable(
    "gentle",
    rules=(
        Rule(
            name="push",
            anywhere=(Term(skill="PS"), Term(skill="Push_pipe")),
            environment=Environment(pipe=3),
            robot="forward",
            gait=Gait(commands=("MHE",), level=0.5),
        ),
    ),
)
```

Its rules come on top of the shipped ones, and a file of rules on top of both.
"""


def rules_page() -> str:
    """Markdown."""
    return _TOP + "\n".join(_lines()) + "\n\n" + _FILE


def _lines() -> Iterator[str]:
    book = Rulebook()
    ours = [rule for rule in book.rules.values() if rule.extension]
    paper = [rule for rule in book.rules.values() if not rule.extension]
    for title, rules in (("Table 9", paper), ("Ours, for what Table 9 leaves out", ours)):
        yield from (f"## {title}", "", *markdown_table(_HEAD, map(_row, rules)), "")
    yield "Where they come from:\n"
    yield from (f"- {rule.name}: {rule.source}" for rule in book.rules.values())
    yield _LIMITS
    head = ("limit", "of", "where", "holds if", "leaves", "why")
    yield from markdown_table(head, map(_limit, book.limits.values()))
    yield "\n## Tasks\n"
    tasks = ((task.name, ", ".join(task.needs), task.about) for task in book.tasks.values())
    yield from markdown_table(("task", "needs", "what it is"), tasks)
    yield "\n## Indicators (000, Table 2)\n"
    indicators = ((place, *each) for place, each in enumerate(INDICATORS.items(), 1))
    yield from markdown_table(("digit", "name", "a module can"), indicators)


def _limit(limit: Limit) -> tuple[str, ...]:
    holds = []
    if limit.lacking:
        holds.append(f"of the modules that work, fewer have {_terms(limit.lacking)}")
    if limit.carried is not None:
        holds.append(f"more than {limit.carried:g} are carried along for each that works")
    where = ", ".join(each.replace("_", " ") for each in limit.situations) or "any"
    cells = (limit.name, ", ".join(limit.rules), where, ", and ".join(holds))
    return (*cells, str(limit.grade or "nothing"), limit.source)


def _row(rule: Rule) -> tuple[str, ...]:
    caps = ["any"] * 3
    if rule.environment != EVERYWHERE:
        where = rule.environment
        caps = [str(cap or "–") for cap in (where.pipe, where.open_air, where.general)]
    gives = f"{rule.gives} (unit)" if rule.unit is not None else rule.gives
    return (
        rule.name,
        _terms(rule.anywhere, rule.limited_by),
        _terms(rule.sequential),
        _terms(rule.adjacent),
        gives,
        *caps,
        "" if rule.gait is None else str(rule.gait),
    )


def _terms(terms: Terms, limits: tuple[str, ...] = ()) -> str:
    return ", ".join(f"*{term}*" if term.skill in limits else str(term) for term in terms)
