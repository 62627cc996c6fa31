"""Arrays in parts: the kind of an element, and the arrays so short that their elements are computed one by one."""

from __future__ import annotations

import numpy as np

from palaestra.language.plain.translation.kinds import Array, Kind, Number, Packed

WIDE = (np.float64, np.int64)


_FEW = 4  # numbers of an array with which machine code computes one by one


def few_of(kind: Kind) -> int | None:
    """Returns the length of a short array of numbers of 64 bits; None for anything else."""
    if isinstance(kind, Packed):
        return kind.count if kind.dtype in WIDE and kind.count <= _FEW else None
    if not isinstance(kind, Array) or kind.listed or kind.ndim != 1 or kind.shape is None or kind.dtype not in WIDE:
        return None
    return kind.shape[0] if 0 < kind.shape[0] <= _FEW else None


def element_of(kind: Array, axes: int = 1) -> Kind:
    """Returns the kind of a part of an array, by its first indices."""
    if kind.ndim == axes:
        # A list's floats may be Python's or NumPy's.
        return Number(kind.dtype, (None if kind.dtype.kind == "f" else True) if kind.listed else False, kind.mixed)
    shape = kind.shape[axes:] if kind.shape is not None else None
    return Array(kind.dtype, kind.ndim - axes, shape, kind.listed, kind.mixed)
