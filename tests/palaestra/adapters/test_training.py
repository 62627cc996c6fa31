"""Agents of Stable-Baselines3 learn for a moment on any batch, and are evaluated, saved and loaded.

Those of sb3-contrib learn in `tests/clients/adapted.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gymnasium as gym
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers
from tests.palaestra.adapters.toys import Bits, Reach, Rooms

pytest.importorskip("stable_baselines3")
import torch
from stable_baselines3 import A2C, DQN, PPO, SAC, HerReplayBuffer
from stable_baselines3.common.callbacks import EvalCallback
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecFrameStack, VecMonitor, VecNormalize, VecTransposeImage

from palaestra.adapters.stable_baselines3 import VecEnv

N = 4
COMMON: dict[str, Any] = {"seed": 1, "device": "cpu"}
ON_POLICY = {**COMMON, "n_steps": 16}
OFF_POLICY = {**COMMON, "buffer_size": 300, "learning_starts": 40, "batch_size": 16}
AGENTS = {
    "PPO": lambda batch: PPO("MlpPolicy", VecMonitor(batch("CartPole-v1")), n_epochs=1, batch_size=32, **ON_POLICY),
    "A2C": lambda batch: A2C("MlpPolicy", VecNormalize(batch("CartPole-v1")), **ON_POLICY),
    "DQN": lambda batch: DQN("MlpPolicy", VecFrameStack(batch("CartPole-v1"), 2), **OFF_POLICY),
    "SAC": lambda batch: SAC("MlpPolicy", batch("Pendulum-v1"), **OFF_POLICY),
}


@pytest.fixture(autouse=True)
def _one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def compiled(env_id, mode=AutoresetMode.SAME_STEP, kind="vector_entry_point", n=N):
    return VecEnv(gym.make_vec(env_id, n, kind, vector_kwargs={"autoreset_mode": mode}))


def weights(model):
    return [value.numpy().copy() for value in model.policy.state_dict().values()]


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("agent", AGENTS)
def test_agents_learn_the_same_on_every_batch(agent, mode):
    """The same weights come out, to the bit, as with one environment after the other."""
    learned = []
    for kind in ("vector_entry_point", "sync"):
        model = AGENTS[agent](lambda env_id, kind=kind: compiled(env_id, mode, kind))
        before = weights(model)
        learned.append(weights(model.learn(160)))
        assert any(not np.array_equal(one, other) for one, other in zip(before, learned[-1], strict=True))
    assert all(np.array_equal(one, other) for one, other in zip(*learned, strict=True))


def test_an_agent_learns_with_worker_processes():
    envs = compiled("CartPole-v1", kind="async", n=2)
    assert AGENTS["PPO"](lambda _: envs).learn(64).num_timesteps == 64
    envs.close()


def test_an_agent_learns_on_robots_in_wrappers():
    """In the default autoreset mode; the statistics come from the wrapper."""
    envs = wrappers.RecordEpisodeStatistics(gym.make_vec("Hopper-v5", N, "vector_entry_point"))
    model = PPO("MlpPolicy", VecEnv(wrappers.NormalizeObservation(envs)), n_epochs=1, batch_size=64, **ON_POLICY)
    model.learn(256)
    assert {episode["l"] for episode in model.ep_info_buffer} == set(envs.length_queue)


@pytest.mark.parametrize("env", [Rooms, Bits])
def test_an_agent_learns_from_dicts_with_any_discrete_actions(env):
    """The policy for bits gives them as floats."""
    envs = VecEnv(SyncVectorEnv([env] * N))
    assert PPO("MultiInputPolicy", envs, n_epochs=1, batch_size=32, **ON_POLICY).learn(64).num_timesteps == 64


@pytest.mark.parametrize("kind", [SyncVectorEnv, AsyncVectorEnv])
def test_hindsight_asks_one_environment_for_rewards(kind):
    envs = VecEnv(kind([Reach] * 2))
    model = SAC("MultiInputPolicy", envs, replay_buffer_class=HerReplayBuffer, **OFF_POLICY)
    assert model.learn(60).num_timesteps == 60
    envs.close()


def test_an_agent_learns_from_pictures():
    """Stable-Baselines3 transposes them by itself, the last ones of episodes too."""

    def make():
        env = gym.make("FrozenLake-v1", render_mode="rgb_array")
        return gym.wrappers.ResizeObservation(gym.wrappers.AddRenderObservation(env), (36, 36))

    envs = VecEnv(SyncVectorEnv([make] * 2, autoreset_mode=AutoresetMode.SAME_STEP))
    model = A2C("CnnPolicy", envs, n_steps=8, **COMMON)
    assert isinstance(model.get_env(), VecTransposeImage)
    assert model.learn(32).num_timesteps == 32
    envs.close()


def test_evaluation_saving_and_loading(tmp_path):
    envs = VecNormalize(VecMonitor(compiled("CartPole-v1")))
    trial = VecNormalize(VecMonitor(compiled("CartPole-v1", n=2)), training=False)
    callback = EvalCallback(trial, n_eval_episodes=2, eval_freq=16, best_model_save_path=str(tmp_path), verbose=0)
    model = PPO("MlpPolicy", envs, n_epochs=1, batch_size=32, **ON_POLICY).learn(64, callback)
    assert callback.best_mean_reward > 0
    model.save(tmp_path / "agent")
    envs.save(str(tmp_path / "moments"))
    again = PPO.load(tmp_path / "agent", env=VecNormalize.load(str(tmp_path / "moments"), compiled("CartPole-v1")))
    assert all(np.array_equal(one, other) for one, other in zip(weights(model), weights(again), strict=True))
    results = []
    for agent in (model, again):
        trial.seed(3)
        results.append(evaluate_policy(agent, trial, 3, return_episode_rewards=True))
    assert results[0] == results[1]
    again.learn(64)
