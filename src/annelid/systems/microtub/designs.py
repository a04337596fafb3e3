"""Chains of modules that might explore given pipes, and which of them cannot.

``levels`` spells every chain of some letters, fewest modules first: a head that feels what is in
front, then modules in any order, of those without an actuator one of each at most.  ``Sieve``
leaves out what the rules grant no exploring (000 §6) and what is beyond the range of a chain in too
many of the networks (``annelid.worlds.passing``); nothing is simulated here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain as joined
from itertools import product, zip_longest
from typing import Any, Final

from annelid.boundary.cost import require_at_most
from annelid.errors import InputError, UnknownName
from annelid.robot.hauling import Hauling
from annelid.robot.robot import RobotSpec, Shelf, assemble
from annelid.systems.microtub.inference import Engine, RobotSituation, StatedModule
from annelid.systems.microtub.protocol import WorkingMode
from annelid.worlds.passing import Passage
from annelid.worlds.tubes import TubeNetwork

EXPLORE: Final = "explore"
CHAINS_MAX: Final = 100_000
"""Of one length: more would take hours to look at."""


@dataclass(frozen=True)
class Design:
    """A chain, and parameters of its modules."""

    chain: str
    settings: tuple[tuple[str, Any], ...] = ()
    """``("H.spring_n_m", 300)``"""

    @property
    def name(self) -> str:
        return " ".join([self.chain, *(f"{field}={value}" for field, value in self.settings)])

    @property
    def robot(self) -> dict[str, Any]:
        """As a scenario writes it."""
        each: dict[str, dict[str, Any]] = {}
        for field, value in self.settings:
            letter, _, parameter = field.partition(".")
            each.setdefault(letter, {})[parameter] = value
        return {"chain": self.chain, "each": each}


@dataclass(frozen=True)
class Sieved:
    """What is known of a design without a run."""

    design: Design
    within: int = 0
    """Networks of which it can reach and leave every end."""
    why: str = ""
    """What is most often beyond it."""
    rigid: float = 0.0
    """Its longest piece that does not bend, m."""
    mass: float = 0.0
    spare: float = 0.0
    """Thrust over weight, in the widest of the bores."""


def levels(letters: str, longest: int, types: Shelf) -> Iterator[list[str]]:
    """Chains of one length, then of the next; lengths that give none are left out."""
    for letter in letters:
        if letter not in types:
            raise UnknownName("module letter", letter, types, where="--modules")
    made = {letter: types[letter].parse({}, where=letter) for letter in dict.fromkeys(letters)}
    heads = [letter for letter, module in made.items() if module.capabilities["Sense_front"]]
    rest = [letter for letter in made if letter not in heads]
    single = {letter for letter in rest if not made[letter].body().mounts}
    if not heads:
        raise InputError(f"--modules: none of {letters} feels what is in front; T does")
    for length in range(1, longest + 1):
        spelt = len(heads) * len(rest) ** (length - 1)
        require_at_most(f"chains of {length} modules", spelt, CHAINS_MAX, where="--longest")
        found = [
            head + "".join(tail)
            for head in heads
            for tail in product(rest, repeat=length - 1)
            if all(count == 1 for letter, count in Counter(tail).items() if letter in single)
        ]
        if found:
            yield found


class Sieve:
    """Judges designs for a set of networks."""

    def __init__(self, networks: Sequence[TubeNetwork], types: Shelf) -> None:
        self._passages = [Passage(network) for network in networks]
        self._widest = max(
            2 * max(tube.radius_start, tube.radius_end)
            for network in networks
            for tube in network.tubes
        )
        self._types = types
        self._engine = Engine()
        self._able: dict[str, str] = {}

    def judge(self, design: Design) -> Sieved:
        """How many of the networks are within its range."""
        robot = assemble(RobotSpec.parse(design.robot, where=design.name), self._types)
        if lacking := self._unable(design.chain):
            return Sieved(design, why=lacking)
        hauling = Hauling.of([module.type for module in robot.modules])
        if not any(ring.stall for ring in hauling.rings):
            return Sieved(design, why="no drive pushes it, and of others the range is not known")
        faults: Counter[str] = Counter()
        within = 0
        for passage in self._passages:
            beyond = [each.why_not for each in passage.reaches(hauling) if each.why_not]
            within += not beyond
            faults.update({_kind(why) for why in beyond})
        return Sieved(
            design,
            within=within,
            why=faults.most_common(1)[0][0] if faults else "",
            rigid=max(piece.length for piece in hauling.pieces),
            mass=robot.mass,
            spare=hauling.thrust(self._widest) / hauling.weight,
        )

    def _unable(self, chain: str) -> str:
        """What the rules miss in it; empty: nothing."""
        if chain not in self._able:
            made = [self._types[letter].parse({}, where=letter) for letter in chain]
            members = [
                StatedModule(place, module.wire_id, module.capabilities.digits)
                for place, module in enumerate(made, 1)
            ]
            known = self._engine.infer(members, RobotSituation(WorkingMode.PIPE, tethered=True))
            needs = self._engine.task(EXPLORE).needs
            lacking = [need for need in needs if not known.can(need)]
            self._able[chain] = f"the rules grant it no {lacking[0]}" if lacking else ""
        return self._able[chain]


def _kind(why: str) -> str:
    """The same reason in another network is the same: without names of parts and newtons."""
    if "does not pass" in why:
        part, _, what = why.partition(": ")
        return f"{what} {'a branch' if part.endswith('branch') else 'an elbow'}"
    return "its drives are too weak for its weight on a slope"


def chosen(sieved: Sequence[Sieved], most: int, price: Mapping[Design, float]) -> list[Sieved]:
    """Those worth a run, of designs of one length: of every mix of modules the best arrangement,
    cheap mixes first, then the second best of each, and so on."""
    mixes: dict[tuple[str, ...], list[Sieved]] = {}
    for one in sorted(
        sieved, key=lambda one: (-one.within, one.rigid, -one.spare, one.design.name)
    ):
        mixes.setdefault(tuple(sorted(one.design.chain)), []).append(one)
    by_price = sorted(mixes.values(), key=lambda mix: (price[mix[0].design], mix[0].design.name))
    rounds = joined.from_iterable(zip_longest(*by_price))
    return [one for one in rounds if one is not None][:most]
