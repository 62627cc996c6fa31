"""Infos of many environments in one dict."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.vector._batch.infos import add_info
from tests.spaces_zoo import agree


def merged(*infos: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for i, info in enumerate(infos):
        add_info(result, info, i, len(infos))
    return result


def test_nothing_comes_of_nothing() -> None:
    assert merged({}, {}) == {}


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(2, np.int64), (2.5, np.float64), (True, np.bool_), (np.float32(0.5), np.float32), (np.uint8(7), np.uint8)],
)
def test_a_number_makes_an_array_of_its_type_with_zeros_elsewhere(value: Any, dtype: Any) -> None:
    infos = merged({}, {"k": value}, {})

    assert agree(infos["k"], np.array([0, value, 0], dtype))
    assert agree(infos["_k"], np.array([False, True, False]))
    assert list(infos) == ["k", "_k"]


def test_arrays_of_one_shape_make_an_array() -> None:
    infos = merged({"k": np.array([1, 2])}, {}, {"k": np.array([3, 4])})

    assert agree(infos["k"], np.array([[1, 2], [0, 0], [3, 4]]))


@pytest.mark.parametrize("value", ["text", None, [1, 2], np.bool_(True), 2**70, (1,)])
def test_anything_else_makes_objects_with_none_elsewhere(value: Any) -> None:
    infos = merged({}, {"k": value})

    assert infos["k"].dtype == object
    assert infos["k"][0] is None
    assert infos["k"][1] == value


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((1, 2.7), np.array([1.0, 2.7])),
        ((2.7, 1), np.array([2.7, 1.0])),
        ((np.float32(0.5), 0.1), np.array([0.5, 0.1])),
        ((np.uint8(200), 70_000), np.array([200, 70_000])),
        ((np.array([1, 2]), np.array([0.5, 1.5])), np.array([[1.0, 2.0], [0.5, 1.5]])),
        ((np.array(["a"]), np.array(["long"])), np.array([["a"], ["long"]])),
        ((True, np.bool_(False)), np.array([True, False])),
        ((np.bool_(False), True), np.array([False, True])),
        ((np.bool_(True), np.bool_(True), np.array(False)), np.array([True, True, False])),
        ((1, np.int64(2)), np.array([1, 2])),
        ((np.int32(2), 2**40), np.array([2, 2**40])),
        ((0.1, np.float32(0.5)), np.array([0.1, 0.5])),
        ((1, np.float32(0.5)), np.array([1, 0.5])),
        ((np.float16(0.5), np.float32(0.25)), np.array([0.5, 0.25], np.float32)),
        ((np.uint64(7), -5), np.array([7, -5])),
        ((np.uint64(2**64 - 1), 5), np.array([2**64 - 1, 5], np.uint64)),
        ((5, np.uint64(2**63)), np.array([5, 2**63], np.uint64)),
        ((np.uint64(7), -5, 0.5), np.array([7, -5, 0.5])),
    ],
)
def test_types_are_promoted_and_nothing_is_cut_off(values: tuple[Any, ...], expected: Any) -> None:
    assert agree(merged(*({"k": value} for value in values))["k"], expected)


@pytest.mark.parametrize(
    "values",
    [
        (1, "text"),
        (True, 3),
        (np.bool_(True), 3),
        (np.bool_(True), "text"),
        (True, np.bool_(False), None),
        (np.array([True]), np.bool_(False)),
        (np.bool_(False), np.array([True])),
        (2**62 + 1, 0.5),
        (0.5, 2**62 + 1),
        (np.uint64(2**64 - 1), -1),
        (np.array([1, 2]), np.array([1, 2, 3])),
        (np.array([1, 2]), 5),
        (np.array(["a"]), np.array([1.0])),
        ({"a": 1}, 2),
        (2, {"a": 1}),
        ({}, "text"),
    ],
)
def test_what_has_no_common_type_is_kept_as_objects(values: tuple[Any, ...]) -> None:
    """And whoever reported nothing has None there, also where a zero stood before."""
    infos = merged({}, *({"k": value} for value in values))

    assert infos["k"].dtype == object
    assert infos["k"][0] is None
    for found, value in zip(infos["k"][1:], values, strict=True):
        assert np.array_equal(found, value) if isinstance(value, np.ndarray) else found == value
    assert infos["_k"].tolist() == [False, *(True for _ in values)]


def test_dicts_are_merged_key_by_key() -> None:
    infos = merged({"k": {"a": 1}}, {"k": {"a": 2.5, "b": {"c": "x"}}}, {"k": {}})

    assert agree(infos["k"]["a"], np.array([1, 2.5, 0]))
    assert infos["k"]["_a"].tolist() == [True, True, False]
    assert infos["k"]["b"]["c"].tolist() == [None, "x", None]
    assert infos["_k"].tolist() == [True, True, True]


def test_merged_dicts_come_apart_again_beside_another_value() -> None:
    infos = merged({"k": {"a": 1, "_b": {"c": 2}}}, {}, {"k": {}}, {"k": 5})

    assert infos["k"].tolist() == [{"a": 1, "_b": {"c": 2}}, None, {}, 5]


def test_final_observations_are_objects_whatever_they_are() -> None:
    last = np.array([1.0, 2.0])
    infos = merged({}, {"final_obs": last}, {"final_obs": {"a": 1}})

    assert infos["final_obs"].dtype == object
    assert infos["final_obs"][0] is None
    assert infos["final_obs"][1] is last
    assert infos["final_obs"][2] == {"a": 1}


@pytest.mark.parametrize("info", [{"a": 1, "_a": 2}, {"_a": 2, "a": 1}])
def test_a_key_that_is_also_the_name_of_a_mask_is_refused(info: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="'_a'"):
        merged(info)
