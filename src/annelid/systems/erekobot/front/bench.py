"""Measures what ErekoBot's packets cost."""

from __future__ import annotations

from annelid.systems.erekobot.packets import STANDARD, Standard
from annelid.trial.bench_row import BenchRow, Tell, timed

MILLION = 1_000_000


def bench(*, quick: bool, tell: Tell) -> list[BenchRow]:
    tell("packets")
    return [packets(count=20_000 if quick else 100_000)]


def packets(*, count: int) -> BenchRow:
    """Standard Packets made, encoded and decoded."""

    def work() -> None:
        encode, decode = STANDARD.encode, STANDARD.decode
        for number in range(count):
            decode(encode(Standard(number & 0x7F, number & 0xFFFF)))

    return BenchRow(
        "1 M packets encoded and decoded",
        timed(work) * MILLION / count,
        "s",
        10.0,
        f"ErekoBot's Standard Packets; scaled from {count:,}; CPU",
    )
