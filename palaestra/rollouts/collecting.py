"""`rollout`: a policy acts in a vector environment for some steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gymnasium.functional.mistakes import check_stateless
from gymnasium.utils._counts import positive
from gymnasium.vector._batch.turns import in_turn
from gymnasium.vector.vector_env import VectorEnv
from palaestra.policies import FuncPolicy
from palaestra.policies.base import params_of
from palaestra.rollouts.collectors import COLLECTORS, Collector
from palaestra.rollouts.observing import opened
from palaestra.rollouts.policies import Policy
from palaestra.rollouts.pure import PURE
from palaestra.rollouts.record import Rollout
from palaestra.rollouts.task import Task


def rollout(
    envs: VectorEnv[Any, Any, Any],
    policy: Policy,
    steps: int,
    *,
    start: object = None,
    out: Rollout | None = None,
    overlap: bool = False,
    explain: bool = False,
) -> Rollout:
    """Let a policy act in all environments for some steps, and return the steps as arrays.

        envs = gymnasium.make_vec("CartPole-v1", 64)
        rollout = palaestra.rollout(envs, lambda observations: (observations[:, 2] > 0).astype(int), 128)
        rollout = palaestra.rollout(envs, policy, 128, start=rollout)  # goes on

    The arrays equal those of a loop over `step`, in any vector environment and any autoreset mode. In the mode DISABLED
    the environments whose episode has ended are reset at once, with `reset(options={"reset_mask": mask})`. A batch
    under JAX and a policy that JAX can trace are one program, whose floats may be rounded in another way.

    Args:
        envs: The vector environment.
        policy: A function of a batch of observations that returns a batch of actions, or `(actions, extras)`. Extras
            are a mapping of names to arrays of numbers whose first axis is n, such as `log_prob` and `value`; names,
            shapes and dtypes stay the same. Arrays of NumPy, PyTorch and JAX are accepted. Actions get the dtype of the
            action space. A `torch.nn.Module` gets tensors, any other policy NumPy's arrays, which it must not change.
            No gradients are recorded.
        steps: The number of steps of each environment, T.
        start: Where to begin. None: the environments are reset, without a seed. The rollout before this one: they go
            on, as if both were one; they must not have been moved since. Observations that `reset` has just returned:
            the episodes begin with them, `start=envs.reset(seed=1)[0]`.
        out: An earlier rollout of as many steps of the same environments and policy, whose memory is used again: its
            arrays change, and those of JAX are gone. It may be `start` too.
        overlap: Whether every second environment may step while the policy looks at the others, which needs an
            `AsyncVectorEnv`. The policy then gets batches of half the size. On Ray each worker asks the policy for
            its environments. The results are the same if each row of the policy's results depends on that row of the
            observations only, to the bit.
        explain: Whether to print which collector runs, and why no faster one.

    Raises:
        TypeError, ValueError: For an invalid argument, or a result of the policy of another form, or an extra that is
            NaN. They are refused before a step: invalid arguments before the first, a result before the one it is for.
        gymnasium.error.ActionOutsideSpace: For actions of the wrong kind, out of range or not finite. The first batch
            is checked completely; later ones of the same form, if discrete, only by the environments.

    After an exception, `start` and `out` are no longer where the environments are: begin anew.
    """
    if not isinstance(envs, VectorEnv):
        raise TypeError(f"`rollout` needs a gymnasium.vector.VectorEnv, but a {type(envs)} came; make_vec makes one")
    if not (callable(policy) or isinstance(policy, PURE)):
        raise TypeError(f"A policy must be a function of a batch of observations, but a {type(policy)} came")
    if out is not None and not isinstance(out, Rollout):
        raise TypeError(f"`out` must be an earlier Rollout, but a {type(out)} came")
    if isinstance(policy, FuncPolicy):
        check_stateless(policy)  # before anything is reset
        params_of(policy, envs.num_envs)
        policy.check_observation_space(envs.single_observation_space)
    inner, onlookers = opened(envs)
    task = Task(inner, policy, positive("steps", steps), start, out, overlap)
    found = _at_once(envs.unwrapped, envs, task, onlookers, explain)
    return found if isinstance(found, Rollout) else _collected(envs, task, found, onlookers)


@in_turn
def _at_once(
    batch: object, envs: VectorEnv[Any, Any, Any], task: Task, onlookers: Sequence[Any], explain: bool
) -> Rollout | Collector:
    """Collect a rollout if that is done in one turn of the batch inside the wrappers, or return the collector."""
    collector = _chosen(task, explain)
    return _collected(envs, task, collector, onlookers) if collector.in_one_turn else collector


def _collected(envs: VectorEnv[Any, Any, Any], task: Task, collector: Collector, onlookers: Sequence[Any]) -> Rollout:
    if not onlookers:
        return collector.collect(task)
    steps_singly = collector is COLLECTORS[-1]
    came = None
    for onlooker in onlookers:
        onlooker.begin_rollout()
    try:
        came = collector.collect(task._replace(envs=envs) if steps_singly else task)
    finally:
        for onlooker in onlookers:
            onlooker.end_rollout(None if steps_singly else came)
    return came


def _chosen(task: Task, explain: bool) -> Collector:
    """Returns the fastest collector that can do a task, and prints the reasons if `explain`."""
    refusals = []
    for collector in COLLECTORS:
        refusal = collector.refusal(task)
        if not refusal:
            break
        refusals.append(f"; not {collector.name}, since {refusal}")
    if explain:
        print(f"rollout: {collector.name}{''.join(refusals)}")
    return collector
