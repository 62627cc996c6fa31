"""Environments as pure functions, and the runner of a single one.

`FuncEnv` is the contract, `ops` has the functions for its dynamics, `FunctionalEnv` runs a single copy, and
`laws` are what every `FuncEnv` must keep, including yours: `palaestra.testing` checks them.
"""

from gymnasium.functional.env import FunctionalEnv
from gymnasium.functional.func_env import FuncEnv

__all__ = ["FuncEnv", "FunctionalEnv"]
