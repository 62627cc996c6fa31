"""The results of a policy, checked before any environment moves, and kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.error import ActionOutsideSpace
from gymnasium.spaces import Space
from gymnasium.spaces.batching import create_empty_array
from gymnasium.vector._batch.actions import action_checker
from gymnasium.vector._batch.trees import Tree, empty, host, leaves, mapped
from palaestra.rollouts.policies import Extras
from palaestra.rollouts.series import Series, batch_of, check_memory

_REAL = "biufc"  # kinds of dtypes of extras


class Decisions:
    """The actions and extras of all steps.

    The first result of a policy shows the names, shapes and dtypes of its extras, which later results must have too.

    Args:
        space: The space of one action.
        n: The number of environments.
        steps: The number of steps.
        out: The actions and the extras of an earlier rollout, whose memory is used; None for new memory.
    """

    def __init__(self, space: Space[Any], n: int, steps: int, out: tuple[Tree, dict[str, Any]] | None) -> None:
        self._space, self._n, self._steps, self._out = space, n, steps, out
        self._check = action_checker(space, any_integers=True)
        self._actions: Series | None = None
        self._plain: NDArray[Any] | None = None
        self.extras: dict[str, NDArray[Any]] = {}

    @property
    def actions(self) -> Tree:
        """The actions, a tree of arrays of shape (steps, n, ...); None before the first result."""
        return None if self._actions is None else self._actions.arrays

    def take(self, t: int, rows: slice, count: int, actions: Any, extras: Extras) -> Any:
        """Keep the result of step `t` for `count` environments, and return the actions as the environments take them.

        Raises:
            TypeError, ValueError, gymnasium.error.ActionOutsideSpace: If it is refused; nothing is kept then.
        """
        actions = actions if type(actions) is np.ndarray else _on_host(actions)
        kept = self._known(actions, count)
        if kept is None:
            kept = self._checked(actions, count)
        if self._actions is None:
            arrays = _first_extras(extras, count)
            self._begin(kept, count, arrays)
        else:
            arrays = self._checked_extras(t, count, extras)
        for name, array in self.extras.items():
            array[t, rows] = arrays[name]
        if self._plain is not None:
            self._plain[t, rows] = kept
        elif self._actions is not None:
            self._actions.of(rows).put(t, kept)
        return actions if isinstance(kept, list) else kept

    def reserve(self, actions: NDArray[Any], extras: dict[str, NDArray[Any]]) -> None:
        """Take the memory for actions and extras of the form of these, of all environments."""
        self._begin(actions, self._n, extras)

    def _known(self, actions: Any, count: int) -> NDArray[Any] | None:
        """Returns actions of the form of earlier ones, as far as that is enough to know of them; else None."""
        plain = self._plain
        if plain is None or type(actions) is not np.ndarray or actions.shape != (count, *plain.shape[2:]):
            return None
        if actions.dtype != plain.dtype:
            if not (actions.dtype.kind == plain.dtype.kind == "f"):
                return None
            with np.errstate(over="ignore"):  # infinite, which is refused
                actions = actions.astype(plain.dtype)
        known: NDArray[Any] = actions
        check_actions(known, self._space)
        return known

    def _checked(self, actions: Any, count: int) -> Tree:
        """Returns actions of the dtypes of the space."""
        checked = self._check(actions, count)
        if isinstance(checked, list):
            return checked
        batch = batch_of(self._space, checked, count, "actions")
        like = batch_of(self._space, create_empty_array(self._space, count), count, "actions")
        with np.errstate(over="ignore"):  # infinite, which is refused
            batch = mapped(lambda array, wanted: array.astype(wanted.dtype, copy=False), batch, like)
        for _, array in leaves(batch, "actions"):
            check_actions(array, self._space)
        return batch

    def _begin(self, actions: Tree, count: int, found: dict[str, NDArray[Any]]) -> None:
        """Take the memory for actions and extras like these."""
        batch = batch_of(self._space, actions, count, "actions")
        actions_out, extras_out = (None, None) if self._out is None else self._out
        memory = Series.for_batch(batch, self._steps, "actions", self._n, actions_out)
        shape = self._steps, self._n
        if extras_out is None:
            self.extras = {name: empty((*shape, *one.shape[1:]), one.dtype) for name, one in found.items()}
        else:
            wanted = {name: ((*shape, *one.shape[1:]), one.dtype) for name, one in found.items()}
            check_memory(wanted, {name: (array.shape, array.dtype) for name, array in extras_out.items()})
            self.extras = extras_out
        self._actions = memory
        if type(memory.arrays) is np.ndarray and not memory.arrays.dtype.hasobject:
            self._plain = memory.arrays

    def _checked_extras(self, t: int, count: int, extras: Extras) -> dict[str, NDArray[Any]]:
        """Returns extras of the form of the first."""
        if extras.keys() != self.extras.keys():
            raise ValueError(
                f"The policy must return the same extras at every step: at first {list(self.extras)}, but "
                f"{list(extras)} at step {t}"
            )
        arrays = {name: host(value) for name, value in extras.items()}
        for name, array in self.extras.items():
            value = arrays[name]
            if value.shape != (count, *array.shape[2:]) or value.dtype != array.dtype:
                raise ValueError(
                    f"The policy's extra {name!r} was {array.dtype} of the shape {(count, *array.shape[2:])}, but at "
                    f"step {t} it is {value.dtype} of the shape {value.shape}"
                )
            check_extra(name, value)
        return arrays


def _on_host(actions: Any) -> Any:
    """Returns actions with the arrays of other libraries as NumPy's."""
    if isinstance(actions, Mapping):
        return {key: _on_host(part) for key, part in actions.items()}
    if isinstance(actions, tuple):
        parts = map(_on_host, actions)
        return type(actions)(*parts) if hasattr(actions, "_fields") else tuple(parts)
    return host(actions) if hasattr(actions, "__array__") and not isinstance(actions, np.generic) else actions


def _first_extras(extras: Extras, count: int) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {}
    for name, value in extras.items():
        if not isinstance(name, str):
            raise TypeError(f"The policy's extras must be named by strings, but one is named {name!r}")
        array = host(value)
        if array.shape[:1] != (count,):
            raise ValueError(
                f"The policy's extra {name!r} must have the shape {(count, '...')}: one row for each environment; but "
                f"one of {array.shape} came".replace("'...'", "...")
            )
        if array.dtype.kind not in _REAL:
            raise TypeError(f"The policy's extra {name!r} must be an array of numbers, but {array.dtype} came")
        check_extra(name, array)
        found[name] = array
    return found


def check_extra(name: str, array: NDArray[Any]) -> None:
    """Raise `ValueError` if an extra is NaN."""
    if array.dtype.kind in "fc" and not np.logical_and.reduce(np.isfinite(array), None):
        nan = np.isnan(array)  # infinite ones may be meant, as the logits of forbidden actions are
        if nan.any():
            raise ValueError(f"The policy's extra {name!r} is NaN in the rows {_rows(nan)}")


def check_actions(array: NDArray[Any], space: Space[Any]) -> None:
    """Raise `ActionOutsideSpace` if an action is not finite."""
    if array.dtype.kind == "f":
        finite = np.isfinite(array)
        if not np.logical_and.reduce(finite, None):
            rows = _rows(~finite)
            raise ActionOutsideSpace(
                f"The policy's actions of {space} must be finite, but those of the rows {rows} are {array[rows]}"
            )


def _rows(mask: NDArray[np.bool_]) -> list[int]:
    return np.flatnonzero(mask.reshape(len(mask), -1).any(axis=1)).tolist()
