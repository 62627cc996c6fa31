"""`Rollout`: some steps of a batch of environments as arrays, and its forms for learning."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from gymnasium.vector._batch.trees import Tree, host, mapped
from gymnasium.wrappers.array_conversion import array_conversion, module_name_to_namespace
from palaestra.rollouts import estimates
from palaestra.rollouts.policies import Policy

_Record = TypeVar("_Record", "Rollout", "Transitions")


class FinishedEpisodes(NamedTuple):
    """The k episodes that ended, in the order in which they did; arrays of shape (k,).

    Attributes:
        returns: The sums of their rewards.
        lengths: Their numbers of steps, those of earlier rollouts included.
        envs: Their environments.
        steps: The steps of the rollout that ended them.
    """

    returns: NDArray[np.float64]
    lengths: NDArray[np.int64]
    envs: NDArray[np.int64]
    steps: NDArray[np.int64]


class FinalObservations(NamedTuple):
    """The last observations of k episodes whose environment was reset in the same step.

    Attributes:
        steps: The steps that ended them, shape (k,).
        envs: Their environments, shape (k,).
        observations: Their last observations, shape (k, ...).
    """

    steps: NDArray[np.int64]
    envs: NDArray[np.int64]
    observations: Tree


class Running(NamedTuple):
    """The episodes that had not ended after the last step; arrays of shape (n,).

    Attributes:
        returns: The sums of their rewards so far.
        lengths: Their numbers of steps so far.
        over: Where the next step will only reset, since the episode has ended.
        streams: Where the random streams of a `FuncPolicy` are, shape (n, 5), or, under JAX, its keys; None for another
            policy.
    """

    returns: NDArray[np.float64]
    lengths: NDArray[np.int64]
    over: NDArray[np.bool_]
    streams: NDArray[np.uint64] | None = None


class Transitions(NamedTuple):
    """k transitions in the order of time, those of one step in the order of environments; arrays of shape (k, ...).

    Attributes:
        observations: The observations before the actions.
        actions: The actions.
        rewards: The rewards.
        terminated: Whether the action ended the task.
        truncated: Whether the episode ended with the action, before the task.
        next_observations: The observations after the actions: at the end of an episode its last one, not the first of
            the next episode.
        extras: Further results of the policy, and further columns, by name.
    """

    observations: Tree
    actions: Tree
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    next_observations: Tree
    extras: dict[str, NDArray[Any]]

    def to_torch(self, device: Any = None) -> Transitions:
        """Returns the transitions as tensors, in the same memory unless `device` is another than the host."""
        return _converted(self, "torch", device)

    def to_jax(self) -> Transitions:
        """Returns the transitions as arrays of JAX; see `Rollout.to_jax`."""
        return _converted(self, "jax.numpy", None)


class Rollout(NamedTuple):
    """T steps of n environments, as arrays of shape (T, n, ...): the first axis is time.

    Values of `Dict` and `Tuple` spaces are dicts and tuples of arrays. Values without a fixed shape, such as texts and
    graphs, are arrays of objects. From one program of JAX, the arrays of shape (T, n, ...) are JAX's, in its dtypes.

    In the modes `SAME_STEP` and `DISABLED`, `observations[t + 1]` at the end of an episode is the first observation of
    the next one, and the last one is in `final_observations`. In the mode `NEXT_STEP` it is the last one, the next step
    only resets, and `final_observations` is empty.

    Attributes:
        observations: The observations before each step and after the last, shape (T + 1, n, ...).
        actions: The actions, shape (T, n, ...).
        rewards: The rewards, shape (T, n).
        terminated: Whether the step ended the task, shape (T, n).
        truncated: Whether the step ended the episode before the task, shape (T, n).
        valid: False where the step only reset and its action was ignored, shape (T, n).
        extras: Further results of the policy, by name, shape (T, n, ...).
        final_observations: The last observations that are not in `observations`.
        episodes: The episodes that ended.
        running: The episodes that go on.
    """

    observations: Tree
    actions: Tree
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    valid: NDArray[np.bool_]
    extras: dict[str, NDArray[Any]]
    final_observations: FinalObservations
    episodes: FinishedEpisodes
    running: Running

    def __repr__(self) -> str:
        """Returns the numbers of steps, environments and episodes."""
        steps, n = self.rewards.shape
        return f"<Rollout: {steps} steps of {n} environments, {len(self.episodes.steps)} episodes ended>"

    def flat(self, **columns: Any) -> Transitions:
        """Returns the valid transitions, in new memory.

        Args:
            **columns: Further arrays of shape (T, n, ...), which are added to the extras.

        Raises:
            ValueError: If one has another shape.
        """
        valid = host(self.valid)
        more = {name: host(column) for name, column in columns.items()}
        for name, column in more.items():
            if column.shape[:2] != valid.shape:
                raise ValueError(f"{name} must begin with the axes {valid.shape}, but the shape {column.shape} came")
        chosen = np.flatnonzero(valid)

        def taken(array: Any) -> NDArray[Any]:
            values: NDArray[Any] = host(array)
            return values.reshape(valid.size, *values.shape[2:])[chosen]

        following = mapped(lambda array: taken(host(array)[1:]), self.observations)
        finals = self.final_observations
        if len(finals.steps):
            places = np.cumsum(valid).reshape(valid.shape)[host(finals.steps), host(finals.envs)] - 1
            mapped(lambda array, last: array.__setitem__(places, host(last)), following, finals.observations)
        return Transitions(
            mapped(lambda array: taken(host(array)[:-1]), self.observations),
            mapped(taken, self.actions),
            taken(self.rewards),
            taken(self.terminated),
            taken(self.truncated),
            following,
            {name: taken(column) for name, column in {**self.extras, **more}.items()},
        )

    def gae(
        self,
        gamma: float,
        lambda_: float,
        critic: Policy | None = None,
        *,
        values: Any = None,
        last_values: Any = None,
        final_values: Any = None,
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Returns the generalized advantage of each step and the target of its value, advantage plus value.

        A truncated episode goes on with the value of its last observation, and so does one that has not ended after
        the last step. The mode `NEXT_STEP` needs no critic for truncated episodes, since the policy saw those
        observations. Steps that only reset get 0.

        Args:
            gamma: The discount of a reward one step later.
            lambda_: The weight of longer estimates: 0 for one step, 1 for the whole episode.
            critic: The policy, if its extras have a `value`, or a function of observations that returns values. It is
                called for the last observations and for final observations of truncated episodes, in batches of n.
            values: Of all observations, shape (T, n) or (T + 1, n), with the last ones. None for the extra `value`; if
                there is none, the critic is called for each step.
            last_values: Of the last observations, shape (n,), instead of the critic.
            final_values: Of `final_observations`, shape (k,), instead of the critic.

        Returns:
            `(advantages, targets)` of shape (T, n), computed in float64, in the dtype of the values.

        Raises:
            ValueError: If values are missing, or have another shape.
            TypeError: If the critic returns other values than floats.
        """
        found = estimates.values_of(self, critic, values, last_values, final_values)
        rewards, valid, over = self._ends()
        advantages = estimates.advantages(rewards, valid, over, found, gamma, lambda_)
        targets = np.where(valid, advantages + found.here, 0.0)
        return advantages.astype(found.dtype, copy=False), targets.astype(found.dtype, copy=False)

    def returns(
        self,
        gamma: float,
        critic: Policy | None = None,
        *,
        values: Any = None,
        last_values: Any = None,
        final_values: Any = None,
    ) -> NDArray[np.float64]:
        """Returns the discounted sum of the rewards from each step on, shape (T, n).

        Without a critic or values, the sums end with the episode or with the rollout. With them, truncated episodes,
        and those that have not ended, go on with the value of the last observation. Steps that only reset get 0. For
        arguments and errors, see `gae`.
        """
        rewards, valid, over = self._ends()
        following = np.zeros(rewards.shape)
        if any(given is not None for given in (critic, values, last_values, final_values)):
            following = estimates.values_of(self, critic, values, last_values, final_values).following
        return estimates.discounted_sums(rewards, valid, over, following, gamma)

    def to_torch(self, device: Any = None) -> Rollout:
        """Returns the rollout as tensors, in the same memory unless `device` is another than the host.

        Raises:
            gymnasium.error.DependencyNotInstalled: If PyTorch cannot be imported.
        """
        return _converted(self, "torch", device)

    def to_jax(self) -> Rollout:
        """Returns the rollout as arrays of JAX.

        On the CPU they are in the same memory, except that JAX makes 32 bits of 64, unless it is configured for those.
        JAX takes the memory for constant: do not give this rollout as `out`.

        Raises:
            gymnasium.error.DependencyNotInstalled: If JAX cannot be imported.
        """
        return _converted(self, "jax.numpy", None)

    def _ends(self) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        return host(self.rewards), host(self.valid), host(self.terminated) | host(self.truncated)


def _converted(record: _Record, library: str, device: Any) -> _Record:
    converted: _Record = array_conversion(record, module_name_to_namespace(library), device)
    return converted
