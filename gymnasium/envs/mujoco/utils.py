"""Reading and writing the state of a simulation as one vector, and a check of resets."""

from __future__ import annotations

from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import Env
from gymnasium.envs.mujoco.engine import mujoco

__all__ = ["check_mujoco_reset_state", "get_state", "set_state"]


class Simulated(Protocol):
    """An environment around a simulation: a `MujocoEnv`, or a robot of another package."""

    model: mujoco.MjModel
    data: mujoco.MjData


def get_state(env: Env, state_type: mujoco.mjtState = mujoco.mjtState.mjSTATE_FULLPHYSICS) -> NDArray[np.float64]:
    """Returns the parts `state_type` of the simulation's state, as one vector. Wrappers are unwrapped.

    `MujocoEnv.get_state` returns everything that a later step depends on. This vector lacks readings such as `xpos`,
    which are one time step old after a step, and the state of the generator.
    """
    inner = _inner(env)
    state = np.empty(mujoco.mj_stateSize(inner.model, state_type), np.float64)
    mujoco.mj_getState(inner.model, inner.data, state, state_type)
    return state


def set_state(
    env: Env,
    state: NDArray[np.float64],
    state_type: mujoco.mjtState = mujoco.mjtState.mjSTATE_FULLPHYSICS,
) -> None:
    """Set the parts `state_type` of the simulation's state, as `get_state` returned them. Wrappers are unwrapped.

    Raises:
        ValueError: If the vector has another length than those parts.
    """
    inner = _inner(env)
    size = mujoco.mj_stateSize(inner.model, state_type)
    if np.shape(state) != (size,):
        raise ValueError(f"A state of shape {(size,)} was expected, but one of {np.shape(state)} came")
    mujoco.mj_setState(inner.model, inner.data, state, state_type)


def _inner(env: Env) -> Simulated:
    return cast("Simulated", env.unwrapped)


def check_mujoco_reset_state(
    env: Env, seed: int = 1234, state_type: mujoco.mjtState = mujoco.mjtState.mjSTATE_INTEGRATION
) -> None:
    """Check that a reset with a seed leaves the same state, independent of the past.

    Raises:
        AssertionError: If it does not.
    """
    env.action_space.seed(seed)
    action = env.action_space.sample()

    env.reset(seed=seed)
    first = get_state(env, state_type)
    env.step(action)
    env.reset(seed=seed)
    again = get_state(env, state_type)
    if not np.array_equal(first, again):
        raise AssertionError(
            f"Two resets of {env} with the seed {seed} leave different states; the first difference is in number "
            f"{int(np.argmax(first != again))} of {state_type}"
        )
