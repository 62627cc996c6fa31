"""A batch of one robot's environments, which the engine steps on all cores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.batch import make_batch
from gymnasium.envs.mujoco.engine import mujoco
from gymnasium.envs.mujoco.robot import RobotEnv
from gymnasium.envs.mujoco.vector_infos import Reports
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.spaces.batching import batch_space
from gymnasium.utils import seeding
from gymnasium.vector.actions import action_checker
from gymnasium.vector.requests import check_running, split_options, split_seed
from gymnasium.vector.vector_env import AutoresetMode, VectorEnv

Infos: TypeAlias = Literal["full", "rewards", "none"]
Mask = NDArray[np.bool_]


class MujocoVectorEnv(VectorEnv[NDArray[np.float64], NDArray[Any], NDArray[Any]]):
    """n copies of a robot's environment, equal to the bit to a `SyncVectorEnv` of them.

    Args:
        num_envs: How many.
        max_episode_steps: After how many steps an episode is truncated; None for never.
        autoreset_mode: When a finished environment is reset.
        infos: What of the infos is returned: all; what begins with `reward`; or nothing. In the mode `SAME_STEP`, the
            last observations of finished episodes are there in any case.
        num_threads: How many threads step them; None for as many as there are cores.
        **kwargs: As of the single environment.

    Attributes:
        env: A single environment, for its model, its spaces and its task.

    Raises:
        ValueError: If an option is none of these.
    """

    env_class: ClassVar[type[RobotEnv]]

    def __init__(
        self,
        num_envs: int = 1,
        max_episode_steps: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        infos: Infos = "full",
        num_threads: int | None = None,
        **kwargs: Any,
    ) -> None:
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self._reports = Reports(infos, num_envs)
        self.num_envs = num_envs
        self.max_episode_steps = max_episode_steps
        self.env = env = self.env_class(**kwargs)
        self.metadata = {**env.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = env.render_mode
        self.single_observation_space, self.observation_space = _both(env.observation_space, num_envs)
        self.single_action_space, self.action_space = _both(env.action_space, num_envs)
        self._task = env.task
        self._check_actions = action_checker(env.action_space)
        self._batch = make_batch(env.model, num_envs, num_threads, env.task.needs())
        self._generators: list[np.random.Generator | None] = [None] * num_envs
        self._seeds: list[int] = [-1] * num_envs
        self._elapsed = np.zeros(num_envs, np.int64)
        self._finished = np.zeros(num_envs, np.bool_)
        self._reset_needed = True

    @property  # type: ignore[misc]  # read-only here
    def np_random(self) -> tuple[np.random.Generator, ...]:
        """Each environment's generator."""
        return tuple(self._generator(i) for i in range(self.num_envs))

    @property
    def np_random_seed(self) -> tuple[int, ...]:
        """Each environment's seed."""
        self.np_random  # noqa: B018  # makes those that there are not yet
        return tuple(self._seeds)

    def _generator(self, i: int, seed: int | None = None) -> np.random.Generator:
        generator = self._generators[i]
        if generator is None or seed is not None:
            generator, self._seeds[i] = seeding.np_random(seed)
            self._generators[i] = generator
        return generator

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Any = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Begin an episode in every environment, or in those of `options["reset_mask"]`.

        Raises:
            TypeError, ValueError, gymnasium.error.Error: For options or seeds that do not fit; nothing is reset then.
            gymnasium.error.ResetNeeded: For a mask that leaves an environment out before the first reset of all.
        """
        self._check_open()
        seeds = split_seed(seed, self.num_envs)
        mask, _ = split_options(options, self.num_envs)
        mask = np.ones(self.num_envs, np.bool_) if mask is None else mask
        if not mask.all():
            self._check_reset()
        for i in np.flatnonzero(mask).tolist():
            self._generator(i, seeds[i])
        self._reset_needed = True
        self._begin(mask)
        self._reset_needed = False
        infos: dict[str, Any] = {}
        self._reports.add(infos, self._task.reset_info(self._batch, self.env), mask)
        return self._observations(), infos

    def _begin(self, mask: Mask) -> None:
        """Begin an episode in the environments of a mask."""
        ids = np.flatnonzero(mask)
        self._batch.reset(ids, [self._task.start(self._generator(i), self.env) for i in ids.tolist()])
        self._elapsed[ids] = 0
        self._finished[ids] = False

    def _observations(self) -> NDArray[np.float64]:
        return np.concatenate(self._task.observation(self._batch), axis=-1)

    def step(self, actions: Any) -> tuple[NDArray[np.float64], NDArray[np.float64], Mask, Mask, dict[str, Any]]:
        """Step all environments; in the mode `NEXT_STEP`, reset those that finished in the step before.

        Raises:
            TypeError, ValueError, gymnasium.error.ActionOutsideSpace: For a batch that is none; nothing moves then.
            AssertionError: If an environment is finished and the autoreset mode is DISABLED; nothing moves then.
            gymnasium.error.ResetNeeded: Before the first reset, and after an exception of the engine.
        """
        self._check_open()
        self._check_reset()
        actions = self._check_actions(actions, self.num_envs)
        if self.autoreset_mode is AutoresetMode.DISABLED:
            check_running(self._finished)
        same_step = self.autoreset_mode is AutoresetMode.SAME_STEP
        resting = np.zeros(self.num_envs, np.bool_) if same_step else self._finished.copy()
        acting = ~resting

        self._reset_needed = True
        reward, terminated, info = self._act(actions, acting)
        self._elapsed[acting] += 1
        unstable = self._batch.diverged() & acting
        truncated = unstable.copy()
        if self.max_episode_steps is not None:
            truncated |= (self._elapsed >= self.max_episode_steps) & acting
        self._finished = terminated | truncated

        infos: dict[str, Any] = {}
        ended = self._finished & same_step
        self._reports.add(infos, info, acting & ~ended)
        self._reports.add(infos, {"unstable": True}, unstable & ~ended)
        if ended.any():
            self._reports.end(infos, self._observations(), info, unstable, ended)
        begun = ended if same_step else resting
        if begun.any():
            self._begin(begun)
            self._reports.add(infos, self._task.reset_info(self._batch, self.env), begun)
        self._reset_needed = False
        return self._observations(), reward, terminated, truncated, infos

    def _act(self, actions: NDArray[Any], acting: Mask) -> tuple[NDArray[np.float64], Mask, dict[str, Any]]:
        """Step the environments of a mask; those that rest have reward 0 and no flag."""
        before = self._task.before(self._batch, self.env)
        ids = None if acting.all() else np.flatnonzero(acting)
        self._batch.advance(ids, actions, self.env.frame_skip)
        outcome = self._task.outcome(before, self._batch, actions, self.env)
        reward = np.where(acting, outcome.reward, 0.0)
        return reward, outcome.terminated & acting, outcome.info

    def render(self) -> tuple[Any, ...]:
        """Returns a frame of each environment; they are drawn one after the other."""
        self._check_open()
        return tuple(self._frame(i) for i in range(self.num_envs))

    def _frame(self, i: int) -> Any:
        mujoco.mj_copyData(self.env.data, self.env.model, self._batch.data(i))
        return self.env.render()

    def close_extras(self, **kwargs: Any) -> None:
        """Free the threads and the graphics contexts."""
        self._batch.close()
        self.env.close()

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError(f"{self} was used after `close()`: make a new one")

    def _check_reset(self) -> None:
        if self._reset_needed:
            raise ResetNeeded("All environments have to be reset first: call reset(), without a mask")


def _both(space: Any, n: int) -> tuple[Any, Any]:
    return space, batch_space(space, n)
