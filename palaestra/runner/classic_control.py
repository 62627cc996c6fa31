"""Batches of the classic control environments, compiled."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gymnasium.envs.classic_control.acrobot import AcrobotEnv
from gymnasium.envs.classic_control.cartpole import CartPoleEnv
from gymnasium.envs.classic_control.continuous_mountain_car import Continuous_MountainCarEnv
from gymnasium.envs.classic_control.mountain_car import MountainCarEnv
from gymnasium.envs.classic_control.pendulum import PendulumEnv
from palaestra.runner.kernels.columns import padded
from palaestra.runner.vector_env import CompiledVectorEnv


class _OfEach:
    """An attribute of the single environment: one value for the batch, or an array if the environments differ."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, envs: CartPoleVectorEnv, owner: type) -> Any:
        attributes = envs._attributes
        each = [attributes.get(i, self._name) for i in range(len(attributes.params))]
        return each[0] if len(each) == 1 else np.array(each)

    def __set__(self, envs: CartPoleVectorEnv, value: object) -> None:
        envs.set_attr(self._name, value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value)


class CartPoleVectorEnv(CompiledVectorEnv):
    """Copies of CartPole; also found in `gymnasium.envs.classic_control.cartpole`.

    The bounds in the `options` of a reset of all environments also apply to later automatic resets. The attributes can
    be assigned; those of CartPole (`gravity`, ...) take one value for all or an array of n.

    Attributes:
        state: Position, velocity, angle and angular velocity, float64 of shape (4, n). It is the batch's own array:
            changes to it take effect at the next step.
        steps: The elapsed steps of each episode, shape (n,), likewise.
        prev_done: Whether each episode is over, shape (n,), likewise.
        max_episode_steps: The number of steps after which an episode is truncated, or None; read-only.
        steps_beyond_terminated: None, because episodes restart automatically.

    Args:
        num_envs: The number of environments.
        max_episode_steps: The number of steps after which an episode is truncated.
        render_mode: None or `"rgb_array"`.
        sutton_barto_reward: Whether rewards are those of the source.
        **runner: `autoreset_mode`, `num_threads` and `copy` of `CompiledVectorEnv`.
    """

    gravity = _OfEach()
    masscart = _OfEach()
    masspole = _OfEach()
    total_mass = _OfEach()
    length = _OfEach()
    polemass_length = _OfEach()
    force_mag = _OfEach()
    tau = _OfEach()
    kinematics_integrator = _OfEach()
    theta_threshold_radians = _OfEach()
    x_threshold = _OfEach()
    low = _OfEach()
    high = _OfEach()
    screen_width, screen_height = CartPoleEnv.screen_width, CartPoleEnv.screen_height
    steps_beyond_terminated: None = None

    def __init__(
        self,
        num_envs: int = 1,
        max_episode_steps: int | None = 500,
        render_mode: str | None = None,
        sutton_barto_reward: bool = False,
        **runner: Any,
    ) -> None:
        super().__init__(
            CartPoleEnv,
            num_envs,
            max_episode_steps=max_episode_steps,
            render_mode=render_mode,
            sutton_barto_reward=sutton_barto_reward,
            **runner,
        )

    @property
    def state(self) -> NDArray[np.float64] | None:
        """The states of all, shape (4, n), or None before the first reset."""
        if not self._attributes.running:
            return None
        block = cast("NDArray[np.float64]", self._runner.memory.columns["state0"].base)
        return block[:, : self.num_envs]

    @state.setter
    def state(self, value: ArrayLike) -> None:
        self._check_reset("state")
        self._write(self.state, value)

    @property
    def steps(self) -> NDArray[np.int64]:
        """The steps since the last reset of each, shape (n,)."""
        return self._runner.memory.columns["elapsed"]

    @steps.setter
    def steps(self, value: ArrayLike) -> None:
        self._write(self.steps, value)

    @property
    def prev_done(self) -> NDArray[np.bool_]:
        """Whether the episode of each is over, shape (n,)."""
        return self._runner.memory.columns["finished"]

    @prev_done.setter
    def prev_done(self, value: ArrayLike) -> None:
        self._write(self.prev_done, value)

    @property
    def max_episode_steps(self) -> int | None:
        """The number of steps after which an episode is truncated."""
        return self._built_with[0]

    def _write(self, array: Any, value: ArrayLike) -> None:
        given = np.asarray(value)
        if given.shape != array.shape:
            raise ValueError(
                f"An array of shape {array.shape} is needed, but one of shape {given.shape} came: {value!r}"
            )
        array[:] = given

    def _start(self, limit: int | None, num_threads: int | None) -> None:
        super()._start(limit, num_threads)
        memory = self._runner.memory
        # Side by side, so that `state` can be one array that is read and written in place.
        for k, row in enumerate(np.zeros((4, padded(self.num_envs)))):
            column = memory.columns[f"state{k}"] = row[: self.num_envs]
            memory._set(f"state{k}", column.ctypes.data)

    def _start_params(self, mask: NDArray[np.bool_], each: list[Any]) -> list[Any]:
        start = super()._start_params(mask, each)
        if mask.all():
            self._attributes.use(start, own=False)
        return start


class MountainCarVectorEnv(CompiledVectorEnv):
    """Copies of MountainCar; for the arguments see `CompiledVectorEnv` and `MountainCarEnv`."""

    def __init__(self, num_envs: int = 1, **arguments: Any) -> None:
        super().__init__(MountainCarEnv, num_envs, **arguments)


class ContinuousMountainCarVectorEnv(CompiledVectorEnv):
    """Copies of MountainCarContinuous; for the arguments see `CompiledVectorEnv` and `Continuous_MountainCarEnv`."""

    def __init__(self, num_envs: int = 1, **arguments: Any) -> None:
        super().__init__(Continuous_MountainCarEnv, num_envs, **arguments)


class PendulumVectorEnv(CompiledVectorEnv):
    """Copies of Pendulum; for the arguments see `CompiledVectorEnv` and `PendulumEnv`."""

    def __init__(self, num_envs: int = 1, **arguments: Any) -> None:
        super().__init__(PendulumEnv, num_envs, **arguments)


class AcrobotVectorEnv(CompiledVectorEnv):
    """Copies of Acrobot; for the arguments see `CompiledVectorEnv` and `AcrobotEnv`."""

    def __init__(self, num_envs: int = 1, **arguments: Any) -> None:
        super().__init__(AcrobotEnv, num_envs, **arguments)
