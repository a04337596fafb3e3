"""An opening beside the nose: the mouth of a branch, or the beginning of a bend.

Two signs show it.  *Wide*: a ray is longer than any ray in a straight pipe of this bore.  *Slight*:
rays see farther than some way before, and the others see as far as they did.  A branch that lies
between two rays, or low beside a nose on the floor, shows itself by the second sign only: computed
for branches of 30 to 90° at any clock angle, in bores of 38.5 to 44 mm, that is one branch in six.
A nose that leans, rolls or moves aside changes its rays in pairs: what one ray gains, the one
across loses.  One that dips on the floor of a wide bore gains more with one ray than any other
loses, but all three others lose.  In a pipe that becomes wider, three rays grow.

A bend opens at one side as well.  There the wall on the other side comes nearer, or the nose
touches it; at a branch it stays where it was.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import atan2, cos, inf, pi, sin
from statistics import fmean
from typing import Final

Rays = Sequence[float]
"""Of one look: left, up, right, down, m."""

RAYS: Final = 4
OPEN_LOOKS: Final = 4
"""Looks that have to agree on an opening, and on its end."""
WATCH: Final = 66
"""Looks after which a wide opening that lasts is told for the second time: 3 s."""
FORGET: Final = 264
"""Looks after which a slight opening that lasts is none, but another place of the nose: 12 s."""
WALL_LOOKS: Final = 5
"""Looks that are averaged for the wall across."""
CLOSER: Final = 0.0015
"""The wall across has come nearer by this in an elbow, m: 3.5 mm where the bend has 60 mm, 1.7 mm
after 20 mm of one of 120 mm; noise is 0.3 mm."""
SHORTLY, JUST_BEFORE = 21, 7
"""So many looks ago, and so many of them, rays saw what they do before a wide opening."""
ACROSS: Final = 0.004
"""The ray across is longer by this than before where it looks into another branch, m: in crosses of
30 to 90°, however the nose is rolled, by 6 mm and more, but for sharp ones between two rays;
in tees by 1.6 mm at most."""
CROSSED: Final = 0.3
"""Part of an opening's looks that show a cross where it is one: more, but for one cross in thirty,
a sharp one between two rays.  A nose that sinks into a branch sees farther across for a while,
too."""
MOVED: Final = 0.002
"""By so much the two rays beside the opening are shorter together, m, where the nose has left its
place in the middle of the pipe."""
GROWN: Final = 0.005
"""Slightly open: the farthest ray has gained this much, m."""
SAME: Final = 0.0015
"""A ray that has changed by less sees as far as before, m; noise is 0.5 mm a look."""
LATEST: Final = 3
"""Looks that are averaged for what the rays see now."""
AGO: Final = (8, 16, 32, 64)
"""Looks ago that rays are compared with: a robot at 3 cm/s comes 11 mm in the first, one at
0.7 cm/s 20 mm in the last."""


class PastLooks:
    """The looks of the last three seconds in which nothing was open."""

    def __init__(self) -> None:
        self._looks: deque[Rays] = deque(maxlen=AGO[-1] + WALL_LOOKS)

    def add(self, rays: Rays) -> None:
        self._looks.append(tuple(rays))

    def clear(self) -> None:
        """What comes is compared with what is seen from now on."""
        self._looks.clear()

    def shortly_ago(self) -> Rays:
        """How far the rays saw before what they see now began, m; a bend begins 20 mm before a ray
        is free."""
        looks = list(self._looks)
        looks = looks[max(len(looks) - SHORTLY, 0) :][:JUST_BEFORE]
        return _mean(looks) if looks else [inf] * RAYS

    def outgrown(self, rays: Rays) -> Rays | None:
        """How far the rays saw some way before, where a side is slightly open since; else None."""
        if len(self._looks) < AGO[0] + WALL_LOOKS:
            return None
        looks = list(self._looks)
        now = _mean([*looks[1 - LATEST :], rays])
        for ago in AGO:
            if len(looks) < ago + WALL_LOOKS:
                return None
            before = _mean(looks[-ago - WALL_LOOKS : -ago])
            more = sorted(new - old for new, old in zip(now, before, strict=True))
            lost = -more[0] - more[1]  # of a nose that dips all but one ray lose a little
            if more[-1] >= GROWN and lost < SAME and more[0] > -SAME and more[1] < SAME:
                return before
        return None


class Opening:
    """One side is open: since when, where to, and what the wall across from it does."""

    def __init__(self, rays: Rays, earlier: Rays, before: Rays | None) -> None:
        """``earlier``: what the rays saw shortly before; ``before``: what they saw before a slight
        opening; None: it begins as a wide one."""
        self._earlier = earlier
        self._before = earlier if before is None else before
        self._recent: deque[Rays] = deque(maxlen=LATEST)
        self._left = self._up = 0.0
        self._looks = self._wide_looks = 0
        self.over = False
        """Whether its end was told."""
        if before is None:
            self._face(rays, earlier)
        else:
            self._face([new - old for new, old in zip(rays, before, strict=True)], before)

    def _face(self, sees: Rays, walls: Rays) -> None:
        """Away from the side that the rays see farthest to: which ray looks across, how long it
        was before, and how long it is."""
        self._across_ray = (max(range(RAYS), key=sees.__getitem__) + RAYS // 2) % RAYS
        self._wall = walls[self._across_ray]
        self._beside = walls[self._across_ray - 1] + walls[(self._across_ray + 1) % RAYS]
        self._across: deque[float] = deque(maxlen=WALL_LOOKS)
        self._crossed = 0
        """Looks that showed the side across open as well."""
        self._closing = False

    @property
    def wide(self) -> bool:
        """Whether a free ray alone tells how long it lasts: mouths are measured by that."""
        return self._wide_looks >= OPEN_LOOKS

    @property
    def forgotten(self) -> bool:
        """Whether what seemed slightly open has lasted for too long."""
        return self._looks >= FORGET and not self.wide

    def side(self, rays: Rays, free: float | None) -> float | None:
        """Where it is open yet, rad; ``free``: where a ray is free.  None: it is not."""
        self._recent.append(rays)
        if free is not None or self.wide:
            return free
        return grown_side(self._before, _mean(self._recent), GROWN / 2)

    def look(self, towards: float, rays: Rays, free: float) -> float | None:
        """Where to, rad, when that is to be told; of a wide one that lasts once more.  Where more
        than two rays are free the pipe ends."""
        self._looks += 1
        see_far = sum(ray >= free for ray in rays)
        if see_far:
            self._wide_looks += 1
            if self._wide_looks == OPEN_LOOKS < self._looks:
                self._face(rays, self._earlier)
        self._crossed += see_far <= 2 and self._open_across(rays)
        self._left += cos(towards)
        self._up += sin(towards)
        self._across.append(rays[self._across_ray])
        if len(self._across) >= OPEN_LOOKS and fmean(self._across) < self._wall - CLOSER:
            self._closing = True
        if self._looks == OPEN_LOOKS:
            return self._told(towards)
        return self.closed() if self._wide_looks >= WATCH and see_far <= 2 else None

    def _open_across(self, rays: Rays) -> bool:
        beside = rays[self._across_ray - 1] + rays[(self._across_ray + 1) % RAYS]
        return rays[self._across_ray] > self._wall + ACROSS and beside > self._beside - MOVED

    def is_mouth(self, rays: Rays) -> bool:
        """Of a nose that touches: whether it met the edge of a branch.  In an elbow it meets the
        wall across, which is then right ahead of that ray."""
        told = self.over or self._closing or self._looks < OPEN_LOOKS
        return not told and rays[self._across_ray] > self._wall - CLOSER

    def closed(self) -> float | None:
        """Where to, rad.  It is over, or has lasted for long: told once, unless it was an elbow."""
        elbow = self._closing and not self.crosses
        if self.over or elbow or self._looks < OPEN_LOOKS:
            return None
        self.over = True
        return self._told(atan2(self._up, self._left) % (2 * pi))

    @property
    def crosses(self) -> bool:
        """Whether the side across is open as well."""
        return self._crossed >= max(OPEN_LOOKS, CROSSED * self._looks)

    def _told(self, towards: float) -> float:
        """Of a cross the direction is that of a ray: what is open across blurs the other."""
        return (self._across_ray + RAYS // 2) % RAYS * pi / 2 if self.crosses else towards


def grown_side(before: Rays, now: Rays, least: float) -> float | None:
    """Where rays see farther than before, rad; None: by less than ``least`` m."""
    left, up, right, down = (max(new - old, 0.0) for new, old in zip(now, before, strict=True))
    if not max(left, up, right, down) >= least:
        return None
    return atan2(up - down, left - right) % (2 * pi)


def _mean(looks: Sequence[Rays] | deque[Rays]) -> Rays:
    return [fmean(ray) for ray in zip(*looks, strict=True)]
