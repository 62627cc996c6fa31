"""What the tests of params under JAX share: CartPoles, dynamics that count, and what their infos tell."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import numpy as np

from gymnasium.envs.classic_control.cartpole import CartPole
from gymnasium.envs.functional_jax_env import FunctionalJaxVectorEnv
from gymnasium.functional import FuncEnv
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from palaestra.randomization import Choice, Constant, Each, LogNormal, Scale, Uniform

N = 6


def drift(rng: Any, episode: Any) -> Any:
    """A param that changes from episode to episode."""
    return 0.02 + 0.001 * episode + 1e-4 * rng.random()


DRAWN: dict[str, Any] = {
    "gravity": Uniform(8, 12),
    "length": Choice([0.4, 0.5, 0.6], p=[0.2, 0.3, 0.5]),
    "masspole": Scale(LogNormal(0, 0.1)),
    "tau": drift,
    "masscart": Each(np.linspace(0.9, 1.1, N)),
    "x_threshold": Constant(2),
}


def batch(mode: AutoresetMode = AutoresetMode.NEXT_STEP, n: int = N, limit: int = 25) -> FunctionalJaxVectorEnv:
    """CartPoles under JAX."""
    return FunctionalJaxVectorEnv(CartPole(), n, limit, {"autoreset_mode": mode})


def played(envs: VectorEnv[Any, Any, Any], steps: int, seed: int | None = 3) -> list[Any]:
    """Returns the results of a reset and of steps; in the mode DISABLED of resets too."""
    results: list[Any] = [envs.reset(seed=seed)]
    rng = np.random.default_rng(1)
    for _ in range(steps):
        results.append(envs.step(rng.integers(0, 2, envs.num_envs)))
        over = np.asarray(results[-1][2] | results[-1][3])
        if envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED and over.any():
            results.append(envs.reset(options={"reset_mask": over}))
    return results


def told(results: list[Any], n: int = N) -> list[dict[str, list[float]]]:
    """Returns for each environment the values that its infos tell, by name."""
    values: list[dict[str, list[float]]] = [{} for _ in range(n)]
    for *_, infos in results:
        for name in infos.get("params", {}):
            for i in np.flatnonzero(infos["params"][f"_{name}"]) if name[0] != "_" else ():
                values[i].setdefault(name, []).append(float(infos["params"][name][i]))
    return values


def assert_equal(one: Any, other: Any) -> None:
    """Equal to the bit."""
    assert all(map(np.array_equal, jax.tree.leaves(one), jax.tree.leaves(other)))


class Params(NamedTuple):
    """Params that dynamics branch on, and that are whole numbers."""

    goal: int = 5
    fast: bool = False


class Count(FuncEnv):
    """Counts up to a goal."""

    observation_space = Box(-np.inf, np.inf, (1,), np.float32)
    action_space = Discrete(2)

    def get_default_params(self, **kwargs: Any) -> Params:
        """Returns params."""
        return Params(**kwargs)

    def initial(self, rng: Any, params: Params) -> Any:
        """Begin at 0."""
        return 0

    def transition(self, state: Any, action: Any, rng: Any, params: Params) -> Any:
        """Count."""
        return state + (2 if params.fast else 1)

    def observation(self, state: Any, rng: Any, params: Params) -> Any:
        """Show the number."""
        return (state,)

    def reward(self, state: Any, action: Any, next_state: Any, rng: Any, params: Params) -> Any:
        """One each step."""
        return 1.0

    def terminal(self, state: Any, rng: Any, params: Params) -> Any:
        """End at the goal."""
        return state >= params.goal


class Constantly(Count):
    """Takes any goal."""

    def terminal(self, state: Any, rng: Any, params: Params) -> Any:
        """Never end."""
        return state < 0
