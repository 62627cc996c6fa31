"""Transitions, advantages, returns and episodes are those of a loop over each environment alone, in every mode."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gymnasium
import palaestra
from gymnasium.vector import AutoresetMode
from palaestra.policies import FuncPolicy
from tests.palaestra.rollouts.scripts import Script, Step, batch, by_hand, policy, value

rewards = st.floats(-4, 4, width=16)
events = st.tuples(rewards, st.sampled_from([False, False, False, True]), st.sampled_from([False, False, True]))
scripts = st.lists(st.lists(events, max_size=14), min_size=1, max_size=4)
modes = st.sampled_from(AutoresetMode)
factors = st.floats(0, 1)


def collected(scripts: list[Script], steps: int, mode: AutoresetMode) -> tuple[Any, list[list[Step]]]:
    """A rollout, and what each environment went through."""
    rollout = palaestra.rollout(batch(scripts, mode), policy, steps)
    return rollout, [by_hand(script, steps, mode) for script in scripts]


@given(scripts, st.integers(1, 15), modes)
def test_the_arrays_hold_each_step(scripts, steps, mode):
    rollout, alone = collected(scripts, steps, mode)
    for i, taken in enumerate(alone):
        for t, step in enumerate(taken):
            assert rollout.valid[t, i] == step.valid
            assert np.array_equal(rollout.observations[t, i], step.observation)
            assert rollout.actions[t, i] == step.action
            assert (rollout.rewards[t, i], rollout.extras["value"][t, i]) == (step.reward, value(step.observation))
            assert (rollout.terminated[t, i], rollout.truncated[t, i]) == (step.terminated, step.truncated)


@given(scripts, st.integers(1, 15), modes)
def test_flat_transitions_lead_to_the_next_observation_of_the_same_episode(scripts, steps, mode):
    rollout, alone = collected(scripts, steps, mode)
    flat = rollout.flat(twice=2 * rollout.rewards)
    expected = [taken[t] for t in range(steps) for taken in alone if taken[t].valid]
    assert flat.rewards.tolist() == [step.reward for step in expected]
    assert flat.actions.tolist() == [step.action for step in expected]
    assert flat.terminated.tolist() == [step.terminated for step in expected]
    assert flat.truncated.tolist() == [step.truncated for step in expected]
    assert flat.observations.tolist() == [step.observation.tolist() for step in expected]
    assert flat.next_observations.tolist() == [step.next_observation.tolist() for step in expected]
    assert flat.extras["value"].tolist() == [value(step.observation) for step in expected]
    assert flat.extras["twice"].tolist() == [2 * step.reward for step in expected]


@given(scripts, st.integers(1, 15), modes)
def test_finished_episodes_are_told_in_order(scripts, steps, mode):
    rollout, alone = collected(scripts, steps, mode)
    expected = []
    for i, taken in enumerate(alone):
        total, length = 0.0, 0
        for t, step in enumerate(taken):
            total, length = (total + step.reward, length + 1) if step.valid else (0.0, 0)
            if step.terminated or step.truncated:
                expected.append((t, i, total, length))
                total, length = 0.0, 0
        over = taken[-1].terminated or taken[-1].truncated
        assert rollout.running.over[i] == (over and mode is AutoresetMode.NEXT_STEP)
        assert (rollout.running.returns[i], rollout.running.lengths[i]) == (total, length) or rollout.running.over[i]
    found = rollout.episodes
    assert list(zip(found.steps, found.envs, found.returns, found.lengths, strict=True)) == sorted(expected)


@given(scripts, st.integers(1, 15), modes, factors, factors)
def test_advantages_are_those_of_each_environment_alone(scripts, steps, mode, gamma, lambda_):
    rollout, alone = collected(scripts, steps, mode)
    advantages, targets = rollout.gae(gamma, lambda_, policy)
    for i, taken in enumerate(alone):
        later = 0.0
        for t in reversed(range(steps)):
            step = taken[t]
            if not step.valid:
                assert (advantages[t, i], targets[t, i]) == (0, 0)
                continue
            here = float(value(step.observation))
            following = 0.0 if step.terminated else float(value(step.next_observation))
            error = step.reward + gamma * following - here
            later = error + gamma * lambda_ * (0.0 if step.terminated or step.truncated else later)
            assert (advantages[t, i], targets[t, i]) == (later, later + here)


@given(scripts, st.integers(1, 15), modes, factors, st.booleans())
def test_returns_are_those_of_each_environment_alone(scripts, steps, mode, gamma, bootstrap):
    rollout, alone = collected(scripts, steps, mode)
    returns = rollout.returns(gamma, *([value] if bootstrap else []))
    for i, taken in enumerate(alone):
        for t, step in enumerate(taken):
            assert returns[t, i] == (discounted(taken[t:], gamma, bootstrap) if step.valid else 0.0)


def discounted(steps: list[Step], gamma: float, bootstrap: bool) -> float:
    """The return of the first step."""
    step = steps[0]
    goes_on = len(steps) > 1 and not (step.terminated or step.truncated)
    if goes_on:
        later = discounted(steps[1:], gamma, bootstrap)
    else:
        later = float(value(step.next_observation)) if bootstrap and not step.terminated else 0.0
    return step.reward + gamma * later


CUT = [[(1.0, False, False), (1.0, False, True), (1.0, False, False), (1.0, False, False)]] * 2


@pytest.mark.parametrize("mode", AutoresetMode)
def test_values_may_be_given(mode):
    rollout = palaestra.rollout(batch(CUT, mode), policy, 4)
    asked = rollout.gae(0.9, 0.8, policy)
    last, final = value(rollout.observations[-1]), value(rollout.final_observations.observations)
    given = rollout.gae(0.9, 0.8, last_values=last, final_values=final)
    everywhere = rollout.gae(0.9, 0.8, values=value(rollout.observations), final_values=final)
    without = rollout._replace(extras={}).gae(0.9, 0.8, value)
    for other in (given, everywhere, without):
        assert np.array_equal(asked, other)


def test_estimates_have_the_dtype_of_the_values():
    rollout = palaestra.rollout(batch(CUT, AutoresetMode.NEXT_STEP), policy, 4)
    narrow = rollout.extras["value"].astype(np.float32)
    assert [each.dtype for each in rollout.gae(0.9, 0.8, policy)] == [np.float64] * 2
    assert [each.dtype for each in rollout.gae(0.9, 0.8, policy, values=narrow)] == [np.float32] * 2


def test_the_critic_is_called_in_batches_of_n():
    many = [[(1.0, False, True)] * 5] * 2
    rollout = palaestra.rollout(batch(many, AutoresetMode.SAME_STEP), policy, 5)
    sizes = []

    def critic(observations):
        sizes.append(len(observations))
        return value(observations)

    rollout._replace(extras={}).gae(0.9, 0.8, critic, values=rollout.extras["value"])
    assert sizes == [2] * 5  # ten final observations; the last step was truncated too


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({}, "values of the last observations are needed"),
        ({"last_values": np.zeros(2)}, "2 episodes were truncated"),
        ({"last_values": np.zeros(3)}, r"last_values must have the shape \(2,\), but one of \(3,\)"),
        ({"last_values": np.zeros(2), "final_values": np.zeros(1)}, r"final_values must have the shape \(2,\)"),
        ({"values": np.zeros((4, 2, 1))}, r"shape \(4, 2\) or \(5, 2\), not \(4, 2, 1\)"),
        ({"critic": lambda observations: np.zeros((2, 1))}, r"critic must have the shape \(2,\), but one of \(2, 1\)"),
        ({"critic": lambda observations: (np.zeros(2), {"log_prob": np.zeros(2)})}, r"\['log_prob'\], and no `value`"),
    ],
)
def test_missing_and_misshapen_values_are_refused(arguments, message):
    rollout = palaestra.rollout(batch(CUT, AutoresetMode.SAME_STEP), policy, 4)
    with pytest.raises(ValueError, match=message):
        rollout.gae(0.9, 0.8, **arguments)


def test_actions_are_no_values():
    rollout = palaestra.rollout(batch(CUT, AutoresetMode.SAME_STEP), policy, 4)
    with pytest.raises(TypeError, match="must be floats, but int64"):
        rollout.gae(0.9, 0.8, lambda observations: policy(observations)[0])


def test_values_are_missing_if_no_one_knows_them():
    rollout = palaestra.rollout(batch(CUT, AutoresetMode.NEXT_STEP), lambda observations: policy(observations)[0], 4)
    with pytest.raises(ValueError, match="let the policy return a `value`"):
        rollout.gae(0.9, 0.8)


def test_a_column_of_another_shape_is_refused():
    rollout = palaestra.rollout(batch(CUT, AutoresetMode.NEXT_STEP), policy, 4)
    with pytest.raises(ValueError, match=r"weights must begin with the axes \(4, 2\), but the shape \(3, 2\) came"):
        rollout.flat(weights=np.zeros((3, 2)))


class Value(NamedTuple):
    value: float


def test_the_critic_may_look_at_a_tuple():
    class Critic(FuncPolicy[None]):
        @staticmethod
        def act(params, observation, rng):
            return 0, Value(0.5 * observation[0] + observation[1])

    rollout = palaestra.rollout(gymnasium.make_vec("Blackjack-v1", 9), Critic(), 20)
    player, dealer, _ = rollout.observations
    given = rollout.gae(0.99, 0.95, values=0.5 * player + dealer)
    for one, other in zip(rollout.gae(0.99, 0.95, Critic()), given, strict=True):
        assert np.array_equal(one, other)
