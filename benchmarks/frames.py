"""The time of a frame, `render_mode="rgb_array"`, of an environment of each family beside the reference's."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Case, Table, ours, reference

ENV_IDS = (
    "CartPole-v1",
    "MountainCar-v0",
    "Acrobot-v1",
    "Pendulum-v1",
    "FrozenLake-v1",
    "Taxi-v4",
    "CliffWalking-v1",
    "Blackjack-v1",
    "LunarLander-v3",
    "BipedalWalker-v3",
    "BipedalWalkerHardcore-v3",
    "CarRacing-v3",
)
ROBOT = "HalfCheetah-v5"


def _case(env_id: str, frames: int, wanted: float | None) -> Case:
    return Case(
        env_id,
        (ours("single.frame", env_id=env_id), reference("single.frame", wanted=wanted, env_id=env_id)),
        unit="s",
        work=frames,
    )


TABLES = (
    Table(
        "frames",
        "Pictures",
        'A frame of `make(ID, render_mode="rgb_array")` after each step of random actions; steps and resets are left '
        "out. Both draw MuJoCo's robots with the same OpenGL, by EGL.",
        (*(_case(env_id, 200, 1) for env_id in ENV_IDS), _case(ROBOT, 10, None)),
    ),
)

if __name__ == "__main__":
    main(TABLES)
