"""Policies that land: proportional-derivative control of the angle and of the sinking speed.

palaestra run LunarLander-v3 --policy gymnasium.envs.box2d.lunar_policy:land
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from gymnasium.core import Env

_WORTH_IT = 0.05  # the minimum correction for which an engine is switched on


def land(observation: NDArray[np.float32]) -> int:
    """Returns a discrete action: the main engine if it is needed most, else the side engine that helps, else 0."""
    turn, lift = _corrections(observation)
    if lift > abs(turn) and lift > _WORTH_IT:
        return 2
    if turn < -_WORTH_IT:
        return 3
    return 1 if turn > _WORTH_IT else 0


def land_continuous(observation: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns a continuous action."""
    turn, lift = _corrections(observation)
    return np.clip(np.array([20 * lift - 1, -20 * turn], np.float32), -1, 1)


def _corrections(observation: NDArray[np.float32]) -> tuple[float, float]:
    """The desired turn to the left, and the desired rise."""
    x, y, vx, vy, angle, turning, left, right = observation.tolist()
    if left or right:  # stand, and only brake the fall
        return 0.0, -0.5 * vy
    # Lean towards the pad, more if it is further away or the distance grows faster.
    lean = min(max(0.5 * x + vx, -0.4), 0.4)
    # Come down along a cone over the pad.
    height = 0.8 * abs(x)
    return 0.5 * (lean - angle) - turning, 0.5 * (height - y) - 0.7 * vy


def heuristic(env: Env, s: NDArray[np.float32]) -> Any:
    """Returns the action of `land` or `land_continuous` for the observation `s`, as `env` takes actions."""
    observation = np.asarray(s, np.float32)
    return land_continuous(observation) if env.get_wrapper_attr("continuous") else land(observation)


def demo_heuristic_lander(env: Env, seed: int | None = None, render: bool = False) -> float:
    """Returns the return of one episode that the heuristic flies, above 100 for a landing.

    Args:
        env: A lunar lander.
        seed: The seed of the reset.
        render: Whether to call `render` at each step.
    """
    observation, _ = env.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        observation, reward, terminated, truncated, _ = env.step(heuristic(env, observation))
        total += float(reward)
        over = terminated or truncated
        if render:
            env.render()
    return total
