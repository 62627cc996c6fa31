"""Trains the agents of the films with the scripts of examples/, and reads them back as policies."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "examples"))

import car_racing  # noqa: E402  # the examples are scripts beside each other, found by the line above
import cross_entropy  # noqa: E402
import ppo  # noqa: E402
import q_learning  # noqa: E402
import random_search  # noqa: E402
import torch  # noqa: E402

import gymnasium as gym  # noqa: E402
from docs.trained.recipes import Recipe  # noqa: E402

Policy = Callable[[Any], Any]


def train(recipe: Recipe, folder: Path) -> None:
    """Run the script; it leaves the agent in `folder`."""
    script = ROOT / "examples" / recipe.script
    subprocess.run([sys.executable, str(script), *recipe.arguments, "--out", str(folder)], cwd=ROOT, check=True)


def steps_of(folder: Path) -> int:
    """Returns how many steps the training took."""
    curve = folder / "learning_curve.csv"
    if curve.exists():
        with curve.open(newline="") as file:
            *_, last = csv.DictReader(file)
        return int(last["steps"])
    with np.load(next(folder.glob("*.npz"))) as arrays:
        return int(arrays["steps"])


def policy_of(recipe: Recipe, folder: Path, env: gym.Env[Any, Any]) -> Policy:
    """Returns the agent's choice of an action for one observation of `env`, without any chance in it."""
    return {
        "ppo.py": _network,
        "random_search.py": _linear,
        "car_racing.py": _driver,
        "cross_entropy.py": _balancer,
        "q_learning.py": _table,
    }[recipe.script](folder, env)


def _network(folder: Path, env: gym.Env[Any, Any]) -> Policy:
    torch.set_num_threads(1)
    agent = ppo.Agent(int(np.prod(env.observation_space.shape or ())), env.action_space)
    agent.load_state_dict(torch.load(folder / "agent.pt", weights_only=True))

    def act(observation: Any) -> Any:
        action = agent.act(np.array(observation)[None])[0]
        return int(action) if agent.discrete else np.clip(action, env.action_space.low, env.action_space.high)  # type: ignore[attr-defined]  # of a Box

    return act


def _linear(folder: Path, env: gym.Env[Any, Any]) -> Policy:
    policy, space = random_search.Policy.load(folder / "policy.npz"), env.action_space
    assert isinstance(space, gym.spaces.Box)
    return lambda observation: np.clip(policy.act(observation[None])[0], space.low, space.high)


def _driver(folder: Path, env: gym.Env[Any, Any]) -> Policy:
    policy = car_racing.Policy.load(folder / "policy.npz")
    return lambda observation: policy.act(observation[None])[0]


def _balancer(folder: Path, env: gym.Env[Any, Any]) -> Policy:
    with np.load(folder / "policy.npz") as arrays:
        weights = arrays["weights"]
    return lambda observation: cross_entropy.linear(weights, np.asarray(observation))


def _table(folder: Path, env: gym.Env[Any, Any]) -> Policy:
    with np.load(folder / "table.npz") as arrays:
        q = arrays["q"]
    if not str(env.unwrapped.__class__.__module__).startswith("gymnasium.envs.tabular"):
        _, number = q_learning.numbering(env.observation_space)
        return lambda observation: int(q[number(observation)].argmax())

    # Under JAX, observations and actions are arrays of the same numbers.
    shape = env.action_space.shape or ()

    def act(observation: Any) -> Any:
        parts = tuple(int(part) for part in np.asarray(observation))
        state = int(np.ravel_multi_index(parts, (32, 11, 2))) if len(parts) == 3 else parts[0]
        return np.full(shape, q[state].argmax(), np.int32) if shape else int(q[state].argmax())

    return act
