"""What the environments given by a table share."""

from __future__ import annotations

import copy
import pickle
import warnings
from math import nextafter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gymnasium.envs.toy_text import BlackjackEnv, CliffWalkingEnv, FrozenLakeEnv, TaxiEnv
from gymnasium.envs.toy_text.table import (
    distribution_from,
    drawn_outcome,
    drawn_start,
    start_from,
    tabulated,
    untabulated,
)
from gymnasium.envs.toy_text.tabular import TabularEnv
from gymnasium.envs.toy_text.utils import categorical_sample
from gymnasium.error import ActionOutsideSpace, StepBeforeReset
from tests.gymnasium.envs.toy_text.traces import rollout, sampled_actions, step_row

VARIANTS = {
    "frozen_lake": FrozenLakeEnv,
    "dry_ice": lambda: FrozenLakeEnv(is_slippery=False),
    "cliffwalking": CliffWalkingEnv,
    "slippery_cliff": lambda: CliffWalkingEnv(is_slippery=True),
    "taxi": TaxiEnv,
    "rainy_taxi": lambda: TaxiEnv(is_rainy=True),
    "fickle_taxi": lambda: TaxiEnv(is_rainy=True, fickle_passenger=True, fickle_probability=0.9),
    "blackjack": BlackjackEnv,
}
TABULAR = [name for name in VARIANTS if name not in ("blackjack", "fickle_taxi")]


class FixedNumber:
    """A source of randomness that always yields the same number."""

    def __init__(self, u: float) -> None:
        self.u = u

    def random(self) -> float:
        return self.u


probabilities = st.lists(st.floats(0, 1), min_size=1, max_size=9).filter(lambda ps: sum(ps) > 0.1)
numbers = st.floats(0, 1, exclude_max=True)


@given(probabilities, numbers)
def test_the_first_state_is_the_categorical_sample(weights: list[float], u: float) -> None:
    distribution = np.array(weights) / sum(weights)
    drawn = drawn_start(start_from(distribution), FixedNumber(u))
    assert drawn == categorical_sample(distribution, FixedNumber(u))  # type: ignore[arg-type]


@given(probabilities, numbers)
def test_the_outcome_is_the_categorical_sample(weights: list[float], u: float) -> None:
    distribution = [weight / sum(weights) for weight in weights]
    row = [(p, k, float(k), False) for k, p in enumerate(distribution)]
    table = tabulated({s: {0: row} for s in range(len(row))})
    outcome = drawn_outcome(table, len(row) - 1, 0, FixedNumber(u))
    assert table.next_state[outcome] == categorical_sample(distribution, FixedNumber(u))  # type: ignore[arg-type]


def test_a_sum_that_rounding_leaves_below_the_number_gives_the_first_as_argmax_does() -> None:
    third, u = 0.1, nextafter(1.0, 0.0)
    distribution = [third] * 10  # adds up to 0.9999999999999999, which is u
    assert categorical_sample(distribution, FixedNumber(u)) == 0  # type: ignore[arg-type]
    assert drawn_start(start_from([0.0, *distribution]), FixedNumber(u)) == 0
    table = tabulated([[[(p, k, 0, False) for k, p in enumerate(distribution)]]] * 10)
    assert table.next_state[drawn_outcome(table, 3, 0, FixedNumber(u))] == 0


def test_categorical_sample_takes_one_number() -> None:
    rng, twin = np.random.default_rng(4), np.random.default_rng(4)
    sample = categorical_sample([0.1, 0.2, 0.7], rng)
    assert isinstance(sample, np.int64)
    assert sample == np.searchsorted([0.1, 0.3, 1.0], twin.random(), side="right")
    assert rng.bit_generator.state == twin.bit_generator.state


@pytest.mark.parametrize("name", TABULAR)
def test_p_is_a_plain_dict_of_lists_of_tuples(name: str) -> None:
    env = VARIANTS[name]()
    transitions = env.P
    assert list(transitions) == list(range(env.nS)) and env.nS == env.observation_space.n
    assert all(list(transitions[s]) == list(range(env.nA)) for s in transitions) and env.nA == env.action_space.n
    for outcomes in (row for actions in transitions.values() for row in actions.values()):
        assert type(outcomes) is list
        assert [tuple(map(type, outcome)) for outcome in outcomes] == [(float, int, int, bool)] * len(outcomes)
        assert sum(p for p, *_ in outcomes) == pytest.approx(1.0)
    assert untabulated(tabulated(transitions)) == transitions


@pytest.mark.parametrize("name", TABULAR)
def test_steps_follow_p(name: str) -> None:
    """Replayed by hand: one random number a step, the outcome as `categorical_sample` picks it."""
    env = VARIANTS[name]()
    s, _ = env.reset(seed=11)
    twin = np.random.default_rng(11)
    assert s == categorical_sample(env.initial_state_distrib, twin)
    for action in sampled_actions(env, 200):
        row = env.P[s][action]
        p, expected, reward, terminated = row[categorical_sample([p for p, *_ in row], twin)]
        s, *came, info = env.step(action)
        assert (s, *came, info["prob"]) == (expected, reward, terminated, False, p)
        assert type(s) is int and type(came[0]) is int and type(info["prob"]) is float
        if terminated:
            s, _ = env.reset()
            assert s == categorical_sample(env.initial_state_distrib, twin)


@pytest.mark.parametrize("name", TABULAR)
def test_reading_the_attributes_changes_nothing(name: str) -> None:
    env, other = VARIANTS[name](), VARIANTS[name]()
    env.reset(seed=5), other.reset(seed=5)
    assert len(other.P) == other.nS and other.initial_state_distrib.sum() == pytest.approx(1.0)
    assert other.s is not None and other.lastaction is None
    actions = sampled_actions(env, 150)
    assert rollout(env, actions) == rollout(other, actions)


def test_a_row_changed_in_place_acts_at_the_next_step_and_after_a_reset() -> None:
    env = FrozenLakeEnv()
    env.reset(seed=0)
    env.P[0][2] = [(1.0, 15, 7, True)]
    assert step_row(env.step(2)) == (15, 7, True, False, {"prob": 1.0})
    env.reset()
    assert step_row(env.step(2)) == (15, 7, True, False, {"prob": 1.0})
    env.reset()
    env.P[0][2].append((0.0, 3, 0, False))
    env.P[0][2][0] = (0.0, 15, 7, True)
    env.P[0][2][1] = (1.0, 3, np.float32(0.5), False)
    assert step_row(env.step(2)) == (3, 0.5, False, False, {"prob": 1.0})


def test_p_can_be_replaced_and_stays_the_callers_object() -> None:
    env = FrozenLakeEnv()
    env.reset(seed=0)
    mine: Any = {s: {a: [[1.0, (s + 1) % 16, a, False]] for a in range(4)} for s in range(16)}
    env.P = mine
    assert env.P is mine
    assert step_row(env.step(3)) == (1, 3, False, False, {"prob": 1.0})
    mine[1][0][0][1] = 9
    assert env.step(0)[0] == 9


def test_other_environments_keep_their_p() -> None:
    env, other = CliffWalkingEnv(), CliffWalkingEnv()
    env.P[36][0] = [(1.0, 0, -1, False)]
    env.reset(seed=0), other.reset(seed=0)
    assert (env.step(0)[0], other.step(0)[0]) == (0, 24)


@pytest.mark.parametrize(
    "row",
    [
        [],
        [(0.5, 1, 0, False)],
        [(1.5, 1, 0, False), (-0.5, 1, 0, False)],
        [(float("nan"), 1, 0, False)],
        [(1.0, 16, 0, False)],
        [(1.0, 1.5, 0, False)],
        [(1.0, 1, "much", False)],
        [(1.0, 1, 0)],
        None,
    ],
)
def test_a_bad_row_is_refused_before_anything_moves(row: Any) -> None:
    env = FrozenLakeEnv()
    env.reset(seed=0)
    before = env.np_random.bit_generator.state
    env.P[0][2] = row
    with pytest.raises(ValueError, match=r"P\[0\]\[2\]"):
        env.step(1)
    assert env.s == 0 and env.np_random.bit_generator.state == before


def test_a_p_with_missing_entries_is_refused_and_one_of_another_size_is_used() -> None:
    env = FrozenLakeEnv()
    env.reset(seed=0)
    del env.P[0][3]
    with pytest.raises(ValueError, match="every state and action"):
        env.step(0)
    del env.P[0]
    with pytest.raises(ValueError, match="every state and action"):
        env.step(0)
    env.P = CliffWalkingEnv().P
    env.s = 36
    assert step_row(env.step(0)) == (24, -1, False, False, {"prob": 1.0})
    env.P = {s: {0: [(1.0, 0, 2.5, False)]} for s in range(3)}
    with pytest.raises(ValueError, match="P has no state 24"):
        env.step(0)
    env.s = 2
    assert step_row(env.step(0)) == (0, 2.5, False, False, {"prob": 1.0})


def test_the_distribution_of_the_first_state_can_be_changed() -> None:
    env = FrozenLakeEnv()
    env.initial_state_distrib[:] = 0
    env.initial_state_distrib[9] = 1
    assert env.reset(seed=0)[0] == 9
    env.initial_state_distrib = np.full(16, 1 / 16)
    assert {env.reset()[0] for _ in range(300)} == set(range(16))
    for bad in (np.ones(16), np.full(16, np.nan), np.ones((4, 4))):
        with pytest.raises(ValueError, match="probabilit"):
            env.initial_state_distrib = bad
    assert {env.reset()[0] for _ in range(300)} == set(range(16))
    env.initial_state_distrib = np.full(32, 1 / 32)
    with pytest.raises(ValueError, match=r"gives the state 16 a probability, but P has the states 0\.\.15"):
        env.reset()


def test_the_distribution_survives_its_table() -> None:
    distribution = np.array([0.0, 0.25, 0.0, 0.75])
    assert distribution_from(start_from(distribution), 4).tolist() == distribution.tolist()


@pytest.mark.parametrize("name", TABULAR)
def test_s_acts_at_the_next_step(name: str) -> None:
    env = VARIANTS[name]()
    env.reset(seed=3)
    for s in range(0, env.nS, 7):
        env.s = np.int64(s)
        assert env.s == s and type(env.s) is int
        came = env.step(1)[0]
        assert came in [outcome[1] for outcome in env.P[s][1]]


def test_s_begins_an_episode_anew() -> None:
    """Planning from many states needs no reset, not even before the first step or after an end."""
    env = FrozenLakeEnv(is_slippery=False)
    assert env.s is None
    for _ in range(3):
        env.s = 14
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert step_row(env.step(2)) == (15, 1, True, False, {"prob": 1.0})


@pytest.mark.parametrize("bad", [-1, 16, 1.5, "0", None])
def test_s_refuses_what_is_no_state(bad: Any) -> None:
    env = FrozenLakeEnv()
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"0\.\.15"):
        env.s = bad
    assert env.s == 0


def test_lastaction_is_that_of_the_episode() -> None:
    env = CliffWalkingEnv()
    assert env.lastaction is None
    env.reset(seed=0)
    assert env.lastaction is None
    env.step(0)
    assert env.lastaction == 0
    env.lastaction = 3
    assert env.lastaction == 3
    env.lastaction = None
    assert env.lastaction is None


@pytest.mark.parametrize("name", VARIANTS)
def test_an_action_outside_the_space_moves_nothing(name: str) -> None:
    env = VARIANTS[name]()
    env.reset(seed=0)
    before, rng = env.state, env.np_random.bit_generator.state
    for bad in (env.action_space.n, -1, 0.5, "0", None, float("nan")):
        with pytest.raises(ActionOutsideSpace):
            env.step(bad)
    assert env.state is before and env.np_random.bit_generator.state == rng


@pytest.mark.parametrize("name", VARIANTS)
def test_a_step_before_the_first_reset_is_refused(name: str) -> None:
    env = VARIANTS[name]()
    with pytest.raises(StepBeforeReset):
        env.step(0)
    if isinstance(env, TabularEnv):
        assert len(env.P) == env.nS
        with pytest.raises(StepBeforeReset):
            env.step(0)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("touched", [False, True], ids=["untouched", "read"])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deep", "pickle"])
def test_a_copy_continues_exactly_and_apart(name: str, touched: bool, copied: Any) -> None:
    env = VARIANTS[name]()
    env.reset(seed=9)
    actions = sampled_actions(env, 60)
    if touched:
        assert (env.player, env.dealer) if name == "blackjack" else (env.P, env.initial_state_distrib) is not None
    rollout(env, actions[:25])
    twin = copied(env)
    expected = rollout(env, actions[25:])
    assert rollout(twin, actions[25:]) == expected


def test_a_changed_p_travels_with_a_copy() -> None:
    env = FrozenLakeEnv()
    env.reset(seed=0)
    env.P[0][0] = [(1.0, 6, 3, False)]
    twin = copy.deepcopy(env)
    env.P[0][0] = [(1.0, 5, 2, True)]
    assert twin.step(0)[:2] == (6, 3) and env.step(0)[:2] == (5, 2)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_same_seed_gives_the_same_episode(name: str) -> None:
    env, other = VARIANTS[name](), VARIANTS[name]()
    assert step_row(env.reset(seed=8)) == step_row(other.reset(seed=8))
    actions = sampled_actions(env, 120)
    assert rollout(env, actions) == rollout(other, actions)


def test_a_step_after_the_end_warns_once() -> None:
    env = FrozenLakeEnv()
    env.reset(seed=0)
    env.P[0][0] = [(1.0, 15, 1, True)]
    env.step(0)
    with pytest.warns(UserWarning, match="reset"):
        env.step(0)
    assert step_row(env.step(0)) == (15, 0, True, False, {"prob": 1.0})
