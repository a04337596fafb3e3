"""Everything that reads from outside, each with inputs to spoil.

A door takes an input or refuses it with an error of ours.  Any other error, and anything that takes
longer than ``SLOW_S``, is a failure.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from annelid.boundary.files import parse_table, parse_toml
from annelid.electronics.faults import parse_fault
from annelid.electronics.uart_byte import UartSpec
from annelid.errors import AnnelidError
from annelid.hardware.address import SerialAddress, parse_address
from annelid.hardware.device import open_device
from annelid.hardware.exchange import Done, ProgramHello, RunUntil, SimulationHello
from annelid.kernel.process import what_of, where_of
from annelid.offline.study import load_study
from annelid.offline.study import shipped as shipped_studies
from annelid.reliability import spoil
from annelid.reliability.campaign import TookTooLong, limited
from annelid.reliability.spoil import Draw
from annelid.report import write_report
from annelid.trial.compare import compare_runs
from annelid.trial.fields import parse_assignment
from annelid.trial.load import changed, load, parse, shipped
from annelid.trial.outside import parse_outside
from annelid.trial.plugins import load as load_plugins
from annelid.trial.programs import TEMPLATE, executed
from annelid.trial.replay import Run
from annelid.trial.run import Trial
from annelid.trial.seal import seal
from annelid.trial.vary import parse_vary

SLOW_S: Final = 10.0
RUN: Final = {
    "name": "small",
    "duration_s": 0.1,
    "robot": {"chain": "RR"},
    "world": {"kind": "open-air"},
    "tolerances": {"draw": True},
}
SET: Final = (
    *("world.bore_mm=40", "robot.chain=TRRH", "control.gaits.0.level=0.5", "seed=3"),
    *("robot.each.R.mass_g=22", "physics.timestep_ms=1", "faults=[]", "tolerances.draw=true"),
    *("robot=[1]", "control=1", "control.system='conro'", "world.kind='open-air'", "world=2"),
)
STUDY_SET: Final = (
    *("space.genes.0.low=1", "optimiser.population=10", "name='a'", "set={}", "space=1"),
    *("repeats.vary=['jitter_deg~2+-1']", "budget.generations=3", "fitness.terms.0.metric='x'"),
)
ADDRESSES: Final = (
    *("tcp:127.0.0.1:4100", "tcp:4100", "tcp:robot.example.org:80", "tcp:::1:5"),
    *("serial:loop://?logging=debug", "serial:hwgrep://ttyUSB", "serial:loop://"),
)
SAFE: Final = ("loop://", "hwgrep://")
"""Ports that may be opened with any words behind them."""
PLACES: Final[Mapping[str, Mapping[str, Any]]] = {
    "a.stl": {"world": {"kind": "mesh", "file": "a.stl"}},
    "b.stl": {"robot": {"chain": "P", "each": {"P": {"shell": "b.stl"}}}},
    "c.safetensors": {"control": {"policy": "c.safetensors"}},
    "d.toml": {},
    "e.py": {},
}
VARY: Final = ("world.bore_mm=38,40,42", "seed=0:9:1", "robot.each.R.mass_g~20..25", "a~1+-2")
WIRES: Final[tuple[tuple[type[Any], Mapping[str, Any]], ...]] = (
    (ProgramHello, {"hello": "annelid central", "version": 1}),
    (SimulationHello, {"hello": "annelid", "board": "PC", "ports": ["bus"], "options": {}}),
    (RunUntil, {"until_ns": 5, "heard": [["bus", 63, "3f0c"]], "outcomes": [[7, "nack"]]}),
    (Done, {"at_ns": 5, "sent": [[8, "bus", 12, "0c3f"]], "logged": [["task", {"a": 1}]]}),
)
OUTSIDE: Final[tuple[Mapping[str, Any], ...]] = (
    {"do": "say", "line": "EXP"},
    {"do": "break", "fault": {"fault": "stuck_servo", "servo": "R1.yaw"}},
    {"do": "retune", "gaits": [{"gait": "snake", "move": "forward"}]},
    {"do": "reprogram", "boards": ["R1"], "source": "x"},
    {"do": "speak", "board": "PC", "sent": [[1, "bus", 3, "00"]], "logged": [["a", {}]]},
)
FAULTS: Final[tuple[Mapping[str, Any], ...]] = (
    {"fault": "cut_link", "link": "bus", "between": ["R1", "R2"], "at_s": 3},
    {"fault": "dead_sensor", "sensor": "T1.touch", "mode": "stuck", "reading": 1.0},
    {"fault": "weak_servo", "servo": "R1.yaw", "factor": 0.3, "when": "progress > 0.5"},
)
PLUGIN: Final = """
from typing import Literal
from annelid.modules.rotation import Rotation
from annelid.worlds.world import World


class Stiff(Rotation):
    letter = "W"
    wire_id = "w"
    title = "stiff rotation"
"""
CUBE: Final = """solid cube
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 300 0 0
vertex 0 300 0
endloop
endfacet
endsolid cube
"""


@dataclass
class Fuzz:
    """``folder`` is for its files; what fails is kept in ``folder/failed``."""

    folder: Path
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._doors: dict[str, Callable[[Draw], Iterator[Any]]] = {
            "scenario": self._scenario,
            "study": self._study,
            "--set and --vary": self._options,
            "run folder": self._run_folder,
            "plugin": self._plugin,
            "mesh": self._mesh,
            "request to the page": self._request,
            "deed of the page": self._deed,
            "program in the page": self._program,
            "wire between processes": self._wire,
            "address": self._address,
            "file that is none": self._place,
        }

    @property
    def doors(self) -> tuple[str, ...]:
        return tuple(self._doors)

    def enter(self, door: str, draw: Draw) -> str:
        """One spoilt input: "taken", "refused", "error" or "hang"."""
        if door == "mesh":
            _ = self._compiled
        if door == "study":
            _ = self._imported
        steps = self._doors[door](draw)
        given: Any = None
        try:
            with limited(SLOW_S):
                given = next(steps)
                for _ in steps:
                    pass
            outcome = "taken"
        except AnnelidError:
            outcome = "refused"
        except TookTooLong:
            outcome = "hang"
            self._fail(door, given, f"more than {SLOW_S:g} s")
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            outcome = "error"
            self._fail(door, given, f"{where_of(error)}: {what_of(error)}")
        self.counts.setdefault(door, Counter())[outcome] += 1
        return outcome

    def _fail(self, door: str, given: Any, why: str) -> None:
        self.failures.append(f"{door}: {why}")
        place = self.folder / "failed"
        place.mkdir(exist_ok=True)
        path = place / f"{door.replace(' ', '-').strip('-')}-{len(self.failures):03d}"
        with suppress(RecursionError):
            given = given if isinstance(given, bytes) else str(given).encode(errors="replace")
        content = given if isinstance(given, bytes) else b"nested too deep to be shown"
        path.write_bytes(f"{why}\n\n".encode(errors="replace") + content)

    # -- the doors: each yields its input first, then takes it -----------------------------------

    def _scenario(self, draw: Draw) -> Iterator[Any]:
        names = shipped()
        path = names[str(draw.choice(list(names)))]
        text = spoil.text(path.read_text(encoding="utf-8"), draw)
        yield text
        parsed = parse(parse_toml(text, path.name), where=path.name, folder=path.parent)
        if draw.random() < 0.1 and len(parsed.robot.uses()) < 20:
            Trial(parsed.model_copy(update={"duration_s": 0.01})).measure()

    def _study(self, draw: Draw) -> Iterator[Any]:
        names = shipped_studies()
        path = names[str(draw.choice(list(names)))]
        text = spoil.text(path.read_text(encoding="utf-8"), draw)
        yield text
        load_study(parse_toml(text, path.name))

    @cached_property
    def _imported(self) -> int:
        """Libraries of optimisers are imported when they are first used, which is no hang."""
        found = (load_study(name).optimiser() for name in shipped_studies())
        return sum(1 for _ in found)

    def _options(self, draw: Draw) -> Iterator[Any]:
        if draw.random() < 0.3:
            text = spoil.text(str(draw.choice(VARY)), draw)
            yield text
            parse_vary(text)
            return
        if draw.random() < 0.2:
            text = spoil.text(str(draw.choice(SET)), draw)
            yield text
            name, value = parse_assignment(text)
            changed(self._base, {name: value})
            return
        known = STUDY_SET if (study := draw.random() < 0.3) else SET
        texts = []
        for _ in range(int(draw.integers(1, 4))):
            name, _, value = str(draw.choice(known)).partition("=")
            if draw.random() < 0.6:
                name = spoil.fields(name, draw)
            if draw.random() < 0.4:
                value = spoil.text(value, draw)
            texts.append(f"{name}={value}")
        yield "\n".join(texts)
        several = dict(map(parse_assignment, texts))
        if study:
            load_study("open-air", changes=several)
        else:
            changed(self._base, several)

    @cached_property
    def _base(self) -> Any:
        return load("push")

    @cached_property
    def _whole(self) -> Path:
        place = self.folder / "whole"
        shutil.rmtree(place, ignore_errors=True)
        return Trial(parse(RUN)).run(place).folder

    def _run_folder(self, draw: Draw) -> Iterator[Any]:
        place = self.folder / "spoilt"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self._whole, place)
        files = sorted(path for path in place.rglob("*") if path.is_file())
        path = files[int(draw.integers(len(files)))]
        if draw.random() < 0.3:
            tables = sorted((place / "trace").iterdir())
            one, other = (tables[int(draw.integers(len(tables)))] for _ in "ab")
            if draw.random() < 0.5:
                yield f"{path.name} is {spoil.place(path, draw)}"
            else:
                shutil.copy(one, place / "kept")
                (place / "kept").replace(other)
                yield f"{one.name} in the place of {other.name}"
        else:
            content = spoil.data(path.read_bytes(), draw)
            path.write_bytes(content)
            yield f"{path.name}\n".encode() + content
        match int(draw.integers(3)):
            case 0:
                _without_seal(place)
                seal(place)
            case 1:
                _without_seal(place)
        run = Run(place)
        _ = run.note, run.scenario, run.as_built, run.outside
        for table in run:
            _ = run[table]
        for states in run.states():
            if len(states.times_ns):
                states.show(0)
        compare_runs([run, Run(self._whole)])
        if draw.random() < 0.5:
            write_report(place, video=False)

    def _plugin(self, draw: Draw) -> Iterator[Any]:
        text = spoil.text(PLUGIN, draw)
        yield text
        path = self.folder / "plugin.py"
        path.write_bytes(text.encode(errors="surrogatepass"))
        load_plugins([path])

    def _mesh(self, draw: Draw) -> Iterator[Any]:
        content = spoil.data(CUBE.encode(), draw)
        yield content
        (self.folder / "room.stl").write_bytes(content)
        world = {"kind": "mesh", "file": "room.stl"}
        parse({**RUN, "world": world}, folder=self.folder).world.scenery(0.1)

    @cached_property
    def _compiled(self) -> bool:
        """Code for meshes is compiled when it is first used, which is no hang."""
        (self.folder / "cube.stl").write_text(CUBE)
        world = {"kind": "mesh", "file": "cube.stl"}
        parse({**RUN, "world": world}, folder=self.folder).world.scenery(0.1)
        return True

    def _request(self, draw: Draw) -> Iterator[Any]:
        from websockets.datastructures import Headers
        from websockets.exceptions import InvalidHeader
        from websockets.http11 import Request

        from annelid.console.gate import AccessGate

        path = spoil.text("/run/report.html?token=abcdefgh", draw)
        given = {
            name: spoil.text(value, draw) if draw.random() < 0.5 else value
            for name, value in {
                "Host": "localhost:8080",
                "Origin": "http://localhost:8080",
                "Cookie": "annelid=abcdefgh",
            }.items()
        }
        yield f"{path} {given}"
        headers = Headers()
        for name, value in given.items():
            with suppress(InvalidHeader):  # the server has refused it before we see it
                headers[name] = value
        for token in (None, "abcdefgh"):
            gate = AccessGate("127.0.0.1", token=token)
            gate.folder = self._whole
            gate.judge(Request(path, headers))

    def _deed(self, draw: Draw) -> Iterator[Any]:
        if draw.random() < 0.3:
            fault = spoil.table(dict(FAULTS[int(draw.integers(len(FAULTS)))]), draw)
            yield fault
            parse_fault(fault)
            return
        deed = spoil.table(dict(OUTSIDE[int(draw.integers(len(OUTSIDE)))]), draw)
        yield deed
        parse_outside(deed)

    def _address(self, draw: Draw) -> Iterator[Any]:
        text = spoil.text(str(draw.choice(ADDRESSES)), draw)
        yield text
        address = parse_address(text)
        if isinstance(address, SerialAddress) and address.path.startswith(SAFE):
            open_device(address.path, UartSpec()).close()

    def _place(self, draw: Draw) -> Iterator[Any]:
        """A file that is none."""
        name = str(draw.choice(list(PLACES)))
        path = self.folder / "places" / name
        shutil.rmtree(path.parent, ignore_errors=True)
        path.parent.mkdir()
        if draw.random() < 0.2:
            called = str(draw.choice(("x" * 5000, "a\0b"))) + path.suffix
            path, told = path.with_name(called), called
        else:
            called, told = name, f"{name} is {spoil.place(path, draw)}"
        yield told
        if path.suffix == ".py":
            load_plugins([path])
        elif path.suffix == ".toml":
            load(path)
        else:
            table = json.dumps({**RUN, **PLACES[name]}).replace(f'"{name}"', json.dumps(called))
            Trial(parse(json.loads(table), folder=path.parent))

    def _program(self, draw: Draw) -> Iterator[Any]:
        text = spoil.text(TEMPLATE, draw)
        yield text
        executed(text, "R1")

    def _wire(self, draw: Draw) -> Iterator[Any]:
        kind, message = WIRES[int(draw.integers(len(WIRES)))]
        if draw.random() < 0.5:
            line = spoil.text(json.dumps(message), draw)
        else:
            given = spoil.table(dict(message), draw)
            line = "[" * 2000 if _deep(given) else json.dumps(given)
        yield line
        kind.parse(parse_table(line, "port"), where="port")


def _without_seal(place: Path) -> None:
    path = place / "seal.json"
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    path.unlink(missing_ok=True)


def _deep(given: Any) -> bool:
    """Whether it is nested too deep to be written at all."""
    try:
        json.dumps(given)
    except RecursionError:
        return True
    return False
