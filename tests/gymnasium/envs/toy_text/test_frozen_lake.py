from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.envs.toy_text import frozen_lake
from gymnasium.envs.toy_text.frozen_lake import MAPS, FrozenLakeEnv, generate_random_map, is_valid


def test_slippery_outcomes_are_the_left_the_intended_and_the_right_move() -> None:
    """From field 6 of the small map (row 1, column 2), right: up to 2, right into the hole 7, down to 10."""
    env = FrozenLakeEnv()
    third, slip = 1 / 3, (1 - 1 / 3) / 2
    assert env.P[6][frozen_lake.RIGHT] == [(slip, 10, 0, False), (third, 7, 0, True), (slip, 2, 0, False)]
    assert env.P[14][frozen_lake.RIGHT] == [(slip, 14, 0, False), (third, 15, 1, True), (slip, 10, 0, False)]


def test_moves_stop_at_the_border() -> None:
    env = FrozenLakeEnv(is_slippery=False)
    assert env.P[0] == {
        0: [(1.0, 0, 0, False)],
        1: [(1.0, 4, 0, False)],
        2: [(1.0, 1, 0, False)],
        3: [(1.0, 0, 0, False)],
    }


def test_holes_and_the_goal_keep_the_agent() -> None:
    env = FrozenLakeEnv(map_name="8x8", reward_schedule=(5, -3, -1))
    for s, letter in enumerate("".join(MAPS["8x8"])):
        if letter in "GH":
            assert env.P[s] == {a: [(1.0, s, 0, True)] for a in range(4)}


def test_rewards_follow_the_landing_field_and_keep_their_type() -> None:
    env = FrozenLakeEnv(is_slippery=False, reward_schedule=(10, -5, -0.5))  # type: ignore[arg-type]
    assert env.P[14][2] == [(1.0, 15, 10, True)]
    assert env.P[4][2] == [(1.0, 5, -5, True)]
    assert env.P[1][0] == [(1.0, 0, -0.5, False)]
    assert env.reward_range == (-5, 10)
    assert type(FrozenLakeEnv(reward_schedule=(1.0, 0.0, 0.0)).P[14][2][1][2]) is float
    assert type(FrozenLakeEnv(reward_schedule=(1, 0, 0)).P[14][2][1][2]) is int


def test_success_rate_is_the_intended_moves() -> None:
    env = FrozenLakeEnv(success_rate=0.9)
    assert [p for p, *_ in env.P[0][2]] == [pytest.approx(0.05), 0.9, pytest.approx(0.05)]


def test_the_dynamics_alone_are_those_of_the_environment() -> None:
    alone, made = frozen_lake.FrozenLake().default_params, FrozenLakeEnv().func_env.default_params
    assert (alone.table, alone.start) == (made.table, made.start)


def test_public_attributes() -> None:
    env = FrozenLakeEnv(desc=["SFF", "FFG"])
    assert env.desc.dtype == "S1" and env.desc.tolist() == [[b"S", b"F", b"F"], [b"F", b"F", b"G"]]
    assert (env.nrow, env.ncol, env.nS, env.nA, env.reward_range) == (2, 3, 6, 4, (0, 1))
    assert env.observation_space.n == env.func_env.observation_space.n == 6  # type: ignore[attr-defined]


def test_episodes_begin_at_any_start() -> None:
    env = FrozenLakeEnv(desc=["SFS", "SFG"])
    assert env.initial_state_distrib.tolist() == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3, 0, 0])
    assert {env.reset(seed=seed)[0] for seed in range(30)} == {0, 2, 3}


@pytest.mark.parametrize(
    "desc",
    [
        ["SF", "FG"],
        ("SF", "FG"),
        [["S", "F"], ["F", "G"]],
        np.array(["SF", "FG"]),
        np.array([["S", "F"], ["F", "G"]]),
        [b"SF", b"FG"],
    ],
)
def test_a_map_may_come_in_several_forms(desc: Any) -> None:
    assert FrozenLakeEnv(desc=desc).desc.tolist() == [[b"S", b"F"], [b"F", b"G"]]


@pytest.mark.parametrize(
    ("desc", "message"),
    [
        (["FF", "FG"], "start"),
        (["SF", "FF"], "goal"),
        (["SFF", "FG"], "same length"),
        (["SX", "FG"], "letters"),
        (["sf", "fg"], "letters"),
        (["SÄ", "FG"], "list of strings"),
        ("SFG", "list of strings"),
        ([], "list of strings"),
        (5, "list of strings"),
    ],
)
def test_a_bad_map_is_refused(desc: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        FrozenLakeEnv(desc=desc)


@pytest.mark.parametrize(
    "kwargs",
    [
        {"map_name": "5x5"},
        {"success_rate": 1.1},
        {"success_rate": -0.1},
        {"success_rate": float("nan")},
        {"success_rate": "often"},
        {"reward_schedule": (1, 0)},
        {"reward_schedule": (1, 0, "x")},
        {"reward_schedule": 1},
    ],
)
def test_other_bad_arguments_are_refused(kwargs: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(kwargs))):
        FrozenLakeEnv(**kwargs)


def test_without_a_map_there_is_a_random_one() -> None:
    env, other = (FrozenLakeEnv(desc=None, map_name=None) for _ in range(2))
    assert env.desc.shape == (8, 8) and env.desc[0, 0] == b"S" and env.desc[-1, -1] == b"G"
    assert env.desc.tolist() != other.desc.tolist()


def test_random_maps_are_the_recorded_ones() -> None:
    assert generate_random_map(4, 0.8, seed=0) == ["SFFF", "HHFF", "FHHF", "HFFG"]
    assert generate_random_map(5, 0.5, seed=42) == ["SHFHH", "FHFHH", "FHFHH", "FFFFF", "FFFHG"]


@pytest.mark.parametrize("seed", range(20))
def test_random_maps_can_be_crossed(seed: int) -> None:
    board = generate_random_map(6, 0.6, seed=seed)
    assert [len(row) for row in board] == [6] * 6 and board[0][0] == "S" and board[-1][-1] == "G"
    assert is_valid(board, 6)


@pytest.mark.parametrize("kwargs", [{"size": 1}, {"size": 0}, {"size": -3}, {"p": 0}, {"p": -1}, {"p": float("nan")}])
def test_a_random_map_that_cannot_be_is_refused(kwargs: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be"):
        generate_random_map(**kwargs)


def test_p_above_one_means_no_holes() -> None:
    assert generate_random_map(3, 1.5, seed=0) == ["SFF", "FFF", "FFG"]


def test_is_valid_knows_no_diagonals() -> None:
    assert is_valid(["SH", "FG"], 2)
    assert not is_valid(["SH", "HG"], 2)
    assert not is_valid(["SFH", "FHF", "HFG"], 3)


def test_the_small_map_follows_the_recorded_trace() -> None:
    env = FrozenLakeEnv(map_name="4x4")
    assert env.reset(seed=123) == (0, {"prob": 1})
    env.action_space.seed(123)
    observations = [env.step(env.action_space.sample())[0] for _ in range(8)]
    assert observations[:2] == [0, 4] and observations[-1] == 12 and env.state.done


def test_ansi_shows_the_action_and_the_agent() -> None:
    env = FrozenLakeEnv(render_mode="ansi", desc=["SF", "HG"], is_slippery=False)
    env.reset(seed=0)
    assert env.render() == "\n\x1b[41mS\x1b[0mF\nHG\n"
    env.step(frozen_lake.RIGHT)
    assert env.render() == "  (Right)\nS\x1b[41mF\x1b[0m\nHG\n"
