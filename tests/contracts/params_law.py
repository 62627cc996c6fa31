"""What the laws about params of each episode share: params for every id, and the environments that they must give."""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.envs.registration import make
from palaestra.randomization import Choice, Distribution, LogUniform, Normal, Uniform
from palaestra.randomization.vector import RandomizeParams

IDS = (
    *("CartPole-v1", "MountainCar-v0", "MountainCarContinuous-v0", "Pendulum-v1", "Acrobot-v1"),
    *("Blackjack-v1", "Taxi-v4"),
)
"""The ids of functional environments that have numbers among their params."""

_KINDS = (
    lambda low, high: Uniform(low, high),
    lambda low, high: Choice([low, high, (low + high) / 2], p=[0.2, 0.3, 0.5]),
    lambda low, high: Normal((low + high) / 2, (high - low) / 3, low, high),
    lambda low, high: LogUniform(low, high) if low > 0 else Uniform(low, high),
)


def distributions_for(env_id: str) -> dict[str, Distribution]:
    """Returns a distribution around each number among the params, of all kinds in turn."""
    params = make(env_id).unwrapped.params
    found: dict[str, Distribution] = {}
    for k, name in enumerate(params._fields):
        value = getattr(params, name)
        if type(value) is bool:
            found[name] = Choice([False, True])
        elif type(value) is float:
            found[name] = _KINDS[k % len(_KINDS)](*sorted((0.9 * value, 1.1 * value + 1e-6)))
    return found


def some_drawn(envs: Any) -> Any:
    """Returns a batch of CartPoles of which two params are drawn, and a third one is set for some.

    Tests that need any such batch take this one, for which machine code is made once.
    """
    drawn = RandomizeParams(envs, gravity=Uniform(8, 12), masspole=Uniform(0.1, 0.2))
    drawn.set_params([0, 2], {"length": [0.4, 0.6]})
    return drawn


def params_of(infos: dict[str, Any], i: int) -> dict[str, Any]:
    """Returns what was drawn for environment i, from the infos of a batch."""
    return {name: infos["params"][name][i].item() for name in infos["params"] if not name.startswith("_")}


class Reference:
    """A single environment that is given its params before each reset."""

    def __init__(self, env_id: str, **kwargs: Any) -> None:
        self.env = make(env_id, **kwargs)

    def reset(self, params: dict[str, Any], seed: int | None = None) -> tuple[Any, dict[str, Any]]:
        """Set the params, and reset."""
        base = self.env.unwrapped
        base.params = base.params._replace(**params)
        return self.env.reset(seed=seed)


def same(a: Any, b: Any) -> bool:
    """Returns whether two observations are equal to the bit."""
    return bool(np.array_equal(np.asarray(a), np.asarray(b)))
