"""Plain environment classes, read from their source and compiled.

Start with `vector_env`. `model` finds the attributes that change, `entry` begins the translation of `reset` and `step`,
`statements` and `expressions` go through their code, and `dynamics` hands the result to the kernels.
"""

from gymnasium.plain.report import Report, explain
from gymnasium.plain.vector_env import PlainVectorEnv

__all__ = ["PlainVectorEnv", "Report", "explain"]
