"""Dynamics written for JAX."""

from __future__ import annotations

from typing import Any, ClassVar

from gymnasium.envs._jax.program import on_host
from gymnasium.functional.func_env import (
    ActType,
    FuncEnv,
    ObsType,
    Params,
    RenderStateType,
    RewardType,
    StateType,
    TerminalType,
)


class KeyedFuncEnv(FuncEnv[StateType, ObsType, ActType, RewardType, TerminalType, RenderStateType, Params]):
    """A `FuncEnv` whose functions take a key of JAX as `rng`, and the instance's own params by default.

    Args:
        options: Attributes to set on this instance.
        **params: Fields of the params that differ from their defaults.

    Attributes:
        params_type: A NamedTuple with the defaults of the params.
    """

    params_type: ClassVar[type]

    def __init__(self, options: dict[str, Any] | None = None, **params: object) -> None:
        super().__init__(options)
        if params:
            self.default_params = self.get_default_params(**params)

    def get_default_params(self, **kwargs: Any) -> Any:
        """Returns the params with these fields."""
        return self.params_type(**kwargs)

    def used(self, params: Params | None) -> Params:
        """Returns `params`, or the instance's own for None."""
        return self.default_params if params is None else params

    def drawn(self, state: Any, params: Any) -> tuple[Any, Any]:
        """Returns state and params in the form of `drawing`; the state has Python numbers and NumPy arrays."""
        raise NotImplementedError

    def render_image(
        self, state: StateType, render_state: RenderStateType, params: Any = None
    ) -> tuple[RenderStateType, Any]:
        """Returns the render state and a picture of `state`, shape (height, width, 3), dtype uint8."""
        return super().render_image(*self._arranged(state, render_state, params))

    def _arranged(self, state: object, render_state: object, params: Params | None) -> tuple[Any, Any, Any]:
        visible, constants = self.drawn(on_host(state), self.used(params))
        return visible, render_state, constants
