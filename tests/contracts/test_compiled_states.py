"""A moment of a compiled batch, or of one of its environments, is returned to exactly."""

from __future__ import annotations

import copy
import pickle
from typing import Any, NamedTuple

import numpy as np
import pytest

from gymnasium.envs.registration import make_vec
from gymnasium.error import ResetNeeded
from gymnasium.functional import FuncEnv, FunctionalEnv
from gymnasium.spaces import Box, Dict, Discrete, Tuple
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from palaestra.runner import CompiledVectorEnv
from palaestra.snapshots import restore, snapshot
from tests.contracts.compiled_law import assert_same

N = 11  # more than a register's lanes, and no multiple of them
IDS = ("CartPole-v1", "Acrobot-v1", "Taxi-v4", "Blackjack-v1")


def begun(env_id: str, n: int = N, **vector_kwargs: Any) -> Any:
    envs = make_vec(env_id, n, vector_kwargs=vector_kwargs)
    envs.reset(seed=3)
    return envs


def moves(envs: Any, count: int) -> list[Any]:
    envs.action_space.seed(1)
    return [envs.action_space.sample() for _ in range(count)]


def row(results: Any, i: int) -> list[Any]:
    observations = results[0] if isinstance(results[0], tuple) else (results[0],)
    return [part[i] for part in (*observations, *results[1:4])]


@pytest.mark.parametrize("env_id", IDS)
def test_an_environment_goes_on_in_another_batch_at_another_index(env_id: str) -> None:
    """Over the ends of episodes too, and the others do not notice."""
    envs, other, untouched = begun(env_id), begun(env_id, 3), begun(env_id, 3)
    actions = moves(envs, 150)
    for action in actions[:20]:
        envs.step(action)
    other.set_state(1, pickle.loads(pickle.dumps(envs.get_state(9))))

    for action in actions[20:]:
        few = np.array(action[:3])
        few[1] = action[9]
        here, there, beside = envs.step(action), other.step(few), untouched.step(few)
        assert all(np.array_equal(x, y) for x, y in zip(row(there, 1), row(here, 9), strict=True))
        assert all(np.array_equal(x, y) for x, y in zip(row(there, 2), row(beside, 2), strict=True))


def test_a_reset_of_others_returns_what_is_observed_of_a_state_that_was_set() -> None:
    envs = begun("CartPole-v1", autoreset_mode=AutoresetMode.DISABLED)
    moment, seen = envs.get_state(2), envs.step(moves(envs, 1)[0])[0]
    envs.set_state(5, moment)

    observations, _ = envs.reset(options={"reset_mask": np.arange(N) == 0})

    assert (observations[5] == np.array(moment.environment.state, np.float32)).all()
    assert (observations[6:] == seen[6:]).all()


class Position(NamedTuple):
    x: float
    n: int


class Seen(FuncEnv):
    """Observes parts by name, one of them with noise."""

    observation_space = Dict(
        {"n": Discrete(1000), "at": Tuple((Box(-np.inf, np.inf, (1,)), Box(0, 999, (), np.int64)))}
    )
    action_space = Discrete(3)

    @staticmethod
    def initial(rng, params):
        return Position(rng.random(), 0)

    @staticmethod
    def transition(state, action, rng, params):
        return Position(state.x + action, state.n + 1)

    @staticmethod
    def observation(state, rng, params):
        return {"at": ((state.x + rng.normal(),), state.n), "n": state.n}

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return 0.0

    @staticmethod
    def terminal(state, rng, params):
        return False


RUNNERS: Any = {
    "compiled": lambda: CompiledVectorEnv(Seen(), 3),
    "sync": lambda: SyncVectorEnv([lambda: FunctionalEnv(Seen())] * 3),
}


@pytest.mark.parametrize("target", RUNNERS)
@pytest.mark.parametrize("source", RUNNERS)
def test_a_reset_of_others_returns_what_was_observed_on_another_runner(source: str, target: str) -> None:
    here, there = RUNNERS[source](), RUNNERS[target]()
    here.reset(seed=1)
    there.reset(seed=5)
    here.step(np.array([0, 1, 2]))
    restore(there, snapshot(here))
    options = {"reset_mask": np.array([True, False, False])}
    assert_same(there.reset(options=dict(options)), here.reset(options=options), "reset")
    assert_same(there.step(np.array([2, 1, 0])), here.step(np.array([2, 1, 0])), "step")


def test_a_moment_of_one_environment_has_its_noise() -> None:
    envs = RUNNERS["compiled"]()
    envs.reset(seed=1)
    envs.step(np.array([0, 1, 2]))
    moments = [envs.get_state(i) for i in range(3)]
    again = RUNNERS["compiled"]()
    again.reset(seed=5)
    for i, moment in enumerate(moments):
        again.set_state(i, pickle.loads(pickle.dumps(moment)))
    options = {"reset_mask": np.array([False, True, False])}
    assert_same(again.reset(options=dict(options)), envs.reset(options=options), "reset")


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
@pytest.mark.parametrize("env_id", IDS)
def test_a_copy_of_a_batch_goes_on_exactly(env_id: str, copied: Any) -> None:
    envs = begun(env_id)
    actions = moves(envs, 60)
    for action in actions[:20]:
        envs.step(action)
    again = copied(envs)

    first = [envs.step(action) for action in actions[20:]]  # the copy does not move with it

    assert_same([again.step(action) for action in actions[20:]], first, env_id)
    assert again.np_random_seed == envs.np_random_seed


def test_a_batch_that_was_not_reset_can_be_copied() -> None:
    envs = copy.deepcopy(make_vec("CartPole-v1", 2))
    with pytest.raises(ResetNeeded):
        envs.step(np.zeros(2, np.int64))


def test_params_of_each_are_copied() -> None:
    envs = begun("CartPole-v1", 3)
    envs.set_attr("gravity", [1.0, 2.0, 3.0])
    again = copy.deepcopy(envs)
    envs.set_attr("gravity", 9.0)
    assert again.get_attr("gravity") == (1.0, 2.0, 3.0)


def test_states_that_are_none_are_refused() -> None:
    envs, other = make_vec("CartPole-v1", 2), begun("Acrobot-v1", 2)
    with pytest.raises(ResetNeeded):
        envs.get_state(0)
    envs.reset(seed=0)
    before = envs.get_state(0)
    for i, state, kind in ((2, before, IndexError), (0, 3, TypeError), (0, other.get_state(0), ValueError)):
        with pytest.raises(kind):
            envs.set_state(i, state)
    assert envs.get_state(0) == before


@pytest.mark.parametrize("env_id", ["CartPole-v1", "HalfCheetah-v5"])
def test_each_environment_has_the_spec_that_make_would_give_it(env_id: str) -> None:
    batch, sync = make_vec(env_id, 2), make_vec(env_id, 2, "sync")
    assert batch.get_attr("spec") == sync.get_attr("spec")
    sync.close(), batch.close()
