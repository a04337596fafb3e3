"""Chains as the central control knows them, from letters or strings."""

from __future__ import annotations

from hypothesis import strategies as st

from annelid.modules import shelf
from annelid.systems.microtub.inference import RobotSituation, StatedModule
from annelid.systems.microtub.protocol import WorkingMode

PIPE = RobotSituation(WorkingMode.PIPE)
OPEN = RobotSituation(WorkingMode.OPEN_AIR)
GENERAL = RobotSituation(WorkingMode.GENERAL)

_SHELF = shelf()
DIGITS = {
    letter: kind.parse({}, where=letter).capabilities.digits for letter, kind in _SHELF.items()
}
IDS = {letter: kind.wire_id for letter, kind in _SHELF.items()}


def told(letters: str) -> list[StatedModule]:
    """As built, addresses in order."""
    return [StatedModule(place, IDS[each], DIGITS[each]) for place, each in enumerate(letters, 1)]


def strings(*digits: str) -> list[StatedModule]:
    return [StatedModule(place, "r", each) for place, each in enumerate(digits, 1)]


modes = st.sampled_from(list(WorkingMode))
situations = st.builds(RobotSituation, modes, st.booleans())
letters = st.text("RSEHPBTG", min_size=1, max_size=9)


@st.composite
def damaged(draw: st.DrawFn) -> list[StatedModule]:
    """A chain with grades lowered here and there."""
    chain = told(draw(letters))
    caps = draw(st.lists(st.integers(0, 3), min_size=len(chain), max_size=len(chain)))
    return [
        StatedModule(each.address, each.id, "".join(str(min(int(d), cap)) for d in each.mdl))
        for each, cap in zip(chain, caps, strict=True)
    ]
