"""`SyncVectorEnv`: environments in a loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.error import ClosedEnvironmentError, Error, ResetNeeded
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from tests.gymnasium.vector.counting import Boom, Counting, counting, moves
from tests.spaces_zoo import agree


def run(envs: Any, steps: int) -> list[Any]:
    return [envs.step(np.zeros(envs.num_envs, np.int64)) for _ in range(steps)]


def test_spaces_and_metadata() -> None:
    envs: Any = SyncVectorEnv(counting(3, 3))

    assert envs.single_observation_space == Box(0, 1000, (2,), np.int64)
    assert envs.observation_space == Box(0, 1000, (2, 2), np.int64)
    assert envs.single_action_space == Discrete(4)
    assert envs.action_space == MultiDiscrete([4, 4])
    assert envs.metadata == {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}
    assert envs.render_mode == "ansi"
    assert repr(envs) == "SyncVectorEnv(num_envs=2)"
    assert "autoreset_mode" not in Counting.metadata


def test_next_step_resets_in_the_step_after_the_end() -> None:
    envs: Any = SyncVectorEnv(counting(2, 3))
    observations, infos = envs.reset()
    assert agree(observations, np.array([[1, 0], [1, 0]]))
    assert agree(infos["begun"], np.array([1, 1]))

    _, second, third, fourth = run(envs, 4)
    assert second[0].tolist() == [[1, 2], [1, 2]]
    assert agree(second[1], np.array([12.0, 12.0]))
    assert agree(second[2], np.array([True, False]))
    assert agree(second[3], np.array([False, False]))
    assert third[0].tolist() == [[2, 0], [1, 3]]
    assert third[1].tolist() == [0.0, 13.0]
    assert third[2].tolist() == [False, True]
    assert third[4]["_begun"].tolist() == [True, False]
    assert third[4]["_stepped"].tolist() == [False, True]
    assert fourth[0].tolist() == [[2, 1], [2, 0]]
    assert envs.envs[0].actions == [0, 0, 0]


def test_same_step_resets_at_the_end_and_keeps_what_was_last() -> None:
    envs: Any = SyncVectorEnv(counting(2, 3), autoreset_mode="SameStep")
    envs.reset()

    observations, rewards, terminations, _, infos = run(envs, 2)[1]
    assert observations.tolist() == [[2, 0], [1, 2]]
    assert rewards.tolist() == [12.0, 12.0]
    assert terminations.tolist() == [True, False]
    assert infos["final_obs"][0].tolist() == [1, 2]
    assert infos["final_obs"][1] is None
    assert infos["final_info"]["stepped"].tolist() == [2, 0]
    assert infos["final_info"]["_stepped"].tolist() == [True, False]
    assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == [True, False]
    assert infos["_begun"].tolist() == [True, False]


def test_disabled_refuses_to_step_a_finished_environment_and_nothing_moves() -> None:
    envs: Any = SyncVectorEnv(counting(2, 3), autoreset_mode=AutoresetMode.DISABLED)
    envs.reset()
    run(envs, 2)
    before = moves(envs)

    with pytest.raises(AssertionError, match=r"\[ True False\]"):
        run(envs, 1)
    assert moves(envs) == before
    observations, infos = envs.reset(options={"reset_mask": np.array([True, False])})
    assert observations.tolist() == [[2, 0], [1, 2]]
    assert infos["_begun"].tolist() == [True, False]
    assert run(envs, 1)[0][0].tolist() == [[2, 1], [1, 3]]


@pytest.mark.parametrize("mode", AutoresetMode)
def test_a_reset_clears_what_was_finished(mode: AutoresetMode) -> None:
    envs: Any = SyncVectorEnv(counting(1, 1), autoreset_mode=mode)
    envs.reset()
    run(envs, 1)
    begun = envs.reset()[0][:, 0]

    assert run(envs, 1)[0][2].tolist() == [True, True]
    assert [episode for episode, _, _ in moves(envs)] in (begun.tolist(), (begun + 1).tolist())
    assert [stepped for _, _, stepped in moves(envs)] == [2, 2]


def test_a_masked_reset_seeds_and_resets_only_the_masked() -> None:
    envs: Any = SyncVectorEnv(counting(5, 5, 5))
    envs.reset(seed=10)
    run(envs, 2)
    options = {"reset_mask": np.array([False, True, False]), "a": 1}
    observations, infos = envs.reset(seed=20, options=options)

    assert observations.tolist() == [[1, 2], [2, 0], [1, 2]]
    assert infos["begun"].tolist() == [0, 2, 0]
    assert envs.np_random_seed == (10, 21, 12)
    assert [env.options[1:] for env in envs.envs] == [[], [{"a": 1}], []]
    assert "reset_mask" in options


def test_options_of_each_environment() -> None:
    envs: Any = SyncVectorEnv(counting(5, 5))
    shared = {"a": 1}
    envs.reset(options=shared)
    envs.reset(options=[{"b": 2}, None])

    assert all(env.options[0] is shared for env in envs.envs)
    assert [env.options[1] for env in envs.envs] == [{"b": 2}, None]


@pytest.mark.parametrize("seed", [3, np.int64(3), [3, 4], np.array([3, 4])])
def test_seeds_survive_a_reset_without_one(seed: Any) -> None:
    envs: Any = SyncVectorEnv(counting(5, 5))
    envs.reset(seed=seed)
    envs.reset()

    assert envs.np_random_seed == (3, 4)
    assert [rng.random() for rng in envs.np_random] == [np.random.default_rng(i).random() for i in (3, 4)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": [1]},
        {"seed": [1, -2]},
        {"options": {"reset_mask": np.array([True])}},
        {"options": [{}]},
        {"seed": 1, "options": 5},
    ],
)
def test_a_wrong_reset_leaves_all_as_it_was(wrong: Any) -> None:
    envs: Any = SyncVectorEnv(counting(5, 5))
    envs.reset(seed=7)
    run(envs, 2)
    before = moves(envs)

    with pytest.raises((ValueError, TypeError, Error)):
        envs.reset(**wrong)
    assert moves(envs) == before
    assert envs.np_random_seed == (7, 8)
    assert run(envs, 1)[0][0].tolist() == [[1, 3], [1, 3]]


@pytest.mark.parametrize("actions", [0, [0], [0, 0, 0], [0.0, 0.0], [0, 4], [0, -1], [[0], [0]], None])
def test_a_wrong_batch_of_actions_leaves_all_as_it_was(actions: Any) -> None:
    envs: Any = SyncVectorEnv(counting(5, 5))
    envs.reset()
    before = moves(envs)

    with pytest.raises((TypeError, ValueError, AssertionError)):
        envs.step(actions)
    assert moves(envs) == before
    assert run(envs, 1)[0][0].tolist() == [[1, 1], [1, 1]]


def test_actions_may_be_a_list() -> None:
    envs: Any = SyncVectorEnv(counting(5, 5))
    envs.reset()
    envs.step([1, 2])

    assert agree([env.actions[0] for env in envs.envs], [np.int64(1), np.int64(2)])


def test_step_before_reset_is_refused() -> None:
    envs: Any = SyncVectorEnv(counting(5, 5))

    with pytest.raises(ResetNeeded, match="reset"):
        run(envs, 1)
    with pytest.raises(ResetNeeded):
        envs.reset(options={"reset_mask": np.array([True, False])})
    assert moves(envs) == [(0, 0, 0), (0, 0, 0)]


def test_an_exception_in_a_step_needs_a_reset_of_all() -> None:
    envs: Any = SyncVectorEnv(counting(5, 5))
    envs.reset()
    with pytest.raises(Boom, match="env 1"):
        envs.step([0, 3])

    for broken in (
        lambda: run(envs, 1),
        lambda: envs.send([0, 0]),
        lambda: envs.reset(options={"reset_mask": np.array([True, False])}),
    ):
        with pytest.raises(ResetNeeded, match="reset"):
            broken()
    assert moves(envs) == [(1, 1, 1), (1, 0, 0)]
    envs.reset(options={"reset_mask": np.array([True, True])})
    assert run(envs, 1)[0][0].tolist() == [[2, 1], [2, 1]]


def test_an_exception_in_a_reset_needs_a_reset_of_all() -> None:
    envs: Any = SyncVectorEnv(counting(5, 5))
    envs.reset()
    envs.envs[1].reset = lambda **_: 1 / 0
    with pytest.raises(ZeroDivisionError):
        envs.reset()
    with pytest.raises(ResetNeeded):
        run(envs, 1)


@pytest.mark.parametrize("copy", [True, False])
def test_copy_says_whether_observations_are_new(copy: bool) -> None:
    envs: Any = SyncVectorEnv(counting(5, 5), copy=copy)
    first, _ = envs.reset()
    kept = first.copy()
    second = run(envs, 1)[0][0]

    assert (first is second) is not copy
    assert np.array_equal(first, kept) is copy


def test_call_get_and_set() -> None:
    envs: Any = SyncVectorEnv(counting(2, 3))

    assert envs.call("add", 1, b=10) == (13, 14)
    assert envs.call("length") == envs.get_attr("length") == (2, 3)
    envs.set_attr("length", 7)
    assert envs.get_attr("length") == (7, 7)
    envs.set_attr("length", [8, 9])
    assert envs.get_attr("length") == (8, 9)
    with pytest.raises(ValueError, match=r"2 .*3 came"):
        envs.set_attr("length", [1, 2, 3])
    assert envs.get_attr("length") == (8, 9)
    with pytest.raises(AttributeError, match="nothing"):
        envs.call("nothing")


def test_render_is_a_tuple_of_what_each_renders() -> None:
    envs: Any = SyncVectorEnv(counting(2, 3))

    assert envs.render() == ("env 0 0", "env 1 0")


def test_generators_are_read_only() -> None:
    envs: Any = SyncVectorEnv(counting(2))
    with pytest.raises(AttributeError):
        envs.np_random = np.random.default_rng()


def test_close_closes_each_environment_once_also_after_a_failure() -> None:
    envs: Any = SyncVectorEnv(counting(2, 2, 2))
    single = envs.envs
    single[1].close = lambda: 1 / 0
    with pytest.raises(ZeroDivisionError):
        envs.close()

    assert not envs.closed
    assert [single[0].closed, single[2].closed] == [1, 1]
    del single[1].close
    envs.close(timeout=3)
    envs.close()
    assert envs.closed
    assert [env.closed for env in single] == [2, 1, 2]


def test_a_closed_one_says_so() -> None:
    envs: Any = SyncVectorEnv(counting(2))
    envs.reset()
    envs.close()

    for use in (envs.reset, lambda: run(envs, 1), lambda: envs.send([0]), envs.recv, lambda: envs.call("length")):
        with pytest.raises(ClosedEnvironmentError, match=r"SyncVectorEnv.*close"):
            use()


def differing() -> list[Any]:
    return [lambda: Counting(high=10), lambda: Counting(high=20)]


def test_observation_modes() -> None:
    envs: Any = SyncVectorEnv(differing(), observation_mode="different")
    assert envs.observation_space == Box(np.array([[0, 0], [0, 0]]), np.array([[10, 10], [20, 20]]), dtype=np.int64)
    assert envs.single_observation_space == Box(0, 10, (2,), np.int64)

    single = Box(-1, 99, (2,), np.int64)
    pair = (Box(-1, 99, (2, 2), np.int64), single)
    envs = SyncVectorEnv(differing(), observation_mode=pair)
    assert (envs.observation_space, envs.single_observation_space) == pair
    assert envs.reset()[0] in envs.observation_space


@pytest.mark.parametrize(
    ("mode", "error", "match"),
    [
        ("same", RuntimeError, "observation_mode='different'"),
        ("none", ValueError, "'same', 'different'.*'none'"),
        ((1, 2), TypeError, "1"),
        ((Box(0, 1, (2, 2)), Box(0, 1, (2,))), RuntimeError, "dtype"),
    ],
)
def test_wrong_observation_modes_close_what_was_made(mode: Any, error: type[Exception], match: str) -> None:
    made = [Counting(high=10), Counting(high=20)]
    with pytest.raises(error, match=match):
        SyncVectorEnv([lambda: made[0], lambda: made[1]], observation_mode=mode)

    assert [env.closed for env in made] == [1, 1]


def test_environments_that_do_not_fit_together_are_refused() -> None:
    other = Counting()
    other.action_space = Discrete(2)
    with pytest.raises(RuntimeError, match=r"action space .*Discrete\(2\)"):
        SyncVectorEnv([Counting, lambda: other])
    with pytest.raises(ValueError, match="env_fns"):
        SyncVectorEnv([])
    with pytest.raises(ValueError, match="Never"):
        SyncVectorEnv([Counting], autoreset_mode="Never")


def test_a_failing_constructor_closes_those_before() -> None:
    first = Counting()
    with pytest.raises(ZeroDivisionError):
        SyncVectorEnv([lambda: first, lambda: 1 / 0])  # type: ignore[list-item,return-value]

    assert first.closed == 1


def test_an_observation_that_does_not_fit_needs_a_reset() -> None:
    envs: Any = SyncVectorEnv(counting(5, 5))
    envs.reset()
    envs.envs[0]._observation = lambda: np.zeros(3, np.int64)
    with pytest.raises(ValueError, match="shape"):
        run(envs, 1)
    with pytest.raises(ResetNeeded):
        run(envs, 1)
