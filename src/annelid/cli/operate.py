"""``annelid operate``: sit at the operator's terminal while the simulation runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any

import typer

from annelid.cli.options import PluginOption, SetOption, load_plugins, overrides

if TYPE_CHECKING:
    from annelid.trial.run import Trial

PROMPT = "operator> "
HELP = """\
{commands}

wait SECONDS      say the next line so much later, in the robot's time
help              this
quit              end the run; what was recorded stays"""


def operate(
    scenario: Annotated[
        str, typer.Argument(help="A .toml file, or a shipped name, of a MICROTUB robot.")
    ] = "explore-straight",
    plugin: PluginOption = None,
    speed: Annotated[
        float, typer.Option(min=0.01, help="Robot's seconds per second; as fast as it can at most.")
    ] = 1.0,
    duration: Annotated[float, typer.Option(min=0.1, help="Seconds until it ends.")] = 3600.0,
    seed: Annotated[int | None, typer.Option(min=0, help="Another chance.")] = None,
    set_: SetOption = None,
    out: Annotated[Path | None, typer.Option(help="Run folder, new or empty.")] = None,
) -> None:
    """Type HLC commands to a robot while it runs; what was typed replays with the run.

    The scenario's own operator says nothing; you do.  TAB completes, help explains.

    Examples:

        annelid operate

        annelid operate explore-straight --speed 5

        printf 'wait 2\\nEXP\\nwait 20\\nSIR 5\\nwait 1\\nquit\\n' | annelid operate --speed 100
    """
    from annelid.errors import InputError
    from annelid.kernel import Pacer
    from annelid.trial.load import load, naming
    from annelid.trial.run import Trial

    plugins = load_plugins(plugin)
    changes: dict[str, Any] = {**overrides(set_), "duration_s": duration, "stop_at_goal": False}
    if seed is not None:
        changes["seed"] = seed
    loaded = load(scenario, plugins=plugins, overrides=changes)
    if loaded.control.system != "microtub":
        raise InputError(
            f"{scenario}: operate: expected a robot with an operator (control.system = "
            f'"microtub"), got {loaded.control.system or "gaits"!r}'
        )
    loaded = load(scenario, plugins=plugins, overrides={**changes, "control.options.operator": []})
    with naming(scenario):
        trial = Trial(loaded, plugins=plugins)
    desk = Terminal(trial)
    trial.listeners.append(desk.hear)
    pacer = Pacer(time.monotonic_ns, desk.idle, speed=speed)
    desk.begin()
    try:
        result = trial.run(out, pacer=pacer)
        typer.echo(f"run     {result.folder}")
    except KeyboardInterrupt as stop:
        typer.echo(str(stop))


class Terminal:
    """Lines from a thread that reads them, to the run between two of its events."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._ready_ns = 0
        """When the next line may be said, by the robot's time."""
        self._tty = sys.stdin.isatty()

    def begin(self) -> None:
        Thread(target=self._read, daemon=True, name="terminal").start()
        typer.echo("help explains, quit ends.")

    def idle(self, seconds: float) -> None:
        """Called by the pacer whenever there is time: somebody may have typed."""
        if self._trial.now_ns < self._ready_ns:
            time.sleep(seconds)
            return
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            return
        self._take(line)

    def hear(self, t_ns: int, source: str, kind: str, detail: Mapping[str, Any]) -> None:
        """Every event of the run; those for the screen are shown.  A run that cannot keep up with
        the wall clock is never idle, so this is also a moment to listen."""
        if t_ns >= self._ready_ns and not self._lines.empty():
            self._take(self._lines.get())
        if source == "operator" and kind == "answer":
            begin = "\r" if self._tty else ""
            typer.echo(f"{begin}{t_ns / 1e9:9.2f} s  {detail['words']}")
            if self._tty:
                sys.stdout.write(PROMPT)
                sys.stdout.flush()

    def _take(self, line: str | None) -> None:
        from annelid.errors import InputError
        from annelid.systems.microtub.central.sayings import help_lines, parse_saying
        from annelid.trial.outside import Say

        words = [] if line is None else line.split()
        if line is None or words[:1] == ["quit"]:
            self._trial.stop()
        elif words[:1] == ["help"]:
            typer.echo(HELP.format(commands="\n".join(help_lines())))
        elif words[:1] == ["wait"]:
            self._wait(words[1:])
        elif words:
            try:
                parse_saying(line)
                self._trial.inject(Say(line=line.strip()))
            except InputError as error:
                typer.echo(str(error))

    def _wait(self, words: list[str]) -> None:
        try:
            self._ready_ns = self._trial.now_ns + round(float(words[0]) * 1e9)
        except (ValueError, IndexError):
            typer.echo("wait: expected seconds, as in: wait 2.5")

    def _read(self) -> None:
        """In a thread of its own; the end of the input ends the run."""
        if self._tty:
            _complete()
        while True:
            try:
                line = input(PROMPT if self._tty else "")
            except EOFError:
                self._lines.put(None)
                return
            self._lines.put(line)


def _complete() -> None:
    """TAB, where this Python has readline."""
    try:
        import readline
    except ImportError:
        return
    from annelid.systems.microtub.central.sayings import completions

    def complete(_: str, state: int) -> str | None:
        line = readline.get_line_buffer()
        found = [*completions(line), *(["help", "quit", "wait"] if " " not in line else [])]
        begun = line.split(" ")[-1]
        fitting = [word for word in found if word.lower().startswith(begun.lower())]
        return f"{fitting[state]} " if state < len(fitting) else None

    readline.set_completer_delims(" ")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
