"""Many copies of dynamics, stepped together by compiled kernels."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.functional.func_env import FuncEnv
from gymnasium.utils._counts import cores, positive
from palaestra.language.garbage import without_collections
from palaestra.language.llvm.calls import Caller
from palaestra.language.llvm.store import Note
from palaestra.language.program import WIDTH
from palaestra.runner.frame.kernels import kernels_of
from palaestra.runner.kernels.draws import Draw
from palaestra.runner.kernels.infos import InfoPlan
from palaestra.runner.kernels.layout import RAISED, SKIPPED, RowRaised
from palaestra.runner.kernels.memory import Memory
from palaestra.runner.kernels.params import joined, numpy_leaves, tree_of
from palaestra.runner.kernels.plan import Plan, plan_of, starts
from palaestra.runner.kernels.pool import ROWS_TOGETHER, Pool, new_job

SHARED_FROM = 2 * ROWS_TOGETHER
"""The number of environments from which several threads step them: two chunks.

Measured on two cores, where passing a job to a waiting worker costs 0.5 us: the cheapest dynamics (FrozenLake, 7 ns a
step) gain above this number, and lose below.
"""


class Runner:
    """N copies of dynamics.

    Args:
        func_env: The dynamics.
        params: The params of the dynamics: one for all copies, or one for each.
        n: The number of copies.
        mode: The autoreset mode, as a number of `layout`.
        max_episode_steps: The number of steps after which an episode is truncated, or None.
        num_threads: The maximum number of threads; None for PALAESTRA_NUM_THREADS, or else one for each processor.

    Attributes:
        func_env: The dynamics.
        memory: The columns that the kernels read and write.
        most_threads: The maximum number of threads.
        bounds: The bounds of the draws of params: one tuple for all copies, or one for each.
        usual: The params for the first states of autoresets, as far as they are not the copies' own.
        make_room: Lets lists have more room, by `follow`: called with a row that was left, and the actions of a step or
            None of a reset.

    Raises:
        TypeError, ValueError: If the dynamics cannot be run like this.
    """

    def __init__(
        self,
        func_env: FuncEnv,
        params: Sequence[Any],
        n: int,
        mode: int,
        max_episode_steps: int | None,
        num_threads: int | None,
    ) -> None:
        self.func_env, self._limits = func_env, (n, mode, max_episode_steps)
        self.most_threads = _checked_threads(num_threads)
        self._threads = self.most_threads if n >= SHARED_FROM else 1
        plan = self._plan_of_dynamics = plan_of(func_env, params[0])
        self._kernels = kernels_of(func_env, plan, lanes=n >= WIDTH)
        self.memory = Memory(plan, *self._limits)
        self._params, self.usual = params, params[:1]
        self.bounds: Sequence[Any] = [None]
        self._rows: tuple[int, int] | None  # what `prepare_rows` returns, once all is compiled
        self._keep_differing(self.memory.set_params("params", params), params)
        self._step: Any = None
        self._pool: Pool | None = None
        self._process = os.getpid()
        self.make_room: Callable[[int, NDArray[Any] | None], None] = _no_room

    def follow(self) -> None:
        """Take the plan that the dynamics have now, in which lists may have more room; all else continues."""
        if self._plan_of_dynamics is plan_of(self.func_env, self._params[0]):
            return
        own = {name: getattr(self.memory.plan, name) for name in ("own", "draws", "bounds", "started", "waits")}
        self._plan_of_dynamics = plan_of(self.func_env, self._params[0])
        plan = replace(self._plan_of_dynamics, **own)
        self._renew(plan, self._params, running=True, own=False, apart=self._each)
        self.close()

    def set_params(self, params: Sequence[Any], running: bool, own: bool = True) -> None:
        """Use other params from now on: one for all copies, or one for each.

        Args:
            params: The params.
            running: Whether there are states, which continue.
            own: Whether to set also those that copies have for themselves.

        Raises:
            TypeError: If they have no form that can be compiled; nothing is changed then.
        """
        before = self.memory.plan
        try:
            each = self.memory.set_params("params", params, own=own)
            self._keep_differing(each | {name for name in self._each if name.startswith("bounds")}, params)
        except TypeError:  # for example, other kinds of numbers need other kernels
            params = joined(params)
            plan = self._plan_of_dynamics = plan_of(self.func_env, params[0])
            kept = {name: getattr(before, name) for name in ("own", "draws", "bounds", "started", "waits")}
            kept |= {"infos": before.infos} if before.infos.in_python else {}
            self._renew(replace(plan, **kept), params, running, own)
        self._params = params
        self.close()

    def begin_with(
        self,
        own: tuple[int, ...],
        draws: tuple[Draw, ...],
        started: tuple[int, ...],
        bounds: Sequence[Any],
        usual: Sequence[Any],
    ) -> None:
        """Let copies have own params from now on, while states and params continue.

        Args:
            own: Their places; see `Plan`.
            draws: The draws of an episode's params.
            started: The places that a reset sets.
            bounds: The bounds of the draws: one tuple for all copies, or one for each.
            usual: The params for the first states of autoresets, as far as they are not the copies' own.

        Raises:
            TypeError: If a draw cannot be compiled; nothing is changed then.
        """
        plan = replace(self.memory.plan, own=own, draws=draws, started=started, bounds=tree_of(bounds[0], "bounds"))
        before = self.bounds, self.usual
        self.bounds, self.usual = bounds, usual
        try:
            self._renew(plan, self._params, running=True, own=False)
        except TypeError:
            self.bounds, self.usual = before
            raise
        self.close()

    def wait_for(self, started: tuple[int, ...]) -> None:
        """Let copies have options for their next reset from now on, which set the params of these places."""
        plan = replace(self.memory.plan, started=started, waits=True)
        self._renew(plan, self._params, running=True, own=False)
        self.close()

    def be_like(self, other: Runner) -> None:
        """Use the kernels of other copies of these dynamics, in which the same params differ."""
        self.bounds, self.usual = other.bounds[:1], other.usual
        self._plan_of_dynamics = other._plan_of_dynamics
        self._renew(other.memory.plan, self._params, running=True, own=False, apart=other._each)
        self.share_kernels(other)

    def share_kernels(self, other: Runner) -> None:
        """Call the kernels of other copies with the same plan, from as many threads: what is compiled serves both."""
        if self.memory.plan is other.memory.plan and (self.memory.n >= WIDTH) == (other.memory.n >= WIDTH):
            self._kernels, self._threads, self._rows = other._kernels, other._threads, None

    def _renew(
        self, plan: Plan, params: Sequence[Any], running: bool, own: bool, apart: frozenset[str] = frozenset()
    ) -> None:
        n, _, limit = self._limits
        kernels = kernels_of(self.func_env, plan, lanes=n >= WIDTH)
        memory = Memory(plan, n, self.memory.mode, limit, before=self.memory, running=running)
        each = memory.set_params("params", params, apart, own)
        if plan.own:
            memory.set_params("usual", self.usual)
            each |= memory.set_params("bounds", self.bounds, apart)
        self._kernels, self.memory = kernels, memory
        self._keep_differing(each, params)

    def _keep_differing(self, each: frozenset[str], params: Sequence[Any]) -> None:
        """Keep the names of the values that differ between copies, and those of them that do in first states."""
        self._each, self._starts = each, starts(self.memory.plan, each)
        self._rows = None
        self._kernels.shapes, self._kernels.many = self.memory.shapes(), self.memory.n >= SHARED_FROM
        self._kernels.sizes = self.memory.sizes()
        self._note_numpy("params", params)
        self._note_numpy("start", params)

    def _note_numpy(self, prefix: str, params: Sequence[Any]) -> None:
        """Let kernels know which params are numbers of NumPy."""
        self._kernels.numpy = {**self._kernels.numpy, prefix: numpy_leaves(self.memory.plan.params, params)}

    def prepare(self) -> None:
        """Compile the functions of `step`, and start the threads, unless this has been done.

        Raises:
            TypeError: If the dynamics cannot be compiled.
        """
        if self._step is not None and not self._forked():
            return
        self.close()
        kernels, memory = self._kernels, self.memory
        with without_collections():
            calls = ["step"] if self._threads == 1 else ["step_shared", "work"]
            kernels.begin(self._each, *calls, *([] if memory.plan.endless else ["reset"]))
            memory.set_functions(kernels.functions(self._each))
            self._prepare_autoresets()
            memory.pad_actions(memory.n % WIDTH > 0 and kernels.in_lanes(self._each))
            step = kernels.get("step" if self._threads == 1 else "step_shared")
        if self._threads == 1:
            self._step = step
            return
        self._job = new_job(memory.n, self._threads)
        self._pool = Pool(kernels.get("work"), memory.context, self._job, self._threads - 1)
        self._process = os.getpid()
        self._step = step

    def _prepare_autoresets(self) -> None:
        """Compile the function that begins episodes in a step, if any end."""
        if not self.memory.plan.endless:
            self.memory.set_functions(self._kernels.first_functions(self._each, self._starts))

    def prepare_infos(self, running: bool) -> bool:
        """`prepare`; if the info functions alone cannot be compiled, they are called in Python from then on.

        Args:
            running: Whether there are states, which continue.

        Returns:
            Whether they are, and were not before.
        """
        plan = self.memory.plan
        may = plan.outcome_type is None and bool(plan.infos.begin or plan.infos.step)
        try:
            self.prepare()
            return False
        except TypeError:
            if not may:
                raise
        self._renew(replace(plan, infos=InfoPlan(in_python=True)), self._params, running, own=False, apart=self._each)
        self.close()
        self.prepare()
        return True

    def prepare_rows(self) -> tuple[int, int]:
        """Compile the functions that step rows without a call from Python.

        Returns:
            The addresses of `step_rows`, and of `step_left` for rows that it left; 0 if it leaves none.
        """
        self.memory.hand_out(copy=False)
        self.memory.forget_failure()
        if self._rows is None:
            self._rows = self._compiled_rows()
        return self._rows

    def _compiled_rows(self) -> tuple[int, int]:
        kernels, memory = self._kernels, self.memory
        functions, left = kernels.functions(self._each), 0
        memory.set_functions(functions)
        self._prepare_autoresets()
        if memory.plan.grows:
            memory.set_functions(kernels.single_functions(self._each))
        elif kernels.in_lanes(self._each):
            memory.set_functions(kernels.single_functions(self._each))
            left = kernels.address("step_left")
        return functions["rows"], left

    def collecting(self, again: bool = False) -> Caller:
        """Returns `frame.calls.collect`, or `collect_again`."""
        return self._kernels.get("collect_again" if again else "collect")

    def text(self) -> str:
        """Returns the text of the function that steps rows."""
        return self._kernels.text(self._each)

    def passed(self) -> Note:
        """Returns the note that the kernels of these copies have passed their trial."""
        return self._kernels.passed(self._each)

    def _forked(self) -> bool:
        """Whether the threads are in another process, from which this one was forked."""
        return self._pool is not None and self._process != os.getpid()

    def reset(self, mask: NDArray[np.bool_], start: Sequence[Any]) -> None:
        """Begin an episode in the copies of `mask`, with the first state drawn from the params `start`."""
        kernels, memory = self._kernels, self.memory
        try:
            each = memory.set_params("start", start, apart=self._starts)
            self._note_numpy("start", start)
            memory.set_functions(kernels.first_functions(self._each, each))
            # The kernel reads the caller's mask by its address, without strides.
            self._check(kernels.get("reset")(memory.context, np.ascontiguousarray(mask)))
        finally:
            self._note_numpy("start", self._params)
            memory.end_reset()
            self._prepare_autoresets()
        left = memory.columns["skipped"] & mask if memory.plan.grows else mask[:0]
        if left.any():
            self.make_room(int(np.flatnonzero(left)[0]), None)
            self.reset(left, start)

    def step(self, actions: NDArray[Any]) -> int:
        """Step every copy, and return the number of resets; a negative number says why none moved.

        Args:
            actions: In the form of the plan's `action`, C-contiguous and aligned: they are not checked any more.
        """
        if self._step is None:
            self.prepare()
        alone = self._pool is None
        code: int = self._step(self.memory.context, actions, self.memory.table) if alone else self._step_shared(actions)
        return code if 0 <= code < SKIPPED else self._left(code, actions)

    def _left(self, code: int, actions: NDArray[Any]) -> int:
        """What is left to be done after a step, and its number of resets, or the reason why no row moved."""
        self._check(code)
        return code if code < 0 else code % SKIPPED + self._step_skipped(actions)

    def takes(self, actions: NDArray[Any]) -> bool:
        """Returns whether a step would take these actions, in the form that `step` asks for.

        The next step does not check this array again, unless `distrust` comes before it.
        """
        return bool(self._kernels.get("check")(self.memory.context, actions) == 0)

    def distrust(self) -> None:
        """Let the next step check its actions."""
        self.memory.distrust()

    def _step_shared(self, actions: NDArray[Any]) -> int:
        self.prepare()  # in a forked process
        assert self._pool is not None
        self._pool.wake()
        code: int = self._step(self.memory.context, actions, self.memory.table, self._job)
        return code

    def _check(self, code: int) -> None:
        """Raise the exception of a result of a call."""
        if code == RAISED:
            raise RowRaised

    def _step_skipped(self, actions: NDArray[Any]) -> int:
        """Step the rows that lanes left, because one of eight raised an exception; returns the number of resets."""
        skipped = self.memory.columns["skipped"]
        rows, memory = np.flatnonzero(skipped), self.memory
        if memory.plan.grows:
            self._step_left(actions, rows)
        else:
            skipped[rows] = False
            self._step_rows(actions, rows)
        memory.hand_over(rows)  # of the step: there may be another memory by now
        self.memory.count(rows)
        return int(self.memory.columns["fresh"][rows].sum())

    def step_some(self, actions: NDArray[Any], rows: NDArray[np.int64]) -> None:
        """Step some copies; `actions` has a row for every copy."""
        self.memory.hand_out(copy=False)
        self._step_rows(actions, rows)
        if self.memory.plan.grows:
            self._step_left(actions, rows)

    def _step_left(self, actions: NDArray[Any], rows: NDArray[np.int64]) -> None:
        """Step those of some rows for which lists had no room."""
        while len(left := rows[self.memory.columns["skipped"][rows]]):
            self.make_room(int(left[0]), actions)
            self._step_rows(actions, left)

    def _step_rows(self, actions: NDArray[Any], rows: NDArray[np.int64]) -> None:
        self.memory.set_functions(self._kernels.single_functions(self._each))
        self._prepare_autoresets()
        self.memory.set_some(len(rows))
        self._check(self._kernels.get("step_some")(self.memory.context, actions, rows))

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.close()
        self._pool = self._step = None


def _no_room(row: int, actions: NDArray[Any] | None) -> None:
    raise RowRaised


def _checked_threads(requested: int | None) -> int:
    if requested is None:
        return int(os.environ.get("PALAESTRA_NUM_THREADS") or cores())
    return positive("num_threads", requested)
