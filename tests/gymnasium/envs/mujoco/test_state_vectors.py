"""`get_state`, `set_state` and `check_mujoco_reset_state` of `gymnasium.envs.mujoco.utils` look through wrappers."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from gymnasium import Env
from gymnasium.envs.mujoco.utils import check_mujoco_reset_state, get_state, set_state
from gymnasium.envs.registration import make
from gymnasium.spaces import Box


class Ball(Env[Any, Any]):
    """A simulation around which there is no `MujocoEnv`, as robots of other packages are."""

    action_space = Box(-1, 1, (1,))
    forgetful = False

    def __init__(self) -> None:
        self.model = mujoco.MjModel.from_xml_string(
            "<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>"
        )
        self.data = mujoco.MjData(self.model)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        if not self.forgetful:
            mujoco.mj_resetData(self.model, self.data)
        return self.data.qpos.copy(), {}

    def step(self, action: Any) -> Any:
        mujoco.mj_step(self.model, self.data)
        return self.data.qpos.copy(), 0.0, False, False, {}


def test_a_wrapped_robot() -> None:
    env: Any = make("Hopper-v5")
    env.reset(seed=0)
    before = get_state(env)
    np.testing.assert_array_equal(before, get_state(env.unwrapped))

    for _ in range(3):
        env.step(env.action_space.sample())
    assert not np.array_equal(get_state(env), before)
    set_state(env, before)
    np.testing.assert_array_equal(get_state(env), before)

    kind = mujoco.mjtState.mjSTATE_QPOS
    set_state(env, np.arange(6.0), kind)
    assert get_state(env, kind).tolist() == env.unwrapped.data.qpos.tolist() == [0, 1, 2, 3, 4, 5]
    check_mujoco_reset_state(env)
    env.close()


def test_a_robot_of_another_package() -> None:
    ball = Ball()
    check_mujoco_reset_state(ball)
    assert get_state(ball).shape == (1 + 7 + 6,)

    ball.forgetful = True
    with pytest.raises(AssertionError, match="resets"):
        check_mujoco_reset_state(ball)
