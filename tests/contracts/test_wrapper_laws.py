"""Laws that every wrapper keeps, over the table in `tests/wrapper_zoo.py`."""

from __future__ import annotations

import io
import pickle
from contextlib import closing
from copy import deepcopy
from functools import partial
from typing import Any

import cloudpickle
import numpy as np
import pytest

from gymnasium import wrappers
from gymnasium.envs.classic_control.cartpole import CartPoleEnv
from gymnasium.envs.registration import EnvSpec, make
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium.vector.utils import concatenate, create_empty_array, iterate
from gymnasium.wrappers import IN_FILES
from palaestra.runner import CompiledVectorEnv
from tests.wrapper_zoo import CASES, STEPS_OF_AN_EPISODE, VECTOR_CASES, Case, register_toys

N, SEED, STEPS = 3, 5, 30

every_case = pytest.mark.parametrize("case", CASES, ids=str)
every_vector_case = pytest.mark.parametrize("case", VECTOR_CASES, ids=str)
every_mode = pytest.mark.parametrize("mode", AutoresetMode)


@pytest.fixture(autouse=True)
def _toys() -> None:
    register_toys()


@every_case
def test_a_wrapper_around_a_batch_names_those_for_batches(case: Case) -> None:
    """The other way round too."""
    said = rf"wrappers=\[lambda env: {case.name}\(env, "
    if case.name == "TimeLimit":
        said = "max_episode_steps="
    elif case.vector:
        said = rf"gymnasium\.wrappers\.vector\.{case.name}.*{said}"
    with closing(SyncVectorEnv([case.env] * 2)) as batch, pytest.raises(TypeError, match=said):
        getattr(wrappers, case.name)(batch, **case.kwargs)
    if case.vector:
        with pytest.raises(TypeError, match=r"gymnasium\.make_vec, or take .* of gymnasium\.wrappers$"):
            getattr(wrappers.vector, case.name)(case.env(), **case.kwargs)


def vector_outside(case: Case, mode: AutoresetMode) -> Any:
    return case.wrapped_vector(SyncVectorEnv([case.env] * N, autoreset_mode=mode))


def vector_inside(case: Case, mode: AutoresetMode) -> Any:
    return SyncVectorEnv([case.wrapped] * N, autoreset_mode=mode)


def rollout(envs: Any, actions: list[Any], mode: AutoresetMode) -> list[Any]:
    """What comes of the actions after a reset, with a masked reset now and then."""
    return [envs.reset(seed=SEED), *continued(envs, actions, mode)]


def continued(envs: Any, actions: list[Any], mode: AutoresetMode) -> list[Any]:
    """What comes of the actions, from where the environments are."""
    trajectory = []
    for t, batch in enumerate(actions):
        result = envs.step(batch)
        trajectory.append(result)
        mask = np.zeros(N, np.bool_)
        mask[t // 10 % N] = t % 10 == 9
        if mode is AutoresetMode.DISABLED:
            mask |= result[2] | result[3]
        if mask.any():
            trajectory.append(envs.reset(seed=100 + t, options={"reset_mask": mask}))
    return trajectory


def assert_same(a: Any, b: Any, ignored: tuple[str, ...] = ()) -> None:
    """Equal values, and of arrays equal dtypes; single numbers may be Python's or NumPy's."""
    if isinstance(a, dict):
        assert a.keys() - set(ignored) == b.keys() - set(ignored)
        for key in a.keys() - set(ignored):
            assert_same(a[key], b[key], ignored)
    elif isinstance(a, (tuple, list)) or (isinstance(a, np.ndarray) and a.dtype == object):
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            assert_same(one, other, ignored)
    else:
        if isinstance(a, np.ndarray):
            assert (a.dtype, a.shape) == (b.dtype, b.shape)
            if a.tobytes() == b.tobytes():  # much faster than what follows
                return
        np.testing.assert_array_equal(a, b)


@every_mode
@every_vector_case
def test_wrapping_the_batch_is_wrapping_each(case: Case, mode: AutoresetMode) -> None:
    """wrapper(vector(env)) equals vector(wrapper(env))."""
    outside, inside = vector_outside(case, mode), vector_inside(case, mode)
    assert outside.single_observation_space == inside.single_observation_space
    assert outside.observation_space == inside.observation_space
    assert outside.single_action_space == inside.single_action_space
    assert outside.action_space == inside.action_space

    inside.action_space.seed(SEED)
    actions = [inside.action_space.sample() for _ in range(STEPS)]
    found, expected = rollout(outside, actions, mode), rollout(inside, actions, mode)

    for ours, theirs in zip(found, expected, strict=True):
        assert_same(ours, theirs, case.ignored)


@every_vector_case
def test_worker_processes_change_nothing(case: Case) -> None:
    """A wrapper around an async vector environment returns what it does around a sync one."""
    mode = AutoresetMode.SAME_STEP
    sync = vector_outside(case, mode)
    actions = sampled_actions(sync, 15)
    workers = AsyncVectorEnv([case.env] * N, autoreset_mode=mode)
    try:
        found = rollout(case.wrapped_vector(workers), actions, mode)
    finally:
        workers.close()

    for ours, theirs in zip(found, rollout(sync, actions, mode), strict=True):
        assert_same(ours, theirs, case.ignored)


@every_mode
@pytest.mark.parametrize("case", [case for case in VECTOR_CASES if case.env_id == "CartPole-v1"], ids=str)
def test_the_compiled_engine_changes_nothing(case: Case, mode: AutoresetMode) -> None:
    """A wrapper around a compiled vector environment returns what it does around a sync one."""
    compiled = CompiledVectorEnv(CartPoleEnv, N, max_episode_steps=STEPS_OF_AN_EPISODE, autoreset_mode=mode)
    sync = vector_outside(case, mode)
    actions = sampled_actions(sync)

    found, expected = rollout(case.wrapped_vector(compiled), actions, mode), rollout(sync, actions, mode)

    for ours, theirs in zip(found, expected, strict=True):
        assert_same(ours, theirs, case.ignored)


def histories(envs: Any, mode: AutoresetMode, actions: list[list[Any]]) -> list[list[Any]]:
    """Each environment's own history: what it observed and was rewarded with, episode after episode."""
    space = envs.single_action_space
    observations, _ = envs.reset(seed=SEED)
    found: list[list[Any]] = [[row] for row in iterate(envs.observation_space, observations)]
    acted, finished = [0] * N, np.zeros(N, np.bool_)
    for _ in range(STEPS):
        batch = concatenate(space, [actions[i][acted[i]] for i in range(N)], create_empty_array(space, N))
        observations, rewards, terminations, truncations, infos = envs.step(batch)
        begun = finished if mode is AutoresetMode.NEXT_STEP else np.zeros(N, np.bool_)
        finished = terminations | truncations
        for i, row in enumerate(iterate(envs.observation_space, observations)):
            if begun[i]:
                found[i].append(row)
                continue
            acted[i] += 1
            last = infos["final_obs"][i] if mode is AutoresetMode.SAME_STEP and finished[i] else row
            found[i] += [last, rewards[i], terminations[i], truncations[i]]
            if mode is AutoresetMode.SAME_STEP and finished[i]:
                found[i].append(row)
        if mode is AutoresetMode.DISABLED and finished.any():
            observations, _ = envs.reset(options={"reset_mask": finished})
            for i, row in enumerate(iterate(envs.observation_space, observations)):
                if finished[i]:
                    found[i].append(row)
    return found


@every_vector_case
def test_the_three_modes_show_one_history(case: Case) -> None:
    """When finished environments are reset changes what a step returns, and nothing of what happens."""
    space = vector_outside(case, AutoresetMode.DISABLED).single_action_space
    space.seed(SEED)
    actions = [[space.sample() for _ in range(STEPS)] for _ in range(N)]

    found = [histories(vector_outside(case, mode), mode, actions) for mode in AutoresetMode]

    for i in range(N):
        shown = min(len(history[i]) for history in found)
        assert shown > STEPS
        for history in found[1:]:
            assert_same(found[0][i][:shown], history[i][:shown])


@every_mode
@every_vector_case
def test_the_callers_options_stay_as_they_were(case: Case, mode: AutoresetMode) -> None:
    envs = vector_outside(case, mode)
    envs.reset(seed=SEED)
    mask = np.array([True, False, True])
    options = {"reset_mask": mask, "more": 1}
    envs.reset(options=options)

    assert options.keys() == {"reset_mask", "more"}
    assert options["reset_mask"] is mask
    assert mask.tolist() == [True, False, True]


@every_vector_case
def test_what_was_returned_stays_as_it_was(case: Case) -> None:
    envs = vector_outside(case, AutoresetMode.SAME_STEP)
    envs.action_space.seed(SEED)
    first, _ = envs.reset(seed=SEED)
    kept = [deepcopy(first)]
    results = [(first,)]
    for _ in range(5):
        results.append(envs.step(envs.action_space.sample())[:4])
        kept.append(deepcopy(results[-1]))

    assert_same(results[0][0], kept[0])
    assert_same(results[1:], kept[1:])


def single_rollout(env: Any, actions: list[Any], seed: int | None = SEED) -> list[Any]:
    return [env.reset(seed=seed), *single_continued(env, actions)]


def single_continued(env: Any, actions: list[Any]) -> list[Any]:
    trajectory = []
    for action in actions:
        trajectory.append(env.step(action))
        if trajectory[-1][2] or trajectory[-1][3]:
            trajectory.append(env.reset())
    return trajectory


def sampled_actions(env: Any, steps: int = STEPS) -> list[Any]:
    env.action_space.seed(SEED)
    return [env.action_space.sample() for _ in range(steps)]


@every_case
def test_an_environment_can_be_made_again_from_its_spec(case: Case) -> None:
    env = case.wrapped()
    again = make(env.spec)
    case.prepare(again)

    assert str(again) == str(env)
    assert again.spec == env.spec
    assert again.observation_space == env.observation_space
    assert again.action_space == env.action_space
    actions = sampled_actions(env)
    assert_same(single_rollout(env, actions), single_rollout(again, actions), case.ignored)


@every_case
def test_so_it_can_from_its_text_if_all_is_data(case: Case) -> None:
    if "func" in case.kwargs:
        with pytest.raises(ValueError, match=r"'func'\] is .*, a callable, which cannot be serialised"):
            case.wrapped().spec.to_json()
        return
    env = case.wrapped()
    again = make(EnvSpec.from_json(env.spec.to_json(), trusted=case.name not in IN_FILES))
    case.prepare(again)

    assert str(again) == str(env)
    assert again.spec == env.spec
    actions = sampled_actions(env)
    assert_same(single_rollout(env, actions), single_rollout(again, actions), case.ignored)


@every_case
def test_a_pickled_environment_goes_on_by_itself(case: Case) -> None:
    env = case.wrapped()
    actions = sampled_actions(env)
    single_rollout(env, actions[:10])

    again = pickle.loads(pickle.dumps(env))

    assert_same(single_rollout(env, actions, None), single_rollout(again, actions, None), case.ignored)


@every_mode
@every_vector_case
def test_a_pickled_vector_environment_goes_on_by_itself(case: Case, mode: AutoresetMode) -> None:
    envs = vector_outside(case, mode)
    actions = sampled_actions(envs)
    rollout(envs, actions[:10], mode)

    again = pickle.loads(cloudpickle.dumps(envs))  # plain pickle does not take a SyncVectorEnv

    assert_same(rollout(envs, actions, mode), rollout(again, actions, mode), case.ignored)


def stateful(cases: list[Case]) -> list[Case]:
    return [case for case in cases if hasattr(getattr(wrappers, case.name), "get_state")]


def saved(state: dict[str, Any]) -> dict[str, Any]:
    """The state after a way through an `.npz` file, without pickle."""
    file = io.BytesIO()
    np.savez(file, **state)
    file.seek(0)
    with np.load(file, allow_pickle=False) as arrays:
        return dict(arrays)


@pytest.mark.parametrize("case", stateful(CASES), ids=str)
def test_the_state_is_plain_arrays_from_which_another_goes_on(case: Case) -> None:
    _check_state(case.wrapped, single_rollout, single_continued, case)


@every_mode
@pytest.mark.parametrize("case", stateful(VECTOR_CASES), ids=str)
def test_so_is_the_state_of_a_vector_wrapper(case: Case, mode: AutoresetMode) -> None:
    new, run, go_on = partial(vector_outside, case, mode), partial(rollout, mode=mode), partial(continued, mode=mode)
    _check_state(new, run, go_on, case)


def _check_state(new: Any, run: Any, go_on: Any, case: Case) -> None:
    """What is around a copy of the environment goes on as the first does, in the middle of an episode."""
    env, other = new(), new()
    if hasattr(env, "update_running_mean"):
        env.update_running_mean = other.update_running_mean = True
    actions = sampled_actions(env)
    run(env, actions[:10])
    other.env = pickle.loads(cloudpickle.dumps(env.env))
    state = env.get_state()
    assert all(isinstance(array, np.ndarray) and array.dtype != object for array in state.values())

    other.set_state(saved(state))

    assert_same(other.get_state(), state, ("episode_times",))
    assert_same(go_on(other, actions), go_on(env, actions), case.ignored)
    assert_same(run(other, actions), run(env, actions), case.ignored)


@pytest.mark.parametrize("case", stateful(CASES), ids=str)
def test_a_state_that_does_not_fit_changes_nothing(case: Case) -> None:
    env = case.wrapped()
    state = env.get_state()
    name = next(iter(state))
    for wrong in ({}, {**state, "more": np.zeros(1)}, {**state, name: np.zeros((9, 9, 9))}):
        with pytest.raises(ValueError):
            env.set_state(wrong)
        assert_same(env.get_state(), state, ("episode_times",))
    with pytest.raises(TypeError, match=r"env\.unwrapped\.set_state"):
        env.set_state(("the environment's",))
    assert_same(env.get_state(), state, ("episode_times",))
