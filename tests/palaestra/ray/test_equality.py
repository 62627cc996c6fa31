"""`RayVectorEnv`: the same seed and actions give the same results on a cluster as in this process."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium.error import ActionOutsideSpace, AlreadyPendingCallError, NoAsyncCallError, ResetNeeded
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from palaestra.randomization import Uniform
from tests.contracts.test_async_equality import Echo, same
from tests.contracts.test_vector_sync import rollout
from tests.gymnasium.vector.counting import Counting, counting
from tests.palaestra.ray.making import ON_A_CLUSTER, on_ray, on_ray_by_id
from tests.spaces_zoo import SPACES

pytestmark = ON_A_CLUSTER


def as_in_sync(envs: Any, sync: Any, steps: int = 20) -> None:
    mode = sync.metadata["autoreset_mode"]
    sync.action_space.seed(5)
    actions = [sync.action_space.sample() for _ in range(steps)]
    found, expected = rollout(envs, mode, actions), rollout(sync, mode, actions)
    sync.close()
    for t, (a, b) in enumerate(zip(found, expected, strict=True)):
        assert same(a, b), t


@pytest.mark.parametrize(
    ("env_id", "num_workers", "mode", "inner"),
    [
        ("CartPole-v1", 3, AutoresetMode.NEXT_STEP, "sync"),
        ("CartPole-v1", 2, AutoresetMode.SAME_STEP, None),
        ("Blackjack-v1", 1, AutoresetMode.DISABLED, None),
        ("LunarLander-v3", 2, AutoresetMode.NEXT_STEP, None),
        ("HalfCheetah-v5", 2, AutoresetMode.SAME_STEP, None),
    ],
)
def test_a_cluster_is_sync(env_id: str, num_workers: int, mode: AutoresetMode, inner: str | None) -> None:
    """For an id of each family, in every mode, however the environments are divided."""
    envs = on_ray_by_id(env_id, 5, 7, num_workers=num_workers, autoreset_mode=mode, inner=inner)
    sync = gymnasium.make_vec(env_id, 5, "sync", vector_kwargs={"autoreset_mode": mode}, max_episode_steps=7)
    assert envs.spec is not None
    as_in_sync(envs, sync)


def test_every_space_is_observed_and_taken() -> None:
    """Joined again as a batch in this process is."""
    fns = [partial(Echo, gymnasium.spaces.Dict({f"part {k}": space for k, space in enumerate(SPACES)}))] * 3
    as_in_sync(on_ray(fns), SyncVectorEnv(fns), steps=7)


def test_observation_modes() -> None:
    """Spaces that differ in bounds are those of sync, though each actor knows only its own environments."""
    fns = [partial(Counting, 3, high=high) for high in (10, 20, 30)]
    pair = Box(-1, 99, (3, 2), np.int64), Box(-1, 99, (2,), np.int64)
    for mode in ("different", pair):
        envs, sync = on_ray(fns, observation_mode=mode), SyncVectorEnv(fns, observation_mode=mode)
        assert envs.observation_space == sync.observation_space
        assert envs.single_observation_space == sync.single_observation_space
        steps = [(each.reset(seed=1), *(each.step(np.zeros(3, int)) for _ in range(5))) for each in (envs, sync)]
        assert same(*steps)
    with pytest.raises(RuntimeError, match="observation_mode='different'"):
        on_ray(fns)
    with pytest.raises(ValueError, match="leave `observation_mode` out"):
        on_ray_by_id("CartPole-v1", 3, observation_mode="different")


def test_first_finished() -> None:
    """`recv` returns what `step` would have, and names the environments."""
    fns = counting(3, 4, 5)
    envs, sync = on_ray(fns), SyncVectorEnv(fns)
    for each in (envs, sync):
        each.reset(seed=1)
        each.send(np.array([2, 1]), [2, 1])
        with pytest.raises(AlreadyPendingCallError):
            each.step(np.zeros(3, int))
        each.send(np.array([0]), [0])
    found, expected = envs.recv(3), sync.recv(3)
    order = np.argsort(found[4]["env_id"])
    wanted = np.argsort(expected[4]["env_id"])
    assert all((a[order] == b[wanted]).all() for a, b in zip(found[:4], expected[:4], strict=True))
    with pytest.raises(ValueError, match="in flight"):
        envs.recv()
    assert same(envs.step(np.zeros(3, int)), sync.step(np.zeros(3, int)))


def test_calls_and_moments() -> None:
    """Attributes, methods, masks, options, renderings, snapshots: as of sync."""
    fns = counting(3, 4, 5)
    envs, sync = on_ray(fns), SyncVectorEnv(fns)
    with pytest.raises(ResetNeeded):
        envs.step(np.zeros(3, int))
    for each in (envs, sync):
        each.reset(seed=[1, 2, 3], options=[{"a": 1}, None, {"b": 2}])
    assert envs.call("options") == sync.call("options")
    mask = np.array([False, False, True])
    results = []
    for each in (envs, sync):
        each.step(np.zeros(3, int))
        results.append((each.reset(options={"reset_mask": mask, "c": 3}), each.call("options"), each.render()))
        each.set_attr("length", [7, 8, 9])
        results[-1] += (each.call("add", 1, b=2), each.get_attr("length"), each.np_random_seed)
    assert same(*results)
    for bad, error in ((np.zeros(2, int), ValueError), (np.full(3, 9), ActionOutsideSpace), (5, TypeError)):
        with pytest.raises(error):
            envs.step(bad)
    assert envs.get_attr("t") == sync.get_attr("t")
    with pytest.raises(NoAsyncCallError):
        envs.step_wait()
    with pytest.raises(ValueError, match="use the method"):
        envs.call("step")
    with pytest.raises(AttributeError) as caught:
        envs.call("nothing")
    assert "pid" in str(caught.value.__cause__)


@pytest.mark.parametrize("env_id", ["CartPole-v1", "HalfCheetah-v5"])
def test_snapshots_and_forks(env_id: str) -> None:
    """A moment of the batch, or of one environment, goes on as it did."""
    envs = on_ray_by_id(env_id, 3)
    envs.reset(seed=1)
    actions = [envs.action_space.sample() for _ in range(5)]
    moment = palaestra.snapshot(envs)
    first = [envs.step(action) for action in actions]
    palaestra.restore(envs, moment)
    assert same(first, [envs.step(action) for action in actions])
    palaestra.restore(envs, moment)
    palaestra.fork(envs, 2, [0])
    equal = [np.repeat(action[2:3], 3, axis=0) for action in actions]
    forked = [envs.step(action) for action in equal]
    assert all((step[0][0] == step[0][2]).all() for step in forked)
    if env_id == "CartPole-v1":  # in this process, too
        local = gymnasium.make_vec(env_id, 3)
        palaestra.restore(local, moment)
        assert same(first, [local.step(action) for action in actions])
        local.close()


@pytest.mark.parametrize(("env_id", "inner"), [("CartPole-v1", "sync"), ("CartPole-v1", None), ("Hopper-v5", None)])
def test_params_are_drawn_as_in_sync(env_id: str, inner: str | None) -> None:
    """And those of some environments set, and the options of a later reset."""
    params: dict[str, Any] = {"gravity": Uniform(8, 12), "length": np.linspace(0.4, 0.7, 4)}
    set_for_some = {"masscart": np.array([2.0, 3.0])}
    if env_id == "Hopper-v5":
        params, set_for_some = {"body_mass[torso]": Uniform(2, 4)}, {"gravity[2]": np.array([-9.0, -8.0])}
    both = on_ray_by_id(env_id, 4, 7, inner=inner), gymnasium.make_vec(env_id, 4, "sync", max_episode_steps=7)
    for envs in both:
        envs.set_params([0, 2], set_for_some)
        palaestra.randomization.vector.RandomizeParams(envs, **params)
        with pytest.raises(ValueError, match="drawn already"):
            palaestra.randomization.vector.RandomizeParams(envs, **params)
        with pytest.raises(ValueError, match="has no param"):
            envs.set_params([0, 3], {**set_for_some, "weight": 1.0})
        envs.set_reset_options([3], {"low": 0.01, "high": 0.02})
    as_in_sync(*both)
