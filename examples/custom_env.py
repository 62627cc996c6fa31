"""An environment of your own at machine speed: cross a plain with puddles to a flag.

Written once, as a `FuncEnv`, it runs as one `Env` in Python and as thousands of compiled copies, with the same
trajectories. Run this file to see both, and how fast each is.

    python examples/custom_env.py
"""

from __future__ import annotations

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.functional import FuncEnv, FunctionalEnv
from gymnasium.functional.ops import clip, sqrt
from gymnasium.spaces import Box
from palaestra.runner import CompiledVectorEnv
from palaestra.testing import check_func_env

PUDDLES = 3


class State(NamedTuple):
    """Where the walker is, and where the puddles of this episode are."""

    x: float  # m, in [-1, 1]
    y: float
    wet: bool  # whether the walker has just stepped into a puddle
    puddles: NDArray[np.float64]  # (3, 2), m, their centres


class Params(NamedTuple):
    """The settings of the user: `CompiledVectorEnv(Puddles(), 4096, cost=2.0)`."""

    stride: float = 0.1  # m, the longest step along each axis
    radius: float = 0.2  # m, of a puddle
    cost: float = 1.0  # of a step in a puddle
    goal: tuple[float, float] = (0.9, 0.9)  # m, where the flag is


DEFAULT = Params()


class Puddles(FuncEnv[State, tuple[float, ...], Any, float, bool, Any, Params]):
    """The dynamics: static functions of their arguments, with ifs and loops as you like."""

    observation_space = Box(-1.0, 1.0, (2 + 2 * PUDDLES,), np.float32)
    action_space = Box(-1.0, 1.0, (2,), np.float32)

    def get_default_params(self, **kwargs: Any) -> Params:
        """Returns the params with these fields."""
        return Params(**kwargs)

    @staticmethod
    def initial(rng: Any, params: Params = DEFAULT) -> State:
        """In the lower left corner, puddles anywhere."""
        puddles = np.zeros((PUDDLES, 2))
        for k in range(PUDDLES):
            puddles[k, 0] = rng.uniform(-0.6, 0.6)
            puddles[k, 1] = rng.uniform(-0.6, 0.6)
        return State(-0.9, -0.9, False, puddles)

    @staticmethod
    def transition(state: State, action: Any, rng: Any, params: Params = DEFAULT) -> State:
        """A step, which the wind deflects a little; nobody leaves the plain."""
        x = clip(state.x + params.stride * clip(action[0], -1.0, 1.0) + rng.normal(0.0, 0.01), -1.0, 1.0)
        y = clip(state.y + params.stride * clip(action[1], -1.0, 1.0) + rng.normal(0.0, 0.01), -1.0, 1.0)
        wet = False
        for k in range(PUDDLES):
            if distance(x, y, state.puddles[k, 0], state.puddles[k, 1]) < params.radius:
                wet = True
        return State(x, y, wet, state.puddles)

    @staticmethod
    def observation(state: State, rng: Any, params: Params = DEFAULT) -> tuple[float, ...]:
        """Where the walker is, and where the puddles are."""
        p = state.puddles
        return state.x, state.y, p[0, 0], p[0, 1], p[1, 0], p[1, 1], p[2, 0], p[2, 1]

    @staticmethod
    def reward(state: State, action: Any, next_state: State, rng: Any, params: Params = DEFAULT) -> float:
        """The way gained towards the flag (m), less the cost of a puddle; 10 for arriving."""
        before = distance(state.x, state.y, params.goal[0], params.goal[1])
        after = distance(next_state.x, next_state.y, params.goal[0], params.goal[1])
        reward = before - after
        if next_state.wet:
            reward = reward - params.cost
        if after < 0.1:
            reward = reward + 10.0
        return reward

    @staticmethod
    def terminal(state: State, rng: Any, params: Params = DEFAULT) -> bool:
        """Whether the walker is at the flag."""
        return distance(state.x, state.y, params.goal[0], params.goal[1]) < 0.1


def distance(x: float, y: float, u: float, v: float) -> float:
    """Returns how far two points are from each other."""
    return sqrt((x - u) * (x - u) + (y - v) * (y - v))


def steps_per_second(envs: Any, seconds: float = 1.0) -> float:
    """Returns the rate of steps with random actions, autoresets included; `envs` is one environment or a batch."""
    n = getattr(envs, "num_envs", 1)
    envs.action_space.seed(0)
    actions = [envs.action_space.sample() for _ in range(16)]
    envs.reset(seed=0)
    steps, start = 0, perf_counter()
    while perf_counter() - start < seconds:
        for action in actions:
            _, _, terminated, _, _ = envs.step(action)
            if n == 1 and terminated:
                envs.reset()
        steps += n * len(actions)
    return steps / (perf_counter() - start)


def main() -> None:
    """Check the laws, compare the runners, and measure them."""
    print(check_func_env(Puddles))

    single, envs = FunctionalEnv(Puddles()), CompiledVectorEnv(Puddles(), 4096, max_episode_steps=200)
    first, _ = single.reset(seed=7)
    batch, _ = envs.reset(seed=7)
    assert np.array_equal(first, batch[0]), "environment i of a batch has seed + i"
    action = np.array([1.0, 0.5], np.float32)
    assert np.array_equal(single.step(action)[0], envs.step(np.tile(action, (4096, 1)))[0][0])

    print(f"one, in Python:     {steps_per_second(single):>12,.0f} steps/s")
    print(f"4,096, compiled:    {steps_per_second(envs):>12,.0f} steps/s")


if __name__ == "__main__":
    main()
