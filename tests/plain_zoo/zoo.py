"""Every plain environment of the zoo. A class joins by being written into one of the modules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from gymnasium.core import Env

MODULES = (
    "arcade",
    "bandits",
    "boards",
    "control",
    "courses",
    "depths",
    "grids",
    "nature",
    "operations",
    "puzzles",
    "styles",
    "things",
)
LIMITS = {"SwingEnv": 60, "HillCarEnv": 90, "PoleEnv": 40, "CabEnv": 70, "RoomEnv": None}
"""Time limits of those that would go on for long; 100 steps for the others, but where None says there is none."""


@dataclass(frozen=True)
class Case:
    """An environment of the zoo."""

    entry_point: str
    max_episode_steps: int | None

    @property
    def name(self) -> str:
        """`grids-RoomEnv`."""
        return self.entry_point.rsplit(".", 1)[-1].replace(":", "-")


def _cases() -> Iterator[Case]:
    for name in MODULES:
        module = import_module(f"tests.plain_zoo.{name}")
        for key, value in vars(module).items():
            own: Any = isinstance(value, type) and issubclass(value, Env) and value.__module__ == module.__name__
            if own:
                yield Case(f"{module.__name__}:{key}", LIMITS.get(key, 100))


CASES = list(_cases())
