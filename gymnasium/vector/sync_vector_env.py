"""A batch of environments stepped one after the other, in this process."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from copy import deepcopy
from math import inf
from time import monotonic
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, Env, ObsType
from gymnasium.params.randomization import Randomization
from gymnasium.spaces.batching import batch_space, concatenate, create_empty_array
from gymnasium.states.plain import rebuilt
from gymnasium.vector._batch.actions import action_checker, split_actions
from gymnasium.vector._batch.beginnings import MaskOrIds, SomeOptions
from gymnasium.vector._batch.functions import check_made, checked_functions, warn_of_shared
from gymnasium.vector._batch.infos import add_info
from gymnasium.vector._batch.member import Member, MembersState, MemberState, checked_env, places_and_states
from gymnasium.vector._batch.requests import (
    check_running,
    checked_min_envs,
    chosen_ids,
    options_of,
    params_for,
)
from gymnasium.vector._batch.results import rewards_of
from gymnasium.vector._batch.shell import Shell
from gymnasium.vector._batch.spaces import ObservationMode, common_action_space, observation_spaces
from gymnasium.vector._batch.together import Together
from gymnasium.vector._batch.turns import begin_turns, in_turn
from gymnasium.vector._workers.board import copied
from gymnasium.vector.vector_env import AutoresetMode

__all__ = ["SyncVectorEnv"]

Result: TypeAlias = tuple[Any, Any, bool, bool, dict[str, Any]]


class SyncVectorEnv(Shell[ObsType, ActType, np.ndarray]):
    """Environments stepped one after the other: the simplest batch, and the fastest for a few cheap environments.

    An exception in an environment is passed on, and leaves the environments at different times: until all are reset,
    `step` and `send` raise `ResetNeeded`.

    Args:
        env_fns: Functions without arguments, one per environment, that make the environments.
        copy: Whether each call returns new observations. If False, arrays are reused with new values.
        observation_mode: `"same"`: the environments have one observation space. `"different"`: they differ in bounds.
            A pair of spaces (batched, single) is used unchanged.
        autoreset_mode: The autoreset mode.

    Raises:
        ValueError: If there is not a function, or a mode is unknown.
        TypeError: If a pair as `observation_mode` holds anything but spaces.
        RuntimeError: If the environments' spaces do not fit together.
    """

    def __init__(
        self,
        env_fns: Iterable[Callable[[], Env]],
        copy: bool = True,
        observation_mode: ObservationMode = "same",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:
        begin_turns(self)
        self.env_fns = checked_functions(env_fns)
        self.copy = copy
        self.observation_mode = observation_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.num_envs = len(self.env_fns)
        self.envs: list[Env] = []
        try:
            for i, make in enumerate(self.env_fns):
                env = make()
                check_made(env, i)
                self.envs.append(env)
            warn_of_shared(self.envs)
            self._describe()
        except BaseException:
            with ExitStack() as closing:
                for env in self.envs:
                    closing.callback(env.close)
            raise

        self._members = [Member(env, self.autoreset_mode) for env in self.envs]
        self._check_actions = action_checker(self.single_action_space)
        self._env_obs: list[Any] = [None] * self.num_envs
        self._observations = create_empty_array(self.single_observation_space, self.num_envs, np.zeros)
        # The results of the last step, for subclasses; one with a step of its own writes into them.
        self._rewards = np.zeros(self.num_envs)
        self._terminations, self._truncations = np.zeros((2, self.num_envs), np.bool_)
        self._together = Together.of(self._members, self._observations)
        self._reset_needed = True
        # In flight: the sent actions that have not run, in order, and the results that were not received.
        self._sent: dict[int, Any] = {}
        self._done: dict[int, Result] = {}

    def _describe(self) -> None:
        self.metadata = {**self.envs[0].metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = self.envs[0].render_mode
        self.single_action_space = common_action_space([env.action_space for env in self.envs])
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space, self.single_observation_space = observation_spaces(
            self.observation_mode, [env.observation_space for env in self.envs]
        )

    @in_turn
    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Any = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Begin an episode in every environment, or in those of `options["reset_mask"]`.

        Args:
            seed: An int, for environment i `seed + i`; a sequence of n ints or Nones, or an array; None.
            options: A dict for all environments, or a sequence of one dict or None for each.

        Raises:
            TypeError, ValueError, gymnasium.error.Error: For options or seeds that do not fit; nothing is reset then.
            gymnasium.error.ResetNeeded: For a mask that leaves an environment out when all must be reset.
        """
        seeds, mask, each = self._checked_reset(seed, options)
        self._try_each(mask, each)
        self._reset_needed = True
        infos: dict[str, Any] = {}
        for i, member in enumerate(self._members):
            if mask[i]:
                self._env_obs[i], info = member.reset(seeds[i], each[i])
                if info:
                    add_info(infos, info, i, self.num_envs)
        observations = self._batch()
        self._reset_needed = False
        return observations, infos

    @in_turn
    def step(self, actions: ActType) -> tuple[ObsType, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Step the environments in turn.

        Raises:
            TypeError, ValueError, gymnasium.error.ActionOutsideSpace: For an invalid batch; nothing moves then.
            AssertionError: If an environment is finished and the autoreset mode is DISABLED; nothing moves then.
            gymnasium.error.ResetNeeded: Before the first reset, and after an exception in an environment.
        """
        if self._reset_needed or self.closed or self._sent or self._done:
            self._check_ready("step")
        checked = self._check_actions(actions, self.num_envs)
        if self.autoreset_mode is AutoresetMode.DISABLED:
            check_running(self._finished_flags())
        self._reset_needed = True
        if self._together is not None:
            return self._stepped_together(self._together, checked)
        each = split_actions(checked, self.num_envs)
        results = [member.step(action) for member, action in zip(self._members, each, strict=True)]
        self._env_obs, self._rewards, self._terminations, self._truncations, infos = _batched(results)
        observations = self._batch()
        self._reset_needed = False
        return observations, self._rewards, self._terminations, self._truncations, infos

    def _stepped_together(
        self, together: Together, actions: np.ndarray
    ) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        with np.errstate(over="ignore"):  # infinite then, like any large value beyond the bounds
            actions = actions.astype(self.single_action_space.dtype, copy=False)
        together.look()  # anybody may have used the environments
        infos: dict[str, Any] = {}
        for i, info in together.step(actions, _raised).items():
            add_info(infos, info, i, self.num_envs)
        stepper = together.stepper
        self._env_obs = list(stepper.observations.copy())
        self._observations[:] = stepper.observations
        self._reset_needed = False
        self._rewards = stepper.rewards.copy()
        self._terminations, self._truncations = flags = stepper.terminations.copy(), together.truncations.copy()
        return self._observations.copy() if self.copy else self._observations, self._rewards, *flags, infos

    @in_turn
    def send(self, actions: ActType, env_ids: Sequence[int] | NDArray[np.integer] | None = None) -> None:
        """Store actions for some environments, which act when `recv` is called."""
        ids = self._checked_send(env_ids)
        # The caller may reuse the same array before the environments act.
        batch = deepcopy(self._check_actions(actions, len(ids)))
        self._sent.update(zip(ids, split_actions(batch, len(ids)), strict=True))

    @in_turn
    def recv(
        self, min_envs: int = 1, timeout: float | None = None
    ) -> tuple[ObsType, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Step the environments in the order of sending, until `min_envs` are done.

        A step is not interrupted: the time is checked after each, so every call completes at least one.
        """
        self._check_open("recv")
        wanted = checked_min_envs(min_envs, len(self._sent) + len(self._done))
        deadline = inf if timeout is None else monotonic() + timeout
        sent, done = self._sent, self._done
        # An exception from here on leaves nothing in flight, and all environments need a reset.
        self._reset_needed, self._sent, self._done = True, {}, {}
        while len(done) < wanted:
            i = next(iter(sent))
            done[i] = self._members[i].step(sent.pop(i))
            if monotonic() > deadline:
                break
        if len(done) < wanted:
            self._reset_needed, self._sent, self._done = False, sent, done
            raise multiprocessing.TimeoutError(
                f"`recv` waited {timeout} s for {wanted} environments, of which {len(done)} are done: call it again"
            )
        rows, rewards, terminations, truncations, infos = _batched(list(done.values()))
        for i, observation in zip(done, rows, strict=True):
            self._env_obs[i] = observation
        out = create_empty_array(self.single_observation_space, len(rows), np.zeros)
        observations = concatenate(self.single_observation_space, rows, out)
        infos["env_id"] = np.fromiter(done, np.int64, len(done))
        self._reset_needed, self._sent = False, sent
        return copied(observations) if self.copy else observations, rewards, terminations, truncations, infos

    @in_turn
    def render(self) -> tuple[Any, ...]:
        """Returns the rendering of each environment."""
        self._check_idle("render")
        return tuple(env.render() for env in self.envs)

    @in_turn
    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Returns each environment's attribute `name`, or its result for these arguments if it is callable."""
        self._check_idle("call")
        found = [env.get_wrapper_attr(name) for env in self.envs]
        return tuple(value(*args, **kwargs) if callable(value) else value for value in found)

    @in_turn
    def _set_each(self, name: str, values: list[Any]) -> None:
        for env, value in zip(self.envs, values, strict=True):
            env.set_wrapper_attr(name, value)

    @in_turn
    def set_reset_options(self, mask_or_ids: MaskOrIds, options: SomeOptions) -> None:
        """Set the options of the next reset of some environments; see `VectorEnv`."""
        self._check_idle("set_reset_options")
        ids = chosen_ids(mask_or_ids, self.num_envs)
        each = dict(zip(ids, options_of(ids, options), strict=True))
        self._try_options(each)
        for i, one in each.items():
            self._members[i].options = one

    def _try_options(self, options: Mapping[int, dict[str, Any] | None]) -> None:
        for i, one in options.items():
            self._members[i].try_options(one)

    @in_turn
    def set_params(self, mask_or_ids: MaskOrIds, params: Mapping[str, object]) -> None:
        """Set params of some environments; see `VectorEnv`. If one refuses them, nothing is set."""
        for put in self._holding(mask_or_ids, params):
            put()

    def _check_params(self, mask_or_ids: object, params: Mapping[str, object]) -> None:
        self._holding(mask_or_ids, params)

    def _holding(self, mask_or_ids: object, params: Mapping[str, object]) -> list[Callable[[], None]]:
        """Returns the functions that set params of some environments."""
        self._check_idle("set_params")
        ids = chosen_ids(mask_or_ids, self.num_envs)
        return [self._members[i].hold(values) for i, values in zip(ids, params_for(ids, params), strict=True)]

    @in_turn
    def _begin_with(self, randomization: Randomization) -> None:
        self._check_idle("RandomizeParams")
        new = [member.randomizer(randomization, i, self.num_envs) for i, member in enumerate(self._members)]
        for member, randomizer in zip(self._members, new, strict=True):
            member.params = randomizer

    def _params_now(self, name: str) -> list[Any]:
        return [member.param(name) for member in self._members]

    @in_turn
    def get_state(self, i: int | None = None) -> MemberState | MembersState:
        """Returns this moment of environment `i`, or for None of the whole batch: plain data.

        Raises:
            IndexError: If there is no such environment.
            palaestra.error.CannotSnapshot: If the state of a layer of an environment cannot be read.
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        self._check_ready("get_state")
        if i is None:
            return MembersState(tuple(map(self._state_of, range(self.num_envs))))
        return self._state_of(checked_env(i, self.num_envs))

    def _state_of(self, i: int) -> MemberState:
        return self._members[i].get_state(self._env_obs[i])

    @in_turn
    def set_state(self, i: int | None, state: MemberState | MembersState, seed: int | None = None) -> None:
        """Put environment `i`, or for None the whole batch, where `get_state` was called.

        Args:
            i: The environment, or None.
            state: The result of `get_state`.
            seed: A seed, from which the generator of environment `i` goes on.

        Raises:
            IndexError: If there is no such environment.
            TypeError: If `state` is not a result of `get_state` for an index, or for None.
            ValueError: If it is of other environments, or of another number of them.
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        self._check_ready("set_state")
        for k, one in places_and_states(i, state, self.num_envs):
            self._members[k].set_state(one, seed)
            if one.observation is not None:
                self._env_obs[k] = rebuilt(one.observation, self._env_obs[k])

    def close_extras(self, **kwargs: Any) -> None:
        """Close every environment, even if closing one of them fails."""
        with ExitStack() as stack:
            for env in reversed(self.envs):
                stack.callback(env.close)

    @property
    def _autoreset_envs(self) -> NDArray[np.bool_]:
        """Whether each episode is over; that environment's next step resets it, or is refused, by the mode.

        A subclass with a step of its own sets it.
        """
        return np.array(self._finished_flags())

    @_autoreset_envs.setter
    def _autoreset_envs(self, flags: NDArray[np.bool_]) -> None:
        for member, finished in zip(self._members, flags, strict=True):
            member.finished = bool(finished)

    def _in_flight(self) -> list[int]:
        return [*self._done, *self._sent]

    def _finished_flags(self) -> list[bool]:
        return [member.finished for member in self._members]

    def _batch(self) -> Any:
        self._observations = concatenate(self.single_observation_space, self._env_obs, self._observations)
        return copied(self._observations) if self.copy else self._observations


def _raised(i: int, error: BaseException) -> None:
    raise error


def _batched(
    results: list[Result],
) -> tuple[list[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
    """Returns the results of n steps as a list of observations, arrays and merged infos."""
    n = len(results)
    observations, rewards, terminations, truncations, each = zip(*results, strict=True)
    infos: dict[str, Any] = {}
    for i, info in enumerate(each):
        if info:
            add_info(infos, info, i, n)
    return (
        list(observations),
        rewards_of(rewards, n),
        np.fromiter(terminations, np.bool_, n),
        np.fromiter(truncations, np.bool_, n),
        infos,
    )
