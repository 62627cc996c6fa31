"""The shell of a vector environment: the order of its calls, checked before any environment moves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, ObsType
from gymnasium.error import AlreadyPendingCallError, ClosedEnvironmentError, ResetNeeded
from gymnasium.vector._batch.requests import check_running, checked_env_ids, split_options, split_seed, split_values
from gymnasium.vector.vector_env import ArrayType, AutoresetMode, VectorEnv

Mask = NDArray[np.bool_]


class Shell(VectorEnv[ObsType, ActType, ArrayType]):
    """A vector environment that checks the order of calls.

    A subclass keeps `_reset_needed`: whether `reset` must come next, of all environments. It is True at first, and
    after an exception in a call, which may have left the environments at different times.
    """

    autoreset_mode: AutoresetMode
    _reset_needed = True
    _check_actions: Callable[[Any, int], Any]

    def _in_flight(self) -> Collection[int]:
        """Returns the environments that `send` was called for, and `recv` was not."""
        raise NotImplementedError

    def _finished_flags(self) -> Sequence[bool] | Mask:
        """Returns whether each episode has ended."""
        raise NotImplementedError

    @property
    def np_random_seed(self) -> tuple[int | None, ...]:
        """Each environment's seed."""
        return self.get_attr("np_random_seed")

    @property  # type: ignore[misc]  # read-only here
    def np_random(self) -> tuple[np.random.Generator, ...]:
        """Each environment's generator, or a copy if it is in another process."""
        return self.get_attr("np_random")

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Returns each environment's attribute `name`, or its result for these arguments if it is callable."""
        raise NotImplementedError

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Returns `call(name)`."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Set the attribute `name` of the environments.

        Args:
            name: The attribute.
            values: A list or tuple with one value for each environment; any other value is set on all.

        Raises:
            ValueError: If a list does not have n values; nothing is set then.
        """
        self._check_idle("set_attr")
        self._set_each(name, split_values(values, self.num_envs))

    def _set_each(self, name: str, values: list[Any]) -> None:
        """Set an attribute of each environment."""
        raise NotImplementedError

    def _check_open(self, method: str) -> None:
        if self.closed:
            raise self._closed_error(method)

    def _closed_error(self, method: str) -> ClosedEnvironmentError:
        return ClosedEnvironmentError(
            f"`{method}`: this {type(self).__name__} was closed, by `close()` or after a failure; make a new one"
        )

    def _check_idle(self, method: str) -> None:
        self._check_open(method)
        flying = self._in_flight()
        if flying:
            raise AlreadyPendingCallError(
                f"`{method}` was called while the environments {list(flying)} are in flight: `recv` first", "step"
            )

    def _check_reset(self, method: str) -> None:
        if self._reset_needed:
            raise ResetNeeded(
                f"`{method}` needs an episode in every environment: call reset() first, also after a call that raised"
            )

    def _check_ready(self, method: str, i: int | None = None) -> None:
        """Check that no call is pending, that all were reset, and that there is an environment `i`."""
        self._check_idle(method)
        self._check_reset(method)
        if i is not None:
            self._check_index(i)

    def _check_index(self, i: int) -> None:
        if not 0 <= i < self.num_envs:
            raise IndexError(f"There are environments 0 to {self.num_envs - 1}, but {i} was asked for")

    def _checked_reset(
        self, seed: object, options: object, method: str = "reset"
    ) -> tuple[Sequence[int | None], Mask, list[Any]]:
        """Returns each environment's seed, whether it is reset, and its options."""
        self._check_idle(method)
        seeds = split_seed(seed, self.num_envs)
        mask, each = split_options(options, self.num_envs)
        if mask is None:
            mask = np.ones(self.num_envs, np.bool_)
        if not mask.all():
            self._check_reset(method)
        return seeds, mask, each

    def _check_step(self, actions: object) -> None:
        self._check_ready("step")
        if actions is not None:
            self._check_actions(actions, self.num_envs)

    def _check_reset_with(self, seed: object, options: object) -> None:
        _, mask, each = self._checked_reset(seed, options)
        self._try_each(mask, each)

    def _try_each(self, mask: Mask, options: Sequence[Any]) -> None:
        """`_try_options` of the environments of a mask."""
        if any(options):
            self._try_options({i: options[i] for i in np.flatnonzero(mask).tolist() if options[i]})

    def _try_options(self, options: Mapping[int, dict[str, Any] | None]) -> None:
        """Raise the errors of resets with these options, as far as they are known without a reset."""

    def _checked_send(self, env_ids: object) -> list[int]:
        """Returns the environments that `send` addresses."""
        self._check_open("send")
        self._check_reset("send")
        ids = checked_env_ids(env_ids, self.num_envs, self._in_flight())
        if self.autoreset_mode is AutoresetMode.DISABLED:
            check_running(self._finished_flags(), ids)
        return ids
