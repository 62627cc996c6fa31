"""Environments of a batch that are stepped together, in one call, where their class can do that.

Such a class has an attribute `_batch_stepper` of its own, which makes a `BatchStepper`. Subclasses do not inherit it,
since they may step in another way. Of the wrappers around the environments, those of `make` are known, and
`RecordEpisodeStatistics` around them; any other excludes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

from gymnasium.core import Env, Wrapper
from gymnasium.vector._batch.layers import class_name
from gymnasium.vector._batch.member import Member

_LIMIT: Final = "gymnasium.wrappers.common:TimeLimit"
_STATISTICS: Final = "gymnasium.wrappers.common:RecordEpisodeStatistics"
# The attribute of each known wrapper that is set once its `step` only passes on, or counts; it remains set.
_PASSIVE_ONCE: Final = {
    _LIMIT: "_elapsed_steps",
    _STATISTICS: "episode_lengths",
    "gymnasium.wrappers.common:OrderEnforcing": "_has_reset",
    "gymnasium.wrappers.common:PassiveEnvChecker": "checked_data_reuse",
}

Failed = Callable[[int, BaseException], None]


class BatchStepper(Protocol):
    """Steps environments of one class in one call.

    Attributes:
        observations: Of the steps taken, shape (n, ...).
        rewards: Likewise, float64, shape (n,).
        terminations: Likewise, bool, shape (n,).
    """

    observations: np.ndarray
    rewards: NDArray[np.float64]
    terminations: NDArray[np.bool_]

    def include(self, i: int) -> bool:
        """Let environment i take part from now on, if it can; to be called again after anybody else has used it."""

    def exclude(self, i: int) -> None:
        """Leave environment i out from now on."""

    def step(self, actions: np.ndarray) -> NDArray[np.bool_]:
        """Step the environments that take part, and can; returns which did. Raises nothing."""


class Together:
    """Steps the members of a batch: together those that are ready for it, the others alone.

    Attributes:
        truncations: Of the last step, bool, shape (n,). The other results are those of the stepper.
        stepper: Steps the environments.
    """

    def __init__(self, members: Sequence[Member], stepper: BatchStepper) -> None:
        self.stepper = stepper
        self.truncations = np.zeros(len(members), np.bool_)
        self._members = members
        self._layers = [_layers(member.env) for member in members]
        self._links = [[(vars(layer), layer.env) for layer in layers] for layers in self._layers]
        self._limits, self._statistics = (
            [(i, layer) for i, layers in enumerate(self._layers) for layer in layers[::-1] if _name(layer) == name]
            for name in (_LIMIT, _STATISTICS)
        )
        self._is_passive = [False] * len(members)

    @classmethod
    def of(cls, members: Sequence[Member], observations: Any) -> Self | None:
        """Returns the members as a batch that steps together; None if they, or their wrappers, cannot.

        Args:
            members: The members.
            observations: Where their observations are needed: an array of shape (n, ...), or anything else.
        """
        envs = [member.env.unwrapped for member in members]
        kind = type(envs[0])
        alike = all(type(env) is kind for env in envs) and all(type(member) is Member for member in members)
        if not alike or "_batch_stepper" not in vars(kind):
            return None
        if not all(_are_known([_name(layer) for layer in _layers(member.env)]) for member in members):
            return None
        stepper: BatchStepper = vars(kind)["_batch_stepper"].__get__(None, kind)(envs)
        of_array = isinstance(observations, np.ndarray) and observations.dtype == stepper.observations.dtype
        return cls(members, stepper) if of_array and observations.shape[1:] == stepper.observations.shape[1:] else None

    def look(self) -> None:
        """Find out who is ready; to be called after anybody else has used the environments."""
        for i in range(len(self._members)):
            self._look_at(i)

    def _look_at(self, i: int) -> None:
        ready = not self._members[i].finished and self._is_passive[i]
        for attributes, inner in self._links[i]:
            ready = ready and attributes["env"] is inner and "step" not in attributes
        if not (ready and self.stepper.include(i)):
            self.stepper.exclude(i)

    def step(self, actions: np.ndarray, failed: Failed) -> dict[int, dict[str, Any]]:
        """Step every member; returns the infos that are not empty.

        Args:
            actions: A checked batch in the dtype of the space.
            failed: Called with a member's place and its exception; its results are undefined then.
        """
        stepper, truncations = self.stepper, self.truncations
        infos: dict[int, dict[str, Any]] = {}
        stepped = stepper.step(actions)
        truncations[:] = False
        taken = stepped.tolist()
        self._count(taken, failed)
        for i in np.flatnonzero((stepper.terminations | truncations) & taken).tolist():
            self._tried(self._end, i, None, infos, failed)
        for i in np.flatnonzero(~stepped).tolist():
            self._tried(self._step_alone, i, actions[i].copy(), infos, failed)  # it may keep its action
        return dict(sorted(infos.items()))

    def _count(self, taken: list[bool], failed: Failed) -> None:
        """Count the steps in the wrappers of those that have taken one; who raises is no longer among them."""
        rewards = self.stepper.rewards.tolist() if self._statistics else []
        for i, limit in self._limits:
            try:
                if taken[i]:
                    elapsed = limit._elapsed_steps = limit._elapsed_steps + 1
                    if elapsed >= limit._max_episode_steps:
                        self.truncations[i] = True
            except Exception as error:  # somebody has set an attribute to anything
                taken[i] = False
                failed(i, error)
        for i, statistics in self._statistics:
            try:
                if taken[i]:
                    statistics.episode_returns += rewards[i]
                    statistics.episode_lengths += 1
            except Exception as error:
                taken[i] = False
                failed(i, error)

    def _tried(
        self, do: Callable[[int, Any], dict[str, Any]], i: int, action: object, infos: dict[int, Any], failed: Failed
    ) -> None:
        try:
            info = do(i, action)
        except BaseException as error:
            failed(i, error)
            return
        finally:
            self._is_passive[i] = all(map(_is_passive, self._layers[i]))
            self._look_at(i)
        if info:
            infos[i] = info

    def _end(self, i: int, action: object) -> dict[str, Any]:
        """End the episode of a member that was stepped together with others."""
        observations, info = self.stepper.observations, dict[str, Any]()
        for layer in reversed(self._layers[i]):
            if _name(layer) == _STATISTICS:
                info = layer._with_statistics(info)
        observations[i], info = self._members[i].end(observations[i].copy(), info)
        return info

    def _step_alone(self, i: int, action: object) -> dict[str, Any]:
        observation, reward, terminated, truncated, info = self._members[i].step(action)
        stepper = self.stepper
        stepper.observations[i], stepper.rewards[i] = observation, reward
        stepper.terminations[i], self.truncations[i] = terminated, truncated
        return info


def _layers(env: Env) -> list[Any]:
    """Returns the wrappers around an environment, the outermost first."""
    layers: list[Any] = []
    while isinstance(env, Wrapper):
        layers.append(env)
        env = env.env
    return layers


def _are_known(names: list[str]) -> bool:
    """Whether the wrappers around an environment, the outermost first, are known, and statistics see every limit."""
    limited = names[names.index(_LIMIT) :] if _LIMIT in names else []
    return all(name in _PASSIVE_ONCE for name in names) and _STATISTICS not in limited


def _name(layer: object) -> str:
    return class_name(type(layer))


def _is_passive(layer: Any) -> bool:
    value = getattr(layer, _PASSIVE_ONCE[_name(layer)])
    return value is not None and value is not False  # a count of 0 is set
