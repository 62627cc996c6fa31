"""What the page says is a command, or refused with a reason."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Tuple
from palaestra.studio.messages import MAX_CHARACTERS, Act, MessageError, Remake, Reset, Seek, read
from palaestra.studio.values import action_of, components, numbers, shown
from tests.spaces_zoo import SPACES

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(["play", "next", "seek", "speed", "act", "hold", "reset", "choose", "remake", "source", "loop"])
FIELDS = st.dictionaries(st.sampled_from(["step", "value", "action", "seed", "branch", "arguments", "do"]), JSON)


@given(st.text() | JSON.map(json.dumps) | st.builds(lambda name, rest: json.dumps({**rest, "do": name}), NAMES, FIELDS))
def test_any_text_is_a_command_or_refused(text: str) -> None:
    """No other exception, and no number without an end."""
    try:
        command = read(text)
    except MessageError as error:
        assert str(error)
    else:
        assert type(command).__module__ == "palaestra.studio.messages"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ('{"do": "seek", "step": 3}', Seek(3)),
        ('{"do": "reset", "seed": null}', Reset(None)),
        ('{"do": "act", "action": [0.5]}', Act([0.5])),
        ('{"do": "remake", "arguments": {"gravity": -5}}', Remake({"gravity": -5})),
    ],
)
def test_a_message_is_read(text: str, command: Any) -> None:
    assert read(text) == command


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "JSON"),
        ("[" * 9000, "JSON"),
        ("[]", "object"),
        ('{"do": "eval"}', "`do` is one of"),
        ('{"do": ["play"]}', "`do` is one of"),
        ('{"do": "seek", "step": -1}', "whole number"),
        ('{"do": "seek", "step": true}', "whole number"),
        ('{"do": "seek", "step": 1e400}', "no finite number"),
        ('{"do": "seek"}', "takes step, but nothing came"),
        ('{"do": "play", "now": 1}', "takes nothing, but now came"),
        ('{"do": "speed", "value": NaN}', "NaN"),
        ('{"do": "speed", "value": -1}', "from 0 to 1000"),
        ('{"do": "act", "action": Infinity}', "Infinity"),
        ('{"do": "remake", "arguments": []}', "object"),
        ('{"do": "act", "action": "' + "x" * MAX_CHARACTERS + '"}', "at most"),
    ],
)
def test_a_refusal_says_why(text: str, reason: str) -> None:
    with pytest.raises(MessageError, match=reason):
        read(text)


ACTING = [Discrete(3), Discrete(3, start=-1), Box(-1, 1, (2, 2)), Box(0, 9, (3,), np.int64), MultiDiscrete([2, 3])]
ACTING += [MultiBinary(3), Tuple([Discrete(2), Box(-1, 1, (1,))]), Dict(a=Discrete(2), b=MultiBinary(2))]


@pytest.mark.parametrize("space", ACTING, ids=str)
@given(JSON)
def test_an_action_is_in_its_space_or_refused(space: Any, value: Any) -> None:
    try:
        action = action_of(space, value)
    except ValueError as error:
        assert "is no action of" in str(error)
    else:
        assert action in space


@pytest.mark.parametrize("space", ACTING, ids=str)
def test_a_sample_comes_back_from_its_json(space: Any) -> None:
    space.seed(1)
    for _ in range(5):
        sample = space.sample()
        again = action_of(space, json.loads(json.dumps(shown(sample))))
        assert again in space
        assert numbers(space, again) == numbers(space, sample)


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_every_value_can_be_shown(space: Any) -> None:
    """As JSON without infinities, and with as many numbers as there are names."""
    space.seed(1)
    sample = space.sample()
    names, flat = components(space), numbers(space, sample)

    json.dumps([shown(sample), flat], allow_nan=False)
    assert (flat is None) == (names is None)
    assert flat is None or names is None or len(flat) == len(names)


@pytest.mark.parametrize(
    "value", [float("nan"), np.inf, 2**80, object(), {"a": {"b": {"c": {"d": {"e": 1}}}}}, b"x", 1j]
)
def test_odd_values_of_infos_can_be_shown(value: Any) -> None:
    json.dumps(shown({"odd": value}), allow_nan=False)
