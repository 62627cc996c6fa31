"""The collector for compiled environments and pure policies: all steps in one call of machine code.

There may be wrappers around the environments, see `wrapped.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, NoReturn
from weakref import WeakKeyDictionary

import numpy as np

from gymnasium.spaces.batching import create_empty_array
from gymnasium.vector._batch.actions import action_checker
from gymnasium.vector._batch.requests import check_running
from gymnasium.vector._batch.trees import Tree, empty, host, leaves, mapped
from gymnasium.vector.vector_env import AutoresetMode, VectorEnv
from palaestra.policies import MLP
from palaestra.policies.base import params_of
from palaestra.rollouts.decisions import Decisions, check_actions, check_extra
from palaestra.rollouts.part import Memory, rollout_of
from palaestra.rollouts.pure import PURE, Pure, reader
from palaestra.rollouts.record import FinalObservations, FinishedEpisodes, Rollout
from palaestra.rollouts.rewards import Steps
from palaestra.rollouts.task import Task, begun
from palaestra.rollouts.wrapped import RunsInPython, Stack, has_own_methods, opened
from palaestra.runner.batch.failures import failure_of, step_again
from palaestra.runner.kernels.layout import DISABLED, SAME_STEP, RowRaised
from palaestra.runner.kernels.packing import packed
from palaestra.runner.kernels.seeding import generator_at
from palaestra.runner.policies.network import Network
from palaestra.runner.rollouts.collecting import Acting, Recorded, Stopped, collect
from palaestra.runner.rollouts.deciding import Decider
from palaestra.runner.transforms.series import accounted
from palaestra.runner.vector_env import CompiledVectorEnv

_actings: WeakKeyDictionary[VectorEnv[Any, Any, Any], tuple[Pure, Any, Acting]] = (
    WeakKeyDictionary()
)  # the last of each


def refusal(task: Task) -> str:
    """Returns why machine code cannot do a task, or "", and then all is compiled."""
    policy = task.policy
    envs, wrappers = opened(task.envs)
    if not isinstance(policy, PURE):
        return "the policy is no FuncPolicy and no MLP"
    if not isinstance(envs, CompiledVectorEnv) or type(envs).step is not CompiledVectorEnv.step:
        return f"{envs} is not compiled"
    if type(envs).reset is not CompiledVectorEnv.reset or has_own_methods(envs):
        return f"{envs} resets in its own way"
    if envs._reports.in_python:
        return "Python computes the infos"
    try:
        stack = Stack(envs, wrappers)
        acting = _acting_in(task.envs, policy)
        acting.prepare(stack.seen.rows)
        actions = stack.inward(acting.actions)[1]
    except (RunsInPython, TypeError, ValueError) as error:
        _actings.pop(task.envs, None)  # other params may need other kernels
        return str(error)
    taken = envs._runner.memory.plan.action
    if (actions.shape[1:], actions.dtype) != (taken.shape, taken.dtype):
        return f"the policy's actions are {actions.dtype} of the shape {actions.shape[1:]}"
    return _other_form(task, stack)


def _other_form(task: Task, stack: Stack) -> str:
    """Returns why the kernels cannot write the arrays of the rollout, or ""."""
    start = task.start.observations if isinstance(task.start, Rollout) else task.start
    for given in (create_empty_array(task.envs.single_observation_space, 1), start):
        dtypes = [part.rows.dtype for part in stack.observed]
        if given is not None and [host(leaf).dtype for _, leaf in leaves(given, "")] != dtypes:
            return f"`start` or the space has other dtypes than {', '.join(map(str, dtypes))}"
    memory = [] if task.out is None else [array for _, array in leaves(tuple(task.out[:7]), "")]
    return "" if all(host(array).flags.c_contiguous for array in memory) else "the memory of `out` has gaps"


def collected(task: Task) -> Rollout:
    """Returns the rollout of a task that was not refused."""
    envs: Any
    envs, wrappers = opened(task.envs)
    memory = begun(task)
    envs._check_ready("step")
    stack, acting = Stack(envs, wrappers), _acting_in(task.envs, task.policy)  # type: ignore[arg-type]  # a pure one
    stack.begin(memory.observations.row(0))
    if stack.outward:
        acting.prepare(stack.seen.rows)
    memory.decisions.reserve(acting.actions, acting.extras)
    # Most of these are never touched, and so take no room.
    finals = mapped(lambda array: empty(array[1:].shape, array.dtype), memory.observations.arrays)
    running, began = memory.running, perf_counter()
    returns, lengths, over = running.returns.copy(), running.lengths.copy(), running.over.copy()
    recorded = _recorded(envs, acting, stack, memory, finals)
    _take_steps(task, stack, acting, memory, recorded)
    ended_returns, ended_lengths = recorded.ended_returns, recorded.ended_lengths
    if wrappers:
        steps = Steps(memory.rewards, memory.terminated, memory.truncated, envs.autoreset_mode, began)
        stack.finish(steps)
        # Of the rewards that the outermost wrapper returns.
        ended_returns, ended_lengths = accounted(steps.after(over), returns, lengths)
        running.returns[:] = returns
    at, ids = np.nonzero(memory.terminated | memory.truncated)
    ended = FinishedEpisodes(ended_returns[at, ids], ended_lengths[at, ids], ids, at)
    if not recorded.last:
        at, ids = at[:0], ids[:0]
    return rollout_of(memory, FinalObservations(at, ids, mapped(lambda array: array[at, ids], finals)), ended)


def _take_steps(task: Task, stack: Stack, acting: Acting, memory: Memory, recorded: Recorded) -> None:
    """Fill the arrays, and let everything but the wrappers be at the end of the steps."""
    envs: Any = opened(task.envs)[0]
    streams = memory.running.streams
    assert streams is not None
    acting.streams[:] = streams
    inward, actions = stack.inward(acting.actions)
    envs._runner.memory.read_actions_at(actions)
    with _resetting(envs):
        try:
            collect(envs._runner, acting, recorded, inward, stack.outward)
        except Stopped as stopped:
            envs._reset_needed = True
            _raise(task, stack, acting, actions, stopped)
    if isinstance(acting, Decider):
        _check(task, memory.decisions)
    for part, (_, array) in zip(stack.observed, leaves(memory.observations.arrays, ""), strict=True):
        array[task.steps] = part.rows
    streams[:] = acting.streams


@contextmanager
def _resetting(envs: Any) -> Iterator[None]:
    """While it lasts, environments in the mode DISABLED are reset in the step that ends an episode, as by `rollout`."""
    memory, mode = envs._runner.memory, envs._runner.memory.mode
    if mode != DISABLED:
        yield
        return
    check_running(memory.columns["finished"])
    memory.set_mode(SAME_STEP)
    try:
        yield
    finally:
        memory = envs._runner.memory  # another one if lists have more room now
        memory.set_mode(mode)
        for name, column in memory.columns.items():
            if name == "fresh" or name.startswith("final"):
                column[...] = 0  # as ever in this mode


def _recorded(envs: Any, acting: Acting, stack: Stack, memory: Memory, finals: Tree) -> Recorded:
    """Returns the arrays to fill: those of the rollout, and `finals` in a mode in which a step replaces the last."""
    columns, decisions, running = envs._runner.memory.columns, memory.decisions, memory.running
    observations = [array for _, array in leaves(memory.observations.arrays, "")]
    before = [(part.rows, array) for part, array in zip(stack.observed, observations, strict=True)]
    before += [(acting.actions, decisions.actions)]
    before += [(column, decisions.extras[name]) for name, column in acting.extras.items()]
    results = {"rewards": memory.rewards, "terminations": memory.terminated, "truncations": memory.truncated}
    after = [(columns[name], array) for name, array in results.items()]
    last = [(part.lasts, array) for part, (_, array) in zip(stack.observed, leaves(finals, ""), strict=True)]
    return Recorded(
        before,
        after,
        [] if envs.autoreset_mode is AutoresetMode.NEXT_STEP else last,
        running.returns,
        running.lengths,
        running.over,
        memory.valid,
        empty(memory.rewards.shape, np.dtype(np.float64)),
        empty(memory.rewards.shape, np.dtype(np.int64)),
    )


def _acting_in(envs: VectorEnv[Any, Any, Any], policy: Pure) -> Acting:
    """Returns the policy's kernels for these environments; those of the last policy are kept."""
    known, act = _actings.get(envs), getattr(policy, "act", None)
    if known is not None and known[0] is policy and known[1] is act:
        return known[2]
    spaces = envs.single_observation_space, envs.single_action_space
    n = envs.num_envs
    made: Acting = Network(policy, n) if isinstance(policy, MLP) else Decider(policy, *spaces, n)
    _actings[envs] = policy, act, made
    return made


def _check(task: Task, decisions: Decisions) -> None:
    """Check what the kernels of a `FuncPolicy` leave out: that actions are finite, and no extra is NaN.

    Raises:
        ValueError, gymnasium.error.ActionOutsideSpace: For the first step that is refused.
    """
    finite = [np.isfinite(decisions.actions)]
    finite += [~np.isnan(extra) for extra in decisions.extras.values() if extra.dtype.kind == "f"]
    refused = [np.flatnonzero(~one.reshape(len(one), -1).all(axis=1)) for one in finite]
    step = min((int(steps[0]) for steps in refused if len(steps)), default=None)
    if step is not None:
        opened(task.envs)[0]._reset_needed = True  # type: ignore[attr-defined]  # compiled ones
        check_actions(decisions.actions[step], task.envs.single_action_space)
        for name, extra in decisions.extras.items():
            check_extra(name, extra[step])


def _raise(task: Task, stack: Stack, acting: Acting, actions: np.ndarray, stopped: Stopped) -> NoReturn:
    """Raise Python's exception for the place where machine code stopped; `actions` are those of the environments."""
    envs: Any = opened(task.envs)[0]
    memory = envs._runner.memory
    by_policy = isinstance(acting, Decider) and stopped.acting
    error = RowRaised()
    i = memory.failed
    if not stopped.raised or not (stopped.acting or _accepted(acting, i)):
        if not stopped.acting:
            stack.observe()
        action_checker(task.envs.single_action_space, any_integers=True)(acting.actions, envs.num_envs)
        check_actions(acting.actions, task.envs.single_action_space)
        for name, extra in acting.extras.items():
            check_extra(name, extra)
        raise stopped
    if isinstance(acting, Decider) and by_policy:
        policy: Any = task.policy
        i = acting.failed
        parts = (part.rows[i] for part in stack.observed)
        observation = reader(task.envs.single_observation_space)(packed(task.envs.single_observation_space, parts))
        draws = generator_at(acting.streams[i])
        params = params_of(policy, envs.num_envs)
        one = params[i % len(params)]
        raise failure_of(error, i, lambda: policy.act(one, observation, draws)) from error
    env = envs._attributes.at(i)
    raise failure_of(error, i, lambda: step_again(env, i, actions[i], memory)) from error


def _accepted(acting: Acting, i: int) -> bool:
    """Whether the action of environment i is finite, and none of its extras NaN."""
    numbers = np.isfinite(acting.actions[i]).all()
    return bool(numbers and not any(np.any(extra[i] != extra[i]) for extra in acting.extras.values()))
