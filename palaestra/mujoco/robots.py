"""The classes of batches of the robots, such as `AntV5VectorEnv`; each is made on first access."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from gymnasium.envs.mujoco.robot import RobotEnv
from palaestra.mujoco.vector import MujocoVectorEnv

_MODULES: Final = {
    "Ant": "ant",
    "HalfCheetah": "half_cheetah",
    "Hopper": "hopper",
    "Humanoid": "humanoid",
    "HumanoidStandup": "humanoidstandup",
    "InvertedDoublePendulum": "inverted_double_pendulum",
    "InvertedPendulum": "inverted_pendulum",
    "Pusher": "pusher",
    "Reacher": "reacher",
    "Swimmer": "swimmer",
    "Walker2d": "walker2d",
}
_SINGLE: Final = {
    f"{robot}V{version}VectorEnv": (f"gymnasium.envs.mujoco.{module}_v{version}", f"{robot}Env")
    for robot, module in _MODULES.items()
    for version in (4, 5)
}


def batches_of(env_class: type[RobotEnv], name: str) -> type[MujocoVectorEnv]:
    """Returns the class of batches of a robot, which is found here under this name."""
    text = f"A batch of `{env_class.__module__}.{env_class.__name__}`; for the arguments see `MujocoVectorEnv`."
    return type(name, (MujocoVectorEnv,), {"__module__": __name__, "__doc__": text, "env_class": env_class})


def __getattr__(name: str) -> Any:
    if name not in _SINGLE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, env_class = _SINGLE[name]
    # Another thread may have made the class since: there is one, so that its instances can be pickled.
    return globals().setdefault(name, batches_of(getattr(import_module(module), env_class), name))


def __dir__() -> list[str]:
    return sorted({*globals(), *_SINGLE})
