"""`register(id, func_env=...)`: dynamics are made singly, in batches of every kind, and from the command line."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.envs.registration import EnvSpec, make, make_vec, register, registry
from gymnasium.functional import FunctionalEnv
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from gymnasium.wrappers import TimeAwareObservation
from palaestra.runner import CompiledVectorEnv
from tests.contracts.mistaken import Params, Room, Sized
from tests.gymnasium.envs.registry.toys import Toy

NAME = "tests.contracts.mistaken:Room"


class Local(Room):
    """Its name is there, but hidden by another."""


HIDDEN, Local = Local, Room  # type: ignore[misc]
GIVEN = {"class": Room, "name": NAME, "instance": Room(), "hidden": HIDDEN, "entry_point": None}


@pytest.fixture(params=GIVEN)
def room(request: pytest.FixtureRequest) -> str:
    """The id of a room, given in each way."""
    given: Any = GIVEN[request.param]
    if given is None:
        register("Room-v0", Room, max_episode_steps=5)
    else:
        register("Room-v0", func_env=given, max_episode_steps=5)
    return "Room-v0"


def test_one_environment(room: str) -> None:
    env = make(room, power=3.0)
    direct = FunctionalEnv(Room(), power=3.0)
    assert isinstance(env.unwrapped, FunctionalEnv)
    assert env.unwrapped.params == Params(3.0)
    assert np.array_equal(env.reset(seed=1)[0], direct.reset(seed=1)[0])
    steps = [env.step(1) for _ in range(5)]
    assert steps[-1][3] is True
    assert env.spec is not None and env.spec.kwargs == {"power": 3.0}


@pytest.mark.parametrize(
    ("mode", "kind"),
    [(None, CompiledVectorEnv), ("vector_entry_point", CompiledVectorEnv), ("sync", SyncVectorEnv)],
)
def test_a_batch(room: str, mode: str | None, kind: type[Any]) -> None:
    envs = make_vec(room, 3, mode, power=3.0)
    assert type(envs) is kind
    direct = CompiledVectorEnv(Room(), 3, max_episode_steps=5, power=3.0)
    assert np.array_equal(envs.reset(seed=1)[0], direct.reset(seed=1)[0])
    for _ in range(6):
        for a, b in zip(envs.step(np.ones(3, int))[:4], direct.step(np.ones(3, int))[:4], strict=True):
            assert np.array_equal(a, b)
    assert envs.spec is not None
    again = make_vec(envs.spec)
    assert type(again) is kind and again.num_envs == 3
    for one in (envs, again):
        one.close()


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_worker_processes(room: str, context: str) -> None:
    envs = make_vec(room, 2, "async", vector_kwargs={"context": context, "num_workers": 1}, power=3.0)
    assert isinstance(envs, AsyncVectorEnv)
    assert envs.get_attr("params") == (Params(3.0), Params(3.0))
    observations, _ = envs.reset(seed=1)
    envs.close()
    assert np.array_equal(observations[1], make(room).reset(seed=2)[0])


def test_jax(room: str) -> None:
    pytest.importorskip("jax")
    envs: Any = make_vec(room, 2, "jax", power=3.0)
    assert (envs.params, envs.time_limit) == (Params(3.0), 5)
    envs.reset(seed=1)
    assert envs.step(np.ones(2, int))[1].shape == (2,)


def test_a_class_is_kept_by_its_name_if_that_leads_to_it() -> None:
    register("Room-v0", func_env=Room)
    register("Room-v1", func_env=HIDDEN)
    register("Room-v2", func_env=type("Inner", (Room,), {}))
    assert registry["Room-v0"].entry_point == registry["Room-v0"].vector_entry_point == NAME
    assert registry["Room-v1"].entry_point is HIDDEN
    assert isinstance(registry["Room-v2"].entry_point, type)


def test_the_spec_travels() -> None:
    register("Room-v0", func_env=Room, max_episode_steps=5, kwargs={"power": 3.0})
    spec = registry["Room-v0"]
    assert EnvSpec.from_json(spec.to_json()) == spec == pickle.loads(pickle.dumps(spec))
    assert spec.pprint(disable_print=True, include_entry_points=True) == (
        f"id=Room-v0\nentry_point={NAME}\nmax_episode_steps=5"
    )
    made = make("Room-v0").spec
    assert made is not None
    assert make(EnvSpec.from_json(made.to_json())).unwrapped.params == Params(3.0)  # type: ignore[attr-defined]
    forged = spec.to_json().replace("mistaken:Room", "mistaken:Sized")
    with pytest.raises(gymnasium.error.Error, match="registered is"):
        EnvSpec.from_json(forged)


def test_an_instance_pickles_and_says_that_it_has_no_json() -> None:
    register("Room-v0", func_env=Sized(2.0))
    again = pickle.loads(pickle.dumps(registry["Room-v0"]))
    assert make(again).unwrapped.params.loss == 0.05  # type: ignore[attr-defined]
    assert isinstance(make_vec(again, 2), CompiledVectorEnv)
    with pytest.raises(ValueError, match="no JSON: entry_point is"):
        again.to_json()


def test_arguments_of_the_constructor_and_of_the_params() -> None:
    register("Room-v0", func_env=Sized, kwargs={"size": 2.0})
    assert make("Room-v0").unwrapped.params == Params(2.0, 0.05)  # type: ignore[attr-defined]
    assert make("Room-v0", size=4.0, power=1.0).unwrapped.params == Params(1.0, 0.025)  # type: ignore[attr-defined]
    assert make_vec("Room-v0", 2, power=1.0).get_attr("loss") == (0.05, 0.05)
    with pytest.raises(TypeError, match=r"no 'powr'; did you mean 'power'.*making 'Room-v0'.*size: .*power: .*loss: "):
        make("Room-v0", powr=1.0)


def test_what_only_sync_can_do_runs_in_sync_and_says_so() -> None:
    register("Room-v0", func_env=Room, max_episode_steps=5)
    with pytest.warns(UserWarning, match="'Room-v0' runs in sync.*the compiled runner takes no wrappers"):
        envs = make_vec("Room-v0", 2, wrappers=[TimeAwareObservation])
    assert isinstance(envs, SyncVectorEnv)


def test_it_stands_behind_all_other_arguments() -> None:
    parameter = list(inspect.signature(register).parameters.values())[-1]
    assert (parameter.name, parameter.kind, parameter.default) == ("func_env", parameter.KEYWORD_ONLY, None)


@pytest.mark.parametrize("given", [3, "no_colon", "module:", Toy, lambda: Room()])
def test_what_is_no_func_env_is_refused(given: Any) -> None:
    with pytest.raises(TypeError, match="expected a FuncEnv"):
        register("Room-v0", func_env=given)
    assert "Room-v0" not in registry


@pytest.mark.parametrize("name", ["entry_point", "vector_entry_point"])
def test_one_thing_is_given(name: str) -> None:
    with pytest.raises(ValueError, match=f"as {name} too"):
        register("Room-v0", func_env=Room, **{name: "a:b"})


def test_a_name_of_something_else_is_told_when_it_is_made() -> None:
    register("Toy-v0", func_env="tests.gymnasium.envs.registry.toys:Toy")
    with pytest.raises(TypeError, match="makes one environment, not a batch: register it as entry_point"):
        make_vec("Toy-v0", 2)
    register("Toy-v1", func_env="tests.gymnasium.envs.registry.no_such_module:Toy")
    for maker in (make, make_vec):
        with pytest.raises(ModuleNotFoundError, match="no_such_module"):
            maker("Toy-v1")
