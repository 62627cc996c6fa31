"""Attributes of spaces that programs assign to: what follows from them follows."""

from __future__ import annotations

import copy
import json
import multiprocessing
import pickle
from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.spaces import (
    Box,
    Dict,
    Discrete,
    Graph,
    MultiBinary,
    MultiDiscrete,
    OneOf,
    Sequence,
    Space,
    Text,
    Tuple,
    flatten,
    flatten_space,
    unflatten,
)
from gymnasium.vector.utils import (
    batch_space,
    concatenate,
    create_empty_array,
    create_shared_memory,
    iterate,
    read_from_shared_memory,
    write_to_shared_memory,
)
from tests.ours import with_palaestra
from tests.spaces_zoo import ARRAY_SPACES, TEXTS

DTYPES: list[Any] = [np.float32, "float64", float, np.dtype(np.int64), np.int32, "uint8", bool]


def is_of(sample: Any, space: Space[Any]) -> bool:
    return bool(sample in space) and np.asarray(sample).dtype == space.dtype


def kept(space: Space[Any], dtype: Any) -> bool:
    """Assigns, and returns whether the dtype is refused."""
    before = space.dtype
    try:
        space.dtype = dtype
    except UserWarning as warning:
        assert "keeps its dtype" in str(warning)
        assert space.dtype == before
        return True
    assert space.dtype == np.dtype(dtype)
    return False


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("original", ARRAY_SPACES, ids=str)
def test_every_operation_goes_on_with_another_dtype(original: Space[Any], dtype: Any) -> None:
    """CleanRL assigns classes, as in `envs.single_observation_space.dtype = np.float32`."""
    space = copy.deepcopy(original)
    refused = kept(space, dtype)
    assert refused == (isinstance(space, Discrete | MultiDiscrete) and not space._can_have(np.dtype(dtype)))
    space.seed(1)
    samples = [space.sample() for _ in range(3)]
    assert all(is_of(sample, space) for sample in samples)

    for twin in (copy.deepcopy(space), pickle.loads(pickle.dumps(space))):
        assert twin == space
        assert repr(twin) == repr(space)
        twin.seed(1)
        assert np.array_equal([twin.sample() for _ in range(3)], samples)
    assert isinstance(space, MultiBinary) or (space == original) == (space.dtype == original.dtype)

    back = space.from_jsonable(json.loads(json.dumps(space.to_jsonable(samples))))
    assert all(np.array_equal(a, b) for a, b in zip(back, samples, strict=True))
    flat = flatten(space, samples[0])
    assert flat in flatten_space(space)
    assert np.array_equal(unflatten(space, flat), samples[0])


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("original", ARRAY_SPACES, ids=str)
def test_batches_and_shared_memory_have_the_new_dtype(original: Space[Any], dtype: Any) -> None:
    space = copy.deepcopy(original)
    kept(space, dtype)
    space.seed(1)
    samples = [space.sample() for _ in range(3)]
    batch = batch_space(space, 3)
    rows = concatenate(space, samples, create_empty_array(space, 3))
    assert batch.dtype == rows.dtype == space.dtype
    assert rows in batch
    assert all(np.array_equal(a, b) for a, b in zip(iterate(batch, rows), samples, strict=True))
    memory = create_shared_memory(space, 3, multiprocessing.get_context("spawn"))
    for i, sample in enumerate(samples):
        write_to_shared_memory(space, i, sample, memory)
    assert np.array_equal(read_from_shared_memory(space, memory, 3), rows)


def test_a_pickle_of_a_space_with_a_class_as_its_dtype_is_mended() -> None:
    """As another implementation writes it."""
    box = Box(-1, 1, (2,), np.float64)
    state = {**box.__dict__, "dtype": np.float32}
    mended = Box.__new__(Box)
    mended.__setstate__(state)
    assert mended == Box(-1, 1, (2,), np.float32)
    assert mended.sample() in mended


def test_infinite_bounds_stay_infinite_and_others_are_cut() -> None:
    box = Box(np.array([-np.inf, -5.0, 0.5]), np.array([np.inf, 300.0, 1e300]), dtype=np.float64)
    box.dtype = np.int8
    assert (box.low.tolist(), box.high.tolist()) == ([-128, -5, 0], [127, 127, 127])
    assert (box.bounded_below.tolist(), box.bounded_above.tolist()) == ([False, True, True], [False, True, True])
    box.dtype = np.float32
    assert box.low[0] == -np.inf
    assert box.high[0] == np.inf


def test_bounds_of_a_box() -> None:
    box = Box(-np.inf, np.inf, (2,))
    assert repr(box) == "Box(-inf, inf, (2,), float32)"
    box.low = -1
    box.high = np.array([1.0, 2.0])
    assert box == Box(-1, np.array([1, 2], np.float32), (2,))
    assert repr(box) == "Box(-1.0, [1. 2.], (2,), float32)"
    assert box.is_bounded()
    box.seed(0)
    assert all(box.sample() in box for _ in range(20))
    box.low, box.high = np.zeros(5, np.float32), np.full(5, np.inf, np.float32)
    assert box == Box(0, np.inf, (5,))
    assert box.sample().shape == (5,)


def test_counts_and_starts() -> None:
    discrete = Discrete(3, dtype=np.int32)
    discrete.n, discrete.start = 5, 10
    assert discrete == Discrete(5, start=10, dtype=np.int32)
    assert isinstance(discrete.sample(), np.int32)
    many = MultiDiscrete([2, 2], dtype=np.int8)
    many.nvec = [3, 4, 5]
    assert many == MultiDiscrete([3, 4, 5], dtype=np.int8)
    many.start = [1, 1, 1]
    assert many == MultiDiscrete([3, 4, 5], dtype=np.int8, start=[1, 1, 1])
    assert many.sample() in many
    binary = MultiBinary(3)
    binary.n = [2, 2]
    assert binary == MultiBinary((2, 2))
    assert binary.sample().shape == (2, 2)


def test_members() -> None:
    pair = Tuple([Discrete(2), Discrete(3)])
    pair.spaces = [Discrete(2), Box(0, 1)]
    assert pair == Tuple([Discrete(2), Box(0, 1)])
    choice = OneOf([Discrete(2)])
    choice.spaces = [Discrete(2), Text(3)]
    assert choice == OneOf([Discrete(2), Text(3)])
    with pytest.raises(TypeError):
        choice.spaces = [3]
    named = Dict(a=Discrete(2))
    named.spaces = {"b": Box(0, 1)}
    assert named == Dict(b=Box(0, 1))
    run = Sequence(Discrete(2), stack=True)
    run.feature_space = Box(0, 1, (3,))
    assert run.stacked_feature_space == batch_space(Box(0, 1, (3,)), 1)
    assert run.sample() in run
    graph = Graph(Discrete(2), None)
    graph.node_space, graph.edge_space = Box(0, 1, (2,)), Discrete(3)
    assert graph.batch_edge_space == batch_space(Discrete(3), 1)
    assert graph.sample() in graph


@pytest.mark.parametrize("text", TEXTS, ids=str)
def test_a_dtype_of_text_is_only_kept(text: Text) -> None:
    text = copy.deepcopy(text)
    text.dtype = np.int32  # type: ignore[assignment]
    assert text.dtype == np.dtype(np.int32)
    assert text.sample() in text


@pytest.mark.parametrize("mode", ["sync", "async", pytest.param("compiled", marks=with_palaestra)])
@pytest.mark.parametrize("id", ["Pendulum-v1", "CartPole-v1", "FrozenLake-v1"])
@pytest.mark.filterwarnings("ignore:.*keeps its dtype")
def test_batches_step_after_their_spaces_changed(id: str, mode: str) -> None:
    """The arrays of a batch were made before."""
    expected, found = [], []
    for results, change in ((expected, False), (found, True)):
        envs = gymnasium.make_vec(id, 2, vectorization_mode=mode)
        envs.action_space.seed(2)
        if change:
            envs.single_observation_space.dtype = np.float32
        results.append(envs.reset(seed=1)[0])
        results += [envs.step(envs.action_space.sample())[0] for _ in range(3)]
        envs.close()
    assert np.array_equal(expected, found)
    assert expected[0].dtype == found[0].dtype
