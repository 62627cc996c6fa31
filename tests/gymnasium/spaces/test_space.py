"""The base class, and spaces of a user's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.error import CustomSpaceError, Error
from gymnasium.spaces import Dict, Discrete, OneOf, Space, Tuple, flatdim, flatten, flatten_space, unflatten
from gymnasium.spaces.batching import create_zero_array
from gymnasium.spaces.utils import is_space_dtype_shape_equiv
from tests.spaces_zoo import Letters


def test_the_base_leaves_the_values_to_subclasses() -> None:
    space: Space[Any] = Space((2,), np.int8)

    assert (space.shape, space.dtype) == ((2,), np.int8)
    for ask in (space.sample, lambda: 1 in space, lambda: space.is_np_flattenable):
        with pytest.raises(NotImplementedError, match="Space"):
            ask()
    with pytest.raises(AttributeError):
        space.shape = (3,)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        space.np_random = np.random.default_rng()  # type: ignore[misc]


@pytest.mark.parametrize("seed", [-1, "1", 1.0, (1,)])
def test_invalid_seeds_are_refused_before_anything_changes(seed: Any) -> None:
    space = Discrete(3, seed=1)
    before = space.np_random.bit_generator.state
    with pytest.raises(Error, match="seed"):
        space.seed(seed)

    assert space.np_random.bit_generator.state == before


def test_a_drawn_seed_is_returned() -> None:
    space = Discrete(1000)
    seed = space.seed()

    assert isinstance(seed, int)
    assert Discrete(1000, seed=seed).sample() == space.sample()


def test_the_generator_of_a_composite_leaves_the_seeds_of_members() -> None:
    for space in (Tuple([Discrete(10**9, seed=3)]), OneOf([Discrete(10**9, seed=3)]), Dict(a=Discrete(10**9, seed=3))):
        assert isinstance(space.np_random, np.random.Generator)
        member = next(iter(space.spaces.values())) if isinstance(space, Dict) else space.spaces[0]
        assert member.sample() == Discrete(10**9, seed=3).sample()


def test_a_space_whose_seed_sets_no_generator_has_one() -> None:
    class Fixed(Space[int]):
        def seed(self, seed: Any = None) -> int:
            return 0

    space = Fixed((), np.int64)
    assert isinstance(space.np_random, np.random.Generator)
    assert space.np_random is space.np_random


def test_old_pickles_are_understood() -> None:
    space: Space[Any] = Space.__new__(Space)
    rng = np.random.default_rng()
    space.__setstate__({"shape": (2,), "np_random": rng, "dtype": np.dtype(int)})

    assert space.shape == (2,)
    assert space.np_random is rng


def test_a_space_without_rules_says_which_to_register() -> None:
    space = Letters()
    for function in (flatdim, flatten_space, lambda s: flatten(s, "a"), lambda s: unflatten(s, np.zeros(1))):
        with pytest.raises(NotImplementedError, match="register"):
            function(space)
    with pytest.raises(NotImplementedError, match="register"):
        is_space_dtype_shape_equiv(space, space)
    with pytest.raises(CustomSpaceError, match="register"):
        create_zero_array(space)


def test_rules_registered_for_a_users_space_hold_inside_others() -> None:
    class Digits(Letters):
        pass

    flatdim.register(Digits, lambda space: 1)
    flatten.register(Digits, lambda space, x: np.array([ord(x)]))

    assert flatdim(Tuple([Digits(), Discrete(2)])) == 3
    assert flatten(Dict(a=Digits()), {"a": "b"}).tolist() == [98]
    assert flatdim(OneOf([Digits()])) == 2


@pytest.mark.parametrize("function", [flatdim, flatten_space, lambda x: is_space_dtype_shape_equiv(x, Discrete(2))])
def test_what_is_no_space_is_refused(function: Any) -> None:
    with pytest.raises(TypeError, match="Space"):
        function("no space")
    with pytest.raises(TypeError, match="Space"):
        is_space_dtype_shape_equiv(Discrete(2), "no space")  # type: ignore[arg-type]
