"""What a single robot's environment does beyond its numbers, which tests/golden compares."""

from __future__ import annotations

import copy
import inspect
import pickle
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from gymnasium.envs.mujoco import MujocoEnv, pusher_v4
from gymnasium.envs.mujoco.ant_v4 import AntEnv as AntV4
from gymnasium.envs.mujoco.ant_v5 import AntEnv
from gymnasium.envs.mujoco.half_cheetah_v5 import HalfCheetahEnv
from gymnasium.envs.mujoco.hopper_v5 import HopperEnv
from gymnasium.envs.mujoco.humanoidstandup_v5 import HumanoidStandupEnv
from gymnasium.envs.mujoco.inverted_double_pendulum_v5 import InvertedDoublePendulumEnv
from gymnasium.envs.mujoco.inverted_pendulum_v5 import InvertedPendulumEnv
from gymnasium.envs.mujoco.mujoco_env import expand_model_path
from gymnasium.envs.mujoco.pusher_v5 import PusherEnv
from gymnasium.envs.mujoco.reacher_v4 import ReacherEnv as ReacherV4
from gymnasium.envs.mujoco.reacher_v5 import ReacherEnv
from gymnasium.envs.mujoco.swimmer_v5 import SwimmerEnv
from gymnasium.envs.mujoco.utils import check_mujoco_reset_state, get_state, set_state
from gymnasium.envs.registration import make, registry
from gymnasium.error import ActionOutsideSpace
from gymnasium.spaces import Box

SINGLE = {"HalfCheetah": HalfCheetahEnv, "Ant": AntEnv, "Hopper": HopperEnv}
ARM = """<mujoco><worldbody><body><joint name="elbow" type="hinge" axis="0 1 0"/>
<geom type="capsule" size="0.05" fromto="0 0 0 1 0 0"/></body></worldbody>
<actuator><motor joint="elbow" ctrlrange="-2 1"/></actuator></mujoco>"""


class Arm(MujocoEnv):
    """The least that a user's robot is."""

    def __init__(self, model: Any, **kwargs: Any) -> None:
        super().__init__(model, 5, Box(-np.inf, np.inf, (2,), np.float64), **kwargs)

    def step(self, action: Any) -> Any:
        self.do_simulation(action, self.frame_skip)
        return self.state_vector(), 0.0, False, False, {}

    def reset_model(self) -> Any:
        self.set_state(self.init_qpos + self.np_random.uniform(-1, 1, 1), self.init_qvel)
        return self.state_vector()


def run(env: Any, actions: Any) -> list[Any]:
    return [(observation.tolist(), reward, info) for observation, reward, _, _, info in map(env.step, actions)]


@pytest.mark.parametrize("source", ["text", "path", "pathlib", "spec"])
def test_a_robot_of_the_users_own(source: str, tmp_path: Path) -> None:
    """Its model may be text, a path, or built in memory."""
    file = tmp_path / "arm.xml"
    file.write_text(ARM)
    model = {"text": ARM, "path": str(file), "pathlib": file, "spec": mujoco.MjSpec.from_string(ARM)}[source]
    env = Arm(model)
    assert env.action_space == Box(np.float32(-2), np.float32(1), (1,), np.float32)
    assert env.dt == pytest.approx(0.01)
    observation, info = env.reset(seed=1)
    assert info == {}
    assert env.step([0.5])[0].shape == observation.shape == (2,)
    env.close()


def test_relative_paths_and_names_of_our_own_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    Path("arm.xml").write_text(ARM)
    assert expand_model_path("./arm.xml") == "./arm.xml"
    assert Path(expand_model_path("~/arm.xml")) == tmp_path / "arm.xml"
    assert Path(expand_model_path("point.xml")).exists()
    for missing in ("arm.xml", "./none.xml", "/none.xml", "~/none.xml"):
        with pytest.raises(OSError, match=r"\.xml"):
            expand_model_path(missing)


@pytest.mark.parametrize("broken", ["<mujoco", "<mujoco><worldbody><geom/></worldbody></mujoco>"])
def test_a_malformed_model_is_refused(broken: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Arm(broken)
    with pytest.raises(TypeError):
        Arm(3)


def test_a_wrong_render_fps_is_refused() -> None:
    class Fast(Arm):
        metadata = {**MujocoEnv.metadata, "render_fps": 30}

    with pytest.raises(AssertionError, match="100"):
        Fast(ARM)


@pytest.mark.parametrize("wrong", [np.zeros(5), np.zeros(7), 0.0, np.zeros((6, 1))])
def test_actions_of_a_wrong_shape(wrong: Any) -> None:
    env = HalfCheetahEnv()
    env.reset(seed=0)
    before = env.state_vector()
    with pytest.raises(ValueError, match=r"\(6,\)"):
        env.step(wrong)
    np.testing.assert_array_equal(env.state_vector(), before)


def test_nan_is_refused_before_anything_moves() -> None:
    env = HalfCheetahEnv()
    env.reset(seed=0)
    before = env.state_vector()
    with pytest.raises(ActionOutsideSpace):
        env.step(np.array([0, 0, np.nan, 0, 0, 0]))
    np.testing.assert_array_equal(env.state_vector(), before)


def test_actions_beyond_the_bounds_act_as_the_bounds() -> None:
    observations = []
    for action in (np.ones(6), np.full(6, 3.0)):
        env = HalfCheetahEnv()
        env.reset(seed=0)
        observations.append(env.step(action)[0])
    np.testing.assert_array_equal(*observations)


def test_a_diverging_simulation_truncates_the_episode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where the engine writes its log
    env = HalfCheetahEnv()
    env.reset(seed=0)
    env.data.qvel[:] = 1e20
    observation, _, terminated, truncated, info = env.step(np.zeros(6))
    assert (terminated, truncated, info["unstable"]) == (False, True, True)
    assert np.isfinite(observation).all()
    env.reset(seed=0)
    *_, truncated, info = env.step(np.zeros(6))
    assert not truncated
    assert "unstable" not in info


@pytest.mark.parametrize("make_robot", SINGLE.values(), ids=SINGLE)
def test_a_state_goes_on_exactly(make_robot: Any) -> None:
    """Back at the moment, in a deep copy, and through pickle: also what the engine warms up with, and the generator."""
    env = make_robot(reset_noise_scale=0.02)
    env.action_space.seed(0)
    env.reset(seed=3)
    run(env, [env.action_space.sample() for _ in range(7)])
    actions = [env.action_space.sample() for _ in range(25)]
    state = env.get_state()
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    wanted = run(env, actions), env.reset()[0].tolist()
    for other in copies:
        assert (run(other, actions), other.reset()[0].tolist()) == wanted
    env.set_state(state)
    assert (run(env, actions), env.reset()[0].tolist()) == wanted


@pytest.mark.parametrize("env_class", [ReacherV4, ReacherEnv, PusherEnv])
def test_what_a_reset_placed_is_noted(env_class: Any) -> None:
    """For the whole episode, and in copies."""
    env = env_class()
    assert not any(hasattr(env, name) for name in env.places)
    pickle.loads(pickle.dumps(env))
    env.reset(seed=3)
    noted = {name: env.data.qpos[where].copy() for name, where in env.places.items()}
    env.action_space.seed(0)
    for _ in range(5):
        env.step(env.action_space.sample())
    for other in (env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        for name, place in noted.items():
            np.testing.assert_array_equal(getattr(other, name), place)


def test_a_copy_keeps_every_argument() -> None:
    """In whatever place it was given."""
    env = InvertedPendulumEnv("inverted_pendulum.xml", 3, None, 0.5)
    again = pickle.loads(pickle.dumps(env))
    assert (again.frame_skip, again.task.reset_noise_scale) == (3, 0.5)
    double = pickle.loads(pickle.dumps(InvertedDoublePendulumEnv(healthy_reward=3.0, reset_noise_scale=0.01)))
    assert (double.task.healthy_reward, double.task.reset_noise_scale) == (3.0, 0.01)
    spec = mujoco.MjSpec.from_file(expand_model_path("ant.xml"))
    assert pickle.loads(pickle.dumps(AntEnv(xml_file=spec))).model.nq == 15


def test_set_state_takes_positions_and_velocities() -> None:
    env = HopperEnv()
    env.set_state(np.arange(6.0), np.ones(6))
    assert env.state_vector().tolist() == [0, 1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1]
    for wrong in ((np.zeros(5), np.zeros(6)), (np.zeros(6), np.zeros(5)), (np.zeros(6),)):
        with pytest.raises(AssertionError, match=r"\(6,\)"):
            env.set_state(*wrong)
    with pytest.raises(TypeError, match="a MujocoState, but a <class 'tuple'> came"):
        env.set_state((1, np.zeros(6)))  # type: ignore[arg-type]  # such as a state of a batch's robot


def test_set_state_forgets_the_activation_of_actuators() -> None:
    env = Arm(ARM.replace("<motor ", '<general dyntype="filter" dynprm="1" '))
    env.reset(seed=0)
    env.step([1.0])
    assert env.data.act[0] != 0
    env.set_state(np.zeros(1), np.zeros(1))
    assert env.data.act.tolist() == [0]


def test_a_reset_leaves_the_initial_positions_alone() -> None:
    """Pusher's puts the object elsewhere."""
    env = PusherEnv()
    before = env.init_qpos.copy()
    env.reset(seed=0)
    np.testing.assert_array_equal(env.init_qpos, before)


def test_get_body_com_follows_the_simulation() -> None:
    env = AntEnv()
    env.reset(seed=0)
    torso = env.get_body_com("torso")
    assert torso[2] == env.data.qpos[2]


def test_ant_4_reports_both_costs() -> None:
    env = AntV4(use_contact_forces=True)
    env.reset(seed=0)
    *_, info = env.step(np.full(8, 0.5))
    assert info["reward_ctrl"] == -1.0
    assert info["reward_contact"] <= 0


def test_humanoid_standup_weighs_its_height() -> None:
    rewards = []
    for weight in (1, 3):
        env = HumanoidStandupEnv(uph_cost_weight=weight)
        env.reset(seed=0)
        rewards.append(env.step(np.zeros(17))[4]["reward_linup"])
    assert rewards[1] == pytest.approx(3 * rewards[0])


def test_observation_structure_adds_up() -> None:
    for env in (AntEnv(), HalfCheetahEnv(), HopperEnv(), HumanoidStandupEnv(), InvertedPendulumEnv(), SwimmerEnv()):
        sizes = dict(env.observation_structure)
        sizes.pop("skipped_qpos", None)
        assert sum(sizes.values()) == env.observation_space.shape[0], env


def test_old_versions_answer_with_where_they_went() -> None:
    for env_id in ("Ant-v2", "Ant-v3", "Reacher-v2"):
        with pytest.warns(DeprecationWarning), pytest.raises(ImportError, match="gymnasium-robotics"):
            make(env_id)


def test_pusher_4_refuses_this_engine_and_runs_on_an_old_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ImportError, match="Pusher-v5"):
        pusher_v4.PusherEnv()
    monkeypatch.setattr(pusher_v4, "VERSION", (2, 3, 7))
    env = pusher_v4.PusherEnv()
    env.reset(seed=0)
    _, reward, *_, info = env.step(np.ones(7))
    assert info["reward_ctrl"] == -7
    assert float(reward) < info["reward_dist"] - 0.7


def test_the_state_as_a_vector() -> None:
    env = HopperEnv()
    env.reset(seed=0)
    state = get_state(env)
    env.step(np.ones(3))
    set_state(env, state)
    np.testing.assert_array_equal(get_state(env), state)
    with pytest.raises(ValueError, match="shape"):
        set_state(env, state[1:])
    check_mujoco_reset_state(env)


def test_a_reset_that_is_not_determined_is_found() -> None:
    class Careless(Arm):
        def reset_model(self) -> Any:
            self.set_state(np.random.default_rng().uniform(-1, 1, 1), self.init_qvel)
            return self.state_vector()

    with pytest.raises(AssertionError, match="seed 1234"):
        check_mujoco_reset_state(Careless(ARM))


def test_version_5_takes_a_model_a_frame_skip_and_a_camera_first() -> None:
    """Every argument has a default, so that `make` needs none."""
    for env_id, spec in registry.items():
        if str(spec.entry_point).startswith("gymnasium.envs.mujoco.") and env_id.endswith("-v5"):
            parameters = inspect.signature(type(make(env_id).unwrapped)).parameters.values()
            named = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
            assert [p.name for p in named][:3] == ["xml_file", "frame_skip", "default_camera_config"]
            assert all(p.default is not p.empty for p in named)
