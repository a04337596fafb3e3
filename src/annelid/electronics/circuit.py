"""All the electronics of one robot: its boards with their programs, its links, its supply.

::

    circuit = Circuit(kernel, sim)
    for module in sim.robot.modules:
        node = circuit.add(module.name, program)
        node.board.ports["bus"] = bus.attach(module.name)
    circuit.add("host", central_control)          # no module of that name: a PC
    circuit.links["bus"] = bus
    circuit.start()
"""

from __future__ import annotations

from annelid.electronics.board import Firmware
from annelid.electronics.devices import Grid
from annelid.electronics.link import Link
from annelid.electronics.names import Named
from annelid.electronics.node import BoardSpec, Node, draw
from annelid.electronics.power import Power, PowerSpec
from annelid.electronics.simboard import SimBoard
from annelid.errors import InputError
from annelid.kernel import Kernel, milliseconds
from annelid.kernel.trace import Trace
from annelid.physics.simulation import Simulation


class Circuit:
    """Nodes, links and supply by name."""

    def __init__(self, kernel: Kernel, sim: Simulation) -> None:
        self.kernel = kernel
        self.sim = sim
        self.grid = Grid(kernel, sim)
        self.nodes: Named[Node] = Named("board")
        self.links: Named[Link] = Named("link")
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

    def supply(self, spec: PowerSpec, *, trace: Trace | None = None) -> Power:
        """Feed the modules' boards added so far from one source; a PC has its own."""
        fed = {name: n for name, n in self.nodes.items() if n.board.module is not None}
        self.power = Power(self.grid, fed, spec, trace=trace)
        return self.power

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
