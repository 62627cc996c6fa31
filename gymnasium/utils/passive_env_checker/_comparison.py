"""Equality of two values that an environment returned."""

from __future__ import annotations

from typing import Any

import numpy as np

_TOLERANCE = 1e-5  # relative and absolute


def data_equivalence(data_1: Any, data_2: Any, exact: bool = False) -> bool:
    """Returns whether two observations, infos or rewards have equal types, structures and values.

    NaN equals NaN, because the question is whether the same value was returned twice.

    Args:
        data_1: One.
        data_2: The other.
        exact: Whether the numbers of arrays must be equal, instead of within 1e-5, relative or absolute.
    """
    if type(data_1) is not type(data_2):
        return False
    if isinstance(data_1, dict):
        return data_1.keys() == data_2.keys() and all(data_equivalence(data_1[k], data_2[k], exact) for k in data_1)
    if isinstance(data_1, (tuple, list)):
        return len(data_1) == len(data_2) and all(
            data_equivalence(a, b, exact) for a, b in zip(data_1, data_2, strict=True)
        )
    if isinstance(data_1, np.ndarray):
        return _equal_arrays(data_1, data_2, exact)
    equal = np.all(data_1 == data_2) or (data_1 != data_1 and data_2 != data_2)
    return bool(equal)


def _equal_arrays(a: np.ndarray, b: np.ndarray, exact: bool) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype == object:
        return all(data_equivalence(x, y, exact) for x, y in zip(a.flat, b.flat, strict=True))
    if not np.issubdtype(a.dtype, np.number):
        return bool(np.array_equal(a, b))
    if exact:
        return bool(np.array_equal(a, b, equal_nan=True))
    return bool(np.allclose(a, b, rtol=_TOLERANCE, atol=_TOLERANCE, equal_nan=True))
