"""PPO by Stable-Baselines3, on a vector environment of `make_vec` or on one of Stable-Baselines3's own.

    python examples/ppo_sb3.py                             CartPole on make_vec, that is, compiled
    python examples/ppo_sb3.py --vectorisation dummy       the same, one environment after the other (DummyVecEnv)
    python examples/ppo_sb3.py --vectorisation subproc     the same, each in a process of its own (SubprocVecEnv)

`palaestra.adapters.stable_baselines3.VecEnv` lets Stable-Baselines3 train on any vector environment. `ppo.py` has
the same algorithm in one file.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecMonitor, VecNormalize

import gymnasium as gym
from gymnasium.vector import AutoresetMode
from palaestra.adapters.stable_baselines3 import VecEnv

EPISODES = 100  # of which the mean return is reported
HORIZON = 64  # steps of each environment between two updates
RATE = 2.5e-3  # of learning, at first; it falls to zero

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("env_id", nargs="?", default="CartPole-v1", help="the environment (CartPole-v1)")
parser.add_argument("--vectorisation", choices=("make_vec", "dummy", "subproc"), default="make_vec", help="(make_vec)")
parser.add_argument("--num-envs", type=int, default=32, help="environments that step together (32)")
parser.add_argument("--seed", type=int, default=1, help="seed of the environments and the networks (1)")
parser.add_argument("--steps", type=int, default=500_000, help="environment steps at most (500000)")
parser.add_argument("--threshold", type=float, help="mean return at which to stop (the environment's own)")
parser.add_argument("--out", type=Path, help="a folder for the trained model (none)")


class Progress(BaseCallback):
    """Prints how well the agent does, and ends the training at the threshold."""

    def __init__(self, threshold: float | None) -> None:
        super().__init__()
        self.threshold, self.start, self.rollouts = threshold, perf_counter(), 0

    @property
    def mean_return(self) -> float:
        returns = [episode["r"] for episode in self.model.ep_info_buffer or ()]
        return float(np.mean(returns)) if returns else float("nan")

    @property
    def done(self) -> bool:
        full = len(self.model.ep_info_buffer or ()) == EPISODES
        return full and self.threshold is not None and self.mean_return >= self.threshold

    def _on_rollout_end(self) -> None:
        self.rollouts += 1
        if self.done or self.rollouts % 10 == 0:
            self.report()

    def _on_step(self) -> bool:
        return not self.done

    def report(self) -> None:
        seconds = perf_counter() - self.start
        print(
            f"{self.num_timesteps:>10,} steps   mean return {self.mean_return:8.1f}   {seconds:6.1f} s "
            f"{self.num_timesteps / seconds:>9,.0f} steps/s",
            flush=True,
        )


def made(options: argparse.Namespace) -> VecNormalize:
    """The vector environment to learn on: returns are counted as they are, and learned from as normalised numbers."""
    if options.vectorisation == "make_vec":
        # The fastest of the autoreset modes here; the results are the same in all of them.
        fastest = {"autoreset_mode": AutoresetMode.SAME_STEP}
        envs = VecEnv(gym.make_vec(options.env_id, options.num_envs, vector_kwargs=fastest))
        return VecNormalize(VecMonitor(envs))
    kinds: dict[str, type[DummyVecEnv] | type[SubprocVecEnv]] = {"dummy": DummyVecEnv, "subproc": SubprocVecEnv}
    kind = kinds[options.vectorisation]
    return VecNormalize(make_vec_env(options.env_id, options.num_envs, vec_env_cls=kind))


def train(options: argparse.Namespace) -> tuple[PPO, Progress]:
    envs = made(options)
    threshold = gym.spec(options.env_id).reward_threshold if options.threshold is None else options.threshold
    print(f"Stable-Baselines3 on {options.num_envs} of {options.env_id}, {options.vectorisation}, seed {options.seed}")
    model = PPO(
        "MlpPolicy",
        envs,
        learning_rate=lambda left: RATE * left,
        n_steps=HORIZON,
        batch_size=HORIZON * options.num_envs // 4,
        n_epochs=4,
        ent_coef=0.01,
        seed=options.seed,
        device="cpu",
        stats_window_size=EPISODES,
    )
    progress = Progress(threshold)
    model.learn(options.steps, callback=progress)
    progress.report()
    envs.close()
    return model, progress


def main() -> None:
    options = parser.parse_args()
    if min(options.num_envs, options.steps) < 1:
        parser.error("--num-envs and --steps have to be at least 1")
    torch.set_num_threads(1)  # networks this small are fastest on one thread
    model, _ = train(options)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        model.save(options.out / "model.zip")


if __name__ == "__main__":
    main()
