"""Any vector environment as a `VecEnv` of Stable-Baselines3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gymnasium.dependencies import not_installed
from gymnasium.error import NoAsyncCallError
from gymnasium.logger import warn
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Space, Tuple
from gymnasium.vector._batch.shell import Shell
from gymnasium.vector._batch.trees import Tree, host, mapped
from gymnasium.vector.vector_env import AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.wrappers.vector._episodes import autoreset_mode
from palaestra.adapters._infos import split
from palaestra.adapters._members import Members

try:
    from stable_baselines3.common.vec_env.base_vec_env import VecEnv as _VecEnv
except ImportError as error:
    raise not_installed("stable_baselines3", __name__, error, "stable-baselines3") from error

__all__ = ["VecEnv"]

Indices: TypeAlias = Any  # None, an index, or several
_ARRAYS = (Box, Discrete, MultiBinary, MultiDiscrete)
_DISCRETE = (Discrete, MultiBinary, MultiDiscrete)
_FINAL = ("final_obs", "_final_obs", "final_info", "_final_info")
_MASKS = "action_masks"  # the method that MaskablePPO asks for; in infos the key is in the singular


class VecEnv(_VecEnv):
    """A vector environment on which agents of Stable-Baselines3 train.

        envs = VecMonitor(VecEnv(gymnasium.make_vec("CartPole-v1", 64)))
        PPO("MlpPolicy", envs).learn(100_000)

    Every autoreset mode gives the same: a step that ends an episode returns the first observation of the next, and its
    info has the last one as `"terminal_observation"` and, if the episode was only truncated, `"TimeLimit.truncated"` as
    True. SAME_STEP is the fastest. In the others, environments whose episode has ended are reset at once, with a
    `"reset_mask"`, so that no step is spent on a reset; wrappers with running moments count in another order then.

    `infos` has a dict for each environment, with numbers as Python's. Where an episode ends, it is the info of its last
    step, and `reset_infos` has that of the reset. In the mode SAME_STEP keys that only the reset reports are in both.

    If infos have an `"action_mask"`, as those of Taxi, the environments have a method `"action_masks"` for MaskablePPO.
    The statistics of `gymnasium.wrappers.vector.RecordEpisodeStatistics` are read as those of `VecMonitor`.

    Args:
        envs: The vector environment, in its wrappers. From now on only this object resets and steps it.

    Raises:
        TypeError: If it is not a `gymnasium.vector.VectorEnv`, or its observations are not arrays, or dicts or tuples
            of arrays.
        ValueError: If it resets in the mode NEXT_STEP and may not know `"reset_mask"` then, since it is neither of
            this package nor derived from a class of it.
        gymnasium.error.DependencyNotInstalled: At import, without Stable-Baselines3.
    """

    def __init__(self, envs: VectorEnv[Any, Any, Any]) -> None:
        self._mode = _checked_mode(envs)
        self.envs = envs
        self._members = Members(envs)
        # Stable-Baselines3 keeps an observation during the next step, which writes into it if the batch reuses memory.
        self._reused = getattr(envs.unwrapped, "copy", None) is not True
        self._actions: Any = None
        # What the environments reported last: the infos of a step, or of the resets for those that began.
        self._infos: list[dict[str, Any]] = []
        self._began: NDArray[np.bool_] = np.ones(envs.num_envs, np.bool_)
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)
        self.metadata = dict(envs.metadata)
        self.spec = envs.spec

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Set the options of the next reset: of all environments, or a list with those of each.

        Raises:
            ValueError: If a list does not have n items, or for a `"reset_mask"`: a reset is one of all environments.
        """
        each = options if isinstance(options, list) else [options or {}]
        if isinstance(options, list) and len(options) != self.num_envs:
            raise ValueError(f"A list of options needs {self.num_envs} dicts, but {len(options)} came")
        if any("reset_mask" in one for one in each):
            raise ValueError("A VecEnv resets all environments: leave out options['reset_mask']")
        super().set_options(options)

    def reset(self) -> Tree:
        """Begin an episode in every environment, with the seeds and options that were set, and return observations."""
        options: Any = None
        if any(self._options):
            first = self._options[0]
            options = first if all(one is first for one in self._options) else list(self._options)
        self._actions = None
        # Seeds are consecutive, as those of a VectorEnv for the first of them.
        observations, infos = self.envs.reset(seed=self._seeds[0], options=options)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = self._infos = split(infos, self.num_envs)
        self._began = np.ones(self.num_envs, np.bool_)
        return self._own(observations)

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the actions of the next step; bits may come as floats, as from the policies for `MultiBinary`."""
        if isinstance(self.action_space, _DISCRETE) and np.asarray(actions).dtype.kind == "f":
            with np.errstate(invalid="ignore"):  # NaN, which the environments refuse
                whole = np.asarray(actions).astype(self.action_space.dtype)
            actions = whole if (whole == actions).all() else actions
        self._actions = actions

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Step all environments.

        Returns:
            `(observations, rewards, dones, infos)`: rewards float32 and dones bool, of shape (n,), and n infos.

        Raises:
            gymnasium.error.NoAsyncCallError: If no actions came since the last step or reset.

        And the exceptions of `step` of the vector environment.
        """
        if self._actions is None:
            raise NoAsyncCallError("`step_wait` was called without actions: call `step_async` first, or `step`", "step")
        actions, self._actions = self._actions, None
        observations, rewards, terminated, truncated, infos = self.envs.step(actions)
        # New arrays all, before a reset writes into the batch's own.
        observations, rewards = self._own(observations), host(rewards).astype(np.float32)
        dones, cut = np.logical_or(host(terminated), host(truncated)), np.logical_not(host(terminated))
        ended = dones.nonzero()[0].tolist()
        if ended:
            finish = self._finish_same_step if self._mode is AutoresetMode.SAME_STEP else self._finish_and_reset
            observations, rows, finals = finish(observations, infos, dones, ended)
            for i, final in zip(ended, finals, strict=True):
                rows[i]["terminal_observation"] = final
                rows[i]["TimeLimit.truncated"] = bool(cut[i])
        else:
            rows = split(infos, self.num_envs)
        self._infos, self._began = rows, dones.copy()
        return observations, rewards, dones, rows

    def _finish_same_step(
        self, observations: Tree, infos: dict[str, Any], dones: NDArray[np.bool_], ended: list[int]
    ) -> tuple[Tree, list[dict[str, Any]], list[Any]]:
        """Returns the observations, the infos and the last observations, where the environments have been reset."""
        if "final_obs" not in infos:
            raise ValueError(f"{self.envs} ended episodes in the mode SAME_STEP without infos['final_obs']")
        rows = split({key: values for key, values in infos.items() if key not in _FINAL}, self.num_envs)
        last = split(infos.get("final_info", {}), self.num_envs, ended)
        for i, info in zip(ended, last, strict=True):
            self.reset_infos[i], rows[i] = rows[i], {**rows[i], **info}
        finals = infos["final_obs"]
        if isinstance(finals, np.ndarray) and finals.dtype.hasobject:
            each = finals[ended].tolist()
            return observations, rows, each if type(each[0]) is np.ndarray else [mapped(_leaf, one) for one in each]
        return observations, rows, _rows(mapped(host, finals), ended)

    def _finish_and_reset(
        self, observations: Tree, infos: dict[str, Any], dones: NDArray[np.bool_], ended: list[int]
    ) -> tuple[Tree, list[dict[str, Any]], list[Any]]:
        """Reset the environments that have ended, and return the same as `_finish_same_step`."""
        rows = split(infos, self.num_envs)
        # Before the reset, which may write infos and observations into the same memory.
        begun, reset_infos = self.envs.reset(options={"reset_mask": dones.copy()})
        for i, info in zip(ended, split(reset_infos, self.num_envs, ended), strict=True):
            self.reset_infos[i] = info

        def put(last: np.ndarray, first: object) -> np.ndarray:
            both = last.copy()
            both[ended] = host(first)[ended]
            return both

        return mapped(put, observations, begun), rows, _rows(observations, ended)

    def _own(self, observations: Tree) -> Tree:
        """Returns observations as NumPy's arrays that nobody writes to later."""
        return mapped(lambda array: np.array(host(array)) if self._reused else host(array), observations)

    def close(self) -> None:
        """Close the environments."""
        self.envs.close()

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Returns a picture of each environment; None for each, with a warning, unless the mode is `"rgb_array"`."""
        if self.render_mode != "rgb_array":
            warn(f"Pictures need render_mode='rgb_array', but it is {self.render_mode!r}: give it to `make_vec`")
            return [None] * self.num_envs
        pictures: Any = self.envs.render()
        return list(pictures)

    def has_attr(self, attr_name: str) -> bool:
        """Returns whether all environments have an attribute; for `"action_masks"` also, whether infos have masks."""
        if self._members.have(attr_name):
            return True
        if attr_name != _MASKS:
            return False
        try:
            self._masks([])
        except AttributeError:
            return False
        return True

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Returns an attribute of environments; outside of this process, a method's result instead of a method."""
        ids = self._ids(indices)
        if attr_name == "render_mode":
            return [self.envs.render_mode for _ in ids]
        if attr_name == _MASKS and not self._members.have(_MASKS):
            return self._masks(ids)
        return self._members.get(attr_name, ids)

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Set an attribute of environments, on the layer that has it."""
        self._members.set(attr_name, value, self._ids(indices))

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Returns the results of a method of environments. In a compiled batch, or one of robots, it acts on copies."""
        ids = self._ids(indices)
        if method_name == "render":
            frames = self.envs.render()
            return [None if frames is None else frames[i] for i in ids]
        if method_name == _MASKS and not self._members.have(_MASKS):
            return self._masks(ids)
        return self._members.call(method_name, method_args, method_kwargs, ids)

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:
        """Returns which environments are in a wrapper of this class, or all in a vector wrapper of it."""
        ids, layer = self._ids(indices), self.envs
        while isinstance(layer, VectorWrapper):
            if isinstance(layer, wrapper_class):
                return [True] * len(ids)
            layer = layer.env
        return self._members.wrapped(wrapper_class, ids)

    def _masks(self, ids: list[int]) -> list[NDArray[np.bool_]]:
        """Returns the masks in the infos of the present observations; without any, raises an AttributeError."""
        if not self._infos:  # an evaluation asks before its first reset, whose seeds and options are still to be used
            seeds, options = self._seeds, self._options
            self.reset()
            self._seeds, self._options = seeds, options
        present = [
            begun if began else info
            for info, begun, began in zip(self._infos, self.reset_infos, self._began, strict=True)
        ]
        if not all("action_mask" in info for info in present):
            raise AttributeError("There is neither a method `action_masks` nor a key 'action_mask' in the infos")
        return [np.asarray(present[i]["action_mask"], np.bool_) for i in ids]

    def _ids(self, indices: Indices) -> list[int]:
        every = range(self.num_envs)
        if indices is None:
            return list(every)
        return [every[i] for i in np.atleast_1d(np.asarray(indices, np.int64)).tolist()]


def _checked_mode(envs: object) -> AutoresetMode:
    """Returns the autoreset mode of a vector environment that fits; see `VecEnv` for the errors."""
    if not isinstance(envs, VectorEnv):
        raise TypeError(f"VecEnv needs a gymnasium.vector.VectorEnv, but a {type(envs)} came; make_vec makes one")
    odd = [part for part in _parts(envs.single_observation_space) if not isinstance(part, _ARRAYS)]
    if odd:
        raise TypeError(
            f"Stable-Baselines3 takes observations of Box, Discrete, MultiBinary and MultiDiscrete, and dicts of them, "
            f"but {odd[0]} is in the space; flatten it with gymnasium.wrappers.vector.FlattenObservation"
        )
    mode, batch = autoreset_mode(envs), envs.unwrapped
    if mode is AutoresetMode.NEXT_STEP and (not isinstance(batch, Shell) or getattr(batch, "worker", None)):
        raise ValueError(
            f"{envs} resets in the mode NEXT_STEP, and it may not know options['reset_mask'] then: make it with "
            "autoreset_mode=AutoresetMode.SAME_STEP, or DISABLED"
        )
    return mode


def _parts(space: Space) -> Sequence[Space]:
    if isinstance(space, Dict):
        return list(space.spaces.values())
    return space.spaces if isinstance(space, Tuple) else [space]


def _rows(batch: Tree, ids: list[int]) -> list[Any]:
    """Returns copies of some observations of a batch."""
    chosen = mapped(lambda array: array[ids], batch)
    if isinstance(chosen, np.ndarray):
        return list(chosen)
    return [mapped(lambda array, k=k: array[k], chosen) for k in range(len(ids))]


def _leaf(value: object) -> Any:
    """Returns an array as one of NumPy's, and a number as it is."""
    return host(value) if getattr(value, "ndim", 0) else value
