"""The collector for compiled environments and pure policies: all steps in one call of machine code."""

from __future__ import annotations

from typing import Any, NoReturn
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gymnasium.compiled.batch.failures import failure_of, step_again
from gymnasium.compiled.policies.network import Network
from gymnasium.compiled.rollouts.collecting import Acting, Recorded, Stopped, collect
from gymnasium.compiled.rollouts.deciding import Decider
from gymnasium.compiled.vector_env import CompiledVectorEnv
from gymnasium.functional.policies import MLP
from gymnasium.functional.policies.base import params_of
from gymnasium.jit.random.seeding import generator_at
from gymnasium.rollouts.decisions import Decisions, check_actions, check_extra
from gymnasium.rollouts.part import Memory, rollout_of
from gymnasium.rollouts.pure import PURE, Pure, reader
from gymnasium.rollouts.record import FinalObservations, FinishedEpisodes, Rollout
from gymnasium.rollouts.task import Task, begun
from gymnasium.vector._batch.actions import action_checker
from gymnasium.vector._batch.trees import Tree, empty, leaves, mapped
from gymnasium.vector.vector_env import AutoresetMode

_actings: WeakKeyDictionary[CompiledVectorEnv, tuple[Pure, Any, Acting]] = WeakKeyDictionary()  # the last of each


def refusal(task: Task) -> str:
    """Returns why machine code cannot do a task, or "", and then all is compiled."""
    envs, policy = task.envs, task.policy
    if not isinstance(policy, PURE):
        return "the policy is no FuncPolicy and no MLP"
    if not isinstance(envs, CompiledVectorEnv) or type(envs).step is not CompiledVectorEnv.step:
        return f"{envs} is not compiled"
    if type(envs).reset is not CompiledVectorEnv.reset:
        return f"{envs} resets in its own way"
    if envs.autoreset_mode is AutoresetMode.DISABLED:
        return "in the mode DISABLED Python resets environments"
    if envs._reports.in_python:
        return "Python computes the infos"
    observed = _observed(envs)
    if len(observed) > 1:
        return "an observation has several parts"
    try:
        acting = _acting_in(envs, policy)
        acting.prepare(observed[0])
    except (TypeError, ValueError) as error:
        _actings.pop(envs, None)  # other params may need other kernels
        return str(error)
    taken = envs._runner.memory.plan.action
    if (acting.actions.shape[1:], acting.actions.dtype) != (taken.shape, taken.dtype):
        return f"the policy's actions are {acting.actions.dtype} of the shape {acting.actions.shape[1:]}"
    return ""


def collected(task: Task) -> Rollout:
    """Returns the rollout of a task that was not refused."""
    envs: Any = task.envs
    policy: Any = task.policy
    memory = begun(task)
    envs._check_ready("step")
    acting, runner = _acting_in(envs, policy), envs._runner
    streams = memory.running.streams
    assert streams is not None
    acting.streams[:] = streams
    runner.memory.read_actions_at(acting.actions)
    memory.decisions.reserve(acting.actions, acting.extras)
    # Most of these are never touched, and so take no room.
    finals = mapped(lambda array: empty(array[1:].shape, array.dtype), memory.observations.arrays)
    recorded = _recorded(envs, acting, memory, finals)
    try:
        collect(runner, acting, recorded)
    except Stopped as stopped:
        envs._reset_needed = True
        _raise(envs, policy, acting, stopped)
    if isinstance(acting, Decider):
        _check(envs, memory.decisions)
    for column, (_, array) in zip(_observed(envs), leaves(memory.observations.arrays, ""), strict=True):
        array[task.steps] = column
    streams[:] = acting.streams
    steps, ids = np.nonzero(memory.terminated | memory.truncated)
    ended = FinishedEpisodes(recorded.ended_returns[steps, ids], recorded.ended_lengths[steps, ids], ids, steps)
    if not recorded.last:
        steps, ids = steps[:0], ids[:0]
    last = FinalObservations(steps, ids, mapped(lambda array: array[steps, ids], finals))
    return rollout_of(memory, last, ended)


def _observed(envs: Any) -> list[NDArray[Any]]:
    """Returns the columns of the observations."""
    memory = envs._runner.memory
    return [memory.columns[f"observation{k}"] for k in range(len(memory.plan.observation))]


def _recorded(envs: Any, acting: Acting, memory: Memory, finals: Tree) -> Recorded:
    """Returns the arrays to fill: those of the rollout, and `finals` in a mode in which a step replaces the last."""
    columns, decisions, running = envs._runner.memory.columns, memory.decisions, memory.running
    observations = [array for _, array in leaves(memory.observations.arrays, "")]
    before = [*zip(_observed(envs), observations, strict=True), (acting.actions, decisions.actions)]
    before += [(column, decisions.extras[name]) for name, column in acting.extras.items()]
    results = {"rewards": memory.rewards, "terminations": memory.terminated, "truncations": memory.truncated}
    after = [(columns[name], array) for name, array in results.items()]
    last = [(columns[f"final{k}"], array) for k, (_, array) in enumerate(leaves(finals, ""))]
    return Recorded(
        before,
        after,
        last if envs.autoreset_mode is AutoresetMode.SAME_STEP else [],
        running.returns,
        running.lengths,
        running.over,
        memory.valid,
        empty(memory.rewards.shape, np.dtype(np.float64)),
        empty(memory.rewards.shape, np.dtype(np.int64)),
    )


def _acting_in(envs: CompiledVectorEnv, policy: Pure) -> Acting:
    """Returns the policy's kernels for these environments; those of the last policy are kept."""
    known, act = _actings.get(envs), getattr(policy, "act", None)
    if known is not None and known[0] is policy and known[1] is act:
        return known[2]
    spaces = envs.single_observation_space, envs.single_action_space
    n = envs.num_envs
    made: Acting = Network(policy, n) if isinstance(policy, MLP) else Decider(policy, *spaces, n)
    _actings[envs] = policy, act, made
    return made


def _check(envs: Any, decisions: Decisions) -> None:
    """Check what kernels of a `FuncPolicy` do not: whether actions are finite, and no extra is NaN.

    Raises:
        ValueError, gymnasium.error.ActionOutsideSpace: For the first step that is refused.
    """
    finite = [np.isfinite(decisions.actions)]
    finite += [~np.isnan(extra) for extra in decisions.extras.values() if extra.dtype.kind == "f"]
    refused = [np.flatnonzero(~one.reshape(len(one), -1).all(axis=1)) for one in finite]
    step = min((int(steps[0]) for steps in refused if len(steps)), default=None)
    if step is not None:
        envs._reset_needed = True
        check_actions(decisions.actions[step], envs.single_action_space)
        for name, extra in decisions.extras.items():
            check_extra(name, extra[step])


def _raise(envs: Any, policy: Any, acting: Acting, stopped: Stopped) -> NoReturn:
    """Raise what Python raises where machine code stopped."""
    memory, error = envs._runner.memory, stopped.error
    i = memory.failed
    if error is None or not (stopped.acting or _accepted(acting, i)):
        action_checker(envs.single_action_space)(acting.actions, envs.num_envs)
        check_actions(acting.actions, envs.single_action_space)
        for name, extra in acting.extras.items():
            check_extra(name, extra)
        raise stopped
    if stopped.acting and isinstance(acting, Decider):
        i = acting.failed
        observation = reader(envs.single_observation_space)(memory.columns["observation0"][i])
        draws = generator_at(acting.streams[i])
        params = params_of(policy, envs.num_envs)
        one = params[i % len(params)]
        raise failure_of(error, i, lambda: policy.act(one, observation, draws)) from error
    env = envs._attributes.at(i)
    raise failure_of(error, i, lambda: step_again(env, i, acting.actions[i], memory)) from error


def _accepted(acting: Acting, i: int) -> bool:
    """Whether the action of environment i is finite, and none of its extras NaN."""
    numbers = np.isfinite(acting.actions[i]).all()
    return bool(numbers and not any(np.any(extra[i] != extra[i]) for extra in acting.extras.values()))
