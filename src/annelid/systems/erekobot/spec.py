"""ErekoBot's options in a scenario: profile, gait, line.

::

    [control]
    system = "erekobot"

    [control.options]
    profile = 2
    period = 16
    topology = "ring"
    sync = "ask"
    gait = {alpha_deg = 25, waves = 2}
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, model_validator

from annelid.electronics.node import BoardSpec
from annelid.electronics.uart_byte import UartSpec
from annelid.spec import Spec
from annelid.systems.erekobot import packets
from annelid.systems.erekobot.bytecode import assemble
from annelid.systems.erekobot.gait_time import HOP_MS
from annelid.systems.erekobot.module import ErekobotSetup, ModuleMemory, Sync
from annelid.systems.erekobot.packets import PERIOD_MAX
from annelid.systems.erekobot.relay import Forwarding
from annelid.systems.erekobot.sayings import ErekobotTyped
from annelid.systems.erekobot.servo_table import REACH_DEG, GaitTable, SerpenoidWave

Degrees = Annotated[float, Field(ge=-REACH_DEG, le=REACH_DEG)]
TABLES_MAX: Final = 16
"""That a module holds: 16 of 32 states of two bytes are the ATmega8's 1 KiB of RAM (proposed)."""


class ErekobotGait(Spec):
    """The wave (servo_table.SerpenoidWave)."""

    alpha_deg: Annotated[float, Field(ge=0.0, le=90.0)] = 20.0
    """Amplitude of the joints' angles."""
    waves: Annotated[float, Field(ge=0.0, le=50.0)] = 2.0
    """Along the body."""
    segments: Annotated[int, Field(ge=1, le=254)] = 5
    """How many modules the waves are spread over."""
    backwards: bool = False
    """Whether the wave runs the other way."""

    def wave(self) -> SerpenoidWave:
        return SerpenoidWave(
            self.alpha_deg, self.waves, segments=self.segments, backwards=self.backwards
        )


class ErekobotTables(Spec):
    """One gait of all modules: a wave, or tables of one's own.

    Modules of the Third Profile have several, by number (004, 2.2.3)::

        [control.options]
        profile = 3
        gait = {alpha_deg = 30, waves = 1, segments = 6}          # table 0
        more_tables = [{gait = {alpha_deg = 30, waves = 1, segments = 6, backwards = true}}]
        operator = [{at_s = 10, say = "table 1"}]
    """

    gait: ErekobotGait = ErekobotGait()
    period: Annotated[int, Field(ge=1, le=PERIOD_MAX)] = 16
    """Time states in a cycle."""
    tables_deg: tuple[tuple[Degrees, ...], ...] = ()
    """A table of angles for each module, one for each time state; empty: the wave's."""

    @model_validator(mode="after")
    def _one_angle_a_state(self) -> Self:
        for number, table in enumerate(self.tables_deg):
            if len(table) != self.period:
                raise ValueError(
                    f"tables_deg.{number}: expected {self.period} angles, one for each time "
                    f"state of the period, got {len(table)}"
                )
        return self

    def streamed(self, index: int, period: int) -> GaitTable:
        """What the host tells the module at this place, from 1, through a cycle of so many states
        (First Profile)."""
        if self.tables_deg:
            own = GaitTable.of_degrees(self.tables_deg[index - 1])
            return GaitTable(tuple(own.at(state, period) for state in range(period)))
        return self.gait.wave().table(index, period)

    def held(self, index: int) -> GaitTable:
        """What the module at this place has in its memory: the wave's is the same for all, who
        begin at other places of it (:meth:`phase`)."""
        if self.tables_deg:
            return GaitTable.of_degrees(self.tables_deg[index - 1])
        return self.gait.wave().shared(self.period)

    def phase(self, index: int, period: int) -> int:
        """The time state at which the module at this place begins."""
        return 0 if self.tables_deg else self.gait.wave().phase(index, period)


Milliseconds = Annotated[float, Field(ge=0.0, le=60_000.0)]


class ErekobotProbe(Spec):
    """Packets for nobody, sent round a ring to see which come back, and when (004 §2.3)."""

    packets: Annotated[int, Field(ge=1, le=0xFFFF)] = 150
    """How many are sent."""
    interval_ms: Annotated[float, Field(gt=0.0, le=60_000.0)] = 200.0
    """From one packet to the next."""


class ErekobotSpec(Spec):
    """Defaults: the paper's line of Table 3, Second Profile."""

    profile: Literal[1, 2, 3, 4] = 2
    """What the host sends: 1 every angle; 2 time states, as modules have a table; 3 which of their
    tables; 4 a formula."""
    gait: ErekobotGait = ErekobotGait()
    """The wave, where no tables and no program are given."""
    period: Annotated[int, Field(ge=1, le=packets.PERIOD_MAX)] = 16
    """Time states in a cycle."""
    interval_ms: Annotated[float, Field(gt=0.0, le=60_000.0)] = 200.0
    """Of one time state; 004 finds delivery reliable above 200."""
    tick_ms: Annotated[float, Field(gt=0.0, le=1_000.0)] = 50.0
    """How often a module of the Fourth Profile computes its angle."""
    program: str | None = None
    """The Fourth Profile's formula in words (bytecode.py); None: the wave."""
    brief_configuration: bool = False
    """Third Profile: the eight bytes of Fig. 4 instead of eleven."""
    tables_deg: tuple[tuple[Degrees, ...], ...] = ()
    """A table of angles for each module, one for each time state; empty: the wave's."""
    more_tables: Annotated[tuple[ErekobotTables, ...], Field(max_length=TABLES_MAX - 1)] = ()
    """Third Profile: tables 1, 2 … in each module's memory; table 0 is what stands above."""
    operator: tuple[ErekobotTyped, ...] = ()
    """What somebody says to the host while it runs (sayings.py)."""
    addresses: tuple[Annotated[int, Field(ge=1, le=254)], ...] = ()
    """Of the modules in their order; empty: 1, 2, 3 …"""
    servo: str = "pitch"
    """What the driven joint is called on the modules' boards."""
    beyond_paper: bool = False
    """Allow more than ten modules."""
    start_s: Annotated[float, Field(ge=0.0)] = 0.1
    """When the host begins."""
    stop_s: Annotated[float, Field(gt=0.0)] | None = None
    """After the start; None: never."""
    gap_ms: Milliseconds = 0.0
    """Silence after each packet of the host; half-duplex modules need it, as long as the
    longest packet takes to the end of the line, or a short one catches up with it."""
    repeats: Annotated[int, Field(ge=1, le=10)] = 1
    """How often set-up, start and stop are said.  Nothing is acknowledged: on a noisy line, what
    is said once may be missed."""

    probe: ErekobotProbe | None = None
    """The host measures the line instead of driving a gait; needs a ring."""
    topology: Literal["line", "bus", "ring"] = "line"
    """How the modules are wired: a line, a bus or a ring."""
    duplex: Literal["half", "full"] = "full"
    """Whether a module can receive while it sends."""
    forwarding: Literal["cut-through", "store"] = "cut-through"
    """Whether a module passes bytes on at once, or a packet when it is whole."""
    pull_up: bool = True
    """Whether an idle input is held at rest; without, it takes noise for bytes (004 §2.3.1)."""
    software_buffer: Annotated[int, Field(ge=0, le=4096)] = 64
    """Bytes that a module keeps besides its hardware's."""
    timeout_ms: Milliseconds = 20.0
    """0: none, as in 004 before it met noise."""
    busy_ms: tuple[Milliseconds, Milliseconds] = (0.0, 0.0)
    """How long a module is deaf after a packet, from and to."""

    processing_ms: Milliseconds = 0.452
    """What a pass of a module's program takes."""
    host_ms: Milliseconds = 1.506
    """What a pass of a module's and of the host's program takes: the parts of 004's eq. 1 that
    are not bytes (FACTS §5)."""
    drift_ppm: Annotated[float, Field(ge=0.0, le=100_000.0)] = 0.0
    """Modules' oscillators are off by up to this, either way; 30 000 is 3 %."""
    sync: Sync = "off"
    """How modules keep one time."""
    sync_s: Annotated[float, Field(gt=0.0, le=8.0)] = 1.0
    """How often the clocks are set; 3 % of drift want 1 s (FACTS §5)."""
    learns_rate: bool = True
    """Modules learn the rate of their oscillators from the times they are told; False: they are
    only set right, as in 004."""
    time_server: Annotated[int, Field(ge=0, le=254)] = packets.HOST
    """Address that is asked for the time."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.sync == "ask" and self.topology != "ring":
            raise ValueError(
                f'sync = "ask" needs a way back, topology = "ring"; on a {self.topology} the host '
                'can only tell the time: sync = "tell"'
            )
        if self.probe is not None and self.topology != "ring":
            raise ValueError(
                f'probe needs a way back, topology = "ring"; from a {self.topology} nothing returns'
            )
        if len(set(self.addresses)) != len(self.addresses):
            raise ValueError(f"addresses must differ, got {list(self.addresses)}")
        ErekobotTables.parse(self._first(), where="table 0")
        if self.more_tables and self.brief_configuration:
            raise ValueError("more_tables: the eight bytes of brief_configuration name no table")
        if self.tables_deg and self.profile == 4:
            raise ValueError("tables_deg: the Fourth Profile sends a formula (program), no tables")
        if self.busy_ms[0] > self.busy_ms[1]:
            raise ValueError(f"busy_ms: expected [lowest, highest], got {list(self.busy_ms)}")
        return self

    def addresses_for(self, modules: int) -> tuple[int, ...]:
        """As many as there are modules."""
        packets.check_modules(modules, beyond_paper=self.beyond_paper)
        if self.addresses and len(self.addresses) != modules:
            raise packets.PacketError(
                f"erekobot: addresses: expected {modules}, one for each module, "
                f"got {len(self.addresses)}"
            )
        for number, table in enumerate(self.tables):
            if table.tables_deg and len(table.tables_deg) != modules:
                raise packets.PacketError(
                    f"erekobot: tables_deg of table {number}: expected {modules}, one for each "
                    f"module, got {len(table.tables_deg)}"
                )
        return self.addresses or tuple(range(1, modules + 1))

    def _first(self) -> dict[str, Any]:
        return {"gait": self.gait, "period": self.period, "tables_deg": self.tables_deg}

    @property
    def tables(self) -> tuple[ErekobotTables, ...]:
        """By number."""
        return (ErekobotTables.model_construct(**self._first()), *self.more_tables)

    def memory(self, index: int) -> ModuleMemory:
        """What the module at this place, from 1, is flashed with besides its program."""
        return ModuleMemory(
            tables=tuple(table.held(index) for table in self.tables),
            brief=self.brief_configuration,
            answers=self.topology == "ring",
        )

    def setup(self, index: int, modules: int) -> ErekobotSetup:
        """What is flashed into the module at this place, from 1."""
        bus = self.topology == "bus"
        forwarding: Forwarding = "none" if bus else self.forwarding
        low, high = self.busy_ms
        return ErekobotSetup(
            address=self.addresses_for(modules)[index - 1],
            index=index,
            modules=modules,
            servo=self.servo,
            forwarding=forwarding,
            timeout_s=self.timeout_ms / 1000 or None,
            interval_s=self.interval_ms / 1000,
            tick_s=self.tick_ms / 1000,
            sync=self.sync,
            sync_s=self.sync_s,
            learns_rate=self.learns_rate,
            server=self.time_server,
            hop_ms=0.0 if bus else HOP_MS,
            busy_s=(low / 1000, high / 1000),
        )

    def code(self) -> bytes:
        """The Fourth Profile's program."""
        if self.program is not None:
            return assemble(self.program)
        wave = self.gait.wave()
        turn = "psi neg" if wave.backwards else "psi"
        place = f"i {wave.lead} add {wave.advance} mul"
        return assemble(f"{turn} {place} add sin {wave.amplitude_deg} mul")

    def uart(self) -> UartSpec:
        return UartSpec(
            topology=self.topology,
            duplex=self.duplex,
            pull_up=self.pull_up,
            software_buffer=self.software_buffer,
        )

    def module_board(self) -> BoardSpec:
        return BoardSpec(pass_ms=self.processing_ms, drift_ppm=(-self.drift_ppm, self.drift_ppm))

    def host_board(self) -> BoardSpec:
        return BoardSpec(pass_ms=self.host_ms)
