"""Batches of the toy text environments, compiled."""

from __future__ import annotations

from typing import Any

from gymnasium.envs.toy_text.blackjack import BlackjackEnv
from gymnasium.envs.toy_text.cliffwalking import CliffWalkingEnv
from gymnasium.envs.toy_text.frozen_lake import FrozenLakeEnv
from gymnasium.envs.toy_text.taxi import TaxiEnv
from palaestra.runner.vector_env import CompiledVectorEnv


class BlackjackVectorEnv(CompiledVectorEnv):
    """Copies of Blackjack; for the arguments see `CompiledVectorEnv` and `BlackjackEnv`."""

    def __init__(self, num_envs: int = 1, **arguments: Any) -> None:
        super().__init__(BlackjackEnv, num_envs, **arguments)


class FrozenLakeVectorEnv(CompiledVectorEnv):
    """Copies of FrozenLake, all on the same map; for the arguments see `CompiledVectorEnv` and `FrozenLakeEnv`."""

    def __init__(self, num_envs: int = 1, **arguments: Any) -> None:
        super().__init__(FrozenLakeEnv, num_envs, **arguments)


class CliffWalkingVectorEnv(CompiledVectorEnv):
    """Copies of CliffWalking; for the arguments see `CompiledVectorEnv` and `CliffWalkingEnv`."""

    def __init__(self, num_envs: int = 1, **arguments: Any) -> None:
        super().__init__(CliffWalkingEnv, num_envs, **arguments)


class TaxiVectorEnv(CompiledVectorEnv):
    """Copies of Taxi; for the arguments see `CompiledVectorEnv` and `TaxiEnv`."""

    def __init__(self, num_envs: int = 1, **arguments: Any) -> None:
        super().__init__(TaxiEnv, num_envs, **arguments)
