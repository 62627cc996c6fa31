"""The infos of many environments as one dict of arrays.

An info `key` of environment i becomes `infos[key][i]`, and `infos["_key"]` is the mask of the environments that
reported it. Nothing is computed for empty infos.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_SCALARS = {int: np.dtype(np.int64), float: np.dtype(np.float64), bool: np.dtype(np.bool_)}
_OBJECT = np.dtype(object)

# Beyond this, a float64 no longer holds every integer.
_EXACT_INTEGERS = 2**53


def add_info(infos: dict[str, Any], info: dict[str, Any], i: int, n: int) -> dict[str, Any]:
    """Write the info of environment `i` of `n` into `infos`, which is returned.

    Numbers, and arrays of one shape, make an array of a type that holds them all exactly (an int and a float make
    floats); bools, NumPy's included, make an array of bools. Any other values make an array of objects, with None for
    environments that reported nothing. Dicts are merged key by key.

    Raises:
        ValueError: If the environments report both `key` and `_key`, the name of its mask.
    """
    for key, value in info.items():
        mask_key = f"_{key}"
        column, mask = infos.get(key), infos.get(mask_key)
        if (column is None) != (mask is None):
            raise ValueError(
                f"The infos hold {key!r} beside a mask of that name, or of the name {mask_key!r}: rename one"
            )
        if mask is None:
            mask = np.zeros(n, np.bool_)
        if key == "final_obs":
            column = _filled(column, value, i, n)
        elif isinstance(value, dict) and (column is None or isinstance(column, dict)):
            column = add_info({} if column is None else column, value, i, n)
        else:
            column = _with_value(column, mask, value, i)
        infos[key], infos[mask_key] = column, mask
        mask[i] = True
    return infos


def _filled(column: np.ndarray | None, value: object, i: int, n: int) -> np.ndarray:
    """Returns `column` (None for a new one), an array of objects, with `value` in row `i`."""
    if column is None:
        column = np.full(n, None, object)
    column[i] = value
    return column


def _with_value(column: Any, mask: NDArray[np.bool_], value: Any, i: int) -> np.ndarray:
    """Returns `column` (None for a new one) with `value` in row `i`, in a wider type if necessary.

    `mask` marks the rows with reported values; the others are placeholders.
    """
    dtype, shape = _type_of(value)
    if column is None:
        column = _placeholders(len(mask), dtype, shape)
    elif isinstance(column, dict):
        column = _as_objects([_row(column, k) for k in range(len(mask))], mask)
    elif column.dtype.kind == "O" and column.ndim == 1:  # takes anything
        if (dtype.kind, shape) == ("b", ()) and all(type(row) is np.bool_ for row in column[mask]):
            column = np.where(mask, column, False).astype(np.bool_)  # NumPy's bools are objects only by themselves
    elif type(value) is np.bool_ and column.dtype.kind == "b" and column.ndim == 1:
        pass
    elif column.shape[1:] != shape:
        column = _as_objects(column, mask)
    elif column.dtype != dtype:
        column = _promoted(column, mask, value, dtype)
    column[i] = value
    return column  # type: ignore[no-any-return]  # an array by now


def _type_of(value: Any) -> tuple[np.dtype, tuple[int, ...]]:
    """Returns the dtype and shape of a row that holds `value`; objects for a value that is not a number."""
    dtype = _SCALARS.get(type(value))
    if dtype is not None:
        return (dtype if dtype.kind != "i" or -(2**63) <= value < 2**63 else _OBJECT), ()
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape
    return np.dtype(type(value)) if isinstance(value, np.number) else _OBJECT, ()


def _placeholders(n: int, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    return np.full((n, *shape), None, object) if dtype.kind == "O" else np.zeros((n, *shape), dtype)


def _promoted(column: np.ndarray, mask: NDArray[np.bool_], value: object, dtype: np.dtype) -> np.ndarray:
    """Returns `column` in a type that holds its values and `value`; as objects if there is none."""
    if _kind(column.dtype) != _kind(dtype):
        return _as_objects(column, mask)
    try:
        wider = np.promote_types(column.dtype, dtype)
    except TypeError:
        return _as_objects(column, mask)
    if wider.kind == "f" and column.dtype.kind in "iu" and dtype.kind in "iu":
        choices = [np.dtype(np.int64), np.dtype(np.uint64)]  # NumPy would convert integers to floats
    else:
        choices = [wider]
    for choice in choices:
        if _survives(column, choice) and _survives(np.asarray(value), choice):
            return column.astype(choice)
    return _as_objects(column, mask)


def _kind(dtype: np.dtype) -> str:
    """Returns a common group for types that mix: numbers mix, and any other type only with itself."""
    return "number" if dtype.kind in "iufc" else dtype.kind


def _survives(values: np.ndarray, dtype: np.dtype) -> bool:
    """Returns whether `values` stay exact in `dtype`: integers must be in the range in which all are exact."""
    if values.dtype.kind not in "iu":
        return True
    if dtype.kind in "iu":
        least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    else:
        least, most = -_EXACT_INTEGERS, _EXACT_INTEGERS
    return values.size == 0 or (int(values.min()) >= least and int(values.max()) <= most)


def _as_objects(rows: Any, mask: NDArray[np.bool_]) -> np.ndarray:
    """Returns the rows as objects, with None for unreported ones."""
    objects = np.full(len(mask), None, object)
    for i in np.flatnonzero(mask):
        objects[i] = rows[i]
    return objects


def _row(infos: dict[str, Any], i: int) -> dict[str, Any]:
    """Returns the info of environment `i` from merged infos."""
    keys = [key for key in infos if f"_{key}" in infos and infos[f"_{key}"][i]]
    return {key: _row(infos[key], i) if isinstance(infos[key], dict) else infos[key][i] for key in keys}
