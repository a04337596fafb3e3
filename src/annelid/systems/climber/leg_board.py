"""The program of a leg: it obeys the planner's frame and answers in turn.

A leg wakes at a frame's first byte, sleeps while the rest arrives, and reads it in one go; between
frames it sleeps through the others' answers.  Without commands it stays as it is: servos hold and
the impeller runs, which is the safe thing to do on a wall.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from annelid.electronics.board import Board
from annelid.electronics.port import BytePort
from annelid.kernel import Program, Receive, seconds
from annelid.systems.climber.wire import COMMAND, Format, Report

BUS: Final = "bus"
CUP: Final = "cup"

GUARD_S: Final = 0.0004
"""Silence between two answers: clocks differ, and wake on the grid of the physics."""


@dataclass(frozen=True)
class LegSetup:
    """What is flashed into a leg."""

    index: int
    """Its turn, from 0."""
    format: Format
    joints: tuple[str, ...]
    byte_s: float
    """What a byte takes on the bus."""
    hold_above: float
    """Pressure from which a cup that finds itself attached keeps its impeller running, Pa."""
    turn_s: float
    """From the beginning of one leg's answer to that of the next."""


def leg(board: Board, setup: LegSetup) -> Program:
    """Begins by holding what it holds."""
    port: BytePort = board.ports[BUS]
    servos = [board.servos[name] for name in setup.joints]
    gripper = board.grippers[CUP]
    for servo in servos:
        servo.target = servo.angle
    if board.sensors["pressure"].read() > setup.hold_above:
        gripper.attach()
    form = setup.format
    rest_ns = seconds(setup.byte_s * (form.command_size - 1))
    turn_ns, silence_ns = (
        seconds(setup.turn_s * setup.index),
        seconds(setup.turn_s * (form.legs + 1)),
    )
    while True:
        first = yield Receive(port.received)
        begun = board.now
        if first != COMMAND:
            continue
        yield board.until(begun + rest_ns)
        told = form.target(bytes((first, *port.received.drain())), setup.index)
        if told is None:
            continue
        sequence, target = told
        if not target.keep:
            for servo, angle in zip(servos, target.angles, strict=True):
                servo.target = angle
            (gripper.attach if target.grip else gripper.detach)()
        yield board.until(begun + rest_ns + turn_ns + seconds(GUARD_S))
        port.send(form.report(_report(board, setup, sequence)))
        yield board.until(begun + rest_ns + silence_ns)
        port.received.drain()


def _report(board: Board, setup: LegSetup, sequence: int) -> Report:
    """A pressure sensor that says it is broken counts as no vacuum: nobody shall hang on it."""
    servos = [board.servos[name] for name in setup.joints]
    pressure = board.sensors["pressure"]
    return Report(
        leg=setup.index,
        sequence=sequence,
        angles=tuple(servo.angle for servo in servos),
        pressure=pressure.read() if pressure.valid else 0.0,
        distance=board.sensors["distance"].read(),
        currents=tuple(servo.current for servo in servos),
        temperature=max(servo.temperature for servo in servos),
    )
