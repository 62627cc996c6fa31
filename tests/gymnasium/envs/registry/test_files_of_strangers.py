"""What the JSON of a spec may ask for when nobody vouches for it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gymnasium import wrappers
from gymnasium.envs.registration import EnvSpec, WrapperSpec, make, register
from gymnasium.error import Error
from gymnasium.specs.moved import present
from tests.gymnasium.envs.registry import toys

REFUSED = {
    *("ArrayConversion", "RecordVideo"),
    *("TransformAction", "TransformObservation", "TransformReward", "vector"),
}


def test_each_wrapper_is_allowed_or_known_to_touch_files_modules_or_functions() -> None:
    assert set(wrappers.__all__) == wrappers.IN_FILES | REFUSED
    assert not wrappers.IN_FILES & REFUSED


@pytest.mark.parametrize(
    ("name", "kwargs"),
    [
        ("ArrayConversion", {"env_xp": "antigravity", "target_xp": "numpy"}),
        ("RecordTrajectories", {"dataset_id": "a/b-v0", "if_exists": "overwrite"}),
        ("RecordVideo", {"video_folder": "/tmp"}),
        ("RandomizeParams", {"_start": 1}),
    ],
)
def test_a_wrapper_that_touches_more_than_numbers_is_refused(name: str, kwargs: dict[str, Any]) -> None:
    wrapper = WrapperSpec(name, f"gymnasium.wrappers:{name}", kwargs)
    text = EnvSpec("CartPole-v1", additional_wrappers=(wrapper,)).to_json()
    with pytest.raises(Error, match=rf"{name}.*trusted=True"):
        EnvSpec.from_json(text)
    trusted = replace(wrapper, entry_point=present(wrapper.entry_point))
    assert EnvSpec.from_json(text, trusted=True).additional_wrappers == (trusted,)


def test_a_class_declares_for_itself_and_not_for_its_subclasses(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type("Sub", (toys.Recorded,), {"__module__": toys.__name__})
    monkeypatch.setattr(toys, "Sub", kind, raising=False)
    text = EnvSpec("CartPole-v1", additional_wrappers=(WrapperSpec("Sub", f"{toys.__name__}:Sub", {}),)).to_json()
    with pytest.raises(Error, match="safe_in_files"):
        EnvSpec.from_json(text)


@pytest.mark.parametrize(
    ("env_id", "kwargs"),
    [
        ("Ant-v5", {"xml_file": "/etc/passwd"}),
        ("Ant-v5", {"xml_file": "<mujoco/>"}),
        ("CartPole-v1", {"vectorization_mode": "ray"}),
        ("CartPole-v1", {"vector_kwargs": {"address": "10.0.0.1:6379"}}),
        ("CartPole-v1", {"params": {"_start": 3}}),
        ("CartPole-v1", {"something": [{"module": "antigravity"}]}),
        ("CartPole-v1", {"something": {"__path__": "x"}}),
    ],
)
def test_an_argument_that_may_name_a_file_or_a_module_is_refused(env_id: str, kwargs: dict[str, Any]) -> None:
    text = json.dumps({"id": env_id, "kwargs": kwargs})
    with pytest.raises(Error, match=r"may name a file.*trusted=True"):
        EnvSpec.from_json(text)
    EnvSpec.from_json(text, trusted=True)


@pytest.mark.parametrize(
    ("env_id", "kwargs"),
    [
        ("FrozenLake-v1", {"desc": ["SF", "HG"], "is_slippery": False}),
        ("CartPole-v1", {"render_mode": "rgb_array", "sutton_barto_reward": True}),
        ("Pendulum-v1", {"g": np.float64(9.0)}),
    ],
)
def test_numbers_and_harmless_words_pass(env_id: str, kwargs: dict[str, Any]) -> None:
    env = make(env_id, **kwargs)
    assert env.spec is not None
    assert EnvSpec.from_json(env.spec.to_json()) == env.spec


def test_what_is_registered_passes() -> None:
    limit = WrapperSpec("Video", "gymnasium.wrappers:RecordVideo", {"video_folder": "here"})
    register("Own-v0", f"{toys.__name__}:Toy", kwargs={"path": "a/b"}, additional_wrappers=(limit,))
    text = json.dumps({"id": "Own-v0", "kwargs": {"path": "a/b"}, "additional_wrappers": [vars(limit)]})
    assert EnvSpec.from_json(text).kwargs == {"path": "a/b"}
    with pytest.raises(Error, match="may name a file"):
        EnvSpec.from_json(text.replace("a/b", "/etc/passwd"))


@pytest.mark.parametrize(
    ("env_id", "kwargs", "wrapper"),
    [
        ("CartPole-v1", {"num_envs": 10**12}, None),
        ("Hopper-v5", {"frame_skip": 2**40}, None),
        ("Hopper-v5", {"width": np.int64(10**9)}, None),
        ("CartPole-v1", {}, ("FrameStackObservation", {"stack_size": 10**12})),
        ("CartPole-v1", {}, ("RepeatAction", {"num_repeats": 2**62})),
        ("CartPole-v1", {}, ("ReshapeObservation", {"shape": (1, 10**9)})),
    ],
)
def test_sizes_and_counts_are_bounded(env_id: str, kwargs: dict[str, Any], wrapper: tuple[str, Any] | None) -> None:
    wrappers = () if wrapper is None else (WrapperSpec(wrapper[0], f"gymnasium.wrappers:{wrapper[0]}", wrapper[1]),)
    text = EnvSpec(env_id, kwargs=kwargs, additional_wrappers=wrappers).to_json()
    with pytest.raises(Error, match=r"beyond 8,192.*trusted=True"):
        EnvSpec.from_json(text)
    assert EnvSpec.from_json(text, trusted=True).kwargs == kwargs


def test_a_seed_or_a_limit_may_be_of_any_size() -> None:
    limit = WrapperSpec("TimeLimit", "gymnasium.wrappers:TimeLimit", {"max_episode_steps": 10**9})
    text = EnvSpec("CartPole-v1", kwargs={"seed": 2**40}, additional_wrappers=(limit,)).to_json()
    assert EnvSpec.from_json(text).kwargs == {"seed": 2**40}
