"""States of NumPy's generators, checked: NumPy reads beyond a buffer whose position is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np

_KINDS: Final = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")
_HIGHEST: Final = {
    **{"state": (1 << 128) - 1, "inc": (1 << 128) - 1, "uinteger": (1 << 32) - 1, "has_uint32": 1},
    **{"pos": 624, "buffer_pos": 4},
}
"""The highest value of each number."""


def checked_generator(state: object) -> dict[str, Any]:
    """Returns the state of a bit generator.

    Raises:
        ValueError: If it is none of NumPy's own, or a value in it is out of range.
    """
    kind = state.get("bit_generator") if isinstance(state, Mapping) else None
    if not isinstance(state, Mapping) or not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"The state of a generator is a dict of one of {', '.join(_KINDS)}, but {state!r:.200} came")
    _check_parts(state, _parts_of(kind))
    return dict(state)


def put_generator(bits: Any, state: Any) -> None:
    """Let a bit generator go on from a state; the generator may be of a kind that is not NumPy's.

    Raises:
        ValueError: If it is a state of another kind, or a value in it is out of range. Nothing has changed then.
    """
    bits.state = checked_generator(state) if type(bits).__name__ in _KINDS else state


@lru_cache
def _parts_of(kind: str) -> dict[str, Any]:
    state: dict[str, Any] = getattr(np.random, kind)(0).state
    return state


def _check_parts(state: Mapping[str, Any], like: Mapping[str, Any]) -> None:
    if state.keys() != like.keys():
        raise ValueError(f"The state of a generator has {', '.join(like)}, but {', '.join(map(str, state)):.200} came")
    for name, known in like.items():
        value = state[name]
        if isinstance(known, dict) and isinstance(value, Mapping):
            _check_parts(value, known)
        elif isinstance(known, np.ndarray) and isinstance(value, np.ndarray):
            if (value.dtype, value.shape) != (known.dtype, known.shape):
                raise ValueError(f"{name!r} of a generator's state is {known.dtype} of shape {known.shape}")
        elif not isinstance(known, str) and not (isinstance(known, int) and _is_in_range(name, value)):
            raise ValueError(f"{name!r} of a generator's state is no {value!r:.200}")


def _is_in_range(name: str, value: object) -> bool:
    return isinstance(value, (int, np.integer)) and bool(0 <= value <= _HIGHEST[name])
