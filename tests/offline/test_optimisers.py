"""One suite for all optimisers, as a study sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from annelid.errors import AnnelidError, SpecError, UnknownName
from annelid.offline.optimisers import OPTIMISERS, Found, OptimiserKind, build_optimiser
from annelid.offline.space import Genome, Space, SpaceSpec
from annelid.spec import Spec


def genes(bits: int | None) -> Space:
    return Space(
        SpaceSpec.parse(
            {"genes": [{"field": n, "low": 0, "high": 1, "bits": bits} for n in "xyz"]},
            where="space",
        )
    )


BITS, REALS = genes(7), genes(None)
AXES = [{"name": "x", "low": 0, "high": 1}, {"name": "y", "low": 0, "high": 1}]
KINDS: list[tuple[Mapping[str, Any], Space]] = [
    ({"kind": "ga"}, BITS),
    ({"kind": "ga", "mutation": 0.2}, REALS),
    ({"kind": "cma-es"}, REALS),
    ({"kind": "qd", "measures": AXES, "population": 20}, REALS),
    ({"kind": "qd", "measures": AXES, "population": 20}, BITS),
    ({"kind": "random", "population": 10}, BITS),
    ({"kind": "grid", "points": 4, "batch": 7}, REALS),
]
ids = [f"{table['kind']}-{'bits' if space is BITS else 'reals'}" for table, space in KINDS]


def hill(space: Space, genome: Genome) -> tuple[float | None, dict[str, float]]:
    """Highest at (0.7, 0.3, 0.5); a strip of it cannot be judged."""
    fields = space.decode(genome)
    far = sum((fields[n] - at) ** 2 for n, at in zip("xyz", (0.7, 0.3, 0.5), strict=True))
    return (None if fields["z"] < 0.1 else -far), fields


def play(table: Mapping[str, Any], space: Space, rounds: int = 30, seed: int = 3):
    optimiser = build_optimiser(table, space, seed=seed)
    asked: list[list[str]] = []
    best = -np.inf
    for _ in range(rounds):
        genomes = optimiser.ask()
        if not genomes:
            break
        asked.append([space.key(genome) for genome in genomes])
        found = []
        for genome in genomes:
            score, measures = hill(space, genome)
            found.append(Found(genome, score, measures))
            best = max(best, -np.inf if score is None else score)
        optimiser.tell(found)
    return asked, best


@pytest.mark.parametrize(("table", "space"), KINDS, ids=ids)
def test_the_same_answers_bring_the_same_questions(table, space):
    np.random.default_rng(0)
    first, _ = play(table, space)
    np.random.seed(1)  # noqa: NPY002  whoever else draws must not matter
    again, _ = play(table, space)
    assert first == again
    assert all(space.read(key) for keys in first for key in keys)


@pytest.mark.parametrize(("table", "space"), KINDS[:4], ids=ids[:4])
def test_searching_beats_chance(table, space):
    _, best = play(table, space)
    assert best > -0.005


def test_a_seed_of_its_own_makes_another_search():
    assert play({"kind": "ga"}, BITS, 2)[0] != play({"kind": "ga"}, BITS, 2, seed=4)[0]


def test_the_ga_is_the_papers():
    """40 at first; then 39 children and the best, which is not asked for again."""
    asked, _ = play({"kind": "ga"}, BITS, 6)
    assert [len(keys) for keys in asked] == [40, 39, 39, 39, 39, 39]


def test_without_crossover_and_mutation_nothing_new_is_born():
    asked, _ = play({"kind": "ga", "crossover": 0.0, "mutation": 0.0}, BITS, 8)
    assert {key for keys in asked for key in keys} == set(asked[0])


def test_mutation_alone_flips_the_stated_share_of_bits():
    table = {"kind": "ga", "crossover": 0.0, "mutation": 0.25, "population": 400}
    space = genes(7)
    optimiser = build_optimiser(table, space, seed=0)
    first = optimiser.ask()
    optimiser.tell([Found((0,) * 21, 0.0) for _ in first])
    same = build_optimiser({**table, "mutation": 0.0}, space, seed=0)
    parents = same.ask()
    same.tell([Found((0,) * 21, 0.0) for _ in parents])
    assert first == parents
    pool = {space.key(genome) for genome in parents}
    unchanged = sum(space.key(genome) in pool for genome in optimiser.ask())
    assert unchanged == pytest.approx(399 * 0.75**21, abs=6)


def test_a_grid_covers_everything_once():
    asked, _ = play({"kind": "grid", "points": 3, "batch": 5}, REALS)
    keys = [key for batch in asked for key in batch]
    assert len(keys) == len(set(keys)) == 27


@pytest.mark.parametrize(
    ("table", "space", "says"),
    [
        ({"kind": "gaa"}, BITS, "Did you mean 'ga'"),
        ({}, BITS, "optimiser.kind: expected one of cma-es, ga"),
        ({"kind": "ga", "populaton": 3}, BITS, "populaton"),
        ({"kind": "ga", "population": 3, "elites": 3}, BITS, "fewer than the population"),
        ({"kind": "cma-es"}, BITS, "real numbers alone"),
        ({"kind": "grid", "points": 1000}, REALS, "at most"),
        ({"kind": "qd", "measures": []}, REALS, "measures"),
        ({"kind": "qd", "measures": [{**AXES[0], "cells": 10**15}]}, REALS, "10000"),
        ({"kind": "ga", "population": 10**9}, BITS, "at most 100000"),
        ({"kind": "random", "population": 10**9}, BITS, "at most 100000"),
        ({"kind": "cma-es", "population": 10**9}, REALS, "at most 100000"),
        ({"kind": "qd", "measures": AXES, "first": 10**9}, REALS, "at most 100,000 genomes"),
        (
            {"kind": "qd", "measures": [{**axis, "cells": 5000} for axis in AXES]},
            REALS,
            "25,000,000",
        ),
    ],
)
def test_options_that_make_no_sense_are_refused(table, space, says):
    with pytest.raises((SpecError, UnknownName), match=says):
        build_optimiser(table, space, seed=0)


def test_a_map_needs_axes_that_are_measured():
    table = {"kind": "qd", "measures": [{"name": "wings", "low": 0, "high": 1}]}
    with pytest.raises(AnnelidError, match="'wings' is not measured; there are x, y, z"):
        play(table, REALS, 3)


class Nothing(Spec):
    pass


class Still:
    def __init__(self, options: Nothing, space: Space, seed: int) -> None:
        self._genome = (0,) * len(space)

    def ask(self):
        return [self._genome]

    def tell(self, found):
        """It never moves."""


def test_an_optimiser_of_ones_own_is_found_by_its_entry_point(installed):
    installed("annelid.optimisers", OptimiserKind("still", "asks nothing", Nothing, Still))
    assert "still" in OPTIMISERS.table()
    asked, _ = play({"kind": "still"}, BITS, 2)
    assert asked == [["0" * 21]] * 2
