"""`Stream` yields the very numbers of NumPy's `Generator`."""

from __future__ import annotations

import copy

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gymnasium.functional.stream import Stream

bounds = st.floats(-1e6, 1e6)
integers = st.integers(-(2**31), 2**31)
draws = st.one_of(
    st.just(("random", ())),
    st.tuples(st.just("uniform"), st.tuples(bounds, bounds).map(lambda pair: tuple(sorted(pair)))),
    st.tuples(
        st.just("integers"), st.tuples(integers, st.integers(1, 2**33)).map(lambda low_n: (low_n[0], sum(low_n)))
    ),
    st.tuples(st.just("integers"), st.tuples(st.integers(1, 2**33))),
    st.tuples(st.just("normal"), st.tuples(bounds, st.floats(0, 10))),
)


def pair(seed):
    """The same stream of random numbers twice: through `Stream`, and through NumPy alone."""
    return Stream(np.random.PCG64(seed)), np.random.default_rng(seed)


@given(st.integers(0, 2**32), st.lists(draws, max_size=30))
def test_any_sequence_of_draws_is_that_of_the_generator(seed, calls):
    """To the bit, the buffered halves of 32-bit draws included."""
    stream, generator = pair(seed)
    for name, arguments in calls:
        assert getattr(stream, name)(*arguments) == getattr(generator, name)(*arguments)
    assert stream.bit_generator.state == generator.bit_generator.state


@given(st.integers(0, 2**32), st.integers(2**31, 2**32 - 1))
def test_integers_reject_as_the_generator_does(seed, n):
    """Ranges just below 2^32 reject up to half of the words."""
    stream, generator = pair(seed)
    assert [stream.integers(0, n) for _ in range(20)] == [generator.integers(0, n) for _ in range(20)]


def test_arrays_and_options_are_left_to_numpy():
    stream, generator = pair(3)
    for draw in (
        lambda rng: rng.uniform(-1, 1, size=3),
        lambda rng: rng.uniform(np.array([0.0, 5.0]), 9.0),
        lambda rng: rng.integers(5, size=(2, 2)),
        lambda rng: rng.integers(0, 5, endpoint=True),
        lambda rng: rng.integers(0, 5, dtype=np.uint8),
        lambda rng: rng.choice(["a", "b"]),
    ):
        np.testing.assert_array_equal(draw(stream), draw(generator))
    assert stream.bit_generator.state == generator.bit_generator.state


def test_one_bit_generator_may_be_drawn_from_by_both():
    stream, generator = pair(4)
    mixed = np.random.Generator(stream.bit_generator)
    assert [stream.integers(0, 7), mixed.integers(0, 7), stream.random()] == [
        generator.integers(0, 7),
        generator.integers(0, 7),
        generator.random(),
    ]


def test_copy_continues_on_its_own():
    """A deep copy of a stream stands where the original stood, and does not move it."""
    stream, generator = pair(5)
    twin = copy.deepcopy(stream)
    expected = generator.random()
    assert (twin.random(), stream.random()) == (expected, expected)
