"""The laws of dynamics: our environments keep them, and each law catches who breaks it."""

from __future__ import annotations

from itertools import count
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from gymnasium.envs import classic_control, toy_text
from gymnasium.functional import FuncEnv, FunctionalEnv, laws
from gymnasium.spaces import Box, Discrete
from palaestra.testing import check_func_env, compiled_gives_the_same

LAWS = (*laws.LAWS, compiled_gives_the_same)
OURS = [getattr(family, name) for family in (classic_control, toy_text) for name in family.__all__]


class Walk(NamedTuple):
    position: int
    heights: NDArray[np.float64]  # shape (4,)


class Limits(NamedTuple):
    goal: int = 4
    ground: NDArray[np.float64] = np.linspace(0.0, 1.0, 4)


class Walker(FuncEnv):
    """A user's environment, with an array in state and params, ifs and a loop."""

    observation_space = Box(-10.0, 10.0, (5,))
    action_space = Discrete(2)

    def get_default_params(self, **kwargs: Any) -> Limits:
        return Limits(**kwargs)

    @staticmethod
    def initial(rng, params):
        return Walk(int(rng.integers(0, 2)), params.ground + rng.random())

    @staticmethod
    def transition(state, action, rng, params):
        heights = state.heights.copy()
        for i in range(4):
            heights[i] = 0.9 * heights[i] + rng.uniform(-0.1, 0.1)
        if action == 1 and heights[0] < 1.5:
            return Walk(state.position + 1, heights)
        return Walk(state.position, heights)

    @staticmethod
    def observation(state, rng, params):
        return np.append(state.heights, state.position)

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return float(next_state.position > state.position)

    @staticmethod
    def terminal(state, rng, params):
        return state.position >= params.goal


class Remembers(Walker):
    """Keeps a count between calls, outside the state."""

    counter = count()

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return float(next(Remembers.counter))


class OwnRandomness(Walker):
    """Draws from a generator of its own."""

    rng = np.random.default_rng(0)

    @staticmethod
    def transition(state, action, rng, params):
        return Walk(state.position, OwnRandomness.rng.random(4))


class ChangesItsArgument(Walker):
    @staticmethod
    def transition(state, action, rng, params):
        state.heights[0] += 0.1
        return Walk(state.position, state.heights.copy())


class TooWide(Walker):
    @staticmethod
    def observation(state, rng, params):
        return [*state.heights, 99.0]


class RoundsAway(Walker):
    observation_space = Discrete(10)

    @staticmethod
    def observation(state, rng, params):
        return state.heights[0]


class ChangesKind(Walker):
    """Begins with the int 0, and continues with floats."""

    @staticmethod
    def transition(state, action, rng, params):
        return Walk(state.position + 0.5, state.heights)


class DictState(Walker):
    @staticmethod
    def initial(rng, params):
        return {"position": 0, "heights": params.ground}

    @staticmethod
    def transition(state, action, rng, params):
        return state

    @staticmethod
    def observation(state, rng, params):
        return [0.0] * 5

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return 0.0

    @staticmethod
    def terminal(state, rng, params):
        return False


class Tagged(Walk):
    """A state with something beside its fields."""

    age = 0


class HidesState(Walker):
    @staticmethod
    def transition(state, action, rng, params):
        after = Tagged(min(getattr(state, "age", 0), 3), state.heights)
        after.age = getattr(state, "age", 0) + 1
        return after


class RewardIsArray(Walker):
    @staticmethod
    def reward(state, action, next_state, rng, params):
        return next_state.heights


class RewardIsNaN(Walker):
    @staticmethod
    def reward(state, action, next_state, rng, params):
        return float("nan")


class TerminalIsFloat(Walker):
    @staticmethod
    def terminal(state, rng, params):
        return float(state.position >= params.goal)


class BeginsOver(Walker):
    @staticmethod
    def initial(rng, params):
        return Walk(params.goal, params.ground)


class ReadsWhatChanges(Walker):
    """Counts in an array among the globals, which for machine code is a constant."""

    counted = np.zeros(1)

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return ReadsWhatChanges.counted[0]

    @staticmethod
    def transition_info(state, action, next_state, params):
        ReadsWhatChanges.counted[0] += 1.0
        return dict(count=1)


BROKEN = [
    (OwnRandomness, laws.same_seed_same_trajectory, r"line \d+ of .*random numbers must come from `rng`"),
    (Remembers, laws.same_seed_same_trajectory, "keep nothing between calls"),
    (TooWide, laws.spaces_hold_what_comes_out, "An observation must lie in Box"),
    (RoundsAway, laws.spaces_hold_what_comes_out, "round it"),
    (ChangesItsArgument, laws.functions_are_pure, "`transition` must leave its arguments as they are"),
    (Remembers, laws.functions_are_pure, "`reward` must depend on its arguments alone"),
    (OwnRandomness, laws.functions_are_pure, "`transition` must depend on its arguments alone"),
    (DictState, laws.state_survives_a_round_trip, r"must be a NamedTuple, but DictState.initial, line \d+"),
    (
        ChangesKind,
        laws.state_survives_a_round_trip,
        "position is int after `initial` and float after `transition`: begin with a float",
    ),
    (HidesState, laws.state_survives_a_round_trip, "rebuilt from its fields must continue"),
    (RewardIsArray, laws.reward_and_terminal_are_scalars, "A reward must be one number"),
    (RewardIsNaN, laws.reward_and_terminal_are_scalars, "not NaN"),
    (TerminalIsFloat, laws.reward_and_terminal_are_scalars, "must return a bool"),
    (BeginsOver, laws.end_implies_reset, "must not be over when it begins"),
    (ReadsWhatChanges, compiled_gives_the_same, "gave the reward 1.0, and machine code 0.0"),
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("make", OURS, ids=lambda make: make.__name__)
def test_ours_keep_the_laws(make, law):
    """With the params that the environment runs with."""
    env = make()
    assert isinstance(env, FunctionalEnv)
    law(env.func_env, seed=1, steps=100, params=env.params)


def test_a_users_environment_keeps_them_all():
    """Arrays in state and params, ifs and a loop included; an end occurs, so nothing is left unchecked."""
    assert check_func_env(Walker(), seed=2, steps=60) == []
    assert check_func_env(Walker(), seed=2, steps=60, params=Limits(goal=2)) == []


def test_what_could_not_be_checked_is_said():
    (note,) = check_func_env(Walker(), steps=10, params=Limits(goal=1000))
    assert "No episode ended within 10 steps" in note


@pytest.mark.parametrize(("broken", "law", "message"), BROKEN, ids=lambda part: getattr(part, "__name__", None))
def test_law_catches_who_breaks_it(broken, law, message):
    with pytest.raises(AssertionError, match=message):
        law(broken(), steps=50)


def test_state_of_a_local_class_cannot_be_pickled():
    """Pickle finds classes by name, so the law says where to put them."""

    class Here(NamedTuple):
        position: int
        heights: NDArray[np.float64]

    class Local(Walker):
        @staticmethod
        def initial(rng, params):
            return Here(0, params.ground)

        @staticmethod
        def transition(state, action, rng, params):
            return state

    with pytest.raises(AssertionError, match="at the top of a module"):
        laws.state_survives_a_round_trip(Local())


def test_every_law_is_broken_by_someone():
    assert {law for _, law, _ in BROKEN} == set(LAWS)
