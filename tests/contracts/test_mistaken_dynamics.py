"""Mistakes in dynamics are told at construction, by every runner: which class, function and line, and the remedy."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import gymnasium
from gymnasium.functional import FuncEnv, FunctionalEnv
from gymnasium.functional.mistakes import check_written, impurities
from palaestra.runner import CompiledVectorEnv
from tests.contracts.mistaken import IMPURE, PYTHON_ONLY, UNSOUND, Method, Params, Room, Sized

Kind = type[FuncEnv[Any, Any, Any, Any, Any, Any, Any]]


def jax_batch(kind: Kind, n: int) -> object:
    return pytest.importorskip("gymnasium.envs.functional_jax_env").FunctionalJaxVectorEnv(kind, n)


def registered(kind: Kind) -> str:
    gymnasium.register("Mistaken-v0", func_env=kind)
    return "Mistaken-v0"


@pytest.fixture(autouse=True)
def _unregistered() -> Iterator[None]:
    """What a test registers is gone after it."""
    yield
    gymnasium.registry.pop("Mistaken-v0", None)


@pytest.mark.parametrize("kind", UNSOUND)
def test_no_runner_takes_it(kind: Kind) -> None:
    for make in (
        lambda: FunctionalEnv(kind),
        lambda: CompiledVectorEnv(kind, 2),
        lambda: jax_batch(kind, 2),
        lambda: gymnasium.make(registered(kind)),
        lambda: gymnasium.make_vec("Mistaken-v0", 2),
        lambda: gymnasium.make_vec("Mistaken-v0", 2, "sync"),
    ):
        with pytest.raises(TypeError, match=kind.__doc__):
            make()


@pytest.mark.parametrize("kind", PYTHON_ONLY)
def test_what_python_runs_is_refused_by_others_when_it_is_made(kind: Kind) -> None:
    env = FunctionalEnv(kind)
    env.reset(seed=0)
    env.step(0)
    with pytest.raises(TypeError, match=kind.__doc__):
        CompiledVectorEnv(kind, 2)
    with pytest.raises(TypeError, match=kind.__doc__):
        gymnasium.make_vec(registered(kind), 2)
    sync = gymnasium.make_vec("Mistaken-v0", 2, "sync")
    sync.reset(seed=0)
    sync.close()


@pytest.mark.parametrize("kind", IMPURE)
def test_jax_does_not_ask_the_world_once_and_for_all(kind: Kind) -> None:
    with pytest.raises(TypeError, match=kind.__doc__):
        jax_batch(kind, 2)


def test_a_class_stands_for_its_instance() -> None:
    assert FunctionalEnv(Room, power=3.0).params == Params(3.0)
    assert CompiledVectorEnv(Room, 2, power=3.0).single_env.params == Params(3.0)
    assert jax_batch(Room, 2).params == Params()  # type: ignore[attr-defined]


def test_a_class_is_given_the_arguments_of_its_constructor() -> None:
    env = FunctionalEnv(Sized, size=2.0, power=3.0)
    assert (env.func_env.size, env.params.power) == (2.0, 3.0)
    assert FunctionalEnv(Sized, size=2.0).params.loss == 0.05
    assert CompiledVectorEnv(Sized, 2, size=2.0).single_env.params.loss == 0.05


@pytest.mark.parametrize("given", [3, "Room", gymnasium.Env, gymnasium.spaces.Discrete(2)])
def test_what_is_no_func_env(given: Any) -> None:
    with pytest.raises(TypeError, match="Expected a FuncEnv, a class or an instance"):
        FunctionalEnv(given)


def test_params_that_there_are_not() -> None:
    with pytest.raises(TypeError, match="The params of Room have no 'powr'; did you mean 'power'"):
        FunctionalEnv(Room(), powr=3.0)
    with pytest.raises(TypeError, match="The params of Room have no 'gravity'; they have power, loss"):
        FunctionalEnv(Room, gravity=3.0)

    class Bare(Room):
        get_default_params = FuncEnv.get_default_params

    with pytest.raises(TypeError, match=r"Bare has no params, but \{'power': 3.0\} came"):
        FunctionalEnv(Bare, power=3.0)


def test_functions_of_an_instance_are_left_alone() -> None:
    room = Room()
    room.transform(lambda function: lambda *arguments: function(*arguments))
    check_written(room)
    FunctionalEnv(room).reset(seed=0)


def test_methods_are_sound() -> None:
    check_written(Method())


def test_a_pure_function_may_use_constants_and_modules() -> None:
    assert not list(impurities([Room.reward, Room.transition, Params._replace]))


def test_what_was_typed_has_no_text() -> None:
    names: dict[str, Any] = {"Room": Room, "random": random}
    reward = (
        "    @staticmethod\n    def reward(state, action, next_state, rng, params):\n        return random.random()\n"
    )
    exec(f"class Typed(Room):\n{reward}", names)

    with pytest.raises(TypeError, match=r"Typed\.reward, line 4 of <string>: random numbers must come from `rng`"):
        CompiledVectorEnv(names["Typed"], 2)
