"""Files of snapshots as earlier versions wrote them: `python -m tests.golden.snapshots` adds those that are missing.

Names of classes and attributes stand in them, so that a new name for one may lose what people have kept.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import palaestra
from gymnasium import wrappers
from gymnasium.wrappers.vector import NormalizeObservation, NormalizeReward
from palaestra.randomization import Uniform
from palaestra.randomization.vector import RandomizeParams

FILES = Path(__file__).parent / "data" / "snapshots"
STEPS = 25


def _batch(env_id: str, mode: str | None = None, number: int = 3) -> Any:
    return gym.make_vec(env_id, number, vectorization_mode=mode)


CASES: dict[str, Callable[[], Any]] = {
    "pendulum": lambda: gym.make("Pendulum-v1"),
    "blackjack": lambda: gym.make("Blackjack-v1"),
    "wrapped": lambda: wrappers.NormalizeReward(wrappers.FrameStackObservation(gym.make("CartPole-v1"), 3)),
    "lander": lambda: gym.make("LunarLander-v3"),
    "walker": lambda: gym.make("BipedalWalker-v3"),
    "hopper": lambda: gym.make("Hopper-v5"),
    "sync": lambda: _batch("Taxi-v4", "sync"),
    "async": lambda: _batch("CartPole-v1", "async"),
    "compiled": lambda: _batch("CartPole-v1"),
    "compiled, wrapped": lambda: NormalizeReward(NormalizeObservation(_batch("CartPole-v1"))),
    "compiled, params": lambda: RandomizeParams(_batch("CartPole-v1"), gravity=Uniform(8.0, 12.0)),
    "jax": lambda: _batch("CartPole-v1", "jax"),
    "jax, params": lambda: RandomizeParams(_batch("CartPole-v1", "jax"), gravity=Uniform(8.0, 12.0)),
    "robots": lambda: _batch("HalfCheetah-v5", number=2),
}


def played(name: str) -> Any:
    """Returns the environment or batch of a case, after some steps."""
    env = CASES[name]()
    env.reset(seed=3)
    env.action_space.seed(7)
    for _ in range(STEPS):
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if isinstance(env, gym.Env) and (terminated or truncated):
            env.reset()
    return env


def main() -> None:
    """Write the files of new cases."""
    FILES.mkdir(parents=True, exist_ok=True)
    for name in CASES:
        path = FILES / f"{name}.npz"
        if not path.exists():
            env = played(name)
            palaestra.snapshot(env).save(path)
            env.close()


if __name__ == "__main__":
    main()
