"""Batches of values as vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete, OneOf, Space, Tuple
from gymnasium.spaces.batching import concatenate, create_empty_array
from gymnasium.spaces.utils import flatten, flatten_space
from gymnasium.transforms.flattening import flat_batch, flattening
from tests.spaces_zoo import SPACES, agree, seeded

N = 4


def has_flat_batches(space: Space[Any]) -> bool:
    """Not of a structure without parts, which does not say how many there are, nor of a choice of dynamic parts."""
    if isinstance(space, OneOf):
        return space.is_np_flattenable
    return not isinstance(space, (Dict, Tuple)) or len(space.spaces) > 0


@pytest.mark.parametrize("space", [*filter(has_flat_batches, SPACES)], ids=repr)
def test_each_row_is_the_flat_value(space: Space[Any]) -> None:
    seeded(space)
    values = [space.sample() for _ in range(N)]
    flat = flatten_space(space)
    found = flat_batch(space, concatenate(space, values, create_empty_array(space, N)))

    assert agree(found, concatenate(flat, [flatten(space, v) for v in values], create_empty_array(flat, N)))


@pytest.mark.parametrize("space", [Box(0, 1, (3,)), Dict(a=Box(0, 1, (2,)), b=Discrete(3))], ids=repr)
def test_the_result_is_new_memory(space: Space[Any]) -> None:
    values = [space.sample() for _ in range(N)]
    batch = concatenate(space, values, create_empty_array(space, N))
    part = batch["a"] if isinstance(batch, dict) else batch

    assert not np.shares_memory(flattening(space).many(batch), part)


@pytest.mark.parametrize("space", [Discrete(3, start=1), MultiDiscrete([3, 2], start=[1, 1])], ids=repr)
def test_a_value_outside_has_no_one_hot_vector(space: Any) -> None:
    for wrong in (0, 4):
        batch = np.ones((3, *space.shape), np.int64)
        batch[2] = wrong
        with pytest.raises(ValueError, match="row 2"):
            flat_batch(space, batch)


class Doubled(Box):
    """A user's Box that flattens in its own way."""

    def _flattened(self, x: Any) -> Any:
        return super()._flattened(x) * 2


class Registered(Box):
    """Another one, registered."""


@flatten.register(Registered)
def _flat_registered(space: Registered, x: Any) -> Any:
    return np.asarray(x).ravel() * 2


@pytest.mark.parametrize("kind", [Doubled, Registered])
def test_a_users_space_is_asked_itself(kind: Any) -> None:
    space = kind(0, 1, (2,))

    assert flat_batch(space, np.ones((3, 2), np.float32)).tolist() == [[2, 2]] * 3
