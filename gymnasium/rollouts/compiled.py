"""The collector for compiled environments and pure policies: all steps in one call of machine code."""

from __future__ import annotations

from typing import Any, NoReturn
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gymnasium.compiled.batch.failures import failure_of, step_again
from gymnasium.compiled.rollouts.collecting import Recorded, Stopped, collect
from gymnasium.compiled.rollouts.deciding import Decider
from gymnasium.compiled.vector_env import CompiledVectorEnv
from gymnasium.functional.policies.base import FuncPolicy
from gymnasium.jit.random.seeding import generator_at
from gymnasium.rollouts.part import Memory, rollout_of
from gymnasium.rollouts.pure import reader
from gymnasium.rollouts.record import FinalObservations, FinishedEpisodes, Rollout
from gymnasium.rollouts.task import Task, begun
from gymnasium.rollouts.trees import Tree, empty, leaves, mapped
from gymnasium.vector._batch.actions import action_checker
from gymnasium.vector.vector_env import AutoresetMode

_deciders: WeakKeyDictionary[CompiledVectorEnv, tuple[Any, Decider]] = WeakKeyDictionary()  # the last of each


def refusal(task: Task) -> str:
    """Returns why machine code cannot do a task, or ""."""
    envs, policy = task.envs, task.policy
    if not isinstance(policy, FuncPolicy):
        return "the policy is no FuncPolicy"
    if not isinstance(envs, CompiledVectorEnv) or type(envs).step is not CompiledVectorEnv.step:
        return f"{envs} is not compiled"
    if envs.autoreset_mode is AutoresetMode.DISABLED:
        return "in the mode DISABLED Python resets environments"
    if envs._reports.in_python:
        return "Python computes the infos"
    try:
        _decider(envs, policy).prepare(_observed(envs)[0])
    except TypeError as error:
        return str(error)
    return ""


def collected(task: Task) -> Rollout:
    """Returns the rollout of a task that was not refused."""
    envs: Any = task.envs
    policy: Any = task.policy
    memory = begun(task)
    envs._check_ready("step")
    decider, runner = _decider(envs, policy), envs._runner
    streams = memory.running.streams
    assert streams is not None
    decider.prepare(_observed(envs)[0])
    decider.streams[:] = streams
    runner.memory.read_actions_at(decider.actions)
    memory.decisions.reserve(decider.actions, decider.extras)
    # Most of these are never touched, and so take no room.
    finals = mapped(lambda array: empty(array[1:].shape, array.dtype), memory.observations.arrays)
    recorded = _recorded(envs, decider, memory, finals)
    try:
        collect(runner, decider, recorded)
    except Stopped as stopped:
        envs._reset_needed = True
        _raise(envs, policy, decider, stopped)
    for column, (_, array) in zip(_observed(envs), leaves(memory.observations.arrays, ""), strict=True):
        array[task.steps] = column
    streams[:] = decider.streams
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


def _recorded(envs: Any, decider: Decider, memory: Memory, finals: Tree) -> Recorded:
    """Returns the arrays to fill: those of the rollout, and `finals` in a mode in which a step replaces the last."""
    columns, decisions, running = envs._runner.memory.columns, memory.decisions, memory.running
    observations = [array for _, array in leaves(memory.observations.arrays, "")]
    before = [*zip(_observed(envs), observations, strict=True), (decider.actions, decisions.actions)]
    before += [(column, decisions.extras[name]) for name, column in decider.extras.items()]
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


def _decider(envs: CompiledVectorEnv, policy: FuncPolicy[Any]) -> Decider:
    """Returns the policy's kernels for these environments; those of the last policy are kept."""
    known = _deciders.get(envs)
    if known is not None and known[0] is policy:
        return known[1]
    space = envs.single_observation_space
    made = Decider(policy, space, envs.single_action_space, envs.num_envs)
    _deciders[envs] = policy, made
    return made


def _raise(envs: Any, policy: FuncPolicy[Any], decider: Decider, stopped: Stopped) -> NoReturn:
    """Raise what Python raises where machine code stopped."""
    memory = envs._runner.memory
    if stopped.error is None:
        action_checker(envs.single_action_space)(decider.actions, envs.num_envs)
        raise ValueError(f"The policy's actions of {envs.single_action_space} must be finite: {decider.actions}")
    if stopped.acting:
        i = decider.failed
        observation = reader(envs.single_observation_space)(memory.columns["observation0"][i])
        draws = generator_at(decider.streams[i])
        raise failure_of(stopped.error, i, lambda: policy.act(policy.params, observation, draws)) from stopped.error
    i = memory.failed
    again = envs._attributes.at(i)
    raise failure_of(stopped.error, i, lambda: step_again(again, i, decider.actions[i], memory)) from stopped.error
