"""One bifurcation on the robot's way: where it was seen, and what has been done there so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import atan2, hypot
from statistics import fmean
from typing import Final, Literal

from annelid.motion.bifurcation import Junction
from annelid.systems.microtub.central.joints import JointBend
from annelid.systems.microtub.central.known import KnownElbow

Leg = Literal["run", "branch"]
"""Straight on, or to the side."""
Choice = Literal["run", "branch", "both"]
ORDER: Final[dict[Choice, tuple[Leg, ...]]] = {
    "run": ("run",),
    "branch": ("branch",),
    "both": ("branch", "run"),
}
"""Legs to enter, one after the other.  The branch comes first: a nose has to find it to 10 mm, and
coming back the robot has rolled and its odometer has miscounted; straight on it needs neither."""
AGAIN_M: Final = 0.08
"""So far the odometer may be wrong when a bifurcation is come upon for another leg."""
AGAIN_LEAST_M: Final = 0.010
"""Two tellings of one opening differ by so much, m."""


ALIKE: Final = 0.5
"""Two bends are one if they differ by less than this share: a run that goes straight on differs
from its branch by all of it."""


@dataclass
class SeenBifurcation:
    """One bifurcation and what the robot does there."""

    junction: Junction
    taken: Leg
    seen_at: float
    """Way of the nose when it was first seen, m."""
    shut_at: float
    """The same when the nose was past its mouth."""
    doubted: float = 0.0
    """By how much ways may have been miscounted until then, m."""
    since_ns: int = 0
    """When its opening began to be told."""
    left: tuple[Leg, ...] = ()
    """Legs that are to be entered yet."""
    across: bool = False
    """Whether the branch on the other side of a cross is to be entered as well."""
    again: bool = False
    """Whether the nose is to come upon it once more."""
    mapped: bool = False
    tries: int = 0
    """How often the branch was missed."""
    slid: int = 0
    """How often it was in its branch where it was to go straight on."""
    sure: bool = False
    """Whether joints have said that there is a leg to the side."""
    aside: JointBend | None = None
    """What the joints felt in that leg."""
    left_aside: bool = False
    """Whether its branch looked too sharp."""
    counted: bool = False
    """Whether a leg of it that will not be entered has been counted."""
    feels_ns: int | None = None
    """Since when the joints lie still, to feel which leg the robot is in."""
    turned: list[JointBend] = field(default_factory=list)
    """Bends of all joints together, while they feel."""

    @property
    def branches(self) -> int:
        """How many leave it to the sides."""
        return 1 + self.junction.crosses

    @property
    def leg(self) -> str:
        """The one that is taken, by name; the second branch of a cross has its own."""
        return f"{self.taken}{' across' * (self.junction.crosses and not self.across)}"

    @property
    def done(self) -> bool:
        """Whether all its legs have had their turn."""
        return not (self.left or self.across)

    def take_next(self) -> None:
        """A branch that was missed comes first, then the one across, straight on last."""
        if self.across and "branch" not in self.left:
            self.across, self.tries, self.taken = False, 0, "branch"
            self.junction = self.junction.across()
            return
        self.taken, *left = self.left
        self.left = tuple(left)
        self.junction = replace(self.junction, into=self.taken == "branch")

    @property
    def bend(self) -> JointBend:
        """What the joints felt, on average."""
        return JointBend(*(fmean(each[k] for each in self.turned) for k in (0, 1)))

    @property
    def bends_alike(self) -> bool:
        """Whether the joints feel the same straight on as they did to the side: it is one pipe,
        that bends."""
        if self.aside is None:
            return False
        apart = hypot(self.bend.left - self.aside.left, self.bend.up - self.aside.up)
        return apart < ALIKE * hypot(*self.aside)

    def as_elbow(self, off: float) -> KnownElbow:
        """The bend that the joints felt, if it is none of a branch; the way is right within
        ``off`` m."""
        left, up = self.bend
        middle, arc = self.junction.middle, self.shut_at - self.seen_at
        return KnownElbow(middle, hypot(left, up), atan2(up, left), arc, off)

    def come_again(self) -> None:
        """The nose is before it once more."""
        self.again, self.mapped, self.feels_ns = True, False, None
        self.turned.clear()

    def believable(self, off: float, doubted: float) -> bool:
        """Whether the way can be ``off`` m short since it was first seen; ``doubted``: by how much
        ways may have been miscounted until now.  A nose that is bent into a blunt branch looks
        along it and sees it too late, never too early."""
        most = min(AGAIN_M, AGAIN_LEAST_M + doubted - self.doubted)
        least = -AGAIN_LEAST_M if self.taken == "branch" else -most
        return least < off < most
