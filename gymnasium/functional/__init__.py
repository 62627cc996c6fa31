"""Environments as pure functions, and what runs one of them.

`FuncEnv` is the contract, `ops` the functions its dynamics compute with, `FunctionalEnv` the runner of a single
copy, and `gymnasium.functional.testing` the laws that every `FuncEnv` keeps, yours too.
"""

from gymnasium.functional.env import FunctionalEnv
from gymnasium.functional.func_env import FuncEnv

__all__ = ["FuncEnv", "FunctionalEnv"]
