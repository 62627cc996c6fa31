"""Parts of structured values."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest

from gymnasium.spaces import Box, Dict, Discrete, Tuple
from gymnasium.transforms.selection import select

NAMED = Dict(a=Discrete(2), b=Discrete(3), c=Discrete(4))
PLACED = Tuple([Discrete(2), Discrete(3), Discrete(4)])


def test_named_parts_stay_in_the_order_of_the_space() -> None:
    transform = select(NAMED, ["c", "a"])

    assert list(transform.space.spaces) == ["a", "c"]  # type: ignore[attr-defined]
    assert list(transform.one({"a": 1, "b": 2, "c": 3}).items()) == [("a", 1), ("c", 3)]


def test_an_unsorted_dict_takes_the_order_of_the_keys() -> None:
    unsorted = Dict(OrderedDict(b=Discrete(2), a=Discrete(3)), sort_keys=False)

    assert list(select(unsorted, ["a", "b"]).space.spaces) == ["a", "b"]  # type: ignore[attr-defined]


def test_placed_parts_take_the_order_of_the_indices() -> None:
    transform = select(PLACED, (2, 0))

    assert transform.space == Tuple([Discrete(4), Discrete(2)])
    assert transform.one((7, 8, 9)) == (9, 7)
    assert transform.many(([1, 2], [3, 4], [5, 6])) == ([5, 6], [1, 2])


@pytest.mark.parametrize(
    ("space", "keys", "error", "named"),
    [
        (NAMED, {"a"}, TypeError, "set"),
        (NAMED, [0], TypeError, "str"),
        (NAMED, ["a", "x", "y"], ValueError, "'x', 'y'"),
        (NAMED, ["a", "a"], ValueError, "once"),
        (NAMED, [], ValueError, "empty"),
        (PLACED, ["a"], TypeError, "int"),
        (PLACED, [0, 0], ValueError, "once"),
        (PLACED, [3], ValueError, "3"),
        (PLACED, [-1], ValueError, "-1"),
        (PLACED, (), ValueError, "empty"),
        (Box(0, 1), ["a"], ValueError, "Dict and Tuple"),
    ],
)
def test_keys_that_do_not_fit_are_named(space: Any, keys: Any, error: type[Exception], named: str) -> None:
    with pytest.raises(error, match=named):
        select(space, keys)
