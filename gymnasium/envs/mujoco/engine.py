"""The one place where the engine, the `mujoco` package, is imported."""

from __future__ import annotations

from gymnasium.error import DependencyNotInstalled

try:
    import mujoco
except ImportError as reason:
    raise DependencyNotInstalled(
        f"mujoco is needed for the MuJoCo environments and cannot be imported ({reason}). "
        'Run: pip install "gymnasium[mujoco]"'
    ) from reason

__all__ = ["VERSION", "mujoco"]

VERSION: tuple[int, ...] = tuple(int(part) for part in mujoco.__version__.split(".")[:3] if part.isdigit())
