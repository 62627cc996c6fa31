"""Agents of Stable-Baselines3 and sb3-contrib that learn for a moment, are saved, loaded and evaluated."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sb3_contrib
import stable_baselines3 as sb3
import torch
from adapted import ADAPTED
from bits import bits
from findings import Findings, described, obey
from minigrid.wrappers import FlatObsWrapper
from stable_baselines3.common.env_util import make_atari_env, make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv, VecFrameStack

SEED = 3
ON_POLICY: dict[str, Any] = {"n_steps": 32, "seed": SEED}
OFF_POLICY: dict[str, Any] = {"buffer_size": 500, "learning_starts": 40, "batch_size": 32, "seed": SEED}
HINDSIGHT: dict[str, Any] = {**OFF_POLICY, "learning_starts": 60}  # after a first episode, which it needs


def several(env_id: str, kind: type[VecEnv] = DummyVecEnv, **kwargs: Any) -> VecEnv:
    """Returns two environments of Stable-Baselines3's own vectorisation."""
    return make_vec_env(env_id, 2, seed=SEED, vec_env_cls=kind, **kwargs)  # type: ignore[arg-type]


def pixels() -> VecEnv:
    """Returns two preprocessed Pongs."""
    return VecFrameStack(make_atari_env("PongNoFrameskip-v4", 2, seed=SEED), 4)


# For each: how it is made, and for how many steps it learns.
AGENTS: dict[str, tuple[Callable[[], Any], int]] = {
    "PPO, CartPole-v1": (lambda: sb3.PPO("MlpPolicy", several("CartPole-v1"), n_epochs=2, **ON_POLICY), 256),
    "A2C, CartPole-v1, in processes": (
        lambda: sb3.A2C("MlpPolicy", several("CartPole-v1", SubprocVecEnv), **ON_POLICY),
        256,
    ),
    "DQN, CartPole-v1": (lambda: sb3.DQN("MlpPolicy", "CartPole-v1", **OFF_POLICY), 200),
    "SAC, Pendulum-v1": (lambda: sb3.SAC("MlpPolicy", "Pendulum-v1", **OFF_POLICY), 100),
    "TD3, Pendulum-v1": (lambda: sb3.TD3("MlpPolicy", several("Pendulum-v1"), **OFF_POLICY), 100),
    "RecurrentPPO, CartPole-v1": (
        lambda: sb3_contrib.RecurrentPPO("MlpLstmPolicy", several("CartPole-v1"), n_epochs=1, **ON_POLICY),
        128,
    ),
    "TQC, Pendulum-v1": (lambda: sb3_contrib.TQC("MlpPolicy", "Pendulum-v1", **OFF_POLICY), 80),
    "SAC with hindsight, FetchReach-v4": (
        lambda: sb3.SAC("MultiInputPolicy", "FetchReach-v4", replay_buffer_class=sb3.HerReplayBuffer, **HINDSIGHT),
        80,
    ),
    "PPO, MiniGrid-Empty-5x5-v0": (
        lambda: sb3.PPO(
            "MlpPolicy", several("MiniGrid-Empty-5x5-v0", wrapper_class=FlatObsWrapper), n_epochs=1, **ON_POLICY
        ),
        128,
    ),
    "DQN, highway-fast-v0": (lambda: sb3.DQN("MlpPolicy", "highway-fast-v0", **OFF_POLICY), 50),
    "A2C, Pong": (lambda: sb3.A2C("CnnPolicy", pixels(), **{**ON_POLICY, "n_steps": 8}), 32),
}


def learn(name: str) -> Findings:
    """Let an agent learn, save it, load it, and act by it."""
    torch.set_num_threads(1)  # the order of sums, and so their bits, depends on the number
    make, steps = (AGENTS | ADAPTED)[name]
    try:
        model = make()
    except Exception as error:  # as in `obey`
        return {"make": [described(error)]}
    laws = {
        "learn": lambda: [weights(model.learn(steps))],
        "save": lambda: [weights(loaded(model))],
        "act": lambda: acted(model),
    }
    found = obey(laws)
    model.get_env().close()
    return found


def weights(model: Any) -> str:
    """Returns a digest of all that was learned."""
    return bits({name: value.numpy() for name, value in model.policy.state_dict().items()})


def loaded(model: Any) -> Any:
    """Returns the agent from a file that it was saved to, with the weights that it had."""
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "agent.zip")
        again = type(model).load(Path(folder) / "agent.zip", env=model.get_env())
    assert weights(again) == weights(model), "the loaded agent has other weights"
    return again


def acted(model: Any) -> list[str]:
    """Returns the digests of some steps by what was learned."""
    envs = model.get_env()
    observations, found = envs.reset(), []
    for _ in range(15):
        actions, _ = model.predict(observations, deterministic=True)
        observations, rewards, ends, _ = envs.step(actions)
        found.append(f"{bits(observations)} {bits(rewards)} {bits(ends)}")
    return found
