"""The contract for policies: a pure function of (params, observation, rng)."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Generic

from typing_extensions import TypeVar

from gymnasium.spaces.space import Space

Params = TypeVar("Params", default=Any)


class FuncPolicy(Generic[Params]):
    """A policy without a state, which `palaestra.rollout` runs inside the kernels of compiled environments.

        class Lean(FuncPolicy):
            @staticmethod
            def act(params, observation, rng):
                x, x_dot, theta, theta_dot = observation
                return 1 if theta + params.damping * theta_dot > 0 else 0

        rollout = palaestra.rollout(envs, Lean(Params(damping=0.2)), 128)

    A subclass writes `act` by the rules of `FuncEnv`: it is static, depends on its arguments alone, draws random
    numbers from `rng` only, and the params are a `NamedTuple` of numbers, tuples and arrays. Compiled code and Python
    give the same bits.

    Environment i has a random stream of its own, seeded by `seed` and i, so that neither the number of environments nor
    that of threads changes what it draws.

    Args:
        params: The params, which may be replaced between rollouts. A list holds those of each environment; its length
            is the number of environments.
        seed: An integer from 0 on, below 2**64.

    Raises:
        ValueError: For another seed.
    """

    def __init__(self, params: Params | list[Params] | None = None, *, seed: int = 0) -> None:
        self.params = params
        if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= seed < 1 << 64:
            raise ValueError(f"`seed` must be an integer from 0 on, below 2**64, but {seed!r} came")
        self.seed: int = int(seed)

    @staticmethod
    def act(params: Any, observation: Any, rng: Any) -> Any:
        """Returns the action, or `(action, extras)`, where the extras are a `NamedTuple` of numbers.

        Args:
            params: The params.
            observation: An observation of one environment: an int for `Discrete`, a tuple of floats for a `Box` of one
                axis, otherwise an array.
            rng: Draws random numbers, like that of dynamics.

        Returns:
            An action in the same form: an int, a tuple of floats, or an array.
        """
        raise NotImplementedError

    def check_observation_space(self, space: Space) -> None:
        """Raise an exception if the policy cannot act on observations of a space: `rollout` asks before it begins.

        Args:
            space: The space of one observation.
        """


def params_of(policy: FuncPolicy, n: int) -> list[Any]:
    """Returns the params of a policy in n environments: one for all of them, or one for each.

    Raises:
        ValueError: If there is another number of them.
    """
    params = policy.params
    if not isinstance(params, list):
        return [params]
    if len(params) != n:
        raise ValueError(
            f"`params` of {type(policy).__name__} is a list of {len(params)}, but there are {n} environments: give the "
            "params of each, or one params, which is no list, for all"
        )
    return params
