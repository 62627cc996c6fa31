"""Replays of the episodes of one environment."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Generic

from gymnasium.core import ActType, Env, ObsType, Wrapper
from gymnasium.states.log import noted
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers.common import StepResult
from palaestra.recording._replays import KeepsReplays
from palaestra.recording.replays.beginnings import after_reset, before_reset
from palaestra.recording.replays.recorder import Episode, Folder, Source

__all__ = ["RecordReplays"]


class RecordReplays(
    KeepsReplays, Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]
):
    """Writes each episode into a small file from which it runs again: `palaestra.Replay.load(path)`.

    When `step` returns the end of an episode, its file is complete. An episode that a `reset`, `close` or
    `palaestra.restore` interrupts is not written, unless `keep_unfinished` is set. The episodes of a class without
    `get_state` run again from their seeds, or from their `np_random`.

    Args:
        env: The environment, made by `gymnasium.make`. Wrappers around the recorder are no part of the replays.
        folder: The folder of the files; it is made if there is none.
        name_prefix: The files are `<name_prefix>_0.replay` and so on. Numbers go on from those in the folder.
        episode_trigger: A function of an episode's number that returns whether to record it; None for all.
        keep_unfinished: Whether to write an episode that `reset` or `close` interrupts.

    Raises:
        ValueError: If the environment cannot be made again from its spec.
        TypeError: At `reset` or `step`, if options or actions are no plain data.
        OSError: If the folder cannot be written to; at `step`, `reset` or `close`, if a file cannot be written. The
            environment has moved then, and the next episode is recorded.
    """

    def __init__(
        self,
        env: Env[ObsType, ActType],
        folder: str | os.PathLike[str],
        name_prefix: str = "episode",
        episode_trigger: Callable[[int], bool] | None = None,
        keep_unfinished: bool = False,
    ) -> None:
        RecordConstructorArgs.__init__(
            self,
            folder=os.fspath(folder),
            name_prefix=name_prefix,
            episode_trigger=episode_trigger,
            keep_unfinished=keep_unfinished,
        )
        Wrapper.__init__(self, env)
        self.keep_unfinished = keep_unfinished
        self._sources = [Source(env.spec, env.observation_space, env)]
        self._folder = Folder(folder, name_prefix, episode_trigger)
        self._under_way = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset; this begins an episode."""
        stored = noted(options, "the options")
        beginning = before_reset(self.env, seed)
        observation, info = self.env.reset(seed=seed, options=options)
        try:
            self._interrupt([0])
        finally:
            if self._folder.takes_next():
                if beginning is None:
                    beginning = after_reset(self.env, observation)
                number = None if seed is None else int(seed)
                digests = self._sources[0].digester.of(observation)
                self._under_way[0] = Episode(number, stored, beginning, digests, info.get("params", {}))
        return observation, info

    def step(self, action: ActType) -> StepResult[ObsType]:
        """Step, and record the result."""
        episode = self._under_way.get(0)
        if episode is None:
            return self.env.step(action)
        kept = noted(action, "the action")
        observation, reward, terminated, truncated, info = self.env.step(action)
        digests = self._sources[0].digester.of(observation)
        episode.step(kept, digests, float(reward), bool(terminated), bool(truncated))
        if terminated or truncated:
            self._write([0])
        return observation, reward, terminated, truncated, info

    def close(self) -> None:
        """Close the environment; an unfinished episode is written if it is to be kept."""
        try:
            self.env.close()
        finally:
            self._interrupt([0])
