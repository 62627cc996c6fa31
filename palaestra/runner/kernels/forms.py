"""Infos that are not numbers or arrays of one type: columns hold their numbers, and Python's objects are made of these.

A text is one of those that the class writes, by number, or is formatted from its numbers; a tuple, a list or a dict has
the columns of its items; a value of one of several types has a number for the type, and the columns of each type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.vector._batch.infos import add_info
from palaestra.language.frozen import frozen
from palaestra.language.types import (
    UNBOUND,
    Array,
    Chosen,
    Constant,
    Contents,
    Either,
    Growing,
    Number,
    Text,
    Tuple,
    Type,
)

Columns = Iterator[NDArray[Any]]


@frozen
class InfoForm:
    """The value of an info: its key, its type, and the names of the columns of its parts."""

    key: str
    kind: Type
    columns: tuple[str, ...]

    def values(self, columns: Sequence[NDArray[Any]], n: int) -> list[Any]:
        """Returns the values of the n rows of its columns."""
        return _values(self.kind, iter(columns), n)


def _values(kind: Type, columns: Columns, n: int) -> list[Any]:
    match kind:
        case Number(python=True):
            return list(next(columns).tolist())
        case Number() | Array():
            return [row.copy() for row in next(columns)]
        case Tuple(items=items, of=of):
            rows = _rows(items, columns, n)
            return rows if of is tuple else [of(*row) for row in rows]
        case Text(template=str(template), items=items):
            return [template.format(*row) for row in _rows(items, columns, n)]
        case Contents(items=items) if kind.of is list:
            return [[*row] for row in _rows(items, columns, n)]
        case Contents(keys=keys, items=items):
            return [_dict(keys, row) for row in _rows(items, columns, n)]
        case Growing(item=item):
            lengths = next(columns).tolist()
            parts = [next(columns) for _ in kind.columns]
            each = [iter([part[k, :length] for part in parts]) for k, length in enumerate(lengths)]
            return [_values(item, one, length) for one, length in zip(each, lengths, strict=True)]
        case Either(options=options):
            numbers = next(columns).tolist()
            found = [_values(option, columns, n) for option in options]
            return [found[number][k] for k, number in enumerate(numbers)]
        case Constant(value=value):
            return [value] * n
        case Chosen(options=chosen):
            return [chosen[number] for number in next(columns).tolist()]
    raise TypeError(f"{kind} is no info")


def _rows(kinds: tuple[Type, ...], columns: Columns, n: int) -> list[tuple[Any, ...]]:
    return list(zip(*[_values(kind, columns, n) for kind in kinds], strict=True)) if kinds else [()] * n


def _dict(keys: Sequence[Any], row: tuple[Any, ...]) -> dict[Any, Any]:
    return {key: value for key, value in zip(keys, row, strict=True) if value is not UNBOUND.value}


def add_values(infos: dict[str, Any], key: str, values: Sequence[Any], rows: NDArray[np.int64], n: int) -> None:
    """Write the values of an info of some rows of n into `infos`, as `add_info` does one by one."""
    types = {*map(type, values)}
    column: Any
    if types == {dict} and all(value.keys() == values[0].keys() for value in values):
        column = {}
        for inner in values[0]:
            add_values(column, inner, [value[inner] for value in values], rows, n)
    elif len(types) == 1 and (dtype := _PYTHON.get(*types)):
        column = np.zeros(n, dtype)
        column[rows] = values
    elif not any(one in _PYTHON or issubclass(one, (np.generic, np.ndarray, dict)) for one in types):
        column = np.full(n, None, object)
        column[rows] = np.fromiter(values, object, len(values))
    else:
        for i, value in zip(rows.tolist(), values, strict=True):
            add_info(infos, {key: value}, i, n)
        return
    mask = np.zeros(n, np.bool_)
    mask[rows] = True
    infos[key], infos[f"_{key}"] = column, mask


_PYTHON = {int: np.dtype(np.int64), float: np.dtype(np.float64), bool: np.dtype(np.bool_)}
