"""The part that the recorders of single environments and of batches share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from palaestra.recording.data_sets.data_set import DataSet
from palaestra.recording.data_sets.recorder import Recorder


class HasDataSet:
    """A mixin for wrappers that write a data set: its size, and the end of episodes that are cut off.

    Attributes:
        keep_unfinished: Whether to record such episodes.
    """

    keep_unfinished: bool
    _data_set: DataSet
    _recorder: Recorder

    @property
    def recorded_episodes(self) -> int:
        """The number of episodes in the data set."""
        return self._data_set.episodes

    def get_state(self) -> dict[str, Any]:
        """Returns nothing: recorded episodes stay recorded."""
        return {}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Forget the episodes under way, since the environment goes to another moment; the next ones are recorded."""
        self._recorder.drop(self._under_way())

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError(f"{self} cannot be copied or pickled: two recorders would write one data set")

    def _interrupt(self, rows: Iterable[int]) -> None:
        if self.keep_unfinished:
            self._recorder.cut(rows)
        self._recorder.drop(rows)

    def _close_data_set(self) -> None:
        try:
            self._interrupt(self._under_way())
        finally:
            self._data_set.close()

    def _under_way(self) -> list[int]:
        rows: list[int] = self._recorder.under_way.nonzero()[0].tolist()
        return rows
