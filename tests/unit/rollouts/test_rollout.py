"""`rollout`: where it begins, the forms of spaces and policies, and what it refuses."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import gymnasium
from gymnasium.core import Env
from gymnasium.error import ActionOutsideSpace
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete, Space, Text, Tuple
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv, VectorEnv
from tests.contracts.test_async_equality import same
from tests.unit.rollouts.scripts import batch, policy

N = 3
SCRIPT = [(1.0, False, False), (2.0, True, False), (4.0, False, True)]


class Echo(Env[Any, Any]):
    """Observes samples of a space and takes actions of another; each fourth step ends an episode."""

    def __init__(self, observed: Space[Any], taken: Space[Any]) -> None:
        self.observation_space, self.action_space = observed, taken
        self.actions: list[Any] = []

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        return self.observation_space.sample(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.actions.append(action)
        return self.observation_space.sample(), 1.0, len(self.actions) % 4 == 0, False, {}


def echoes(observed: Space[Any], taken: Space[Any] | None = None, mode: Any = "NextStep") -> SyncVectorEnv[Any, Any]:
    observed.seed(1)
    taken = Discrete(5) if taken is None else taken
    return SyncVectorEnv([partial(Echo, observed, taken)] * N, autoreset_mode=mode)


def still(observations: Any) -> Any:
    return np.zeros(N, np.int64)


BOX = Box(-1, 1, (2,), np.float32)
NESTED = Dict(place=BOX, rest=Tuple([Discrete(4), Dict(name=Text(3))]))


@pytest.mark.parametrize("mode", AutoresetMode)
def test_dicts_and_tuples_are_of_arrays_and_texts_of_objects(mode):
    seen = []

    def watching(observations):
        seen.append(observations)
        return still(observations)

    rollout = gymnasium.rollout(echoes(NESTED, mode=mode), watching, 6)
    observations = rollout.observations
    assert (observations["place"].shape, observations["place"].dtype) == ((7, N, 2), np.float32)
    assert (observations["rest"][0].shape, observations["rest"][1]["name"].dtype) == ((7, N), object)
    for t, batch_seen in enumerate(seen):
        assert np.array_equal(batch_seen["place"], observations["place"][t])
        assert batch_seen["rest"][1]["name"] == tuple(observations["rest"][1]["name"][t])
    assert all(type(text) is str for text in observations["rest"][1]["name"].ravel())
    flat = rollout.flat()
    assert flat.next_observations["rest"][1]["name"].shape == flat.rewards.shape
    assert len(rollout.final_observations.observations["place"]) == (0 if mode is AutoresetMode.NEXT_STEP else N)


@pytest.mark.parametrize(
    "space",
    [
        Discrete(3, start=2),
        Box(-1, 1, (2, 2), np.float64),
        MultiDiscrete([3, 4], dtype=np.int8),
        Tuple([Discrete(2), BOX]),
        Dict(move=BOX, kind=Tuple([Discrete(3)])),
        Text(4),
    ],
    ids=repr,
)
def test_environments_take_the_actions_that_are_recorded(space):
    envs = echoes(BOX, space)
    envs.action_space.seed(2)
    rollout = gymnasium.rollout(envs, lambda observations: envs.action_space.sample(), 4)
    for i, env in enumerate(envs.envs):
        for t, action in enumerate(env.unwrapped.actions):
            assert same(space.to_jsonable([action]), space.to_jsonable([row(rollout.actions, t, i)]))


def row(arrays: Any, t: int, i: int) -> Any:
    if isinstance(arrays, dict):
        return {key: row(part, t, i) for key, part in arrays.items()}
    return tuple(row(part, t, i) for part in arrays) if isinstance(arrays, tuple) else arrays[t, i]


def test_actions_get_the_dtype_of_the_space():
    envs = echoes(BOX, BOX)
    wide = np.array([0.1, 1e-20, -0.7])[:, None] * np.ones(2)
    rollout = gymnasium.rollout(envs, lambda observations: wide, 3)
    assert rollout.actions.dtype == np.float32
    assert (rollout.actions == wide.astype(np.float32)).all()
    assert {action.dtype for env in envs.envs for action in env.unwrapped.actions} == {np.dtype(np.float32)}


@pytest.mark.parametrize("mode", AutoresetMode)
def test_without_a_start_the_environments_are_reset(mode):
    envs = batch([SCRIPT] * N, mode)
    envs.reset()
    rollout = gymnasium.rollout(envs, policy, 2)
    assert rollout.observations[0].tolist() == [[2, 0]] * N  # the second episode


def test_a_start_of_observations_begins_episodes_with_them():
    envs = gymnasium.make_vec("CartPole-v1", N)
    first = envs.reset(seed=5)[0]
    one = gymnasium.rollout(envs, still, 4, start=first)
    two = gymnasium.rollout(envs, still, 4, start=envs.reset(seed=5)[0])
    assert same(tuple(one), tuple(two))
    assert np.array_equal(one.observations[0], first)


def test_memory_is_used_again_without_allocating():
    envs = gymnasium.make_vec("CartPole-v1", N)
    first = gymnasium.rollout(envs, policy_of_one_value, 5)
    second = gymnasium.rollout(envs, policy_of_one_value, 5, start=first, out=first)
    for name in ("observations", "actions", "rewards", "terminated", "truncated", "valid"):
        assert getattr(second, name) is getattr(first, name)
    assert second.extras["value"] is first.extras["value"]


class Network(torch.nn.Module):
    """Acts by the sign of a linear function."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)
        self.given: list[Any] = []

    def forward(self, observations):
        self.given.append((type(observations), torch.is_grad_enabled(), observations.data_ptr()))
        value = self.layer(observations).squeeze(-1)
        return (value > 0).long(), {"value": value}


def test_a_module_gets_tensors_in_the_same_memory_and_records_no_gradients():
    envs, module = gymnasium.make_vec("CartPole-v1", N), Network()
    rollout = gymnasium.rollout(envs, module, 4)
    pointers = [array.ctypes.data for array in rollout.observations[:-1]]
    assert module.given == [(torch.Tensor, False, pointer) for pointer in pointers]
    expected = module(torch.from_numpy(rollout.observations[:-1].reshape(-1, 4)))[1]["value"]
    assert np.allclose(rollout.extras["value"].ravel(), expected.detach().numpy())
    advantages, _ = rollout.gae(0.99, 0.95, module)
    assert (advantages.shape, advantages.dtype) == ((4, N), np.float32)


def test_a_function_may_return_tensors_that_require_gradients():
    module = Network()

    def act(observations):
        with torch.enable_grad():
            value = module.layer(torch.from_numpy(observations)).squeeze(-1)
        assert value.requires_grad
        return (value > 0).long(), {"value": value}

    rollout = gymnasium.rollout(gymnasium.make_vec("CartPole-v1", N), act, 4)
    assert type(rollout.extras["value"]) is np.ndarray


def test_a_function_of_jax_acts():
    @jax.jit
    def act(observations):
        return (observations[:, 2] > 0).astype(jnp.int32), {"value": jnp.sum(observations, axis=1)}

    envs = gymnasium.make_vec("CartPole-v1", N)
    rollout = gymnasium.rollout(envs, act, 4)
    assert np.array_equal(rollout.actions, (rollout.observations[:-1, :, 2] > 0).astype(np.int64))
    assert np.allclose(rollout.extras["value"], rollout.observations[:-1].sum(axis=2))


def test_tensors_and_arrays_of_jax_are_in_the_same_memory():
    rollout = gymnasium.rollout(gymnasium.make_vec("CartPole-v1", N), policy_of_one_value, 40)
    tensors, arrays = rollout.to_torch(), rollout.to_jax()
    assert tensors.observations.data_ptr() == rollout.observations.ctypes.data
    assert tensors.rewards.data_ptr() == rollout.rewards.ctypes.data
    assert tensors.extras["value"].data_ptr() == rollout.extras["value"].ctypes.data
    assert arrays.observations.unsafe_buffer_pointer() == rollout.observations.ctypes.data
    assert arrays.terminated.unsafe_buffer_pointer() == rollout.terminated.ctypes.data
    assert same(tensors.gae(0.9, 0.8, policy_of_one_value), rollout.gae(0.9, 0.8, policy_of_one_value))
    assert tensors.flat().to_torch().next_observations.shape == (int(rollout.valid.sum()), 4)
    assert isinstance(rollout.flat().to_jax().rewards, jax.Array)


def policy_of_one_value(observations):
    return still(observations), {"value": observations[:, 0]}


def test_a_vector_environment_of_somebody_else_takes_part():
    class Counter(VectorEnv[Any, Any]):
        metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        num_envs = 2
        single_observation_space = Box(0, 100, (1,))
        single_action_space = Discrete(2)
        t = 0.0

        def reset(self, *, seed=None, options=None):
            self.t = 0.0
            return np.zeros((2, 1), np.float32), {}

        def step(self, actions):
            self.t += 1
            over = np.array([self.t % 2 == 0, False])
            final = np.array([np.array([self.t], np.float32), None], object)
            infos = {"final_obs": final, "_final_obs": over} if over.any() else {}
            observations = np.where(over, 0, self.t).astype(np.float32)[:, None]
            return observations, np.ones(2, np.float32), over, np.zeros(2, bool), infos

    rollout = gymnasium.rollout(Counter(), lambda observations: np.zeros(2, int), 4)
    assert rollout.observations[..., 0].T.tolist() == [[0, 1, 0, 3, 0], [0, 1, 2, 3, 4]]
    assert rollout.final_observations.observations.tolist() == [[2], [4]]
    assert rollout.flat().next_observations[::2, 0].tolist() == [1, 2, 3, 4]


def test_explain_prints_the_collector_and_why_no_faster_one(capsys):
    gymnasium.rollout(gymnasium.make_vec("CartPole-v1", N), still, 1, explain=True)
    assert "rollout: plain loop; not overlapped halves, since overlap=True was not given" in capsys.readouterr().out


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("n", [2, 5])
def test_overlapping_changes_no_bit(mode, n, capsys):
    env_fns = [partial(gymnasium.make, "CartPole-v1", max_episode_steps=5)] * n
    envs = AsyncVectorEnv(env_fns, autoreset_mode=mode, num_workers=2)
    plain = gymnasium.rollout(envs, by_row, 23, start=envs.reset(seed=3)[0])
    halves = gymnasium.rollout(envs, by_row, 23, start=envs.reset(seed=3)[0], overlap=True, explain=True)
    longer = gymnasium.rollout(envs, by_row, 5, start=halves, overlap=True)
    envs.close()
    assert same(tuple(plain), tuple(halves))
    assert "overlapped halves" in capsys.readouterr().out
    assert np.array_equal(longer.observations[0], halves.observations[-1])
    assert len(halves.episodes.steps) >= 3 * n


def by_row(observations):
    return (observations[:, 2] > 0).astype(np.int64), {"sum": observations[:, 0] + observations[:, 1]}


def test_a_failing_policy_leaves_no_environment_in_flight():
    envs = AsyncVectorEnv([partial(gymnasium.make, "CartPole-v1")] * 4, num_workers=2)
    calls = iter(range(5))

    def failing(observations):
        if next(calls, None) is None:
            raise KeyError("weights")
        return by_row(observations)

    with pytest.raises(KeyError, match="weights"):
        gymnasium.rollout(envs, failing, 9, overlap=True)
    envs.reset(seed=1)
    envs.close()


def refused(act: Any, error: type[Exception], message: str, space: Space[Any] | None = None) -> None:
    """A rollout whose policy acts so ends with this error, and no environment has moved."""
    envs = echoes(BOX, space)
    with pytest.raises(error, match=message):
        gymnasium.rollout(envs, act, 3)
    assert [env.unwrapped.actions for env in envs.envs] == [[]] * N


@pytest.mark.parametrize(
    "actions, error, message",
    [
        (np.zeros((N, 1), np.int64), ValueError, r"has the shape \(3,\), not \(3, 1\)"),
        (np.zeros(N + 1, np.int64), ValueError, r"has the shape \(3,\), not \(4,\)"),
        (np.zeros(N), ActionOutsideSpace, "cannot have the dtype float64"),
        (np.array([0, 5, 1]), ActionOutsideSpace, r"rows \[1\]"),
        (None, TypeError, "leading axis"),
    ],
)
def test_actions_of_another_form_are_refused(actions, error, message):
    refused(lambda observations: actions, error, message)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300])
def test_actions_that_are_not_finite_are_refused(bad):
    refused(lambda observations: np.full((N, 2), bad), ActionOutsideSpace, "Box", BOX)


@pytest.mark.parametrize(
    "extras, error, message",
    [
        ({"value": np.zeros(N - 1)}, ValueError, r"'value' must have the shape \(3, ...\).*one of \(2,\) came"),
        ({"value": 1.0}, ValueError, r"one of \(\) came"),
        ({"value": np.array([0, np.nan, 0])}, ValueError, r"'value' is NaN in the rows \[1\]"),
        ({"name": np.array(["a", "b", "c"])}, TypeError, "'name' must be an array of numbers, but <U1"),
        ({3: np.zeros(N)}, TypeError, "named by strings, but one is named 3"),
    ],
)
def test_extras_of_another_form_are_refused(extras, error, message):
    refused(lambda observations: (still(observations), extras), error, message)


def test_infinite_extras_pass():
    logits = np.array([[0, -np.inf]] * N, np.float32)
    rollout = gymnasium.rollout(echoes(BOX), lambda observations: (still(observations), {"logits": logits}), 2)
    assert np.array_equal(rollout.extras["logits"], [logits] * 2)


@pytest.mark.parametrize(
    "later, message",
    [
        ({}, r"at first \['value'\], but \[\] at step 1"),
        ({"value": np.zeros(N), "more": np.zeros(N)}, r"but \['value', 'more'\] at step 1"),
        (
            {"value": np.zeros((N, 1))},
            r"float64 of the shape \(3,\), but at step 1 it is float64 of the shape \(3, 1\)",
        ),
        ({"value": np.zeros(N, np.float32)}, "at step 1 it is float32"),
        ({"value": np.full(N, np.nan)}, "NaN in the rows"),
    ],
)
def test_extras_that_change_are_refused_before_the_step(later, message):
    envs, results = echoes(BOX), iter([{"value": np.zeros(N)}, later])
    with pytest.raises(ValueError, match=message):
        gymnasium.rollout(envs, lambda observations: (still(observations), next(results)), 3)
    assert [len(env.unwrapped.actions) for env in envs.envs] == [1] * N


@pytest.mark.parametrize("later", [np.zeros((N, 1), np.int64), np.full(N, 9), np.zeros(N)])
def test_actions_that_change_are_refused_before_the_step(later):
    envs, results = echoes(BOX), iter([still(None), later])
    with pytest.raises((ValueError, ActionOutsideSpace)):
        gymnasium.rollout(envs, lambda observations: next(results), 3)
    assert [len(env.unwrapped.actions) for env in envs.envs] == [1] * N


def test_a_pair_is_read_as_actions_and_extras_unless_it_can_only_be_actions():
    space = Tuple([Discrete(2), Dict(x=Discrete(3))])
    actions = (np.zeros(N, int), {"x": np.ones(N, int)})
    bare = gymnasium.rollout(echoes(BOX, space), lambda observations: actions, 1)
    pair = gymnasium.rollout(echoes(BOX, space), lambda observations: (actions, {"value": np.zeros(N)}), 1)
    assert (list(bare.extras), list(pair.extras)) == ([], ["value"])
    assert same(bare.actions, pair.actions)


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"envs": gymnasium.make("CartPole-v1")}, TypeError, "needs a gymnasium.vector.VectorEnv"),
        ({"policy": 3}, TypeError, "must be a function of a batch of observations"),
        ({"steps": 0}, ValueError, "steps"),
        ({"out": 3}, TypeError, "must be an earlier Rollout"),
        ({"start": np.zeros((2, 4), np.float32)}, ValueError, r"must have the shape \(3, 4\), but one of \(2, 4\)"),
    ],
)
def test_invalid_arguments_are_refused(arguments, error, message):
    envs = gymnasium.make_vec("CartPole-v1", N)
    with pytest.raises(error, match=message):
        gymnasium.rollout(**{"envs": envs, "policy": still, "steps": 3, **arguments})


def test_a_start_or_memory_of_other_environments_is_refused():
    few = gymnasium.rollout(gymnasium.make_vec("CartPole-v1", 2), lambda observations: np.zeros(2, int), 3)
    envs = gymnasium.make_vec("CartPole-v1", N)
    with pytest.raises(ValueError, match="a rollout of 3 environments, but it is of 2"):
        gymnasium.rollout(envs, still, 3, start=few)
    with pytest.raises(ValueError, match=r"must hold rewards as float64 of the shape \(3, 3\), but .* \(3, 2\)"):
        gymnasium.rollout(envs, still, 3, out=few)


@pytest.mark.parametrize(
    "now, message",
    [
        ({}, r"must hold \[\], but it holds \['value'\]"),
        (
            {"value": np.zeros((N, 2))},
            r"value as float64 of the shape \(3, 3, 2\), but as float64 of the shape \(3, 3\)",
        ),
    ],
)
def test_memory_for_other_extras_is_refused(now, message):
    envs = gymnasium.make_vec("CartPole-v1", N)
    earlier = gymnasium.rollout(envs, lambda observations: (still(observations), {"value": np.zeros(N)}), 3)
    with pytest.raises(ValueError, match=message):
        gymnasium.rollout(envs, lambda observations: (still(observations), now), 3, out=earlier)


@pytest.mark.parametrize("start, message", [({"place": 1}, r"the keys \['place'\]"), (3, "a <class 'int'> came")])
def test_a_start_of_another_structure_is_refused(start, message):
    with pytest.raises(TypeError, match=message):
        gymnasium.rollout(echoes(NESTED), still, 3, start=start)
