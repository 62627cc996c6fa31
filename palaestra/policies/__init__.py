"""Policies as pure functions: the contract, `FuncPolicy`, and ready ones."""

from palaestra.policies.base import FuncPolicy
from palaestra.policies.mlp import MLP, Layer
from palaestra.policies.simple import Linear, Random, Tabular

__all__ = ["MLP", "FuncPolicy", "Layer", "Linear", "Random", "Tabular"]
