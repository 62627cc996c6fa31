"""The environments that `import gymnasium` registers."""

from __future__ import annotations

import importlib.util

import pytest

import gymnasium
from gymnasium.envs.registration import EnvSpec, registry

API_IDS = """
    CartPole-v0 CartPole-v1 MountainCar-v0 MountainCarContinuous-v0 Pendulum-v1 Acrobot-v1 phys2d/CartPole-v0
    phys2d/CartPole-v1 phys2d/Pendulum-v0 LunarLander-v3 LunarLanderContinuous-v3 BipedalWalker-v3
    BipedalWalkerHardcore-v3 CarRacing-v3 Blackjack-v1 FrozenLake-v1 FrozenLake8x8-v1 CliffWalking-v1
    CliffWalkingSlippery-v1 Taxi-v4 tabular/Blackjack-v0 tabular/CliffWalking-v0 Reacher-v2 Reacher-v4 Reacher-v5
    Pusher-v2 Pusher-v4 Pusher-v5 InvertedPendulum-v2 InvertedPendulum-v4 InvertedPendulum-v5
    InvertedDoublePendulum-v2 InvertedDoublePendulum-v4 InvertedDoublePendulum-v5 HalfCheetah-v2 HalfCheetah-v3
    HalfCheetah-v4 HalfCheetah-v5 Hopper-v2 Hopper-v3 Hopper-v4 Hopper-v5 Swimmer-v2 Swimmer-v3 Swimmer-v4 Swimmer-v5
    Walker2d-v2 Walker2d-v3 Walker2d-v4 Walker2d-v5 Ant-v2 Ant-v3 Ant-v4 Ant-v5 Humanoid-v2 Humanoid-v3 Humanoid-v4
    Humanoid-v5 HumanoidStandup-v2 HumanoidStandup-v4 HumanoidStandup-v5 GymV21Environment-v0 GymV26Environment-v0
"""
API = API_IDS.split()
OLDER = ["CliffWalking-v0", "Taxi-v3", "LunarLander-v2", "LunarLanderContinuous-v2"]
CC, TOY_TEXT, MUJOCO = (f"gymnasium.envs.{family}" for family in ("classic_control", "toy_text", "mujoco"))
SAMPLES = [
    EnvSpec(
        "CartPole-v1",
        f"{CC}.cartpole:CartPoleEnv",
        475.0,
        max_episode_steps=500,
        vector_entry_point=f"{CC}.cartpole:CartPoleVectorEnv",
    ),
    EnvSpec(
        "Pendulum-v1",
        f"{CC}.pendulum:PendulumEnv",
        max_episode_steps=200,
        vector_entry_point="palaestra.runner.classic_control:PendulumVectorEnv",
    ),
    EnvSpec(
        "Blackjack-v1",
        f"{TOY_TEXT}.blackjack:BlackjackEnv",
        kwargs={"sab": True, "natural": False},
        vector_entry_point="palaestra.runner.toy_text:BlackjackVectorEnv",
    ),
    EnvSpec(
        "Taxi-v3",
        f"{TOY_TEXT}.taxi:TaxiEnv",
        8,
        max_episode_steps=200,
        vector_entry_point="palaestra.runner.toy_text:TaxiVectorEnv",
    ),
    EnvSpec(
        "HumanoidStandup-v5",
        f"{MUJOCO}.humanoidstandup_v5:HumanoidStandupEnv",
        max_episode_steps=1000,
        vector_entry_point="palaestra.mujoco.robots:HumanoidStandupV5VectorEnv",
    ),
    EnvSpec(
        "Walker2d-v4",
        f"{MUJOCO}.walker2d_v4:Walker2dEnv",
        max_episode_steps=1000,
        vector_entry_point="palaestra.mujoco.robots:Walker2dV4VectorEnv",
    ),
    EnvSpec("tabular/Blackjack-v0", "gymnasium.envs.tabular.blackjack:BlackJackJaxEnv", disable_env_checker=True),
]


def test_the_ids_of_the_api_and_the_older_ones_are_registered() -> None:
    assert len(API) == 63
    ours = {spec.id for spec in registry.values() if spec.namespace not in ("ALE", "zoo")}  # zoo: of other tests
    assert ours == {*API, *OLDER}


@pytest.mark.parametrize("expected", SAMPLES, ids=lambda spec: spec.id)
def test_samples_of_the_table(expected: EnvSpec) -> None:
    assert registry[expected.id] == expected


def test_every_spec_is_registered_under_its_id() -> None:
    assert all(env_id == spec.id for env_id, spec in registry.items())


@pytest.mark.parametrize(
    ("env_id", "package"),
    [("Ant-v3", "gymnasium-robotics"), ("Reacher-v2", "gymnasium-robotics"), ("GymV21Environment-v0", "gym-v21")],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_has_moved_says_where(env_id: str, package: str) -> None:
    with pytest.raises(ImportError, match=package):
        gymnasium.make(env_id, env_id="x") if "Gym" in env_id else gymnasium.make(env_id)


@pytest.mark.parametrize("env_id", [e for e in API if isinstance(registry[e].entry_point, str)])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_id_has_its_module(env_id: str) -> None:
    assert importlib.util.find_spec(str(registry[env_id].entry_point).partition(":")[0]) is not None
