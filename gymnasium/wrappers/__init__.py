"""Wrappers: environments around an environment, which change what passes through.

Each is imported when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gymnasium.wrappers import vector
    from gymnasium.wrappers.common import (
        Autoreset,
        OrderEnforcing,
        PassiveEnvChecker,
        RecordEpisodeStatistics,
        TimeLimit,
    )
    from gymnasium.wrappers.rendering import HumanRendering, RenderCollection
    from gymnasium.wrappers.transform_action import ClipAction, TransformAction

__all__ = [
    "Autoreset",
    "ClipAction",
    "HumanRendering",
    "OrderEnforcing",
    "PassiveEnvChecker",
    "RecordEpisodeStatistics",
    "RenderCollection",
    "TimeLimit",
    "TransformAction",
    "vector",
]

_MODULES = {
    "common": ("Autoreset", "OrderEnforcing", "PassiveEnvChecker", "RecordEpisodeStatistics", "TimeLimit"),
    "rendering": ("HumanRendering", "RenderCollection"),
    "transform_action": ("ClipAction", "TransformAction"),
    "vector": (),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}
_RENAMED = {
    "AutoResetWrapper": "Autoreset",
    "FrameStack": "FrameStackObservation",
    "PixelObservationWrapper": "AddRenderObservation",
    "VectorListInfo": "vector.DictInfoToList",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name in _HOMES:
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value  # the next access finds it without coming here
        return value
    if name in _RENAMED:
        raise AttributeError(f"{name!r} has a new name: use `wrappers.{_RENAMED[name]}`")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, *_HOMES})
