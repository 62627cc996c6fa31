"""Wrappers around vector environments: they change batches of n values instead of single ones.

Each is imported on first access.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gymnasium.wrappers._names import lazy_names

if TYPE_CHECKING:
    from gymnasium.wrappers.vector.array_conversion import ArrayConversion
    from gymnasium.wrappers.vector.common import RecordEpisodeStatistics
    from gymnasium.wrappers.vector.dict_info_to_list import DictInfoToList
    from gymnasium.wrappers.vector.frame_stack import FrameStackObservation
    from gymnasium.wrappers.vector.jax_to_numpy import JaxToNumpy
    from gymnasium.wrappers.vector.jax_to_torch import JaxToTorch
    from gymnasium.wrappers.vector.numpy_to_torch import NumpyToTorch
    from gymnasium.wrappers.vector.rendering import HumanRendering, RecordVideo
    from gymnasium.wrappers.vector.stateful_observation import NormalizeObservation
    from gymnasium.wrappers.vector.stateful_reward import NormalizeReward
    from gymnasium.wrappers.vector.vectorize_action import (
        ClipAction,
        RescaleAction,
        TransformAction,
        VectorizeTransformAction,
    )
    from gymnasium.wrappers.vector.vectorize_observation import (
        DtypeObservation,
        FilterObservation,
        FlattenObservation,
        GrayscaleObservation,
        RescaleObservation,
        ReshapeObservation,
        ResizeObservation,
        TransformObservation,
        VectorizeTransformObservation,
    )
    from gymnasium.wrappers.vector.vectorize_reward import ClipReward, TransformReward, VectorizeTransformReward

__all__ = [
    "ArrayConversion",
    "ClipAction",
    "ClipReward",
    "DictInfoToList",
    "DtypeObservation",
    "FilterObservation",
    "FlattenObservation",
    "FrameStackObservation",
    "GrayscaleObservation",
    "HumanRendering",
    "JaxToNumpy",
    "JaxToTorch",
    "NormalizeObservation",
    "NormalizeReward",
    "NumpyToTorch",
    "RecordEpisodeStatistics",
    "RecordVideo",
    "RescaleAction",
    "RescaleObservation",
    "ReshapeObservation",
    "ResizeObservation",
    "TransformAction",
    "TransformObservation",
    "TransformReward",
    "VectorizeTransformAction",
    "VectorizeTransformObservation",
    "VectorizeTransformReward",
]

_MODULES: dict[str, tuple[str, ...]] = {
    "array_conversion": ("ArrayConversion",),
    "common": ("RecordEpisodeStatistics",),
    "dict_info_to_list": ("DictInfoToList",),
    "frame_stack": ("FrameStackObservation",),
    "jax_to_numpy": ("JaxToNumpy",),
    "jax_to_torch": ("JaxToTorch",),
    "numpy_to_torch": ("NumpyToTorch",),
    "rendering": ("HumanRendering", "RecordVideo"),
    "stateful_observation": ("NormalizeObservation",),
    "stateful_reward": ("NormalizeReward",),
    "vectorize_action": ("ClipAction", "RescaleAction", "TransformAction", "VectorizeTransformAction"),
    "vectorize_observation": (
        "DtypeObservation",
        "FilterObservation",
        "FlattenObservation",
        "GrayscaleObservation",
        "RescaleObservation",
        "ReshapeObservation",
        "ResizeObservation",
        "TransformObservation",
        "VectorizeTransformObservation",
    ),
    "vectorize_reward": ("ClipReward", "TransformReward", "VectorizeTransformReward"),
}
_RENAMED = {
    "LambdaAction": "TransformAction",
    "LambdaObservation": "TransformObservation",
    "LambdaReward": "TransformReward",
    "VectorListInfo": "DictInfoToList",
}
_GONE = {old: f"`{__name__}.{new}`" for old, new in _RENAMED.items()}

__getattr__, __dir__ = lazy_names(__name__, _MODULES, _GONE, globals())
