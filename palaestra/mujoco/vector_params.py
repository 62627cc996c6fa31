"""Params of each episode in a batch of robots: fields of a model for each environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.model_params import ModelParam, Place, common_names, place_of
from gymnasium.params.randomization import NOT_BEGUN, Randomization, Randomizer
from gymnasium.params.targets import target_of
from gymnasium.vector._batch.beginnings import MaskOrIds, SomeOptions
from gymnasium.vector._batch.requests import chosen_ids, options_of, params_for
from gymnasium.vector._batch.shell import Shell
from gymnasium.vector._batch.turns import in_turn
from palaestra.mujoco.batch import Batch


class RobotParams(Shell[NDArray[np.float64], np.ndarray, np.ndarray]):
    """The methods of `MujocoVectorEnv` that set params."""

    _batch: Batch
    _randomizers: list[Randomizer] | None = None

    @in_turn
    def set_reset_options(self, mask_or_ids: MaskOrIds, options: SomeOptions) -> None:
        """Check the options, which have no effect on robots."""
        self._check_idle("set_reset_options")
        options_of(chosen_ids(mask_or_ids, self.num_envs), options)

    @in_turn
    def set_params(self, mask_or_ids: MaskOrIds, params: Mapping[str, object]) -> None:
        """Set fields of the models of some environments; see `VectorEnv`."""
        randomizers = self._randomizers or self._of(Randomization({}))
        for put in self._holding(randomizers, mask_or_ids, params):
            put()
        self._randomizers = randomizers

    @in_turn
    def _check_params(self, mask_or_ids: object, params: Mapping[str, object]) -> None:
        self._holding(self._randomizers or self._of(Randomization({})), mask_or_ids, params)

    def _holding(
        self, randomizers: Sequence[Randomizer], mask_or_ids: object, params: Mapping[str, object]
    ) -> list[Callable[[], None]]:
        """Returns the functions that set params of some environments."""
        self._check_idle("set_params")
        ids = chosen_ids(mask_or_ids, self.num_envs)
        return [randomizers[i].hold(values) for i, values in zip(ids, params_for(ids, params), strict=True)]

    @in_turn
    def _begin_with(self, randomization: Randomization) -> None:
        self._check_idle("RandomizeParams")
        self._randomizers = self._of(randomization)

    def _params_now(self, name: str) -> list[Any]:
        drawn = [None if self._randomizers is None else self._randomizers[i].target(name) for i in range(self.num_envs)]
        return [(known or target_of(_Member(self, self._batch, i), name)).get() for i, known in enumerate(drawn)]

    def _of(self, randomization: Randomization) -> list[Randomizer]:
        members = [_Member(self, self._batch, i) for i in range(self.num_envs)]
        before: Sequence[Randomizer | None] = self._randomizers or [None] * self.num_envs
        return [
            Randomizer(member, randomization, i, self.num_envs, old)
            for i, (member, old) in enumerate(zip(members, before, strict=True))
        ]

    def _begin_params(self, ids: NDArray[np.intp], seeds: Sequence[int | None] | None) -> dict[int, dict[str, Any]]:
        """Set the params of episodes that begin, and return those that there are, by environment."""
        if self._randomizers is None:
            return {}
        begun = {i: self._randomizers[i].begin(None if seeds is None else seeds[i]) for i in ids.tolist()}
        return {i: params for i, params in begun.items() if params}

    def _params_state(self, i: int) -> dict[str, Any] | None:
        return None if self._randomizers is None else self._randomizers[i].get_state()

    def _put_params(self, states: Mapping[int, dict[str, Any] | None], seed: int | None) -> None:
        """Set the params of moments, and continue their streams, or that of a seed.

        Raises:
            ValueError: If they are other params; nothing is set then.
        """
        known = self._randomizers
        if known is None and any(state is not None for state in states.values()):
            self._randomizers = self._of(Randomization({}))
        if self._randomizers is None:
            return
        before = {i: self._randomizers[i].get_state() for i in states}
        try:
            for i, state in states.items():
                self._randomizers[i].set_state(NOT_BEGUN if state is None else state)
        except BaseException:
            for i, state in before.items():
                self._randomizers[i].set_state(state)
            self._randomizers = known
            raise
        if seed is not None:
            for i in states:
                self._randomizers[i].seed(seed)

    def _generator(self, i: int, seed: int | None = None) -> np.random.Generator:
        raise NotImplementedError


class _Member:
    """Environment i of a batch, as far as its params need it: its model and its generator."""

    def __init__(self, envs: RobotParams, batch: Batch, i: int) -> None:
        self._envs = envs
        self._batch = batch
        self._i = i
        self.spec = envs.spec

    @property
    def unwrapped(self) -> _Member:
        """Itself."""
        return self

    @property
    def np_random(self) -> np.random.Generator:
        """The generator."""
        return self._envs._generator(self._i)

    @property
    def np_random_seed(self) -> int:
        """The seed of the generator."""
        seed: int = self._envs.np_random_seed[self._i]  # type: ignore[assignment]  # there is one
        return seed

    def find_param(self, name: str) -> ModelParam | None:
        """Returns a field of its model."""
        place = place_of(self._batch.model(self._i), name)
        return None if place is None else ModelParam(name, place, self)

    def param_names(self) -> list[str]:
        """Returns examples of names."""
        return common_names()

    def read(self, place: Place) -> Any:
        """Returns a part of a field of its model."""
        model = self._batch.model(self._i)
        return np.asarray(getattr(model.opt if place.of_options else model, place.field))[place.part]

    def write(self, place: Place, value: object) -> None:
        """Set a part of a field of its model."""
        self._batch.write(self._i, place, value)

    def settle(self) -> None:
        """Let the engine compute the values that follow."""
        self._batch.settle(np.array([self._i]))
