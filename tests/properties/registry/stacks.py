"""Random stacks of wrappers, and what comes of them."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from gymnasium import wrappers
from gymnasium.core import Env
from gymnasium.envs.registration import make
from gymnasium.spaces import Box, Dict, Space, Tuple
from palaestra import recording
from tests.wrapper_zoo import register_toys

Arguments = dict[str, Any]

ENVIRONMENTS: dict[str, Arguments] = {
    "CartPole-v1": {"sutton_barto_reward": True},
    "FrozenLake-v1": {"map_name": "8x8", "is_slippery": False},
    "Pendulum-v1": {"g": np.float32(9.5)},
    "zoo/Pixels-v0": {"render_mode": "rgb_array"},
    "zoo/Parts-v0": {"render_mode": "rgb_array_list"},
}


def _cuts(space: Any, rng: random.Random) -> Any:
    """Numbers of bins: one for all, or a tuple of one for each entry."""
    return rng.choice([2, np.int64(3), tuple(rng.randint(1, 3) for _ in range(int(np.prod(space.shape or ()))))])


def _bounds(space: Space[Any], rng: random.Random) -> tuple[Any, Any]:
    low, high = rng.choice([(0, 1), (-1.0, np.float32(2))])
    if isinstance(space, Box) and rng.random() < 0.5:
        return np.full(space.shape, low, np.float32), np.full(space.shape, high, np.float64)
    return low, high


def _kept(space: Any, rng: random.Random) -> Any:
    if isinstance(space, Dict):
        return rng.sample(list(space), rng.randint(1, len(space)))
    return tuple(rng.sample(range(len(space)), rng.randint(1, len(space)))) if isinstance(space, Tuple) else ()


def _shape(space: Any, rng: random.Random) -> Any:
    size = int(np.prod(space.shape or ()))
    return rng.choice([(-1,), (size, 1), (2, -1), (1, np.int64(size)), [-1]])


def _padding(space: Space[Any], rng: random.Random) -> Any:
    return rng.choice(["reset", "zero", space.sample()])


# For each wrapper that data makes, its arguments for an environment.
ARGUMENTS: dict[str, Callable[[Env[Any, Any], random.Random], Arguments]] = {
    "AddRenderObservation": lambda env, rng: {"render_only": rng.random() < 0.5, "render_key": "seen"},
    "AddWhiteNoise": lambda env, rng: {"probability_of_noise_per_pixel": 0.25, "is_noise_grayscale": True},
    "Autoreset": lambda env, rng: {},
    "ClipAction": lambda env, rng: {},
    "ClipReward": lambda env, rng: {"min_reward": rng.choice([None, np.float32(-0.5)]), "max_reward": 0.5},
    "DelayObservation": lambda env, rng: {"delay": rng.randint(0, 3)},
    "DiscretizeAction": lambda env, rng: {"bins": _cuts(env.action_space, rng), "multidiscrete": rng.random() < 0.5},
    "DiscretizeObservation": lambda env, rng: {
        "bins": _cuts(env.observation_space, rng),
        "multidiscrete": rng.random() < 0.5,
    },
    "DtypeObservation": lambda env, rng: {
        "dtype": rng.choice([np.float64, np.dtype("float32"), "int32", float, np.float16, np.dtype(">f8")])
    },
    "FilterObservation": lambda env, rng: {"filter_keys": _kept(env.observation_space, rng)},
    "FlattenObservation": lambda env, rng: {},
    "FrameStackObservation": lambda env, rng: {
        "stack_size": rng.choice([1, 2, np.int64(3)]),
        "padding_type": _padding(env.observation_space, rng),
    },
    "GrayscaleObservation": lambda env, rng: {"keep_dim": rng.random() < 0.5},
    "MaxAndSkipObservation": lambda env, rng: {"skip": rng.choice([2, 4])},
    "NormalizeObservation": lambda env, rng: {"epsilon": rng.choice([1e-8, np.float32(1e-2)])},
    "NormalizeReward": lambda env, rng: {"gamma": rng.choice([0.5, np.float64(0.9)])},
    "ObstructView": lambda env, rng: {"obstructed_pixels_ratio": 0.5, "obstruction_width": 2},
    "OrderEnforcing": lambda env, rng: {"disable_render_order_enforcing": rng.random() < 0.5},
    "PassiveEnvChecker": lambda env, rng: {},
    "RecordActions": lambda env, rng: {},
    "RecordEpisodeStatistics": lambda env, rng: {
        "buffer_length": rng.choice([2, None]),
        "stats_key": str(rng.random()),
    },
    "RenderCollection": lambda env, rng: {"pop_frames": rng.random() < 0.5, "reset_clean": rng.random() < 0.5},
    "RepeatAction": lambda env, rng: {"num_repeats": rng.randint(1, 3)},
    "RescaleAction": lambda env, rng: dict(
        zip(("min_action", "max_action"), _bounds(env.action_space, rng), strict=True)
    ),
    "RescaleObservation": lambda env, rng: dict(
        zip(("min_obs", "max_obs"), _bounds(env.observation_space, rng), strict=True)
    ),
    "ReshapeObservation": lambda env, rng: {"shape": _shape(env.observation_space, rng)},
    "ResizeObservation": lambda env, rng: {"shape": rng.choice([(3, 4), [5, 2]])},
    "StickyAction": lambda env, rng: {
        "repeat_action_probability": 0.5,
        "repeat_action_duration": rng.choice([1, (1, 3), [2, 2]]),
    },
    "TimeAwareObservation": lambda env, rng: {"flatten": rng.random() < 0.5, "normalize_time": rng.random() < 0.5},
    "TimeLimit": lambda env, rng: {"max_episode_steps": rng.randint(2, 12)},
}

# What takes functions or files, needs a game or a window, or another array library.
OTHERS = {
    *("TransformAction", "TransformObservation", "TransformReward"),
    *("RecordVideo", "RecordTrajectories", "RecordReplays"),
    *("AtariPreprocessing", "HumanRendering", "ArrayConversion", "JaxToNumpy", "JaxToTorch", "NumpyToTorch"),
}


def drawn(seed: int) -> Env[Any, Any]:
    """An environment in a random stack of up to four wrappers that fit."""
    register_toys()
    rng = random.Random(seed)
    env_id, kwargs = rng.choice(list(ENVIRONMENTS.items()))
    steps = rng.choice([None, -1, 3, 10])
    env = make(env_id, steps, rng.choice([None, True]), **(kwargs if rng.random() < 0.7 else {}))
    for name in rng.choices(list(ARGUMENTS), k=12)[: 3 * rng.randint(0, 4)]:
        env = _wrapped(env, name, rng)
        if str(env).count("<") > 9:
            break
    return env


def _wrapped(env: Env[Any, Any], name: str, rng: random.Random) -> Env[Any, Any]:
    """The environment in the wrapper, if that fits."""
    # It resets what it is put around, which frames that are kept and moments that run remember.
    if name == "AddRenderObservation" and (env.render_mode != "rgb_array" or "NormalizeObservation" in str(env)):
        return env
    env.observation_space.seed(rng.randrange(2**31))
    try:
        arguments = ARGUMENTS[name](env, rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return getattr(wrappers if name in wrappers.__all__ else recording, name)(env, **arguments)
    except (TypeError, ValueError, OverflowError, AssertionError):
        return env


def trajectory(env: Env[Any, Any], steps: int = 40) -> list[Any]:
    """What comes of sampled actions, with a reset after each end; what is raised ends it."""
    env.action_space.seed(3)
    found: list[Any] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found.append(env.reset(seed=7))
            for _ in range(steps):
                found.append(env.step(env.action_space.sample()))
                found.append(env.render() if env.render_mode is not None else None)
                if found[-2][2] or found[-2][3]:
                    found.append(env.reset())
        except Exception as error:
            found.append((type(error), str(error)))
    return found


def agree(a: Any, b: Any) -> bool:
    """Whether two trajectories are the same in value, type, shape and dtype, but for the time that they took."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(key == "t" or agree(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)) and type(a) is type(b):
        return len(a) == len(b) and all(map(agree, a, b))
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    return type(a) is type(b) and bool(a == b)
