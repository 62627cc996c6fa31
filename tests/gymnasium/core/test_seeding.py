"""`np_random`: a generator from a seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gymnasium.error import Error
from gymnasium.utils import seeding


@given(st.integers(min_value=0, max_value=2**128))
def test_a_seed_is_returned_and_gives_numpys_generator(seed):
    generator, used = seeding.np_random(seed)
    assert used == seed
    assert generator.random() == np.random.Generator(np.random.PCG64(seed)).random()


def test_recorded_first_numbers():
    drawn = [seeding.np_random(seed)[0].random() for seed in (0, 1)]
    assert drawn == [0.6369616873214543, 0.5118216247002567]


def test_without_a_seed_the_one_drawn_is_returned():
    generator, seed = seeding.np_random()
    assert type(seed) is int
    assert generator.random() == seeding.np_random(seed)[0].random()
    assert seeding.np_random()[1] != seed


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.uint32])
def test_numpy_integers_are_seeds(kind):
    generator, seed = seeding.np_random(kind(7))
    assert (type(seed), seed) == (int, 7)
    assert generator.random() == seeding.np_random(7)[0].random()


@pytest.mark.parametrize("seed", [1.0, "1", [1], np.float64(2), np.array([1])])
def test_other_types_are_refused_by_name(seed):
    with pytest.raises(Error, match=type(seed).__name__):
        seeding.np_random(seed)


@pytest.mark.parametrize("seed", [-1, -(10**30), np.int64(-5)])
def test_negative_seeds_are_refused_by_value(seed):
    with pytest.raises(Error, match=str(int(seed))):
        seeding.np_random(seed)


def test_aliases():
    assert seeding.RNG is seeding.RandomNumberGenerator is np.random.Generator
