"""The checks of `gymnasium.utils.passive_env_checker` on rendering, and on data that an environment uses again."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from gymnasium.core import Env
from gymnasium.spaces import Discrete
from gymnasium.utils import passive_env_checker as checker


class Base(Env):
    observation_space = Discrete(3)
    action_space = Discrete(2)


PIXELS = np.zeros((2, 3, 3), np.uint8)


def render(result, mode, metadata=None):
    """Returns what the check of a `render` that returns `result` warned of."""
    env = Base()
    env.metadata = {"render_modes": [mode], "render_fps": 5} if metadata is None else metadata
    env.render_mode = mode
    env.render = lambda: result
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert checker.env_render_passive_checker(env) is result
    assert all(w.category is UserWarning for w in caught)
    return [str(w.message) for w in caught]


@pytest.mark.parametrize(
    ("result", "mode"),
    [
        (None, "human"),
        (PIXELS, "rgb_array"),
        (PIXELS[:, :, 0], "depth_array"),
        ("x", "ansi"),
        ("x", "ascii"),
        ([PIXELS, PIXELS], "rgb_array_list"),
        ([], "rgb_array_list"),
        (["x"], "ansi_list"),
        (object(), "a_mode_of_its_own"),
    ],
)
def test_a_sound_render_passes(result, mode):
    assert render(result, mode) == []


@pytest.mark.parametrize(
    ("result", "mode", "findings"),
    [
        (PIXELS, "human", ["None"]),
        ([], "rgb_array", ["NumPy array"]),
        (PIXELS.astype(float), "rgb_array", ["uint8"]),
        (PIXELS[:, :, 0], "rgb_array", ["(height, width, 3)"]),
        (PIXELS[:, :, :2].astype(int), "rgb_array", ["uint8", "(height, width, 3)"]),
        (PIXELS, "depth_array", ["(height, width)"]),
        ([[0.0]], "depth_array", ["NumPy array"]),
        (3, "ansi", ["string"]),
        (PIXELS, "rgb_array_list", ["list"]),
        ([PIXELS, 3], "rgb_array_list", ["NumPy array"]),
    ],
)
def test_an_odd_frame_is_a_warning(result, mode, findings):
    found = render(result, mode)
    assert len(found) == len(findings)
    for message, finding in zip(found, findings, strict=True):
        assert finding in message


@pytest.mark.parametrize(
    ("metadata", "finding"),
    [
        ({}, "render_modes"),
        ({"render_modes": ["ansi"]}, "render_fps"),
        ({"render_modes": ["ansi"], "render_fps": "5"}, "render_fps"),
        ({"render_modes": {"ansi"}, "render_fps": 5}, "list"),
        ({"render_modes": ["ansi", 3], "render_fps": 5}, "strings"),
    ],
)
def test_odd_metadata_is_a_warning(metadata, finding):
    (message,) = render("x", "ansi", metadata)
    assert finding in message


@pytest.mark.parametrize(
    ("mode", "metadata"),
    [
        ("ansi", {"render_modes": []}),
        ("ansi", {"render_modes": ["human"], "render_fps": 5}),
        (None, {"render_modes": ["human"], "render_fps": 0}),
        (None, {"render_modes": ["human"], "render_fps": -1}),
    ],
)
def test_impossible_metadata_fails(mode, metadata):
    with pytest.raises(AssertionError, match="render_"):
        render(None, mode, metadata)


def test_without_modes_nothing_need_be_said():
    assert render(None, None, {"render_modes": []}) == []


# --- data returned twice

SHARED = np.zeros(3)


@pytest.mark.parametrize(
    ("a", "b", "shares"),
    [
        (SHARED, SHARED, True),
        (SHARED, SHARED[1:], True),
        (SHARED[:1], SHARED[1:], False),
        (SHARED, SHARED.copy(), False),
        ({"a": SHARED}, {"a": SHARED}, True),
        ({"a": SHARED}, {"b": SHARED}, False),
        ({"a": {"b": SHARED}}, {"a": {"b": SHARED}}, True),
        ((0, SHARED), (0, SHARED), True),
        ((0, 1), (0, 1), False),
        (SHARED, [SHARED], False),
        ("text", "text", False),
        (3, 3, False),
        ({}, {}, False),
        (np.array([SHARED, None], object), np.array([SHARED, 1], object), True),
        (np.array([None], object), np.array([None], object), False),
    ],
)
def test_sharing(a, b, shares):
    assert checker.data_shares_objects(a, b) is shares


def test_the_same_dict_is_shared():
    info = {}
    assert checker.data_shares_objects(info, info)
    objects = np.array([None], object)
    assert checker.data_shares_objects(objects, objects)


@pytest.mark.parametrize(("prev", "data", "what"), [((SHARED, {}), (SHARED, {}), "observation")])
def test_shared_data_is_a_warning(prev, data, what):
    with pytest.warns(UserWarning, match=rf"{what}.*step\(\).*reset\(\)"):
        checker.env_data_reuse_passive_checker(prev, data, "reset", "step")


def test_a_shared_info_is_a_warning():
    info = {}
    with pytest.warns(UserWarning, match="info"):
        checker.env_data_reuse_passive_checker((0, info), (0, info), "step", "step")


def test_data_of_ones_own_passes():
    checker.env_data_reuse_passive_checker((SHARED, {}), (SHARED.copy(), {}), "reset", "step")
