"""The active rules: shipped, from a user's file, or learnt; they can change at any time.

A file has the form of ``rules.toml``::

    remove = ["serpentine"]          # rules and limits that shall not hold

    [[rule]]                         # a new one, or, with the name of a known one, instead of it
    name = "snake"
    ...

    [[limit]]                        # where a rule grants what gets nowhere; see limits.py
    [[task]]                         # what a job needs
    [[learnt]]                       # from a study; see learnt.py

It is text that somebody reads before it is used: rules hold no code.  What it says stands in a
scenario as ``control.options.rules``, so that a run folder has it.  A plugin brings rules as a
:class:`RuleTable`::

    GLIDING = RuleTable("gliding", rules=(Rule(name="glide", ...),))

A rule that gives what nothing asks for is refused: it is misspelt, or a ``[[task]]`` is missing.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Self

from pydantic import model_validator

from annelid.boundary.files import read_toml
from annelid.errors import InputError, SpecError, UnknownName
from annelid.spec import Spec
from annelid.systems import Extra
from annelid.systems.microtub.inference.learnt import LearntRule
from annelid.systems.microtub.inference.limits import Limit
from annelid.systems.microtub.inference.masks import CHOICES, MASKS
from annelid.systems.microtub.inference.rules import Rule, TaskNeeds

SHIPPED = Path(__file__).with_name("rules.toml")


class RuleFile(Spec):
    """What may stand in a file of rules."""

    about: str = ""
    """One line for people."""
    remove: tuple[str, ...] = ()
    """Names of rules that no longer hold."""
    rule: tuple[Rule, ...] = ()
    """Rules that are added, or take the place of those of their name."""
    limit: tuple[Limit, ...] = ()
    """Where load or geometry makes a granted gait useless: what lowers its grade."""
    task: tuple[TaskNeeds, ...] = ()
    """What tasks need."""
    learnt: tuple[LearntRule, ...] = ()
    """Rules that studies found."""

    @model_validator(mode="after")
    def _different(self) -> Self:
        for what, names in (
            ("rule", [rule.name for rule in self.all_rules()]),
            ("limit", [limit.name for limit in self.limit]),
            ("task", [task.name for task in self.task]),
        ):
            if twice := sorted({name for name in names if names.count(name) > 1}):
                raise ValueError(f"{what} names must differ, got twice: {', '.join(twice)}")
        return self

    def all_rules(self) -> tuple[Rule, ...]:
        return (*self.rule, *(each.rule() for each in self.learnt))


@dataclass(frozen=True)
class RuleTable(Extra):
    """Rules under one name, as a plugin brings them."""

    name: str
    rules: tuple[Rule, ...] = ()
    limits: tuple[Limit, ...] = ()
    tasks: tuple[TaskNeeds, ...] = ()
    remove: tuple[str, ...] = ()
    """Rules that shall not hold."""


def rule_tables(extras: Iterable[Extra]) -> tuple[RuleTable, ...]:
    """Those that a plugin brings for MICROTUB, which are all that it may bring."""
    tables = []
    for extra in extras:
        if not isinstance(extra, RuleTable):
            raise InputError(f"{extra.name}: expected a RuleTable, got a {type(extra).__name__}")
        tables.append(extra)
    return tuple(tables)


def read_rules(path: Path) -> RuleFile:
    """A file of rules, or what is wrong with it."""
    return RuleFile.parse(read_toml(path), where=str(path))


def rulebook(tables: Iterable[RuleTable] = (), files: Iterable[RuleFile] = ()) -> Rulebook:
    """The shipped rules, those of plugins on top of them, and those of an operator above all."""
    book = Rulebook()
    for table in tables:
        where = f"rule table {table.name!r}"
        said = {"remove": table.remove, "rule": table.rules, "task": table.tasks}
        said["limit"] = table.limits
        book.take(RuleFile.parse(said, where=where), where=where)
    for place, file in enumerate(files):
        book.take(file, where=f"rules.{place}")
    return book


@functools.cache
def _shipped() -> RuleFile:
    return read_rules(SHIPPED)


class Rulebook:
    """Rules and tasks by name.  ``version`` rises with every change."""

    def __init__(self, *, empty: bool = False) -> None:
        self._rules: dict[str, Rule] = {}
        self._limits: dict[str, Limit] = {}
        self._tasks: dict[str, TaskNeeds] = {}
        self.version = 0
        if not empty:
            self.take(_shipped(), where=str(SHIPPED.name))

    @property
    def rules(self) -> Mapping[str, Rule]:
        return MappingProxyType(self._rules)

    @property
    def limits(self) -> Mapping[str, Limit]:
        return MappingProxyType(self._limits)

    @property
    def tasks(self) -> Mapping[str, TaskNeeds]:
        return MappingProxyType(self._tasks)

    @property
    def skills(self) -> frozenset[str]:
        """All that a rule or a task may name."""
        return frozenset({*MASKS, *CHOICES, *(rule.gives for rule in self._rules.values())})

    @property
    def abilities(self) -> tuple[str, ...]:
        """What a robot may be able to do by the rules, in their order."""
        return tuple(dict.fromkeys(r.robot for r in self._rules.values() if r.robot is not None))

    def add(self, *rules: Rule, where: str = "rules") -> None:
        """New rules, which may build on one another."""
        for rule in rules:
            if rule.name in self._rules:
                raise SpecError(
                    f"{where}: rule {rule.name!r} is there already; change it with `change`"
                )
        self._put(rules, where)

    def change(self, rule: Rule) -> None:
        """The rule of this name from now on."""
        self._known(rule.name)
        self._put([rule], "rules")

    def remove(self, name: str) -> Rule:
        """Rules that build on it stay, and hold again as soon as something gives what they need."""
        self._known(name)
        self.version += 1
        return self._rules.pop(name)

    def load(self, path: Path | str) -> RuleFile:
        """All that a file says."""
        file = read_rules(Path(path))
        self.take(file, where=str(path))
        return file

    def take(self, file: RuleFile, *, where: str) -> None:
        """All that it says; nothing of it if something is wrong with it."""
        before = dict(self._rules), dict(self._limits), dict(self._tasks)
        asked = {*MASKS, *(rule.gives for rule in self._rules.values())}
        try:
            for name in file.remove:
                if self._limits.pop(name, None) is None:
                    self._known(name, where=where)
                    del self._rules[name]
            self._put(file.all_rules(), where)
            self._limits |= {limit.name: limit for limit in file.limit}
            for task in file.task:
                self.add_task(task, where=where)
            self._check_heads(file, asked, where)
        except (SpecError, UnknownName):
            self._rules, self._limits, self._tasks = before
            raise

    def task(self, name: str) -> TaskNeeds:
        """A task, or an ability or indicator taken as one."""
        if name in self._tasks:
            return self._tasks[name]
        if name in self.skills:
            return TaskNeeds(name=name, needs=(name,))
        raise UnknownName("task", name, {*self._tasks, *self.skills})

    def add_task(self, task: TaskNeeds, *, where: str = "tasks") -> None:
        """A new task, or instead of the one of that name."""
        for need in task.needs:
            if need not in self.skills:
                raise UnknownName("capability", need, self.skills, where=f"{where}: {task.name}")
        self._tasks[task.name] = task
        self.version += 1

    def _check_heads(self, file: RuleFile, asked: set[str], where: str) -> None:
        """What a rule gives must be what was there before, or what a rule or a task asks for."""
        if not asked - {*MASKS}:
            return  # the first rules there are
        asked |= {term.skill for rule in self._rules.values() for term in rule.terms}
        asked |= {need for task in self._tasks.values() for need in task.needs}
        for rule in file.all_rules():
            if rule.gives not in asked:
                known = asked if rule.unit is not None else asked - {*MASKS, *CHOICES}
                what = "unit" if rule.unit is not None else "ability"
                raise UnknownName(what, rule.gives, known, where=f"{where}: rule {rule.name!r}")

    def _put(self, rules: Iterable[Rule], where: str) -> None:
        after = {**self._rules, **{rule.name: rule for rule in rules}}
        skills = {*MASKS, *CHOICES, *(rule.gives for rule in after.values())}
        for rule in rules:
            for term in rule.terms:
                if term.skill not in skills:
                    raise UnknownName(
                        "capability", term.skill, skills, where=f"{where}: rule {rule.name!r}"
                    )
            if rule.gives in CHOICES:
                raise SpecError(
                    f"{where}: rule {rule.name!r}: {rule.gives} is a choice of "
                    f"{' or '.join(CHOICES[rule.gives])}; say which"
                )
        self._rules = after
        self.version += 1

    def _known(self, name: str, *, where: str = "rules") -> None:
        if name not in self._rules:
            raise UnknownName("rule", name, self._rules, where=where)
