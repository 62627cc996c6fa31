"""The single environment that a batch copies: its construction, and the effect of options on its reset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium._extensions import is_own_module
from gymnasium.error import UnsupportedMode
from gymnasium.functional.env import FunctionalEnv
from gymnasium.functional.func_env import FuncEnv
from gymnasium.functional.starting import start_params

Environment = FuncEnv | Callable[..., Any]


def single_of(environment: Environment, params: dict[str, Any]) -> FunctionalEnv:
    """Returns one environment.

    Args:
        environment: Dynamics, or a function that makes dynamics or an environment.
        params: Fields of the dynamics' params, or arguments of their constructor; for a function its arguments.

    Raises:
        TypeError: If `environment` is none of these, or does not take `params`.
    """
    if isinstance(environment, FuncEnv) or (isinstance(environment, type) and issubclass(environment, FuncEnv)):
        return FunctionalEnv(environment, **params)
    if not callable(environment):
        raise TypeError(f"CompiledVectorEnv runs a FuncEnv, or a function that makes one, but {environment!r} came")
    made = environment(**params)
    if isinstance(made, FuncEnv):
        return FunctionalEnv(made)
    if isinstance(made, FunctionalEnv):
        _check_overridden(made)
        made._settle()
        return made
    raise TypeError(
        f"CompiledVectorEnv runs FuncEnvs and FunctionalEnvs, but {environment!r} made {made!r} of type {type(made)}: "
        "SyncVectorEnv runs any environment"
    )


def _check_overridden(env: FunctionalEnv) -> None:
    """Check that an environment only runs its dynamics."""
    kind = type(env)
    for name in filter(None, ("step", "reset", "_begin", "_reward_at_end", "np_random", kind.observer, *kind.hooks)):
        own = name in vars(env) or f"_own{name}" in vars(env)
        owner = kind if own else next(base for base in kind.__mro__ if name in vars(base))
        # Those of this package only choose the params of a reset, which a batch requests from them.
        if own or not is_own_module(owner.__module__):
            raise TypeError(
                f"CompiledVectorEnv runs dynamics, but {owner.__name__} overrides `{name}`, which would be left out: "
                "put it into the FuncEnv, or use SyncVectorEnv"
            )


def check_render_mode(single: FunctionalEnv, render_mode: str | None) -> None:
    """Check that a batch supports this render mode.

    Raises:
        gymnasium.error.UnsupportedMode: If it cannot.
    """
    known = [mode for mode in single.metadata["render_modes"] if mode != "human"]
    if render_mode is not None and render_mode.removesuffix("_list") not in known:
        raise UnsupportedMode(
            f"A compiled batch of {type(single).__name__} renders in the modes {known} or None, but {render_mode!r} "
            'came. To watch environments, make one, or a batch with vectorization_mode="sync"'
        )


def all_start_params(
    single: FunctionalEnv, params: Sequence[object], mask: NDArray[np.bool_], options: list[Any]
) -> list[Any]:
    """Returns the `start_params` of all environments of a mask: one for all, or one for each, as of `params`."""
    if len(params) == 1 and (not any(options) or all(one is options[0] for one in options)):
        return [start_params(single, params[0], options[0])]
    asked = [i for i, reset in enumerate(mask.tolist()) if reset]
    found = {i: start_params(single, params[i if len(params) > 1 else 0], options[i]) for i in asked}
    return [found.get(i, found[asked[0]]) for i in range(len(mask))]
