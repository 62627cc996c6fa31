"""What the episodes of a batch begin with: the methods of a `VectorEnv` that set params and options beforehand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gymnasium._extensions import is_own_module
from gymnasium.params.randomization import Randomization
from gymnasium.vector._batch.counting import Counts, OwnCounts

MaskOrIds: TypeAlias = NDArray[np.bool_] | NDArray[np.integer] | Sequence[int]
SomeOptions: TypeAlias = dict[str, Any] | Sequence[dict[str, Any] | None] | None

# The names under which workers are asked to set these; no attribute has them.
CHECK: Final = "<params, not yet>"  # a `Randomization` of the worker's environments, which is only checked
DRAW: Final = "<params>"  # the same, which then counts
HOLD: Final = "<params of some>"  # for each environment a dict of params, or None
OPTIONS: Final = "<options>"  # for each environment a tuple of the options, or None
CHECK_HOLD: Final = "<params of some, not yet>"  # as HOLD, but only checked
CHECK_OPTIONS: Final = "<options, not yet>"  # as OPTIONS, but only checked
CHECKS: Final = frozenset((CHECK, CHECK_HOLD, CHECK_OPTIONS))
OF_EACH: Final = frozenset((HOLD, OPTIONS, CHECK_HOLD, CHECK_OPTIONS))
NAMES: Final = OF_EACH | {CHECK, DRAW}


def joined_params(earlier: Sequence[Any], later: Sequence[Any]) -> list[dict[str, Any] | None]:
    """Returns the values under HOLD that set what these set one after the other."""
    return [{**(old or {}), **(new or {})} or None for old, new in zip(earlier, later, strict=True)]


_OTHERS: Final = 'make the batch with the vectorization_mode "sync", "async", "ray" or, of dynamics, "compiled"'


class Beginnings:
    """Refuses all, for batches that cannot do it."""

    _others: ClassVar[str] = _OTHERS  # what to do instead
    num_envs: int
    step: Callable[[Any], Any]

    def set_reset_options(
        self,
        mask_or_ids: MaskOrIds,
        options: SomeOptions,
    ) -> None:
        """Set the options of the next reset of some environments, by autoreset or by `reset` without options.

        Palaestra only. They are used once; a `reset` with options of its own drops them. Environments of dynamics are
        asked at once whether they take them, compiled ones and others without wrappers of the user's; the rest at that
        reset.

        Args:
            mask_or_ids: The environments: a bool array of shape (n,), or their indices.
            options: A dict for all of them, or a sequence of one dict or None for each.

        Raises:
            TypeError: If the batch cannot do it, or for options that are neither.
            ValueError: For environments that do not exist, or another number of options. Nothing is set then, nor if
                one of the environments refuses its options.
        """
        raise TypeError(f"{type(self).__name__} does not take options for a later reset: {self._others}")

    def set_params(
        self,
        mask_or_ids: MaskOrIds,
        params: Mapping[str, object],
    ) -> None:
        """Set params of some environments, which keep them; for names see `palaestra.randomization.RandomizeParams`.

        Palaestra only. They count from the next step on, and are in `infos["params"]` at each reset.

        Args:
            mask_or_ids: The environments: a bool array of shape (n,), or their indices.
            params: By name, an array or list with a value for each of them, or a value for all.

        Raises:
            TypeError: If the batch cannot do it, or a value is of another kind, or a distribution.
            ValueError: If there is no such environment or param, an array has another length, or an environment
                refuses a value. Nothing is set then.
        """
        raise TypeError(f"{type(self).__name__} cannot set params of some environments: {self._others}")

    def _check_params(self, mask_or_ids: MaskOrIds, params: Mapping[str, object]) -> None:
        """Raise the errors of `set_params`."""

    def _begin_with(self, randomization: Randomization) -> None:
        """Draw params at the beginning of each episode from now on.

        Raises:
            TypeError, ValueError: If the batch cannot do it, or an environment has no such params, or refuses them.
                Nothing has changed then.
        """
        raise TypeError(f"{type(self).__name__} cannot draw params for each episode: {self._others}")

    def _params_now(self, name: str) -> Sequence[Any] | NDArray[Any] | None:
        """Returns the present value of a param in each environment; None if that cannot be read at once."""
        return None

    def _check_step(self, actions: object) -> None:
        """Raise the errors that `step` would raise before anything moves; for None, those of any actions."""

    def _check_reset_with(self, seed: object, options: object) -> None:
        """Raise the errors that `reset` would raise before anything moves."""

    def _step_after(self, actions: Any, ask: Callable[[], None]) -> Any:
        """Returns the results of `step`, and calls `ask` as soon as nothing can be refused, before anything moves."""
        self._check_step(actions)
        ask()
        return self.step(actions)

    def _count_episodes(self) -> Counts:
        """Returns counts of the episodes from now on."""
        return OwnCounts(self.num_envs)


class PassedBeginnings(Beginnings):
    """Passes all on to the batch inside a wrapper."""

    env: Any  # the `VectorEnv` inside

    def set_reset_options(self, mask_or_ids: MaskOrIds, options: SomeOptions) -> None:
        """Set the options of the next reset of some of the inner environments."""
        self.env.set_reset_options(mask_or_ids, options)

    def set_params(self, mask_or_ids: MaskOrIds, params: Mapping[str, object]) -> None:
        """Set params of some of the inner environments."""
        self.env.set_params(mask_or_ids, params)

    def _check_params(self, mask_or_ids: MaskOrIds, params: Mapping[str, object]) -> None:
        self.env._check_params(mask_or_ids, params)

    def _begin_with(self, randomization: Randomization) -> None:
        self.env._begin_with(randomization)

    def _params_now(self, name: str) -> Sequence[Any] | NDArray[Any] | None:
        values: Sequence[Any] | NDArray[Any] | None = self.env._params_now(name)
        return values

    def _check_step(self, actions: object) -> None:
        passes_on = is_own_module(type(self).__module__) and not hasattr(self, "actions")
        self.env._check_step(actions if passes_on else None)

    def _check_reset_with(self, seed: object, options: object) -> None:
        self.env._check_reset_with(seed, options)
