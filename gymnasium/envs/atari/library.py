"""Where the package imports ale-py, which registers its games as it is imported."""

from __future__ import annotations

from gymnasium.error import DependencyNotInstalled

try:
    import ale_py
    from ale_py import env, vector_env
except ImportError as reason:
    raise DependencyNotInstalled(
        f'The Atari games need ale-py, which cannot be imported ({reason}). Run: pip install "gymnasium[atari]"'
    ) from reason

__all__ = ["ale_py", "env", "vector_env"]
