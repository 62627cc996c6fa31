"""The environments, and the registry that finds them; importing this registers those of the API."""

from __future__ import annotations

from gymnasium.envs._registry.builtin import register_all
from gymnasium.envs.registration import make, pprint_registry, register, registry, spec

__all__ = ["make", "pprint_registry", "register", "registry", "spec"]

register_all()
