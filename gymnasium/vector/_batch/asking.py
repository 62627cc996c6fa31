"""The shell of a vector environment whose calls have two parts: a request, and the wait for its results."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, ObsType
from gymnasium.error import AlreadyPendingCallError, NoAsyncCallError
from gymnasium.logger import info, warn
from gymnasium.params.randomization import Randomization
from gymnasium.vector._batch.beginnings import (
    CHECK,
    CHECK_HOLD,
    CHECK_OPTIONS,
    DRAW,
    HOLD,
    OPTIONS,
    MaskOrIds,
    SomeOptions,
)
from gymnasium.vector._batch.requests import check_running, chosen_ids, options_of, params_for
from gymnasium.vector._batch.shell import Mask, Shell
from gymnasium.vector._batch.turns import Turn, alone, takes_turn
from gymnasium.vector.vector_env import AutoresetMode

_CLOSE_TIMEOUT = 5.0  # s
_RESERVED = ("reset", "step", "close", "_setattr", "_check_spaces")


class AsyncState(Enum):
    """The pending call of an `AsyncVectorEnv`.

    DEFAULT: None.
    WAITING_RESET: `reset_async`.
    WAITING_STEP: `step_async`.
    WAITING_CALL: `call_async`.
    """

    DEFAULT = "default"
    WAITING_RESET = "reset"
    WAITING_STEP = "step"
    WAITING_CALL = "call"


class AsyncShell(Shell[ObsType, ActType, NDArray[Any]]):
    """A vector environment that asks workers, and waits for their answers.

    A subclass asks with its `_ask_to_...`, waits in `reset_wait`, `step_wait`, `call_wait` and `_wait`, and ends its
    workers in `_end_workers`.
    """

    on_failure: str
    timeout: float | None
    _state = AsyncState.DEFAULT
    _has_seeds = False
    _draws = False  # whether params are drawn
    _held: Mapping[int, dict[str, Any]] = {}  # the params that were set, by environment
    _end: weakref.finalize[Any, Any]
    _sole: Turn

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Any = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Begin an episode in every environment, or in those of `options["reset_mask"]`; see `SyncVectorEnv`."""
        try:
            self.reset_async(seed, options)
            return self.reset_wait()
        except BaseException as error:
            self._drop_interrupted(error)
            raise

    @alone
    def reset_async(self, seed: int | Sequence[int | None] | None = None, options: Any = None) -> None:
        """Request a reset, without waiting for it.

        Raises:
            TypeError, ValueError, gymnasium.error.Error: For options or seeds that do not fit; nothing is reset then.
            gymnasium.error.ResetNeeded: For a mask that leaves an environment out when all must be reset.
        """
        seeds, mask, each = self._checked_reset(seed, options, "reset_async")
        if self.on_failure == "raise":  # otherwise a worker may be gone, which a reset replaces
            self._try_each(mask, each)
        if not self._has_seeds and self.on_failure == "resume":
            seeds = _with_seeds(seeds)
        self._reset_needed = self._reset_needed or bool(mask.all())
        self._has_seeds = True
        self._ask_to_reset(seeds, mask, each)

    def reset_wait(self, timeout: float | None = None) -> tuple[ObsType, dict[str, Any]]:
        """Returns the first observations and infos of the pending reset; for its errors, see the class."""
        raise NotImplementedError

    def step(self, actions: ActType) -> tuple[ObsType, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Step all environments; see `SyncVectorEnv`."""
        try:
            self.step_async(actions)
            return self.step_wait()
        except BaseException as error:
            self._drop_interrupted(error)
            raise

    @alone
    def step_async(self, actions: ActType) -> None:
        """Send actions to the environments, without waiting for them.

        Raises:
            TypeError, ValueError, gymnasium.error.ActionOutsideSpace: For an invalid batch; nothing moves then.
            AssertionError: If an environment is finished and the autoreset mode is DISABLED; nothing moves then.
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        self._ask_to_step(self._checked_step(actions))

    def _checked_step(self, actions: Any) -> Any:
        """Returns the actions of a step that can be made now."""
        if self._reset_needed or self.closed or self._state is not AsyncState.DEFAULT or self._in_flight():
            self._check_ready("step_async")
        batch = self._check_actions(actions, self.num_envs)
        if self.autoreset_mode is AutoresetMode.DISABLED:
            check_running(self._finished_flags())
        return batch

    @alone
    def _step_after(self, actions: Any, ask: Callable[[], None]) -> Any:
        if type(self).step is not AsyncShell.step or type(self).step_async is not AsyncShell.step_async:
            return super()._step_after(actions, ask)
        batch = self._checked_step(actions)
        ask()
        self._ask_to_step(batch)
        return self.step_wait()

    def step_wait(
        self, timeout: float | None = None
    ) -> tuple[ObsType, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Returns the results of the pending step; for its errors, see the class."""
        raise NotImplementedError

    def render(self) -> tuple[Any, ...]:
        """Returns the rendering of each environment."""
        return self.call("render")

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Returns each environment's attribute `name`, or its result for these arguments if it is callable."""
        try:
            self.call_async(name, *args, **kwargs)
            return self.call_wait()
        except BaseException as error:
            self._drop_interrupted(error)
            raise

    @alone
    def call_async(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Request a call, without waiting for it.

        Raises:
            ValueError: For a name that has its own method here, such as `step`.
        """
        self._check_idle("call_async")
        if name in _RESERVED:
            raise ValueError(f"`call` cannot be used for {name!r}: use the method `{name.strip('_')}` itself")
        self._ask_to_call(name, args, kwargs)

    def call_wait(self, timeout: float | None = None) -> tuple[Any, ...]:
        """Returns the results of the pending call; for its errors, see the class."""
        raise NotImplementedError

    @alone
    def set_attr(self, name: str, values: Any) -> None:
        """Set the attribute `name` of the environments; see `SyncVectorEnv`."""
        super().set_attr(name, values)

    def _set_each(self, name: str, values: list[Any]) -> None:
        self._ask_to_set(name, values)
        self._wait(AsyncState.WAITING_CALL, None, "set_attr")

    @alone
    def set_reset_options(self, mask_or_ids: MaskOrIds, options: SomeOptions) -> None:
        """Set the options of the next reset of some environments; see `VectorEnv`."""
        self._check_beginnings("set_reset_options")
        ids = chosen_ids(mask_or_ids, self.num_envs)
        each = dict(zip(ids, options_of(ids, options), strict=True))
        self._try_options(each)
        self._set_beginnings(OPTIONS, self._of_each({i: (one,) for i, one in each.items()}), "set_reset_options")

    def _try_options(self, options: Mapping[int, dict[str, Any] | None]) -> None:
        if any(options.values()):
            values = self._of_each({i: (one,) for i, one in options.items()})
            self._set_beginnings(CHECK_OPTIONS, values, "set_reset_options")

    @alone
    def set_params(self, mask_or_ids: MaskOrIds, params: Mapping[str, object]) -> None:
        """Set params of some environments; see `VectorEnv`."""
        new = self._checked_params(mask_or_ids, params)
        held = {**self._held, **{i: {**self._held.get(i, {}), **values} for i, values in new.items()}}
        self._set_beginnings(HOLD, self._of_each(new), "set_params")
        self._held = held
        self._remember(HOLD, self._of_each(held))

    @alone
    def _check_params(self, mask_or_ids: MaskOrIds, params: Mapping[str, object]) -> None:
        self._checked_params(mask_or_ids, params)

    def _checked_params(self, mask_or_ids: MaskOrIds, params: Mapping[str, object]) -> dict[int, dict[str, Any]]:
        """Returns the params for each environment, none of which refuses them."""
        self._check_beginnings("set_params")
        ids = chosen_ids(mask_or_ids, self.num_envs)
        new = dict(zip(ids, params_for(ids, params), strict=True))
        self._set_beginnings(CHECK_HOLD, self._of_each(new), "set_params")
        return new

    def _of_each(self, values: Mapping[int, Any]) -> list[Any]:
        """Returns a value for each environment, None for those without."""
        return [values.get(i) for i in range(self.num_envs)]

    @alone
    def _begin_with(self, randomization: Randomization) -> None:
        self._check_beginnings("RandomizeParams")
        if self._draws:
            raise ValueError("Params of these environments are drawn already: name all in one RandomizeParams")
        randomization.check_count(self.num_envs)
        self._set_beginnings(CHECK, randomization, "RandomizeParams")
        self._set_beginnings(DRAW, randomization, "RandomizeParams")
        self._draws = True
        self._remember(DRAW, randomization)

    def _check_beginnings(self, method: str) -> None:
        """Check that params and options can be set now."""
        self._check_idle(method)

    def _set_beginnings(self, name: str, values: Any, method: str) -> None:
        self._ask_to_set(name, values)
        self._wait(AsyncState.WAITING_CALL, None, method)

    def _remember(self, name: str, values: Any) -> None:
        """Keep what was set for workers that begin anew in place of others."""

    @alone
    def _check_reset_with(self, seed: object, options: object) -> None:
        super()._check_reset_with(seed, options)

    @takes_turn
    def close(self, **kwargs: Any) -> None:
        """Free all resources; `kwargs` go to `close_extras`. Closing twice does no harm.

        A call in which another thread is waits no longer: it raises `ClosedEnvironmentError`.
        """
        turn = self._sole
        try:
            del turn.free
        except AttributeError:
            if not turn.is_taken_here():
                self._interrupt()
            if not turn.await_it():
                turn = Turn()
        try:
            super().close(**kwargs)
        except BaseException:
            self.closed = True
            self._end()  # at once
            raise
        finally:
            turn.give_back()

    def close_extras(self, timeout: float | None = None, terminate: bool = False, **kwargs: Any) -> None:
        """End the workers.

        Args:
            timeout: The time, in seconds, for them to finish and to close their environments; 5 by default.
            terminate: Whether to kill them at once instead.
            kwargs: Not used.
        """
        if self._state is not AsyncState.DEFAULT:
            warn(f"`close` was called while `{self._state.value}` is pending: its results are dropped")
        self._stop(0.0 if terminate else _CLOSE_TIMEOUT if timeout is None else timeout)

    def _stop(self, timeout: float) -> None:
        self._state = AsyncState.DEFAULT
        failures = self._end_workers(timeout)
        self._end.detach()
        for failure in failures:
            warn("An environment could not be closed: %s", failure.in_one_line())
            info("%s", failure.in_full())

    def _check_idle(self, method: str) -> None:
        self._check_nothing_pending(method)
        super()._check_idle(method)

    def _check_nothing_pending(self, method: str) -> None:
        """Check that no call waits for its result; environments may be in flight."""
        self._check_open(method)
        if self._state is not AsyncState.DEFAULT:
            asked = self._state.value
            raise AlreadyPendingCallError(
                f"`{method}` was called while `{asked}` is pending: call `{asked}_wait` first", asked
            )

    def _ask_to_reset(self, seeds: Sequence[int | None], mask: Mask, options: list[Any]) -> None:
        raise NotImplementedError

    def _ask_to_step(self, actions: Any) -> None:
        raise NotImplementedError

    def _ask_to_call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        raise NotImplementedError

    def _ask_to_set(self, name: str, values: Any) -> None:
        """Ask each worker to set its part, a slice of `values`."""
        raise NotImplementedError

    def _wait(self, state: AsyncState, timeout: float | None, method: str | None = None) -> Any:
        raise NotImplementedError

    def _drop_interrupted(self, error: BaseException) -> None:
        """Leave no call pending that a signal has ended: some workers may not have been asked."""
        if not isinstance(error, Exception) and not self.closed and self._state is not AsyncState.DEFAULT:
            self._reset_needed = True
            self._drop()

    def _drop(self) -> None:
        """Want no answer to the pending call."""
        raise NotImplementedError

    def _interrupt(self) -> None:
        """Let the wait of another thread raise `ClosedEnvironmentError`."""
        raise NotImplementedError

    def _end_workers(self, timeout: float) -> Sequence[Any]:
        """End the workers; returns the failures of environments to close."""
        raise NotImplementedError


def _with_seeds(seeds: Sequence[int | None]) -> list[int]:
    """Returns seeds, with those of the system where there are none: a reset without a seed cannot be repeated."""
    drawn = np.random.SeedSequence().generate_state(len(seeds)).tolist()
    return [new if seed is None else seed for seed, new in zip(seeds, drawn, strict=True)]


def check_asked(method: str, state: AsyncState, wanted: AsyncState) -> None:
    """Check that the call that a method waits for is pending.

    Raises:
        NoAsyncCallError: If it is not.
    """
    if state is not wanted:
        asked = wanted.value
        raise NoAsyncCallError(f"`{method}` waits for the result of `{asked}_async`: call that first", asked)
