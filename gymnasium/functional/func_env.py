"""The contract for an environment's dynamics: pure functions of (state, action, rng, params).

One step of an episode is, in this order and with the one source of randomness `rng`,

    next_state = transition(state, action, rng, params)
    reward     = reward(state, action, next_state, rng, params)
    terminal   = terminal(next_state, rng, params)
    observation = observation(next_state, rng, params)

and an episode begins with `initial`, then `observation`. Every runner keeps this order, so that a seed gives the
same trajectory in each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeVar

from gymnasium.spaces.space import Space

StateType = TypeVar("StateType", default=Any)
ObsType = TypeVar("ObsType", default=Any)
ActType = TypeVar("ActType", default=Any)
RewardType = TypeVar("RewardType", default=Any)
TerminalType = TypeVar("TerminalType", default=Any)
RenderStateType = TypeVar("RenderStateType", default=Any)
Params = TypeVar("Params", default=Any)


class FuncEnv(Generic[StateType, ObsType, ActType, RewardType, TerminalType, RenderStateType, Params]):
    """Dynamics without a runner: no stored state, no time limit, no batch, no pixels.

    `gymnasium.register(id, func_env=MyFuncEnv)` makes it available to `make`, to `make_vec` on every runner, and to
    the command line.

    To run everywhere, a subclass follows these rules:

    - The functions are static and depend on their arguments alone.
    - State and params are `NamedTuple`s. State fields are scalars or arrays of a fixed shape; params fields may also
      be longer arrays or tuples of numbers (a map, a table), or a `NamedTuple` of such. Neither is changed in place.
    - Random numbers come from `rng` only, with the method names of `numpy.random.Generator`: `random()`,
      `uniform(low, high)`, `integers(low, high)`, `normal(loc, scale)`, `standard_normal()`. Each call returns one
      number, or with `size` an array. All runners but JAX also have `exponential(scale)`, `choice`, `permutation` and
      `shuffle`.
    - A discrete action is an int; an action of a Box of one axis is a sequence of floats, as is an observation of
      one. `observation` may also return an array; of a Dict it returns a dict that is written out at its end.
    - To run under JAX too, it computes with `gymnasium.functional.ops` and does not branch on the state, the action or
      a random number. A bool of the params may be branched on.

    Attributes:
        observation_space: The space of the observations.
        action_space: The space of the actions.
        metadata: Like that of an `Env`: `"render_modes"`, `"render_fps"`.
        drawing: The module that draws the state, by name, or None. It has `size(params)`, which returns (width,
            height) in pixels, `draw(canvas, state, params)`, and, for the mode `"ansi"`, `text(state, params)`.

    Args:
        options: Attributes to set on this instance.
    """

    observation_space: Space
    action_space: Space
    metadata: dict[str, Any] = {"render_modes": []}  # an instance may replace it
    drawing: str | None = None

    def __init__(self, options: dict[str, Any] | None = None) -> None:
        self.__dict__.update(options or {})
        self.default_params = self.get_default_params()

    def initial(self, rng: Any, params: Any = None) -> StateType:
        """Returns the initial state of an episode."""
        raise NotImplementedError

    def transition(self, state: StateType, action: ActType, rng: Any, params: Any = None) -> StateType:
        """Returns the state that follows `state` under `action`."""
        raise NotImplementedError

    def observation(self, state: StateType, rng: Any, params: Any = None) -> ObsType:
        """Returns the observation of `state`."""
        raise NotImplementedError

    def reward(
        self, state: StateType, action: ActType, next_state: StateType, rng: Any, params: Any = None
    ) -> RewardType:
        """Returns the reward of this transition."""
        raise NotImplementedError

    def terminal(self, state: StateType, rng: Any, params: Any = None) -> TerminalType:
        """Returns whether the task is over in `state`."""
        raise NotImplementedError

    def state_info(self, state: StateType, params: Any = None) -> dict[str, Any]:
        """Returns the `info` of a reset."""
        return {}

    def transition_info(
        self, state: StateType, action: ActType, next_state: StateType, params: Any = None
    ) -> dict[str, Any]:
        """Returns the `info` of a step."""
        return {}

    def get_default_params(self, **kwargs: Any) -> Any:
        """Returns the params, with the fields named in `kwargs` set; None if there are none."""
        return None

    def transform(self, func: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
        """Replace each function of the dynamics by `func` of it, on this instance (`transform(jax.vmap)`, say)."""
        for name in _TRANSFORMED:
            setattr(self, name, func(getattr(self, name)))

    def render_init(self, params: Any = None, **kwargs: Any) -> RenderStateType:
        """Returns the render state, which `render_image` keeps between frames: here the canvas for `drawing`."""
        from gymnasium.rendering.canvas import Canvas  # late: many programs draw nothing

        canvas: Any = Canvas(*self._drawing().size(params))
        return canvas  # type: ignore[no-any-return]  # a subclass that overrides this chooses the type

    def render_image(
        self, state: StateType, render_state: RenderStateType, params: Any = None
    ) -> tuple[RenderStateType, NDArray[np.uint8]]:
        """Returns the render state and a picture of `state`, shape (height, width, 3), dtype uint8."""
        canvas: Any = render_state
        self._drawing().draw(canvas, state, params)
        return render_state, canvas.pixels()

    def render_text(self, state: StateType, params: Any = None) -> str:
        """Returns a picture of `state` in characters, for the mode `"ansi"`."""
        text: str = self._drawing().text(state, params)
        return text

    def render_close(self, render_state: RenderStateType, params: Any = None) -> None:
        """Free the result of `render_init`."""

    def _drawing(self) -> Any:
        if self.drawing is None:
            raise NotImplementedError(
                f"{type(self).__name__} cannot be drawn: name a module in `drawing`, or implement `render_init` and "
                "`render_image`"
            )
        return import_module(self.drawing)


_TRANSFORMED = ("initial", "transition", "observation", "reward", "terminal", "state_info", "transition_info")
