"""The players of a studio: one that it was started with, or those that were opened from the gallery."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Final

from gymnasium.error import Error
from palaestra.studio.gallery import Family, Gallery
from palaestra.studio.making import Origin, Registered
from palaestra.studio.player_thread import PlayerThread, Policy
from palaestra.studio.recordings import Recorded, opened
from palaestra.studio.session import StudioError

MAX_PLAYERS: Final = 8
DATA: Final = "!data/"  # before the name of a data set, in the place of an id


class TooMany(Exception):
    """All players are being watched."""


class PlayerPool:
    """Opens players when somebody looks, and keeps some of them.

    Args:
        families: The environments of the gallery.
        alone: The environment that the studio is started with, under the name ""; None for the gallery.
        seed: The seed of first episodes.
        policy: A policy for `alone`, with its name.
        sets: Data sets to choose from, by name.

    Attributes:
        gallery: The environments to choose from.
        sets: The data sets to choose from, by name.
        alone: Whether the studio was started with an environment.
    """

    def __init__(
        self,
        families: Sequence[Family] = (),
        alone: Origin | None = None,
        seed: int = 0,
        policy: tuple[Policy, str] | None = None,
        sets: Mapping[str, Path] | None = None,
    ) -> None:
        self.gallery = Gallery(families)
        self.sets = sets or {}
        self.alone = alone is not None
        self._origin, self._seed, self._policy = alone, seed, policy
        self._players: dict[str, PlayerThread] = {}
        self._lock = Lock()

    def opened(self, env_id: str) -> PlayerThread:
        """Returns the player of a registered environment or a data set, or of what the studio was started with ("").

        Raises:
            KeyError: If there is none.
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

    def _found(self, env_id: str) -> Origin:
        if self._origin is not None:
            if env_id:
                raise KeyError("This studio shows one environment only")
            return self._origin
        if env_id.startswith(DATA):
            return self._data_set(env_id.removeprefix(DATA))
        return Registered(self.gallery.find(env_id) or self.gallery.registered(env_id))

    def _data_set(self, name: str) -> Recorded:
        if name not in self.sets:
            raise KeyError(f"There is no data set {name!r} here")
        try:
            return Recorded(opened(self.sets[name]))
        except (StudioError, OSError, ValueError, Error) as error:
            raise KeyError(f"The data set {name!r} cannot be shown: {error}") from error

    def _make_room(self) -> None:
        if len(self._players) < MAX_PLAYERS:
            return
        idle = next((env_id for env_id, player in self._players.items() if not player.is_watched), None)
        if idle is None:
            raise TooMany(f"{MAX_PLAYERS} environments are open, which is the most: close a page")
        self._players.pop(idle).close()
