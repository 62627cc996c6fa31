"""Params for JAX: arrays are traced, plain numbers are fixed when a program is compiled.

Dynamics may therefore branch on a number of the params. To map over a param or differentiate by it, pass an array of
shape ().
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Number
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs._jax.library import jax, jnp
from gymnasium.envs._jax.ops import floating

NO_OPTIONS: Final = (
    'under JAX resets take no options. Use an id without "phys2d/" or "tabular/", with the vectorization_mode '
    '"compiled" or "sync"; or set params'
)
"""Why a batch refuses options for a later reset, and what to do instead."""

Mask: TypeAlias = jax.Array | NDArray[np.bool_]
Values: TypeAlias = jax.Array | NDArray[Any]  # the traced numbers of a param, or of a param of n environments

_KEPT: Final = 256
_arrays: dict[tuple[int, object], tuple[tuple[object, ...], Values]] = {}  # by the identity of the numbers, kept too


class _Traced(NamedTuple):
    """An array, or a tuple of numbers, which becomes one."""


class _Fixed(NamedTuple):
    """A value that dynamics may branch on; the type distinguishes 1 from True."""

    type: type
    value: object


class _Record(NamedTuple):
    """A NamedTuple, or a tuple of anything but numbers."""

    type: type
    parts: tuple[Tree, ...]


class _Tree(NamedTuple):
    """A container supported by JAX itself, such as a dict or a dataclass of flax."""

    definition: jax.tree_util.PyTreeDef


Tree: TypeAlias = "_Traced | _Fixed | _Record | _Tree"  # hashable, so that a program is compiled once for each


def split(params: object) -> tuple[list[Values], Tree]:
    """Returns the traced values of params, and the tree from which `joined` restores the params.

    Raises:
        TypeError: If a part can neither be traced nor be distinguished from others.
    """
    values: list[Values] = []
    tree = _split(params, values)
    hash(tree)
    return values, tree


def split_each(params: list[Any]) -> tuple[list[Values], Tree]:
    """Returns as `split` the params of each of n environments: values have a leading axis of n, and numbers are traced.

    Raises:
        TypeError: If they differ in more than numbers and arrays.
        ValueError: If an array has not the same shape in all.
    """
    found: list[list[Values]] = []
    trees = set()
    for each in params:
        found.append([])
        trees.add(_split(each, found[-1], np.asarray, numbers=True))
    if len(trees) > 1:
        raise TypeError("Under JAX the params of each environment may differ in numbers and arrays only")
    return [np.stack(column) for column in zip(*found, strict=True)], trees.pop()


def joined(tree: Tree, values: list[Values]) -> Any:
    """Returns params with these values."""
    return _joined(tree, iter(values))


def _split(
    part: object, values: list[Values], array: Callable[[Any], Values] = jnp.asarray, numbers: bool = False
) -> Tree:
    """Add the traced values of a part, as `array` makes them, and those of its numbers if `numbers` is True."""
    if isinstance(part, np.generic):
        part = part.item()
    kept = _arrays.get((id(part), floating())) if array is jnp.asarray else None
    if kept is not None and kept[0] is part:
        values.append(kept[1])
        return _Traced()
    traced = isinstance(part, (np.ndarray, jax.Array)) or _is_numbers(part)
    if traced or (numbers and isinstance(part, (int, float)) and not isinstance(part, bool)):
        values.append(array(part))
        if array is jnp.asarray and type(part) is tuple and not isinstance(values[-1], jax.core.Tracer):
            _keep(part, values[-1])
        return _Traced()
    if part is None or isinstance(part, (bool, int, float, str, type)):
        return _Fixed(type(part), part)
    if isinstance(part, tuple):
        return _Record(type(part), tuple(_split(inner, values, array, numbers) for inner in part))
    leaves, definition = jax.tree.flatten(part)
    if len(leaves) == 1 and leaves[0] is part:
        return _Fixed(type(part), part)
    values += [array(leaf) for leaf in leaves]
    return _Tree(definition)


def _keep(numbers: tuple[object, ...], array: Values) -> None:
    """Keep the array of numbers that cannot change: JAX takes some 20 us for each number of a table."""
    if len(_arrays) == _KEPT:
        _arrays.clear()
    _arrays[id(numbers), floating()] = numbers, array


def _is_numbers(part: object) -> bool:
    if not isinstance(part, (tuple, list)) or hasattr(part, "_fields"):
        return False
    return bool(part) and all(isinstance(number, (Number, np.generic)) for number in part)


def _joined(tree: Tree, values: Iterator[Values]) -> Any:
    if isinstance(tree, _Traced):
        return next(values)
    if isinstance(tree, _Fixed):
        return tree.value
    if isinstance(tree, _Tree):
        return jax.tree.unflatten(tree.definition, [next(values) for _ in range(tree.definition.num_leaves)])
    parts = [_joined(part, values) for part in tree.parts]
    return tree.type(*parts) if hasattr(tree.type, "_fields") else tree.type(parts)
