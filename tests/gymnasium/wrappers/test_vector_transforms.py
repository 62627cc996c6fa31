"""Vector wrappers that change observations and actions; what they share with the single ones is in the laws."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium import wrappers
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorObservationWrapper
from gymnasium.wrappers import GrayscaleObservation, TransformAction, TransformObservation
from gymnasium.wrappers import vector as vector_wrappers


@pytest.fixture
def envs(counting):
    """Makes three environments that count, the first with short episodes."""

    def make(mode=AutoresetMode.NEXT_STEP):
        return SyncVectorEnv([lambda: counting(2), counting, counting], autoreset_mode=mode)

    return make


NOOP = np.zeros(3, np.int64)


def test_the_function_gets_the_batch(envs):
    shapes = []

    def noted(observations):
        shapes.append(observations.shape)
        return observations + np.array([[0], [10], [20]], np.float32)

    env = vector_wrappers.TransformObservation(envs(), noted)
    assert env.reset()[0].tolist() == [[0], [10], [20]]
    assert env.step(NOOP)[0].tolist() == [[1], [11], [21]]
    assert shapes == [(3, 1), (3, 1)]
    assert env.observation_space == env.env.observation_space


def test_a_final_observation_is_changed_in_its_own_row(envs):
    """A function may do something else to each row."""
    add = np.array([[5], [10], [20]], np.float32)
    env = vector_wrappers.TransformObservation(envs(AutoresetMode.SAME_STEP), lambda obs: obs + add)
    env.reset()
    env.step(NOOP)
    observations, *_, infos = env.step(NOOP)
    assert observations.tolist() == [[5], [12], [22]]
    assert infos["final_obs"][0].tolist() == [7]
    assert infos["final_obs"][1:].tolist() == [None, None]


def test_the_inner_infos_stay_as_they_were(envs):
    env = envs(AutoresetMode.SAME_STEP)
    returned = []
    inner_step = env.step
    env.step = lambda actions: returned.append(inner_step(actions)) or returned[-1]
    wrapper = vector_wrappers.RescaleObservation(env, 0.0, 1.0)
    wrapper.reset()
    for _ in range(2):
        infos = wrapper.step(NOOP)[-1]
    assert returned[-1][-1]["final_obs"][0].tolist() == [2]
    assert infos["final_obs"][0] == pytest.approx([0.002])


def test_the_batched_space_follows_from_the_single_one(envs):
    single = Box(0, 1, (1,))
    env = vector_wrappers.TransformObservation(envs(), lambda obs: obs / 1000, single_observation_space=single)
    assert env.single_observation_space is single
    assert env.observation_space == Box(0, 1, (3, 1))


def test_spaces_that_do_not_agree_are_pointed_out(envs):
    with pytest.warns(UserWarning, match="observation_space") as caught:
        env = vector_wrappers.TransformObservation(envs(), lambda obs: obs / 1000, Box(0, 2, (3, 1)), Box(0, 1, (1,)))
    assert "Box(0.0, 2.0, (3, 1), float32)" in str(caught[0].message)
    assert "Box(0.0, 1.0, (3, 1), float32)" in str(caught[0].message)
    assert env.observation_space == Box(0, 2, (3, 1))
    with pytest.warns(UserWarning, match="action_space"):
        vector_wrappers.TransformAction(envs(), abs, MultiDiscrete([4, 4, 4]), Discrete(3))


@pytest.mark.parametrize("kind", ["Observation", "Action", "Reward"])
def test_what_is_no_function_is_refused_at_construction(envs, counting, kind):
    for module, env in ((wrappers, counting()), (vector_wrappers, envs())):
        with pytest.raises(TypeError, match=r"func must be a function.*3"):
            getattr(module, f"Transform{kind}")(env, 3, *([None] if kind != "Reward" else []))


@pytest.mark.parametrize("mode", AutoresetMode)
def test_what_functions_return_is_not_compared_with_the_declared_space(envs, mode):
    """Neither at construction, where none is called, nor later."""
    env = vector_wrappers.TransformObservation(
        envs(mode), lambda obs: obs[:, 0] - 7.5, single_observation_space=Box(0, 1, (1,))
    )
    env = vector_wrappers.TransformAction(env, lambda actions: actions - 9, single_action_space=Discrete(2))
    env = vector_wrappers.TransformReward(env, lambda rewards: rewards[:, None] + 1j)
    assert env.reset()[0].tolist() == [-7.5] * 3
    for t in (1, 2):
        assert env.step(np.array([9, 9, 9]))[1].tolist() == [[t + 1j]] * 3


def test_the_action_function_gets_the_batch(envs):
    env = vector_wrappers.TransformAction(envs(), lambda actions: actions // 2, single_action_space=Discrete(4))
    assert env.action_space == MultiDiscrete([4, 4, 4])
    env.reset()
    env.step(np.array([0, 3, 2]))
    assert [each.unwrapped.actions for each in env.unwrapped.envs] == [[0], [1], [1]]


def test_a_single_function_is_called_for_each_row(envs):
    env = vector_wrappers.VectorizeTransformObservation(
        envs(), TransformObservation, func=lambda obs: obs[0] > 0, observation_space=Discrete(2)
    )
    env = vector_wrappers.VectorizeTransformAction(
        env, TransformAction, func=lambda action: 1 - action, action_space=Discrete(2)
    )
    assert env.observation_space == MultiDiscrete([2, 2, 2])
    assert env.reset()[0].tolist() == [0, 0, 0]
    assert env.step([0, 1, 0])[0].tolist() == [1, 1, 1]
    assert [each.unwrapped.actions for each in env.unwrapped.envs] == [[1], [0], [1]]


def test_a_users_single_wrapper_can_be_vectorized(counting):
    class Darker(GrayscaleObservation):
        def __init__(self, env):
            super().__init__(env)
            gray = self.func
            self.func = lambda obs: gray(obs) // 2

    def pixels():
        env = counting()
        env.observation_space = Box(0, 255, (2, 2, 3), np.uint8)
        env.observation = lambda: np.full((2, 2, 3), 100, np.uint8)
        return env

    env = vector_wrappers.VectorizeTransformObservation(SyncVectorEnv([pixels] * 2), Darker)
    assert env.reset()[0].tolist() == [[[50, 50], [50, 50]]] * 2


@pytest.mark.parametrize("mode", AutoresetMode)
def test_every_mode_is_accepted_and_told(envs, mode):
    env = vector_wrappers.FlattenObservation(envs(mode))
    assert env.autoreset_mode is mode
    assert isinstance(env, VectorObservationWrapper)


def test_a_mode_that_is_none_is_refused_and_a_missing_one_pointed_out(envs):
    env = envs()
    env.metadata = {"autoreset_mode": "NextStep"}
    with pytest.raises(TypeError, match="autoreset_mode"):
        vector_wrappers.FlattenObservation(env)
    env.metadata = {}
    with pytest.warns(UserWarning, match="autoreset_mode"):
        vector_wrappers.FlattenObservation(env)


def test_the_names_of_the_package():
    assert vector_wrappers.__all__ == sorted(vector_wrappers.__all__)
    assert set(vector_wrappers.__all__) <= set(dir(vector_wrappers))
    with pytest.raises(AttributeError, match="Nothing"):
        _ = vector_wrappers.Nothing
