"""The games of ale-py: they are made by two lines more, and told no action that they do not have."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from gymnasium.envs.registration import make, make_vec
from gymnasium.error import ActionOutsideSpace
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import VectorEnv
from tests.architecture.source import run_python

PONG = "ALE/Pong-v5"
TWO_LINES = "import ale_py\ngymnasium.register_envs(ale_py)\n"


def test_two_lines_are_all_that_a_program_needs() -> None:
    """For one game and for a batch by ale-py's own vector environment."""
    code = f"""
import gymnasium
{TWO_LINES}
env = gymnasium.make({PONG!r})
env.reset(seed=1)
env.step(env.action_space.sample())
envs = gymnasium.make_vec({PONG!r}, 3)
observations, _ = envs.reset(seed=1)
envs.step(envs.action_space.sample())
print(isinstance(env.unwrapped, ale_py.AtariEnv), isinstance(envs, ale_py.AtariVectorEnv), observations.shape)
"""
    assert run_python(code) == "True True (3, 4, 84, 84)\n"


@pytest.mark.parametrize("make_it", ["make", "make_vec", "spec"])
def test_a_program_without_them_is_told_which(make_it: str) -> None:
    """The lines stand in the error."""
    code = f"""
import gymnasium
try:
    gymnasium.{make_it}({PONG!r})
except gymnasium.error.NamespaceNotFound as error:
    print(error)
"""
    message = run_python(code)

    assert TWO_LINES.strip().replace("\n", "; ") in message


@pytest.mark.parametrize("action", [6, -1, np.int64(6), 2**40, 1.0, None, [1], "up"])
def test_a_game_is_told_no_action_that_it_does_not_have(action: Any) -> None:
    """It is as it was, and goes on."""
    env = make(PONG)
    env.reset(seed=1)
    env.step(0)
    before = env.unwrapped._get_info()

    with pytest.raises(ActionOutsideSpace):
        env.step(action)
    assert env.unwrapped._get_info() == before
    env.step(np.int64(5))


@pytest.mark.parametrize("mode", ["vector_entry_point", "sync", "async"])
def test_neither_is_a_batch(mode: str) -> None:
    """Whatever runs it; actions within the space may be of any integer dtype."""
    envs = make_vec(PONG, 2, vectorization_mode=mode)
    _, begun = envs.reset(seed=1)
    refused = [([0, 6], ActionOutsideSpace), ([-1, 0], ActionOutsideSpace), ([0.5, 0.0], ActionOutsideSpace)]
    refused += [([0], ValueError), ([[0], [1]], ValueError), (0, TypeError)]
    for actions, kind in refused:
        with pytest.raises(kind):
            envs.step(actions)
    *_, infos = envs.step(np.array([1, 5], np.uint8))
    envs.close()
    assert (infos["frame_number"] - begun["frame_number"]).tolist() == [4, 4]


def test_continuous_actions() -> None:
    """Bounds are not enforced, NaN is refused, lists are actions too."""
    env, envs = make(PONG, continuous=True), make_vec(PONG, 2, continuous=True)
    env.reset(seed=1), envs.reset(seed=1)
    for action in ([0.5, 1.0, 1.0], np.array([9.0, 99.0, -9.0]), env.action_space.sample()):
        env.step(action)
        envs.step([action] * 2)
    nan = np.array([0.5, np.nan, 0.0], np.float32)
    with pytest.raises(ActionOutsideSpace):
        env.step(nan)
    with pytest.raises(ActionOutsideSpace):
        envs.step([nan] * 2)


def test_seeds_of_a_batch() -> None:
    """All that name the same seeds give the same idle steps."""
    envs = make_vec(PONG, 2)
    seeds: list[Any] = [3, np.int64(3), [3, 4], (3, 4), np.array([3, 4])]
    first, *others = (envs.reset(seed=seed)[1]["frame_number"].tolist() for seed in seeds)

    assert others == [first] * 4


def test_each_batch_says_its_own_autoreset_mode() -> None:
    """And no class is told it."""
    modes = ["NextStep", "SameStep"]
    batches = [make_vec(PONG, 1, vector_kwargs={"autoreset_mode": mode, "num_threads": 1}) for mode in modes]

    assert [envs.metadata["autoreset_mode"].value for envs in batches] == modes
    assert VectorEnv.metadata == {}


def test_the_specs_are_as_ale_py_registers_them() -> None:
    """So that another program makes the same of them."""
    env, envs = make(PONG), make_vec(PONG, 2)

    assert env.spec.entry_point == "ale_py.env:AtariEnv"
    assert envs.spec.vector_entry_point == "ale_py.vector_env:AtariVectorEnv"
    assert "gymnasium" not in json.loads(env.spec.to_json())["entry_point"]
    assert make(env.spec).spec == env.spec
    assert make_vec(envs.spec).spec == envs.spec


def test_the_checker_finds_nothing() -> None:
    """Warnings are errors here; what cannot be tried without a display is left out."""
    check_env(make(PONG).unwrapped, skip_render_check=True)
