"""``annelid``: the command, its subcommands and its exit codes.

Only typer is imported here and in the commands' files; a command imports what it needs when it is
called, so that ``annelid --help`` answers at once.  Commands of one system (``infer``) are named by
that system (``annelid.systems.verbs``).

Exit codes: 0 done, 2 the input or the machine was at fault (:mod:`annelid.errors`), 130 stopped
by Ctrl-C, 143 by SIGTERM (with the same message), 1 a bug of ours or a reader that went away.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from annelid import __version__
from annelid.boundary.environment import require_environment, settle_environment
from annelid.boundary.plain import visible
from annelid.cli import (
    campaign,
    catalogue,
    compare,
    console,
    converge,
    create,
    doctor,
    evolve,
    export,
    fuzz,
    landscape,
    operate,
    replay,
    soak,
    studies,
    study,
    sweep,
)
from annelid.cli import run as running
from annelid.cli.echo import echo
from annelid.cli.verbs import WithVerbs
from annelid.errors import AnnelidError
from annelid.trial.interrupt import Interrupts

DEBUG = "ANNELID_DEBUG"
"""Environment variable; ``1`` shows tracebacks, in this process and in its workers."""

INTERRUPTED, TERMINATED = 130, 143

app = typer.Typer(
    name="annelid",
    cls=WithVerbs,
    help="Design, simulate, control and evolve robots made of modules.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


for command in (
    running.run,
    console.console,
    operate.operate,
    sweep.sweep,
    replay.replay,
    compare.compare,
    replay.bus,
    catalogue.scenarios,
    catalogue.metrics,
    export.schema,
    create.new,
    export.export,
    evolve.evolve,
    landscape.landscape,
    studies.studies,
    study.reproduce,
    study.bench,
    converge.converge,
    campaign.campaign,
    fuzz.fuzz,
    soak.soak,
    doctor.doctor,
):
    app.command()(command)
for kind, show in catalogue.commands():
    app.command(kind)(show)

app.add_typer(studies.app)


def _show_version(wanted: bool) -> None:
    if wanted:
        echo(f"annelid {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help=f"Show tracebacks (or set {DEBUG}=1).")
    ] = False,
) -> None:
    if debug:
        os.environ[DEBUG] = "1"


def run() -> None:
    """The entry point: ``app``, with every failure told in one message and an exit code."""
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows no ° shows a ? instead
    interrupts = Interrupts()
    interrupts.install()
    try:
        try:
            require_environment(os.environ)
            settle_environment(os.environ)
            os.environ["MPLBACKEND"] = "agg"  # pictures go to files, whatever a notebook has set
            app()
        finally:
            sys.stdout.flush()
    except SystemExit as stop:
        if isinstance(interrupt := _interrupt_behind(stop), KeyboardInterrupt):
            _interrupted(interrupt, interrupts)
        raise
    except KeyboardInterrupt as interrupt:
        _interrupted(interrupt, interrupts)
    except BrokenPipeError:
        # The reader has gone (`annelid … | head`): nothing to say, and nobody to say it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:  # the last stop: a message instead of a traceback
        if os.environ.get(DEBUG, "0") not in ("", "0"):
            raise
        sys.exit(_tell(error))


def _open_streams() -> None:
    """A stream that was closed leads nowhere.  Left closed, its number would go to the next file
    that is opened, and what is printed into that."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8")
    if sys.stdin is None:
        sys.stdin = os.fdopen(0, encoding="utf-8")


def _interrupted(interrupt: KeyboardInterrupt, interrupts: Interrupts) -> NoReturn:
    _say(str(interrupt) or "interrupted")
    sys.exit(TERMINATED if interrupts.terminated else INTERRUPTED)


def _interrupt_behind(stop: SystemExit) -> BaseException | None:
    """The Ctrl-C that typer turned into an exit, if that is why we leave.

    A command that has something to add (where the recorded part lies) raises
    ``KeyboardInterrupt("what to say")`` itself.
    """
    reason = stop.__context__
    return reason.__cause__ if reason is not None else None


def _tell(error: Exception) -> int:
    """Print what went wrong and return the exit code."""
    if isinstance(error, AnnelidError):
        _say(str(error))
        return error.exit_code
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else _gone()
        _say(f"{place}{error.strerror or error}")
        return AnnelidError.exit_code
    _say(f"internal error: {type(error).__name__}: {error}\nPlease report it; --debug shows where.")
    return 1


def _gone() -> str:
    """The place of an error that has none: a relative path needs a folder that is still there."""
    try:
        Path.cwd()
    except OSError:
        return "the working folder was removed: "
    return ""


def _say(message: str) -> None:
    print(f"annelid: {visible(message)}", file=sys.stderr)
