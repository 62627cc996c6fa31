from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.envs.toy_text.taxi import DROPOFF, EAST, NORTH, PICKUP, SOUTH, WEST, Taxi, TaxiEnv

SPEC_MOVES = {
    0: ((1, 0), (0, 1), (0, -1)),
    1: ((-1, 0), (0, -1), (0, 1)),
    2: ((0, 1), (-1, 0), (1, 0)),
    3: ((0, -1), (1, 0), (-1, 0)),
}


@pytest.fixture(scope="module")
def dry() -> TaxiEnv:
    return TaxiEnv()


def test_encode_and_decode_are_inverse(dry: TaxiEnv) -> None:
    assert [dry.encode(*dry.decode(s)) for s in range(500)] == list(range(500))
    assert dry.encode(3, 1, 2, 0) == 328 and dry.decode(328) == (3, 1, 2, 0)
    assert all(type(part) is int for part in dry.decode(328))


def test_walls_stop_the_taxi(dry: TaxiEnv) -> None:
    """In row 0 a wall stands between columns 1 and 2, in row 3 between 0 and 1 and between 2 and 3."""
    s = dry.encode(0, 1, 0, 1)
    assert dry.P[s][EAST] == [(1.0, s, -1, False)]
    assert dry.P[s][WEST] == [(1.0, dry.encode(0, 0, 0, 1), -1, False)]
    assert dry.P[s][NORTH] == [(1.0, s, -1, False)]
    assert dry.P[s][SOUTH] == [(1.0, dry.encode(1, 1, 0, 1), -1, False)]
    for row, column, free in ((3, 0, False), (3, 1, True), (3, 2, False), (3, 3, True), (2, 2, True), (2, 4, False)):
        s = dry.encode(row, column, 0, 1)
        assert (dry.P[s][EAST][0][1] != s) is free


def test_pickup(dry: TaxiEnv) -> None:
    assert dry.P[dry.encode(0, 4, 1, 3)][PICKUP] == [(1.0, dry.encode(0, 4, 4, 3), -1, False)]
    for s in (dry.encode(0, 4, 2, 3), dry.encode(0, 3, 1, 3), dry.encode(0, 4, 4, 3)):
        assert dry.P[s][PICKUP] == [(1.0, s, -10, False)]


def test_dropoff(dry: TaxiEnv) -> None:
    assert dry.P[dry.encode(4, 3, 4, 3)][DROPOFF] == [(1.0, dry.encode(4, 3, 3, 3), 20, True)]
    assert dry.P[dry.encode(4, 0, 4, 3)][DROPOFF] == [(1.0, dry.encode(4, 0, 2, 3), -1, False)]
    for s in (dry.encode(4, 2, 4, 3), dry.encode(4, 3, 3, 2)):
        assert dry.P[s][DROPOFF] == [(1.0, s, -10, False)]


def test_rain_follows_the_rules_of_the_spec(dry: TaxiEnv) -> None:
    """Every move of the 500 states, by the spec's own procedure over the map's characters."""
    env = TaxiEnv(is_rainy=True, rainy_probability=0.6)
    desc = dry.desc

    def side(row: int, column: int, dr: int, dc: int) -> tuple[int, int]:
        r, c = min(max(row + dr, 0), 4), min(max(column + dc, 0), 4)
        blocked = (dc == 1 and desc[1 + r, 2 * c] != b":") or (dc == -1 and desc[1 + r, 2 * c + 2] != b":")
        return (row, column) if blocked else (r, c)

    for s in range(500):
        row, column, *people = env.decode(s)
        for action, (forward, left, right) in SPEC_MOVES.items():
            possible = {
                SOUTH: row < 4,
                NORTH: row > 0,
                EAST: desc[1 + row, 2 * column + 2] == b":",
                WEST: desc[1 + row, 2 * column] == b":",
            }[action]
            cells = [(row + forward[0], column + forward[1]), side(row, column, *left), side(row, column, *right)]
            cells = cells if possible else [(row, column)] * 3
            expected = [
                (p, env.encode(*cell, *people), -1, False) for p, cell in zip((0.6, 0.2, 0.2), cells, strict=True)
            ]
            assert env.P[s][action] == expected
        assert env.P[s][PICKUP] == dry.P[s][PICKUP] and env.P[s][DROPOFF] == dry.P[s][DROPOFF]


def test_an_episode_begins_with_a_passenger_who_wants_to_go_elsewhere(dry: TaxiEnv) -> None:
    possible = np.flatnonzero(dry.initial_state_distrib)
    assert len(possible) == 300 and dry.initial_state_distrib[possible] == pytest.approx(1 / 300)
    for s in possible:
        _, _, passenger, destination = dry.decode(int(s))
        assert passenger < 4 and passenger != destination


def test_the_mask_is_what_changes_something(dry: TaxiEnv) -> None:
    for s in range(500):
        mask = dry.action_mask(s)
        assert mask.dtype == np.int8 and mask.shape == (6,)
        changes = [dry.P[s][a][0][1] != s or (dry.P[s][a][0][2] != -10 and a > 3) for a in range(6)]
        assert mask.astype(bool).tolist() == changes


def test_infos_carry_their_own_mask(dry: TaxiEnv) -> None:
    env = TaxiEnv()
    s, info = env.reset(seed=1)
    assert info["prob"] == 1.0 and info["action_mask"].tolist() == env.action_mask(s).tolist()
    info["action_mask"][:] = 7
    s, *_, info = env.step(0)
    assert info["prob"] == 1.0 and info["action_mask"].tolist() == env.action_mask(s).tolist()
    info["action_mask"][:] = 7
    assert env.action_mask(s).max() == 1


def carrying(env: TaxiEnv, destination: int) -> None:
    env.s = env.encode(2, 2, 4, destination)


def test_a_fickle_passenger_changes_their_mind_once_when_the_taxi_moves() -> None:
    env = TaxiEnv(fickle_passenger=True, fickle_probability=1.0)
    env.reset(seed=0)
    assert env.fickle_step is True
    carrying(env, 2)
    env.step(DROPOFF)  # the taxi stands still
    assert env.fickle_step is True and env.decode(env.s or 0)[3] == 2
    twin = np.random.default_rng()
    twin.bit_generator.state = env.np_random.bit_generator.state
    env.step(NORTH)
    twin.random()
    row, column, passenger, destination = env.decode(env.s or 0)
    assert (row, column, passenger) == (1, 2, 4)
    assert destination == twin.choice([0, 1, 3])
    assert env.fickle_step is False
    env.step(NORTH)
    assert env.decode(env.s or 0)[3] == destination


def test_a_waiting_passenger_keeps_their_mind() -> None:
    env = TaxiEnv(fickle_passenger=True, fickle_probability=1.0)
    env.reset(seed=0)
    env.s = env.encode(2, 2, 1, 3)
    env.step(SOUTH)
    assert env.fickle_step is True and env.decode(env.s or 0) == (3, 2, 1, 3)


def test_fickle_passengers_are_as_frequent_as_said_and_choose_evenly() -> None:
    env = TaxiEnv(fickle_passenger=True, fickle_probability=0.3)
    env.reset(seed=0)
    flags, chosen = [], [0, 0, 0, 0]
    for _ in range(3000):
        env.reset()
        flags.append(env.fickle_step)
        if flags[-1]:
            carrying(env, 2)
            env.step(NORTH)
            chosen[env.decode(env.s or 0)[3]] += 1
    assert np.mean(flags) == pytest.approx(0.3, abs=0.03)
    assert chosen[2] == 0 and min(chosen[0], chosen[1], chosen[3]) > 0.28 * sum(chosen)


def test_others_are_never_fickle_and_draw_one_number_a_step() -> None:
    env = TaxiEnv()
    twin = np.random.default_rng(4)
    env.reset(seed=4)
    twin.random()
    carrying(env, 2)
    assert env.fickle_step is False
    env.fickle_step = True
    env.step(NORTH)
    twin.random()
    assert env.decode(env.s or 0)[3] == 2
    assert env.np_random.bit_generator.state == twin.bit_generator.state


def test_attributes_can_be_set() -> None:
    env = TaxiEnv()
    env.reset(seed=0)
    env.fickle_passenger, env.fickle_step = True, True
    carrying(env, 2)
    env.step(NORTH)
    assert env.decode(env.s or 0)[3] != 2
    assert env.locs == [(0, 0), (0, 4), (4, 0), (4, 3)]


def test_the_taxi_looks_where_it_last_went() -> None:
    env = TaxiEnv()
    env.reset(seed=0)
    assert env.taxi_orientation == 0
    for action, expected in ((EAST, 2), (PICKUP, 2), (WEST, 3), (DROPOFF, 3), (NORTH, 1)):
        env.step(action)
        assert env.taxi_orientation == expected
    env.reset()
    assert env.taxi_orientation == 0


@pytest.mark.parametrize("name", ["rainy_probability", "fickle_probability"])
@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan"), "often", None])
def test_bad_probabilities_are_refused(name: str, bad: Any) -> None:
    with pytest.raises(ValueError, match=name):
        TaxiEnv(**{name: bad})


def test_the_recorded_trace() -> None:
    env = TaxiEnv()
    assert env.reset(seed=123)[0] == 341
    env.action_space.seed(123)
    steps = [env.step(env.action_space.sample()) for _ in range(60)]
    assert [(step[0], step[1]) for step in steps[:2]] == [(441, -1), (441, -10)]
    assert steps[-1][0] == 277 and sum(step[1] for step in steps) == -213


def test_the_masks_of_the_params_are_those_of_the_tables() -> None:
    params = Taxi().default_params
    assert params.masks.shape == (500, 6) and params.masks.dtype == np.int8


def test_ansi() -> None:
    env = TaxiEnv(render_mode="ansi")
    env.reset(seed=0)
    env.s = env.encode(2, 2, 0, 3)
    assert env.render() == (
        "+---------+\n|\x1b[34;1mR\x1b[0m: | : :G|\n| : | : : |\n| : :\x1b[43m \x1b[0m: : |\n"
        "| | : | : |\n|Y| : |\x1b[35mB\x1b[0m: |\n+---------+\n\n"
    )
    env.s = env.encode(2, 2, 4, 3)
    env.step(EAST)
    assert env.render() == (
        "+---------+\n|R: | : :G|\n| : | : : |\n| : : :\x1b[42m_\x1b[0m: |\n"
        "| | : | : |\n|Y| : |\x1b[35mB\x1b[0m: |\n+---------+\n  (East)\n"
    )
