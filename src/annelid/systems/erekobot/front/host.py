"""Runs ErekoBot's host program on this machine, on a real serial port (004)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from annelid.electronics.port import TERMINAL
from annelid.hardware.board import PcBoard, Tell, silent
from annelid.hardware.real_time import RealTime
from annelid.hardware.runner import End, run_firmware, run_paced
from annelid.hardware.serial_port import SerialPort
from annelid.kernel import Kernel, Program, to_seconds
from annelid.systems.erekobot import messages
from annelid.systems.erekobot.host import host
from annelid.systems.erekobot.network import HOST_NAME, seated
from annelid.systems.erekobot.packets import encode
from annelid.systems.erekobot.serial import PORT
from annelid.systems.erekobot.spec import ErekobotSpec

LEAVE_S = 1.0
"""How long the last bytes may take to leave."""


@dataclass(frozen=True)
class HostResult:
    """What became of a session at the line."""

    end: End
    seconds: float
    sent: int
    heard: int
    lost: int
    """Bytes; lost are those that nobody at the other end made room for."""


def run_host(url: str, spec: ErekobotSpec, modules: int, *, tell: Tell = silent) -> HostResult:
    """Drive ``modules`` at the port until ``spec.stop_s`` after the start, or Ctrl-C.

    However it ends, the modules are told to stop, unless the port is gone.
    """
    spec.addresses_for(modules)
    kernel = Kernel()
    clock = RealTime(kernel)

    def heed(t_ns: int, kind: str, detail: Mapping[str, Any]) -> None:
        tell(t_ns, kind, detail)
        if kind == "stop":  # what the host does from here on is wait
            kernel.stop()

    with SerialPort(url, clock, name=PORT, spec=spec.uart()) as port:
        board = PcBoard(HOST_NAME, kernel, tell=heed)
        board.ports[PORT] = port
        board.ports[TERMINAL] = seated(spec, kernel)
        try:
            end, process = run_firmware(partial(host, spec=spec, modules=modules), board, clock)
            process.kill()
            if end is End.INTERRUPTED and spec.profile > 1:
                port.send(encode(messages.stop()) * spec.repeats)
            kernel.spawn(_leave(port, kernel), "last bytes")
            run_paced(clock, seconds=LEAVE_S)
        finally:
            kernel.close()
        return HostResult(end, to_seconds(kernel.now), port.sent, port.heard, port.lost)


def _leave(port: SerialPort, kernel: Kernel) -> Program:
    yield port.drained()
    kernel.stop()
