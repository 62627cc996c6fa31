"""The environments of the API, as a table."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

from gymnasium.envs._registry.registering import register


class Row(NamedTuple):
    """An environment: the arguments of `register` that differ from the defaults."""

    id: str
    entry_point: str  # below gymnasium.envs.
    max_episode_steps: int | None = None
    reward_threshold: float | None = None
    kwargs: dict[str, Any] | None = None
    vector_class: str | None = None  # in the entry point's module, or "package.module:class"


CLASSIC_CONTROL = (
    Row("CartPole-v0", "classic_control.cartpole:CartPoleEnv", 200, 195.0, None, "CartPoleVectorEnv"),
    Row("CartPole-v1", "classic_control.cartpole:CartPoleEnv", 500, 475.0, None, "CartPoleVectorEnv"),
    Row(
        "MountainCar-v0",
        "classic_control.mountain_car:MountainCarEnv",
        200,
        -110.0,
        None,
        "palaestra.runner.classic_control:MountainCarVectorEnv",
    ),
    Row(
        "MountainCarContinuous-v0",
        "classic_control.continuous_mountain_car:Continuous_MountainCarEnv",
        999,
        90.0,
        vector_class="palaestra.runner.classic_control:ContinuousMountainCarVectorEnv",
    ),
    Row(
        "Pendulum-v1",
        "classic_control.pendulum:PendulumEnv",
        200,
        vector_class="palaestra.runner.classic_control:PendulumVectorEnv",
    ),
    Row(
        "Acrobot-v1",
        "classic_control.acrobot:AcrobotEnv",
        500,
        -100.0,
        None,
        "palaestra.runner.classic_control:AcrobotVectorEnv",
    ),
)

PHYS2D = (
    Row("phys2d/CartPole-v0", "phys2d.cartpole:CartPoleJaxEnv", 200, 195.0, None, "CartPoleJaxVectorEnv"),
    Row("phys2d/CartPole-v1", "phys2d.cartpole:CartPoleJaxEnv", 500, 475.0, None, "CartPoleJaxVectorEnv"),
    Row("phys2d/Pendulum-v0", "phys2d.pendulum:PendulumJaxEnv", 200, None, None, "PendulumJaxVectorEnv"),
)

BOX2D = (
    Row("LunarLander-v2", "box2d.lunar_lander:LunarLanderV2", 1000, 200),
    Row("LunarLander-v3", "box2d.lunar_lander:LunarLander", 1000, 200),
    Row("LunarLanderContinuous-v2", "box2d.lunar_lander:LunarLanderV2", 1000, 200, {"continuous": True}),
    Row("LunarLanderContinuous-v3", "box2d.lunar_lander:LunarLander", 1000, 200, {"continuous": True}),
    Row("BipedalWalker-v3", "box2d.bipedal_walker:BipedalWalker", 1600, 300),
    Row("BipedalWalkerHardcore-v3", "box2d.bipedal_walker:BipedalWalker", 2000, 300, {"hardcore": True}),
    Row("CarRacing-v3", "box2d.car_racing:CarRacing", 1000, 900),
)

TOY_TEXT = (
    Row(
        "Blackjack-v1",
        "toy_text.blackjack:BlackjackEnv",
        kwargs={"sab": True, "natural": False},
        vector_class="palaestra.runner.toy_text:BlackjackVectorEnv",
    ),
    Row(
        "FrozenLake-v1",
        "toy_text.frozen_lake:FrozenLakeEnv",
        100,
        0.7,
        {"map_name": "4x4"},
        "palaestra.runner.toy_text:FrozenLakeVectorEnv",
    ),
    Row(
        "FrozenLake8x8-v1",
        "toy_text.frozen_lake:FrozenLakeEnv",
        200,
        0.85,
        {"map_name": "8x8"},
        "palaestra.runner.toy_text:FrozenLakeVectorEnv",
    ),
    Row(
        "CliffWalking-v0",
        "toy_text.cliffwalking:CliffWalkingEnv",
        vector_class="palaestra.runner.toy_text:CliffWalkingVectorEnv",
    ),
    Row(
        "CliffWalking-v1",
        "toy_text.cliffwalking:CliffWalkingEnv",
        vector_class="palaestra.runner.toy_text:CliffWalkingVectorEnv",
    ),
    Row(
        "CliffWalkingSlippery-v1",
        "toy_text.cliffwalking:CliffWalkingEnv",
        kwargs={"is_slippery": True},
        vector_class="palaestra.runner.toy_text:CliffWalkingVectorEnv",
    ),
    Row("Taxi-v3", "toy_text.taxi:TaxiEnv", 200, 8, None, "palaestra.runner.toy_text:TaxiVectorEnv"),
    Row("Taxi-v4", "toy_text.taxi:TaxiEnv", 200, 8, None, "palaestra.runner.toy_text:TaxiVectorEnv"),
)

TABULAR = (
    Row("tabular/Blackjack-v0", "tabular.blackjack:BlackJackJaxEnv"),
    Row("tabular/CliffWalking-v0", "tabular.cliffwalking:CliffWalkingJaxEnv"),
)


class MujocoRow(NamedTuple):
    """An environment of the MuJoCo family: versions 4 and 5 are here, older ones have moved."""

    name: str
    module: str
    max_episode_steps: int
    reward_threshold: float | None
    moved_versions: tuple[int, ...]


MUJOCO = (
    MujocoRow("Reacher", "reacher", 50, -3.75, (2,)),
    MujocoRow("Pusher", "pusher", 100, 0.0, (2,)),
    MujocoRow("InvertedPendulum", "inverted_pendulum", 1000, 950.0, (2,)),
    MujocoRow("InvertedDoublePendulum", "inverted_double_pendulum", 1000, 9100.0, (2,)),
    MujocoRow("HalfCheetah", "half_cheetah", 1000, 4800.0, (2, 3)),
    MujocoRow("Hopper", "hopper", 1000, 3800.0, (2, 3)),
    MujocoRow("Swimmer", "swimmer", 1000, 360.0, (2, 3)),
    MujocoRow("Walker2d", "walker2d", 1000, None, (2, 3)),
    MujocoRow("Ant", "ant", 1000, 6000.0, (2, 3)),
    MujocoRow("Humanoid", "humanoid", 1000, None, (2, 3)),
    MujocoRow("HumanoidStandup", "humanoidstandup", 1000, None, (2,)),
)


def register_all() -> None:
    """Register every environment of the API."""
    _register_rows(CLASSIC_CONTROL)
    _register_rows(PHYS2D, disable_env_checker=True)
    _register_rows(BOX2D)
    _register_rows(TOY_TEXT)
    _register_rows(TABULAR, disable_env_checker=True)
    for row in MUJOCO:
        _register_mujoco(row)
    register("GymV21Environment-v0", _raise_shimmy_error)
    register("GymV26Environment-v0", _raise_shimmy_error)


def _register_rows(rows: tuple[Row, ...], disable_env_checker: bool = False) -> None:
    for row in rows:
        entry_point = f"gymnasium.envs.{row.entry_point}"
        module = entry_point.partition(":")[0]
        register(
            row.id,
            entry_point,
            row.reward_threshold,
            max_episode_steps=row.max_episode_steps,
            disable_env_checker=disable_env_checker,
            vector_entry_point=row.vector_class and _vector_entry_point(module, row.vector_class),
            kwargs=row.kwargs,
        )


def _vector_entry_point(module: str, vector_class: str) -> str:
    return vector_class if ":" in vector_class else f"{module}:{vector_class}"


def _register_mujoco(row: MujocoRow) -> None:
    for version in row.moved_versions:
        register(f"{row.name}-v{version}", _raise_mujoco_py_error)
    # humanoidstandup holds HumanoidStandupEnv: the class is named as the id is.
    for version in (4, 5):
        module = f"gymnasium.envs.mujoco.{row.module}_v{version}"
        register(
            f"{row.name}-v{version}",
            f"{module}:{row.name}Env",
            row.reward_threshold,
            max_episode_steps=row.max_episode_steps,
            vector_entry_point=f"palaestra.mujoco.robots:{row.name}V{version}VectorEnv",
        )


def _raise_mujoco_py_error(*args: object, **kwargs: object) -> NoReturn:
    raise ImportError(
        "The v2 and v3 MuJoCo environments, which ran on mujoco-py, have moved to gymnasium-robotics; install that "
        "package, or use the v5 environment here"
    )


def _raise_shimmy_error(*args: object, **kwargs: object) -> NoReturn:
    raise ImportError(
        'Environments of the old Gym are converted by the shimmy package: pip install "shimmy[gym-v21]" or '
        '"shimmy[gym-v26]", then import shimmy'
    )
