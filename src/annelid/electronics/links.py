"""The table of link kinds; plugins add theirs through ``annelid.registry``.

A system makes its links by ``circuit.connect(I2cBus, "bus", …)``.  A scenario may put another kind
in the place of one of them, a subclass of what the system asks for::

    [control.links]
    bus = "my-bus"
"""

from __future__ import annotations

from typing import Final

from annelid.electronics.link import Link
from annelid.errors import SpecError
from annelid.registry import Kind


def _kind(link: type[Link]) -> str:
    if "kind" not in vars(link):
        raise SpecError(f"{link.__name__} does not set kind, by which a scenario chooses it")
    return link.kind


LINKS: Final[Kind[type[Link]]] = Kind(
    name="link",
    plural="links",
    base=Link,
    key=_kind,
    built_in={
        "i2c": "annelid.electronics.i2c:I2cBus",
        "sync-line": "annelid.electronics.sync_line:SyncLine",
        "uart": "annelid.electronics.uart:Uart",
        "infrared": "annelid.electronics.infrared:Infrared",
        "aux-line": "annelid.electronics.aux_line:AuxLine",
    },
)
