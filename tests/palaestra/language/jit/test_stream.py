"""Streams: the numbers of NumPy's `Generator`, from rows that many streams share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit, types

from palaestra.language.jit.random import choices  # noqa: F401  (it teaches Numba more draws)
from palaestra.language.jit.random.pcg64 import stream_at
from palaestra.language.jit.random.seeding import drawn_seeds, generator_at, row_of, seeded_rows


def play(rng, kind, low, high):
    if kind == 0:
        return rng.random()
    if kind == 1:
        return rng.uniform(low * 1.5, low * 1.5 + (high - low))
    if kind == 2:
        return float(rng.normal(low * 1.0, 2.0))
    if kind == 3:
        return float(rng.integers(low, high))
    if kind == 4:
        return float(rng.integers(high - low))
    if kind == 5:
        return rng.uniform() + rng.normal() + rng.standard_normal()
    return float(rng.integers(0, 2))


_play = njit(play)


@njit
def play_all(address, kinds, low, high, out):
    rng = stream_at(types.int64(address))
    for k in range(len(kinds)):
        out[k] = _play(rng, kinds[k], low, high)


@given(
    st.integers(0, 2**128 - 1),
    st.integers(-(2**62), 2**62),
    st.integers(1, 2**62 - 1) | st.sampled_from([1, 2, 3, 13, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**40]),
    st.lists(st.integers(0, 6), min_size=1, max_size=200),
)
def test_draws_are_numpys(seed: int, low: int, span: int, kinds: list[int]) -> None:
    row, out = seeded_rows([seed])[0].copy(), np.zeros(len(kinds))
    rng = np.random.Generator(np.random.PCG64(seed))

    play_all(row.ctypes.data, np.array(kinds), low, low + span, out)

    expected = [play(rng, kind, low, low + span) for kind in kinds]
    assert out.tolist() == expected
    assert (row == row_of(rng.bit_generator)).all()


def test_many_normal_draws_reach_the_tail() -> None:
    row, out = seeded_rows([1])[0].copy(), np.zeros(1_000_000)
    play_all(row.ctypes.data, np.full(len(out), 2), 0, 1, out)

    expected = np.random.Generator(np.random.PCG64(1)).normal(0.0, 2.0, len(out))
    assert abs(out).max() > 2 * 3.6541528853610088  # beyond which numbers come from the tail
    assert (out == expected).all()


def mix(rng, n, values):
    shuffled = values.copy()
    rng.shuffle(shuffled)
    drawn = rng.exponential(2.5), rng.choice(n), rng.choice(values), rng.integers(-5, 5, endpoint=True)
    return drawn, (rng.permutation(n), shuffled)


def choose(rng, n, size, values, shares):
    one = rng.choice((1, 5, 7)), rng.choice([1.5, 2.5]), rng.choice(4, p=shares), rng.choice(values, p=shares)
    many = rng.choice(n, size=size), rng.choice(values, (2, 3)), rng.choice(4, size=5, p=shares)
    some = rng.choice(n, size, replace=False), rng.choice(values, size=3, replace=False)
    turned = rng.permutation(values), rng.permutation((1, 2, 3, 4, 5))
    whole = rng.integers(-(2**63), 2**63 - 1, endpoint=True), rng.integers(0, 2**32 - 1, 3, endpoint=True)
    spread = rng.standard_exponential(), rng.exponential(0.5, size=7)
    return one, many, some, turned, whole, spread


_mix, _choose = njit(mix), njit(choose)


@njit
def mix_all(address, n, values):
    return _mix(stream_at(types.int64(address)), n, values)


@njit
def choose_all(address, n, size, values, shares):
    return _choose(stream_at(types.int64(address)), n, size, values, shares)


def assert_numpys(ours, theirs, *arguments) -> None:
    """The same draws for many seeds, which leave the same streams."""
    for seed in range(40):
        row, rng = seeded_rows([seed])[0].copy(), np.random.Generator(np.random.PCG64(seed))
        for one, other in zip(ours(row.ctypes.data, *arguments), theirs(rng, *arguments), strict=True):
            for a, b in zip(one, other, strict=True):
                np.testing.assert_array_equal(a, b)
                assert np.asarray(a).dtype == np.asarray(b).dtype
        assert (row == row_of(rng.bit_generator)).all()


def test_shuffles_are_numpys() -> None:
    """In one test, which one process compiles."""
    for n in (1, 2, 50, 70_000):
        assert_numpys(mix_all, mix, n, np.array([5.0, -1.0, 2.5, 7.0]))


@pytest.mark.parametrize(
    ("n", "size"), [(1, 1), (7, 0), (7, 7), (9_999, 700), (10_001, 199), (10_001, 201), (70_000, 3_000)]
)
def test_choices_are_numpys(n: int, size: int) -> None:
    """Also of different values, which NumPy draws in two ways."""
    values, shares = np.array([5.0, -1.0, 2.5, 7.0]), np.array([0.1, 0.2, 0.3, 0.4])
    assert_numpys(choose_all, choose, n, size, values, shares)


@pytest.mark.parametrize("wrong", [np.inf, -np.inf, np.nan, -0.1, 2.0])
def test_wrong_probabilities(wrong: float) -> None:
    """Infinite ones among others, whose sum is none, would choose a value behind the last."""
    row, values = seeded_rows([1])[0].copy(), np.array([5.0, -1.0, 2.5, 7.0])
    for shares in (np.array([wrong, 0.5, 0.5, 0.0]), np.array([0.5, wrong, 0.0, 0.5])):
        with pytest.raises(ValueError, match="robabilities"):
            choose(np.random.default_rng(1), 7, 3, values, shares)
        with pytest.raises(ValueError, match="probabilities"):
            choose_all(row.ctypes.data, 7, 3, values, shares)


@given(st.lists(st.integers(0, 2**200), max_size=20))
def test_seeding_is_numpys(seeds: list[int]) -> None:
    rows = seeded_rows(seeds)
    assert rows.shape == (len(seeds), 5)
    for seed, row in zip(seeds, rows, strict=True):
        assert (row == row_of(np.random.PCG64(seed))).all()


def test_a_row_and_a_generator_are_made_of_each_other() -> None:
    rng = np.random.default_rng(3)
    rng.integers(0, 10)  # leaves half a draw

    copy = generator_at(row_of(rng.bit_generator))

    assert copy.bit_generator.state == rng.bit_generator.state
    assert copy.integers(0, 10, 5).tolist() == rng.integers(0, 10, 5).tolist()


def test_a_generator_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="PCG64 generators, but a MT19937 came"):
        row_of(np.random.MT19937(0))


def test_seeds_of_the_operating_system_are_different_and_long() -> None:
    seeds = drawn_seeds(100)
    assert len(set(seeds)) == 100
    assert max(seeds) > 2**120
