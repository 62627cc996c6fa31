"""The data about environments: ids, specs, and the table of registered specs.

Data only. The functions on the table (`register`, `make`) are in `gymnasium.envs.registration`.
"""

from __future__ import annotations

from gymnasium.specs.env_spec import EnvSpec, WrapperSpec, registered, registry
from gymnasium.specs.ids import ENV_ID_RE, get_env_id, parse_env_id
from gymnasium.specs.loading import load_env_creator

__all__ = [
    "ENV_ID_RE",
    "EnvSpec",
    "WrapperSpec",
    "get_env_id",
    "load_env_creator",
    "parse_env_id",
    "registered",
    "registry",
]
