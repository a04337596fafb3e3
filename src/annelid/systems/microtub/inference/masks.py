"""MDL strings and masks: which capability of a string a rule looks at (000 §3.4, §6).

A mask has a digit for each indicator; merged with a module's string it leaves the digits it asks
for.  A module has the capability of a mask if none of the digits asked for is 0, and has it as well
as the lowest of them.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from annelid.robot.capabilities import INDICATORS, Capabilities

BOTH_AXES: Final = "RotXY"
"""A joint that bends both ways, which rolling and shifting sideways need (000 §6.1.2)."""

MASKS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{name: Capabilities.of(**{name: 1}).digits for name in INDICATORS},
        BOTH_AXES: Capabilities.of(RotX=1, RotY=1).digits,
    }
)
"""Capability to mask: one for each indicator, and one for both bending axes."""

CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({"Rot": ("RotX", "RotY")})
"""What the rules call by one name: a joint that bends the chain about x or about y.  In a pattern
of neighbours all of them must bend about the same axis, or they would not fold.  RotZ turns about
the chain's own axis and bends nothing."""


def merge(digits: str, mask: str) -> str:
    """The string with every digit that the mask does not ask for set to 0."""
    return "".join(d if m != "0" else "0" for d, m in zip(digits, mask, strict=True))


def competence(digits: str, capability: str) -> int:
    """How well a module with this string has the capability of a mask, 0 to 3."""
    mask = MASKS[capability]
    merged = merge(digits, mask)
    return min(int(digit) for digit, asked in zip(merged, mask, strict=True) if asked != "0")


@functools.lru_cache(maxsize=1024)
def competences(digits: str) -> Mapping[str, int]:
    """Of all masks, those that are not 0; kept, because modules of a kind say the same."""
    checked = Capabilities(digits).digits
    found = {name: competence(checked, name) for name in MASKS}
    return MappingProxyType({name: grade for name, grade in found.items() if grade})
