"""Thousands of copies of an environment as one compiled function: the package's only use of Numba."""

from gymnasium.compiled.vector_env import CompiledVectorEnv

__all__ = ["CompiledVectorEnv"]
