"""Random numbers under JAX: arrays of draws are the scalar draws one after the other, as in every runner."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

import numpy as np
import pytest

from gymnasium.functional import FunctionalEnv
from palaestra.runner import CompiledVectorEnv
from tests.contracts.mistaken import Room, State

jax = pytest.importorskip("jax")

from gymnasium.envs.functional_jax_env import FunctionalJaxVectorEnv  # noqa: E402
from palaestra.jax import Draws  # noqa: E402

pytestmark = pytest.mark.usefixtures("little_optimised")

Draw = Callable[..., Any]
DRAWS: dict[str, Draw] = {
    "random": lambda rng, **size: rng.random(**size),
    "uniform": lambda rng, **size: rng.uniform(-1.0, 3.0, **size),
    "integers": lambda rng, **size: rng.integers(2, 9, **size),
    "normal": lambda rng, **size: rng.normal(1.0, 0.5, **size),
    "standard_normal": lambda rng, **size: rng.standard_normal(**size),
}


@pytest.mark.parametrize("key", [jax.random.key(3), jax.random.PRNGKey(3)], ids=["typed", "raw"])
@pytest.mark.parametrize("size", [0, 1, 3, 9, (), (2, 3), (4, 1, 2)], ids=str)
@pytest.mark.parametrize("name", DRAWS)
def test_an_array_is_the_numbers_one_after_the_other(name: str, size: Any, key: Any) -> None:
    draw = DRAWS[name]
    shape = size if isinstance(size, tuple) else (size,)
    together, singly = Draws(key), Draws(key)
    came = draw(together, size=size)
    expected = [draw(singly) for _ in range(prod(shape))]
    assert came.shape == shape
    assert np.array_equal(came.reshape(-1), np.array(expected, came.dtype))
    for other in DRAWS.values():  # and what comes next is the same
        assert other(together) == other(singly)
        assert np.array_equal(other(together, size=5), other(singly, size=5))


class DrawsArrays(Room):
    """Begins anywhere."""

    @staticmethod
    def initial(rng, params):
        near, far, whole = rng.normal(20.0, 1.0, size=3), rng.uniform(0.0, 1.0, (2, 2)), rng.integers(0, 4, size=2)
        return State(near[0] + far[1, 1] + whole[0], near[1] - far[0, 1] - whole[1])


class DrawsNumbers(Room):
    """Begins in the same places."""

    @staticmethod
    def initial(rng, params):
        near0, near1, _ = rng.normal(20.0, 1.0), rng.normal(20.0, 1.0), rng.normal(20.0, 1.0)
        _, far01, _, far11 = rng.random(), rng.random(), rng.random(), rng.random()
        whole0, whole1 = rng.integers(0, 4), rng.integers(0, 4)
        return State(near0 + far11 + whole0, near1 - far01 - whole1)


@cache
def first(kind: Any, n: int, runner: str) -> Any:
    """The first observations of a batch."""
    if runner == "jax":
        return np.asarray(FunctionalJaxVectorEnv(kind, n).reset(seed=5)[0])
    if runner == "compiled":
        return CompiledVectorEnv(kind, n).reset(seed=5)[0]
    return np.stack([FunctionalEnv(kind).reset(seed=5 + i)[0] for i in range(n)])


@pytest.mark.parametrize("runner", ["single", "compiled", "jax"])
def test_in_dynamics_too(runner: str) -> None:
    assert np.array_equal(first(DrawsArrays, 9, runner), first(DrawsNumbers, 9, runner))


def test_single_and_compiled_agree() -> None:
    assert np.array_equal(first(DrawsArrays, 9, "single"), first(DrawsArrays, 9, "compiled"))


class ArrayOfBounds(Room):
    @staticmethod
    def initial(rng, params):
        return State(rng.uniform(np.array([1.0, 2.0]), 3.0)[0], 0.0)


class Chooses(Room):
    @staticmethod
    def initial(rng, params):
        return State(float(rng.choice(5)), 0.0)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (ArrayOfBounds, r"ArrayOfBounds.initial .*`return State\(rng.uniform.*: rng.uniform takes .*size="),
        (Chooses, r"Chooses.initial .*`return State\(float\(rng.choice.*no .?choice"),
    ],
)
def test_what_is_not_drawn_is_told(kind: Any, message: str) -> None:
    FunctionalEnv(kind).reset(seed=0)
    with pytest.raises(TypeError, match=message):
        FunctionalJaxVectorEnv(kind, 2)


@pytest.mark.parametrize("kind", [ArrayOfBounds, Chooses])
def test_the_compiled_runner_draws_it(kind: Any) -> None:
    assert np.array_equal(first(kind, 9, "compiled"), first(kind, 9, "single"))


@pytest.mark.parametrize(
    ("method", "bounds"), [("integers", (3, 3)), ("integers", (0,)), ("uniform", (1.0, 0.0)), ("normal", (0.0, -1.0))]
)
def test_constants_that_numpy_refuses_are_refused(method: str, bounds: Any) -> None:
    for draws in (np.random.default_rng(1), Draws(jax.random.key(1))):
        with pytest.raises(ValueError, match=r"< 0|<= 0|low >= high"):
            getattr(draws, method)(*bounds)
