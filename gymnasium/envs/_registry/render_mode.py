"""The render mode with which an environment is made, and the wrapper that supplies a missing mode."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from gymnasium._extensions import is_own_module
from gymnasium.error import InvalidMetadata, UnsupportedMode
from gymnasium.logger import warn

HUMAN = "gymnasium.wrappers.rendering:HumanRendering"
COLLECTION = "gymnasium.wrappers.rendering:RenderCollection"


def resolved(creator: Callable[..., Any], requested: str | None, env_id: str) -> tuple[str | None, str | None]:
    """Returns the mode to make the environment with, and the entry point of the wrapper to put around it, or None.

    Raises:
        gymnasium.error.InvalidMetadata: If the environment's `metadata` is no dict.
        gymnasium.error.UnsupportedMode: If the environment is of this package, and no wrapper makes this one of its
            modes. Another's class is warned about and gets the mode: Stable-Baselines3 asks every environment for
            `"rgb_array"`, drawn or not.
    """
    modes = _supported_modes(creator)
    if requested is None or modes is None or requested in modes:
        return requested, None
    if requested == "human":
        for mode in ("rgb_array", "rgb_array_list"):
            if mode in modes:
                warn(
                    f"render_mode='human' is not native to the environment, which supports {modes}: its frames are "
                    "shown by the HumanRendering wrapper"
                )
                return mode, HUMAN
    base = requested.removesuffix("_list") if isinstance(requested, str) else requested
    if base != requested and base in modes:
        return base, COLLECTION
    if modes and not _is_foreign(creator):
        raise _unsupported(env_id, requested, modes)
    warn(f"{env_id!r} lists {modes or 'no'} render modes in its metadata, but gets render_mode={requested!r}")
    return requested, None


def check_listed(creator: Callable[..., Any], requested: str | None, env_id: str) -> None:
    """Refuse a mode that a vector environment, which gets no wrapper, lists neither directly nor with `_list`.

    Raises:
        gymnasium.error.UnsupportedMode: If it lists modes, but not this one. Another's class is only warned about.
    """
    metadata = getattr(creator, "metadata", None)
    modes = metadata.get("render_modes") if isinstance(metadata, dict) else None
    if requested is None or not isinstance(modes, Iterable) or not modes:
        return
    if requested in modes or str(requested).removesuffix("_list") in modes:
        return
    if not _is_foreign(creator):
        raise _unsupported(env_id, requested, list(modes))
    warn(f"{env_id!r} lists the render modes {list(modes)}, but gets render_mode={requested!r}")


def _is_foreign(creator: Callable[..., Any]) -> bool:
    return isinstance(creator, type) and not is_own_module(creator.__module__)


def _unsupported(env_id: str, requested: object, modes: list[str]) -> UnsupportedMode:
    return UnsupportedMode(f"{env_id!r} has no render_mode={requested!r}; choose one of {modes}, or None")


def _supported_modes(creator: Callable[..., Any]) -> list[str] | None:
    """Returns the modes that the creator lists; None if it lists none."""
    metadata = getattr(creator, "metadata", None)
    if not hasattr(creator, "metadata") or isinstance(metadata, property):
        return None
    if not isinstance(metadata, dict):
        raise InvalidMetadata(f"Expected a dict as metadata of {creator}, but a {type(metadata)} came")
    if "render_modes" not in metadata:
        warn(f'The metadata of {creator} should list "render_modes"; its keys are {list(metadata)}')
        return None
    modes = metadata["render_modes"]
    if isinstance(modes, str) or not isinstance(modes, Iterable):
        warn(f'Expected a list as metadata["render_modes"] of {creator}, but a {type(modes)} came')
        return None
    return list(modes)
