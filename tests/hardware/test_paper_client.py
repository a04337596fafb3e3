"""A host written from paper 004 and the tables of docs/erekobot.md, and from nothing of ours.

It knows bytes and a serial port.  The chain at the other end is ``annelid erekobot modules``.
"""

from __future__ import annotations

import os
import re
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.hardware.processes import annelid

from annelid.trial.replay import Run

pytestmark = pytest.mark.realtime

COUNT = 4
BACK = "{gait={alpha_deg=30,waves=1,segments=4,backwards=true}}"


@contextmanager
def serial_line() -> Iterator[tuple[int, str]]:
    """Our end of a cable, and the name of the other."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    try:
        yield ours, os.ttyname(theirs)
    finally:
        os.close(ours)
        os.close(theirs)


def packet(*fields: int) -> bytes:
    """10H, the fields, and the sum of all bytes before it, modulo 256."""
    body = bytes((0x10, *fields))
    return body + bytes((sum(body) % 256,))


def standard(address: int, message: int) -> bytes:
    """Five bytes: Fig. 4."""
    return packet(address, message // 256, message % 256)


def configuration(
    address: int, new: int, table: int, modules: int, period: int, phase: int
) -> bytes:
    """Announced by a Standard Packet with message 2; eleven bytes."""
    words = (table // 256, table % 256, modules, 0, period, 0, phase)
    return standard(address, 2) + packet(address, new, *words)


START, STOP = standard(0xFF, 1), standard(0xFF, 0)


def phase(module: int, period: int, *, backwards: bool = False) -> int:
    """One wave along four modules, running to the first; each begins at its place of it."""
    turns = (module - 1 + 42 / 81) / COUNT
    return round((-turns if backwards else turns) * period) % period


def test_a_client_from_the_paper_alone_sets_up_drives_and_switches_a_chain(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with serial_line() as (line, name):
        chain = ("erekobot", "modules", "--port", name, "--profile", "3", "--count", str(COUNT))
        tables = ("--set", f"more_tables=[{BACK}]", "--show", "--out", str(out))
        with annelid(*chain, *tables) as modules:
            modules.await_line("listening")
            for k in range(1, COUNT + 1):
                os.write(line, configuration(k, k, 0, COUNT, 16, phase(k, 16)))
            os.write(line, START)
            modules.await_line("3.0 s")
            os.write(line, configuration(COUNT, 23, 0, COUNT, 16, phase(COUNT, 16)))
            for k in (1, 2, 3):
                os.write(line, configuration(k, k, 1, COUNT, 8, phase(k, 8, backwards=True)))
            os.write(line, configuration(23, 23, 1, COUNT, 8, phase(4, 8, backwards=True)))
            os.write(line, configuration(1, 1, 7, COUNT, 8, 0))
            modules.await_line("5.0 s")
            os.write(line, STOP)
            assert modules.finish() == 0, modules.errors
    told = re.search(r"servo commands: (.*)", modules.said)
    assert told, modules.said
    assert all(int(each.split()[1]) > 15 for each in told[1].split(", "))
    events = [*Run(out).events("configured"), *Run(out).events("refused")]
    last = [e.detail for e in events if e.kind == "configured" and e.source == f"K{COUNT}"][-1]
    assert (last["address"], last["new_address"], last["table"], last["period"]) == (23, 23, 1, 8)
    refused = [e.detail for e in events if e.kind == "refused"]
    assert refused == [{"what": "table", "got": 7}], "and it is told nowhere else"
