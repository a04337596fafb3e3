"""Draws faults of every kind for a robot, at random moments.

Nothing here knows a kind of fault: its spec says what it breaks (``what``) and which numbers it
takes, so faults of plugins are drawn as well.
"""

from __future__ import annotations

from typing import Any, Final, Literal, get_args, get_origin

import numpy as np
from annotated_types import Ge, Gt, Le, Lt

from annelid.electronics.circuit import Circuit
from annelid.electronics.faults import FAULTS, FaultSpec, parse_fault
from annelid.electronics.injector import Injector
from annelid.errors import AnnelidError
from annelid.trial.plugins import Plugins

MOMENT: Final = ("fault", "at_s", "when", "until_s")
PAIRS: Final = 0.4
"""Share of runs in which two things break."""
MENDED: Final = 0.4
"""Share of faults that are mended again."""
TRIES: Final = 30
FAR: Final = (0.0, 1.0, -1.0, 1e300, -1e300)
"""Readings of a sensor that is stuck, beside its last one."""


class FaultDraw:
    """Faults that fit one robot."""

    def __init__(self, circuit: Circuit, injector: Injector, plugins: Plugins) -> None:
        self._circuit = circuit
        self._injector = injector
        self._context = plugins.context
        self._kinds = plugins.table(FAULTS)
        self.kinds = sorted(name for name in self._kinds if self._possible(name))
        """Those of which this robot has something to break."""

    def faults(self, draw: np.random.Generator, duration_s: float) -> list[FaultSpec]:
        """One fault or two; none where nothing can break."""
        if not self.kinds:
            return []
        count = 2 if draw.random() < PAIRS else 1
        found = (self._fault(draw, duration_s) for _ in range(count))
        return [fault for fault in found if fault is not None]

    def _fault(self, draw: np.random.Generator, duration_s: float) -> FaultSpec | None:
        kind = str(draw.choice(self.kinds))
        at_s = float(draw.uniform(0.02, 0.9) * duration_s)
        moment: dict[str, Any] = {"at_s": round(at_s, 3)}
        if draw.random() < MENDED and "until_s" in self._takes(kind):
            moment["until_s"] = round(float(draw.uniform(at_s, duration_s)) + 0.01, 3)
        return self._tried(kind, draw, moment)

    def _possible(self, kind: str) -> bool:
        return self._tried(kind, np.random.default_rng(0), {}) is not None

    def _tried(
        self, kind: str, draw: np.random.Generator, moment: dict[str, Any]
    ) -> FaultSpec | None:
        """Some fields exclude each other: what is refused is drawn anew."""
        for _ in range(TRIES):
            try:
                table = {"fault": kind, **self._fields(kind, draw), **moment}
                fault = parse_fault(table, context=self._context)
                self._injector.check(fault)
            except AnnelidError:
                continue
            return fault
        return None

    def _takes(self, kind: str) -> set[str]:
        fields = self._kinds[kind].model_fields
        return {name for name, field in fields.items() if field.annotation is not type(None)}

    def _fields(self, kind: str, draw: np.random.Generator) -> dict[str, Any]:
        spec = self._kinds[kind]
        table: dict[str, Any] = {}
        for name, field in spec.model_fields.items():
            if name in MOMENT:
                continue
            if name == spec.what:
                there = self._there(name)
                table[name] = str(draw.choice(there)) if there else ""
            elif name == "between":
                table[name] = self._neighbours(table.get("link", ""), draw)
            elif name == "reading":
                table[name] = None if draw.random() < 0.4 else float(draw.choice(FAR))
            else:
                table[name] = _value(field, draw)
        return {name: value for name, value in table.items() if value is not None}

    def _there(self, what: str) -> list[str]:
        """Names of what can break."""
        circuit = self._circuit
        match what:
            case "servo":
                return list(circuit.sim.actuators.names)
            case "cup":
                return list(circuit.sim.cups.names)
            case "board":
                return list(circuit.nodes)
            case "link":
                return list(circuit.links)
            case "sensor":
                boards = [node.board for node in circuit.nodes.values()]
                names = [s.name for board in boards for s in board.sensors.values()]
                return names + [c.name for board in boards for c in board.cameras.values()]
        return []

    def _neighbours(self, link: str, draw: np.random.Generator) -> tuple[str, str] | None:
        ports = self._circuit.links[link].port_names if link in self._circuit.links else ()
        if len(ports) < 2 or draw.random() < 0.5:
            return None
        place = int(draw.integers(len(ports) - 1))
        return ports[place], ports[place + 1]


def _value(field: Any, draw: np.random.Generator) -> Any:
    """Within its bounds; a number without any over six decades."""
    kind = field.annotation
    if get_origin(kind) is Literal:
        return draw.choice(get_args(kind)).item()
    if kind is bool:
        return bool(draw.random() < 0.5)
    if kind is not float:
        return None
    low, high = None, None
    for rule in field.metadata:
        match rule:
            case Ge(ge=bound) | Gt(gt=bound):
                low = float(bound)  # type: ignore[arg-type]
            case Le(le=bound) | Lt(lt=bound):
                high = float(bound)  # type: ignore[arg-type]
    if low is not None and high is not None and high <= 1e5:
        return float(draw.uniform(low, high))
    size = float(10 ** draw.uniform(-3, 3))
    return size if low is not None and low >= 0 else size * float(draw.choice((-1, 1)))
