"""A batch of environments that are one compiled function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from gymnasium.error import DependencyNotInstalled
from gymnasium.functional.env import FunctionalEnv
from gymnasium.logger import warn
from gymnasium.spaces.batching import batch_space
from gymnasium.utils._counts import positive
from gymnasium.vector._batch.actions import action_checker
from gymnasium.vector._batch.requests import check_running, checked_min_envs
from gymnasium.vector._batch.turns import Turn, begin_turns, in_turn, takes_turn
from gymnasium.vector.vector_env import AutoresetMode
from palaestra.language.garbage import without_collections
from palaestra.runner.batch.begins import CompiledBeginnings
from palaestra.runner.batch.failures import failure_of, step_again
from palaestra.runner.batch.generators import Streams
from palaestra.runner.batch.single import Environment, all_start_params, check_render_mode, single_of
from palaestra.runner.batch.snapshots import CompiledMoments, put_saved, saved
from palaestra.runner.kernels.layout import FINISHED, MODES
from palaestra.runner.kernels.packing import packed, row_of_batch

__all__ = ["CompiledVectorEnv"]

Rows = NDArray[np.int64] | None  # some environments, or all
_STARTED = (  # attributes that are made anew after unpickling
    *(
        "_turn",
        "_runner",
        "_streams",
        "_attributes",
        "_beginning",
        "_reports",
        "_results",
        "_check_actions",
        "_actions",
        "_form",
        "_tried",
    ),
)


class CompiledVectorEnv(CompiledBeginnings, CompiledMoments):
    """Copies of a `FuncEnv`, compiled to machine code and stepped on all cores.

    Trajectories equal those of `SyncVectorEnv` with the same environments, bit for bit. Machine code is made at the
    first reset, and kept on disk for later processes.

        envs = CompiledVectorEnv(MyFuncEnv(), 4096, max_episode_steps=200)

    Dynamics are accepted if machine code gives the bits of Python; otherwise a TypeError at the first reset names the
    line, the reason and the remedy. Exceptions are the same as in Python, with a note that names the environment.
    docs/gymnasium/contract.md defines the numbers.

    Dynamics that do not branch on values that differ between environments (they use `ops.where` instead, as required by
    JAX) are computed for eight environments at a time, which is up to twice as fast. Put a table of numbers that they
    index into the params, as an array: for a tuple among the globals, machine code has a choice for each item.

    Args:
        environment: The dynamics; or a function, called with `params`, that makes them or an environment around them.
        num_envs: The number of copies.
        max_episode_steps: The number of steps after which an episode is truncated; None or -1 for no limit.
        autoreset_mode: The autoreset mode.
        render_mode: None, or one of the dynamics' render modes but `"human"`.
        num_threads: The maximum number of threads; None for one for each processor. Small batches run on one.
        copy: Whether each call returns arrays without other references: new ones, or earlier ones that the caller
            released. If False, observations, rewards and flags are in the same arrays each time, with new values, and
            torch may read them there too; infos are always new.
        **params: Fields of the params that differ from their defaults, or the function's arguments.

    Raises:
        ValueError: If there is less than one environment, or a mode or limit is invalid.
        TypeError: If the dynamics are not of a form that can be compiled.
        gymnasium.error.DependencyNotInstalled: If llvmlite cannot be imported.
    """

    vector_kwargs: tuple[str, ...] = ("autoreset_mode", "copy", "num_threads")
    """The value that `make_vec` passes for its argument of this name."""
    _turn: Turn
    _has_texts = False

    def __init__(
        self,
        environment: Environment,
        num_envs: int = 1,
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        num_threads: int | None = None,
        copy: bool = True,
        **params: object,
    ) -> None:
        self.num_envs = positive("num_envs", num_envs)
        limit = None if max_episode_steps in (None, -1) else positive("max_episode_steps", max_episode_steps)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.render_mode, self.copy = render_mode, copy
        single = self._single_of(environment, params)
        check_render_mode(single, render_mode)
        single.render_mode = render_mode
        self.metadata = {**single.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space, self.single_action_space = single.observation_space, single.action_space
        self.observation_space = batch_space(single.observation_space, self.num_envs)
        self.action_space = batch_space(single.action_space, self.num_envs)
        self._single = single
        self._built_with = limit, num_threads
        self._start(limit, num_threads)

    @in_turn
    def __getstate__(self) -> dict[str, Any]:
        moment = saved(self._runner.memory, self._attributes, self._streams, self._beginning.settings())
        return {name: value for name, value in self.__dict__.items() if name not in _STARTED} | {"moment": moment}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._start(*self._built_with)
        moment = self.__dict__.pop("moment")
        self._take_room(moment.columns)
        put_saved(moment, self._runner, self._attributes, self._streams, self._beginning)
        self._silent &= not self._attributes.own
        self._reset_needed, self._sent[:] = state["_reset_needed"], state["_sent"]

    @staticmethod
    def unavailable() -> str:
        """Returns the reason why no environment can be compiled here, or ""."""
        try:
            with without_collections():
                import palaestra.language.llvm  # noqa: F401
        except DependencyNotInstalled as error:
            return str(error)
        return ""

    @property
    def single_env(self) -> FunctionalEnv:
        """The environment that these are copies of; later changes to it have no effect here."""
        return self._single

    def _start(self, limit: int | None, num_threads: int | None) -> None:
        if missing := self.unavailable():
            raise DependencyNotInstalled(missing)
        with without_collections():
            from palaestra.runner.batch.attributes import Attributes
            from palaestra.runner.batch.beginnings import Beginning
            from palaestra.runner.kernels.runner import Runner

        single, n = self._single, self.num_envs
        begin_turns(self)
        self._runner = Runner(single.func_env, [single.params], n, MODES[self.autoreset_mode], limit, num_threads)
        self._streams = Streams(self._runner.memory.streams)
        self._attributes = self._attributes_of(Attributes)
        self._beginning = Beginning(single, self._runner, self._attributes, self._streams)
        self._report()
        columns = self._runner.memory.columns
        self._results = columns["rewards"], columns["terminations"], columns["truncations"]
        self._check_actions = action_checker(single.action_space)
        self._actions = self._runner.memory.plan.action.empty(n)
        self._form = self._actions.dtype, self._actions.shape
        self._reset_needed = True
        self._tried = False
        self._sent: list[int] = []

    def _report(self) -> None:
        from palaestra.runner.batch.reports import reports_of

        self._reports = reports_of(self._runner, self._attributes)
        self._silent = self._reports.silent and self.autoreset_mode is not AutoresetMode.SAME_STEP

    def _single_of(self, environment: Environment, params: dict[str, Any]) -> FunctionalEnv:
        """Returns the environment that these are copies of."""
        return single_of(environment, params)

    def _attributes_of(self, kind: type) -> Any:
        """Returns the attributes of the environments; `kind` is their class for dynamics."""
        return kind(self._single, self._runner, self._streams)

    def _passes_trial(self) -> bool:
        """Compare machine code with Python, unless it has passed before; returns whether it did."""
        from palaestra.runner.batch.trial import tried_once  # rarely needed

        return tried_once(self._single, self._attributes.param(0), self._runner)

    @in_turn
    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Any = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in every environment, or in those of `options["reset_mask"]`.

        Args:
            seed: An int, for environment i `seed + i`; a sequence of n ints or Nones, or an array; None.
            options: A dict for all environments, or a sequence of one dict or None for each.

        Raises:
            TypeError, ValueError, gymnasium.error.Error: For options, seeds or dynamics that do not fit: none is reset.
            gymnasium.error.ResetNeeded: For a mask that leaves an environment out when all must be reset.
        """
        seeds, mask, each = self._checked_reset(seed, options)
        start = self._start_params(mask, each)
        if self._runner.prepare_infos(self._attributes.running):
            self._report()
        if not self._tried:
            self._tried = self._passes_trial()
        self._reset_needed = True
        self._seed(seeds, mask)
        self._beginning.reset(seeds, mask, each)
        try:
            self._runner.reset(mask, start)
        except BaseException as error:
            first = self._attributes.with_own
            self._fail(error, lambda env, i: env._begin(None, first(start[i if len(start) > 1 else 0], i)))
        self._reset_needed, self._attributes.running = False, True
        return self._observed(None), self._reports.reset(mask) | self._beginning.infos(mask)

    def _seed(self, seeds: Sequence[int | None], mask: NDArray[np.bool_]) -> None:
        """Seed the generators of the environments of a mask, and those that were never seeded."""
        self._streams.seed(seeds, mask)
        self._streams.ready()

    def _take_room(self, columns: Mapping[str, np.ndarray]) -> None:
        """Let lists of the state have as much room as in other columns."""

    def _start_params(self, mask: NDArray[np.bool_], each: list[Any]) -> list[Any]:
        """Returns the params for the first states: one for all environments, or one for each."""
        return all_start_params(self._single, self._attributes.base, mask, each)

    @takes_turn
    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Step the environments.

        Raises:
            TypeError, ValueError, gymnasium.error.ActionOutsideSpace: For an invalid batch; nothing moves then.
            AssertionError: If an environment is finished and the autoreset mode is DISABLED; nothing moves then.
            gymnasium.error.ResetNeeded: Before the first reset, and after an exception in the dynamics.
        """
        turn = self._turn
        try:
            del turn.free
        except AttributeError:
            if not turn.await_it():
                turn = Turn()  # this thread has it already, and gives it back later
        try:
            if self._sent or self.closed or self._reset_needed:
                self._check_ready("step")
            dtype, shape = self._form
            plain = type(actions) is np.ndarray and actions.dtype is dtype and actions.shape == shape
            if not (plain and actions.flags.carray):
                actions = self._cast(actions, self.num_envs)
            if self._reports.in_python:
                self._reports.before_step(actions, None)
            observations, rewards, terminations, truncations = self._runner.memory.hand_out(self.copy)
            try:
                fresh = self._runner.step(actions)
            except BaseException as error:  # from the dynamics, some of which have moved
                self._fail(error, lambda env, i: step_again(env, i, actions[i], self._runner.memory))
            if fresh < 0:
                self._refuse(fresh, actions)
            infos = {} if self._silent else self._infos(None, fresh)
            if self._has_texts:
                observations = self._with_texts(observations)
            return observations, rewards, terminations, truncations, infos
        finally:
            turn.free = True
            if turn.waiting:
                turn.hand_over()

    def _cast(self, actions: object, n: int) -> np.ndarray:
        """Returns a checked batch in the kernels' memory."""
        with np.errstate(over="ignore"):  # infinite, which is beyond a bound as any other
            return np.array(self._check_actions(actions, n), self._actions.dtype, order="C")

    def _refuse(self, code: int, actions: np.ndarray) -> None:
        """Raise the reason why the kernel did nothing."""
        if code == FINISHED:
            check_running(self._runner.memory.columns["finished"])
        self._check_actions(actions, self.num_envs)

    @in_turn
    def send(self, actions: Any, env_ids: Sequence[int] | NDArray[np.integer] | None = None) -> None:
        """Step some environments; `recv` returns the results."""
        ids = self._checked_send(env_ids)
        rows = np.array(ids, np.int64)
        self._actions[rows] = self._cast(actions, len(ids))
        if self._reports.in_python:
            self._reports.before_step(self._actions, rows)
        try:
            self._runner.step_some(self._actions, rows)
        except BaseException as error:
            self._fail(error, lambda env, i: step_again(env, i, self._actions[i], self._runner.memory))
        self._sent += ids

    def _fail(self, error: BaseException, again: Callable[[FunctionalEnv, int], object]) -> NoReturn:
        """Raise the dynamics' exception from Python; `again` repeats in Python the step of an environment."""
        self._reset_needed = True
        if not isinstance(error, Exception):
            raise error
        i = self._runner.memory.failed
        env = self._attributes.at(i)
        parts = (lambda: again(env, i)), (lambda: self._beginning.draw_again(i))
        failure = failure_of(error, i, *parts)
        self._streams.assign(i, env.np_random, self._streams.seed_of(i))  # it had drawn before it raised
        raise failure from error

    @in_turn
    def recv(
        self, min_envs: int = 1, timeout: float | None = None
    ) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Returns the results of all `send`s, in order, without waiting."""
        self._check_open("recv")
        checked_min_envs(min_envs, len(self._sent))
        rows = np.array(self._sent, np.int64)
        self._sent = []
        infos = self._infos(rows, int(self._runner.memory.columns["fresh"][rows].sum()))
        infos["env_id"] = rows
        rewards, terminations, truncations = (column[rows] for column in self._results)
        return self._observed(rows), rewards, terminations, truncations, infos

    def _infos(self, rows: Rows, fresh: int) -> dict[str, Any]:
        """Returns the infos of a step of `rows`, `fresh` of which were reset."""
        infos = {} if self._reports.silent else self._reports.step(rows, fresh)
        if fresh and self.autoreset_mode is AutoresetMode.SAME_STEP:
            self._add_final(infos, rows)
        if fresh and self._attributes.own:
            infos |= self._beginning.infos(self._runner.memory.columns["fresh"], rows)
        return infos

    def _add_final(self, infos: dict[str, Any], rows: Rows) -> None:
        """Add the last observations and infos of the episodes that ended in this step and were reset in it."""
        fresh = self._runner.memory.columns["fresh"]
        done = fresh.copy() if rows is None else fresh[rows]
        at = np.flatnonzero(done)
        ended = at if rows is None else rows[at]
        last = packed(self.single_observation_space, self._leaves("final", ended))
        each = np.full(len(done), None, object)
        for k, i in enumerate(at.tolist()):
            each[i] = self._final(last, k, int(ended[k]))
        infos["final_obs"], infos["_final_obs"] = each, done
        infos["final_info"], infos["_final_info"] = self._reports.final(done, rows), done.copy()

    def _final(self, last: Any, k: int, i: int) -> Any:
        """Returns row k of final observations, that of environment i, of the type that the environment gives."""
        return row_of_batch(self.single_observation_space, last, k)

    def _observed(self, rows: Rows) -> Any:
        batch = packed(self.single_observation_space, self._leaves("observation", rows))
        return self._with_texts(batch) if self._has_texts else batch

    def _with_texts(self, batch: Any) -> Any:
        """Returns a batch of observations with texts in the place of the numbers that stand for them."""
        raise NotImplementedError

    def _leaves(self, prefix: str, rows: Rows) -> Iterator[np.ndarray]:
        memory = self._runner.memory
        columns = (memory.columns[f"{prefix}{k}"] for k in range(len(memory.plan.observation)))
        if rows is not None:
            return (column[rows] for column in columns)
        return (column.copy() for column in columns) if self.copy else columns

    @in_turn
    def render(self) -> tuple[Any, ...] | None:
        """Returns a picture of every environment, or a text in the mode `"ansi"`; None without a render mode."""
        self._check_idle("render")
        if self.render_mode is None:
            warn("render() shows nothing, since no render mode was chosen: give make_vec one, render_mode='rgb_array'")
            return None
        return tuple(self.render_one(i) for i in range(self.num_envs))

    @in_turn
    def render_one(self, i: int) -> Any:
        """Returns a picture of environment `i`, shape (height, width, 3), or in the mode `"ansi"` a text.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
            IndexError: If there is no such environment.
        """
        self._check_reset("render")
        self._check_index(i)
        return self._attributes.render(i, self.render_mode)

    @in_turn
    def state_of(self, i: int) -> Any:
        """Returns the dynamics' state of environment `i` alone, at a small part of the cost of `get_state`.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
            IndexError: If there is no such environment.
        """
        self._check_ready("state_of", i)
        return self._runner.memory.state(i)

    @in_turn
    def kernel(self) -> str:
        """Returns the typed program that steps an environment, as a text.

        Raises:
            TypeError: If the dynamics cannot be compiled.
        """
        return self._runner.text()

    @in_turn
    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Returns each environment's attribute `name`, or its result for these arguments if it is callable.

        It is called on a copy: a method that changes its environment has no effect here.
        """
        self._check_idle("call")
        found = (self._attributes.get(i, name) for i in range(self.num_envs))
        return tuple(value(*args, **kwargs) if callable(value) else value for value in found)

    @in_turn
    def set_attr(self, name: str, values: Any) -> None:
        """Set an attribute of the environments, or a field of their params; it takes effect at the next step.

        Args:
            name: The attribute.
            values: A list or tuple with one value for each environment; any other value is set on all.

        Raises:
            ValueError: If a list does not have n values; nothing is set then.
            TypeError: If it is a param that cannot be compiled; nothing is set then.
        """
        self._check_idle("set_attr")
        self._attributes.set(name, values, self.num_envs)

    @property
    def np_random_seed(self) -> tuple[int | None, ...]:
        """Each environment's seed."""
        return self._streams.seeds()

    @property  # type: ignore[misc]  # read-only here
    def np_random(self) -> tuple[np.random.Generator, ...]:
        """For each environment a generator of its next random numbers; the original does not advance with it."""
        return tuple(self._streams.generator(i) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads, and free the resources of rendering."""
        self._runner.close()
        self._attributes.close()

    def _in_flight(self) -> list[int]:
        return self._sent

    def _finished_flags(self) -> NDArray[np.bool_]:
        return self._runner.memory.columns["finished"]
