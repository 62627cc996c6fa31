"""Toy text under JAX."""

from gymnasium.envs.tabular.blackjack import BlackJackJaxEnv
from gymnasium.envs.tabular.cliffwalking import CliffWalkingJaxEnv

__all__ = ["BlackJackJaxEnv", "CliffWalkingJaxEnv"]
