"""Faults of links: cut or disturbed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from annelid.electronics.faults import FaultSpec, Mend
from annelid.electronics.link import Link
from annelid.errors import UnknownName

if TYPE_CHECKING:
    from annelid.electronics.circuit import Circuit


class CutLink(FaultSpec):
    """Nothing passes any more, everywhere or between two neighbours."""

    what: ClassVar[str] = "link"

    fault: Literal["cut_link"] = "cut_link"
    link: str
    """``bus``"""
    between: tuple[str, str] | None = None
    """Two neighbouring ports; None: no byte gets anywhere."""

    def check(self, circuit: Circuit) -> None:
        link = circuit.links[self.link]
        for port in self.between or ():
            if port not in link.port_names:
                raise UnknownName("port", port, link.port_names, where=f"link {self.link}")

    def strike(self, circuit: Circuit) -> Mend:
        link = circuit.links[self.link]
        return _disturb(link, cut=True) if self.between is None else _cut(link, self.between)


class NoisyLink(FaultSpec):
    """Bytes are lost or spoilt."""

    what: ClassVar[str] = "link"

    fault: Literal["noisy_link"] = "noisy_link"
    link: str
    """``bus``"""
    loss: float = Field(default=0.0, ge=0, le=1)
    """Probability that a receiver misses a byte, frame or edge."""
    bit_error: float = Field(default=0.0, ge=0, le=1)
    """Probability that one bit is read as its opposite."""
    noise_hz: float = Field(default=0.0, ge=0, le=1e6)
    """Sparks per second from a source nearby."""

    @model_validator(mode="after")
    def _some(self) -> Self:
        if not (self.loss or self.bit_error or self.noise_hz):
            raise ValueError("noisy_link: give loss, bit_error or noise_hz")
        return self

    def check(self, circuit: Circuit) -> None:
        circuit.links[self.link]

    def strike(self, circuit: Circuit) -> Mend:
        fields = {"loss": self.loss, "bit_error": self.bit_error, "noise_hz": self.noise_hz}
        return _disturb(circuit.links[self.link], **fields)


def _cut(link: Link, pair: tuple[str, str]) -> Mend:
    """One cut more; mending takes this one away and leaves the others."""

    def others() -> tuple[tuple[str, str], ...] | None:
        cut = link.faults.cut
        return None if cut is True else tuple(p for p in cut or () if p != pair)

    if (found := others()) is not None:
        link.disturb(cut=(*found, pair))

    def mend() -> None:
        if (left := others()) is not None:
            link.disturb(cut=left or False)

    return mend


def _disturb(link: Link, **changes: Any) -> Mend:
    """Change some of a link's faults; mending puts back what those fields were before."""
    before = link.faults.model_dump()
    link.disturb(**changes)
    return lambda: link.disturb(**{field: before[field] for field in changes})
