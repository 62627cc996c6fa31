"""Thousands of copies of an environment as one compiled function.

Start with `vector_env`. The machine code is made in `kernels`; `batch` holds everything besides steps.
"""

from __future__ import annotations

from typing import Any

from palaestra.runner.vector_env import CompiledVectorEnv

__all__ = ["CompiledVectorEnv", "explain"]


def explain(environment: object, **kwargs: object) -> Any:
    """Returns the report of the compilation of an ordinary environment class, a `palaestra.language.plain.Report`.

    Args:
        environment: An id, or a class or function that makes an environment.
        **kwargs: `measured=True` to compile and measure it too; the others are arguments for the environment.

    Raises:
        gymnasium.error.Error: If there is no such id.
    """
    from gymnasium.specs import load_env_creator

    # By name, because the translation belongs to a higher layer.
    return load_env_creator("palaestra.language.plain:explain")(environment, **kwargs)
