"""A network of pipes drawn at random from a description: for questions about any pipe, not one.

::

    [world]
    kind = "pipe-network"
    number = 7                        # which of them; a sweep takes many: --vary world.number=0:100
    bores_mm = [38.5, 44]
    elbows = [1, 3]
    branches = [0, 2]
    plane = "any"

The same description and number are the same network.  What was drawn stands in the world beside
its description (``parts``, ``breaks``, ``bore_mm``, ``slope_deg``), so that a recorded run has it;
when the description is changed it is drawn anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal

import numpy as np
from pydantic import Field, ValidationError, field_validator, model_validator

from annelid.errors import GeometryError
from annelid.worlds.fitting import LARGEST_BORE_MM, SMALLEST_BORE_MM
from annelid.worlds.pipe import PipeNetwork
from annelid.worlds.pipe_world import Pipe

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
    """One size of a series that is sold: bore and fittings, with a public source.

    Bores are nominal outside diameters less two nominal walls.  A series without radii has none
    that we found a public source for; elbows are then drawn as the description says.
    """

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

    @property
    def spans(self) -> dict[str, tuple[float, ...]]:
        """By the field of a description in whose place they stand."""
        return {
            "bores_mm": (self.bore_mm,),
            "elbow_radii_mm": self.elbow_radii_mm,
            "elbow_angles_deg": self.elbow_angles_deg,
            "branch_angles_deg": self.branch_angles_deg,
        }


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


TRIES: Final = 200
"""Draws whose pipes run into each other are drawn again, so often at most."""

LAUNCH_M: Final = 0.4
"""Room that is kept free behind the inlet, for a robot that waits there."""

MARGIN_MM: Final = 20.0
"""Between a hole and the end of its straight, which is longer than two of them."""

REDUCER_MM: Final = 60.0
"""Length of a change of bore."""

RUN_MM, BRANCH_MM = 200.0, 150.0
"""Of a tee: long enough for the mouth of a branch of 30° in the widest bore."""


Bore = Annotated[float, Field(ge=SMALLEST_BORE_MM, le=LARGEST_BORE_MM)]
Length = Annotated[float, Field(ge=20, le=10_000)]
Slope = Annotated[float, Field(ge=-90, le=90)]
Bend = Annotated[float, Field(ge=1, le=180)]
Branch = Annotated[float, Field(ge=30, le=150)]
Count = Annotated[int, Field(ge=0, le=20)]


SPANS: Final = (
    *("bores_mm", "slopes_deg", "straights_mm", "elbow_angles_deg", "elbow_radii_mm"),
    *("branch_angles_deg", "elbows", "branches", "crosses", "reducers", "loops", "holes"),
)

DRAWN: Final = ("parts", "breaks", "bore_mm", "slope_deg")
"""What is drawn from it."""


class DrawnPipes(Pipe):
    """A pipe network whose parts are drawn; everything else is as in the world ``pipe``."""

    title: ClassVar[str] = "pipe network drawn at random from a description"

    kind: Literal["pipe-network"] = "pipe-network"  # type: ignore[assignment]
    number: int = Field(default=0, ge=0)
    """Which of the networks of this description."""
    series: str | None = None
    """Pipes that are sold, by name (``SERIES``): bore, radii and angles are then theirs; None: as
    the fields below say."""
    bores_mm: tuple[Bore, Bore] = (38.5, 44.0)
    """Lowest and highest bore of a network."""
    slopes_deg: tuple[Slope, Slope] = (0.0, 0.0)
    """Of the inlet."""
    straights_mm: tuple[Length, Length] = (150.0, 350.0)
    """Shortest and longest straight."""
    elbows: tuple[Count, Count] = (1, 2)
    """Fewest and most elbows."""
    elbow_angles_deg: tuple[Bend, Bend] = (30.0, 90.0)
    """How far an elbow bends, at least and at most."""
    elbow_radii_mm: tuple[Length, Length] = (45.0, 120.0)
    """Of the elbows' centre lines, at least and at most."""
    branches: tuple[Count, Count] = (0, 1)
    """Fewest and most branches."""
    branch_angles_deg: tuple[Branch, Branch] = (30.0, 90.0)
    """Between a branch and the run, at least and at most."""
    crosses: tuple[Count, Count] = (0, 0)
    """Fewest and most crosses: two branches to opposite sides, at the angles of branches."""
    reducers: tuple[Count, Count] = (0, 0)
    """Fewest and most changes of bore, each to another of ``bores_mm``."""
    loops: tuple[Count, Count] = (0, 0)
    """Fewest and most loops: pipes that leave the main run to a side and come back to it."""
    plane: Literal["level", "any"] = "any"
    """Of elbows and branches: to the left or right, or to any side."""
    rise_mm: float | None = Field(default=None, ge=0)
    """How much higher or lower than the inlet it may get at most; None: it does not matter."""
    capped: float = Field(default=0.3, ge=0, le=1)
    """Share of the ends that are closed."""
    holes: tuple[Count, Count] = (0, 1)
    """Breaks in the straights of the main run."""
    drawn: str = ""
    """The description that the parts were drawn from, as a digest."""

    @field_validator(*SPANS)
    @classmethod
    def _ordered(cls, span: tuple[float, float]) -> tuple[float, float]:
        """``[lowest, highest]``, both possible."""
        if span[0] > span[1]:
            raise ValueError(f"expected the lower number first, got {span[0]:g} and {span[1]:g}")
        return span

    @field_validator("series")
    @classmethod
    def _sold(cls, series: str | None) -> str | None:
        if series is not None and series not in SERIES:
            raise ValueError(f"expected one of {', '.join(SERIES)}")
        return series

    @model_validator(mode="before")
    @classmethod
    def _draw(cls, given: Any) -> Any:
        """Lay the pipes, unless these are the ones of this description already."""
        if not isinstance(given, dict):
            return given
        described = {name: given[name] for name in DESCRIBES if name in given}
        try:
            wanted = Description.model_validate(described)
        except ValidationError:
            return given  # the fields themselves will say what is wrong
        mark = wanted.digest()
        if given.get("drawn") == mark:
            return given
        _require_no_contradiction(given)
        return {**given, **wanted.network(), "drawn": mark}


def _require_no_contradiction(given: Mapping[str, Any]) -> None:
    """Refuse what would be drawn over: pipes of one's own, and spans that a series does not fit.

    A world that was drawn before has all fields; of those only what is no default was asked for.
    """
    before = bool(given.get("drawn"))
    own = [name for name in DRAWN if name in given and not before]
    if own:
        raise ValueError(
            f"{own[0]}: it is drawn from the description (bores_mm, elbows …), got one of your "
            'own; pipes of your own are kind = "pipe"'
        )
    series = given.get("series")
    for name, sold in {} if series is None else SERIES[series].spans.items():
        span = given.get(name)
        if span is None or (before and tuple(span) == DrawnPipes.model_fields[name].default):
            continue
        if not all(span[0] <= each <= span[1] for each in sold):
            of_it = ", ".join(f"{each:g}" for each in sold)
            raise ValueError(
                f"{name}: the series {series} has {of_it}, got {span[0]:g} to {span[1]:g}; "
                f"leave out {name}, or the series"
            )


class Description(DrawnPipes):
    """The fields alone from which a network is drawn."""

    @model_validator(mode="before")
    @classmethod
    def _draw(cls, given: Any) -> Any:
        return given

    def digest(self) -> str:
        text = json.dumps(self.model_dump(include=DESCRIBES, mode="json"), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def network(self) -> dict[str, Any]:
        """``parts``, ``breaks``, ``bore_mm`` and ``slope_deg``."""
        if self.series is not None and self.reducers != (0, 0):
            raise ValueError("reducers beside a series, which has one bore: expected no reducers")
        for attempt in range(TRIES):
            draw = np.random.default_rng([self.number, attempt])
            fields = self._once(draw, np.random.default_rng([self.number, attempt, 1]))
            try:
                tubes = PipeNetwork.model_validate(fields).tubes(launch=LAUNCH_M)
            except GeometryError:
                continue
            low, high = tubes.bounding_box()
            if self.rise_mm is None or 1000 * max(high[2], -low[2]) <= self.rise_mm:
                return fields
        raise ValueError(
            f"no network of this description could be laid in {TRIES} tries; fewer fittings, "
            "longer straights, wider bends or more room to rise may help"
        )

    def _once(self, draw: np.random.Generator, rare: np.random.Generator) -> dict[str, Any]:
        """``rare`` draws what most descriptions have none of, so that others stay as they are."""
        fittings = ["elbow"] * _whole(draw, self.elbows) + ["tee"] * _whole(draw, self.branches)
        for kind, span in (
            ("cross", self.crosses),
            ("reducer", self.reducers),
            ("loop", self.loops),
        ):
            fittings += [kind] * _whole(rare, span)
        draw.shuffle(fittings)
        parts: list[dict[str, Any]] = [self._straight(draw, None)]
        legs: list[dict[str, Any]] = []
        for fitting in fittings:
            if fitting == "elbow":
                parts.append(self._elbow(draw))
            elif fitting == "reducer":
                bore = float(rare.uniform(*self.bores_mm))
                parts.append({"part": "reducer", "length_mm": REDUCER_MM, "bore_mm": bore})
            elif fitting == "loop":
                round_, back = self._loop(draw, sum(part["part"] == "tee" for part in parts))
                parts += round_
                legs += back
            else:
                parts.append(self._branching(draw, fitting))
                number = sum(part["part"] == fitting for part in parts)
                for outlet in ("branch",) if fitting == "tee" else ("left", "right"):
                    at = f"{fitting}{number}.{outlet}"
                    legs += [self._straight(draw, at), *self._end(draw)]
            parts.append(self._straight(draw, None))
        parts += [*self._end(draw), *legs]
        bore = float(draw.uniform(*self.bores_mm))
        return {
            "bore_mm": bore if self.series is None else SERIES[self.series].bore_mm,
            "slope_deg": float(draw.uniform(*self.slopes_deg)),
            "parts": parts,
            "breaks": list(self._holes(draw, parts)),
        }

    def _straight(self, draw: np.random.Generator, at: str | None) -> dict[str, Any]:
        straight = {"part": "straight", "length_mm": float(draw.uniform(*self.straights_mm))}
        return straight if at is None else {**straight, "at": at}

    def _elbow(self, draw: np.random.Generator) -> dict[str, Any]:
        angle = float(draw.uniform(*self.elbow_angles_deg))
        if self.series is not None:
            angle = float(draw.choice(SERIES[self.series].elbow_angles_deg))
        return {
            "part": "elbow",
            "angle_deg": angle,
            "radius_mm": self._radius(draw),
            "roll_deg": self._side(draw),
        }

    def _radius(self, draw: np.random.Generator) -> float:
        sold = () if self.series is None else SERIES[self.series].elbow_radii_mm
        return float(draw.choice(sold) if sold else draw.uniform(*self.elbow_radii_mm))

    def _branching(self, draw: np.random.Generator, kind: str) -> dict[str, Any]:
        angle = float(draw.uniform(*self.branch_angles_deg))
        if self.series is not None:
            angle = float(draw.choice(SERIES[self.series].branch_angles_deg))
        return {
            "part": kind,
            "run_mm": RUN_MM,
            "branch_mm": BRANCH_MM,
            "branch_angle_deg": angle,
            "roll_deg": self._side(draw),
        }

    def _loop(
        self, draw: np.random.Generator, tees: int
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Two tees of 90° in one plane, and a way from the branch of the first to that of the
        second: out, round a bend, alongside the run, round a bend, back."""
        side, radius = self._side(draw), self._radius(draw)
        tee = {"part": "tee", "run_mm": RUN_MM, "branch_mm": BRANCH_MM, "roll_deg": side}
        between = float(draw.uniform(*self.straights_mm)) + max(2 * radius - RUN_MM, 0.0)
        elbow = {"part": "elbow", "radius_mm": radius, "roll_deg": (side + 180) % 360}
        alongside = {"part": "straight", "length_mm": RUN_MM + between - 2 * radius}
        out = self._straight(draw, f"tee{tees + 1}.branch")
        back = {"part": "close", "to": f"tee{tees + 2}.branch"}
        run = {"part": "straight", "length_mm": between}
        return [tee, run, dict(tee)], [out, elbow, alongside, dict(elbow), back]

    def _side(self, draw: np.random.Generator) -> float:
        if self.plane == "level":
            return float(draw.choice((0.0, 180.0)))
        return float(draw.uniform(0.0, 360.0))

    def _end(self, draw: np.random.Generator) -> list[dict[str, Any]]:
        return [{"part": "cap"}] if draw.random() < self.capped else []

    def _holes(
        self, draw: np.random.Generator, parts: list[dict[str, Any]]
    ) -> Iterator[dict[str, Any]]:
        straights = [part["length_mm"] for part in parts if part["part"] == "straight"]
        long = {k: each for k, each in enumerate(straights, 1) if each > 2 * MARGIN_MM}
        for _ in range(_whole(draw, self.holes) if long else 0):
            number = int(draw.choice(list(long)))
            yield {
                "part": f"straight{number}",
                "along_mm": float(draw.uniform(MARGIN_MM, long[number] - MARGIN_MM)),
                "clock_deg": float(draw.uniform(0, 360)),
                "size_mm": float(draw.uniform(8, 14)),
            }


DESCRIBES: Final = {
    name for name in DrawnPipes.model_fields if name not in Pipe.model_fields and name != "drawn"
}
"""Fields that a network is drawn from."""


def _whole(draw: np.random.Generator, span: tuple[int, int]) -> int:
    return int(draw.integers(span[0], span[1] + 1))
