"""Shows progress on a terminal; prints nothing into a pipe or a log file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from annelid.cli.screen import Screen, WordColumn

if TYPE_CHECKING:
    from annelid.trial.scenario import Scenario
    from annelid.trial.telling import Progress as Tell


@contextmanager
def simulating(console: Screen, scenario: Scenario) -> Iterator[Tell]:
    """A bar over virtual time, or over the way where that ends the run."""
    there_and_back = scenario.success.home_mm is not None
    goal = scenario.target() if scenario.stop_at_goal and not there_and_back else None
    columns = (
        WordColumn("{task.description}"),
        BarColumn(),
        WordColumn("{task.fields[said]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(scenario.name, total=1.0, said="")

        def tell(time_s: float, progress_m: float) -> None:
            done = time_s / scenario.duration_s
            if goal:
                done = max(done, progress_m / goal)
            said = f"{time_s:.1f} s, {progress_m * 1000:.0f} mm"
            bar.update(task, completed=min(max(done, 0.0), 1.0), said=said)

        yield tell


@contextmanager
def counting(console: Screen, what: str, total: int) -> Iterator[Callable[..., None]]:
    """A bar over things; the caller tells it how many are done, and may add of how many."""
    columns = (WordColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, _=total: bar.update(task, completed=min(done, total))
