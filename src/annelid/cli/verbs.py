"""Adds the commands of systems to the list; each is imported only when used."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from annelid.errors import SpecError
from annelid.systems.front import found
from annelid.systems.verbs import Verb, verbs


class WithVerbs(TyperGroup):
    """A group of commands (``typer.Typer(cls=WithVerbs)``), and the systems' verbs of its name."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for verb in verbs():
            group, _, name = verb.name.rpartition(" ")
            if group != ("" if self.name == "annelid" else self.name):
                continue
            if name in self.commands:
                taken = ", ".join(self.commands)
                raise SpecError(f"command {verb.name!r} is there already; taken names: {taken}")
            self.commands[name] = LateCommand(name, verb)


class LateCommand(TyperCommand):
    """Stands in the list for a command until that is used."""

    def __init__(self, name: str, verb: Verb) -> None:
        super().__init__(name, help=verb.about)
        self._verb = verb

    def make_context(self, info_name: Any, args: Any, parent: Any = None, **extra: Any) -> Any:
        command = found(self._verb.place)
        if not isinstance(command, typer.Typer):
            alone = typer.Typer(add_completion=False)
            alone.command(self.name)(command)
            command = alone
        return get_command(command).make_context(info_name, args, parent=parent, **extra)
