"""Agents that learn on vector environments of ours, which `palaestra.adapters` adapts; the reference has none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import sb3_contrib
import stable_baselines3 as sb3
from stable_baselines3.common.vec_env import VecEnv, VecFrameStack, VecMonitor, VecNormalize

import gymnasium

SEED = 3
SHORT: dict[str, Any] = {"n_steps": 32, "n_epochs": 1, "batch_size": 32, "seed": SEED}


def batch(env_id: str, kind: str | None = None, mode: str = "NextStep", n: int = 4) -> VecEnv:
    """Returns a batch of `make_vec` for Stable-Baselines3."""
    from palaestra.adapters import stable_baselines3 as adapter

    envs = gymnasium.make_vec(env_id, n, kind, vector_kwargs={"autoreset_mode": mode})
    return adapter.VecEnv(envs)


def _recurrent(kind: str | None, mode: str) -> Any:
    return sb3_contrib.RecurrentPPO("MlpLstmPolicy", VecMonitor(batch("CartPole-v1", kind, mode)), **SHORT)


def _masked(kind: str | None, mode: str) -> Any:
    return sb3_contrib.MaskablePPO("MlpPolicy", VecMonitor(batch("Taxi-v4", kind, mode)), **SHORT)


# For each: how it is made, and for how many steps it learns.
ADAPTED: dict[str, tuple[Callable[[], Any], int]] = {
    "RecurrentPPO, compiled": (partial(_recurrent, None, "SameStep"), 256),
    "RecurrentPPO, in processes": (partial(_recurrent, "async", "NextStep"), 128),
    "RecurrentPPO, sync": (partial(_recurrent, "sync", "Disabled"), 128),
    "MaskablePPO, compiled": (partial(_masked, None, "NextStep"), 256),
    "MaskablePPO, in processes": (partial(_masked, "async", "SameStep"), 128),
    "MaskablePPO, sync": (partial(_masked, "sync", "Disabled"), 128),
    "TQC, robots": (
        lambda: sb3_contrib.TQC(
            "MlpPolicy", VecNormalize(batch("Hopper-v5")), learning_starts=40, batch_size=32, seed=SEED
        ),
        100,
    ),
    "PPO, three Pongs": (
        lambda: sb3.PPO("CnnPolicy", VecFrameStack(_pongs(3), 4), n_steps=8, n_epochs=1, batch_size=8, seed=SEED),
        24,
    ),
}


def _pongs(n: int) -> VecEnv:
    """Returns preprocessed games, in processes."""
    from palaestra.adapters import stable_baselines3 as adapter

    def make() -> Any:
        game = gymnasium.make("ALE/Pong-v5", frameskip=1)
        return gymnasium.wrappers.AtariPreprocessing(game, grayscale_newaxis=True)

    mode = gymnasium.vector.AutoresetMode.SAME_STEP
    return adapter.VecEnv(gymnasium.vector.AsyncVectorEnv([make] * n, autoreset_mode=mode))
