"""The summary of a sweep: success rates with their uncertainty, setting by setting."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import median
from typing import Any

Z95 = 1.959963984540054
"""Two-sided 95 % of the normal distribution."""


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """95 % interval of a rate (Wilson 1927): sound at 0 %, at 100 % and with few trials, where
    the textbook's mean plus or minus deviation is not."""
    if trials == 0:
        return 0.0, 1.0
    rate = successes / trials
    scale = 1 + Z95**2 / trials
    middle = (rate + Z95**2 / (2 * trials)) / scale
    half = Z95 / scale * sqrt(rate * (1 - rate) / trials + Z95**2 / (4 * trials**2))
    low = 0.0 if successes == 0 else middle - half
    high = 1.0 if successes == trials else middle + half
    return low, high


@dataclass(frozen=True)
class Setting:
    """One setting of the listed fields and how its trials went."""

    fields: Mapping[str, Any]
    trials: int
    judged: int
    """Trials that could succeed or fail: the scenario asks for something."""
    successes: int
    time_to_goal_s: float | None
    """Median of those that reached it."""
    speed_m_s: float | None
    energy_per_metre_j_m: float | None
    falls: int
    """Trials that ended because the robot fell."""
    errors: tuple[str, ...]
    """Each once."""
    identical: bool = False
    """All trials, two or more, came to exactly the same: they say nothing about chance."""

    @property
    def rate(self) -> float | None:
        return self.successes / self.judged if self.judged else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Of the rate; None where there is no rate, or where it was found by copies of one run."""
        return wilson(self.successes, self.judged) if self.judged and not self.identical else None

    def row(self) -> dict[str, Any]:
        low, high = self.interval or (None, None)
        return {
            **self.fields,
            "trials": self.trials,
            "successes": self.successes,
            "rate": self.rate,
            "rate_low": low,
            "rate_high": high,
            "identical": self.identical,
            "median_time_to_goal_s": self.time_to_goal_s,
            "median_speed_m_s": self.speed_m_s,
            "median_energy_per_metre_j_m": self.energy_per_metre_j_m,
            "falls": self.falls,
            "errors": "; ".join(self.errors),
        }


@dataclass(frozen=True)
class Summary:
    fields: tuple[str, ...]
    """All that were varied."""
    settings: tuple[Setting, ...]

    def data(self) -> dict[str, Any]:
        """For JSON; ``plot`` is what a figure needs: the first listed field along x."""
        listed = list(self.settings[0].fields) if self.settings else []
        rows = [setting.row() for setting in self.settings]
        return {
            "fields": list(self.fields),
            "settings": rows,
            "plot": {
                "x_field": listed[0] if listed else None,
                "x": [row[listed[0]] if listed else None for row in rows],
                "series_fields": listed[1:],
                "series": [{field: row[field] for field in listed[1:]} for row in rows],
                "rate": [row["rate"] for row in rows],
                "low": [row["rate_low"] for row in rows],
                "high": [row["rate_high"] for row in rows],
            },
        }


def summarise(
    cells: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]], *, fields: Sequence[str]
) -> Summary:
    """``rows`` as :func:`annelid.trial.sweep.outcome` makes them."""
    settings = []
    for place, cell in enumerate(cells):
        mine = [row for row in rows if row["cell"] == place]
        metrics = [row["metrics"] for row in mine if row["error"] is None]
        asked = any(m["success"] is not None for m in metrics)
        failed = len(mine) - len(metrics)
        settings.append(
            Setting(
                fields=dict(cell),
                trials=len(mine),
                judged=len(mine) if asked or failed else 0,
                successes=sum(m["success"] is True for m in metrics),
                time_to_goal_s=_median(metrics, "time_to_goal_s"),
                speed_m_s=_median(metrics, "speed_m_s"),
                energy_per_metre_j_m=_median(metrics, "energy_per_metre_j_m"),
                falls=sum(m["stopped"] == "fell" for m in metrics),
                errors=tuple(dict.fromkeys(r["error"] for r in mine if r["error"] is not None)),
                identical=_identical(mine),
            )
        )
    return Summary(tuple(fields), tuple(settings))


def _identical(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether two trials or more agree in all but their seeds."""
    outcomes = [({**row["metrics"], "seed": None}, row["error"]) for row in rows]
    return len(outcomes) > 1 and all(one == outcomes[0] for one in outcomes)


def _median(metrics: Sequence[Mapping[str, Any]], name: str) -> float | None:
    values = [m[name] for m in metrics if m[name] is not None]
    return median(values) if values else None


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """All columns that any row has, in the order of their first appearance."""
    columns = dict.fromkeys(name for row in rows for name in row)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(columns))
        writer.writeheader()
        writer.writerows(rows)
