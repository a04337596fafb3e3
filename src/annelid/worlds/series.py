"""Pipes that are sold: bores and fittings of real series, each with a public source.

Bores are nominal outside diameters less two nominal walls.  A series without radii has none that
we found a public source for; elbows are then drawn as the description says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

EN_10255: Final = (
    "EN 10255, series M and H: walls at www.tuspipe.com/products/pressure-pipe/en-10255; outside "
    "diameters and elbows (ASME B16.9, long and short radius) at wermac.org/fittings/dim_elbows_b"
    ".html and dim_elbows_c.html"
)
EN_1057: Final = (
    "EN 1057: halcor.com/products/copper-tubes/talos-gas and "
    "lawtontubes.co.uk/product/medical-grade-degreased-copper-tube"
)


@dataclass(frozen=True)
class PipeSeries:
    """One size of a series."""

    title: str
    outside_mm: float
    wall_mm: float
    source: str
    elbow_radii_mm: tuple[float, ...] = ()
    """Of the centre lines of the elbows that are sold for it."""
    elbow_angles_deg: tuple[float, ...] = (45.0, 90.0)
    branch_angles_deg: tuple[float, ...] = (90.0,)

    @property
    def bore_mm(self) -> float:
        return round(self.outside_mm - 2 * self.wall_mm, 3)


B16_9_40: Final = (38.1, 57.15)
B16_9_50: Final = (50.8, 76.2)

SERIES: Final[Mapping[str, PipeSeries]] = {
    "steel-medium-40": PipeSeries(
        "steel tube DN 40, medium, welded elbows", 48.3, 3.2, EN_10255, B16_9_40
    ),
    "steel-heavy-40": PipeSeries(
        "steel tube DN 40, heavy, welded elbows", 48.3, 4.0, EN_10255, B16_9_40
    ),
    "steel-medium-50": PipeSeries(
        "steel tube DN 50, medium, welded elbows", 60.3, 3.6, EN_10255, B16_9_50
    ),
    "steel-heavy-50": PipeSeries(
        "steel tube DN 50, heavy, welded elbows", 60.3, 4.5, EN_10255, B16_9_50
    ),
    "copper-42x1.2": PipeSeries("copper tube 42 × 1.2", 42.0, 1.2, EN_1057),
    "copper-42x1.5": PipeSeries("copper tube 42 × 1.5", 42.0, 1.5, EN_1057),
    "copper-54x1.2": PipeSeries("copper tube 54 × 1.2", 54.0, 1.2, EN_1057),
    "copper-54x2": PipeSeries("copper tube 54 × 2", 54.0, 2.0, EN_1057),
}
