"""The stages of a studio: one that it was started with, or those that were opened from the gallery."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any, Final

from gymnasium.studio.gallery import Family, Gallery
from gymnasium.studio.making import Origin, Registered
from gymnasium.studio.stage import Policy, Stage

MAX_STAGES: Final = 8


class TooMany(Exception):
    """All stages are being watched."""


class Stages:
    """Opens stages when somebody looks, and keeps some of them.

    Args:
        families: The environments of the gallery.
        alone: The environment that the studio is started with, under the name ""; None for the gallery.
        seed: The seed of first episodes.
        policy: A policy for `alone`, with its name.

    Attributes:
        gallery: The environments to choose from.
        alone: Whether the studio was started with an environment.
    """

    def __init__(
        self,
        families: Sequence[Family] = (),
        alone: Origin | None = None,
        seed: int = 0,
        policy: tuple[Policy, str] | None = None,
    ) -> None:
        self.gallery = Gallery(families)
        self.alone = alone is not None
        self._origin, self._seed, self._policy = alone, seed, policy
        self._stages: dict[str, Stage] = {}
        self._lock = Lock()

    def opened(self, env_id: str) -> Stage:
        """Returns the stage of an environment of the gallery, or of the one that the studio was started with ("").

        Raises:
            KeyError: If there is no such environment.
            TooMany: If as many stages as allowed are being watched.
        """
        with self._lock:
            if env_id in self._stages:
                return self._stages[env_id]
            origin = self._found(env_id)
            self._make_room()
            policy, name = (None, "") if self._policy is None else self._policy
            stage = Stage(origin, self._seed, policy, name)
            self._stages[env_id] = stage
            return stage

    def running(self, env_id: str) -> Stage | None:
        """Returns the stage of an environment, if it is open."""
        return self._stages.get(env_id)

    def close(self) -> None:
        """Close all stages."""
        with self._lock:
            while self._stages:
                self._stages.popitem()[1].close()

    def _found(self, env_id: str) -> Any:
        if not env_id and self._origin is not None:
            return self._origin
        spec = self.gallery.find(env_id)
        if spec is None:
            raise KeyError("There is no such environment here")
        return Registered(spec)

    def _make_room(self) -> None:
        if len(self._stages) < MAX_STAGES:
            return
        idle = next((env_id for env_id, stage in self._stages.items() if not stage.is_watched), None)
        if idle is None:
            raise TooMany(f"{MAX_STAGES} environments are open, which is the most: close a page")
        self._stages.pop(idle).close()
