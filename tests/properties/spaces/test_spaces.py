"""Laws that every space keeps, over random ones."""

from __future__ import annotations

import json
import pickle
import warnings
from typing import Any

import numpy as np
from hypothesis import HealthCheck, assume, given, settings

from gymnasium.spaces import Box, MultiDiscrete, OneOf, Space, flatdim, flatten, flatten_space, unflatten
from gymnasium.vector.utils import (
    batch_space,
    concatenate,
    create_empty_array,
    create_shared_memory,
    iterate,
    read_from_shared_memory,
    write_to_shared_memory,
)
from tests.properties import strategies
from tests.spaces_zoo import agree
from tests.thorough import THOROUGH

several = settings(
    max_examples=60 if THOROUGH else 30,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def has_members(space: Space[Any]) -> bool:
    """Whether no container in the space is empty: a batch of nothing does not tell how many there were."""
    parts = [getattr(space, name, None) for name in ("feature_space", "node_space", "edge_space")]
    inner = getattr(space, "spaces", None)
    if inner is not None:
        parts = list(inner.values() if isinstance(inner, dict) else inner)
        if not parts:
            return False
    return all(has_members(part) for part in parts if part is not None)


@given(strategies.spaces, strategies.seeds)
@several
def test_samples_are_contained_and_reproducible(space: Space[Any], seed: int) -> None:
    used = space.seed(seed)
    first = [space.sample() for _ in range(3)]
    again = space.seed(used)

    assert agree(again, used)
    assert agree([space.sample() for _ in range(3)], first)
    assert all(sample in space for sample in first)


@given(strategies.spaces, strategies.seeds)
@several
def test_a_pickled_space_is_equal_and_goes_on_alike(space: Space[Any], seed: int) -> None:
    space.seed(seed)
    space.sample()
    twin = pickle.loads(pickle.dumps(space))

    assert twin == space
    assert agree(twin.sample(), space.sample())


@given(strategies.spaces, strategies.seeds)
@several
def test_samples_survive_json(space: Space[Any], seed: int) -> None:
    space.seed(seed)
    samples = [space.sample() for _ in range(2)]

    assert agree(space.from_jsonable(json.loads(json.dumps(space.to_jsonable(samples)))), samples)


@given(strategies.flattenable_spaces, strategies.seeds)
@several
def test_flat_samples_lie_in_a_box(space: Space[Any], seed: int) -> None:
    space.seed(seed)
    sample = space.sample()
    try:
        flat, flat_space = flatten(space, sample), flatten_space(space)
    except ValueError as error:
        assume("exactly" not in str(error))
        raise

    assert isinstance(flat_space, Box)
    assert flat_space.shape == (flatdim(space),)
    assert flat.dtype == flat_space.dtype  # type: ignore[union-attr]
    assert flat in flat_space
    assert flatten_space(flat_space) == flat_space


@given(strategies.flat_leaves, strategies.seeds)
@several
def test_a_leaf_comes_back_from_its_vector(space: Space[Any], seed: int) -> None:
    space.seed(seed)
    sample = space.sample()

    assert agree(unflatten(space, flatten(space, sample)), sample)


@given(strategies.spaces, strategies.seeds)
@several
def test_values_come_back_from_their_batch(space: Space[Any], seed: int) -> None:
    assume(has_members(space))
    space.seed(seed)
    samples = [space.sample() for _ in range(2)]
    batched = batch_space(space, 2)
    batch = concatenate(space, samples, create_empty_array(space, 2))
    values = list(iterate(batched, batch))

    assert batched.sample() in batched
    assert batch in batched
    assert agree(concatenate(space, values, create_empty_array(space, 2)), batch)
    assert agree(values, samples) or holds_scalar_arrays(space)


def holds_scalar_arrays(space: Space[Any]) -> bool:
    """Whether a value has arrays of shape (), which come out of a batch as scalars."""
    if isinstance(space, (Box, MultiDiscrete)):
        return space.shape == ()
    inner = getattr(space, "spaces", ())
    return any(map(holds_scalar_arrays, inner.values() if isinstance(inner, dict) else inner))


@given(strategies.flattenable_spaces, strategies.seeds)
@several
def test_values_survive_shared_memory(space: Space[Any], seed: int) -> None:
    assume(has_members(space))
    space.seed(seed)
    samples = [space.sample() for _ in range(2)]
    memory = create_shared_memory(space, 2)
    for i, sample in enumerate(samples):
        write_to_shared_memory(space, i, sample, memory)
    values = list(iterate(batch_space(space, 2), read_from_shared_memory(space, memory, 2)))

    if not holds_scalar_arrays(space) and not isinstance(space, OneOf):
        assert agree(values, samples)
    assert agree(concatenate(space, values, create_empty_array(space, 2)), read_from_shared_memory(space, memory, 2))


@given(strategies.spaces, strategies.values)
@settings(parent=several, max_examples=200)
def test_contains_answers_with_a_bool_to_every_value(space: Space[Any], value: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert type(space.contains(value)) is bool


@given(strategies.boxes, strategies.seeds)
@several
def test_values_beyond_a_bound_are_not_contained(box: Box, seed: int) -> None:
    assume(box.low.size > 0)
    least, most = box.low.ravel()[0], box.high.ravel()[0]
    box.seed(seed)
    sample = box.sample().ravel()
    with np.errstate(over="ignore"):
        above = (
            np.nextafter(most, np.inf) if box.dtype.kind == "f" else most ^ True if box.dtype.kind == "b" else most + 1
        )
        below = np.nextafter(least, -np.inf) if box.dtype.kind == "f" else least
    for edge in (above, below):
        sample[0] = edge
        inside = bool(least <= edge <= most)
        assert (sample.reshape(box.shape) in box) is inside
