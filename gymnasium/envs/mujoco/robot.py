"""The common base of the eleven robots: a task joined to a simulation."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.engine import mujoco
from gymnasium.envs.mujoco.mujoco_env import MujocoEnv
from gymnasium.envs.mujoco.settings import Settings
from gymnasium.envs.mujoco.simulator import ModelSource, Readings, as_control
from gymnasium.envs.mujoco.tasks.task import Outcome, Task
from gymnasium.spaces.box import Box
from gymnasium.utils.ezpickle import EzPickle

# The properties and methods of robots that a user's subclass may override to change a step.
HOOKS = ("_get_rew", "contact_cost", "contact_forces", "control_cost", "healthy_reward", "is_healthy", "terminated")


class RobotEnv(Settings, MujocoEnv, EzPickle):
    """An environment whose simulation is a `MujocoEnv` and whose arithmetic is a `Task`.

    A subclass calls `assign` at the end of its constructor, when the model exists. A simulation that diverges truncates
    the episode, with `info["unstable"]` True: the engine has reset it to its beginning.
    If a user's subclass overrides one of `HOOKS`, a step calls these; otherwise it calls the task for all of them at
    once. A copy, also by pickle, continues exactly from the state of the original.

    Args:
        xml_file: The model; see `MujocoEnv`.
        frame_skip: The number of the model's time steps per step.
        default_camera_config: Attributes of the free camera.
        **kwargs: `render_mode`, `width`, `height`, `camera_id`, `camera_name`, `max_geom` and `visual_options`; see
            `MujocoEnv`.
    """

    task: Task

    def __new__(cls, *args: Any, **kwargs: Any) -> RobotEnv:
        """Record all arguments, of any subclass, so that it can be remade from them."""
        env = super().__new__(cls)
        EzPickle.__init__(env, *map(_portable, args), **{name: _portable(value) for name, value in kwargs.items()})
        return env

    def __init__(
        self, xml_file: ModelSource, frame_skip: int, default_camera_config: dict[str, Any] | None, **kwargs: Any
    ) -> None:
        MujocoEnv.__init__(self, xml_file, frame_skip, None, default_camera_config=default_camera_config, **kwargs)
        self._readings = Readings(self.data)
        self.metadata = {**self.metadata, "render_fps": int(np.round(1.0 / self.dt))}

    def assign(self, task: Task) -> None:
        """Set the robot's task, which defines the observation."""
        self.task = task
        hooks = overridden(type(self), HOOKS)
        self._asked, self._pays = bool(hooks), "_get_rew" in hooks
        # From the task, because a user's `_get_obs` may need attributes that its constructor sets later.
        observation = np.concatenate(task.observation(self._read()))
        self.observation_space = Box(-np.inf, np.inf, observation.shape, np.float64)
        structure = task.structure(self._read())
        if structure is not None:
            self.observation_structure = structure

    def body_id(self, body: int | str) -> int:
        """Returns the index of a body from its name or its index.

        Raises:
            KeyError: If the model has no body of that name.
        """
        return int(self.model.body(body).id)

    def step(self, action: Any) -> tuple[NDArray[np.float64], Any, bool, bool, dict[str, Any]]:
        """Act for `frame_skip` time steps of the model.

        Raises:
            gymnasium.error.ActionOfWrongShape: If the action has another shape than (nu,) or is not made of numbers; it
                is an InvalidAction and a ValueError.
            gymnasium.error.ActionOutsideSpace: If it holds NaN. Nothing moves in either case.
        """
        task, readings = self.task, self._read()
        action = as_control(action, self.model.nu)
        before = task.before(readings, self)
        self.do_simulation(action, self.frame_skip)
        if self._asked:
            outcome = self._hooked_outcome(before, action)
            reward, terminated, info = self._paid(outcome, action) if self._pays else outcome
        else:
            reward, terminated, info = task.outcome(before, readings, action, self)
        truncated = self._driver.diverged()
        if truncated:
            info["unstable"] = True
        if self.render_mode == "human":
            self.render()
        return self._get_obs(), reward, bool(terminated), truncated, info

    def _read(self) -> Readings:
        """Returns the readings of the simulation, even if it was replaced."""
        if self._readings.data is not self.data:
            self._readings = Readings(self.data)
        return self._readings

    def _hooked_outcome(self, before: object, action: np.ndarray) -> Outcome:
        """Returns the outcome of a step, using the hooks of any subclass."""
        return self.task.outcome(before, self._read(), action, self)

    def _paid(self, outcome: Outcome, action: np.ndarray) -> Outcome:
        """Returns the outcome of a step with another reward, that of a subclass's `_get_rew`."""
        raise NotImplementedError

    def _hooked_parts(self) -> tuple[np.ndarray, ...]:
        """Returns the parts of the observation, using the hooks of any subclass."""
        return self.task.observation(self._read())

    def _get_obs(self) -> NDArray[np.float64]:
        return np.concatenate(self._hooked_parts() if self._asked else self.task.observation(self._read()))

    def reset_model(self) -> NDArray[np.float64]:
        """Place the robot with noise, and return the observation."""
        self.set_state(*self.task.start(self.np_random, self))
        return self._get_obs()

    def _get_reset_info(self) -> dict[str, Any]:
        # A subclass may call the constructor of `MujocoEnv` in place of its parent's; then there is no task.
        return self.task.reset_info(self._read(), self) if hasattr(self, "task") else {}

    def twin(self) -> RobotEnv:
        """Returns a shallow copy, which shares everything with this one."""
        other: RobotEnv = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def moved_to(self, data: mujoco.MjData, generator: np.random.Generator, seed: int) -> RobotEnv:
        """Returns a shallow copy around another simulation of the same model; the renderer shows the old one."""
        other = self.twin()
        other.data = data
        other._np_random, other._np_random_seed = generator, seed
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {**EzPickle.__getstate__(self), "_state": self.get_state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        EzPickle.__setstate__(self, state)
        self.set_state(state["_state"])


def overridden(env_class: type[RobotEnv], names: Iterable[str]) -> tuple[str, ...]:
    """Returns the members among these that a user's class overrides."""
    members = {name: inspect.getattr_static(env_class, name) for name in names if _is_defined_here(env_class, name)}
    return tuple(name for name, member in members.items() if not _is_ours(getattr(member, "fget", member)))


def _is_defined_here(env_class: type[RobotEnv], name: str) -> bool:
    return any(name in vars(cls) for cls in env_class.__mro__ if _is_ours(cls))


def _is_ours(thing: object) -> bool:
    return f"{getattr(thing, '__module__', None)}.".startswith(f"{__package__}.")


def _portable(argument: object) -> Any:
    """Returns a picklable replacement of an argument: the text of a model that was built in memory."""
    return argument.to_xml() if isinstance(argument, mujoco.MjSpec) else argument
