"""The single environments of any batch: their attributes, methods and wrappers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gymnasium.vector._batch.layers import class_name, wrapper_names
from gymnasium.vector._workers.calling import SOME, WRAPPERS
from gymnasium.vector.async_vector_env import AsyncVectorEnv
from gymnasium.vector.sync_vector_env import SyncVectorEnv
from gymnasium.vector.vector_env import VectorEnv


class Members:
    """The environments of a vector environment, inside all vector wrappers.

    Compiled batches and batches of robots answer by copies of their environments; worker processes by their own. A
    batch of another library needs the methods `call`, `get_attr` and `set_attr`, or raises an AttributeError.
    """

    def __init__(self, envs: VectorEnv[Any, Any, Any]) -> None:
        self._batch: Any = envs.unwrapped
        self._n = envs.num_envs
        self._here = self._batch.envs if isinstance(self._batch, SyncVectorEnv) else None
        self._in_workers = isinstance(self._batch, AsyncVectorEnv) and self._batch.worker is None

    def have(self, name: str) -> bool:
        """Returns whether all of them have an attribute `name`."""
        if self._here is not None:
            return all(env.has_wrapper_attr(name) for env in self._here)
        try:
            return all(self._batch.call("has_wrapper_attr", name))
        except AttributeError:
            return False

    def get(self, name: str, ids: Sequence[int]) -> list[Any]:
        """Returns an attribute of some of them. A method is called, unless the environments are in this process."""
        if self._here is not None:
            return [self._here[i].get_wrapper_attr(name) for i in ids]
        if self._in_workers:
            if not self.have(name):  # without the warning of a worker that fails
                raise AttributeError(f"The environments of {self._batch} have no attribute {name!r}")
            return self.call(name, (), {}, ids)
        values = self._batch.get_attr(name)
        return [values[i] for i in ids]

    def set(self, name: str, value: Any, ids: Sequence[int]) -> None:
        """Set an attribute of some of them to one value, on the layer that has it."""
        if self._here is not None:
            for i in ids:
                self._here[i].set_wrapper_attr(name, value)
            return
        if set(ids) == set(range(self._n)):
            values = [value] * self._n
        else:  # the others keep theirs
            values = list(self._batch.get_attr(name))
            for i in ids:
                values[i] = value
        self._batch.set_attr(name, values)

    def call(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any], ids: Sequence[int]) -> list[Any]:
        """Returns the results of a method of some of them."""
        if self._here is not None:
            return [self._here[i].get_wrapper_attr(name)(*args, **kwargs) for i in ids]
        if self._in_workers and len(ids) < self._n:
            values = self._batch.call(SOME, frozenset(ids), name, *args, **kwargs)
        else:
            values = self._batch.call(name, *args, **kwargs)
        return [values[i] for i in ids]

    def wrapped(self, kind: type, ids: Sequence[int]) -> list[bool]:
        """Returns which of them have a wrapper of this class; those of a compiled batch have none."""
        if self._here is not None:
            each = [wrapper_names(env) for env in self._here]
        elif self._in_workers:
            each = list(self._batch.call(WRAPPERS))
        else:
            each = [set()] * self._n
        return [class_name(kind) in each[i] for i in ids]
