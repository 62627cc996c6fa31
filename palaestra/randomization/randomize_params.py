"""A wrapper that gives each episode params of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic

import numpy as np

from gymnasium.core import ActType, Env, ObsType, Wrapper
from gymnasium.params.base import Constant
from gymnasium.params.randomization import Randomizer
from gymnasium.utils.record_constructor import RecordConstructorArgs
from palaestra.randomization.distributions import randomization_of

__all__ = ["RandomizeParams"]


class RandomizeParams(Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]):
    """Draws params, such as gravity, at the beginning of each episode; `info["params"]` of a reset holds them.

        env = RandomizeParams(gymnasium.make("CartPole-v1"), gravity=Uniform(8, 12), length=Choice([0.4, 0.5, 0.6]))

    They are drawn in the order in which they are named, from a stream of their own that begins with each seed. The
    environment's own random numbers stay as they are: an episode is that of an environment with the same seed that was
    made with these params.

    Args:
        env: The environment.
        **params: By name, a distribution of `palaestra.randomization`, a number or an array, or a pure function of
            (rng, episode). A name is a field of the params of dynamics, which keeps its type; or an attribute of
            `env.unwrapped`; or, of the MuJoCo robots, a field of the model, of an element as well:
            `**{"body_mass[torso]": Uniform(2, 4)}`.

    Raises:
        ValueError: If there is no such param, or the environment refuses a value that may be drawn; the message lists
            the params.
        TypeError: If a param is not of the type of the values, or something else than a distribution comes.
    """

    puts_params = True
    """Whether `set_state` comes before that of the environment, which may play its episode again."""

    def __init__(self, env: Env[ObsType, ActType], **params: Any) -> None:
        RecordConstructorArgs.__init__(self, **params)
        Wrapper.__init__(self, env)
        # An array is the value of a param that is an array, as there is one environment.
        whole = {name: Constant(value) if isinstance(value, np.ndarray) else value for name, value in params.items()}
        self._randomizer = Randomizer(env, randomization_of(whole))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Draw the params, set them, and reset."""
        params = self._randomizer.begin(seed)
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, {**info, "params": params} if params else info

    def get_state(self) -> dict[str, Any]:
        """Returns the params and the stream, as plain data."""
        return self._randomizer.get_state()

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Set the params, and continue the stream.

        Raises:
            ValueError: If they are other params.
        """
        self._randomizer.set_state(state)
