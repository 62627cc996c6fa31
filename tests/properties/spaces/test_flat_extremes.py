"""Flat values come back as they were, at the ends of every dtype, or are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from gymnasium.spaces import (
    Box,
    Dict,
    Discrete,
    MultiBinary,
    MultiDiscrete,
    OneOf,
    Space,
    Text,
    Tuple,
    flatten,
    flatten_space,
    unflatten,
)
from gymnasium.spaces.batching import concatenate, create_empty_array
from gymnasium.transforms.flattening import flat_batch
from tests.properties import strategies
from tests.properties.spaces.test_spaces import has_members
from tests.spaces_zoo import FLATTENABLE, agree

INT64, UINT64 = np.iinfo(np.int64), np.iinfo(np.uint64)
ANY_INT64, ANY_UINT64 = Box(INT64.min, INT64.max, (2,), np.int64), Box(0, UINT64.max, (2,), np.uint64)
FLOAT = Box(-1, 1, (2,), np.float32)


def ends(space: Space[Any]) -> list[Any]:
    """Values at the ends of what the space holds."""
    if isinstance(space, Box):
        if space.dtype.kind != "f":
            return [space.low, space.high]
        finite = np.finfo(space.dtype)
        return [np.asarray(np.clip(bound, finite.min, finite.max)) for bound in (space.low, space.high)]
    if isinstance(space, Discrete):
        return [space.start, space.start + (space.n - space.dtype.type(1))]
    if isinstance(space, MultiDiscrete):
        return [space.start, np.asarray(space.start + (space.nvec - space.dtype.type(1)))]
    if isinstance(space, MultiBinary):
        return [np.zeros(space.shape, np.int8), np.ones(space.shape, np.int8)]
    if isinstance(space, Text):
        return [space.characters[-1:] * length for length in (space.min_length, space.max_length)]
    if isinstance(space, OneOf):
        return [(np.int64(i), value) for i, member in enumerate(space.spaces) for value in ends(member)]
    if isinstance(space, Tuple):
        return list(zip(*_rows([ends(member) for member in space.spaces]), strict=True)) or [()]
    assert isinstance(space, Dict)
    rows = zip(*_rows([ends(member) for member in space.spaces.values()]), strict=True)
    return [dict(zip(space.spaces, row, strict=True)) for row in rows] or [{}]


def _rows(columns: list[list[Any]]) -> list[list[Any]]:
    """The columns, each repeated to one length, the second and every other one the other way round."""
    length = max(map(len, columns), default=0)
    return [[column[:: -1 if i % 2 else 1][k % len(column)] for k in range(length)] for i, column in enumerate(columns)]


def check(space: Space[Any]) -> bool:
    """Check the law, and return whether nothing was refused."""
    values = [value for value in ends(space) if value in space]
    try:
        flat_space = flatten_space(space)
    except ValueError as error:
        assert "exactly" in str(error)
        for value in values:
            with pytest.raises(ValueError, match="exactly"):
                flatten(space, value)
        return False
    kept = []
    for value in values:
        try:
            flat = flatten(space, value)
        except ValueError as error:
            assert "Beside floats" in str(error)
            continue
        assert flat.dtype == flat_space.dtype  # type: ignore[union-attr]
        assert flat in flat_space
        assert agree(unflatten(space, flat), value)
        kept.append(value)
    if kept and not isinstance(space, OneOf) and has_members(space):
        batch = flat_batch(space, concatenate(space, kept, create_empty_array(space, len(kept))))
        assert agree(batch, np.stack([flatten(space, value) for value in kept]))
    return len(kept) == len(values)


@pytest.mark.parametrize("space", FLATTENABLE, ids=repr)
def test_each_space_of_the_zoo(space: Space[Any]) -> None:
    assert check(space)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(strategies.flattenable_spaces)
def test_any_space(space: Space[Any]) -> None:
    check(space)


@pytest.mark.parametrize(
    ("space", "dtype"),
    [
        (Tuple([ANY_UINT64, Discrete(3)]), np.uint64),
        (Dict(board=ANY_UINT64, seen=Box(0, INT64.max, (1,), np.int64)), np.uint64),
        (Tuple([ANY_INT64, Discrete(3, dtype=np.uint64)]), np.int64),
        (Tuple([ANY_INT64, Box(0, INT64.max, (1,), np.uint64)]), np.int64),
        (Tuple([Tuple([ANY_UINT64, MultiBinary(2)]), Dict(a=Discrete(2))]), np.uint64),
        (OneOf([ANY_UINT64, Discrete(3)]), np.uint64),
        (Tuple([Box(0, 9, (1,), np.uint64), Box(-9, 9, (1,), np.int8)]), np.float64),
        (Tuple([Box(0, 9, (1,), np.int64), FLOAT]), np.float64),
    ],
    ids=repr,
)
def test_the_dtype_is_the_usual_one_unless_only_integers_hold_all(space: Space[Any], dtype: Any) -> None:
    assert check(space)
    assert flatten_space(space).dtype == dtype


@pytest.mark.parametrize(
    "space",
    [
        Tuple([ANY_UINT64, Box(-1, 1, (1,), np.int8)]),
        Dict(a=ANY_UINT64, b=ANY_INT64),
        OneOf([ANY_UINT64, ANY_INT64]),
        Tuple([Discrete(2), Dict(a=Tuple([ANY_INT64, ANY_UINT64]))]),
    ],
    ids=repr,
)
def test_integers_that_no_dtype_holds_are_refused(space: Space[Any]) -> None:
    with pytest.raises(ValueError, match="narrower bounds"):
        flatten_space(space)
    assert not check(space)


@pytest.mark.parametrize("space", [Tuple([ANY_INT64, FLOAT]), OneOf([ANY_INT64, FLOAT])], ids=repr)
def test_beside_floats_only_integers_that_are_floats_can_be_flattened(space: Any) -> None:
    """The space is flattened all the same: most of its values are small, and unbounded where nobody knows better."""

    def value(number: int) -> Any:
        numbers = np.array([0, number])
        return (np.int64(0), numbers) if isinstance(space, OneOf) else (numbers, np.zeros(2, np.float32))

    for number in (2**53, -(2**53)):
        assert agree(unflatten(space, flatten(space, value(number))), value(number))
    for number in (2**53 + 1, INT64.min):
        with pytest.raises(ValueError, match=str(number)):
            flatten(space, value(number))
