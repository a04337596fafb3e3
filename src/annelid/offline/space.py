"""The search space: which fields may change, and how they are written as a genome.

A genome is a row of *loci*.  A locus is either one of n choices, written 0 to n - 1, or a real
number from 0 to 1.  Optimisers see loci alone; the space decodes them into fields of a scenario:

==============================  ====================================================
a gene with ``bits = 7``        seven loci of two choices, most significant first
a gene without ``bits``         one real locus
a choice of n ``values``        one locus of n choices
a chain ``"T????"``             one locus of as many choices as letters, a ``?``
==============================  ====================================================
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

import numpy as np
from pydantic import Field, field_validator, model_validator

from annelid.errors import InputError, SpecError
from annelid.spec import Spec


class Constraint(Spec):
    """One of three kinds.

    ``letters = "H"`` counts those letters of a chain, ``sum = {field = weight}`` adds numbers up;
    both are held between ``at_least`` and ``at_most``.  ``forbid = "HHH"`` bans a run of letters.
    """

    field: str = "robot.chain"
    """Whose letters are counted or forbidden."""
    letters: str | None = Field(default=None, min_length=1)
    """Letters that are counted."""
    forbid: str | None = Field(default=None, min_length=1)
    """A run of letters that must not occur."""
    sum: Mapping[str, float] | None = Field(default=None, min_length=1)
    """Fields with weights, whose sum is bounded."""
    at_least: float | None = None
    """Lower bound of the count or sum."""
    at_most: float | None = None
    """Upper bound of it."""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        kinds = [kind for kind in ("letters", "forbid", "sum") if getattr(self, kind) is not None]
        if len(kinds) != 1:
            raise ValueError("expected exactly one of letters, forbid and sum")
        bounded = self.at_least is not None or self.at_most is not None
        if bounded == (self.forbid is not None):
            raise ValueError("letters and sum need at_least or at_most; forbid has neither")
        return self

    @property
    def fields(self) -> tuple[str, ...]:
        """All that it looks at."""
        return (self.field,) if self.sum is None else tuple(self.sum)

    def violation(self, fields: Mapping[str, Any]) -> str | None:
        """What is wrong with these values; None: nothing."""
        if self.forbid is not None:
            text = str(fields[self.field])
            return f"{self.field}: {text} has {self.forbid}" if self.forbid in text else None
        if self.letters is not None:
            text = str(fields[self.field])
            found = float(sum(letter in self.letters for letter in text))
            what = f"{self.letters} in {text}"
        else:
            weights = self.sum or {}
            found = sum(weight * float(fields[name]) for name, weight in weights.items())
            what = " + ".join(f"{weight:g}·{name}" for name, weight in weights.items())
        if self.at_least is not None and found < self.at_least:
            return f"{what}: {found:g}, at least {self.at_least:g}"
        if self.at_most is not None and found > self.at_most:
            return f"{what}: {found:g}, at most {self.at_most:g}"
        return None


Genome = tuple[int | float, ...]

REAL: Final = 0
"""The number of choices of a locus that is a real number."""

DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
CHAIN: Final = "robot.chain"
EMPTY: Final = "-"
"""A letter that leaves its place out: chains of different lengths in one alphabet."""
BITS_MAX: Final = 32


class Gene(Spec):
    """A number in a range; the papers' have seven bits each (000 §8.3)."""

    field: str
    """Of the scenario, by its dotted name."""
    low: float
    """Smallest value."""
    high: float
    """Largest value."""
    bits: int | None = Field(default=None, ge=1, le=BITS_MAX)
    """``low + g·(high - low)/(2^bits - 1)``; None: a real number."""
    also: Mapping[str, float] = Field(default_factory=dict)
    """Fields that go with it, to how much larger they are: the height of a start above the ground
    with the length of the legs."""

    @model_validator(mode="after")
    def _has_a_range(self) -> Self:
        if self.low >= self.high:
            raise ValueError(f"expected low below high, got {self.low:g} and {self.high:g}")
        return self


class Choice(Spec):
    """A field that takes one of some values, of any kind."""

    field: str
    """Of the scenario, by its dotted name."""
    values: tuple[Any, ...] = Field(min_length=2)
    """Of which it takes one."""


class Chain(Spec):
    """A sequence of modules with fixed and free places, head first."""

    pattern: str = Field(min_length=1)
    """Letters stay; a sign of ``alphabets`` is a free place."""
    alphabets: Mapping[str, str] = Field(min_length=1)
    """Free sign to the letters it may be; ``-`` leaves the place out."""

    @field_validator("alphabets")
    @classmethod
    def _letters(cls, given: Mapping[str, str]) -> Mapping[str, str]:
        for sign, letters in given.items():
            if len(sign) != 1 or sign.isalnum() or sign == EMPTY:
                raise ValueError(f'a free place is one sign such as "?", got {sign!r}')
            if len(letters) < 2 or len(set(letters)) < len(letters):
                raise ValueError(
                    f"alphabet of {sign!r}: expected two or more different letters, got {letters!r}"
                )
        return given

    @model_validator(mode="after")
    def _has_free_places(self) -> Self:
        if not any(sign in self.pattern for sign in self.alphabets):
            raise ValueError(
                f"pattern {self.pattern!r} has no free place; signs: {', '.join(self.alphabets)}"
            )
        return self


class SpaceSpec(Spec):
    """Everything that is searched at once."""

    genes: tuple[Gene, ...] = ()
    """Numbers in a range."""
    choices: tuple[Choice, ...] = ()
    """Fields that take one of some values."""
    chain: Chain | None = None
    """A chain with free places."""
    constraints: tuple[Constraint, ...] = ()
    """What a genome has to keep to; others are not simulated."""

    @model_validator(mode="after")
    def _something_once(self) -> Self:
        names, touched = self.fields, self.touched
        if not names:
            raise ValueError("nothing to search: give genes, choices or a chain")
        if twice := {name for name in touched if touched.count(name) > 1}:
            raise ValueError(f"{', '.join(sorted(twice))} is searched twice")
        for constraint in self.constraints:
            for name in constraint.fields:
                if name not in names:
                    raise ValueError(
                        f"constraint on {name!r}, which is not searched; searched: "
                        f"{', '.join(names)}"
                    )
        return self

    @property
    def touched(self) -> tuple[str, ...]:
        """All fields that a genome sets: those searched, and those that go with them."""
        return (*self.fields, *(name for gene in self.genes for name in gene.also))

    @property
    def fields(self) -> tuple[str, ...]:
        """What is searched."""
        names = [gene.field for gene in self.genes] + [choice.field for choice in self.choices]
        return (*names, CHAIN) if self.chain is not None else tuple(names)


def short_names(fields: Sequence[str]) -> dict[str, str]:
    """Field to as much of its end as tells it from the others: ``amplitude_deg``, ``0.x_mm``."""
    short: dict[str, str] = {}
    for field in fields:
        parts = field.split(".")
        tails = [".".join(parts[-count:]) for count in range(1, len(parts) + 1)]
        short[field] = next(
            tail
            for tail in tails
            if not tail[0].isdigit()
            and not any(other != field and other.endswith("." + tail) for other in fields)
        )
    return short


class Space:
    """The loci of a spec, and the way from a genome to fields and back."""

    def __init__(self, spec: SpaceSpec) -> None:
        self.spec = spec
        sizes: list[int] = []
        for gene in spec.genes:
            sizes += [REAL] if gene.bits is None else [2] * gene.bits
        sizes += [len(choice.values) for choice in spec.choices]
        if spec.chain is not None:
            alphabets = spec.chain.alphabets
            sizes += [len(alphabets[sign]) for sign in spec.chain.pattern if sign in alphabets]
        self.sizes = tuple(sizes)
        """Choices of each locus; ``REAL`` for a real number."""
        self.plain = all(0 < size <= len(DIGITS) for size in sizes)
        """Whether a genome can be written as a string of digits."""

    def __len__(self) -> int:
        return len(self.sizes)

    def decode(self, genome: Genome) -> dict[str, Any]:
        """Dotted field to value."""
        loci = iter(genome)
        fields: dict[str, Any] = {}
        for gene in self.spec.genes:
            if gene.bits is None:
                share = float(next(loci))
            else:
                whole = 0
                for _ in range(gene.bits):
                    whole = 2 * whole + int(next(loci))
                share = whole / (2**gene.bits - 1)
            value = gene.low + share * (gene.high - gene.low)
            fields[gene.field] = value
            fields |= {name: value + more for name, more in gene.also.items()}
        for choice in self.spec.choices:
            fields[choice.field] = choice.values[int(next(loci))]
        chain = self.spec.chain
        if chain is not None:
            alphabets = chain.alphabets
            letters = (
                alphabets[sign][int(next(loci))] if sign in alphabets else sign
                for sign in chain.pattern
            )
            fields[CHAIN] = "".join(letters).replace(EMPTY, "")
        return fields

    def encode(self, fields: Mapping[str, Any]) -> Genome:
        """The genome nearest to these values: a paper's point, a first guess."""
        genome: list[int | float] = []
        for gene in self.spec.genes:
            value = self._of(fields, gene.field)
            if not isinstance(value, int | float):
                raise InputError(f"{gene.field}: expected a number, got {type(value).__name__}")
            share = (value - gene.low) / (gene.high - gene.low)
            if not -1e-9 <= share <= 1 + 1e-9:
                raise InputError(
                    f"{gene.field}: expected {gene.low:g} to {gene.high:g}, got {value:g}"
                )
            share = min(max(share, 0.0), 1.0)
            if gene.bits is None:
                genome.append(share)
            else:
                whole = round(share * (2**gene.bits - 1))
                genome += [whole >> bit & 1 for bit in reversed(range(gene.bits))]
        for choice in self.spec.choices:
            value = self._of(fields, choice.field)
            if value not in choice.values:
                raise InputError(f"{choice.field}: expected one of {choice.values}, got {value!r}")
            genome.append(choice.values.index(value))
        if self.spec.chain is not None:
            genome += self._free_letters(self.spec.chain, str(self._of(fields, CHAIN)))
        return tuple(genome)

    def key(self, genome: Genome) -> str:
        """The genome as text, the same for the same genome: ``"1101001"``."""
        if self.plain:
            return "".join(DIGITS[int(locus)] for locus in genome)
        pairs = zip(genome, self.sizes, strict=True)
        return json.dumps([float(locus) if size == REAL else int(locus) for locus, size in pairs])

    def read(self, key: str) -> Genome:
        """The genome of a key."""
        loci: Sequence[Any] = [DIGITS.find(sign) for sign in key] if self.plain else json.loads(key)
        if len(loci) != len(self.sizes):
            raise InputError(f"genome {key!r}: expected {len(self.sizes)} loci, got {len(loci)}")
        for locus, size in zip(loci, self.sizes, strict=True):
            if not (0 <= locus <= 1 if size == REAL else 0 <= locus < size):
                raise InputError(f"genome {key!r}: {locus} is outside its locus")
        return tuple(loci)

    def draw(self, stream: np.random.Generator) -> Genome:
        """Any genome, all equally likely."""
        return tuple(
            float(stream.random()) if size == REAL else int(stream.integers(size))
            for size in self.sizes
        )

    def violation(self, genome: Genome) -> str | None:
        """Why this genome is not to be simulated; None: it may be."""
        fields = self.decode(genome)
        told = (constraint.violation(fields) for constraint in self.spec.constraints)
        return next((why for why in told if why is not None), None)

    @staticmethod
    def _of(fields: Mapping[str, Any], name: str) -> Any:
        if name not in fields:
            raise InputError(f"{name}: no value given; given: {', '.join(fields)}")
        return fields[name]

    @staticmethod
    def _free_letters(chain: Chain, letters: str) -> list[int]:
        if len(letters) != len(chain.pattern):
            raise SpecError(
                f"{CHAIN}: expected {len(chain.pattern)} letters as in {chain.pattern!r}, with "
                f"{EMPTY!r} where a place is left out, got {letters!r}"
            )
        loci = []
        for sign, letter in zip(chain.pattern, letters, strict=True):
            alphabet = chain.alphabets.get(sign, sign)
            if letter not in alphabet:
                raise InputError(f"{CHAIN}: expected one of {alphabet!r}, got {letter!r}")
            if sign in chain.alphabets:
                loci.append(alphabet.index(letter))
        return loci
