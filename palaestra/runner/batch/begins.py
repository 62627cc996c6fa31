"""The methods of a compiled batch that set how its episodes begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.params.randomization import Randomization
from gymnasium.vector._batch.beginnings import MaskOrIds, SomeOptions
from gymnasium.vector._batch.counting import Counts
from gymnasium.vector._batch.requests import chosen_ids, chosen_rows, options_of, several_of
from gymnasium.vector._batch.shell import Shell
from gymnasium.vector._batch.turns import in_turn
from palaestra.runner.batch.counting import KernelCounts

if TYPE_CHECKING:
    from palaestra.runner.batch.beginnings import Beginning
    from palaestra.runner.kernels.runner import Runner


class CompiledBeginnings(Shell[Any, Any, NDArray[Any]]):
    """The methods of a compiled batch that set how its episodes begin."""

    _beginning: Beginning
    _runner: Runner
    _form: tuple[np.dtype[Any], tuple[int, ...]]  # of a batch of actions
    _tried: bool
    _silent: bool  # whether no step has infos

    @in_turn
    def set_reset_options(self, mask_or_ids: MaskOrIds, options: SomeOptions) -> None:
        """Set the options of the next reset of some environments; see `VectorEnv`.

        Raises the exception of `reset` for options that the environments do not take; nothing is set then.
        """
        self._check_idle("set_reset_options")
        ids = chosen_ids(mask_or_ids, self.num_envs)
        self._beginning.wait(ids, options_of(ids, options))

    def _try_options(self, options: Mapping[int, dict[str, Any] | None]) -> None:
        self._beginning.started(options)

    @in_turn
    def _check_step(self, actions: object) -> None:
        self._trust(actions)
        self._runner.distrust()

    def _trust(self, actions: Any) -> None:
        """Check a step; the next one does not check these actions again."""
        if self.closed or self._reset_needed or self._in_flight():
            self._check_ready("step")
        dtype, shape = self._form
        plain = type(actions) is np.ndarray and actions.dtype is dtype and actions.shape == shape
        if actions is not None and not (plain and actions.flags.carray and self._runner.takes(actions)):
            self._check_actions(actions, self.num_envs)

    @in_turn
    def _step_after(self, actions: Any, ask: Callable[[], None]) -> Any:
        self._trust(actions)
        try:
            ask()
            return self.step(actions)
        except BaseException:
            self._runner.distrust()
            raise

    @in_turn
    def _count_episodes(self) -> Counts:
        taken = self._runner.memory.counts is not None
        return super()._count_episodes() if taken else KernelCounts(self)

    @in_turn
    def set_params(self, mask_or_ids: MaskOrIds, params: Mapping[str, object]) -> None:
        """Set params of some environments; see `VectorEnv`."""
        self._check_idle("set_params")
        ids = chosen_rows(mask_or_ids, self.num_envs)
        several_of(len(ids), params)
        before = self._beginning.memory
        self._beginning.hold(ids, params)
        self._tried &= self._beginning.memory is before  # other kernels are tried anew
        self._silent = False

    @in_turn
    def _check_params(self, mask_or_ids: MaskOrIds, params: Mapping[str, object]) -> None:
        self._check_idle("set_params")
        several_of(len(chosen_rows(mask_or_ids, self.num_envs)), params)
        self._beginning.check(params)

    def _params_now(self, name: str) -> NDArray[Any] | list[Any]:
        return self._beginning.now(name)

    @in_turn
    def _begin_with(self, randomization: Randomization) -> None:
        self._check_idle("RandomizeParams")
        self._beginning.draw(randomization)
        self._tried = self._silent = False
