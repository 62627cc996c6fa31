"""Wrappers: environments around an environment, which change the values that pass through.

Each is imported on first access.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gymnasium.wrappers._names import lazy_names

if TYPE_CHECKING:
    from gymnasium.wrappers import vector
    from gymnasium.wrappers.array_conversion import ArrayConversion
    from gymnasium.wrappers.atari_preprocessing import AtariPreprocessing
    from gymnasium.wrappers.common import (
        Autoreset,
        OrderEnforcing,
        PassiveEnvChecker,
        RecordEpisodeStatistics,
        TimeLimit,
    )
    from gymnasium.wrappers.jax_to_numpy import JaxToNumpy
    from gymnasium.wrappers.jax_to_torch import JaxToTorch
    from gymnasium.wrappers.numpy_to_torch import NumpyToTorch
    from gymnasium.wrappers.rendering import AddWhiteNoise, HumanRendering, ObstructView, RecordVideo, RenderCollection
    from gymnasium.wrappers.stateful_action import RepeatAction, StickyAction
    from gymnasium.wrappers.stateful_observation import (
        DelayObservation,
        FrameStackObservation,
        MaxAndSkipObservation,
        NormalizeObservation,
        TimeAwareObservation,
    )
    from gymnasium.wrappers.stateful_reward import NormalizeReward
    from gymnasium.wrappers.transform_action import ClipAction, DiscretizeAction, RescaleAction, TransformAction
    from gymnasium.wrappers.transform_observation import (
        AddRenderObservation,
        DiscretizeObservation,
        DtypeObservation,
        FilterObservation,
        FlattenObservation,
        GrayscaleObservation,
        RescaleObservation,
        ReshapeObservation,
        ResizeObservation,
        TransformObservation,
    )
    from gymnasium.wrappers.transform_reward import ClipReward, TransformReward

__all__ = [
    "AddRenderObservation",
    "AddWhiteNoise",
    "ArrayConversion",
    "AtariPreprocessing",
    "Autoreset",
    "ClipAction",
    "ClipReward",
    "DelayObservation",
    "DiscretizeAction",
    "DiscretizeObservation",
    "DtypeObservation",
    "FilterObservation",
    "FlattenObservation",
    "FrameStackObservation",
    "GrayscaleObservation",
    "HumanRendering",
    "JaxToNumpy",
    "JaxToTorch",
    "MaxAndSkipObservation",
    "NormalizeObservation",
    "NormalizeReward",
    "NumpyToTorch",
    "ObstructView",
    "OrderEnforcing",
    "PassiveEnvChecker",
    "RecordEpisodeStatistics",
    "RecordVideo",
    "RenderCollection",
    "RepeatAction",
    "RescaleAction",
    "RescaleObservation",
    "ReshapeObservation",
    "ResizeObservation",
    "StickyAction",
    "TimeAwareObservation",
    "TimeLimit",
    "TransformAction",
    "TransformObservation",
    "TransformReward",
    "vector",
]

IN_FILES: frozenset[str] = frozenset(
    {
        "AddRenderObservation",
        "AddWhiteNoise",
        "AtariPreprocessing",
        "Autoreset",
        "ClipAction",
        "ClipReward",
        "DelayObservation",
        "DiscretizeAction",
        "DiscretizeObservation",
        "DtypeObservation",
        "FilterObservation",
        "FlattenObservation",
        "FrameStackObservation",
        "GrayscaleObservation",
        "HumanRendering",
        "JaxToNumpy",
        "JaxToTorch",
        "MaxAndSkipObservation",
        "NormalizeObservation",
        "NormalizeReward",
        "NumpyToTorch",
        "ObstructView",
        "OrderEnforcing",
        "PassiveEnvChecker",
        "RecordEpisodeStatistics",
        "RenderCollection",
        "RepeatAction",
        "RescaleAction",
        "RescaleObservation",
        "ReshapeObservation",
        "ResizeObservation",
        "StickyAction",
        "TimeAwareObservation",
        "TimeLimit",
    }
)
"""The wrappers that a file may name: they import, read, write and call nothing that their arguments name."""

_MODULES: dict[str, tuple[str, ...]] = {
    "array_conversion": ("ArrayConversion",),
    "atari_preprocessing": ("AtariPreprocessing",),
    "common": ("Autoreset", "OrderEnforcing", "PassiveEnvChecker", "RecordEpisodeStatistics", "TimeLimit"),
    "jax_to_numpy": ("JaxToNumpy",),
    "jax_to_torch": ("JaxToTorch",),
    "numpy_to_torch": ("NumpyToTorch",),
    "rendering": ("AddWhiteNoise", "HumanRendering", "ObstructView", "RecordVideo", "RenderCollection"),
    "stateful_action": ("RepeatAction", "StickyAction"),
    "stateful_observation": (
        "DelayObservation",
        "FrameStackObservation",
        "MaxAndSkipObservation",
        "NormalizeObservation",
        "TimeAwareObservation",
    ),
    "stateful_reward": ("NormalizeReward",),
    "transform_action": ("ClipAction", "DiscretizeAction", "RescaleAction", "TransformAction"),
    "transform_observation": (
        "AddRenderObservation",
        "DiscretizeObservation",
        "DtypeObservation",
        "FilterObservation",
        "FlattenObservation",
        "GrayscaleObservation",
        "RescaleObservation",
        "ReshapeObservation",
        "ResizeObservation",
        "TransformObservation",
    ),
    "transform_reward": ("ClipReward", "TransformReward"),
    "utils": (),
    "vector": (),
}
_RENAMED = {
    "AutoResetWrapper": "Autoreset",
    "FlattenDictWrapper": "FlattenObservation",
    "FrameStack": "FrameStackObservation",
    "LambdaAction": "TransformAction",
    "LambdaObservation": "TransformObservation",
    "LambdaReward": "TransformReward",
    "Monitor": "RecordVideo` and `wrappers.RecordEpisodeStatistics",
    "PixelObservation": "AddRenderObservation",
    "PixelObservationWrapper": "AddRenderObservation",
    "VectorListInfo": "vector.DictInfoToList",
}
_GONE = {
    **{old: f"`wrappers.{new}`" for old, new in _RENAMED.items()},
    "EnvCompatibility": "the package shimmy, `gymnasium.make('GymV21Environment-v0', env=...)`",
    "StepAPICompatibility": "`gymnasium.utils.step_api_compatibility` for the result of a step",
}

__getattr__, __dir__ = lazy_names(__name__, _MODULES, _GONE, globals())
