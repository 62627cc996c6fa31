"""The old and the new result of `step`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.utils.env_checker import data_equivalence
from gymnasium.utils.step_api_compatibility import (
    convert_to_done_step_api,
    convert_to_terminated_truncated_step_api,
    step_api_compatibility,
)

KEY = "TimeLimit.truncated"
SINGLE = [
    ((False, False), False, {}),
    ((True, False), True, {KEY: False}),
    ((False, True), True, {KEY: True}),
]


@pytest.mark.parametrize(("flags", "done", "info"), SINGLE)
def test_one_environment(flags: tuple[bool, bool], done: bool, info: dict[str, Any]) -> None:
    """There and back."""
    new, old = ("obs", 1.0, *flags, {"x": 1}), ("obs", 1.0, done, {"x": 1, **info})

    assert convert_to_done_step_api(new) == old
    assert convert_to_terminated_truncated_step_api(old) == new


YES, NO = np.array([True, False]), np.array([False, False])
OLD = [
    *[(False, done, info) for done in (False, True) for info in ({}, {KEY: False}, {KEY: True})],
    (True, YES, [{}, {}]),
    (True, YES, [{KEY: False}, {KEY: False}]),
    (True, YES, [{KEY: True}, {KEY: True}]),
    *[(True, done, info) for done in (YES, NO) for info in ({}, {KEY: NO}, {KEY: YES}, {KEY: ~YES})],
]


@pytest.mark.parametrize(("is_vector", "done", "info"), OLD, ids=str)
def test_what_came_in_the_old_form_comes_back(is_vector: bool, done: Any, info: Any) -> None:
    """Whether the info said anything or not, and also of an episode that is not over."""
    info = [{"x": 1, **one} for one in info] if isinstance(info, list) else {"x": 1, **info}
    new = convert_to_terminated_truncated_step_api(("obs", 1.0, done, info), is_vector)
    back = convert_to_done_step_api(new, is_vector)

    assert data_equivalence(back, ("obs", 1.0, done, info), exact=True)
    assert all(KEY not in one for one in (new[4] if isinstance(info, list) else [new[4]]))


@pytest.mark.parametrize("info", [{}, {KEY: False}])
def test_a_limit_that_comes_later_is_said(info: dict[str, Any]) -> None:
    """A wrapper between the two conversions truncates; or the info gets other items."""
    _, _, terminated, _, new = convert_to_terminated_truncated_step_api((0, 1.0, False, info))
    new["y"] = 2

    assert convert_to_done_step_api((0, 1.0, terminated, True, new)) == (0, 1.0, True, {KEY: True, "y": 2})
    assert convert_to_done_step_api((0, 1.0, terminated, False, new)) == (0, 1.0, False, {**info, "y": 2})


def test_both_ends_at_once() -> None:
    """The task is over, which the old form could say only in place of the limit."""
    assert convert_to_done_step_api(("obs", 1.0, True, True, {})) == ("obs", 1.0, True, {KEY: False})


def test_a_limit_without_an_end() -> None:
    """The old form's info means nothing before the end."""
    assert convert_to_terminated_truncated_step_api(("obs", 1.0, False, {KEY: True}))[2:] == (False, False, {})


def test_the_info_that_came_is_left_as_it_is() -> None:
    """Whoever keeps it finds it unchanged."""
    info, infos = {KEY: True}, [{KEY: True}, {}]
    arrays = {KEY: np.array([True, False])}

    convert_to_terminated_truncated_step_api((0, 0.0, True, info))
    convert_to_terminated_truncated_step_api((0, 0.0, np.array([True, True]), infos), is_vector_env=True)
    convert_to_terminated_truncated_step_api((0, 0.0, np.array([True, True]), arrays), is_vector_env=True)
    assert (info, infos, list(arrays)) == ({KEY: True}, [{KEY: True}, {}], [KEY])

    empty: dict[str, Any] = {}
    convert_to_done_step_api((0, 0.0, True, False, empty))
    assert empty == {}


FLAGS = np.array([[False, False], [True, False], [False, True], [True, True]]).T
DONE = np.array([False, True, True, True])


def test_many_environments_with_a_list_of_infos() -> None:
    """Only the infos of finished ones say anything."""
    infos = [{"x": i} for i in range(4)]
    old = convert_to_done_step_api((0, 0, *FLAGS, infos), is_vector_env=True)

    np.testing.assert_array_equal(old[2], DONE)
    assert old[3] == [{"x": 0}, {"x": 1, KEY: False}, {"x": 2, KEY: True}, {"x": 3, KEY: False}]

    new = convert_to_terminated_truncated_step_api(old, is_vector_env=True)
    np.testing.assert_array_equal(new[2], [False, True, False, True])
    np.testing.assert_array_equal(new[3], [False, False, True, False])
    assert new[4] == infos


def test_many_environments_with_a_dict_of_arrays() -> None:
    """The array has an element for each; without it, nothing was truncated."""
    old = convert_to_done_step_api((0, 0, *FLAGS, {"x": 1}), is_vector_env=True)

    np.testing.assert_array_equal(old[3][KEY], [False, False, True, False])
    new = convert_to_terminated_truncated_step_api(old, is_vector_env=True)
    np.testing.assert_array_equal(new[3], [False, False, True, False])
    assert new[4] == {"x": 1}

    new = convert_to_terminated_truncated_step_api((0, 0, DONE, {}), is_vector_env=True)
    np.testing.assert_array_equal(new[2], DONE)
    assert not new[3].any()


def test_nothing_is_said_while_nothing_is_over() -> None:
    """The infos stay empty."""
    none = np.zeros(2, np.bool_)

    assert convert_to_done_step_api((0, 0, none, none, {}), is_vector_env=True)[3] == {}


@pytest.mark.parametrize("convert", [convert_to_done_step_api, convert_to_terminated_truncated_step_api])
def test_other_infos(convert: Any) -> None:
    """Neither a dict nor a list."""
    flags = [DONE, DONE] if convert is convert_to_done_step_api else [DONE]

    with pytest.raises(TypeError, match="tuple"):
        convert((0, 0, *flags, ({},)), is_vector_env=True)


@pytest.mark.parametrize("n", [3, 6])
@pytest.mark.parametrize("new", [True, False])
def test_other_lengths(n: int, new: bool) -> None:
    """The error says how many came."""
    with pytest.raises(AssertionError, match=f"returned {n}"):
        step_api_compatibility((0,) * n, new)  # type: ignore[arg-type]


def test_the_form_asked_for() -> None:
    """What has it already is returned as it is."""
    old, new = (0, 0.0, True, {}), (0, 0.0, True, False, {})

    assert step_api_compatibility(new) is new
    assert step_api_compatibility(old, output_truncation_bool=False) is old
    assert step_api_compatibility(old) == new
    assert step_api_compatibility(new, output_truncation_bool=False) == (0, 0.0, True, {KEY: False})
