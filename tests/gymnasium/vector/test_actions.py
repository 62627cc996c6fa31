"""Batches of actions: checked whole, and split."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.core import Env
from gymnasium.error import ActionOutsideSpace, CustomSpaceError
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Space, Text, Tuple
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from gymnasium.vector._batch.actions import action_checker, split_actions
from gymnasium.vector.utils import batch_space
from tests.spaces_zoo import SPACES, Letters, agree, seeded

N = 3


@pytest.mark.parametrize("space", [*SPACES, Letters()], ids=repr)
def test_a_sample_of_the_batched_space_is_split_into_n_actions_of_the_space(space: Space[Any]) -> None:
    actions = batch_space(seeded(space), N).sample()
    each = split_actions(action_checker(space)(actions, N), N)

    assert len(each) == N
    assert all(contains(space, action) for action in each)


def contains(space: Space[Any], action: Any) -> bool:
    """Rows of arrays of scalars are scalars, which a Box of shape () knows as arrays."""
    if isinstance(space, Dict):
        return all(contains(part, action[key]) for key, part in space.spaces.items())
    if isinstance(space, Tuple):
        return all(contains(part, value) for part, value in zip(space.spaces, action, strict=True))
    return action in space or np.asarray(action) in space


def test_discrete_actions_stay_numpy_integers() -> None:
    each = split_actions(action_checker(Discrete(3))([0, 2, 1], N), N)

    assert agree(each, [np.int64(0), np.int64(2), np.int64(1)])


def test_components_beyond_a_box_pass_and_the_dtype_stays() -> None:
    actions = np.array([[5.0], [-5.0], [np.inf]])

    assert agree(action_checker(Box(-1, 1, (1,)))(actions, N), actions)


class Moves(Discrete):
    """A user's space: it is sampled as numbers, but its actions are words, of which it knows nothing."""

    def contains(self, x: Any) -> bool:
        raise TypeError(f"no number: {x}")


class Walker(Env[Any, Any]):
    """Knows what the actions of such a space are."""

    observation_space = Discrete(9)
    action_space = Tuple([Moves(4), Letters()])

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        return 0, {}

    def step(self, action: Any) -> tuple[int, float, bool, bool, dict[str, Any]]:
        return 0, 0.0, False, False, {"action": action}


@pytest.mark.parametrize(
    ("space", "actions"),
    [
        (Moves(4), ["left", "right", "up"]),
        (Moves(4), (7, None, "up")),
        (Letters(), ("a", "zz", 3.5)),
        (Letters(), "abz"),
    ],
    ids=repr,
)
def test_actions_of_a_users_space_are_counted_and_passed_on(space: Space[Any], actions: Any) -> None:
    assert split_actions(action_checker(space)(actions, N), N) == list(actions)


@pytest.mark.parametrize("kind", [SyncVectorEnv, AsyncVectorEnv])
def test_an_environment_gets_the_actions_of_a_users_space(kind: Any) -> None:
    envs = kind([Walker] * 2)
    envs.reset()
    for words in (("left", "right"), ("up", "down")):
        infos = envs.step((words, ("nobody", "knows")))[4]
        assert infos["action"].tolist() == [(words[0], "nobody"), (words[1], "knows")]
    envs.step(envs.action_space.sample())
    envs.close()


BOX, PAIR = Box(-1, 1, (2,)), Tuple([Discrete(2), Box(-1, 1)])
NAMED = Dict(a=Discrete(2))


@pytest.mark.parametrize(
    ("space", "actions", "error"),
    [
        (Discrete(2), 1, TypeError),
        (Discrete(2), None, TypeError),
        (Discrete(2), {0: 1, 1: 1, 2: 1}, TypeError),
        (Discrete(2), [0, 1], ValueError),
        (Discrete(2), [], ValueError),
        (Discrete(2), [0, 1, 0, 1], ValueError),
        (Discrete(2), [[0], [1], [0]], ValueError),
        (Discrete(2), [0, [1], 0], ValueError),
        (Discrete(2), [0.0, 1.0, 0.0], ActionOutsideSpace),
        (Discrete(2), [True, False, True], ActionOutsideSpace),
        (Discrete(2), [None, 1, 0], ActionOutsideSpace),
        (Discrete(2), [0, 1, 2], ActionOutsideSpace),
        (Discrete(2, start=5), [5, 6, 0], ActionOutsideSpace),
        (Discrete(200, start=55, dtype=np.uint8), [55, 254, -1], ActionOutsideSpace),
        (MultiDiscrete([2, 3]), [[0, 0], [1, 2], [2, 0]], ActionOutsideSpace),
        (MultiBinary(2), [[0, 0], [1, 1], [2, 0]], ActionOutsideSpace),
        (BOX, np.zeros((3, 3)), ValueError),
        (BOX, np.zeros(6), ValueError),
        (BOX, [[0.0, 0.0], [0.0, np.nan], [0.0, 0.0]], ActionOutsideSpace),
        (BOX, [["a", "b"]] * 3, ActionOutsideSpace),
        (Box(0, 255, (1,), np.uint8), np.zeros((3, 1)), ActionOutsideSpace),
        (PAIR, np.zeros((3, 2)), TypeError),
        (PAIR, ([0, 1, 0],), ValueError),
        (PAIR, ([0, 1, 0], np.zeros((2, 1))), ValueError),
        (PAIR, ([0, 1, 2], np.zeros((3, 1))), ActionOutsideSpace),
        (NAMED, [0, 1, 0], TypeError),
        (NAMED, {"b": [0, 1, 0]}, ValueError),
        (NAMED, {"a": [0, 1]}, ValueError),
        (Text(3), 5, TypeError),
        (Text(3), "abc", TypeError),
        (Text(3), ("a", "b"), ValueError),
        (Text(3), ("a", "b", "too long"), ActionOutsideSpace),
        (Letters(), ("a", "b"), ValueError),
        (Letters(), 5, CustomSpaceError),
    ],
    ids=repr,
)
def test_a_wrong_batch_is_refused(space: Space[Any], actions: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        action_checker(space)(actions, N)


def test_the_rows_that_are_wrong_are_named() -> None:
    with pytest.raises(ActionOutsideSpace, match=r"rows \[0, 2\]"):
        action_checker(Discrete(2))([7, 1, -1], N)


def test_an_iterator_is_a_batch() -> None:
    assert action_checker(Discrete(2))(iter([0, 1, 1]), N).tolist() == [0, 1, 1]
