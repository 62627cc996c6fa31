from __future__ import annotations

import numpy as np
import pytest

from gymnasium.envs.toy_text import cliffwalking
from gymnasium.envs.toy_text.cliffwalking import DOWN, LEFT, RIGHT, UP, CliffWalkingEnv


def test_moves() -> None:
    env = CliffWalkingEnv()
    assert env.P[36][UP] == [(1.0, 24, -1, False)]
    assert env.P[36][RIGHT] == [(1.0, 36, -100, False)]  # off the cliff, back to the start
    assert env.P[36][DOWN] == env.P[36][LEFT] == [(1.0, 36, -1, False)]
    assert env.P[35][DOWN] == [(1.0, 47, -1, True)]
    assert env.P[46 - 12][DOWN] == [(1.0, 36, -100, False)]
    assert env.P[0][UP] == [(1.0, 0, -1, False)]
    assert env.P[11][RIGHT] == [(1.0, 11, -1, False)]


def test_the_goal_has_ordinary_transitions() -> None:
    env = CliffWalkingEnv()
    assert env.P[47] == {
        UP: [(1.0, 35, -1, False)],
        RIGHT: [(1.0, 47, -1, True)],
        DOWN: [(1.0, 47, -1, True)],
        LEFT: [(1.0, 36, -100, False)],
    }


def test_slippery_moves_go_to_either_side_too() -> None:
    env = CliffWalkingEnv(is_slippery=True)
    assert env.P[36][UP] == [(1 / 3, 36, -1, False), (1 / 3, 24, -1, False), (1 / 3, 36, -100, False)]
    assert env.is_slippery


@pytest.mark.parametrize("slippery", [False, True])
def test_outcomes_may_be_asked_for_and_overridden(slippery: bool) -> None:
    """As homework changes the rewards."""

    class Soft(CliffWalkingEnv):
        def _calculate_transition_prob(self, current, move):  # type: ignore[no-untyped-def]
            outcomes = super()._calculate_transition_prob(current, move)
            return [(p, s, -7 if reward == -100 else reward, over) for p, s, reward, over in outcomes]

    plain, soft = CliffWalkingEnv(is_slippery=slippery), Soft(is_slippery=slippery)
    for s in range(48):
        place = np.unravel_index(s, plain.shape)
        assert [plain._calculate_transition_prob(place, move) for move in range(4)] == list(plain.P[s].values())
    assert [soft.P[s] == plain.P[s] for s in (0, 36)] == [True, False]
    soft.reset(seed=1)
    assert -7 in {soft.step(RIGHT)[1] for _ in range(9)}


def test_coordinates_are_limited_in_place() -> None:
    outside = np.array([-1, 13])
    assert CliffWalkingEnv()._limit_coordinates(outside) is outside
    assert outside.tolist() == [0, 11]


def test_public_attributes() -> None:
    env = CliffWalkingEnv()
    assert (env.shape, env.start_state_index, env.nS, env.nA, env.is_slippery) == ((4, 12), 36, 48, 4, False)
    assert np.flatnonzero(env.initial_state_distrib).tolist() == [36]
    assert np.argwhere(env._cliff).tolist() == [[3, column] for column in range(1, 11)]
    assert cliffwalking.POSITION_MAPPING == {UP: [-1, 0], RIGHT: [0, 1], DOWN: [1, 0], LEFT: [0, -1]}


@pytest.mark.parametrize(
    ("slippery", "first", "last", "total"), [(False, [24, 36], 16, -60), (True, [36, 36], 26, -555)]
)
def test_the_recorded_trace(slippery: bool, first: list[int], last: int, total: int) -> None:
    env = CliffWalkingEnv(is_slippery=slippery)
    assert env.reset(seed=123) == (36, {"prob": 1})
    env.action_space.seed(123)
    steps = [env.step(env.action_space.sample()) for _ in range(60)]
    assert [step[0] for step in steps[:2]] == first and steps[-1][0] == last
    assert sum(step[1] for step in steps) == total


def test_ansi() -> None:
    env = CliffWalkingEnv(render_mode="ansi")
    env.reset(seed=0)
    row, cliff = "o " + " o " * 10 + " o\n", " " + " C " * 10 + " T\n"
    assert env.render() == row * 3 + "x" + cliff + "\n"
    env.step(UP)
    assert env.render() == row * 2 + row.replace("o", "x", 1) + "o" + cliff + "\n"


def test_layout_constants_are_found_through_the_module() -> None:
    assert cliffwalking.ART_CELL_SIZE == 64
    assert (cliffwalking.LETTER_OFFSET, cliffwalking.FLAG_OFFSET) == ((8, 8), (28, 16))
    with pytest.raises(AttributeError, match="NO_SUCH"):
        cliffwalking.NO_SUCH  # noqa: B018
