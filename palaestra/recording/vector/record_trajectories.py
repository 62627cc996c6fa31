"""Data sets of the episodes of a batch of environments."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from gymnasium.core import ActType, ObsType
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.vector.vector_env import ArrayType, AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.wrappers.vector._episodes import Episodes
from palaestra.recording._data_sets import HasDataSet
from palaestra.recording.data_sets.columns import Rows
from palaestra.recording.data_sets.data_set import DataSet, IfExists
from palaestra.recording.data_sets.infos import row_of
from palaestra.recording.data_sets.recorder import Recorder, block_of, checked_options

__all__ = ["RecordTrajectories"]

_FINAL = ("final_obs", "final_info", "_final_obs", "_final_info")


class RecordTrajectories(HasDataSet, VectorWrapper[ObsType, ActType, ArrayType], RecordConstructorArgs):
    """Records the episodes of all environments into a data set that Minari loads: `minari.load_dataset(dataset_id)`.

    When `step` returns the end of an episode, the episode is on disk: it stays there if the process is killed. Memory
    does not grow with the length of episodes. Episodes have the order in which they end. One that a `reset`, `close` or
    `palaestra.restore` interrupts is not recorded, unless `keep_unfinished` is set.

    Args:
        env: The vector environment, in any autoreset mode. The spaces of its environments are made of Box, Discrete,
            MultiBinary, MultiDiscrete, Text, Dict and Tuple.
        dataset_id: The id of the data set, `(namespace/)(env/)name(-vN)`.
        folder: The folder of all data sets; None for the environment variable `MINARI_DATASETS_PATH`, or
            `~/.minari/datasets`.
        if_exists: The way to treat a data set of this id: "refuse", "overwrite" it, or "append" to it.
        record_infos: Whether to record the infos: numbers, strings, arrays, and dicts of them.
        keep_unfinished: Whether to record episodes that `reset` or `close` interrupts; their last steps are marked as
            truncated.
        about: More entries of the data set's `metadata.json`, such as "author" and "description".

    Raises:
        TypeError: If the format has no place for values of a space; at `reset` or `step`, for options or infos.
        ValueError: If the id or another argument is none, or an existing data set has other spaces.
        FileExistsError: If there is a data set of this id, and `if_exists` is "refuse", or if another recorder
            writes it.
        OSError: If the data set cannot be written; at `reset`, `step` or `close`, if an episode cannot be written. The
            environments have moved then, all earlier episodes are on disk, and the next ones are recorded.
        gymnasium.error.DependencyNotInstalled: If h5py is missing, which "append" needs.
    """

    def __init__(
        self,
        env: VectorEnv,
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
        VectorWrapper.__init__(self, env)
        spaces = env.single_observation_space, env.single_action_space
        block_of(*spaces, env.num_envs)  # refuses before there is a file
        self.keep_unfinished = keep_unfinished
        self._record_infos = record_infos
        self._episodes = Episodes(env)
        self._all: Rows = np.arange(env.num_envs)
        self._data_set = DataSet(dataset_id, folder, if_exists, *spaces, env.spec, about)
        self._recorder = Recorder(self._data_set, *spaces, env.num_envs, record_infos)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset; this begins episodes."""
        stored = checked_options({name: value for name, value in (options or {}).items() if name != "reset_mask"})
        observations, infos = self.env.reset(seed=seed, options=options)
        rows = self._episodes.reset(options).nonzero()[0]
        try:
            self._interrupt(rows.tolist())
        finally:
            self._recorder.begin(rows, observations, self._infos(infos, rows), self._seeds(seed), stored)
        return observations, infos

    def step(self, actions: ActType) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step, and record the result."""
        result = self.env.step(actions)
        observations, rewards, terminations, truncations, infos = result
        mask, ended, begun = self._episodes.step(terminations, truncations)
        rows, under_way = self._all, self._recorder.under_way
        if not under_way.all():
            rows = under_way.nonzero()[0]
            mask = mask & under_way
            ended = mask.nonzero()[0]
        finals: dict[int, Any] = {}
        if self._episodes.mode is AutoresetMode.SAME_STEP and len(ended):
            finals = {row: infos["final_obs"][row] for row in ended.tolist()}
        try:
            reported = self._infos(infos, rows, mask if finals else None)
            self._recorder.step(rows, actions, observations, (rewards, terminations, truncations), finals, reported)
            if len(ended):
                self._recorder.end(ended.tolist())
        finally:
            if len(begun) and self._episodes.mode is not AutoresetMode.DISABLED:
                self._recorder.begin(begun, observations, self._infos(infos, begun))
        return result

    def close(self, **kwargs: Any) -> None:
        """Close the environments and the data set."""
        try:
            self.env.close(**kwargs)
        finally:
            self._close_data_set()

    def _seeds(self, seed: Any) -> list[int | None]:
        n = len(self._all)
        if seed is None:
            return [None] * n
        return [seed + i for i in range(n)] if isinstance(seed, int | np.integer) else list(seed)

    def _infos(self, infos: Mapping[str, Any], rows: Rows, ended: Any = None) -> list[dict[str, Any]]:
        """Returns the infos of some environments; of those that ended, in the mode SAME_STEP, their last."""
        if not self._record_infos:
            return []
        found = []
        for row in rows.tolist():
            if ended is not None and ended[row]:
                found.append(row_of(infos.get("final_info", {}), row))
            else:
                found.append(row_of({key: value for key, value in infos.items() if key not in _FINAL}, row))
        return found
