"""All the electronics of one robot: its boards with their programs, its links, its supply.

::

    circuit = Circuit(kernel, sim)
    bus = circuit.connect(I2cBus, "bus")
    for module in sim.robot.modules:
        node = circuit.add(module.name, program)
        node.board.ports["bus"] = bus.attach(module.name)
    circuit.add("host", central_control)          # no module of that name: a PC
    circuit.start()
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from annelid.electronics.board import Firmware
from annelid.electronics.devices import PhysicsGrid
from annelid.electronics.link import Link
from annelid.electronics.names import NamedParts
from annelid.electronics.node import BoardSpec, Node, draw
from annelid.electronics.power import Power, PowerSpec
from annelid.electronics.simboard import SimBoard
from annelid.errors import InputError, UnknownName
from annelid.kernel import Kernel, milliseconds
from annelid.kernel.trace import Trace
from annelid.physics.simulation import Simulation

AnyLink = TypeVar("AnyLink", bound=Link)


class Circuit:
    """Nodes, links and supply by name."""

    def __init__(
        self, kernel: Kernel, sim: Simulation, *, kinds: Mapping[str, type[Link]] | None = None
    ) -> None:
        """``kinds``: links that are to be of another kind than their system asks for."""
        self._kinds = dict(kinds or {})
        self.kernel = kernel
        self.sim = sim
        self.grid = PhysicsGrid(kernel, sim)
        self.nodes: NamedParts[Node] = NamedParts("board")
        self.links: NamedParts[Link] = NamedParts("link")
        self.power: Power | None = None

    def add(self, name: str, firmware: Firmware, spec: BoardSpec | None = None) -> Node:
        """A board with a program; of the module of that name, or without a body."""
        if name in self.nodes:
            raise InputError(f"board {name!r}: there is one of that name already")
        spec = spec or BoardSpec()
        streams = self.sim.streams
        chance = streams[f"clock/{name}"]
        board = SimBoard(
            self.grid,
            name,
            streams=streams,
            module=next((m for m in self.sim.robot.modules if m.name == name), None),
            drift_ppm=draw(spec.drift_ppm, chance) + self.sim.built.module(name).clock_ppm,
            offset_ns=milliseconds(draw(spec.offset_ms, chance)),
        )
        node = self.nodes[name] = Node(board, firmware, spec, streams=streams)
        return node

    def connect(self, kind: type[AnyLink], name: str, *given: Any, **more: Any) -> AnyLink:
        """A link of that name: of ``kind``, or of what the scenario has put in its place."""
        chosen = self._kinds.get(name, kind)
        if not issubclass(chosen, kind):
            raise InputError(
                f"control.links.{name}: expected {kind.kind} or a subclass of {kind.__name__}, "
                f"got {chosen.kind}"
            )
        link = chosen(name, self.kernel, self.sim.streams, *given, **more)
        self.links[name] = link
        return link

    def require_used_kinds(self) -> None:
        """Refuse a kind for a link that nobody has made."""
        for name in self._kinds:
            if name not in self.links:
                raise UnknownName("link", name, self.links)

    def supply(self, spec: PowerSpec, *, trace: Trace | None = None) -> Power:
        """Feed the modules' boards added so far from one source; a PC has its own."""
        fed = {name: n for name, n in self.nodes.items() if n.board.module is not None}
        power = self.power = Power(self.grid, fed, spec, trace=trace)
        for node in fed.values():
            node.board.rail = lambda: power.source.cell
        return power

    def start(self) -> None:
        """Switch everything on, in the order of adding; boot times may shuffle it."""
        if self.power is not None:
            self.kernel.spawn(self.power.program(), "power")
        for node in self.nodes.values():
            node.start()

    @property
    def resets(self) -> int:
        """Of all boards, so far."""
        return sum(node.resets for node in self.nodes.values())

    def close(self) -> None:
        """Let the links write what they still gather for the trace."""
        for link in self.links.values():
            link.flush()
