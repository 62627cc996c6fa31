"""Params that vary: distributions from which `RandomizeParams` draws those of each episode, and teachers (`curricula`).

The wrapper here is for one environment; `palaestra.randomization.vector` has those of a batch.
"""

from __future__ import annotations

from gymnasium.params.base import Distribution
from palaestra.randomization import curricula, vector
from palaestra.randomization.distributions import (
    Choice,
    Constant,
    Each,
    Function,
    LogNormal,
    LogUniform,
    Normal,
    Scale,
    Uniform,
)
from palaestra.randomization.randomize_params import RandomizeParams

__all__ = [
    "Choice",
    "Constant",
    "Distribution",
    "Each",
    "Function",
    "LogNormal",
    "LogUniform",
    "Normal",
    "RandomizeParams",
    "Scale",
    "Uniform",
    "curricula",
    "vector",
]
