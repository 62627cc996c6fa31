"""Batches of particular spaces."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

from gymnasium.error import CustomSpaceError
from gymnasium.spaces import Box, Dict, Discrete, Graph, MultiBinary, MultiDiscrete, Sequence, Space, Text, Tuple
from gymnasium.spaces.batching import create_zero_array
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
from tests.spaces_zoo import Letters

INF = np.inf


@pytest.mark.parametrize(
    ("space", "batched"),
    [
        (Box(0, 1, (3,)), Box(0, 1, (2, 3))),
        (Box(0, 1, ()), Box(0, 1, (2,))),
        (Discrete(5, start=2, dtype=np.int32), MultiDiscrete([5, 5], start=[2, 2], dtype=np.int32)),
        (MultiDiscrete([2, 3], start=[1, 0]), Box(np.array([[1, 0]] * 2), np.array([[2, 2]] * 2), dtype=np.int64)),
        (MultiBinary((2, 2)), Box(0, 1, (2, 2, 2), np.int8)),
        (Tuple([Discrete(2), MultiBinary(1)]), Tuple([MultiDiscrete([2, 2]), Box(0, 1, (2, 1), np.int8)])),
        (Dict(a=Discrete(2)), Dict(a=MultiDiscrete([2, 2]))),
        (Text(3), Tuple([Text(3), Text(3)])),
    ],
    ids=repr,
)
def test_batched_spaces(space: Space[Any], batched: Space[Any]) -> None:
    assert batch_space(space, 2) == batched


def test_a_batch_of_unbounded_integers_is_unbounded() -> None:
    """Its bounds are the extremes of the dtype, but samples are near zero as the single space's are."""
    batched = batch_space(Box(-INF, INF, (2,), np.int32, seed=0), 3)

    assert isinstance(batched, Box)
    assert not batched.is_bounded("below")
    assert np.abs(batched.sample()).max() < 100


@pytest.mark.parametrize(
    ("spaces", "batched"),
    [
        ([Box(0, 1), Box(2, 3)], Box(np.float32([[0], [2]]), np.float32([[1], [3]]))),
        ([Discrete(2), Discrete(3, start=1)], MultiDiscrete([2, 3], start=[0, 1])),
        ([Discrete(2, dtype=np.int8), Discrete(3, dtype=np.int32)], MultiDiscrete([2, 3], dtype=np.int32)),
        ([MultiDiscrete([2]), MultiDiscrete([3])], Box(np.zeros((2, 1), int), np.array([[1], [2]]), dtype=np.int64)),
        ([MultiBinary(2), MultiBinary(2)], Box(0, 1, (2, 2), np.int8)),
        ([Tuple([Discrete(2)]), Tuple([Discrete(3)])], Tuple([MultiDiscrete([2, 3])])),
        ([Dict(a=Discrete(2)), Dict(a=Discrete(3))], Dict(a=MultiDiscrete([2, 3]))),
        ([Text(1), Text(2)], Tuple([Text(1), Text(2)])),
        ([Sequence(Discrete(1)), Sequence(Discrete(2))], Tuple([Sequence(Discrete(1)), Sequence(Discrete(2))])),
    ],
    ids=repr,
)
def test_batches_of_differing_spaces(spaces: list[Space[Any]], batched: Space[Any]) -> None:
    assert batch_differing_spaces(spaces) == batched


@pytest.mark.parametrize(
    ("spaces", "error"),
    [
        ([], ValueError),
        (["no space"], TypeError),
        ([Discrete(2), Box(0, 1)], TypeError),
        ([Letters(), Letters()], TypeError),
        ([Box(0, 1), Box(0, 1, (2,))], ValueError),
        ([Box(0, 1), Box(0, 1, dtype=np.float64)], ValueError),
        ([MultiDiscrete([2]), MultiDiscrete([2, 2])], ValueError),
        ([MultiBinary(2), MultiBinary(3)], ValueError),
        ([Tuple([Discrete(2)]), Tuple([])], ValueError),
        ([Dict(a=Discrete(2)), Dict(b=Discrete(2))], ValueError),
        ([Discrete(2, start=-1, dtype=np.int8), Discrete(2, dtype=np.uint8)], OverflowError),
    ],
)
def test_spaces_that_differ_too_much_are_refused(spaces: list[Any], error: type[Exception]) -> None:
    if error is OverflowError:
        spaces.reverse()
    with pytest.raises(error):
        batch_differing_spaces(spaces)


def test_what_cannot_be_iterated_over() -> None:
    with pytest.raises(TypeError, match="batch_space"):
        iterate(Discrete(3), 2)
    with pytest.raises(TypeError, match="without items: 5"):
        iterate(Box(0, 1), 5)
    with pytest.raises(CustomSpaceError, match="without items: 5"):
        iterate(batch_space(Text(2), 2), 5)
    with pytest.raises(ValueError, match="shorter"):
        list(iterate(Tuple([MultiBinary(3), MultiBinary(3)]), (np.zeros(3), np.zeros(2))))
    with pytest.raises(ValueError, match="shorter"):
        list(iterate(Dict(a=MultiBinary(3), b=MultiBinary(3)), {"a": np.zeros(3), "b": np.zeros(2)}))


def test_an_empty_stacked_sequence_has_one_value() -> None:
    parts = create_empty_array(Sequence(Box(0, 1, (2,)), stack=True), 3)
    assert [part.shape for part in parts] == [(1, 2)] * 3


def test_lists_are_batches_too() -> None:
    assert list(iterate(MultiDiscrete([3, 3]), [1, 2])) == [1, 2]


def test_concatenation_writes_into_its_memory_and_refuses_lossy_types() -> None:
    space = Box(0, 1, (2,))
    out = create_empty_array(space, 2)

    assert concatenate(space, iter([np.ones(2, np.float32)] * 2), out) is out
    assert out.tolist() == [[1, 1], [1, 1]]
    with pytest.raises(TypeError, match="same_kind"):
        concatenate(Discrete(2), [0.5, 1.5], create_empty_array(Discrete(2), 2))
    with pytest.raises(ValueError, match="shape"):
        concatenate(space, [np.ones(2, np.float32)] * 3, out)


def test_a_users_space_can_register_its_batches() -> None:
    class Stars(Letters):
        pass

    iterate.register(Stars, lambda space, items: iter(items.split("*")))
    concatenate.register(Stars, lambda space, items, out: "*".join(items))
    create_empty_array.register(Stars, lambda space, n=1, fn=np.zeros: "*" * (n - 1))
    batch_space.register(Stars, lambda space, n=1: space)
    batch_differing_spaces.register(Stars, operator.itemgetter(0))
    create_shared_memory.register(Stars, lambda space, n=1, ctx=None: ["?"] * n)
    write_to_shared_memory.register(Stars, lambda space, i, value, memory: memory.__setitem__(i, value))
    read_from_shared_memory.register(Stars, lambda space, memory, n=1: "*".join(memory))
    create_zero_array.register(Stars, lambda space: "a")
    space = Tuple([Stars(), Discrete(3)])
    batched = batch_space(space, 2)
    values = [("a", np.int64(1)), ("b", np.int64(2))]
    batch = concatenate(space, values, create_empty_array(space, 2))
    memory = create_shared_memory(space, 2)
    for i, value in enumerate(values):
        write_to_shared_memory(space, i, value, memory)

    assert batched == batch_differing_spaces([space, space]) == Tuple([Stars(), MultiDiscrete([3, 3])])
    assert batch[0] == "a*b"
    assert list(iterate(batched, batch)) == values
    assert list(iterate(batched, read_from_shared_memory(space, memory, 2))) == values
    assert create_zero_array(space) == ("a", 0)


def test_shared_arrays_are_views() -> None:
    space = Box(0, 1, (2,), np.float16)
    memory = create_shared_memory(space, 2)
    batch = read_from_shared_memory(space, memory, 2)
    write_to_shared_memory(space, 1, np.ones(2), memory)

    assert batch.tolist() == [[0, 0], [1, 1]]


@pytest.mark.parametrize(
    ("space", "zero"),
    [
        (Box(np.float32([1, -5, -1]), np.float32([2, -3, 1])), [1, -3, 0]),
        (MultiDiscrete([2, 2], start=[3, -1]), [3, -1]),
        (MultiBinary(2), [0, 0]),
    ],
    ids=repr,
)
def test_zeros_are_as_near_as_the_bounds_allow(space: Space[Any], zero: list[int]) -> None:
    value = create_zero_array(space)

    assert value.tolist() == zero
    assert value.dtype == space.dtype


def test_zeros_without_arrays() -> None:
    assert create_zero_array(Discrete(3, start=2)) == 2
    assert create_zero_array(Text(3, min_length=2, charset="ba")) == "aa"
    assert create_zero_array(Sequence(Discrete(2))) == ()
    graph = create_zero_array(Graph(Box(1, 2, (3,)), Discrete(2)))
    assert (graph.nodes.tolist(), graph.edges.tolist(), graph.edge_links.tolist()) == ([[1, 1, 1]], [0], [[0, 0]])
    with pytest.raises(CustomSpaceError):
        create_zero_array(Letters())
    with pytest.raises(TypeError):
        create_zero_array("no space")
