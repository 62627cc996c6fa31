"""What a `VecEnv` is from outside: seeds, options, attributes, methods, wrappers, pictures, and what it refuses."""

from __future__ import annotations

import re

import numpy as np
import pytest

import gymnasium as gym
from gymnasium.error import ActionOutsideSpace, NoAsyncCallError, ResetNeeded
from gymnasium.spaces import Box, Text
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers import vector as wrappers
from tests.palaestra.adapters.toys import Masked, Rooms

pytest.importorskip("stable_baselines3")
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor

from palaestra.adapters.stable_baselines3 import VecEnv

N = 3
BATCHES = {"sync": SyncVectorEnv, "async": lambda makes, **kwargs: AsyncVectorEnv(makes, num_workers=2, **kwargs)}


@pytest.fixture(params=BATCHES)
def make_batch(request):
    """Makes batches of N environments; they are closed afterwards."""
    made = []

    def make(env_fn, wrap=lambda envs: envs, **kwargs):
        made.append(VecEnv(wrap(BATCHES[request.param]([env_fn] * N, **kwargs))))
        return made[-1]

    yield make
    for envs in made:
        envs.close()


def test_seeds_and_options_are_for_one_reset():
    envs = VecEnv(SyncVectorEnv([Rooms] * N))
    assert envs.seed(4) == [4, 5, 6]
    envs.set_options([{"level": i} for i in range(N)])
    first = envs.reset()
    assert [info["begun_with"] for info in envs.reset_infos] == [0, 1, 2]
    second = envs.reset()
    assert [info["begun_with"] for info in envs.reset_infos] == [0, 0, 0]
    assert not np.array_equal(first["place"], second["place"])
    envs.seed(4)
    envs.set_options({"level": 8})
    assert np.array_equal(envs.reset()["place"], first["place"])
    assert [info["begun_with"] for info in envs.reset_infos] == [8, 8, 8]
    assert len(set(envs.seed())) == N


@pytest.mark.parametrize(
    ("options", "complaint"),
    [([{}], "needs 3 dicts, but 1 came"), ({"reset_mask": np.ones(N, bool)}, "leave out options['reset_mask']")],
)
def test_options_that_do_not_fit_are_refused(options, complaint):
    with pytest.raises(ValueError, match=re.escape(complaint)):
        VecEnv(SyncVectorEnv([Rooms] * N)).set_options(options)


def test_the_order_of_calls():
    envs = VecEnv(gym.make_vec("CartPole-v1", N))
    with pytest.raises(ResetNeeded):
        envs.step(np.zeros(N, int))
    envs.reset()
    with pytest.raises(NoAsyncCallError, match="step_async"):
        envs.step_wait()
    envs.step_async(np.zeros(N, int))
    envs.reset()
    with pytest.raises(NoAsyncCallError):  # the reset has cancelled the step
        envs.step_wait()


def test_an_action_that_is_no_number_is_refused_without_a_warning():
    envs = VecEnv(gym.make_vec("CartPole-v1", 2))
    envs.reset()
    with pytest.raises(ActionOutsideSpace, match="cannot have the dtype float64"):
        envs.step(np.array([0, np.nan]))


def test_attributes_of_some_environments(make_batch):
    envs = make_batch(Rooms)
    assert envs.get_attr("size") == [1.0] * N
    envs.set_attr("size", 2.0)
    envs.set_attr("size", 5.0, [0, -1])
    assert envs.get_attr("size") == [5.0, 2.0, 5.0]
    assert envs.get_attr("size", 1) == envs.get_attr("size", np.int64(1)) == [2.0]
    assert envs.get_attr("size", np.array([1, 0])) == [2.0, 5.0]
    assert envs.has_attr("size") and not envs.has_attr("weight")
    with pytest.raises(AttributeError):
        envs.get_attr("weight")
    with pytest.raises(IndexError):
        envs.get_attr("size", N)


def test_methods_of_some_environments(make_batch):
    """The others do not run: the method changes its environment."""
    envs = make_batch(Rooms)
    assert envs.env_method("added", 1, two=2) == [4.0] * N
    assert envs.env_method("added", 1, indices=[2, 0]) == [5.0, 5.0]
    assert envs.get_attr("size") == [5.0, 4.0, 5.0]


def test_methods_of_some_environments_are_repeated_by_another_worker():
    """When theirs dies, with `on_failure="resume"`."""

    class Quiet(Rooms):
        def grow(self, by):
            self.size += by

        def get_state(self):
            return {"t": self.t, "size": self.size, "generator": self.np_random.bit_generator.state}

        def set_state(self, state):
            self.t, self.size = state["t"], state["size"]
            self.np_random.bit_generator.state = state["generator"]

    envs = AsyncVectorEnv([Quiet] * N, num_workers=1, on_failure="resume")
    adapted = VecEnv(envs)
    adapted.seed(1)
    adapted.reset()
    adapted.env_method("grow", 3.0, indices=1)
    envs.processes[0].kill()
    envs.processes[0].join()
    with pytest.warns(UserWarning, match="resum|anew|again|place"):
        rewards = adapted.step(np.ones((N, 2), int))[1]
    assert rewards.tolist() == [2.0, 8.0, 2.0]
    adapted.close()


def test_compiled_batches_have_attributes():
    envs = VecEnv(gym.make_vec("CartPole-v1", N, "vector_entry_point"))
    assert envs.has_attr("gravity") and not envs.has_attr("weight")
    envs.set_attr("gravity", 1.0, 2)
    assert envs.get_attr("gravity") == [9.8, 9.8, 1.0]
    assert envs.env_is_wrapped(Monitor) == [False] * N
    assert envs.spec.id == "CartPole-v1"


def test_a_batch_of_robots_has_attributes():
    envs = VecEnv(gym.make_vec("Hopper-v5", 2, "vector_entry_point"))
    assert envs.has_attr("frame_skip") and not envs.has_attr("weight")
    assert envs.get_attr("frame_skip", 1) == [4]


def test_wrappers_are_found_inside_and_around(make_batch):
    def make():
        return Monitor(gym.wrappers.TransformReward(Rooms(), float))

    envs = make_batch(make, wrappers.RecordEpisodeStatistics)
    assert envs.env_is_wrapped(Monitor) == [True] * N
    assert envs.env_is_wrapped(gym.RewardWrapper, [0]) == [True]
    assert envs.env_is_wrapped(wrappers.RecordEpisodeStatistics, 1) == [True]
    assert envs.env_is_wrapped(gym.wrappers.TimeLimit) == [False] * N
    with pytest.warns(UserWarning, match="already wrapped with a `Monitor`"):
        VecMonitor(envs)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_statistics_are_read_as_those_of_a_monitor(mode):
    """The vector wrapper counts what `VecMonitor` counts."""
    envs = wrappers.RecordEpisodeStatistics(gym.make_vec("CartPole-v1", N, vector_kwargs={"autoreset_mode": mode}))
    found = []
    for adapted in (VecEnv(envs), VecMonitor(VecEnv(envs))):
        adapted.seed(1)
        adapted.reset()
        infos = [info for t in range(70) for info in adapted.step(np.full(N, t % 3 == 0, int))[3]]
        found.append([(info["episode"]["r"], info["episode"]["l"]) for info in infos if "episode" in info])
        assert all(("episode" in info) == ("terminal_observation" in info) for info in infos)
    assert found[0] == found[1] != []


@pytest.mark.parametrize("mode", AutoresetMode)
def test_masks_in_infos_are_those_of_the_present_observations(make_batch, mode):
    """Also right after the end of an episode; the environments refuse what their masks forbid."""
    envs = make_batch(Masked, autoreset_mode=mode)
    envs.seed(2)
    assert envs.has_attr("action_masks")  # before the first reset, as evaluations ask
    assert len(envs._seeds) == N and envs._seeds[0] == 2
    envs.reset()
    ends = 0
    for _ in range(30):
        masks = envs.env_method("action_masks")
        assert [mask.dtype for mask in masks] == [bool] * N
        ends += envs.step(np.array([mask.argmax() for mask in masks]))[2].sum()
    assert ends > N
    assert np.array_equal(envs.env_method("action_masks", indices=1)[0], envs.get_attr("action_masks")[1])


def test_masks_of_the_environments_themselves_go_first(make_batch):
    class Own(Masked):
        def action_masks(self):
            return np.array([True, False, True, False])

    envs = make_batch(Own)
    assert envs.has_attr("action_masks")
    assert np.array_equal(envs.env_method("action_masks"), [Own.action_masks(None)] * N)


def test_without_masks_there_is_no_such_method():
    envs = VecEnv(SyncVectorEnv([Rooms] * N))
    assert not envs.has_attr("action_masks")
    with pytest.raises(AttributeError, match="action_mask"):
        envs.env_method("action_masks")


@pytest.mark.parametrize("kind", ["sync", "async", "vector_entry_point"])
def test_pictures(kind):
    envs = VecEnv(gym.make_vec("CartPole-v1", 2, kind, render_mode="rgb_array"))
    envs.reset()
    assert (envs.render_mode, envs.metadata["render_fps"]) == ("rgb_array", 50)
    assert [picture.shape for picture in envs.get_images()] == [(400, 600, 3)] * 2
    assert [picture.shape for picture in envs.env_method("render", indices=1)] == [(400, 600, 3)]
    assert envs.render().shape == (800, 600, 3)
    envs.close()


def test_no_pictures_without_a_mode():
    envs = VecEnv(gym.make_vec("CartPole-v1", 2))
    envs.reset()
    with pytest.warns(UserWarning, match="render_mode='rgb_array'"):
        assert envs.get_images() == [None, None]


def test_closing_twice_does_no_harm():
    envs = VecEnv(gym.make_vec("CartPole-v1", 2))
    envs.close()
    envs.close()
    assert envs.envs.closed


class Foreign(VectorEnv):
    """Somebody's batch, which may know no masks."""

    num_envs = 2
    single_observation_space, single_action_space = Box(0, 1, (2,)), Box(0, 1, (1,))

    def __init__(self, mode):
        self.metadata = {"autoreset_mode": mode}

    def reset(self, *, seed=None, options=None):
        return np.zeros((2, 2), np.float32), {}

    def step(self, actions):
        infos = {"final_obs": np.ones((2, 2), np.float32), "speed": np.array([1, 2])}
        return np.zeros((2, 2), np.float32), np.ones(2), np.array([True, False]), np.array([False, True]), infos


def test_a_batch_of_another_library():
    """Its last observations may come as one array, and it may have no attributes."""
    envs = VecEnv(Foreign(AutoresetMode.SAME_STEP))
    envs.reset()
    _, rewards, dones, infos = envs.step(np.zeros((2, 1), np.float32))
    assert (rewards.dtype, dones.tolist()) == (np.float32, [True, True])
    assert [info["TimeLimit.truncated"] for info in infos] == [False, True]
    assert [info["terminal_observation"].tolist() for info in infos] == [[1, 1]] * 2
    assert [info["speed"] for info in infos] == [1, 2]
    assert not envs.has_attr("size")


def test_last_observations_are_needed():
    class Forgetful(Foreign):
        def step(self, actions):
            return *super().step(actions)[:4], {}

    envs = VecEnv(Forgetful(AutoresetMode.SAME_STEP))
    envs.reset()
    with pytest.raises(ValueError, match="final_obs"):
        envs.step(np.zeros((2, 1), np.float32))


class Reader(Rooms):
    """An environment of texts."""

    observation_space = Text(3)


@pytest.mark.parametrize(
    ("make", "error", "complaint"),
    [
        (lambda: gym.make("CartPole-v1"), TypeError, "make_vec"),
        (lambda: SyncVectorEnv([Reader]), TypeError, "FlattenObservation"),
        (lambda: Foreign(AutoresetMode.NEXT_STEP), ValueError, "autoreset_mode=AutoresetMode.SAME_STEP"),
        (lambda: gym.make_vec("CartPole-v1", 2, "jax"), ValueError, "autoreset_mode=AutoresetMode.SAME_STEP"),
    ],
    ids=["a single environment", "texts", "another library's NEXT_STEP", "NEXT_STEP of JAX"],
)
def test_what_cannot_be_adapted_is_refused(make, error, complaint):
    """With the remedy."""
    with pytest.raises(error, match=re.escape(complaint)):
        VecEnv(make())
