"""B2: the MDL phase, and capabilities that change when a module is damaged (000 §3.4, §5.3).

T S E R H in a weightless room, with physics: the central control learns all strings in the MDL
phase.  Then the servo that a command moves is jammed, one module after the other: the module finds
by itself that it does not follow, says so when it is polled, and answers SYC and the next MDL phase
with the lower grade.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from annelid.electronics.faults import parse_fault
from annelid.electronics.injector import Injector
from annelid.kernel import SECOND, to_seconds
from annelid.papers.bench import Bench
from annelid.papers.bus_chain import BusChain
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.drive import open_air, simulation
from annelid.systems.microtub.module import BUS
from annelid.systems.microtub.protocol import LLC1, LLC2, Message, encode
from annelid.systems.microtub.protocol.describe import understand

CHAIN: Final = "TSERH"
MOVED_S: Final = 2.0
ASKED_S: Final = 5.0
END_S: Final = 6.0

Case = tuple[str, str, Any, str]
CASES: Final[tuple[Case, ...]] = (
    ("S1", "grip", (LLC1.MS1, 80), "Sup"),
    ("E1", "extend", (LLC1.MS1, 80), "Ext"),
    ("R1", "yaw", (LLC1.MS1, 60), "RotY"),
    ("R1", "pitch", (LLC1.MS2, 60), "RotX"),
)
"""Module, servo to be jammed, command that moves it, indicator that must fall."""


@dataclass(frozen=True)
class Damage:
    case: int | None
    """None: nothing is jammed, nothing may fall."""
    seed: int


@dataclass(frozen=True)
class Told:
    learnt: bool
    """The MDL phase at power-up gave every module's string as built."""
    reported_s: float | None
    """From the command to the string with the lower grade on the bus, by polling."""
    polled: bool
    asked: bool
    """Whether polling and SYC brought exactly the lowered string."""
    others: int
    """Strings that modules sent without a reason."""


def damage(given: Damage) -> Told:
    sim = simulation(CHAIN, open_air(gravity=0.0), seed=given.seed)
    chain = BusChain(CHAIN, {"boot_ms": 0.0}, seed=given.seed, sim=sim)
    name, servo, (command, value), indicator = CASES[given.case or 0]
    place = [node.name for node in chain.network.modules].index(name)
    address = chain.network.addresses[place]
    as_built = sim.robot[name].type.capabilities
    lowered = as_built.with_grade(indicator, 0).digits
    if given.case is not None:
        jam = parse_fault({"fault": "stuck_servo", "servo": f"{name}.{servo}", "at_s": 1.5})
        Injector(chain.circuit).schedule([jam])
    port = chain.network.pc.board.ports[BUS]
    chain.kernel.call_at(
        round(MOVED_S * SECOND), lambda: port.send(encode(command, value, to=address))
    )
    chain.kernel.call_at(round(ASKED_S * SECOND), lambda: port.send(encode(LLC2.SYC, to=address)))
    chain.run(END_S)
    built = [each.type.capabilities.digits for each in sim.robot.modules]
    learnt = [member.mdl for member in chain.found[0].members] == built
    sent = [
        (to_seconds(detail["end_ns"]), said.sender, said.values[0])
        for _, link, kind, detail in chain.events
        if (link, kind) == (BUS, "wire") and detail["outcome"] == "delivered"
        if isinstance(said := understand(bytes.fromhex(detail["bytes"])), Message)
        if said.command is LLC2.AMC
    ]
    polled = [(t, text) for t, who, text in sent if who == address and t < ASKED_S]
    asked = [text for t, who, text in sent if who == address and t >= ASKED_S]
    wanted = lowered if given.case is not None else as_built.digits
    return Told(
        learnt=learnt,
        reported_s=polled[0][0] - MOVED_S if polled else None,
        polled=[text for _, text in polled] == ([lowered] if given.case is not None else []),
        asked=asked == [wanted],
        others=sum(who != address for _, who, _ in sent),
    )


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else 5))
    jammed = [Damage(case, seed) for case in range(len(CASES)) for seed in seeds]
    sound = [Damage(None, seed) for seed in seeds]
    told = bench.map(damage, jammed + sound, what="jamming")
    hurt, whole = told[: len(jammed)], told[len(jammed) :]
    learnt = sum(each.learnt for each in told)
    right = sum(each.polled and each.asked and not each.others for each in hurt)
    quiet = sum(each.polled and each.asked and not each.others for each in whole)
    delays = [each.reported_s for each in hurt if each.reported_s is not None]
    slowest = max(delays, default=float("nan"))
    names = [f"{name}.{servo}" for name, servo, _, _ in CASES]
    return Outcome(
        ours=(
            f"all strings of {CHAIN} received in {learnt} of {len(told)} MDL phases; lowered "
            f"grade re-sent in {right} of {len(hurt)} jams, at most {slowest:.1f} s after the "
            f"command; {len(whole) - quiet} false reports in {len(whole)} sound runs"
        ),
        passed=learnt == len(told) and right == len(hurt) and quiet == len(whole),
        note=(
            f"Jammed: {', '.join(names)}. The module compares setpoint and position (000 §4.1.4), "
            "takes the indicator that the servo serves to 0, says so at the next poll (every "
            "0.5 s) and to SYC. Grades between 0 and 3 for servos that are only weak are not done."
        ),
        values={
            "mdl_phases": len(told),
            "mdl_phases_right": learnt,
            "jams": len(hurt),
            "jams_reported": right,
            "slowest_report_s": slowest,
            "false_reports": len(whole) - quiet,
        },
        plots=(
            Figure(
                "From the command to the lowered string on the bus",
                "jam",
                "time, s",
                (Series.of("reports", list(range(len(delays))), delays, style="points"),),
            ),
        ),
    )
