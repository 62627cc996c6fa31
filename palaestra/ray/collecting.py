"""Rollouts where the environments are: each actor collects its part by itself."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np
from typing_extensions import Self

from gymnasium.vector._batch.asking import AsyncState
from gymnasium.vector._batch.trees import Tree, mapped
from gymnasium.vector._batch.turns import Turn, alone
from palaestra.policies import MLP, FuncPolicy, Layer
from palaestra.policies.base import params_of
from palaestra.ray import cluster
from palaestra.ray.batches import own
from palaestra.ray.protocol import ROLLOUT
from palaestra.rollouts.record import FinalObservations, FinishedEpisodes, Rollout, Running


class Start(NamedTuple):
    """Where some environments begin a rollout: their observations, and the episodes that run."""

    observations: Tree
    running: Running

    def of(self, envs: range) -> Start:
        """Returns the start of some of the environments, in new memory, since a journal may keep it."""
        rows = slice(envs.start, envs.stop)
        returns, lengths, over, streams = self.running
        part: Start = own(
            Start(
                mapped(lambda array: array[rows], self.observations),
                Running(returns[rows], lengths[rows], over[rows], None if streams is None else streams[rows]),
            )
        )
        return part

    def as_rollout(self) -> Rollout:
        """Returns a rollout of no steps, from which another goes on."""
        n = len(self.running.over)
        none, flags, ids = np.zeros((0, n)), np.zeros((0, n), np.bool_), np.zeros(0, np.int64)
        observations = mapped(lambda array: array[None], self.observations)
        finals = FinalObservations(ids, ids, None)
        episodes = FinishedEpisodes(np.zeros(0), ids, ids, ids)
        return Rollout(observations, None, none, flags, flags, flags, {}, finals, episodes, self.running)


def end_of(rollout: Rollout) -> Start:
    """Returns where the rollout after this one begins."""
    return Start(mapped(lambda array: array[-1], rollout.observations), rollout.running)


class Weights:
    """A policy in the object store: one for all actors, or with the params of each environment one for each.

    Args:
        policy: The policy, as it is now.
        shares: The environments of each actor.
    """

    def __init__(self, policy: object, shares: Sequence[range]) -> None:
        n = shares[-1].stop
        if isinstance(policy, FuncPolicy) and isinstance(policy.params, list):
            each = params_of(policy, n)
            self._refs = [_put(_with_params(policy, each[envs.start : envs.stop])) for envs in shares]
        else:
            self._refs = [_put(_weights_of(policy) if type(policy) is MLP else policy)] * len(shares)

    def __getitem__(self, index: int) -> list[Any]:
        """Returns the reference for an actor, alone in a list, which Ray passes on as it is."""
        return [self._refs[index]]


def _put(policy: object) -> Any:
    import cloudpickle  # here, because only rollouts need it

    return cluster.put(cloudpickle.dumps(policy))  # pickled, since arrays in the object store are read-only


def _weights_of(policy: MLP) -> MLP:
    """Returns a network with the weights of now, without the modules they come from, which a node may not have."""
    policy.refresh()
    actor, critic = (
        [Layer(each.weights.T, each.bias, each.activation) for each in layers]
        for layers in (policy.actor, policy.critic)
    )
    return MLP(
        actor,
        critic or None,
        action_space=policy.action_space,
        log_std=None if policy.normals is None else policy.normals.log_std,
        deterministic=policy.deterministic,
        clip=policy.clip,
        seed=policy.seed,
    )


def _with_params(policy: FuncPolicy, params: list[Any]) -> FuncPolicy:
    one = copy(policy)
    one.params = params
    return one


def collected(envs: Any, policy: object, steps: int, start: Start) -> list[tuple[range, Rollout]]:
    """Returns the rollouts of all actors with their environments; `_collect` of `RayVectorEnv`."""
    envs._check_ready("rollout")
    workers = envs._supervisor.workers
    weights = Weights(policy, [worker.envs for worker in workers])
    contents = {k: (weights[k], steps, start.of(worker.envs)) for k, worker in enumerate(workers)}
    envs._reset_needed = True
    envs._ask(AsyncState.WAITING_CALL, ROLLOUT, contents)
    parts = envs._wait(AsyncState.WAITING_CALL, None, "rollout")
    envs._reset_needed = False
    return [(worker.envs, parts[worker.index]) for worker in workers]


class RolloutPart(NamedTuple):
    """The rollout of one actor.

    Attributes:
        rollout: The rollout of its environments.
        envs: Their indices.
        version: The version of the policy that made it: the number of updates before.
    """

    rollout: Rollout
    envs: range
    version: int


class AsyncRollouts:
    """Rollouts of the actors, as they come. Made by `RayVectorEnv.async_rollouts`, which documents it."""

    def __init__(self, envs: Any, policy: object, steps: int, in_flight: int, start: Start) -> None:
        self._envs, self._steps = envs, steps
        self._sole: Turn = envs._sole
        self._shares = [worker.envs for worker in envs._supervisor.workers]
        self.version = -1
        self._versions: dict[tuple[int, int], int] = {}
        self.update(policy)
        for turn in range(in_flight):
            for k, share in enumerate(self._shares):
                self._ask(k, start.of(share) if turn == 0 else None)

    @alone
    def update(self, policy: Any) -> None:
        """Let the rollouts that are asked for from now on be made by this policy, as it is now."""
        self._weights = Weights(policy, self._shares)
        self.version += 1

    def _ask(self, index: int, start: Start | None) -> None:
        supervisor = self._envs._supervisor
        number = supervisor.workers[index].ask(ROLLOUT, (self._weights[index], self._steps, start))
        supervisor.in_flight[index, number] = list(self._shares[index])
        self._versions[index, number] = self.version

    def __iter__(self) -> Self:
        return self

    @alone
    def __next__(self) -> RolloutPart:
        """Returns the next part that is done; its actor has another to do by then.

        Raises:
            StopIteration: After `close`.
            multiprocessing.TimeoutError: If the vector environment has a timeout, and it is over.
        """
        envs = self._envs
        if envs.closed or envs._collecting is not self:
            raise StopIteration
        supervisor = envs._supervisor
        try:
            envs._await_landed(1, envs.timeout, "rollouts")
        except BaseException:
            self.close()
            raise
        index, number = supervisor.completed.pop(0)
        del supervisor.in_flight[index, number]
        rollout = own(supervisor.workers[index].values.pop(number))
        version = self._versions.pop((index, number))
        self._ask(index, None)
        return RolloutPart(rollout, self._shares[index], version)

    @alone
    def close(self) -> None:
        """End the collection: rollouts under way are dropped, and the environments need a reset."""
        envs = self._envs
        if envs._collecting is not self:
            return
        envs._collecting, envs._reset_needed = None, True
        envs._supervisor.in_flight.clear()
        envs._supervisor.completed.clear()
        for worker in envs._supervisor.workers:
            worker.drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
