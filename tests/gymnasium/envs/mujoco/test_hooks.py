"""What a robot's subclass overrides is what a step computes by."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.envs.mujoco.ant_v4 import AntEnv as AntV4
from gymnasium.envs.mujoco.ant_v5 import AntEnv
from gymnasium.envs.mujoco.hopper_v5 import HopperEnv
from gymnasium.envs.mujoco.humanoid_v5 import HumanoidEnv
from gymnasium.envs.mujoco.robot import HOOKS
from tests.contracts.mujoco_law import every_robot, single_class

PAID = {"_get_rew"}
EFFORT = PAID | {"control_cost"}
LIFE = EFFORT | {"healthy_reward", "is_healthy"}
CONTACTS = {"contact_cost", "contact_forces"}
MEMBERS = {
    "HalfCheetah-v4": EFFORT,
    "HalfCheetah-v5": EFFORT,
    "Swimmer-v4": EFFORT,
    "Swimmer-v5": EFFORT,
    "Hopper-v4": LIFE | {"terminated"},
    "Hopper-v5": LIFE,
    "Walker2d-v4": LIFE | {"terminated"},
    "Walker2d-v5": LIFE,
    "Humanoid-v4": LIFE | {"terminated"},
    "Humanoid-v5": LIFE | {"contact_cost"},
    "Ant-v4": LIFE | CONTACTS | {"terminated"},
    "Ant-v5": LIFE | CONTACTS,
}
ALSO_PAID = ("HumanoidStandup-v5", "InvertedDoublePendulum-v5", "Pusher-v5", "Reacher-v4", "Reacher-v5")
# What version 4 and version 5 call the parts of their rewards.
REPORTED = {
    "control_cost": ("reward_ctrl", "reward_quadctrl"),
    "healthy_reward": ("reward_survive", "reward_alive"),
    "contact_cost": ("reward_contact",),
}


def stepped(env: Any, steps: int = 4) -> Any:
    """Returns the last of some steps, with large actions."""
    env.reset(seed=5)
    rng = np.random.default_rng(2)
    for _ in range(steps):
        env.last_action = rng.uniform(-1, 1, env.action_space.shape)
        result = env.step(env.last_action)
    return result


def with_property(env_class: Any, name: str, value: Any, **kwargs: Any) -> Any:
    """Returns an environment of a subclass that has a property otherwise."""
    return type("Mine", (env_class,), {name: property(value)})(**kwargs)


@every_robot
def test_robots_have_these_members(env_id: str) -> None:
    single = single_class(env_id)
    paid = PAID if env_id in ALSO_PAID else set()
    assert {name for name in HOOKS if hasattr(single, name)} == MEMBERS.get(env_id, paid)


@pytest.mark.parametrize("env_id", MEMBERS)
def test_members_are_what_a_step_reports(env_id: str) -> None:
    env = single_class(env_id)()
    *_, terminated, _, info = stepped(env)
    values = {"control_cost": -env.control_cost(env.last_action)}
    if "healthy_reward" in MEMBERS[env_id]:
        values["healthy_reward"] = env.healthy_reward
    if "contact_cost" in MEMBERS[env_id]:
        values["contact_cost"] = -env.contact_cost
    for name, value in values.items():
        assert all(info[key] == value for key in REPORTED[name] if key in info), name
    if "terminated" in MEMBERS[env_id]:
        assert env.terminated is terminated


@pytest.mark.parametrize("env_id", MEMBERS)
def test_a_cost_of_actions(env_id: str) -> None:
    single = single_class(env_id)

    def control_cost(self: Any, action: Any) -> Any:
        return single.control_cost(self, action) + 8

    mine = type("Mine", (single,), {"control_cost": control_cost})
    assert stepped(mine())[1] == pytest.approx(stepped(single())[1] - 8)


@pytest.mark.parametrize("env_id", [env_id for env_id, members in MEMBERS.items() if "is_healthy" in members])
def test_health(env_id: str) -> None:
    """Ends an episode, and version 5 pays nothing for the step that does; version 4 does, as far as it ends."""
    single = single_class(env_id)
    whole = stepped(single())
    weight = single().task.healthy_reward
    old = env_id.endswith("v4")
    for kwargs, pays, ends in (({}, old, True), ({"terminate_when_unhealthy": False}, False, False)):
        ill = with_property(single, "is_healthy", lambda self: False, **kwargs)
        _, reward, terminated, _, _ = stepped(ill)
        assert reward == pytest.approx(whole[1] - (0 if pays else weight))
        assert terminated is ends
        assert ill.healthy_reward == (weight if pays else 0)

    paid = with_property(single, "healthy_reward", lambda self: 100.0)
    _, reward, terminated, _, _ = stepped(paid)
    assert reward == pytest.approx(whole[1] - weight + 100)
    assert terminated is False


@pytest.mark.parametrize("env_id", [env_id for env_id, members in MEMBERS.items() if "terminated" in members])
def test_an_end_of_ones_own(env_id: str) -> None:
    single = single_class(env_id)
    env = with_property(single, "terminated", lambda self: self.data.time > 3.5 * self.dt)
    env.reset(seed=5)
    zero = np.zeros(env.action_space.shape)
    assert [env.step(zero)[2] for _ in range(4)] == [False, False, False, True]


@pytest.mark.parametrize(
    ("env_class", "kwargs", "bodies"), [(AntV4, {"use_contact_forces": True}, 14), (AntEnv, {}, 13)]
)
def test_contact_forces_are_observed_and_cost(env_class: Any, kwargs: Any, bodies: int) -> None:
    env = with_property(env_class, "contact_forces", lambda self: np.full((14, 6), 2.0), **kwargs)
    observation, _, _, _, info = stepped(env)
    assert observation[27:].tolist() == [2] * 6 * bodies
    assert info["reward_contact"] == pytest.approx(-5e-4 * 14 * 6 * 4)


@pytest.mark.parametrize("env_class", [AntEnv, HumanoidEnv])
def test_a_cost_of_contacts(env_class: Any) -> None:
    env = with_property(env_class, "contact_cost", lambda self: 50.0)
    plain = env_class()
    _, reward, _, _, info = stepped(env)
    assert info["reward_contact"] == -50
    assert reward == pytest.approx(stepped(plain)[1] + plain.contact_cost - 50)


def test_version_4_has_no_cost_of_contacts_that_it_does_not_observe() -> None:
    env = with_property(AntV4, "contact_cost", lambda self: 50.0)
    assert stepped(env)[1] == stepped(AntV4())[1]


def test_what_is_overridden_without_a_change_changes_no_bit() -> None:
    class Mine(AntEnv):
        @property
        def is_healthy(self) -> bool:
            return super().is_healthy

        @property
        def contact_forces(self) -> Any:
            return super().contact_forces

        def control_cost(self, action: Any) -> float:
            return super().control_cost(action)

    agree_exactly(stepped(Mine(), 30), stepped(AntEnv(), 30))


def agree_exactly(one: Any, other: Any) -> None:
    for a, b in zip(one, other, strict=True):
        np.testing.assert_equal(a, b)


def test_a_class_that_is_patched_before_the_environment_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HopperEnv, "is_healthy", property(lambda self: False))
    assert stepped(HopperEnv(), 1)[2] is True


def test_an_observation_of_ones_own_may_need_what_the_constructor_sets_later() -> None:
    class Mine(HopperEnv):
        def __init__(self) -> None:
            super().__init__()
            self.unit = 0.5

        def _get_obs(self) -> Any:
            return super()._get_obs() / self.unit

    mine, plain = Mine(), HopperEnv()
    np.testing.assert_array_equal(mine.reset(seed=1)[0], 2 * plain.reset(seed=1)[0])
    np.testing.assert_array_equal(mine.step(np.ones(3))[0], 2 * plain.step(np.ones(3))[0])
