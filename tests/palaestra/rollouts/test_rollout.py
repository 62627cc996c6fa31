"""`rollout`: where it begins, the forms of spaces and policies, and the ways to collect."""

from __future__ import annotations

import re
import sys
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import gymnasium
import palaestra
from gymnasium.spaces import Box, Dict, Discrete, Graph, MultiDiscrete, OneOf, Sequence, Text, Tuple
from gymnasium.vector import AsyncVectorEnv, AutoresetMode
from tests.contracts.test_async_equality import same
from tests.palaestra.rollouts.echoes import (
    BOX,
    NESTED,
    Counter,
    Echo,
    N,
    by_row,
    echoes,
    policy_of_one_value,
    still,
)
from tests.palaestra.rollouts.scripts import batch, policy

SCRIPT = [(1.0, False, False), (2.0, True, False), (4.0, False, True)]


@pytest.mark.parametrize("mode", AutoresetMode)
def test_dicts_and_tuples_are_of_arrays_and_texts_of_objects(mode):
    seen = []

    def watching(observations):
        seen.append(observations)
        return still(observations)

    rollout = palaestra.rollout(echoes(NESTED, mode=mode), watching, 6)
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
        Sequence(Discrete(3)),
        OneOf([Discrete(3), BOX]),
        Graph(BOX, Discrete(2)),
    ],
    ids=repr,
)
def test_environments_take_the_actions_that_are_recorded(space):
    envs = echoes(BOX, space)
    envs.action_space.seed(2)
    rollout = palaestra.rollout(envs, lambda observations: envs.action_space.sample(), 4)
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
    rollout = palaestra.rollout(envs, lambda observations: wide, 3)
    assert rollout.actions.dtype == np.float32
    assert (rollout.actions == wide.astype(np.float32)).all()
    assert {action.dtype for env in envs.envs for action in env.unwrapped.actions} == {np.dtype(np.float32)}


@pytest.mark.parametrize("mode", AutoresetMode)
def test_without_a_start_the_environments_are_reset(mode):
    envs = batch([SCRIPT] * N, mode)
    envs.reset()
    rollout = palaestra.rollout(envs, policy, 2)
    assert rollout.observations[0].tolist() == [[2, 0]] * N  # the second episode


def test_a_start_of_observations_begins_episodes_with_them():
    envs = gymnasium.make_vec("CartPole-v1", N)
    first = envs.reset(seed=5)[0]
    one = palaestra.rollout(envs, still, 4, start=first)
    two = palaestra.rollout(envs, still, 4, start=envs.reset(seed=5)[0])
    assert same(tuple(one), tuple(two))
    assert np.array_equal(one.observations[0], first)


def test_memory_is_used_again_without_allocating():
    envs = gymnasium.make_vec("CartPole-v1", N)
    first = palaestra.rollout(envs, policy_of_one_value, 5)
    second = palaestra.rollout(envs, policy_of_one_value, 5, start=first, out=first)
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
    rollout = palaestra.rollout(envs, module, 4)
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

    rollout = palaestra.rollout(gymnasium.make_vec("CartPole-v1", N), act, 4)
    assert type(rollout.extras["value"]) is np.ndarray


def test_a_function_of_jax_acts():
    @jax.jit
    def act(observations):
        return (observations[:, 2] > 0).astype(jnp.int32), {"value": jnp.sum(observations, axis=1)}

    envs = gymnasium.make_vec("CartPole-v1", N)
    rollout = palaestra.rollout(envs, act, 4)
    assert np.array_equal(rollout.actions, (rollout.observations[:-1, :, 2] > 0).astype(np.int64))
    assert np.allclose(rollout.extras["value"], rollout.observations[:-1].sum(axis=2))


@pytest.mark.parametrize("ones", [partial(torch.ones, dtype=torch.bfloat16), partial(jnp.ones, dtype=jnp.bfloat16)])
def test_numbers_of_bfloat16_are_kept_in_float32(ones):
    rollout = palaestra.rollout(echoes(BOX, BOX), lambda observations: (ones((N, 2)) / 3, {"value": ones(N) / 3}), 2)
    third = np.float32(float(ones(1)[0] / 3))
    assert (rollout.actions == third).all() and (rollout.extras["value"] == third).all()
    assert rollout.extras["value"].dtype == np.float32


def test_tensors_and_arrays_of_jax_are_in_the_same_memory():
    rollout = palaestra.rollout(gymnasium.make_vec("CartPole-v1", N), policy_of_one_value, 40)
    tensors, arrays = rollout.to_torch(), rollout.to_jax()
    assert tensors.observations.data_ptr() == rollout.observations.ctypes.data
    assert tensors.rewards.data_ptr() == rollout.rewards.ctypes.data
    assert tensors.extras["value"].data_ptr() == rollout.extras["value"].ctypes.data
    assert arrays.observations.unsafe_buffer_pointer() == rollout.observations.ctypes.data
    assert arrays.terminated.unsafe_buffer_pointer() == rollout.terminated.ctypes.data
    assert same(tensors.gae(0.9, 0.8, policy_of_one_value), rollout.gae(0.9, 0.8, policy_of_one_value))
    assert tensors.flat().to_torch().next_observations.shape == (int(rollout.valid.sum()), 4)
    assert isinstance(rollout.flat().to_jax().rewards, jax.Array)


def test_a_rollout_of_tensors_may_be_the_start():
    envs = gymnasium.make_vec("CartPole-v1", N)
    one = palaestra.rollout(envs, still, 20, start=envs.reset(seed=5)[0])
    after = palaestra.rollout(envs, still, 9, start=one)
    palaestra.rollout(envs, still, 20, start=envs.reset(seed=5)[0])
    assert same(tuple(after), tuple(palaestra.rollout(envs, still, 9, start=one.to_torch())))


def test_a_vector_environment_of_somebody_else_takes_part():
    rollout = palaestra.rollout(Counter(), lambda observations: np.zeros(2, int), 4)
    assert rollout.observations[..., 0].T.tolist() == [[0, 1, 0, 3, 0], [0, 1, 2, 3, 4]]
    assert rollout.final_observations.observations.tolist() == [[2], [4]]
    assert rollout.flat().next_observations[::2, 0].tolist() == [1, 2, 3, 4]


def test_its_repr_counts():
    rollout = palaestra.rollout(batch([SCRIPT] * N, AutoresetMode.SAME_STEP), policy, 3)
    assert repr(rollout) == "<Rollout: 3 steps of 3 environments, 6 episodes ended>"


def test_explain_prints_the_collector_and_why_no_faster_one(capsys):
    palaestra.rollout(gymnasium.make_vec("CartPole-v1", N), still, 1, explain=True)
    assert "not overlapped halves, since overlap=True was not given" in capsys.readouterr().out


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("n", [2, 5])
def test_overlapping_changes_no_bit(mode, n, capsys):
    env_fns = [partial(gymnasium.make, "CartPole-v1", max_episode_steps=5)] * n
    envs = AsyncVectorEnv(env_fns, autoreset_mode=mode, num_workers=2)
    plain = palaestra.rollout(envs, by_row, 23, start=envs.reset(seed=3)[0])
    halves = palaestra.rollout(envs, by_row, 23, start=envs.reset(seed=3)[0], overlap=True, explain=True)
    longer = palaestra.rollout(envs, by_row, 5, start=halves, overlap=True)
    envs.close()
    assert same(tuple(plain), tuple(halves))
    assert "overlapped halves" in capsys.readouterr().out
    assert np.array_equal(longer.observations[0], halves.observations[-1])
    assert len(halves.episodes.steps) >= 3 * n


def test_a_policy_may_use_the_same_memory_for_all_its_actions():
    envs = AsyncVectorEnv([partial(gymnasium.make, "CartPole-v1")] * 4, num_workers=2)
    memory = {n: np.zeros(n, np.int64) for n in (2, 4)}

    def act(observations):
        actions = memory[len(observations)]
        actions[:] = observations[:, 0] > 0
        return actions

    plain = palaestra.rollout(envs, act, 9, start=envs.reset(seed=3)[0])
    halves = palaestra.rollout(envs, act, 9, start=envs.reset(seed=3)[0], overlap=True)
    envs.close()
    assert same(tuple(plain), tuple(halves))


def test_without_pytorch_a_policy_is_called_as_it_is(monkeypatch):
    monkeypatch.delitem(sys.modules, "torch")
    rollout = palaestra.rollout(echoes(BOX), policy_of_one_value, 2)
    assert rollout.rewards.shape == (2, N)


@pytest.mark.parametrize(
    "envs, reason",
    [
        (partial(echoes, BOX), "is not an AsyncVectorEnv with workers of its own"),
        (partial(AsyncVectorEnv, [partial(Echo, BOX, Discrete(5))]), "there is one environment"),
        (partial(AsyncVectorEnv, [partial(Echo, Text(3), Discrete(5))] * 2), "observations of .* are not arrays"),
    ],
)
def test_what_cannot_overlap_is_collected_by_the_plain_loop(envs, reason, capsys):
    envs = envs()
    palaestra.rollout(envs, lambda observations: np.zeros(len(observations), int), 2, overlap=True, explain=True)
    envs.close()
    assert re.search(f"not overlapped halves, since .*{reason}", capsys.readouterr().out)


def test_a_pair_is_read_as_actions_and_extras_unless_it_can_only_be_actions():
    space = Tuple([Discrete(2), Dict(x=Discrete(3))])
    actions = (np.zeros(N, int), {"x": np.ones(N, int)})
    bare = palaestra.rollout(echoes(BOX, space), lambda observations: actions, 1)
    pair = palaestra.rollout(echoes(BOX, space), lambda observations: (actions, {"value": np.zeros(N)}), 1)
    assert (list(bare.extras), list(pair.extras)) == ([], ["value"])
    assert same(bare.actions, pair.actions)
