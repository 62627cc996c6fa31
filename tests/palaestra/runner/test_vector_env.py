"""`CompiledVectorEnv` of a user's own dynamics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.envs.classic_control.cartpole import CartPoleEnv, CartPoleVectorEnv
from gymnasium.functional import FuncEnv, FunctionalEnv
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from palaestra.randomization import Uniform
from palaestra.randomization.vector import RandomizeParams
from palaestra.runner import CompiledVectorEnv
from tests.contracts.compiled_law import assert_same, assert_same_streams
from tests.palaestra.runner.dynamics import Bits, Garden, Listed, Masked, Measured, Scalar, Telling, Walk

KINDS = [Walk, Garden, Telling, Measured, Scalar, Bits, Listed]
N = 13  # eight in lanes, where dynamics can be, and some more


def sync_of(kind: type[FuncEnv], n: int, limit: int, mode: AutoresetMode) -> SyncVectorEnv[Any, Any]:
    return SyncVectorEnv([lambda: TimeLimit(FunctionalEnv(kind()), limit)] * n, autoreset_mode=mode)


@pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.name)
@pytest.mark.parametrize("kind", KINDS)
def test_a_users_dynamics_give_what_sync_gives(kind: type[FuncEnv], mode: AutoresetMode) -> None:
    ours = CompiledVectorEnv(kind(), N, max_episode_steps=7, autoreset_mode=mode)
    sync = sync_of(kind, N, 7, mode)
    rng = np.random.default_rng(0)
    sync.action_space.seed(1)
    assert_same(ours.reset(seed=1), sync.reset(seed=1), "reset")
    for t in range(60):
        actions = sync.action_space.sample()
        result = sync.step(actions)
        assert_same(ours.step(actions), result, f"step {t}")
        mask = result[2] | result[3] if mode is AutoresetMode.DISABLED else rng.random(N) < 0.1
        if mask.any():
            options = {"reset_mask": mask}
            assert_same(ours.reset(options=options), sync.reset(options=options), f"reset after step {t}")
    if mode is not AutoresetMode.DISABLED:
        for envs in (ours, sync):
            envs.send(actions[[3, 1]], [3, 1])
        assert_same(ours.recv(2), sync.recv(2), "recv")
    assert_same_streams(ours, sync)


def test_infos_of_dynamics_and_their_drawn_params_have_names_of_their_own() -> None:
    base = CompiledVectorEnv(Masked(), N, max_episode_steps=7)
    pair = base, sync_of(Masked, N, 7, AutoresetMode.NEXT_STEP)
    ours, sync = (RandomizeParams(envs, speed=Uniform(0.5, 2.0)) for envs in pair)
    sync.action_space.seed(1)
    assert_same(ours.reset(seed=1), sync.reset(seed=1), "reset")
    for t in range(20):
        actions = sync.action_space.sample()
        assert_same(ours.step(actions), sync.step(actions), f"step {t}")
    assert not base._runner.memory.plan.infos.in_python


def read_only(array: Any) -> Any:
    array.setflags(write=False)
    return array


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(list, id="a list"),
        pytest.param(lambda array: np.repeat(array, 2)[::2], id="with gaps"),
        pytest.param(lambda array: np.frombuffer(b"." + array.tobytes(), np.int64, offset=1), id="not aligned"),
        pytest.param(lambda array: array.astype(np.int8), id="short"),
        pytest.param(lambda array: array.astype(np.longlong), id="long long"),
        pytest.param(lambda array: array.astype(">i8"), id="the other byte order"),
        pytest.param(read_only, id="read-only"),
    ],
)
@pytest.mark.parametrize("n", [3, N, 600])
def test_a_batch_of_actions_may_have_any_form(form: Any, n: int) -> None:
    ours, twin = (CompiledVectorEnv(Walk(), n) for _ in range(2))
    assert_same(ours.reset(seed=1), twin.reset(seed=1), "reset")
    actions = twin.action_space.sample()
    assert_same(ours.step(form(actions.copy())), twin.step(actions), "step")


def test_spaces_and_metadata_are_those_of_sync() -> None:
    ours, sync = CompiledVectorEnv(Garden(), 3), sync_of(Garden, 3, 7, AutoresetMode.NEXT_STEP)
    for name in ("observation_space", "action_space", "single_observation_space", "single_action_space", "metadata"):
        assert getattr(ours, name) == getattr(sync, name)
    assert repr(ours) == "CompiledVectorEnv(num_envs=3)"


@pytest.mark.parametrize(
    "make", [Walk, lambda: FunctionalEnv(Walk()), lambda **params: FunctionalEnv(Walk(), **params)]
)
def test_dynamics_may_come_from_a_function(make: Any) -> None:
    assert CompiledVectorEnv(make, 2).reset(seed=0)[0].shape == (2, 2)


def test_params_are_fields_or_arguments() -> None:
    assert CompiledVectorEnv(Walk(), 2, speed=3.0).get_attr("speed") == (3.0, 3.0)
    rewards = CompiledVectorEnv(CartPoleEnv, 2, sutton_barto_reward=True)
    rewards.reset(seed=0)
    assert rewards.step([0, 1])[1].tolist() == [0.0, 0.0]


def test_copy_gives_new_arrays_and_no_copy_the_same() -> None:
    for copy in (True, False):
        envs = CompiledVectorEnv(Walk(), 3, copy=copy)
        first, _ = envs.reset(seed=0)
        results = [envs.step([1, 1, 1])[:4] for _ in range(2)]
        for one, other in zip(*results, strict=True):
            assert (one is other) is not copy
        assert (first is results[0][0]) is not copy


def test_a_changed_observation_changes_nothing() -> None:
    envs, twin = (CompiledVectorEnv(Walk(), 2, max_episode_steps=9) for _ in range(2))
    observations = [one.reset(seed=0)[0] for one in (envs, twin)]
    observations[0][:] = 0.0
    mask = {"reset_mask": np.array([True, False])}
    assert np.array_equal(envs.reset(options=mask)[0], twin.reset(options=mask)[0])


def test_streams_cannot_be_moved_from_outside_but_assigned() -> None:
    envs = CompiledVectorEnv(Walk(), 2)
    envs.reset(seed=3)
    envs.np_random[0].random(100)
    envs.set_attr("np_random", [np.random.default_rng(8), np.random.default_rng(9)])
    assert envs.np_random_seed == (-1, -1)
    expected = [np.random.default_rng(seed).uniform(-1.0, 1.0) for seed in (8, 9)]
    assert envs.reset()[0][:, 0].tolist() == expected


def test_without_a_seed_every_environment_has_its_own() -> None:
    envs = CompiledVectorEnv(Walk(), 3)
    first, _ = envs.reset()
    assert len(set(envs.np_random_seed)) == 3
    again, _ = envs.reset(seed=list(envs.np_random_seed))
    assert np.array_equal(first, again)


def test_a_list_of_the_wrong_length_sets_nothing() -> None:
    envs = CompiledVectorEnv(Walk(), 2)
    with pytest.raises(ValueError, match="2 environments, but 3"):
        envs.set_attr("speed", [1.0, 2.0, 3.0])
    with pytest.raises(TypeError, match=r"params.speed is 'fast'"):
        envs.set_attr("speed", "fast")
    with pytest.raises(AttributeError, match="Walk has no attribute or param 'sped'; did you mean 'speed'"):
        envs.set_attr("sped", 2.0)
    assert envs.get_attr("speed") == (1.0, 1.0)


def test_methods_are_called_with_arguments() -> None:
    envs = CompiledVectorEnv(CartPoleEnv, 2)
    assert envs.call("get_wrapper_attr", "gravity") == (9.8, 9.8)


def test_cartpole_remembers_the_bounds_of_a_reset() -> None:
    envs = CartPoleVectorEnv(50, max_episode_steps=1)
    envs.reset(seed=0, options={"low": 0.2, "high": 0.2})
    actions = np.ones(50, np.int64)
    envs.step(actions)
    assert (envs.step(actions)[0] == np.float32(0.2)).all()
    envs.reset(seed=0)
    envs.step(actions)
    assert (abs(envs.step(actions)[0]) < 0.05).all()


def test_cartpole_is_found_in_its_public_place() -> None:
    from gymnasium.envs.classic_control import cartpole
    from palaestra.runner import classic_control as vector

    assert cartpole.CartPoleVectorEnv is vector.CartPoleVectorEnv
    with pytest.raises(AttributeError, match="no attribute 'Other'"):
        cartpole.Other  # noqa: B018


def test_pictures_of_any_environment() -> None:
    envs = CartPoleVectorEnv(3, render_mode="rgb_array")
    envs.reset(seed=0)
    pictures = envs.render()
    assert pictures is not None and [picture.shape for picture in pictures] == [(400, 600, 3)] * 3
    assert np.array_equal(envs.render_one(2), pictures[2])
    with pytest.raises(IndexError, match="0 to 2, but 3"):
        envs.render_one(3)
    envs.close()


def test_render_without_a_mode_warns() -> None:
    envs = CartPoleVectorEnv(1)
    envs.reset(seed=0)
    with pytest.warns(UserWarning, match="no render mode"):
        assert envs.render() is None


def test_a_mask_may_be_part_of_another_array() -> None:
    """Machine code reads it by its address."""
    envs = CompiledVectorEnv(Walk(), 4)
    envs.reset(seed=0)
    envs.step(np.zeros(4, np.int64))
    mask = np.array([True, False, False, True, True, False, False, True])[::2]

    envs.reset(options={"reset_mask": mask})

    assert (envs._runner.memory.columns["elapsed"] == np.where(mask, 0, 1)).all()
