"""The tasks and constants of a batch: one for all environments, or one for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.robot import RobotEnv
from gymnasium.envs.mujoco.tasks.task import Array, Outcome
from gymnasium.utils._counts import positive
from palaestra.mujoco.batch import Batch

Mask = NDArray[np.bool_]

# The attributes that `RobotEnv.moved_to` changes, besides those computed from them.
_MOVING = ("data", "_readings", "_driver", "_np_random", "_np_random_seed")


class _Group(NamedTuple):
    """Environments with equal parameters, and the source of their readings."""

    world: RobotEnv
    ids: NDArray[np.intp]
    readings: Any


class Worlds:
    """Computes the task of a batch; in groups, if environments have different parameters.

    Args:
        env: The single environment that all are copies of.
        batch: The simulations.
        n: The number of environments.
    """

    def __init__(self, env: RobotEnv, batch: Batch, n: int) -> None:
        self._batch = batch
        self._n = n
        self._each = [env] * n
        self._groups = [_Group(env, np.arange(n), batch)]

    def __getitem__(self, i: int) -> RobotEnv:
        """Returns the single environment with the parameters of environment i."""
        return self._each[i]

    def set(self, name: str, values: Sequence[Any]) -> None:
        """Set a parameter of each environment: one used by a step, a field of its task, or a custom attribute.

        Raises:
            AttributeError: If it is another attribute of the environment: a batch was made from it.
            ValueError: If constants have another shape.
            TypeError: If a task has another type. Nothing is set in any of these cases.
        """
        made: dict[tuple[int, int], RobotEnv] = {}
        for world, value in zip(self._each, values, strict=True):
            if (id(world), id(value)) not in made:
                made[id(world), id(value)] = _with(world, name, value)
        self._each = [made[id(world), id(value)] for world, value in zip(self._each, values, strict=True)]
        members: dict[int, list[int]] = {}
        for i, world in enumerate(self._each):
            members.setdefault(id(world), []).append(i)
        self._groups = [self._group(np.array(ids), alone=len(members) == 1) for ids in members.values()]

    def _group(self, ids: NDArray[np.intp], alone: bool) -> _Group:
        return _Group(self._each[int(ids[0])], ids, self._batch if alone else _Rows(self._batch, ids))

    def act(self, actions: Array, acting: Mask) -> Outcome:
        """Step the environments of a mask under n actions, and return the results, for all n."""
        before = [world.task.before(readings, world) for world, _, readings in self._groups]
        for world, ids, _ in self._groups:
            moved = ids[acting[ids]]
            self._batch.advance(None if len(moved) == self._n else moved, actions, world.frame_skip)
        outcomes = [
            world.task.outcome(past, readings, actions if len(ids) == self._n else actions[ids], world)
            for past, (world, ids, readings) in zip(before, self._groups, strict=True)
        ]
        if len(outcomes) == 1:
            return outcomes[0]
        return Outcome(
            self._joined([outcome.reward for outcome in outcomes]),
            self._joined([outcome.terminated for outcome in outcomes]),
            self._joined_infos([outcome.info for outcome in outcomes]),
        )

    def observation(self, out: NDArray[np.float64] | None) -> NDArray[np.float64]:
        """Returns the observations, in `out` if it is given."""
        observed = [world.task.observation(readings) for world, _, readings in self._groups]
        if self._alone:
            return np.concatenate(observed[0], axis=-1, out=out)
        joined = self._joined([np.concatenate(parts, axis=-1) for parts in observed])
        if out is None:
            return joined
        out[:] = joined
        return out

    def reset_info(self) -> dict[str, Any]:
        """Returns the infos of resets, of all n."""
        infos = [world.task.reset_info(readings, world) for world, _, readings in self._groups]
        return infos[0] if self._alone else self._joined_infos(infos)

    @property
    def _alone(self) -> bool:
        return len(self._groups) == 1

    def _joined(self, parts: Sequence[object]) -> np.ndarray:
        """Returns the groups' values, each for its environments, as one array of n."""
        first = np.asarray(parts[0])
        joined = np.empty((self._n, *first.shape[1:]), first.dtype)
        for (_, ids, _), part in zip(self._groups, parts, strict=True):
            joined[ids] = part
        return joined

    def _joined_infos(self, infos: Sequence[dict[str, Any]]) -> dict[str, Any]:
        return {key: self._joined([info[key] for info in infos]) for key in infos[0]}


class _Rows:
    """The readings of some simulations."""

    def __init__(self, batch: Batch, ids: NDArray[np.intp]) -> None:
        self._batch = batch
        self._ids = ids

    @property
    def body_mass(self) -> Any:
        """The masses of each simulation, if they differ."""
        masses = self._batch.body_mass
        return None if masses is None else masses[self._ids]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._batch, name)[self._ids]


def parameter(env: RobotEnv, name: str) -> Any:
    """Returns an attribute of the environment, or a field of its task."""
    return getattr(env.task if not hasattr(env, name) and name in _fields(env) else env, name)


def is_constant(env: RobotEnv, name: str) -> bool:
    """Returns whether an attribute is constant, or set by the user only."""
    # The reward rate for health is a field of its task; the present reward is a property of the same name.
    field = name in _fields(env) and not hasattr(type(env), name)
    return name not in _MOVING and (name in vars(env) or field)


def _with(env: RobotEnv, name: str, value: object) -> RobotEnv:
    """Returns the environment with a parameter set."""
    other = env.twin()
    if name in _CHECKS:
        setattr(other, name, _CHECKS[name](name, getattr(env, name), value))
    elif name in _fields(env):
        task: Any = env.task
        other.task = replace(task, **{name: value})
    elif hasattr(env, name):
        raise AttributeError(
            f"{name!r} cannot be set in a batch of {type(env).__name__}, which reads it when it is made. These can be "
            f"set: {', '.join(_CHECKS)}, np_random, and of the task {', '.join(_fields(env))}"
        )
    else:
        setattr(other, name, value)
    return other


def _fields(env: RobotEnv) -> tuple[str, ...]:
    return tuple(getattr(env.task, "__dataclass_fields__", ()))


def _same_shape(name: str, old: Any, value: Any) -> NDArray[np.float64]:
    found = np.array(value, np.float64)
    if found.shape != old.shape:
        raise ValueError(f"{name} must have the shape {old.shape}, but one of {found.shape} came")
    return found


def _same_kind(name: str, old: object, value: object) -> Any:
    if type(value) is not type(old):
        raise TypeError(f"The {name} of a batch of {type(old).__name__} must be one, but a {type(value)} came")
    return value


# The parameters of an environment used by a step besides its model, and the checks of their values.
_CHECKS: dict[str, Callable[[str, Any, Any], Any]] = {
    "frame_skip": lambda name, old, value: positive(name, value),
    "init_qpos": _same_shape,
    "init_qvel": _same_shape,
    "task": _same_kind,
}
