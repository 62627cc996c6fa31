"""The part that the recorders of replays of single environments and of batches share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from palaestra.recording.replays.recorder import Episode, Folder, Source


class KeepsReplays:
    """A mixin for wrappers that write replays.

    Attributes:
        keep_unfinished: Whether to write episodes that `reset` or `close` interrupts.
    """

    keep_unfinished: bool
    _folder: Folder
    _sources: list[Source]
    _under_way: dict[int, Episode]

    @property
    def recorded_episodes(self) -> int:
        """The number of episodes written."""
        return self._folder.written

    def get_state(self) -> dict[str, Any]:
        """Returns nothing: recorded episodes stay recorded."""
        return {}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Forget the episodes under way, since the environment goes to another moment; the next ones are recorded."""
        self._under_way.clear()

    def _write(self, rows: Iterable[int]) -> None:
        """Write the episodes of some environments; if one cannot be written, none of them is under way any more."""
        ended = [(row, self._under_way.pop(row)) for row in rows if row in self._under_way]
        for row, episode in ended:
            self._folder.write(self._sources[row].data(episode))

    def _interrupt(self, rows: Iterable[int]) -> None:
        rows = list(rows)
        if self.keep_unfinished:
            self._write(row for row in rows if row in self._under_way and self._under_way[row].actions)
        for row in rows:
            self._under_way.pop(row, None)
