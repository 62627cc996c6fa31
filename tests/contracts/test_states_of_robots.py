"""A state knows its robot: those of others are refused, single and in batches, and nothing moves."""

from __future__ import annotations

import pickle
from typing import Any

import mujoco
import numpy as np
import pytest

from gymnasium.envs.mujoco.mujoco_env import MujocoEnv, MujocoState
from gymnasium.envs.mujoco.robot import RobotEnv
from palaestra.mujoco.vector import MujocoVectorEnv, RobotState
from tests.contracts.compiled_law import assert_same
from tests.contracts.mujoco_law import ROBOTS, classes

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

SETTLED = {env_id.partition("-")[0]: env_id for env_id in ROBOTS}  # one version of each robot, the newer one


def single(env_id: str) -> RobotEnv:
    env: RobotEnv = classes(env_id)[0]()
    env.reset(seed=1)
    return env


def batch(env_id: str, n: int = 2) -> MujocoVectorEnv:
    envs: MujocoVectorEnv = classes(env_id)[1](n)
    envs.reset(seed=1)
    return envs


@pytest.fixture(scope="module")
def singles() -> dict[str, RobotEnv]:
    return {name: single(env_id) for name, env_id in SETTLED.items()}


@pytest.fixture(scope="module")
def batches() -> dict[str, MujocoVectorEnv]:
    return {name: batch(env_id) for name, env_id in SETTLED.items()}


def vitals(env: RobotEnv) -> tuple[Any, ...]:
    return env.data.qpos.tolist(), env.data.qvel.tolist(), env.data.time, env.np_random.bit_generator.state


@pytest.mark.parametrize("name", SETTLED)
def test_a_robot_takes_no_state_of_another(name: str, singles: dict[str, RobotEnv]) -> None:
    """Nor that of one with as many joints: a humanoid that lies and one that stands are two."""
    env = singles[name]
    before = vitals(env)

    for other, stranger in singles.items():
        state = pickle.loads(pickle.dumps(stranger.get_state()))
        if other == name:
            env.set_state(state)
        else:
            with pytest.raises(ValueError, match="own model"):
                env.set_state(state)
        assert vitals(env) == before


@pytest.mark.parametrize("name", SETTLED)
def test_nor_does_a_batch(name: str, batches: dict[str, MujocoVectorEnv]) -> None:
    envs = batches[name]
    before = envs.get_state(0)

    for other, strangers in batches.items():
        state = pickle.loads(pickle.dumps(strangers.get_state(1)))
        if other == name:
            envs.set_state(1, state)
        else:
            with pytest.raises(ValueError, match="own model"):
                envs.set_state(0, state)
        assert_same(envs.get_state(0), before, name)


@pytest.mark.parametrize("name", SETTLED)
def test_both_versions_of_a_robot_take_each_others_states(name: str) -> None:
    """They differ in numbers, of tasks and models, which are no part of a state."""
    versions = [env_id for env_id in ROBOTS if env_id.partition("-")[0] == name]
    for one, other in zip(versions, reversed(versions), strict=True):
        target, source = single(one), single(other)
        source.step(source.action_space.sample())
        target.set_state(source.get_state())

        assert target.data.qpos.tolist() == source.data.qpos.tolist()


def test_what_a_user_changed_of_the_model_does_not_make_it_another() -> None:
    """Such as gravity: params are no part of a state."""
    one, other = single("Hopper-v5"), single("Hopper-v5")
    one.model.opt.gravity[2] = -3.7
    one.model.body_mass[:] *= 2
    one.step(one.action_space.sample())

    other.set_state(one.get_state())

    assert other.data.qpos.tolist() == one.data.qpos.tolist()


def test_states_of_before_are_taken() -> None:
    """Those of a batch did not say of which model they are; the shapes of their arrays do."""
    envs, others = batch("Hopper-v5"), batch("Ant-v5")
    old = RobotState(*envs.get_state(1)[:4])
    assert old.model is None

    envs.set_state(0, old)

    assert_same(envs.get_state(0), envs.get_state(1), "Hopper-v5")
    with pytest.raises(ValueError, match="another robot"):
        others.set_state(0, old)


BALL = """<mujoco model="ball"><size memory="{memory}"/><worldbody>
<body name="{name}"><{joint}/><geom size="0.1"/></body></worldbody></mujoco>"""


class Ball(MujocoEnv):
    """A user's environment."""

    def __init__(self, memory: str = "1M", name: str = "ball", joint: str = "freejoint") -> None:
        super().__init__(BALL.format(memory=memory, name=name, joint=joint), 1, None)

    def reset_model(self) -> Any:
        return self.data.qpos.copy()


@pytest.mark.parametrize("other", [{"name": "cube"}, {"memory": "2M"}, {"joint": "joint type='ball'"}])
def test_so_are_users_models(other: dict[str, str]) -> None:
    """By the names in them, by their structure, and by what the engine finds."""
    env, stranger = Ball(), Ball(**other)
    env.reset(seed=1), stranger.reset(seed=2)
    before = env.np_random.bit_generator.state

    with pytest.raises(ValueError, match="own model"):
        env.set_state(stranger.get_state())

    assert env.np_random.bit_generator.state == before
    env.set_state(Ball().get_state())


def test_a_generator_of_another_kind_is_refused_before_the_robot_moves() -> None:
    env = single("Hopper-v5")
    before = vitals(env)
    moved = mujoco.MjData(env.model)
    moved.qpos[:] = 1.0

    with pytest.raises((ValueError, TypeError, KeyError)):
        env.set_state(MujocoState(moved, np.random.MT19937(1).state))

    assert vitals(env) == before
