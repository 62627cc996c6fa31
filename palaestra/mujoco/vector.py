"""A batch of one robot's environments, which the engine steps on all cores."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.engine import mujoco
from gymnasium.envs.mujoco.identity import identity
from gymnasium.envs.mujoco.robot import HOOKS, RobotEnv, overridden
from gymnasium.error import UnsupportedMode
from gymnasium.spaces.batching import batch_space
from gymnasium.utils import seeding
from gymnasium.vector._batch.actions import action_checker
from gymnasium.vector._batch.infos import add_info
from gymnasium.vector._batch.requests import (
    check_running,
    checked_min_envs,
    split_values,
)
from gymnasium.vector._batch.turns import begin_turns, in_turn
from gymnasium.vector.vector_env import AutoresetMode
from palaestra.mujoco.batch import make_batch
from palaestra.mujoco.moments import RobotMoments
from palaestra.mujoco.moments import RobotState as RobotState
from palaestra.mujoco.vector_infos import Reports, has_any, rows_of
from palaestra.mujoco.worlds import Worlds, is_constant, parameter

Infos: TypeAlias = Literal["full", "rewards", "none"]

# The attributes that a batch reads from the task and the engine instead of calling the single environment.
_BYPASSED = (
    *HOOKS,
    "step",
    "reset",
    "reset_model",
    "do_simulation",
    "_step_mujoco_simulation",
    "set_state",
    "_get_obs",
    "_get_reset_info",
)

Mask = NDArray[np.bool_]


class MujocoVectorEnv(RobotMoments):
    """n copies of a robot's environment, equal bit for bit to a `SyncVectorEnv` of them.

    The model is read once: later changes to `env.model` affect frames only.

    Args:
        num_envs: The number of environments.
        max_episode_steps: The number of steps after which an episode is truncated; None for no limit.
        autoreset_mode: The autoreset mode.
        infos: The returned infos: all; those that begin with `reward`; or none. In the mode `SAME_STEP`, the last
            observations of finished episodes are always included.
        num_threads: The number of threads; None for the number of cores.
        copy: Whether each call returns new observations. If False, `reset` and `step` return the same array each time,
            with new values.
        **kwargs: The arguments of the single environment. There is no window: the render mode `"human"` is refused.

    Attributes:
        env: A single environment, for its model, its spaces and its renderer.

    Raises:
        ValueError: If an option has another value.
        gymnasium.error.UnsupportedMode: If the render mode is `"human"`.
        TypeError: If `env_class` overrides a member that a batch does not call.
    """

    vector_kwargs = ("autoreset_mode", "copy", "infos", "num_threads")
    """The value that `make_vec` passes for its argument of this name."""

    env_class: ClassVar[type[RobotEnv]]

    def __init__(
        self,
        num_envs: int = 1,
        max_episode_steps: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        infos: Infos = "full",
        num_threads: int | None = None,
        copy: bool = True,
        **kwargs: Any,
    ) -> None:
        if kwargs.get("render_mode") == "human":
            raise UnsupportedMode(
                f"{type(self).__name__} has no window, but the render mode 'human' came. To watch environments, make "
                'one, or a batch with vectorization_mode="sync"'
            )
        own = overridden(self.env_class, _BYPASSED)
        if own:
            raise TypeError(
                f"A {type(self).__name__} ignores the overrides of {self.env_class.__name__} ({', '.join(own)}). "
                "For batches of it, use SyncVectorEnv or AsyncVectorEnv"
            )
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self._reports = Reports(infos, num_envs)
        self.num_envs = num_envs
        self.max_episode_steps = max_episode_steps
        self.env = env = self.env_class(**kwargs)
        self.metadata = {**env.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = env.render_mode
        self.single_observation_space, self.observation_space = _both(env.observation_space, num_envs)
        self.single_action_space, self.action_space = _both(env.action_space, num_envs)
        self._check_actions = action_checker(env.action_space)
        self._model = identity(env.model)
        self._batch = make_batch(env.model, num_envs, num_threads, env.task.needs())
        self._worlds = Worlds(env, self._batch, num_envs)
        self.copy = copy
        self._own = self._worlds.observation(None)
        begin_turns(self)
        self._everybody = np.ones(num_envs, np.bool_)
        self._sent: dict[int, np.ndarray] = {}
        self._generators: list[np.random.Generator | None] = [None] * num_envs
        self._seeds: list[int] = [-1] * num_envs
        self._elapsed = np.zeros(num_envs, np.int64)
        self._finished = np.zeros(num_envs, np.bool_)
        self._reset_needed = True

    @property
    def single_env(self) -> RobotEnv:
        """The same as `env`, under the name used by compiled batches."""
        return self.env

    @property  # type: ignore[misc]  # read-only here
    def np_random(self) -> tuple[np.random.Generator, ...]:
        """Each environment's generator."""
        return tuple(self._generator(i) for i in range(self.num_envs))

    @property
    def np_random_seed(self) -> tuple[int, ...]:
        """Each environment's seed."""
        self.np_random  # noqa: B018  # makes the missing generators
        return tuple(self._seeds)

    def _generator(self, i: int, seed: int | None = None) -> np.random.Generator:
        generator = self._generators[i]
        if generator is None or seed is not None:
            generator, self._seeds[i] = seeding.np_random(seed)
            self._generators[i] = generator
        return generator

    @in_turn
    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Any = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Begin an episode in every environment, or in those of `options["reset_mask"]`.

        Raises:
            TypeError, ValueError, gymnasium.error.Error: For options or seeds that do not fit; nothing is reset then.
            gymnasium.error.ResetNeeded: For a mask that leaves an environment out before the first reset of all.
        """
        seeds, mask, _ = self._checked_reset(seed, options)
        for i in np.flatnonzero(mask).tolist():
            self._generator(i, seeds[i])
        self._reset_needed = True
        infos = self._begin({}, mask, seeds)
        self._reset_needed = False
        return self._observed(), infos

    def _begin(self, infos: dict[str, Any], mask: Mask, seeds: Sequence[int | None] | None = None) -> dict[str, Any]:
        """Begin an episode in the environments of a mask, and return the infos with theirs."""
        ids = np.flatnonzero(mask)
        params = self._begin_params(ids, seeds)
        starts = [self._worlds[i].task.start(self._generator(i), self._worlds[i]) for i in ids.tolist()]
        self._batch.reset(ids, starts)
        self._elapsed[ids] = 0
        self._finished[ids] = False
        self._reports.add(infos, self._worlds.reset_info(), mask)
        for i, drawn in params.items():
            add_info(infos, {"params": drawn}, i, self.num_envs)
        return infos

    def _observed(self) -> NDArray[np.float64]:
        return self._worlds.observation(None if self.copy else self._own)

    @in_turn
    def step(self, actions: Any) -> tuple[NDArray[np.float64], NDArray[np.float64], Mask, Mask, dict[str, Any]]:
        """Step all environments; in the mode `NEXT_STEP`, reset those that finished in the step before.

        Raises:
            TypeError, ValueError, gymnasium.error.ActionOutsideSpace: For an invalid batch; nothing moves then.
            AssertionError: If an environment is finished and the autoreset mode is DISABLED; nothing moves then.
            gymnasium.error.ResetNeeded: Before the first reset, and after an exception of the engine.
        """
        self._check_ready("step")
        actions = self._check_actions(actions, self.num_envs)
        if self.autoreset_mode is AutoresetMode.DISABLED:
            check_running(self._finished)
        reward, terminated, truncated, infos = self._step(actions, self._everybody)
        return self._observed(), reward, terminated, truncated, infos

    def _step(self, actions: np.ndarray, chosen: Mask) -> tuple[NDArray[np.float64], Mask, Mask, dict[str, Any]]:
        """Step, or reset, the environments of a mask; the others have reward 0, no flag and no info."""
        same_step = self.autoreset_mode is AutoresetMode.SAME_STEP
        resting = chosen & self._finished & (not same_step)
        acting = chosen & ~resting

        self._reset_needed = True
        outcome = self._worlds.act(actions, acting)
        terminated = outcome.terminated & acting
        self._elapsed += acting
        unstable = self._batch.diverged() & acting
        truncated = unstable.copy()
        if self.max_episode_steps is not None:
            truncated |= (self._elapsed >= self.max_episode_steps) & acting
        finished = terminated | truncated
        np.copyto(self._finished, finished, where=acting)

        infos: dict[str, Any] = {}
        ended = finished & same_step
        self._reports.add(infos, outcome.info, acting & ~ended)
        if has_any(unstable):
            self._reports.add(infos, {"unstable": True}, unstable & ~ended)
        if has_any(ended):
            self._reports.end(infos, self._worlds.observation(None), outcome.info, unstable, ended)
        begun = ended if same_step else resting
        if has_any(begun):
            self._begin(infos, begun)
        self._reset_needed = False
        return np.where(acting, outcome.reward, 0.0), terminated, truncated, infos

    @in_turn
    def send(self, actions: Any, env_ids: Sequence[int] | NDArray[np.integer] | None = None) -> None:
        """Store actions for some environments, which act when `recv` is called."""
        ids = self._checked_send(env_ids)
        # The caller may reuse the same array before the environments act.
        self._sent.update(zip(ids, np.array(self._check_actions(actions, len(ids))), strict=True))

    @in_turn
    def recv(
        self, min_envs: int = 1, timeout: float | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], Mask, Mask, dict[str, Any]]:
        """Step all environments in flight, together, and return the results in the order of sending.

        A step is not interrupted: all are done, regardless of the timeout.
        """
        self._check_open("recv")
        checked_min_envs(min_envs, len(self._sent))
        ids = np.fromiter(self._sent, np.int64, len(self._sent))
        sent, self._sent = list(self._sent.values()), {}
        chosen = np.zeros(self.num_envs, np.bool_)
        chosen[ids] = True
        # If `send`s differ in type, the cost of actions is computed in the widest.
        actions = np.zeros((self.num_envs, *sent[0].shape), np.result_type(*sent))
        actions[ids] = sent
        reward, terminated, truncated, infos = self._step(actions, chosen)
        observations = self._worlds.observation(None)[ids]
        infos = {**rows_of(infos, ids), "env_id": ids}
        return observations, reward[ids], terminated[ids], truncated[ids], infos

    @in_turn
    def render(self) -> tuple[Any, ...]:
        """Returns a frame of each environment; they are drawn one after the other."""
        self._check_idle("render")
        return tuple(self._frame(i) for i in range(self.num_envs))

    @in_turn
    def render_one(self, i: int) -> Any:
        """Returns a frame of environment `i`.

        Raises:
            IndexError: If there is no such environment.
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        self._check_ready("render_one", i)
        return self._frame(i)

    def _frame(self, i: int) -> Any:
        mujoco.mj_copyData(self.env.data, self.env.model, self._batch.data(i))
        return self.env.render()

    @in_turn
    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Returns each environment's attribute `name`, or its result for these arguments if it is callable.

        It is called on a copy: a method that changes its environment has no effect here.
        """
        if name == "render":
            return self.render()
        self._check_idle("call")
        found = (self._attribute(i, name) for i in range(self.num_envs))
        return tuple(value(*args, **kwargs) if callable(value) else value for value in found)

    def _attribute(self, i: int, name: str) -> Any:
        """Returns an attribute of environment i; if it depends on the simulation, a single environment is made."""
        if name == "spec":
            return self.env.spec
        world = self._worlds[i]
        if self._batch.body_mass is not None:  # each has a model of its own
            world = world.twin()
            world.model = self._batch.model(i)
        if is_constant(world, name):
            return parameter(world, name)
        generator = deepcopy(self._generator(i))
        return parameter(world.moved_to(self._batch.data(i), generator, self._seeds[i]), name)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Returns `call(name)`; a field of the task too, such as `reset_noise_scale`."""
        return self.np_random if name == "np_random" else self.call(name)

    @in_turn
    def set_attr(self, name: str, values: Any) -> None:
        """Set a parameter of the environments; it takes effect at the next step.

        Args:
            name: `"frame_skip"`, `"init_qpos"`, `"init_qvel"`, `"task"`, a field of the task, `"np_random"`, or a name
                that the environments do not have.
            values: A list or tuple with one value for each environment; any other value is set on all.

        Raises:
            AttributeError: If it is another attribute: the batch was made from it, and does not read it again.
            ValueError: If a list does not have n values, or a value has another shape.
            TypeError: If a value is of another kind. Nothing is set in these cases.
        """
        self._check_idle("set_attr")
        each = split_values(values, self.num_envs)
        if name != "np_random":
            self._worlds.set(name, each)
            return
        for generator in each:
            if not isinstance(generator, np.random.Generator):
                raise TypeError(f"np_random must be a numpy.random.Generator, but a {type(generator)} came")
        self._generators, self._seeds = each, [-1] * self.num_envs

    def close_extras(self, **kwargs: Any) -> None:
        """Free the threads and the graphics contexts."""
        self._batch.close()
        self.env.close()

    def _in_flight(self) -> dict[int, np.ndarray]:
        return self._sent

    def _finished_flags(self) -> Mask:
        return self._finished


def _both(space: Any, n: int) -> tuple[Any, Any]:
    return space, batch_space(space, n)
