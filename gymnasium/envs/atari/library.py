"""The only import of ale-py, which registers its games when it is imported."""

from __future__ import annotations

from gymnasium.dependencies import not_installed

try:
    import ale_py
    from ale_py import env, vector_env
except ImportError as reason:
    raise not_installed("ale-py", "the Atari games", reason, "ale-py", "opencv-python-headless") from reason

__all__ = ["ale_py", "env", "vector_env"]
