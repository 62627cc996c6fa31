"""Every wrapper with an environment that it fits, for laws that all wrappers keep.

A wrapper joins by a line in `CASES`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import numpy as np

from gymnasium import wrappers
from gymnasium.core import Env
from gymnasium.envs.registration import make, register, registry
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Text, Tuple
from gymnasium.wrappers import vector as vector_wrappers
from tests.console import Game

STEPS_OF_AN_EPISODE = 7


class Sampled(Env[Any, Any]):
    """Observes samples of its space; ends after a random number of steps; rewards and info tell what it was asked."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 30}
    observation_space: Any = Box(-3, 5, (2, 3), np.float32)
    action_space: Any = Box(np.array([-2, 0.5], np.float32), np.array([2, 1.5], np.float32))

    def __init__(self, render_mode: str | None = None) -> None:
        self.render_mode = render_mode

    def observe(self) -> Any:
        self.observation_space.seed(int(self.np_random.integers(2**31)))
        return self.observation_space.sample()

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        return self.observe(), {"begun": True}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        reward = float(self.np_random.normal() + np.sum(action))
        return self.observe(), reward, bool(self.np_random.random() < 0.1), False, {"action": np.array(action)}

    def render(self) -> Any:
        return np.full((8, 10, 3), 7, np.uint8)

    def get_state(self) -> dict[str, Any]:
        return {"generator": self.np_random.bit_generator.state}

    def set_state(self, state: dict[str, Any]) -> None:
        self.np_random.bit_generator.state = state["generator"]


class Parts(Sampled):
    """Observes several things at once."""

    observation_space = Dict(
        position=Box(np.array([-1.0, 0.5]), np.array([1.0, 9.0]), dtype=np.float64),
        number=Discrete(5, start=2),
        bits=MultiBinary(3),
        pair=Tuple([MultiDiscrete([2, 3], start=[1, -1]), Discrete(2)]),
    )


class Words(Sampled):
    """Observes what has to be flattened one by one."""

    observation_space = Tuple([Text(4), Box(0, 1, (2,))])


class Pixels(Sampled):
    """Observes RGB images."""

    observation_space = Box(0, 255, (8, 10, 3), np.uint8)


class Grid(Sampled):
    """Observes and takes integers."""

    observation_space = MultiDiscrete([4, 5, 3], start=[0, -2, 7])
    action_space = Box(-4, 10, (3,), np.int32)


class Flags(Sampled):
    """Observes bits, is told a number."""

    observation_space = MultiBinary((2, 2))
    action_space = Discrete(3)


TOYS = {"zoo/Sampled-v0": Sampled, "zoo/Parts-v0": Parts, "zoo/Words-v0": Words, "zoo/Pixels-v0": Pixels}
TOYS |= {"zoo/Grid-v0": Grid, "zoo/Flags-v0": Flags, "zoo/Game-v0": Game}


def register_toys() -> None:
    """Register the environments above; a test's registry is restored after it."""
    for env_id, toy in TOYS.items():
        if env_id not in registry:
            register(env_id, f"{toy.__module__}:{toy.__name__}")


def make_env(env_id: str, **kwargs: Any) -> Env[Any, Any]:
    """An environment with short episodes, made from its id wherever it is called."""
    register_toys()
    return make(env_id, **{"max_episode_steps": STEPS_OF_AN_EPISODE, **kwargs})


def unchanged(_: Any) -> None:
    """Nothing to prepare."""


@dataclass(frozen=True)
class Case:
    """A wrapper, single or vector or both, with its arguments.

    Attributes:
        env_id: The environment inside.
        name: The wrapper's class in `gymnasium.wrappers`, and in `gymnasium.wrappers.vector` under the same name.
        kwargs: Its arguments.
        vector: Whether there is a vector wrapper that commutes.
        prepare: What is done to a new wrapper of either sort, so that it does not depend on the others of its batch.
        ignored: Infos that differ from run to run.
        make_kwargs: The environment's arguments.
    """

    env_id: str
    name: str
    kwargs: dict[str, Any] = field(default_factory=dict)
    vector: bool = True
    prepare: Callable[[Any], None] = unchanged
    ignored: tuple[str, ...] = ()
    make_kwargs: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        arguments = [getattr(value, "__name__", str(value)) for value in self.kwargs.values()]
        return "-".join([self.name, self.env_id, *arguments]).replace(" ", "")

    def env(self) -> Env[Any, Any]:
        """The environment without the wrapper."""
        return make_env(self.env_id, **self.make_kwargs)

    def wrapped(self) -> Any:
        """A single environment in the wrapper."""
        wrapper = getattr(wrappers, self.name)(self.env(), **self.kwargs)
        self.prepare(wrapper)
        return wrapper

    def wrapped_vector(self, envs: Any) -> Any:
        """The vector environment in the vector wrapper."""
        wrapper = getattr(vector_wrappers, self.name)(envs, **self.kwargs)
        self.prepare(wrapper)
        return wrapper


def doubled(value: Any) -> Any:
    return value * 2


def frozen(wrapper: Any) -> None:
    """Give a normalizing wrapper moments of its own that stay as they are."""
    state = wrapper.get_state()
    rng = np.random.default_rng(1)
    state["mean"] = rng.normal(size=state["mean"].shape).astype(state["mean"].dtype)
    state["var"] = rng.uniform(0.5, 2, state["var"].shape).astype(state["var"].dtype)
    wrapper.set_state(state)
    wrapper.update_running_mean = False


BOX = "zoo/Sampled-v0"

# Functions of the observation, of the action, of the reward; running moments.
CASES = [
    Case(BOX, "TransformObservation", {"func": doubled, "observation_space": None}),
    Case("zoo/Parts-v0", "FilterObservation", {"filter_keys": ["pair", "bits"]}),
    Case("Blackjack-v1", "FilterObservation", {"filter_keys": (2, 0)}),
    Case("zoo/Parts-v0", "FlattenObservation"),
    Case("zoo/Words-v0", "FlattenObservation"),
    Case("zoo/Grid-v0", "FlattenObservation"),
    Case("zoo/Flags-v0", "FlattenObservation"),
    Case("Blackjack-v1", "FlattenObservation"),
    Case("FrozenLake-v1", "FlattenObservation"),
    Case("zoo/Pixels-v0", "GrayscaleObservation"),
    Case("zoo/Pixels-v0", "GrayscaleObservation", {"keep_dim": True}),
    Case("zoo/Pixels-v0", "ResizeObservation", {"shape": (4, 5)}),
    Case("zoo/Pixels-v0", "ReshapeObservation", {"shape": (10, -1)}),
    Case("zoo/Grid-v0", "DtypeObservation", {"dtype": np.int16}),
    Case("zoo/Flags-v0", "DtypeObservation", {"dtype": np.float32}),
    Case("FrozenLake-v1", "DtypeObservation", {"dtype": np.int32}),
    Case("CartPole-v1", "DtypeObservation", {"dtype": np.float64}),
    Case("CartPole-v1", "FlattenObservation"),
    Case("CartPole-v1", "ReshapeObservation", {"shape": (2, 2)}),
    Case("CartPole-v1", "TransformObservation", {"func": doubled, "observation_space": None}),
    Case("CartPole-v1", "ClipReward", {"max_reward": 0.5}),
    Case("CartPole-v1", "NormalizeObservation", prepare=frozen),
    Case("CartPole-v1", "NormalizeReward", prepare=frozen),
    Case(BOX, "RescaleObservation", {"min_obs": 0.0, "max_obs": 1.0}),
    Case("zoo/Pixels-v0", "RescaleObservation", {"min_obs": 0, "max_obs": 1}),
    Case(BOX, "DiscretizeObservation", {"bins": 3}, vector=False),
    Case(BOX, "DiscretizeObservation", {"bins": (1, 2, 3, 4, 5, 6), "multidiscrete": True}, vector=False),
    Case(BOX, "TransformAction", {"func": doubled, "action_space": None}),
    Case(BOX, "ClipAction"),
    Case("zoo/Grid-v0", "ClipAction"),
    Case(BOX, "RescaleAction", {"min_action": -1.0, "max_action": 1.0}),
    Case("zoo/Grid-v0", "RescaleAction", {"min_action": 0.0, "max_action": 1.0}),
    Case(BOX, "DiscretizeAction", {"bins": 3}, vector=False),
    Case("zoo/Grid-v0", "DiscretizeAction", {"bins": (3, 15, 4), "multidiscrete": True}, vector=False),
    Case(BOX, "TransformReward", {"func": doubled}),
    Case(BOX, "ClipReward", {"min_reward": -0.5, "max_reward": 1.0}),
    Case(BOX, "ClipReward", {"max_reward": 0}),
    Case(BOX, "NormalizeObservation", prepare=frozen),
    Case("zoo/Pixels-v0", "NormalizeObservation", prepare=frozen),
    Case(BOX, "NormalizeReward", {"gamma": 0.9}, prepare=frozen),
    Case("FrozenLake-v1", "NormalizeReward", prepare=frozen),
]


# Memory of earlier steps, pictures, statistics and other array libraries.
PICTURES = {"render_mode": "rgb_array"}
CASES += [
    Case(BOX, "TimeLimit", {"max_episode_steps": 4}, make_kwargs={"max_episode_steps": -1}, vector=False),
    Case(BOX, "Autoreset", vector=False),
    Case("zoo/Game-v0", "AtariPreprocessing", make_kwargs={"max_episode_steps": 70}, vector=False),
    Case("zoo/Game-v0", "AtariPreprocessing", {"noop_max": 3, "terminal_on_life_loss": True}, vector=False),
    Case(BOX, "DelayObservation", {"delay": 2}, vector=False),
    Case("zoo/Parts-v0", "DelayObservation", {"delay": 3}, vector=False),
    Case("zoo/Words-v0", "DelayObservation", {"delay": 1}, vector=False),
    Case("zoo/Parts-v0", "TimeAwareObservation", vector=False),
    Case("zoo/Words-v0", "TimeAwareObservation", {"flatten": False, "normalize_time": True}, vector=False),
    Case("zoo/Pixels-v0", "FrameStackObservation", {"stack_size": 3}),
    Case("zoo/Parts-v0", "FrameStackObservation", {"stack_size": 2, "padding_type": "zero"}),
    Case("zoo/Words-v0", "FrameStackObservation", {"stack_size": 4}),
    Case("FrozenLake-v1", "FrameStackObservation", {"stack_size": 3}),
    Case(BOX, "MaxAndSkipObservation", {"skip": 3}, vector=False),
    Case(BOX, "StickyAction", {"repeat_action_probability": 0.5, "repeat_action_duration": (1, 3)}, vector=False),
    Case(BOX, "RepeatAction", {"num_repeats": 2}, vector=False),
    Case(BOX, "AddRenderObservation", make_kwargs=PICTURES, vector=False),
    Case("zoo/Parts-v0", "AddRenderObservation", {"render_only": False}, make_kwargs=PICTURES, vector=False),
    Case(BOX, "AddWhiteNoise", {"probability_of_noise_per_pixel": 0.3}, make_kwargs=PICTURES, vector=False),
    Case(
        BOX,
        "ObstructView",
        {"obstructed_pixels_ratio": 0.3, "obstruction_width": 2},
        make_kwargs=PICTURES,
        vector=False,
    ),
    Case(BOX, "RenderCollection", make_kwargs=PICTURES, vector=False),
    Case(BOX, "RecordEpisodeStatistics", {"buffer_length": 3}, vector=False, ignored=("t", "time_queue")),
    Case(BOX, "ArrayConversion", {"env_xp": "numpy", "target_xp": "jax.numpy"}, vector=False),
]
if find_spec("torch"):  # which the environments of `make matrix` lack
    CASES.append(Case("zoo/Parts-v0", "NumpyToTorch", vector=False))

VECTOR_CASES = [case for case in CASES if case.vector]
