"""What subclasses of robots, of this package's and of others, read, set, call and override by underscored names."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from gymnasium.envs.mujoco.half_cheetah_v5 import HalfCheetahEnv
from gymnasium.envs.mujoco.hopper_v5 import HopperEnv
from gymnasium.envs.mujoco.mujoco_env import MujocoEnv
from gymnasium.envs.mujoco.reacher_v4 import ReacherEnv
from gymnasium.envs.mujoco.robot import HOOKS, overridden
from gymnasium.envs.mujoco.settings import Setting, Settings
from gymnasium.spaces import Box
from tests.contracts.mujoco_law import every_robot, single_class

SETTINGS = [name for name, value in vars(Settings).items() if isinstance(value, Setting)]


def stepped(env: Any, steps: int = 4) -> Any:
    """Returns the last of some steps."""
    env.reset(seed=5)
    rng = np.random.default_rng(2)
    for _ in range(steps):
        result = env.step(rng.uniform(-1, 1, env.action_space.shape))
    return result


@every_robot
def test_a_setting_is_the_argument_of_its_name(env_id: str) -> None:
    single = single_class(env_id)
    plain = single()
    given = {name: value.default for name, value in inspect.signature(single).parameters.items()}
    known = {name: value for name, value in given.items() if f"_{name}" in SETTINGS}
    assert {name: getattr(plain, f"_{name}") for name in known} == known
    numbers = {name: 0.7 * value for name, value in known.items() if type(value) is float or name.endswith("_weight")}
    for name, value in numbers.items():
        setattr(plain, f"_{name}", value)
    np.testing.assert_equal(stepped(plain), stepped(single(**numbers)))


def test_a_setting_that_a_robot_has_not_belongs_to_the_subclass() -> None:
    env: Any = HalfCheetahEnv()
    with pytest.raises(AttributeError, match="HalfCheetahEnv has no setting _healthy_reward"):
        env._healthy_reward  # noqa: B018
    env._healthy_reward = 3
    assert env._healthy_reward == 3
    assert not hasattr(env.task, "healthy_reward")


PAID = ["Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "InvertedDoublePendulum", "Pusher", "Reacher"]


@pytest.mark.parametrize("name", [*PAID, "Swimmer", "Walker2d"])
def test_a_reward_of_ones_own(name: str) -> None:
    single = single_class(f"{name}-v5")

    class Mine(single):  # type: ignore[misc]
        def _get_rew(self, *facts: Any) -> Any:
            reward, parts = super()._get_rew(*facts)
            self.last = reward, parts
            return 2 * reward, {"reward_of_mine": reward}

    env = Mine()
    plain = stepped(single())
    observation, reward, terminated, _, info = stepped(env)
    np.testing.assert_equal(observation, plain[0])
    assert (reward, terminated) == (2 * plain[1], plain[2])
    assert env.last[0] == plain[1] == info.pop("reward_of_mine")
    assert env.last[1].items() <= plain[4].items()
    np.testing.assert_equal({**info, **env.last[1]}, plain[4])


def test_a_simulation_of_ones_own() -> None:
    class Light(HopperEnv):
        def _initialize_simulation(self) -> Any:
            model, data = super()._initialize_simulation()
            model.opt.gravity[2] = -3
            return model, data

    class Weak(HopperEnv):
        def _step_mujoco_simulation(self, ctrl: Any, n_frames: int) -> None:
            super()._step_mujoco_simulation(0.5 * ctrl, n_frames)

    plain: Any = HopperEnv()
    plain.model.opt.gravity[2] = -3
    np.testing.assert_equal(stepped(Light()), stepped(plain))
    weak, plain = Weak(), HopperEnv()
    for env, factor in ((weak, 1.0), (plain, 0.5)):
        env.reset(seed=1)
        env.do_simulation(factor * np.ones(3), 4)
    np.testing.assert_equal(weak.data.qpos, plain.data.qpos)
    assert overridden(Weak, (*HOOKS, "_step_mujoco_simulation")) == ("_step_mujoco_simulation",)


def test_a_simulation_without_the_parents_constructor() -> None:
    class Mine(ReacherEnv):
        def __init__(self) -> None:
            self._reset_noise_scale = 0.25
            MujocoEnv.__init__(self, "reacher.xml", 2, Box(-np.inf, np.inf, (2,), np.float64))

        def step(self, action: Any) -> Any:
            self._step_mujoco_simulation(tuple(action), self.frame_skip)
            return self._get_obs(), 0.0, False, False, {}

        def reset_model(self) -> Any:
            self.set_state(self.init_qpos + self._reset_noise_scale, self.init_qvel)
            return self._get_obs()

        def _get_obs(self) -> Any:
            return self.data.qpos[:2].copy()

    env = Mine()
    observation, info = env.reset(seed=1)
    assert (observation == 0.25).all()
    assert info == {}
    assert env.step((1.0, 1.0))[0][0] > 0.25
