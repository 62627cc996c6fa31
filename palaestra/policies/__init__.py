"""Policies as pure functions: the contract, `FuncPolicy`, and ready ones."""

from gymnasium.functional.policies.base import FuncPolicy
from gymnasium.functional.policies.mlp import MLP, Layer
from gymnasium.functional.policies.simple import Linear, Random, Tabular

__all__ = ["MLP", "FuncPolicy", "Layer", "Linear", "Random", "Tabular"]
