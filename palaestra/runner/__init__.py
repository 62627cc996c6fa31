"""Thousands of copies of an environment as one compiled function.

Start with `vector_env`. The machine code is made in `kernels`; `batch` holds everything besides steps.
"""

from __future__ import annotations

from palaestra.runner.vector_env import CompiledVectorEnv

__all__ = ["CompiledVectorEnv"]
