"""Plain environment classes, read from their source and compiled.

Start with `vector_env`. `model` finds the attributes that change, `translation/` writes `reset` and `step` as
functions, `calls/` knows the functions that they call, and `dynamics` hands the result to the kernels.
"""

from palaestra.language.plain.report import Report, explain
from palaestra.language.plain.vector_env import PlainVectorEnv

__all__ = ["PlainVectorEnv", "Report", "explain"]
