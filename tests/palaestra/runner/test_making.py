"""`make_vec` runs its environments compiled by default, and in sync where that cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import gymnasium
from gymnasium.envs.registration import register
from gymnasium.error import DependencyNotInstalled, Error
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeAwareObservation
from palaestra.runner import CompiledVectorEnv
from palaestra.runner.frame.callers import Calls
from tests.architecture.source import run_python
from tests.contracts.compiled_law import IDS
from tests.palaestra.runner.dynamics import Walk


class WalkVectorEnv(CompiledVectorEnv):
    """What a user registers."""

    def __init__(self, num_envs: int = 1, **arguments: Any) -> None:
        super().__init__(Walk, num_envs, **arguments)


@pytest.mark.parametrize("env_id", IDS)
def test_compiled_is_the_default_and_the_spec_makes_the_same_again(env_id: str) -> None:
    envs = gymnasium.make_vec(env_id, 3, vector_kwargs={"autoreset_mode": "SameStep"})
    assert isinstance(envs, CompiledVectorEnv)
    assert envs.spec is not None
    again = gymnasium.make_vec(envs.spec)
    for made in (envs, again):
        assert type(made) is type(envs)
        assert (made.num_envs, made.metadata["autoreset_mode"]) == (3, AutoresetMode.SAME_STEP)
    assert again.spec == envs.spec


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"wrappers": [TimeAwareObservation]}, "takes no wrappers"),
        ({"vector_kwargs": {"observation_mode": "different"}}, "takes no observation_mode"),
        ({"render_mode": "human"}, "no window"),
    ],
)
def test_what_only_sync_can_do_runs_in_sync_and_says_so(arguments: dict[str, Any], reason: str) -> None:
    with pytest.warns(UserWarning, match=f"'Pendulum-v1' runs in sync.*{reason}"):
        envs = gymnasium.make_vec("Pendulum-v1", 2, **arguments)
    assert isinstance(envs, SyncVectorEnv)
    assert envs.spec is not None and envs.spec.kwargs["vectorization_mode"] == "sync"
    envs.close()


def test_the_callers_of_a_step_are_the_same_for_all_dynamics_with_such_actions() -> None:
    """They are compiled once for these."""
    plans = [gymnasium.make_vec(env_id, 3).unwrapped._runner.memory.plan for env_id in IDS]
    kinds = {type(plan.action_space) for plan in plans}
    steps = {Calls(plan).address("step") for plan in plans}
    assert len(steps) == len(kinds) == 2


def test_asked_for_by_name_it_does_not_fall_back() -> None:
    for mode in ("vector_entry_point", "compiled"):
        with pytest.raises(
            Error, match=rf"mode='{mode}' allows no wrappers, .*; put those of gymnasium\.wrappers\.vector"
        ):
            gymnasium.make_vec("Pendulum-v1", 2, mode, wrappers=[TimeAwareObservation])
    with pytest.raises(Error, match=r"allows no vector_kwargs, but got \{'observation_mode'"):
        gymnasium.make_vec("Pendulum-v1", 2, "vector_entry_point", vector_kwargs={"observation_mode": "same"})


def test_arguments_of_make_reach_the_environments() -> None:
    envs = gymnasium.make_vec("FrozenLake-v1", 2, map_name="8x8", is_slippery=False, disable_env_checker=True)
    assert envs.single_observation_space.n == 64
    assert envs.get_attr("nrow") == (8, 8)


def test_a_users_environment_is_registered_and_made() -> None:
    register("Walk-v0", vector_entry_point=WalkVectorEnv, max_episode_steps=5)
    envs = gymnasium.make_vec("Walk-v0", 4, vector_kwargs={"copy": False}, speed=2.0)
    assert isinstance(envs, WalkVectorEnv)
    assert envs.get_attr("speed") == (2.0,) * 4
    envs.reset(seed=0)
    flags = [envs.step([0] * 4)[3].tolist() for _ in range(5)]
    assert flags[-1] == [True] * 4


def test_without_llvmlite_it_runs_in_sync_with_one_warning() -> None:
    printed = run_python("""
import sys, warnings
sys.modules["llvmlite"] = None
import gymnasium
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    envs = gymnasium.make_vec("CartPole-v1", 2)
print(type(envs).__name__, len(caught), 'pip install "llvmlite' in str(caught[0].message))
try:
    gymnasium.make_vec("CartPole-v1", 2, "vector_entry_point")
except gymnasium.error.DependencyNotInstalled as error:
    print("pip install" in str(error))
""")
    assert printed.split() == ["SyncVectorEnv", "1", "True", "True"]


def test_llvmlite_is_imported_by_the_first_batch(tmp_path: Path) -> None:
    printed = run_python(f"""
import os; os.environ["PALAESTRA_CACHE_DIR"] = {str(tmp_path)!r}
import sys, gymnasium, palaestra.runner, palaestra.runner.classic_control
gymnasium.make("CartPole-v1").reset(seed=0)
print("llvmlite" in sys.modules)
envs = gymnasium.make_vec("CartPole-v1", 16)
envs.reset(seed=0)
envs.step(envs.action_space.sample())
print("llvmlite" in sys.modules)
""")
    assert printed.split() == ["False", "True"]


def test_the_error_without_llvmlite_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CompiledVectorEnv, "unavailable", staticmethod(lambda: "no llvmlite"))
    with pytest.raises(DependencyNotInstalled, match="no llvmlite"):
        CompiledVectorEnv(Walk(), 2)
