"""Distributions of params, from which `RandomizeParams` draws those of each episode."""

from gymnasium.params.base import Distribution
from gymnasium.params.distributions import (
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

__all__ = [
    "Choice",
    "Constant",
    "Distribution",
    "Each",
    "Function",
    "LogNormal",
    "LogUniform",
    "Normal",
    "Scale",
    "Uniform",
]
