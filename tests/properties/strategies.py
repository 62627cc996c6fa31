"""Random spaces, and random values."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from gymnasium.spaces import Box, Dict, Discrete, Graph, MultiBinary, MultiDiscrete, OneOf, Sequence, Space, Text, Tuple

INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]

shapes = npst.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)
filled_shapes = npst.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=3)


@st.composite
def integers_of(draw: st.DrawFn, dtype: Any, least: int | None = None) -> int:
    """Integers of a dtype, its extremes often among them."""
    info = np.iinfo(dtype)
    low = int(info.min) if least is None else least
    return draw(st.sampled_from([low, int(info.max)]) | st.integers(low, int(info.max)))


@st.composite
def integer_boxes(draw: st.DrawFn) -> Box:
    """Boxes of integers; signed ones may be unbounded."""
    dtype, shape = draw(st.sampled_from(INTEGERS)), draw(shapes)
    pairs = st.tuples(integers_of(dtype), integers_of(dtype)).map(sorted)
    if dtype in (np.int64, np.uint64):
        low, high = draw(pairs)
        return Box(low, high, shape, dtype)
    bounds = np.array([draw(pairs) for _ in range(int(np.prod(shape)))], dtype=np.float64).reshape(*shape, 2)
    low, high = bounds[..., 0], bounds[..., 1]
    if np.iinfo(dtype).min < 0:
        low = np.where(draw(npst.arrays(bool, shape)), -np.inf, low)
        high = np.where(draw(npst.arrays(bool, shape)), np.inf, high)
    return Box(np.asarray(low), np.asarray(high), dtype=dtype)


@st.composite
def float_boxes(draw: st.DrawFn) -> Box:
    """Boxes of floats, of any size and unbounded ones too."""
    dtype, shape = draw(st.sampled_from(FLOATS)), draw(shapes)
    width = np.dtype(dtype).itemsize * 8
    low = draw(npst.arrays(dtype, shape, elements=st.floats(width=width, allow_nan=False, max_value=0)))
    high = draw(npst.arrays(dtype, shape, elements=st.floats(width=width, allow_nan=False, min_value=0)))
    return Box(low, high, dtype=dtype)


boxes = integer_boxes() | float_boxes() | shapes.map(lambda shape: Box(0, 1, shape, bool))


@st.composite
def discretes(draw: st.DrawFn, largest: int = 20) -> Discrete:
    """Discretes of up to `largest` values, anywhere in their dtype."""
    dtype = draw(st.sampled_from(INTEGERS))
    n = draw(st.integers(1, largest))
    start = min(draw(integers_of(dtype)), int(np.iinfo(dtype).max) - n + 1)
    return Discrete(n, start=start, dtype=dtype)


@st.composite
def multi_discretes(draw: st.DrawFn) -> MultiDiscrete:
    """MultiDiscretes of up to three axes, anywhere in their dtype."""
    dtype, shape = draw(st.sampled_from(INTEGERS)), draw(filled_shapes)
    nvec = draw(npst.arrays(dtype, shape, elements=st.integers(1, 9)))
    info = np.iinfo(dtype)
    start = draw(npst.arrays(dtype, shape, elements=st.integers(int(info.min), int(info.max) - 8)))
    return MultiDiscrete(nvec, dtype, start=start)


multi_binaries = st.builds(MultiBinary, st.integers(1, 5) | filled_shapes.filter(bool))


@st.composite
def texts(draw: st.DrawFn) -> Text:
    """Texts over any characters."""
    charset = draw(st.text(min_size=1, max_size=8))
    least = draw(st.integers(0, 3))
    return Text(least + draw(st.integers(0, 4)), min_length=least, charset=charset)


flat_leaves: st.SearchStrategy[Space[Any]] = boxes | discretes() | multi_discretes() | multi_binaries | texts()
names = st.text(max_size=3)


def _flat_containers(members: st.SearchStrategy[Space[Any]]) -> st.SearchStrategy[Space[Any]]:
    return (
        st.lists(members, max_size=3).map(Tuple)
        | st.dictionaries(names, members, max_size=3).map(Dict)
        | st.lists(members, min_size=1, max_size=3).map(OneOf)
    )


def _containers(members: st.SearchStrategy[Space[Any]]) -> st.SearchStrategy[Space[Any]]:
    return _flat_containers(members) | st.builds(Sequence, members, stack=st.booleans())


flattenable_spaces = st.recursive(flat_leaves, _flat_containers, max_leaves=5)
# A graph of graphs has thousands of values in a sample.
graphs = st.builds(Graph, flat_leaves, st.none() | flat_leaves)
spaces = st.recursive(flat_leaves | graphs, _containers, max_leaves=4)
seeds = st.integers(0, 2**32)

values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text()
    | st.binary()
    | npst.arrays(npst.scalar_dtypes() | npst.array_dtypes() | st.just(np.dtype(object)), shapes)
    | npst.scalar_dtypes().flatmap(npst.from_dtype),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=6,
)
