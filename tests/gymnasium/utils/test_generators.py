"""States of generators are checked before NumPy takes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.utils._generators import checked_generator, put_generator

KINDS = ["PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_state_of_each_kind_passes(kind: str) -> None:
    bits = getattr(np.random, kind)(3)
    np.random.Generator(bits).random(7, np.float32)
    other = getattr(np.random, kind)(4)
    put_generator(other, bits.state)
    assert np.random.Generator(other).random() == np.random.Generator(bits).random()


@pytest.mark.parametrize(
    ("kind", "place", "value"),
    [
        ("MT19937", ("state", "pos"), 625),
        ("MT19937", ("state", "pos"), -1),
        ("MT19937", ("state", "key"), np.zeros(623, np.uint32)),
        ("Philox", ("buffer_pos",), 5),
        ("Philox", ("buffer",), np.zeros(3, np.uint64)),
        ("Philox", ("state",), {"counter": np.zeros(4, np.uint64)}),
        ("SFC64", ("state", "state"), np.zeros(4, np.int64)),
        ("PCG64", ("state", "state"), 2**128),
        ("PCG64", ("has_uint32",), 2),
        ("PCG64", ("uinteger",), 0.5),
        ("PCG64", ("bit_generator",), "Generator"),
    ],
)
def test_what_numpy_would_read_beyond_is_refused(kind: str, place: tuple[str, ...], value: Any) -> None:
    state: Any = getattr(np.random, kind)(3).state
    part = state
    for name in place[:-1]:
        part = part[name]
    part[place[-1]] = value
    with pytest.raises(ValueError, match="generator"):
        checked_generator(state)
