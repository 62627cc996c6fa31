"""Counterparts of `ops`, random numbers, and params."""

from __future__ import annotations

import inspect
import math
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest
from jax import numpy as jnp

from gymnasium.envs._jax.draws import Draws
from gymnasium.envs._jax.ops import COUNTERPARTS, floating
from gymnasium.envs._jax.params import joined, split
from gymnasium.envs._jax.program import Program
from gymnasium.functional import ops
from tests.double_precision import enable_x64

NUMBERS = [-3.7, -1.0, -0.25, 0.0, 1e-9, 0.3, 1.0, 2.5, 100.125]


@pytest.mark.parametrize("name", ops.__all__)
def test_a_function_of_ops_has_a_counterpart_with_its_results(name: str) -> None:
    """In double precision; numbers that it is not defined for are left out."""
    function = getattr(ops, name)
    if not callable(function):
        assert function == math.pi
        return
    count = len(inspect.signature(function).parameters)

    with enable_x64(True):
        for number in NUMBERS:
            for arguments in [(number, 0.5, 1.5)[:count], (0.5, number, number + 1)[:count]]:
                if name == "sqrt" and arguments[0] < 0:
                    continue
                arguments = (arguments[0] > 0.4, *arguments[1:]) if name == "where" else arguments
                came = COUNTERPARTS[function](*map(jnp.asarray, arguments))
                np.testing.assert_allclose(float(came), function(*arguments), rtol=1e-14, atol=1e-15)


def test_clip_has_a_slope_within_its_bounds() -> None:
    slope = jax.vmap(jax.grad(lambda x: COUNTERPARTS[ops.clip](x, -1.0, 1.0)))

    assert slope(jnp.array([-2.0, -0.5, 0.5, 2.0])).tolist() == [0.0, 1.0, 1.0, 0.0]


def _many(*draws: Any) -> list[Any]:
    """4,000 numbers of each of the draws."""
    program = Program(lambda keys, _: [jax.vmap(lambda key, one=one: one(Draws(key)))(keys) for one in draws])
    return [np.asarray(each) for each in program(jax.random.split(jax.random.key(3), 4000), None)]


@pytest.mark.usefixtures("here_little_optimised")
@pytest.mark.parametrize("x64", [False, True])
def test_numbers_have_their_distributions(x64: bool) -> None:
    with enable_x64(x64):
        uniform, integers, coins, normal = _many(
            lambda rng: rng.uniform(-1.0, 3.0),
            lambda rng: rng.integers(0, 3),
            lambda rng: rng.integers(2),
            lambda rng: rng.normal(2.0, 0.5),
        )
        assert uniform.dtype == floating() == (np.float64 if x64 else np.float32)
    assert uniform.min() >= -1.0 and uniform.max() < 3.0
    np.testing.assert_allclose([uniform.mean(), uniform.var()], [1.0, 16 / 12], atol=0.06)
    counts = np.bincount(integers, minlength=3)
    assert counts.shape == (3,) and counts.min() > 1200
    assert set(coins.tolist()) == {0, 1}
    np.testing.assert_allclose([normal.mean(), normal.std()], [2.0, 0.5], atol=0.05)


@pytest.mark.parametrize("make", [jax.random.key, jax.random.PRNGKey])
def test_calls_give_new_numbers_and_a_key_the_same_again(make: Any) -> None:
    """Over several blocks, with the other kinds of numbers between them."""

    def drawn(key: Any) -> list[float]:
        rng = Draws(key)
        numbers = [float(rng.random()) for _ in range(5)]
        return [*numbers, float(rng.normal()), *(float(rng.random()) for _ in range(5)), float(rng.normal())]

    first, again, other = drawn(make(0)), drawn(make(0)), drawn(make(1))

    assert first == again
    assert len({*first, *other}) == 24


def test_no_key_is_no_matter_until_something_is_drawn() -> None:
    rng = Draws(None)

    with pytest.raises(TypeError, match="give a key"):
        rng.random()


class Inner(NamedTuple):
    table: tuple[float, ...] = (1.0, 2.0)
    size: int = 3


class Outer(NamedTuple):
    inner: Any = Inner()
    flag: bool = True
    name: str = "x"
    weight: Any = 0.5
    nothing: None = None
    desc: Any = np.eye(2)


def test_params_are_split_into_arrays_and_a_tree_and_joined_again() -> None:
    """Arrays, and tuples of numbers, are traced; the rest is fixed."""
    values, tree = split(Outer())

    again = joined(tree, values)

    assert [value.shape for value in values] == [(2,), (2, 2)]
    assert again.inner.table.tolist() == [1.0, 2.0] and isinstance(again.inner, Inner)
    assert again._replace(inner=None, desc=None) == Outer()._replace(inner=None, desc=None)


def test_a_program_is_compiled_anew_for_other_fixed_parts_alone() -> None:
    """1 and True are equal in Python, but not here."""
    tree = split(Outer())[1]

    assert tree == split(Outer(desc=np.ones((2, 2))))[1]
    assert hash(tree) == hash(split(Outer())[1])
    assert tree != split(Outer(flag=1))[1]  # type: ignore[arg-type]  # on purpose
    assert tree != split(Outer(weight=0.25))[1]


def test_containers_that_jax_knows_are_traced() -> None:
    values, tree = split({"a": 1.0, "b": np.zeros(2)})

    assert len(values) == 2
    assert joined(tree, values).keys() == {"a", "b"}


def test_a_table_is_converted_once_in_each_precision() -> None:
    """JAX takes long for tuples of many numbers, which cannot change; arrays can, and are read again."""
    table, array = (0.5, 1.5, 2.5), np.zeros(2)
    other = tuple(list(table))
    params = (1, table, array)
    first, again, equal = (split(each)[0] for each in (params, (2, table, array), (1, other, array)))
    assert first[0] is again[0] and first[0] is not equal[0]
    array[:] = 7.0
    assert split(params)[0][1].tolist() == [7.0, 7.0]
    with enable_x64(True):
        assert split(params)[0][0].dtype == np.float64
    assert split(params)[0][0] is first[0] and first[0].dtype == np.float32
