"""Summarises a run in words and a few numbers, for a reader who does not know the scenario."""

from __future__ import annotations

from collections import Counter

from annelid.modules import MODULES
from annelid.modules.battery import Battery
from annelid.report.recording import Recording
from annelid.trial.metrics import Metrics

Badge = tuple[str, str]


def length(metres: float) -> str:
    """In the unit that reads best."""
    return f"{metres:.2f} m" if abs(metres) >= 1 else f"{metres * 1000:.0f} mm"


def quantity(value: float | None, unit: str, *, factor: float = 1.0, digits: int = 3) -> str:
    """A number with its unit; a dash where it was not measured or means nothing."""
    if value is None:
        return "–"
    return f"{_significant(value * factor, digits)} {unit}".strip()


def headline(recording: Recording) -> str:
    """One sentence: who, how far, how long, and whether that was what was asked for."""
    metrics, name = recording.metrics, recording.letters
    if metrics is None:
        return f"{name}: the run was cut short before its numbers were written"
    took = f"{metrics.time_s:.1f} s"
    target = recording.scenario.target()
    if metrics.fell_s is not None:
        got = length(metrics.progress_max_m)
        return f"{name} fell after {metrics.fell_s:.1f} s, {got} along the way"
    if metrics.there_and_back:
        out = f"went {length(metrics.progress_max_m)} along the way"
        if metrics.time_home_s is not None:
            return f"{name} {out} and was home again after {metrics.time_home_s:.1f} s"
        return f"{name} {out} and did not come home in {took}"
    if metrics.success:
        reached = metrics.time_to_goal_s if metrics.time_to_goal_s is not None else metrics.time_s
        return f"{name} reached the goal, {length(target or 0)} along the way, in {reached:.1f} s"
    if metrics.success is False and target is not None:
        return (
            f"{name} did not reach the goal: {length(metrics.progress_max_m)} of "
            f"{length(target)} in {took}"
        )
    if abs(metrics.progress_m) < 1e-3:
        return f"{name} stayed where it was for {took}"
    way = "moved" if metrics.progress_m > 0 else "moved backwards"
    return f"{name} {way} {length(abs(metrics.progress_m))} in {took}"


def badge(metrics: Metrics | None) -> Badge:
    if metrics is None:
        return "bad", "cut short"
    ends = {
        "fell": ("bad", "fell"),
        "interrupted": ("open", "interrupted"),
        "unstable": ("bad", "became unstable"),
        "failed": ("bad", "failed"),
    }
    if metrics.stopped in ends:
        return ends[metrics.stopped]
    if metrics.success is None:
        return "open", "no goal was set"
    return ("good", "goal reached") if metrics.success else ("bad", "goal not reached")


def story(recording: Recording) -> str:
    """The robot, its world, and what went wrong, if anything did."""
    scenario = recording.scenario
    kinds = recording.run.plugins.table(MODULES)
    counts = Counter(kinds[letter].title for letter in recording.letters)
    modules = ", ".join(f"{n} × {title}" if n > 1 else title for title, n in counts.items())
    count = len(recording.letters)
    shape = "robot" if scenario.robot.docks else "chain"
    text = f"A {shape} of {count} module{'s' * (count != 1)} ({modules}) in "
    world = scenario.world
    text += f"the world “{world.kind}” ({world.summary})"
    if world.bore is not None:
        text += f", narrowest bore {world.bore * 1000:.0f} mm"
    if world.goal is not None:
        text += f", {length(world.goal)} from start to end"
    text += f". {_alarms(recording.metrics)}"
    return f"{scenario.about} {text}".strip()


def _alarms(metrics: Metrics | None) -> str:
    if metrics is None:
        return "What was recorded until then is shown."
    if metrics.fell_s is not None:
        return f"It fell at {metrics.fell_s:.1f} s: {metrics.fell_why}."
    if metrics.statements_false:
        false = "; ".join(f"“{words}”" for words in metrics.statements_false)
        return f"It told its operator what is not so: {false}."
    if metrics.crashed:
        return f"Programs crashed on {', '.join(metrics.crashed)}; the events below say why."
    if metrics.brown_outs:
        return f"Boards browned out {metrics.brown_outs} times."
    if metrics.tripped:
        names = ", ".join(metrics.tripped)
        return f"The current limit switched off {len(metrics.tripped)} motor(s): {names}."
    return "No motor was switched off by its current limit."


def facts(metrics: Metrics | None) -> list[tuple[str, str]]:
    """(value, meaning) for the tiles at the top."""
    if metrics is None:
        return []
    users = "motors" if metrics.boards_energy_j is None else "motors and boards"
    tiles = [
        *_way(metrics),
        (quantity(metrics.speed_m_s, "mm/s", factor=1000), "mean speed along the way"),
        (quantity(metrics.time_s, "s"), "simulated time"),
        (quantity(metrics.energy_j, "J"), f"energy drawn by all {users}"),
        (quantity(metrics.cost_of_transport, ""), "cost of transport: energy / (weight × way)"),
        (
            quantity(metrics.peak_current_a, "mA", factor=1000),
            f"highest filtered current ({metrics.peak_current_at or 'no motor'})",
        ),
        (quantity(metrics.hottest_c, "°C"), f"hottest winding ({metrics.hottest_at or 'none'})"),
        (quantity(metrics.mass_kg, "g", factor=1000), f"mass of {metrics.modules} modules"),
    ]
    if metrics.battery_life_s is not None and metrics.charge is not None:
        left = f"left in the battery, for {metrics.battery_life_s / 60:.0f} min more"
        tiles.append((f"{metrics.charge:.0%}", left))
    elif metrics.power_mean_w:
        cell = Battery()
        minutes = cell.energy / metrics.power_mean_w / 60
        lasts = f"that one battery module ({cell.capacity_mah:.0f} mAh) would last at this power"
        tiles.append((f"{minutes:.0f} min", lasts))
    if metrics.statements:
        wrong = len(metrics.statements_false) + len(metrics.statements_misled)
        so = f"{metrics.statements - wrong} of {metrics.statements}"
        beside = f"; {metrics.statements_empty} more claim nothing that is judged"
        meaning = "statements to its operator that are so"
        tiles.append((so, meaning + beside if metrics.statements_empty else meaning))
    if metrics.faults or metrics.resets:
        tiles.append((str(metrics.faults), f"faults; boards were reset {metrics.resets} times"))
    return tiles


def _way(metrics: Metrics) -> list[tuple[str, str]]:
    if not metrics.there_and_back or metrics.way_m is None:
        return [(length(metrics.progress_m), "progress of the head along the way")]
    return [(length(metrics.way_m), f"way of the head; {length(metrics.progress_max_m)} out")]


def rows(metrics: Metrics | None) -> list[tuple[str, str]]:
    """Every number of the run, with the names that ``metrics.json`` has."""
    if metrics is None:
        return []
    flat = metrics.model_dump(mode="json")
    wall = flat.pop("wall", None) or {}
    flat |= {f"wall.{name}": value for name, value in wall.items()}
    return [(name, cell(value)) for name, value in flat.items()]


def cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return _significant(value, 4)
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def _significant(value: float, digits: int) -> str:
    """Never in powers of ten where a person would not write them so."""
    if value and (abs(value) < 1e-3 or abs(value) >= 1e6):
        return f"{value:.{digits}g}"
    shown = f"{value:.{digits}g}"
    return f"{value:.0f}" if "e" in shown else shown
