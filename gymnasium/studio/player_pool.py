"""The players of a studio: one that it was started with, or those that were opened from the gallery."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any, Final

from gymnasium.studio.gallery import Family, Gallery
from gymnasium.studio.making import Origin, Registered
from gymnasium.studio.player_thread import PlayerThread, Policy

MAX_PLAYERS: Final = 8


class TooMany(Exception):
    """All players are being watched."""


class PlayerPool:
    """Opens players when somebody looks, and keeps some of them.

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
        self._players: dict[str, PlayerThread] = {}
        self._lock = Lock()

    def opened(self, env_id: str) -> PlayerThread:
        """Returns the player of an environment of the gallery, or of the one that the studio was started with ("").

        Raises:
            KeyError: If there is no such environment.
            TooMany: If as many players as allowed are being watched.
        """
        with self._lock:
            if env_id in self._players:
                return self._players[env_id]
            origin = self._found(env_id)
            self._make_room()
            policy, name = (None, "") if self._policy is None else self._policy
            player = PlayerThread(origin, self._seed, policy, name)
            self._players[env_id] = player
            return player

    def running(self, env_id: str) -> PlayerThread | None:
        """Returns the player of an environment, if it is open."""
        return self._players.get(env_id)

    def close(self) -> None:
        """Close all players."""
        with self._lock:
            while self._players:
                self._players.popitem()[1].close()

    def _found(self, env_id: str) -> Any:
        if not env_id and self._origin is not None:
            return self._origin
        spec = self.gallery.find(env_id)
        if spec is None:
            raise KeyError("There is no such environment here")
        return Registered(spec)

    def _make_room(self) -> None:
        if len(self._players) < MAX_PLAYERS:
            return
        idle = next((env_id for env_id, player in self._players.items() if not player.is_watched), None)
        if idle is None:
            raise TooMany(f"{MAX_PLAYERS} environments are open, which is the most: close a page")
        self._players.pop(idle).close()
