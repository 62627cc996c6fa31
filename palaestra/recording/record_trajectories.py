"""Data sets of the episodes of one environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Generic

import numpy as np

from gymnasium.core import ActType, Env, ObsType, Wrapper
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers.common import StepResult
from palaestra.recording._data_sets import HasDataSet
from palaestra.recording.data_sets.data_set import DataSet, IfExists
from palaestra.recording.data_sets.recorder import Recorder, block_of, checked_options

__all__ = ["RecordTrajectories"]

_ROW = np.zeros(1, np.intp)


class RecordTrajectories(
    HasDataSet, Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]
):
    """Records episodes into a data set that Minari loads: `minari.load_dataset(dataset_id)`.

    When `step` returns the end of an episode, the episode is on disk: it stays there if the process is killed. Memory
    does not grow with the length of an episode. An episode that a `reset`, `close` or `palaestra.restore` interrupts is
    not recorded, unless `keep_unfinished` is set.

    Args:
        env: The environment. Its spaces are made of Box, Discrete, MultiBinary, MultiDiscrete, Text, Dict and Tuple.
        dataset_id: The id of the data set, `(namespace/)(env/)name(-vN)`.
        folder: The folder of all data sets; None for the environment variable `MINARI_DATASETS_PATH`, or
            `~/.minari/datasets`.
        if_exists: The way to treat a data set of this id: "refuse", "overwrite" it, or "append" to it.
        record_infos: Whether to record the infos: numbers, strings, arrays, and dicts of them.
        keep_unfinished: Whether to record an episode that `reset` or `close` interrupts; its last step is marked as
            truncated.
        about: More entries of the data set's `metadata.json`, such as "author" and "description".

    Raises:
        TypeError: If the format has no place for values of a space; at `reset` or `step`, for options or infos.
        ValueError: If the id or another argument is none, or an existing data set has other spaces.
        FileExistsError: If there is a data set of this id, and `if_exists` is "refuse", or if another recorder
            writes it.
        OSError: If the data set cannot be written; at `reset`, `step` or `close`, if an episode cannot be written. The
            environment has moved then, all earlier episodes are on disk, and the next one is recorded.
        gymnasium.error.DependencyNotInstalled: If h5py is missing, which "append" needs.
    """

    def __init__(
        self,
        env: Env[ObsType, ActType],
        dataset_id: str,
        folder: str | os.PathLike[str] | None = None,
        if_exists: IfExists = "refuse",
        record_infos: bool = False,
        keep_unfinished: bool = False,
        about: Mapping[str, object] | None = None,
    ) -> None:
        RecordConstructorArgs.__init__(
            self,
            dataset_id=dataset_id,
            folder=None if folder is None else os.fspath(folder),
            if_exists=if_exists,
            record_infos=record_infos,
            keep_unfinished=keep_unfinished,
            about=about,
        )
        Wrapper.__init__(self, env)
        spaces = env.observation_space, env.action_space
        block_of(*spaces, 1)  # refuses before there is a file
        self.keep_unfinished = keep_unfinished
        self._record_infos = record_infos
        self._data_set = DataSet(dataset_id, folder, if_exists, *spaces, env.spec, about)
        self._recorder = Recorder(self._data_set, *spaces, None, record_infos)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset; this begins an episode."""
        stored = checked_options(options)
        observation, info = self.env.reset(seed=seed, options=options)
        try:
            self._interrupt([0])
        finally:
            self._recorder.begin(_ROW, observation, [info], [seed], stored)
        return observation, info

    def step(self, action: ActType) -> StepResult[ObsType]:
        """Step, and record the result."""
        result = self.env.step(action)
        if self._recorder.under_way[0]:
            observation, reward, terminated, truncated, info = result
            results = np.array([reward], np.float64), np.array([terminated]), np.array([truncated])
            self._recorder.step(_ROW, action, observation, results, infos=[info])
            if terminated or truncated:
                self._recorder.end([0])
        return result

    def close(self) -> None:
        """Close the environment and the data set."""
        try:
            self.env.close()
        finally:
            self._close_data_set()
