"""Laws that every space keeps, over the zoo."""

from __future__ import annotations

import copy
import json
import pickle
import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest

from gymnasium.error import Error
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
    flatdim,
    flatten,
    flatten_space,
    unflatten,
)
from gymnasium.spaces.batching import create_zero_array
from gymnasium.spaces.utils import is_space_dtype_shape_equiv
from tests.spaces_zoo import DYNAMIC, FLATTENABLE, SPACES, agree, seeded

every = pytest.mark.parametrize("space", SPACES, ids=repr)
flattenable = pytest.mark.parametrize("space", FLATTENABLE, ids=repr)

FOREIGN: list[Any] = [
    None, True, -1, 3, 2**70, 0.5, float("nan"), 1j, "", "a", "a" * 99, b"x", [], [[]], [1, [2, 3]], (), (1,),
    (0, None), {}, {"a": 1}, {1: 2}, set(), object(), int, np.int8(1), np.uint64(2**64 - 1), np.float32(0.5),
    np.complex128(1j), np.array(0), np.array([0.5]), np.array(["a"]), np.array([None, 1]),
    np.array([[1, 2], [3, 4]]), np.zeros((0, 3)),
    np.datetime64("2020-01-01"), np.array(["2020"], "M8[Y]"), np.zeros(2, dtype="i4,f4"), Ellipsis,
]  # fmt: skip


def samples(space: Space[Any], n: int = 5) -> list[Any]:
    return [space.sample() for _ in range(n)]


@every
def test_samples_are_contained(space: Space[Any]) -> None:
    assert all(sample in seeded(space) for sample in samples(seeded(space), 20))


@every
def test_the_same_seed_gives_the_same_samples(space: Space[Any]) -> None:
    for seed in range(5):
        assert agree(samples(seeded(space, seed)), samples(seeded(space, seed)))


@every
@pytest.mark.parametrize("seed", [None, 7, np.int64(7)], ids=repr)
def test_the_seeds_returned_can_be_given_back(space: Space[Any], seed: Any) -> None:
    used = space.seed(seed)
    first = samples(space)

    assert agree(space.seed(used), used)
    assert agree(samples(space), first)


@every
@pytest.mark.parametrize("seed", ["a", 1.5, {1}])
def test_seeds_of_other_types_are_refused(space: Space[Any], seed: Any) -> None:
    with pytest.raises((Error, TypeError)):
        space.seed(seed)


@pytest.mark.parametrize(
    "make",
    [
        Space,
        partial(Box, 0, 1),
        partial(Discrete, 3),
        partial(MultiBinary, 3),
        partial(MultiDiscrete, [3]),
        partial(Text, 3),
        partial(Tuple, [Discrete(3)]),
        partial(Dict, {"a": Discrete(3)}),
        partial(Sequence, Discrete(3)),
        partial(Graph, Discrete(3), None),
        partial(OneOf, [Discrete(3)]),
    ],
    ids=lambda make: getattr(make, "func", make).__name__,
)
def test_a_generator_as_seed_is_used_as_it_is(make: Any) -> None:
    rng = np.random.default_rng()

    assert make(seed=rng).np_random is rng


@every
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda space: pickle.loads(pickle.dumps(space))])
def test_copies_are_equal_and_go_on_alike(space: Space[Any], copied: Any) -> None:
    seeded(space, 3).sample()
    twin = copied(space)

    assert twin == space
    assert agree(samples(twin), samples(space))


@every
def test_a_space_equals_itself_and_nothing_else_in_the_zoo(space: Space[Any]) -> None:
    equal = [other for other in SPACES if other == space]

    assert len(equal) == 1
    assert space != 1
    assert space != "space"


@every
def test_contains_answers_with_a_bool_to_every_value(space: Space[Any]) -> None:
    values = FOREIGN + [sample for other in SPACES for sample in samples(seeded(other), 1)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert {type(space.contains(value)) for value in values} == {bool}
        assert not any(space.contains(value) for value in (None, object(), 1j, np.zeros(2, dtype="i4,f4")))


@every
def test_a_sample_survives_json(space: Space[Any]) -> None:
    original = samples(seeded(space))
    text = json.dumps(space.to_jsonable(original))

    assert agree(space.from_jsonable(json.loads(text)), original)


@pytest.mark.parametrize(
    "space", [space for space in SPACES if not isinstance(space, OneOf) or space.is_np_flattenable]
)
def test_flat_samples_are_in_the_flat_space_and_come_back(space: Space[Any]) -> None:
    flat_space = flatten_space(space)
    for sample in samples(seeded(space)):
        flat = flatten(space, sample)
        assert flat in flat_space
        assert agree(unflatten(space, flat), sample)


@pytest.mark.parametrize("space", [space for space in DYNAMIC if isinstance(space, OneOf)], ids=repr)
def test_a_choice_of_dynamic_members_cannot_be_flattened(space: Space[Any]) -> None:
    for function in (flatten_space, lambda space: flatten(space, seeded(space).sample())):
        with pytest.raises(ValueError, match="flat dimension"):
            function(space)


@flattenable
def test_flat_spaces_are_boxes_of_the_flat_dimension(space: Space[Any]) -> None:
    flat_space = flatten_space(space)

    assert space.is_np_flattenable
    assert isinstance(flat_space, Box)
    assert flat_space.shape == (flatdim(space),)
    assert flatten(space, seeded(space).sample()).dtype == flat_space.dtype


@pytest.mark.parametrize("space", DYNAMIC, ids=repr)
def test_dynamic_spaces_have_no_flat_dimension(space: Space[Any]) -> None:
    assert not space.is_np_flattenable
    with pytest.raises(ValueError, match="flat"):
        flatdim(space)


@every
def test_a_mask_and_probabilities_exclude_each_other(space: Space[Any]) -> None:
    with pytest.raises((ValueError, Error), match="mask"):
        space.sample(mask=(), probability=())


@every
def test_the_zero_of_a_space_is_in_it(space: Space[Any]) -> None:
    assert create_zero_array(space) in space


@every
def test_layouts_are_equivalent_to_their_own_only(space: Space[Any]) -> None:
    assert is_space_dtype_shape_equiv(space, copy.deepcopy(space))
    assert not is_space_dtype_shape_equiv(space, Box(0, 1, (7, 7, 7)))


@every
def test_spaces_are_unhashable(space: Space[Any]) -> None:
    with pytest.raises(TypeError):
        hash(space)
