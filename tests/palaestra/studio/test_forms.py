"""What the page tells of an environment comes from its docstring, its spaces and its constructor."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gymnasium.envs.registration import make, spec
from gymnasium.specs import registered
from palaestra.studio.docstrings import labels
from palaestra.studio.forms import arguments_of, checked_arguments, described
from palaestra.studio.keys import keys_for
from palaestra.studio.making import Registered
from palaestra.studio.values import action_of

LIGHT = sorted(
    each.id
    for each in registered()
    if str(each.entry_point).startswith(("gymnasium.envs.classic", "gymnasium.envs.toy"))
)


@pytest.mark.parametrize("env_id", LIGHT)
def test_a_description_fits_the_environment(env_id: str) -> None:
    """It is JSON, its actions and keys are in the space, and its components are those of the observation."""
    origin = Registered(spec(env_id))
    with origin.made({}) as env:
        told = described(env, origin.fields(), None)

        json.dumps(told, allow_nan=False)
        assert told["text"]
        for combination in keys_for(env):
            action_of(env.action_space, combination["action"])
        for value in told["action"].get("values", []):
            action_of(env.action_space, value)
        if told["noop"] is not None:
            action_of(env.action_space, told["noop"])


@pytest.mark.parametrize(
    "env_id", ["LunarLander-v3", "BipedalWalker-v3", "Acrobot-v1", "Ant-v5", "Humanoid-v5", "Hopper-v5"]
)
def test_each_component_of_a_body_has_a_name(env_id: str) -> None:
    """From the docstring, or the model of a robot, and no two the same."""
    origin = Registered(spec(env_id))
    with make(env_id) as env:
        tracks = described(env, origin.fields(), None)["observation"]["tracks"]

        assert len(tracks) == len({name for name, _ in tracks}) == env.observation_space.shape[0]
        assert all(any(letter.isalpha() for letter in name) for name, _ in tracks)
        assert sum(unit.startswith("rad") for _, unit in tracks) >= 2


def test_components_have_names_and_units() -> None:
    with make("CartPole-v1") as env:
        told = described(env, [], None)

    assert told["observation"]["tracks"] == [
        ["position of the cart", "m"],
        ["velocity of the cart", "m/s"],
        ["angle of the pole", "rad"],
        ["velocity of the pole", "rad/s"],
    ]
    assert told["action"]["labels"] == ["pushes the cart to the left", "pushes the cart to the right"]


@pytest.mark.parametrize(
    ("text", "count", "expected"),
    [
        ("`Discrete(2)`: 0 stick, 1 hit (take a card)", 2, [["stick", ""], ["hit (take a card)", ""]]),
        (
            "`Box`: speed (m/s), angle (rad, from upright), and depth",
            3,
            [["speed", "m/s"], ["angle", "rad"], ["depth", ""]],
        ),
        ("`Box`: speed, angle", 3, None),
        (
            "position of the cart (m), its velocity (m/s)",
            2,
            [["position of the cart", "m"], ["velocity of the cart", "m/s"]],
        ),
        ("0 pushes the cart, 1 stops it", 2, [["pushes the cart", ""], ["stops the cart", ""]]),
        ("row * columns + column", 1, None),
        ("", 1, None),
    ],
)
def test_labels_are_taken_only_if_all_are_there(text: str, count: int, expected: Any) -> None:
    assert labels(text, count) == expected


def test_no_field_takes_a_path() -> None:
    """Texts are offered as choices only; `xml_file` is none."""
    fields = {field["name"]: field for field in Registered(spec("HalfCheetah-v5")).fields()}

    assert "xml_file" not in fields
    assert fields["frame_skip"]["kind"] == "whole"
    assert {field["kind"] for field in fields.values()} <= {"flag", "whole", "number", "numbers", "choice"}


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ({"desc": ["SG"]}, "no argument 'desc'"),
        ({"is_slippery": 1}, "true or false"),
        ({"success_rate": "0.5"}, "a number"),
        ({"success_rate": True}, "a number"),
        ({"map_name": "../../etc/passwd"}, "one of its choices"),
        ({"reward_schedule": [1, 2]}, "as many numbers"),
        ({"max_episode_steps": 1.5}, "whole number"),
    ],
)
def test_arguments_are_checked(sent: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        checked_arguments(Registered(spec("FrozenLake-v1")).fields(), sent)


def test_checked_arguments_make_the_environment() -> None:
    origin = Registered(spec("FrozenLake-v1"))
    taken = checked_arguments(origin.fields(), {"map_name": "8x8", "is_slippery": False, "reward_schedule": [1, 0, -1]})

    with origin.made(taken) as env:
        assert env.observation_space.n == 64
        assert env.unwrapped.spec.kwargs["reward_schedule"] == (1, 0, -1)


def test_a_constructor_without_a_signature_has_no_form() -> None:
    assert arguments_of(dict, {}) == [] or all("name" in field for field in arguments_of(dict, {}))
