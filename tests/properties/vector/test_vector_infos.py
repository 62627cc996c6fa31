"""Merged infos hold exactly what each environment reported."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gymnasium.vector._batch.infos import add_info

NUMBERS = st.one_of(
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.booleans(),
    st.integers(-(2**31), 2**31 - 1).map(np.int32),
    st.integers(0, 2**64 - 1).map(np.uint64),
    st.floats(width=32).map(np.float32),
)
ARRAYS = hnp.arrays(st.sampled_from([np.int64, np.float32, np.bool_, np.uint8]), st.sampled_from([(), (2,), (2, 1)]))
OTHERS = st.one_of(st.none(), st.text(max_size=3), st.lists(st.integers(), max_size=2), st.booleans().map(np.bool_))
KEYS = st.sampled_from(["a", "b", "final_obs"])
INFOS = st.recursive(
    st.dictionaries(KEYS, st.one_of(NUMBERS, ARRAYS, OTHERS), max_size=3),
    lambda inner: st.dictionaries(KEYS, st.one_of(NUMBERS, ARRAYS, OTHERS, inner), max_size=3),
    max_leaves=4,
)


def equal(found: Any, reported: Any) -> bool:
    """Whether a row of a column is the value that was reported, in whatever type of number it is kept."""
    if isinstance(reported, dict):
        return (
            isinstance(found, dict)
            and found.keys() == reported.keys()
            and all(equal(found[key], reported[key]) for key in reported)
        )
    if isinstance(reported, np.ndarray):
        return np.array_equal(np.asarray(found), reported, equal_nan=True)
    return bool(found == reported) or (found != found and reported != reported)


def row(infos: dict[str, Any], i: int) -> dict[str, Any]:
    """What environment `i` reported, out of the merged infos."""
    reported = {}
    for key, column in infos.items():
        if f"_{key}" in infos and infos[f"_{key}"][i]:
            reported[key] = row(column, i) if isinstance(column, dict) else column[i]
    return reported


@given(st.lists(INFOS, min_size=1, max_size=4))
def test_what_is_reported_is_found(reported: list[dict[str, Any]]) -> None:
    n = len(reported)
    infos: dict[str, Any] = {}
    for i, info in enumerate(reported):
        add_info(infos, info, i, n)

    for i, info in enumerate(reported):
        assert equal(row(infos, i), info)


@given(st.lists(NUMBERS | st.booleans().map(np.bool_), min_size=1, max_size=5), st.randoms())
def test_the_type_of_a_column_does_not_depend_on_who_reports_first(values: list[Any], random: Any) -> None:
    shuffled = random.sample(values, len(values))
    columns = []
    for order in (values, shuffled):
        infos: dict[str, Any] = {}
        for i, value in enumerate(order):
            add_info(infos, {"a": value}, i, len(order))
        columns.append(infos["a"])

    assert columns[0].dtype == columns[1].dtype


@given(st.lists(INFOS, min_size=1, max_size=4))
def test_every_column_has_a_mask_and_none_where_nobody_reported_an_object(reported: list[dict[str, Any]]) -> None:
    n = len(reported)
    infos: dict[str, Any] = {}
    for i, info in enumerate(reported):
        add_info(infos, info, i, n)

    for key in ("a", "b", "final_obs"):
        assert (key in infos) == (f"_{key}" in infos) == any(key in info for info in reported)
        if key in infos:
            mask = infos[f"_{key}"]
            assert mask.dtype == np.bool_
            assert mask.tolist() == [key in info for info in reported]
            if isinstance(infos[key], np.ndarray) and infos[key].dtype == object and infos[key].ndim == 1:
                assert all(value is None for value in infos[key][~mask])
