"""Every space of actions has a field on the page, and what the field gives is an action."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from gymnasium.spaces import Box, Dict, Discrete, Graph, MultiBinary, MultiDiscrete, OneOf, Sequence, Space, Text, Tuple
from palaestra.studio.action_fields import field_of
from palaestra.studio.values import action_of

SPACES: list[Space] = [
    Discrete(3),
    Discrete(500, start=-7),
    Box(-1, 1, (2, 2)),
    Box(-np.inf, np.inf, (2,)),
    Box(0, 9, (3,), np.int64),
    MultiDiscrete([2, 3], start=[1, -4]),
    MultiBinary((2, 2)),
    Text(5, min_length=2, charset="ab"),
    Sequence(Discrete(3)),
    Sequence(Box(-1, 1, (2,)), stack=True),
    Graph(Box(-1, 1, (2,)), Discrete(3)),
    OneOf([Discrete(3), Box(-1, 1, (2,)), Dict(a=Text(3))]),
    Tuple([Discrete(2), Tuple([Box(-1, 1, (1,)), MultiBinary(3)])]),
    Dict({"a": Discrete(2), "b": Dict(c=OneOf([Discrete(2), Text(4)]), d=Sequence(Discrete(2)))}),
    Dict({"0": Discrete(40), "x": MultiDiscrete([[2, 3], [4, 5]])}),
]


def given(field: dict[str, Any], highest: bool) -> Any:
    """What a page sends for a field that is left as it is, or of which the highest value is chosen."""
    match field["kind"]:
        case "choice":
            return field["values"][-1 if highest else 0]
        case "whole":
            return field["high" if highest else "low"]
        case "sliders":
            return field["high" if highest else "low"]
        case "text":
            return field["letters"][0] * field["most" if highest else "least"]
        case "group":
            values = [given(part, highest) for part in field["parts"]]
            return values if field["names"] is None else dict(zip(field["names"], values, strict=True))
        case "one":
            chosen = -1 if highest else 0
            return [len(field["parts"]) - 1 if highest else 0, given(field["parts"][chosen], highest)]
        case "json":
            return json.loads(field["example"])
    raise AssertionError(field)


@pytest.mark.parametrize("highest", [False, True])
@pytest.mark.parametrize("space", SPACES, ids=str)
def test_what_a_field_gives_is_an_action(space: Space, highest: bool) -> None:
    space.seed(1)
    field = json.loads(json.dumps(field_of(space), allow_nan=False))

    assert action_of(space, given(field, highest)) in space


def test_a_picture_has_no_field() -> None:
    assert field_of(Box(0, 255, (64, 64, 3), np.uint8)) == {"kind": "none"}


class Odd(Space):
    """A space of one's own that cannot be sampled."""

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        raise NotImplementedError


def test_a_space_that_cannot_be_sampled_has_no_field() -> None:
    assert field_of(Odd()) == {"kind": "none"}
