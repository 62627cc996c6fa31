"""Discrete, MultiBinary and MultiDiscrete."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gymnasium.spaces import Discrete, MultiBinary, MultiDiscrete, Space, flatdim, flatten, unflatten

I8 = np.int8


def mask(*values: int) -> NDArray[np.int8]:
    return np.array(values, I8)


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ({"n": 0}, ValueError),
        ({"n": -2}, ValueError),
        ({"n": 2.0}, TypeError),
        ({"n": True}, TypeError),
        ({"n": np.array(2)}, TypeError),
        ({"n": 2, "start": 0.5}, TypeError),
        ({"n": 2, "dtype": None}, TypeError),
        ({"n": 2, "dtype": np.float32}, TypeError),
        ({"n": 256, "dtype": np.uint8}, OverflowError),
        ({"n": 2, "start": -1, "dtype": np.uint8}, OverflowError),
        ({"n": 200, "start": 100, "dtype": np.uint8}, OverflowError),
        ({"n": 2, "start": 2**63 - 1}, OverflowError),
    ],
)
def test_discrete_refuses_bad_arguments(args: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        Discrete(**args)


def test_discrete_reaches_the_edge_of_its_dtype() -> None:
    space = Discrete(155, start=101, dtype=np.uint8, seed=0)

    assert {int(space.sample()) for _ in range(3000)} == set(range(101, 256))
    assert 255 in space
    assert 256 not in space
    assert 2**80 not in space


def test_discrete_contains_integers_that_cast_safely() -> None:
    assert all(x in Discrete(3) for x in (0, 2, True, np.int64(1), np.uint8(1), np.array(2)))
    assert not any(x in Discrete(3) for x in (-1, 3, 1.0, np.float32(1), np.uint64(1), np.array([1]), "1", None))
    assert np.int64(1) not in Discrete(3, dtype=np.int32)
    assert np.bool_(True) not in Discrete(3)


def test_discrete_representation() -> None:
    assert repr(Discrete(5)) == "Discrete(5)"
    assert repr(Discrete(5, start=3)) == "Discrete(5, start=3)"
    assert repr(Discrete(5, start=3, dtype=np.int32)) == "Discrete(5, start=3, dtype=int32)"
    assert Discrete(5) != Discrete(5, start=1)
    assert Discrete(5) != Discrete(5, dtype=np.int32)


def test_discrete_from_before_there_was_start() -> None:
    space = Discrete(5)
    state = {key: value for key, value in space.__dict__.items() if key != "start"}
    old = Discrete.__new__(Discrete)
    old.__setstate__(state)

    assert old == space


def test_discrete_masks() -> None:
    space = Discrete(4, start=2, seed=0)

    assert {int(space.sample(mask=mask(0, 1, 0, 1))) for _ in range(50)} == {3, 5}
    assert type(space.sample(mask=mask(1, 1, 1, 1))) is np.int64
    before = space.np_random.bit_generator.state
    assert space.sample(mask=mask(0, 0, 0, 0)) == 2
    assert space.np_random.bit_generator.state == before


def test_a_masked_draw_is_that_of_choice() -> None:
    allowed = mask(1, 0, 1, 1, 0, 1)
    space, rng = Discrete(6, seed=3), np.random.default_rng(3)

    assert [space.sample(mask=allowed) for _ in range(50)] == [rng.choice(allowed.nonzero()[0]) for _ in range(50)]


def test_probabilities_that_sum_nearly_to_one_are_rescaled() -> None:
    weights = np.array([0.5, 0.5 + 5e-6])

    assert Discrete(2, seed=0).sample(probability=weights) in Discrete(2)
    assert MultiDiscrete([2], seed=0).sample(probability=(weights,)) in MultiDiscrete([2])


@pytest.mark.parametrize(
    ("space", "bad"),
    [
        (Discrete(2), {"mask": [1, 0]}),
        (Discrete(2), {"mask": np.array([1, 0])}),
        (Discrete(2), {"mask": mask(1, 0, 1)}),
        (Discrete(2), {"mask": mask(1, 2)}),
        (Discrete(2), {"mask": mask(1, -1)}),
        (Discrete(2), {"probability": mask(1, 0)}),
        (Discrete(2), {"probability": np.array([0.5, 0.6])}),
        (Discrete(2), {"probability": np.array([1.5, -0.5])}),
        (Discrete(2), {"probability": np.array([np.nan, 1])}),
        (Discrete(2), {"probability": np.array([1.0])}),
        (MultiBinary(2), {"mask": mask(1, 3)}),
        (MultiBinary(2), {"mask": mask(1)}),
        (MultiBinary(2), {"probability": np.array([0.5, 1.1])}),
        (MultiDiscrete([2, 3]), {"mask": [mask(1, 0), mask(1, 0, 0)]}),
        (MultiDiscrete([2, 3]), {"mask": (mask(1, 0),)}),
        (MultiDiscrete([2, 3]), {"mask": (mask(1, 0), mask(1, 0))}),
        (MultiDiscrete([2, 3]), {"probability": (np.array([0.5, 0.5]), np.array([0.5, 0.4, 0.0]))}),
    ],
)
def test_masks_of_another_form_are_refused(space: Space[Any], bad: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match=r"mask|robabilit"):
        space.sample(**bad)


@pytest.mark.parametrize("n", [0, -1, (2, 0), 1.5, None])
def test_multi_binary_refuses_what_is_no_shape(n: Any) -> None:
    with pytest.raises(ValueError, match="`n`"):
        MultiBinary(n)


def test_multi_binary_takes_lengths_and_shapes() -> None:
    assert (MultiBinary(3).n, MultiBinary(3).shape) == (3, (3,))
    assert MultiBinary(np.int64(3)) == MultiBinary(3)  # type: ignore[arg-type]
    assert MultiBinary([2, 3]).n == MultiBinary(np.array([2, 3])).n == (2, 3)
    assert MultiBinary(3) != MultiBinary((3,))


def test_multi_binary_contains_zeros_and_ones_of_any_type() -> None:
    space = MultiBinary(2)

    assert all(x in space for x in ([0, 1], (1, 1), np.array([0.0, 1.0]), np.array([True, False])))
    assert not any(x in space for x in ([0, 2], [0.5, 1], [0], [[0, 1], [1]], 1, "01", np.array(["0", "1"])))


def test_multi_binary_masks_fix_entries() -> None:
    space = MultiBinary(3, seed=0)
    samples = np.array([space.sample(mask=mask(0, 1, 2)) for _ in range(50)])

    assert samples.dtype == I8
    assert samples.min(axis=0).tolist() == [0, 1, 0]
    assert samples.max(axis=0).tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("kwargs", "error"),
    [
        ({"nvec": [2, 0]}, ValueError),
        ({"nvec": [2], "dtype": None}, ValueError),
        ({"nvec": [2], "dtype": float}, ValueError),
        ({"nvec": [2], "start": [0, 0]}, ValueError),
        ({"nvec": [2.5]}, ValueError),
        ({"nvec": np.array([300]), "dtype": np.uint8}, ValueError),
        ({"nvec": [200], "start": [100], "dtype": np.uint8}, OverflowError),
    ],
)
def test_multi_discrete_refuses_bad_arguments(kwargs: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        MultiDiscrete(**kwargs)


def test_multi_discrete_contains_integers_in_their_ranges() -> None:
    space = MultiDiscrete([2, 3], start=[-1, 1])

    assert all(x in space for x in ([0, 3], (-1, 1), np.array([0, 1], np.int8)))
    assert not any(x in space for x in ([1, 1], [0, 0], [0], [[0, 1], [1]], [0.0, 1.0], np.array([0, 1], np.uint64)))


def test_multi_discrete_parts_go_on_from_its_generator() -> None:
    space = MultiDiscrete([[2, 3], [4, 5]], start=[[0, 1], [2, 3]], dtype=np.int32, seed=1)

    assert space[1, 1] == Discrete(5, start=3, dtype=np.int32)
    assert space[1] == MultiDiscrete([4, 5], start=[2, 3], dtype=np.int32)
    assert space[0].np_random.bit_generator.state == space.np_random.bit_generator.state
    assert len(MultiDiscrete([2, 3])) == 2
    with pytest.warns(UserWarning, match="first axis"):
        assert len(space) == 2


def test_multi_discrete_masks() -> None:
    space = MultiDiscrete([[2, 3]], start=[[0, 5]], seed=0)
    samples = {tuple(space.sample(mask=((mask(0, 0), mask(1, 0, 1)),)).ravel().tolist()) for _ in range(50)}

    assert samples == {(0, 5), (0, 7)}
    assert repr(space) == "MultiDiscrete([[2 3]], start=[[0 5]])"
    assert repr(MultiDiscrete([2, 3])) == "MultiDiscrete([2 3])"


def test_the_largest_counts_are_sampled() -> None:
    space = MultiDiscrete([2**63 - 1, 2**62], start=[0, -(2**63)], seed=0)

    assert all(space.sample() in space for _ in range(100))


@pytest.mark.parametrize(
    ("space", "x"), [(Discrete(2), 2), (Discrete(2, start=5), 4), (MultiDiscrete([2, 2]), [0, -1])]
)
def test_only_values_have_one_hot_vectors(space: Space[Any], x: Any) -> None:
    with pytest.raises(ValueError, match="one-hot"):
        flatten(space, x)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_one_hot_vectors_at_the_ends_of_a_dtype(dtype: type[np.integer[Any]]) -> None:
    """A difference of two values that the dtype cannot hold is not taken for an index."""
    least, greatest = np.iinfo(dtype).min, np.iinfo(dtype).max
    for start, n in [(least, 3), (least, greatest), (greatest - 2, 3), (greatest, 1)]:
        space = MultiDiscrete([n], dtype, start=[start])
        for x in range(least, greatest + 1):
            value = np.array([x], dtype)
            if value in space:
                assert flatten(space, value).tolist() == [i == x - start for i in range(n)]
            else:
                with pytest.raises(ValueError, match="one-hot"):
                    flatten(space, value)


@pytest.mark.parametrize("space", [Discrete(3), MultiDiscrete([1, 2])], ids=repr)
def test_a_vector_of_zeros_is_no_value(space: Space[Any]) -> None:
    with pytest.raises(ValueError, match="one-hot"):
        unflatten(space, np.zeros(3))


# The chi-square values that samples of the right distribution exceed once in a hundred times.
CRITICAL = {1: 6.635, 2: 9.210, 3: 11.345}


def chi_square(counts: NDArray[Any], weights: NDArray[np.float64]) -> float:
    expected = counts.sum() * weights
    return float(((counts - expected) ** 2 / expected).sum())


@pytest.mark.parametrize("weights", [np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.7, 0.2, 0.1])], ids=str)
def test_samples_follow_their_probabilities(weights: NDArray[np.float64]) -> None:
    n = len(weights)
    discrete = Discrete(n, seed=0)
    counts = np.bincount([discrete.sample(probability=weights) for _ in range(2000)])
    multi = MultiDiscrete([n, n], seed=0)
    pairs = np.array([multi.sample(probability=(weights, weights)) for _ in range(1000)])

    assert chi_square(counts, weights) < CRITICAL[n - 1]
    for column in pairs.T:
        assert chi_square(np.bincount(column), weights) < CRITICAL[n - 1]


def test_bits_follow_their_probabilities() -> None:
    weights = np.array([0.0, 0.25, 1.0])
    space = MultiBinary(3, seed=0)
    means = np.mean([space.sample(probability=weights) for _ in range(2000)], axis=0)

    assert means[[0, 2]].tolist() == [0, 1]
    assert chi_square(2000 * np.array([1 - means[1], means[1]]), np.array([0.75, 0.25])) < CRITICAL[1]


def test_a_multi_discrete_changed_in_place_flattens_by_its_new_counts() -> None:
    space = MultiDiscrete([2, 3])
    assert flatten(space, np.array([1, 2])).tolist() == [0, 1, 0, 0, 1]
    space.nvec[:] = [3, 2]
    flat = flatten(space, np.array([2, 1]))
    assert flat.tolist() == [0, 0, 1, 0, 1]
    assert unflatten(space, flat).tolist() == [2, 1]
    assert flatdim(space) == 5
