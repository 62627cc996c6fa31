"""The functional environments under the name that the API knows them by: see `gymnasium.functional`."""

from __future__ import annotations

from gymnasium.functional.func_env import (
    ActType,
    FuncEnv,
    ObsType,
    Params,
    RenderStateType,
    RewardType,
    StateType,
    TerminalType,
)

__all__ = [
    "ActType",
    "FuncEnv",
    "ObsType",
    "Params",
    "RenderStateType",
    "RewardType",
    "StateType",
    "TerminalType",
]
