"""Report: the supply voltage, the battery, and who used how much energy."""

from __future__ import annotations

from annelid.report import page
from annelid.report.figures import SECONDS
from annelid.report.plots import COLOURS, Curve, PlotPanel, draw
from annelid.report.recording import Recording
from annelid.report.summary import quantity


def power_section(recording: Recording) -> str | None:
    """None where the scenario has no supply."""
    time = recording.time("power")
    spec = recording.scenario.power
    if spec is None or len(time) < 2:
        return None
    volts, current, charge = (
        recording.column("power", name)[0] for name in ("voltage", "current", "charge")
    )
    levels = [(spec.brown_out_v, "brown-out")] if volts.min() < spec.brown_out_v + 1 else []
    panels = [
        PlotPanel(SECONDS, "rail (V)", [Curve(time, volts)], levels=levels),
        PlotPanel(SECONDS, "current from the rail (mA)", [Curve(time, current, colour=COLOURS[1])]),
    ]
    battery = spec.supply.kind == "battery"
    if battery:
        panels.append(
            PlotPanel(SECONDS, "charge (%)", [Curve(time, charge * 100, colour=COLOURS[2])])
        )
    parts = [
        page.paragraph(_words(recording, battery=battery)),
        page.figure(draw(panels, columns=len(panels), height=2.6)),
    ]
    boards = list(recording.group("power", "energy"))
    if boards:
        rows = []
        for name, column in boards:
            energy = float(recording.column("power", column)[0][-1])
            mean = quantity(energy / float(time[-1]), "", factor=1000)
            rows.append((name, quantity(energy, ""), mean))
        head = ("board", "energy with its motors (J)", "mean power (mW)")
        parts.append(page.table(head, rows, numbers=(1, 2)))
    return page.section("Power", *parts)


def _words(recording: Recording, *, battery: bool) -> str:
    metrics = recording.metrics
    source = "A battery" if battery else "A cable from the bench"
    if metrics is None:
        return f"{source} fed the robot."
    text = (
        f"{source} gave {quantity(metrics.energy_j, 'J')}, "
        f"{quantity(metrics.boards_energy_j, 'J')} of it to boards; the rail had "
        f"{quantity(metrics.voltage_min_v, 'V')} at its lowest."
    )
    if battery and metrics.charge is not None:
        text += f" {metrics.charge:.1%} of the charge is left"
        life = metrics.battery_life_s
        text += f", for {life / 60:.0f} minutes more like these." if life is not None else "."
    if metrics.brown_outs:
        text += f" Boards went off {metrics.brown_outs} times because it was too low."
    return text
