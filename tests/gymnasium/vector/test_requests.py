"""What is asked of a batch, checked before anything moves."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from gymnasium.error import AlreadyPendingCallError, Error
from gymnasium.vector._batch.requests import (
    check_running,
    checked_env_ids,
    checked_min_envs,
    split_options,
    split_seed,
    split_values,
)

ALL: Any = np.array([True, True, True])


@pytest.mark.parametrize(
    ("seed", "expected"),
    [
        (None, [None, None, None]),
        (5, [5, 6, 7]),
        (np.int64(5), [5, 6, 7]),
        (np.uint8(255), [255, 256, 257]),
        ([1, None, 3], [1, None, 3]),
        ((4, 4, np.int32(4)), [4, 4, 4]),
        (np.array([7, 8, 9]), [7, 8, 9]),
        (range(3), [0, 1, 2]),
    ],
    ids=repr,
)
def test_seeds(seed: Any, expected: list[int | None]) -> None:
    assert list(split_seed(seed, 3)) == expected
    assert all(one is None or type(one) is int for one in split_seed(seed, 3))


@pytest.mark.parametrize("seed", [[1, 2], [1, 2, 3, 4], np.array([1]), ()], ids=repr)
def test_a_sequence_of_another_length_gives_both_lengths(seed: Any) -> None:
    with pytest.raises(ValueError, match=rf"3 .*{len(seed)} came"):
        split_seed(seed, 3)


@pytest.mark.parametrize("seed", [-1, 1.5, "abc", [1, -1, 2], [1, 2.0, 3], np.array(3), {1: 2}], ids=repr)
def test_what_is_no_seed_is_refused(seed: Any) -> None:
    with pytest.raises(Error):
        split_seed(seed, 3)


def test_options_are_one_for_all_or_one_for_each() -> None:
    options = {"a": 1}

    assert split_options(None, 3) == (None, [None, None, None])
    assert all(one is options for one in split_options(options, 3)[1])
    assert split_options([options, None, {}], 3) == (None, [options, None, {}])


@pytest.mark.parametrize("kind", [dict, MappingProxyType])
def test_a_mask_is_taken_out_of_a_copy(kind: Any) -> None:
    options = kind({"reset_mask": ALL, "a": 1})
    mask, each = split_options(options, 3)

    assert mask is ALL
    assert each == [{"a": 1}] * 3
    assert "reset_mask" in options


@pytest.mark.parametrize(
    ("mask", "error", "match"),
    [
        ([True, False, True], TypeError, "list"),
        (np.array([True, False]), ValueError, r"\(2,\)"),
        (np.array([[True, False, True]]), ValueError, r"\(1, 3\)"),
        (np.array([1, 0, 1]), TypeError, "int64"),
        (np.array([False, False, False]), ValueError, "one environment at least"),
    ],
)
def test_a_wrong_mask_is_refused(mask: Any, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=rf"options\['reset_mask'\].*{match}"):
        split_options({"reset_mask": mask}, 3)


@pytest.mark.parametrize(
    ("options", "error"), [("abc", TypeError), (5, TypeError), ([{}, {}], ValueError), ([{}, 1, None], TypeError)]
)
def test_wrong_options_are_refused(options: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        split_options(options, 3)


def test_values_are_one_for_all_or_one_for_each() -> None:
    assert split_values("abc", 3) == ["abc"] * 3
    assert split_values((1, 2, 3), 3) == [1, 2, 3]
    with pytest.raises(ValueError, match=r"3 .*2 came"):
        split_values([1, 2], 3)


@pytest.mark.parametrize("ids", [[3], [-1], [0, 0], [], 1, [0.0], [[0]], [True]], ids=repr)
def test_what_is_no_set_of_environments_is_refused(ids: Any) -> None:
    with pytest.raises(ValueError, match="env_ids"):
        checked_env_ids(ids, 3, set())


def test_environments_are_addressed_once_until_they_are_received() -> None:
    assert checked_env_ids(None, 3, set()) == [0, 1, 2]
    assert checked_env_ids(np.array([2, 0]), 3, {1}) == [2, 0]
    with pytest.raises(AlreadyPendingCallError, match=r"\[1\]") as caught:
        checked_env_ids([2, 1], 3, {1})
    assert caught.value.name == "step"


@pytest.mark.parametrize("min_envs", [0, -1, 3, 1.0, True, None])
def test_what_cannot_be_waited_for_is_refused(min_envs: Any) -> None:
    with pytest.raises(ValueError, match=r"min_envs|in flight"):
        checked_min_envs(min_envs, 2)


def test_finished_environments_are_named_by_all_flags() -> None:
    check_running([False, True], [0])
    with pytest.raises(AssertionError, match=r"\[False  True\]"):
        check_running([False, True])
