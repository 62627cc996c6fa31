"""Attributes that subclasses read, set and override: those of wrappers and vector classes, as in the reference.

`wrapper_attributes.json` holds facts about the reference: for each class, the names that it defines, and the attributes
of an instance after a reset and a step, with their kinds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.vector import SyncVectorEnv

FACTS = json.loads(Path(__file__).with_name("wrapper_attributes.json").read_text(encoding="utf-8"))
CASES = [(group, name) for group, classes in FACTS.items() for name in classes]
IDS = [f"{group}-{name}" for group, name in CASES]

ARGUMENTS: dict[str, dict[str, Any]] = {
    "ClipReward": {"max_reward": 1},
    "DelayObservation": {"delay": 2},
    "DtypeObservation": {"dtype": np.float64},
    "FrameStackObservation": {"stack_size": 3},
    "RescaleAction": {"min_action": -1, "max_action": 1},
    "RescaleObservation": {"min_obs": 0, "max_obs": 1},
    "StickyAction": {"repeat_action_probability": 0.25},
    "TimeLimit": {"max_episode_steps": 10},
    "TransformAction": {"func": lambda action: action, "action_space": gymnasium.spaces.Discrete(2)},
    "TransformObservation": {"func": lambda obs: obs, "observation_space": gymnasium.spaces.Box(-9, 9, (4,))},
    "TransformReward": {"func": lambda reward: reward},
}
RENDERING = {"AddRenderObservation", "RecordVideo", "RenderCollection"}
BOXES = {"RescaleAction": "Pendulum-v1", "RescaleObservation": "MountainCar-v0"}

_VIEWS = "it shows what the workers have; another value would be no worker's"
_FRESH = "results come in new arrays, so there is none to write into"
DIFFERENT = {
    ("AsyncVectorEnv", "_check_spaces"): "the workers' spaces are compared when they start",
    ("AsyncVectorEnv", "error_queue"): "errors come with the answers; only a custom worker has a queue",
    ("AsyncVectorEnv", "observations"): _VIEWS,
    ("AsyncVectorEnv", "parent_pipes"): _VIEWS,
    ("AsyncVectorEnv", "processes"): _VIEWS,
    ("FlattenObservation", "_SingleEnv"): "the environment of the spaces that the single wrapper is made with",
    ("FlattenObservation", "out"): _FRESH,
    ("FlattenObservation", "same_out"): _FRESH,
    ("FrameStackObservation", "stacked_obs"): "it is made of `obs_queue`, which can be set",
    ("NormalizeReward", "_prev_dones"): "bools, as in RecordEpisodeStatistics, in place of the same as floats",
    ("RecordVideo", "recorded_frames"): "frames go to the file as they are recorded, so memory does not grow",
}
"""What differs, with the reason."""


def class_of(group: str, name: str) -> Any:
    return getattr(import_module(FACTS[group][name]["class"].partition(":")[0]), name)


@contextmanager
def made(group: str, name: str, folder: Path, kind: Any = None) -> Iterator[Any]:
    """An instance after a reset and a step."""
    kind, arguments = kind or class_of(group, name), ARGUMENTS.get(name, {})
    if name == "RecordVideo":
        arguments = {"video_folder": str(folder / "videos")}
    functions = [lambda: gymnasium.make("CartPole-v1")] * 2
    if group == "vector":
        env = kind(functions)
    elif group == "vector_wrappers":
        env = kind(SyncVectorEnv(functions), **arguments)
    else:
        mode = "rgb_array" if name in RENDERING else None
        inner = gymnasium.make(BOXES.get(name, "CartPole-v1"), render_mode=mode)
        env = kind(inner.unwrapped if name == "PassiveEnvChecker" else inner, **arguments)
    try:
        env.reset(seed=1)
        env.step(env.action_space.sample())
        yield env
    finally:
        env.close()


def kind_of(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"array {value.dtype} {value.shape}"
    return "function" if callable(value) and not isinstance(value, type) else type(value).__name__


@pytest.mark.parametrize(("group", "name"), CASES, ids=IDS)
def test_attributes_are_there_and_can_be_set(group: str, name: str, tmp_path: Path) -> None:
    found = set()
    with made(group, name, tmp_path) as env:
        for attribute, kind in FACTS[group][name]["instance"].items():
            try:
                value = getattr(env, attribute)
                setattr(env, attribute, value)
            except AttributeError:
                found.add(attribute)
                continue
            wrapper = kind == name or attribute == "env"  # the wrapped environment has other wrappers
            if not wrapper and kind_of(value) != kind:
                found.add(attribute)
        found |= {method for method in FACTS[group][name]["class_names"] if not hasattr(type(env), method)}
        env.step(env.action_space.sample())
    assert found == {attribute for cls, attribute in DIFFERENT if cls == name and _concerns(group, name, attribute)}


def _concerns(group: str, name: str, attribute: str) -> bool:
    facts = FACTS[group][name]
    return attribute in facts["instance"] or attribute in facts["class_names"]


HOOKS = {
    "_assert_is_running",
    "_capture_frame",
    "_convert_info_to_list",
    "_poll_pipe_envs",
    "_raise_if_errors",
    "action",
    "normalize",
    "observation",
    "observations",
    "reward",
    "rewards",
}
"""Methods that a reset or a step calls."""
OVERRIDDEN = [(group, name, hook) for group, name in CASES for hook in HOOKS & set(FACTS[group][name]["class_names"])]


@pytest.mark.parametrize(("group", "name", "hook"), sorted(OVERRIDDEN))
def test_methods_can_be_overridden(group: str, name: str, hook: str, tmp_path: Path) -> None:
    base, calls = class_of(group, name), []

    def override(self: Any, *args: Any, **kwargs: Any) -> Any:
        calls.append(hook)
        return getattr(base, hook)(self, *args, **kwargs)

    with made(group, name, tmp_path, type(name, (base,), {hook: override})):
        assert calls


def finished(env: Any) -> bool:
    return bool(env.step(env.action_space.sample())[3])


def test_the_steps_of_a_time_limit(tmp_path: Path) -> None:
    with made("wrappers", "TimeLimit", tmp_path) as env:
        env._elapsed_steps = 8
        assert not finished(env)
        assert finished(env)
        env.reset()
        env._max_episode_steps = 1
        assert finished(env)


def test_the_queue_of_a_stack(tmp_path: Path) -> None:
    with made("wrappers", "FrameStackObservation", tmp_path) as env:
        env.obs_queue = [np.full(4, i, np.float32) for i in (1, 2, 3)]
        stacked = env.step(0)[0]
    assert stacked[:2, 0].tolist() == [2, 3]


def test_the_frames_of_a_skip(tmp_path: Path) -> None:
    with made("wrappers", "MaxAndSkipObservation", tmp_path) as env:
        observation = env.step(0)[0]
        assert np.array_equal(env._obs_buffer.max(axis=0), observation)


def test_the_functions_of_the_time(tmp_path: Path) -> None:
    with made("wrappers", "TimeAwareObservation", tmp_path) as env:
        env._time_preprocess_func = lambda time: np.array([100 + time], np.int32)
        assert env.step(0)[0][-1] == 102
        env._append_data_func = lambda obs, time: time
        env._obs_postprocess_func = lambda obs: obs.tolist()
        assert env.step(0)[0] == [103]


def test_the_name_of_a_video(tmp_path: Path) -> None:
    with made("wrappers", "RecordVideo", tmp_path) as env:
        assert env._video_name == "rl-video-episode-0"
        env.stop_recording()
        assert env._video_name is None


def test_the_finished_environments(tmp_path: Path) -> None:
    """One that is marked is taken to be reset by the next step, which counts for no episode."""
    with made("vector_wrappers", "NormalizeReward", tmp_path) as envs:
        envs._prev_dones[0] = True
        envs.step(envs.action_space.sample())
        assert envs.accumulated_reward.tolist() == [1.0, pytest.approx(1.99)]
        envs._prev_dones = np.array([False, True])
        envs.step(envs.action_space.sample())
        assert envs.accumulated_reward.tolist() == [pytest.approx(1.99), pytest.approx(1.99)]


def test_the_queues_of_statistics(tmp_path: Path) -> None:
    from collections import deque

    with made("vector_wrappers", "RecordEpisodeStatistics", tmp_path) as envs:
        envs.return_queue = deque([5.0], maxlen=2)
        while envs.episode_count < 3:
            envs.step(envs.action_space.sample())
        assert list(envs.return_queue) == [float(length) for length in envs.length_queue][-2:]


def test_the_functions_of_a_batch_of_workers(tmp_path: Path) -> None:
    with made("vector", "AsyncVectorEnv", tmp_path) as envs:
        envs._assert_is_running()
        envs._raise_if_errors([True, True])
        envs.step_async(envs.action_space.sample())
        assert envs._poll_pipe_envs(30)
        envs.step_wait()
    with pytest.raises(gymnasium.error.ClosedEnvironmentError):
        envs._assert_is_running()


def test_a_poll_that_does_not_wait_loses_nothing(tmp_path: Path) -> None:
    calls: list[Any] = []
    poll: Callable[..., bool] = lambda self, timeout=None: not calls.append(timeout)  # noqa: E731
    base = class_of("vector", "AsyncVectorEnv")
    with made("vector", "AsyncVectorEnv", tmp_path, type("Polling", (base,), {"_poll_pipe_envs": poll})) as envs:
        observations = [envs.step(np.zeros(2, np.int64))[0] for _ in range(3)]
    assert calls
    assert not np.array_equal(observations[1], observations[2])
