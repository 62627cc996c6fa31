"""The methods of a batch under JAX that set how its episodes begin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs._jax.batch import Batch, BatchRunner
from gymnasium.envs._jax.keys import stream_key
from gymnasium.envs._jax.library import jax
from gymnasium.envs._jax.own_params import Own, SharedParams, continuing, own_params, values_of, with_columns, with_held
from gymnasium.envs._jax.params import NO_OPTIONS
from gymnasium.envs._jax.program import Program, on_numpy
from gymnasium.functional.func_env import FuncEnv
from gymnasium.params.randomization import Randomization
from gymnasium.vector._batch.beginnings import MaskOrIds
from gymnasium.vector._batch.requests import chosen_rows, several_of
from gymnasium.vector._batch.turns import in_turn
from gymnasium.vector.vector_env import AutoresetMode, VectorEnv


class JaxBeginnings(VectorEnv[Any, Any, jax.Array]):
    """The methods of a batch under JAX that set how its episodes begin.

    Attributes:
        runner: The functions that reset and step the environments.
    """

    _others = NO_OPTIONS
    func_env: FuncEnv
    params: Any
    batch: Batch | None
    autoreset_mode: AutoresetMode
    time_limit: int
    _own: Own | None  # before the first reset; then it is in the batch
    _randomization: Randomization | None

    @property
    def rng(self) -> jax.Array:
        """The key of all randomness to come."""
        raise NotImplementedError

    @property
    def own(self) -> Own | None:
        """The params that environments have of their own; None if all have the same."""
        return self._own if self.batch is None else self.batch.own

    @property
    def drawn_params(self) -> tuple[str, ...]:
        """The names of the params that are drawn for each episode."""
        return () if self._randomization is None else self._randomization.names

    def _runner_of(self, randomization: Randomization | None, params: object) -> BatchRunner:
        return BatchRunner(
            self.func_env,
            self.num_envs,
            max_episode_steps=self.time_limit or None,
            autoreset_mode=self.autoreset_mode.value,
            params=params,
            randomize=randomization,
        )

    def _run(self, runner: BatchRunner) -> None:
        self.runner, self._usual_now = runner, runner.usual
        self._reset_all = Program(lambda key, own, params: runner.reset(key, params, own))
        self._reset_rows, self._advance_all = Program(runner.reset_rows), Program(runner.step)

    @in_turn
    def set_params(self, mask_or_ids: MaskOrIds, params: Mapping[str, object]) -> None:
        """Set params of some environments, which keep them; see `VectorEnv`."""
        ids, values = self._checked_params(mask_or_ids, params)
        own = self.own or own_params(self._usual(), self._stream_key(), self.num_envs, ())
        self._put_own(with_held(with_columns(own, self._usual(), tuple(values)), ids, values))

    @in_turn
    def _check_params(self, mask_or_ids: MaskOrIds, params: Mapping[str, object]) -> None:
        self._checked_params(mask_or_ids, params)

    def _checked_params(
        self, mask_or_ids: MaskOrIds, params: Mapping[str, object]
    ) -> tuple[NDArray[np.intp], dict[str, NDArray[Any]]]:
        """Returns these environments, and the values in the dtypes of the params."""
        ids = chosen_rows(on_numpy(mask_or_ids), self.num_envs)
        if isinstance(params, Mapping):
            params = {name: on_numpy(value) for name, value in params.items()}
        several_of(len(ids), params)
        for name in params:
            if name in self.drawn_params:
                raise ValueError(f"{name!r} is drawn at each episode: it cannot be set")
        return ids, self._usual().checked(params)

    def _params_now(self, name: str) -> Any:
        if self.own is not None and name in self.own.values:
            return values_of(self.own, self.params)[name]
        return self._usual().column(name, self.num_envs)

    @in_turn
    def _begin_with(self, randomization: Randomization) -> None:
        if self._randomization is not None:
            raise ValueError(
                f"The params {', '.join(self.drawn_params)} are drawn already: name all in one RandomizeParams"
            )
        runner, before = self._runner_of(randomization, self.params), (self.runner, self.own)
        own = own_params(runner.usual, self._stream_key(), self.num_envs, randomization.names)
        self._run(runner)
        self._put_own(own if before[1] is None else continuing(own, before[1]))
        try:
            self._check_traceable()
        except BaseException:
            self._run(before[0])
            self._put_own(before[1])
            raise
        self._randomization, self._scaled = randomization, self.params

    def _usual(self) -> SharedParams:
        """The params of the environments that have none of their own."""
        if self._usual_now.params is not self.params:
            self._usual_now = SharedParams(self.runner.dynamics, self.params)
        return self._usual_now

    def _stream_key(self) -> jax.Array:
        return stream_key(self._np_random_seed, self.rng)

    def _put_own(self, own: Own | None) -> None:
        if self.batch is None:
            self._own = own
        else:
            self.batch = self.batch._replace(own=own)

    def _check_traceable(self) -> None:
        """Raise TypeError if the programs cannot be traced."""
        raise NotImplementedError
