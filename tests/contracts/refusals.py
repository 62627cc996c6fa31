"""What must be refused, each as a function to call: run as a program, it prints what each call raises.

python [-O] -m tests.contracts.refusals
"""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from gymnasium import spaces, wrappers
from gymnasium.envs.classic_control.cartpole import CartPoleEnv
from gymnasium.envs.mujoco.inverted_pendulum_v5 import InvertedPendulumEnv
from gymnasium.envs.mujoco.mujoco_rendering import MujocoRenderer
from gymnasium.envs.mujoco.utils import check_mujoco_reset_state
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.passive_env_checker import env_step_passive_checker
from gymnasium.utils.step_api_compatibility import step_api_compatibility
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium.vector._batch.member import Member
from gymnasium.wrappers.vector import DictInfoToList
from palaestra.mujoco import robots
from palaestra.runner import CompiledVectorEnv

DISABLED = AutoresetMode.DISABLED


def stepped_after_the_end(envs: Any) -> None:
    """Step twice after a limit of one step, in the mode DISABLED."""
    try:
        envs.reset(seed=1)
        action = np.zeros((2, *envs.single_action_space.shape), envs.single_action_space.dtype)
        envs.step(action)
        envs.step(action)
    finally:
        envs.close()


def limited() -> Any:
    """A CartPole of one step."""
    return wrappers.TimeLimit(CartPoleEnv(), 1)


def robot() -> Any:
    """An inverted pendulum, reset."""
    env = InvertedPendulumEnv()
    env.reset(seed=1)
    return env


class Misstated(InvertedPendulumEnv):
    """States another pace than its steps have."""

    metadata = {**InvertedPendulumEnv.metadata, "render_fps": 7}


class Adrift(InvertedPendulumEnv):
    """Does not return to where it began."""

    def reset_model(self) -> Any:
        self.init_qpos += 0.1
        return super().reset_model()


class Unlike(CartPoleEnv):
    """Returns an info that is none."""

    def step(self, action: Any) -> Any:
        return (*super().step(action)[:4], [])


def member() -> Member:
    """A member whose episode is over."""
    one = Member(limited(), DISABLED)
    one.reset(1, None)
    one.step(0)
    return one


def reset(env: Any) -> Any:
    """Returns the environment, reset."""
    env.reset(seed=1)
    return env


def reporting(**info: Any) -> Any:
    """An environment that reports this info, in statistics."""
    env = wrappers.TimeLimit(CartPoleEnv(), 1)
    step = env.step
    env.step = lambda action: (*step(action)[:4], info)  # type: ignore[method-assign]
    return reset(wrappers.RecordEpisodeStatistics(env))


ASSERTED: dict[str, Callable[[], Any]] = {
    "DISABLED, sync": lambda: stepped_after_the_end(SyncVectorEnv([limited] * 2, autoreset_mode=DISABLED)),
    "DISABLED, async": lambda: stepped_after_the_end(AsyncVectorEnv([limited] * 2, autoreset_mode=DISABLED)),
    "DISABLED, compiled": lambda: stepped_after_the_end(
        CompiledVectorEnv(CartPoleEnv, 2, max_episode_steps=1, autoreset_mode=DISABLED)
    ),
    "DISABLED, robots": lambda: stepped_after_the_end(
        robots.InvertedPendulumV5VectorEnv(2, max_episode_steps=1, autoreset_mode=DISABLED)
    ),
    "DISABLED, one member": lambda: member().step(0),
    "an action out of range": lambda: reset(CartPoleEnv()).step(2),
    "a step before the reset": lambda: CartPoleEnv().step(0),
    "an action in a batch": lambda: reset(SyncVectorEnv([limited])).step([2]),
    "NaN for a robot": lambda: robot().step(np.array([np.nan])),
    "positions of another shape": lambda: robot().set_state(np.zeros(3), np.zeros(2)),
    "positions alone": lambda: robot().set_state(np.zeros(2)),
    "another render_fps": Misstated,
    "resets that differ": lambda: check_mujoco_reset_state(Adrift()),
    "a picture without a size": lambda: MujocoRenderer(robot().model, robot().data).render("rgb_array"),
    "a mask of floats": lambda: spaces.Discrete(3).sample(mask=np.ones(3)),
    "probabilities that sum to 2": lambda: spaces.Discrete(2).sample(probability=np.ones(2)),
    "a mask of a Dict": lambda: spaces.Dict(a=spaces.Discrete(2)).sample(mask={}),
    "no nodes": lambda: spaces.Graph(spaces.Discrete(2), None).sample(num_nodes=0),
    "a list to unflatten": lambda: spaces.unflatten(spaces.Tuple([spaces.Text(2), spaces.Discrete(2)]), [1]),
    "statistics under a taken key": lambda: reporting(episode=1).step(0),
    "infos taken apart twice": lambda: DictInfoToList(DictInfoToList(SyncVectorEnv([limited]))).reset(seed=1),
    "a video that never began": lambda: wrappers.RecordVideo.stop_recording(SimpleNamespace(recording=False)),
    "an info for the checker": lambda: env_step_passive_checker(reset(Unlike()), 0),
    "an environment for check_env": lambda: check_env(Unlike(), skip_render_check=True),
    "a step of three values": lambda: step_api_compatibility((1, 2, 3)),
}


def outcomes() -> dict[str, str]:
    """Returns what each call raises: "AssertionError", the repr of another exception, or "" for none."""
    found = {}
    for name, call in ASSERTED.items():
        try:
            call()
            found[name] = ""
        except Exception as error:
            found[name] = "AssertionError" if isinstance(error, AssertionError) else repr(error)
    return found


if __name__ == "__main__":
    print(json.dumps([__debug__, outcomes()]))
