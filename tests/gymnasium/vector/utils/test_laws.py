"""Laws of batching and sharing that every space keeps, over the zoo."""

from __future__ import annotations

import copy
import multiprocessing
from typing import Any

import numpy as np
import pytest

from gymnasium.error import CustomSpaceError
from gymnasium.spaces import Space, Tuple
from gymnasium.vector.utils import (
    batch_differing_spaces,
    batch_space,
    concatenate,
    create_empty_array,
    create_shared_memory,
    iterate,
    read_from_shared_memory,
    write_to_shared_memory,
)
from tests.spaces_zoo import ARRAY_SPACES, DYNAMIC, FLATTENABLE, FLATTENABLE_COMPOSITES, SPACES, Letters, agree, seeded

N = 3
# A batch of nothing is nothing: how many there were is lost.
NOT_EMPTY = [space for space in SPACES if repr(space) not in ("Tuple()", "Dict()")]

every = pytest.mark.parametrize("space", NOT_EMPTY, ids=repr)


def stackable(space: Space[Any]) -> bool:
    return not isinstance(batch_space(space, 1), Tuple) or isinstance(space, Tuple)


@every
def test_a_sample_of_the_batched_space_holds_n_values(space: Space[Any]) -> None:
    batched = batch_space(seeded(space), N)
    batch = batched.sample()
    values = list(iterate(batched, batch))

    assert batch in batched
    assert len(values) == N
    assert all(value in space or np.asarray(value) in space for value in values)


@pytest.mark.parametrize("space", [*SPACES, Letters()], ids=repr)
def test_a_batch_has_a_copy_of_the_generator(space: Space[Any]) -> None:
    """In the state of the space's own, whatever seeds its members get."""
    state = seeded(space).np_random.bit_generator.state
    rng = batch_space(space, N).np_random

    assert rng is not space.np_random
    assert rng.bit_generator.state == space.np_random.bit_generator.state == state


@every
def test_values_come_back_from_their_batch(space: Space[Any]) -> None:
    seeded(space)
    values = [space.sample() for _ in range(N)]
    batch = concatenate(space, values, create_empty_array(space, N))
    batched = batch_space(space, N)

    assert batch in batched
    assert agree([as_sampled(space, value) for value in iterate(batched, batch)], values)


def as_sampled(space: Space[Any], value: Any) -> Any:
    """A scalar out of a batch of arrays of shape () is the array."""
    scalar = isinstance(value, np.generic) and isinstance(space.sample(), np.ndarray)
    return np.asarray(value) if scalar else value


@every
def test_batched_spaces_are_seeded_by_their_space(space: Space[Any]) -> None:
    first, second = (batch_space(seeded(space, 5), N) for _ in range(2))

    assert first == second
    assert agree(first.sample(), second.sample())


@every
def test_batching_leaves_the_generator_as_it_is(space: Space[Any]) -> None:
    seeded(space, 5).np_random  # noqa: B018  (makes it where the seed did not)
    state = copy.deepcopy(space.np_random.bit_generator.state)
    batch_space(space, N).sample()

    assert space.np_random.bit_generator.state == state


@every
def test_equal_spaces_batch_alike_as_differing_ones(space: Space[Any]) -> None:
    spaces = [copy.deepcopy(space) for _ in range(N)]

    assert batch_differing_spaces(spaces) == batch_space(space, N)


@pytest.mark.parametrize("space", [*ARRAY_SPACES, *FLATTENABLE_COMPOSITES[:7]], ids=repr)
@pytest.mark.parametrize("fn", [np.zeros, np.ones])
def test_empty_arrays_have_the_shape_of_the_batch(space: Space[Any], fn: Any) -> None:
    empty = create_empty_array(space, N, fn)
    batch = concatenate(space, [seeded(space).sample() for _ in range(N)], create_empty_array(space, N))

    def layout(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(layout, value))
        if isinstance(value, dict):
            return {key: layout(part) for key, part in value.items()}
        return (value.shape, value.dtype) if isinstance(value, np.ndarray) else type(value)

    assert layout(empty) == layout(batch)


@pytest.mark.parametrize("space", [space for space in FLATTENABLE if space in NOT_EMPTY], ids=repr)
@pytest.mark.parametrize("context", [None, "spawn"])
def test_values_survive_shared_memory(space: Space[Any], context: str | None) -> None:
    seeded(space)
    values = [space.sample() for _ in range(N)]
    ctx = multiprocessing.get_context(context)
    memory = create_shared_memory(space, N, ctx)
    for i, value in enumerate(values):
        write_to_shared_memory(space, i, value, memory)
    batch = read_from_shared_memory(space, memory, N)

    assert batch in batch_space(space, N)
    assert agree([as_sampled(space, value) for value in iterate(batch_space(space, N), batch)], values)


@pytest.mark.parametrize("space", DYNAMIC, ids=repr)
def test_dynamic_spaces_say_how_to_do_without_shared_memory(space: Space[Any]) -> None:
    with pytest.raises(TypeError, match=r"dynamic shape.*shared_memory=False"):
        create_shared_memory(space)


@pytest.mark.parametrize(
    "function",
    [batch_space, create_empty_array, create_shared_memory, lambda x: iterate(x, []), lambda x: concatenate(x, [], ())],
)
def test_what_is_no_space_is_refused(function: Any) -> None:
    with pytest.raises(TypeError, match="Space"):
        function("no space")


def test_a_space_without_rules_is_named() -> None:
    from tests.spaces_zoo import Letters

    space = Letters(seed=1)
    assert batch_space(space, 2) == Tuple([space, space])
    assert concatenate(space, ["a", "b"], create_empty_array(space, 2)) == ("a", "b")
    assert create_empty_array(space, 2) is None
    with pytest.raises(CustomSpaceError, match="Letters"):
        iterate(space, ["a"])
    with pytest.raises(CustomSpaceError, match="Letters"):
        create_shared_memory(space)
    with pytest.raises(TypeError, match="Letters"):
        batch_differing_spaces([space, space])
