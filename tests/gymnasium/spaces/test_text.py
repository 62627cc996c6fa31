"""Text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.spaces import Text, flatten, unflatten
from gymnasium.spaces.text import alphanumeric


@pytest.mark.parametrize(
    ("kwargs", "error", "words"),
    [
        ({"max_length": 1.0}, TypeError, "max_length"),
        ({"max_length": "1", "min_length": 0.5}, TypeError, "min_length"),
        ({"max_length": 1, "min_length": -1}, ValueError, "negative"),
        ({"max_length": 1, "min_length": 2}, ValueError, "exceed"),
        ({"max_length": 1, "charset": ["ab"]}, ValueError, "ab"),
        ({"max_length": 1, "charset": ""}, ValueError, "empty"),
    ],
)
def test_bad_arguments_are_refused(kwargs: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Text(**kwargs)


def test_characters_are_sorted_sets_or_keep_their_order() -> None:
    assert Text(1, charset={"b", "a"}).character_list == ("a", "b")
    assert Text(1, charset="bab").character_list == ("b", "a")
    assert Text(1, charset="bab").characters == "ab"
    assert Text(1).character_set == alphanumeric
    assert len(alphanumeric) == 62
    space = Text(1, charset="ba")
    assert space.character_index("a") == 1
    assert type(space.character_index("a")) is np.int32
    with pytest.raises(KeyError):
        space.character_index("c")


def test_containment_and_equality() -> None:
    space = Text(3, min_length=1, charset="ab")

    assert all(x in space for x in ("a", "bab"))
    assert not any(x in space for x in ("", "abab", "c", b"a", ["a"], None))
    assert space == Text(3, charset="ba")
    assert space != Text(3, charset="abc")
    assert repr(space) == "Text(1, 3, charset=ab)"
    assert (space.shape, space.dtype) == (None, np.dtype(str))


def test_masks_choose_lengths_and_characters() -> None:
    space = Text(5, charset="abc", seed=0)
    allowed = np.array([0, 1, 0], np.int8)

    assert space.sample(mask=(3, allowed)) == "bbb"
    assert set("".join(space.sample(mask=(None, allowed)) for _ in range(9))) == {"b"}
    assert len(space.sample(mask=(np.int64(4), None))) == 4
    assert set(space.sample(probability=(None, np.array([0.0, 0.0, 1.0])))) == {"c"}


def test_no_character_means_the_empty_string_or_an_error() -> None:
    nothing = np.zeros(2, np.int8)

    assert Text(2, min_length=0, charset="ab").sample(mask=(2, nothing)) == ""
    assert Text(2, min_length=0, charset="ab").sample(probability=(0, np.array([0.5, 0.5]))) == ""
    with pytest.raises(ValueError, match="forbids"):
        Text(2, charset="ab").sample(mask=(None, nothing))


@pytest.mark.parametrize(
    "mask",
    [
        [None, None],
        (None,),
        (1.5, None),
        (9, None),
        (0, None),
        (None, [1, 1]),
        (None, np.ones(2)),
        (None, np.ones(3, np.int8)),
        (None, np.array([2, 0], np.int8)),
    ],
)
def test_masks_of_another_form_are_refused(mask: Any) -> None:
    with pytest.raises(AssertionError):
        Text(2, charset="ab").sample(mask=mask)


@pytest.mark.parametrize("weights", [np.array([0.5, 0.6]), np.array([1, 0], np.int8), np.array([2.0, -1.0])])
def test_probabilities_of_another_form_are_refused(weights: Any) -> None:
    with pytest.raises(AssertionError):
        Text(2, charset="ab").sample(probability=(None, weights))


def test_strings_flatten_to_padded_indices() -> None:
    space = Text(4, charset="ba")

    assert flatten(space, "ab").tolist() == [1, 0, 2, 2]  # type: ignore[union-attr]
    assert unflatten(space, np.array([1.0, 0.0, 2.0, 2.0])) == "ab"
    with pytest.raises(ValueError, match="longer"):
        flatten(space, "aaaaa")
    with pytest.raises(KeyError):
        flatten(space, "c")
