"""Values as short strings that are equal where the values are equal to the bit."""

from __future__ import annotations

import hashlib
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np


def bits(value: Any) -> str:
    """Returns a digest of nested observations, rewards and infos.

    Arrays differ if their dtypes do. Numbers by themselves are compared by value alone, as `0.5` and `np.float64(0.5)`.
    """
    digest = hashlib.blake2b(digest_size=6)
    _add(digest, value)
    return digest.hexdigest()


def _add(digest: hashlib.blake2b, value: Any) -> None:
    if isinstance(value, Mapping):
        for key in sorted(value, key=str):
            digest.update(f"key {key}:".encode())
            _add(digest, value[key])
    elif isinstance(value, np.ndarray) and value.ndim and value.dtype != object:
        digest.update(f"array {value.dtype} {value.shape}".encode())
        digest.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, (tuple, list)) or (isinstance(value, np.ndarray) and value.ndim):
        digest.update(f"sequence {len(value)}".encode())
        for item in value:
            _add(digest, item)
    elif isinstance(value, (np.generic, np.ndarray)):
        _add(digest, value.item())
    elif isinstance(value, numbers.Real):
        digest.update(float(value).hex().encode())
    elif value is None or isinstance(value, (str, bytes)):
        digest.update(repr(value).encode())
    else:  # an object of the environment's own, whose text may hold its address
        digest.update(type(value).__name__.encode())
