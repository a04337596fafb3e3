"""MICROTUB's entry in the table of systems."""

from __future__ import annotations

from typing import Final

from annelid.systems import System
from annelid.systems.front import Apart, Form, Number, Panel, Words
from annelid.systems.microtub.central.behaviours.base import ACTION, DESTINATION
from annelid.systems.microtub.central.operator import ASKED, completions, help_lines, parse_saying
from annelid.systems.microtub.inference import RuleTable
from annelid.systems.microtub.network import BEHAVIOURS, PC, build
from annelid.systems.microtub.protocol import Command, describe_frames, plain
from annelid.systems.microtub.spec import MicrotubSpec

FRONT: Final = "annelid.systems.microtub.front"
PLACE: Final = (Number("x", 300, "x (mm)"), Number("y", 0, "y (mm)"), Number("z", 0, "z (mm)"))
"""What ``RPL coordinates`` asks for."""
COORDINATES: Final = "coordinates"


def forms() -> tuple[Form, ...]:
    """The commands that need no word more are buttons of one form; others have a form each."""
    bare = [name for name, command in ASKED.items() if not any(command.forms)]
    asking = [command for command in ASKED.values() if any(command.forms)]
    return (Form("HLC", {name: name for name in bare}), *(_form(command) for command in asking))


def _form(command: Command) -> Form:
    words = completions(f"{command.name} ")
    lines = {word.replace("_", " "): f"{command.name} {word}" for word in words}
    if COORDINATES not in lines:
        return Form(command.name, lines)
    lines[COORDINATES] += " {x} {y} {z}"
    return Form(command.name, lines, PLACE)


MICROTUB: Final = System(
    name="microtub",
    title="MICROTUB (000): modules of many kinds on one bus, which find their order by themselves",
    options=MicrotubSpec,
    build=build,
    describe_frames=describe_frames,
    decides=(DESTINATION, ACTION),
    framed=True,
    behaviours=BEHAVIOURS,
    extras=(RuleTable,),
    example='system = "microtub"',
    words=Words(parse_saying, completions, help_lines, silent={"operator": []}, plain=plain),
    apart=Apart(PC, {"central": "elsewhere"}, "annelid central"),
    panel=Panel(forms=forms(), see=f"{FRONT}.console:MapView"),
    witness="annelid.systems.microtub.witness:MicrotubWitness",
    event_words={
        "map": lambda told: (
            f"its map has {len(told['places'])} places after {told['travelled_m']:.2f} m"
        )
    },
    report=f"{FRONT}.map:sections",
    exports={
        "c-header": "annelid.systems.microtub.protocol.c_header:c_header",
        "protocol-page": "annelid.systems.microtub.protocol.page:docs_page",
        "rules-page": "annelid.systems.microtub.inference.page:rules_page",
    },
    bench=f"{FRONT}.bench:bench",
)
