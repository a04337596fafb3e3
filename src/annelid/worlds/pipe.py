"""A pipe network as a user writes it: parts in a row, tees and crosses, loops, breaks in the wall.

The robot of 000 lives in pipes of 36 to 50 mm with elbows and tees.  Parts follow one another;
``at`` sends one elsewhere::

    parts = [{part="straight", length_mm=300}, {part="tee", run_mm=120, branch_mm=100},
             {part="elbow"}, {part="straight", length_mm=200, at="tee1.branch"}]

The inlet is at the origin, x forward, y left, z up.  An elbow's ``roll_deg`` is the plane it bends
in: 0 to the left, 90 upwards, as seen by a robot that came that way without turning over.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, PrivateAttr

from annelid.boundary.cost import require_at_most
from annelid.spec import Spec
from annelid.worlds.tubes import TubeNetwork


class PartSpec(Spec):
    """What every part has: a name (``elbow2`` if none is given) and the outlet it is put on (the
    previous part's, if none is given)."""

    name: str | None = None
    """By which others refer to it; None: its kind and a number, ``elbow2``."""
    at: str | None = None
    """The outlet that it is put on, ``tee1.branch``; None: that of the part before."""


class Straight(PartSpec):
    part: Literal["straight"] = "straight"
    length_mm: float
    """Along the axis."""


class Elbow(PartSpec):
    part: Literal["elbow"] = "elbow"
    angle_deg: float = 90.0
    """How far it bends."""
    radius_mm: float = 60.0
    """Of the centre line."""
    roll_deg: float = 0.0
    """The plane it bends in: 0 to the left, 90 upwards."""


class Tee(PartSpec):
    """The branch leaves from the middle of the run; outlets ``run`` and ``branch``."""

    part: Literal["tee"] = "tee"
    run_mm: float = 120.0
    """Length of the straight run."""
    branch_mm: float = 80.0
    """From the axis of the run."""
    branch_angle_deg: float = 90.0
    """Between the way the branch goes and the way the run goes."""
    branch_bore_mm: float | None = None
    """Inner diameter of the branch, at most that of the run; None: the same."""
    roll_deg: float = 0.0
    """The side the branch leaves to: 0 to the left, 90 upwards."""


class Cross(PartSpec):
    """Two branches leave from the middle of the run, to opposite sides; outlets ``run``, ``left``
    and ``right``."""

    part: Literal["cross"] = "cross"
    run_mm: float = 120.0
    """Length of the straight run."""
    branch_mm: float = 80.0
    """Of each branch, from the axis of the run."""
    branch_angle_deg: float = 90.0
    """Between the way a branch goes and the way the run goes."""
    roll_deg: float = 0.0
    """The side that the outlet ``left`` leaves to: 0 to the left, 90 upwards."""


class Reducer(PartSpec):
    part: Literal["reducer"] = "reducer"
    length_mm: float
    """Along the axis."""
    bore_mm: float
    """At the outlet."""


class Cap(PartSpec):
    part: Literal["cap"] = "cap"


class Close(PartSpec):
    """Closes a loop: a straight from its outlet to another free outlet, which has to face it."""

    part: Literal["close"] = "close"
    to: str
    """The outlet it leads to, ``tee2.branch``."""


Part = Annotated[
    Straight | Elbow | Tee | Cross | Reducer | Cap | Close, Field(discriminator="part")
]


class BreakSpec(Spec):
    """A hole (``size_mm`` its diameter) or a crack (``size_mm`` long, along the pipe)."""

    part: str
    """Name of the part that has it."""
    along_mm: float
    """From the beginning of the part to the middle of the break."""
    clock_deg: float = 0.0
    """0 is the top, 90 the right, looking forward."""
    shape: Literal["hole", "crack"] = "hole"
    """A round hole, or a crack along the pipe."""
    size_mm: float = 10.0
    """Diameter of a hole, length of a crack."""
    width_mm: float = 2.0
    """Of a crack."""


PARTS_MAX = 200
LENGTH_MAX_MM = 100_000
"""Of one network: ten seconds of fitting on a laptop."""


class PipeNetwork(Spec):
    """Parts joined into a tree of bores; ``close`` joins two of its ends."""

    kind: Literal["pipe"] = "pipe"
    bore_mm: float = 40.0
    """Inner diameter at the inlet."""
    slope_deg: float = 0.0
    """How steeply the inlet climbs; the whole network is tilted with it."""
    roll_deg: float = 0.0
    """Turn of the whole network about the inlet's axis, to the right."""
    parts: tuple[Part, ...]
    """What the pipe is made of, in order; ``part`` chooses the kind."""
    breaks: tuple[BreakSpec, ...] = ()
    """Holes and cracks in the wall."""
    _bore_factor: float = PrivateAttr(default=1.0)
    """Real bores over those written here: no pipe is made to the last hair."""

    def tubes(self, *, launch: float = 0.0, closed: bool = False) -> TubeNetwork:
        """The geometry, or an error that names the part and the field at fault.  ``launch``
        metres of pipe, open behind or ``closed``, lead up to the inlet as the part "launch"."""
        from annelid.worlds.fitting import Fitter

        self._require_affordable()
        fitter = Fitter(self, launch=launch, closed=closed, bore_factor=self._bore_factor)
        return fitter.network()

    def _require_affordable(self) -> None:
        """Whether parts overlap is asked of each with each, along all of their lengths."""
        require_at_most("parts", len(self.parts), PARTS_MAX, where="parts")
        lengths = ("length_mm", "run_mm", "branch_mm", "radius_mm")
        total_mm = sum(getattr(part, name, 0.0) for part in self.parts for name in lengths)
        require_at_most("mm of pipe", int(total_mm), LENGTH_MAX_MM, where="parts")

    def length(self) -> float:
        """Arc length from the inlet through every tee's run to the end, m."""
        return self.tubes().length()
