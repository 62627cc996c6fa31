"""A batch of actions, checked as a whole before any environment moves, and split into one action per environment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from gymnasium.error import ActionOutsideSpace
from gymnasium.functional.boundary import casts
from gymnasium.spaces import (
    Box,
    Dict,
    Discrete,
    Graph,
    MultiBinary,
    MultiDiscrete,
    OneOf,
    Sequence,
    Space,
    Text,
    Tuple,
)
from gymnasium.spaces.batching import batch_space, iterate
from gymnasium.spaces.outside import NAN

Checker: TypeAlias = Callable[[Any, int], Any]

_KINDS = (Box, Dict, Discrete, Graph, MultiBinary, MultiDiscrete, OneOf, Sequence, Text, Tuple)
_KNOWN = {kind.contains for kind in _KINDS}


def action_checker(space: Space, any_integers: bool = False) -> Checker:
    """Returns the function that checks a batch of n actions of `space`: `checked(actions, n)`.

    Integers may have a dtype that casts safely to the space's or to int64, or with `any_integers` any dtype.

    It returns the batch as an array of shape (n, ...) for an array space, in the dtype of the input; as a tuple or dict
    of batches for a `Tuple` or `Dict`; and as a list of n actions for any other space. `split_actions` takes the
    result. Components beyond the bounds of a Box pass, because environments clip them. Only the environment knows the
    actions of a custom space, so these are counted and passed on. The function raises

    - `TypeError` for an object that is not a batch,
    - `ValueError` for a batch of another length or shape,
    - `ActionOutsideSpace` for values of the wrong kind, NaN, and discrete values out of range, with their rows.
    """
    if not knows_its_values(space):
        return _CustomChecker(space)
    if isinstance(space, Box):
        return _ArrayChecker(space, "biuf" if space.dtype.kind == "f" else "biu")
    if isinstance(space, (Discrete, MultiDiscrete, MultiBinary)):
        kinds = {Discrete: "iu", MultiDiscrete: "biu", MultiBinary: "biuf"}
        taken = next(kinds[kind] for kind in kinds if isinstance(space, kind))
        return _ArrayChecker(space, taken, *_bounds(space), any_integers or isinstance(space, MultiBinary))
    if isinstance(space, Tuple):
        return _TupleChecker(space, [action_checker(part, any_integers) for part in space.spaces])
    if isinstance(space, Dict):
        return _DictChecker(space, {key: action_checker(part, any_integers) for key, part in space.spaces.items()})
    return _ItemChecker(space)


def knows_its_values(space: Space) -> bool:
    """Whether the `contains` of a space is one of this package's, not a user's."""
    return type(space).contains in _KNOWN


def split_actions(batch: Any, n: int) -> list[Any]:
    """Returns the n actions of a checked batch; rows of its arrays are views."""
    if isinstance(batch, tuple):
        columns = [split_actions(part, n) for part in batch]
        return list(zip(*columns, strict=True)) if columns else [()] * n
    if isinstance(batch, dict):
        named = {key: split_actions(part, n) for key, part in batch.items()}
        return [{key: column[i] for key, column in named.items()} for i in range(n)]
    return list(batch)


def _bounds(space: Discrete | MultiDiscrete | MultiBinary) -> tuple[Any, Any]:
    """Returns the least and greatest values, for comparison with a batch."""
    if isinstance(space, Discrete):
        return int(space.start), int(space.start) + int(space.n) - 1
    batched = batch_space(space, 1)
    assert isinstance(batched, Box)
    return batched.low, batched.high


@dataclass(eq=False, repr=False)
class _ArrayChecker:
    """Checks arrays of kinds of numbers that lie between bounds; without bounds, that they contain no NaN."""

    space: Space
    kinds: str
    low: Any = None
    high: Any = None
    any_dtype: bool = True

    def __call__(self, actions: object, n: int) -> np.ndarray:
        rows, space = _as_array(actions), self.space
        assert space.shape is not None
        if rows.ndim == 0:
            raise TypeError(
                f"A batch of {n} actions of {space} must have a leading axis, but {actions!r} came: pass one action "
                "for each environment"
            )
        if rows.shape != (n, *space.shape):
            raise ValueError(
                f"A batch of {n} actions of {space} has the shape {(n, *space.shape)}, not {rows.shape}"
                f"{_reshaped(rows, (n, *space.shape))}"
            )
        if rows.dtype.kind not in self.kinds or not (self.any_dtype or casts(rows.dtype, space)):
            raise ActionOutsideSpace(
                f"Actions of {space} cannot have the dtype {rows.dtype}: {actions!r}{_converted(rows)}"
            )
        if isinstance(self.low, int) and self._are_between(rows):
            return rows  # the usual case, at half the cost
        # NaN is the only number that differs from itself.
        bad = rows != rows if self.low is None else ~((rows >= self.low) & (rows <= self.high))
        if rows.dtype.kind == "f" and self.low is not None:
            bad |= rows != np.trunc(rows)
        if bad.any():
            at = np.flatnonzero(bad.reshape(n, -1).any(axis=1)).tolist()
            cause = f"; {NAN}" if self.low is None else ""
            raise ActionOutsideSpace(f"The rows {at} of a batch of actions are not in {space}: {rows[at]}{cause}")
        return rows

    def _are_between(self, rows: np.ndarray) -> bool:
        """Whether numbers lie between integer bounds."""
        if self.low == 0 and rows.dtype == np.int64 and rows.flags.c_contiguous:
            return bool(np.maximum.reduce(rows.view(np.uint64)) <= self.high)  # negative ones are above all
        return bool(self.low <= np.minimum.reduce(rows) and np.maximum.reduce(rows) <= self.high)


def _reshaped(rows: np.ndarray, shape: tuple[int, ...]) -> str:
    """Returns the remedy for a batch of another shape, or ""."""
    if rows.size and rows.shape == shape[1:]:
        return ": pass one action for each environment, as `envs.action_space.sample()` has them"
    return f": pass `np.reshape(actions, {shape})`" if rows.size == np.prod(shape) else ""


def _converted(rows: np.ndarray) -> str:
    """Returns the remedy for a batch of another kind, or ""."""
    whole = rows.dtype.kind == "f" and bool((rows % 1 == 0).all())
    return "; pass `np.asarray(actions).astype(int)`" if whole else ""


def _as_array(actions: object) -> np.ndarray:
    if type(actions) is np.ndarray:
        return actions
    if isinstance(actions, Iterator):
        actions = list(actions)
    try:
        return np.asarray(actions)
    except ValueError as error:
        pair = isinstance(actions, tuple) and len(actions) == 2 and isinstance(actions[0], np.ndarray)
        advice = ": of a pair of actions and state, as `predict` returns, pass `actions[0]`" if pair else ""
        raise ValueError(f"A batch of actions must have one shape, but {actions!r} came{advice}") from error


@dataclass(eq=False, repr=False)
class _TupleChecker:
    """Checks tuples of batches."""

    space: Tuple
    parts: list[Checker]

    def __call__(self, actions: object, n: int) -> tuple[Any, ...]:
        space, parts = self.space, self.parts
        if not isinstance(actions, (tuple, list)):
            raise TypeError(f"A batch of actions of {space} must be a tuple of batches, but {type(actions)} came")
        if len(actions) != len(parts):
            raise ValueError(f"A batch of actions of {space} has {len(parts)} parts, but {len(actions)} came")
        return tuple(part(batch, n) for part, batch in zip(parts, actions, strict=True))


@dataclass(eq=False, repr=False)
class _DictChecker:
    """Checks dicts of batches."""

    space: Dict
    parts: dict[str, Checker]

    def __call__(self, actions: object, n: int) -> dict[str, Any]:
        space, parts = self.space, self.parts
        if not isinstance(actions, Mapping):
            raise TypeError(f"A batch of actions of {space} must be a dict of batches, but {type(actions)} came")
        if actions.keys() != parts.keys():
            raise ValueError(f"A batch of actions of {space} has the keys {list(parts)}, but {list(actions)} came")
        return {key: part(actions[key], n) for key, part in parts.items()}


@dataclass(eq=False, repr=False)
class _ItemChecker:
    """Checks sequences of actions that do not fit into an array."""

    space: Space

    def __call__(self, actions: object, n: int) -> list[Any]:
        space = self.space
        if not isinstance(actions, Iterable) or isinstance(actions, (str, Mapping)):
            raise TypeError(f"A batch of {n} actions of {space} must be a sequence of them, but {actions!r} came")
        items = _counted(space, actions, n)
        bad = [i for i, action in enumerate(items) if not space.contains(action)]
        if bad:
            raise ActionOutsideSpace(f"The rows {bad} of a batch of actions are not in {space}: {actions!r}")
        return items


@dataclass(eq=False, repr=False)
class _CustomChecker:
    """Counts the actions of a custom space, whose `contains` may know less about them than the environment."""

    space: Space

    def __call__(self, actions: object, n: int) -> list[Any]:
        return _counted(self.space, iterate(batch_space(self.space, n), actions), n)


def _counted(space: Space, actions: Iterable[object], n: int) -> list[Any]:
    items = list(actions)
    if len(items) != n:
        raise ValueError(f"A batch of {n} actions of {space} was needed, but one of {len(items)} came")
    return items
