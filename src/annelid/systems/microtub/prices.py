"""What a chain of modules costs, from a table that the user can edit (``prices.toml``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

from pydantic import Field, NonNegativeFloat

from annelid.boundary.files import read_toml
from annelid.errors import InputError
from annelid.spec import Spec

SHIPPED: Final = Path(str(files("annelid.systems.microtub"))) / "prices.toml"


class Prices(Spec):
    """Of modules by letter, and of what a robot needs once."""

    currency: str = "EUR"
    """That all prices are in."""
    modules: Mapping[str, NonNegativeFloat]
    """By letter."""
    once: Mapping[str, NonNegativeFloat] = Field(default_factory=dict)
    """For each robot, whatever its modules."""

    @classmethod
    def read(cls, file: Path = SHIPPED) -> Prices:
        return cls.parse(read_toml(file), where=str(file))

    def of(self, chain: str) -> float:
        """The whole robot."""
        if missing := sorted(set(chain) - set(self.modules)):
            known = ", ".join(sorted(self.modules))
            raise InputError(
                f"prices: no price for module {missing[0]}; there are some for {known}"
            )
        return sum(self.once.values()) + sum(self.modules[letter] for letter in chain)


def parts(chain: str) -> str:
    """``1 T, 2 R, 1 H``, in the order in which they are met."""
    return ", ".join(f"{count} {letter}" for letter, count in Counter(chain).items())
