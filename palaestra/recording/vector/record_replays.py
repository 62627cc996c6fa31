"""Replays of the episodes of a batch of environments."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from gymnasium.core import ActType, ObsType
from gymnasium.spaces import Space
from gymnasium.spaces.batching import iterate
from gymnasium.states.layers import walk
from gymnasium.states.log import noted
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.vector.vector_env import ArrayType, AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.wrappers.vector._episodes import Episodes
from palaestra.recording._replays import KeepsReplays
from palaestra.recording.replays.beginnings import RowBeginnings
from palaestra.recording.replays.recorder import Episode, Folder, Source

__all__ = ["RecordReplays"]

# Wrappers that change no action, observation or reward.
_PASSIVE = (
    "Curriculum",
    "RandomizeParams",
    "RecordEpisodeStatistics",
    "RecordTrajectories",
    "RecordVideo",
    "HumanRendering",
)


class RecordReplays(KeepsReplays, VectorWrapper[ObsType, ActType, ArrayType], RecordConstructorArgs):
    """Writes each episode of each environment into a small file: `palaestra.Replay.load(path)`.

    Each replay runs again as a single environment. When `step` returns the end of an episode, its file is complete. An
    episode that a `reset`, `close` or `palaestra.restore` interrupts is not written, unless `keep_unfinished` is set.

    Args:
        env: The vector environment, made by `gymnasium.make_vec`, in any autoreset mode. Wrappers that change values
            belong around the recorder, or around each environment: `make_vec(..., wrappers=[...])`.
        folder: The folder of the files; it is made if there is none.
        name_prefix: The files are `<name_prefix>_0.replay` and so on, in the order in which the episodes end. Numbers
            go on from those in the folder.
        episode_trigger: A function of an episode's number that returns whether to record it; None for all. The numbers
            count the beginnings of episodes in all environments.
        keep_unfinished: Whether to write episodes that `reset` or `close` interrupts.

    Raises:
        ValueError: If the environments cannot be made again from their specs, or a wrapper inside changes values.
        TypeError: At `reset` or `step`, if options or actions are no plain data.
        OSError: If the folder cannot be written to; at `step`, `reset` or `close`, if a file cannot be written. The
            environments have moved then, and the next episodes are recorded.
        palaestra.error.CannotSnapshot: When an episode begins without a seed, if the class of a layer of an environment
            has no `get_state`; put the recorder of single environments around each then.
    """

    def __init__(
        self,
        env: VectorEnv,
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
        VectorWrapper.__init__(self, env)
        self.keep_unfinished = keep_unfinished
        specs = _specs(env)
        batch = env.unwrapped
        self._sources = _sources(specs, env.single_observation_space, batch)
        self._beginnings = RowBeginnings(batch, specs)
        self._episodes = Episodes(env)
        self._folder = Folder(folder, name_prefix, episode_trigger)
        self._under_way = {}

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset; this begins episodes."""
        mask = (options or {}).get("reset_mask")
        others = {name: value for name, value in (options or {}).items() if name != "reset_mask"}
        stored = noted(others or None, "the options")
        seeds = self._seeds(seed)
        self._beginnings.prepare([row for row, own in enumerate(seeds) if own is None and (mask is None or mask[row])])
        observations, infos = self.env.reset(seed=seed, options=options)
        rows = self._episodes.reset(options).nonzero()[0].tolist()
        try:
            self._interrupt(rows)
        finally:
            self._begin(rows, observations, infos, seeds, stored)
        return observations, infos

    def step(self, actions: ActType) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step, and record the result."""
        under_way = self._under_way
        kept = list(iterate(self.env.action_space, noted(actions, "the actions"))) if under_way else []
        result = self.env.step(actions)
        observations, rewards, terminations, truncations, infos = result
        _, ended, begun = self._episodes.step(terminations, truncations)
        ends = ended.tolist()
        if under_way:
            rows = list(under_way)
            digests = self._digests(rows, observations)
            if self._episodes.mode is AutoresetMode.SAME_STEP:
                digests.update((row, self._final(row, infos)) for row in ends if row in under_way)
            each = [np.asarray(part).tolist() for part in (rewards, terminations, truncations)]
            for row in rows:
                under_way[row].step(kept[row], digests[row], each[0][row], each[1][row], each[2][row])
        try:
            self._write(ends)
        finally:
            if len(begun) and self._episodes.mode is not AutoresetMode.DISABLED:
                self._begin(begun.tolist(), observations, result[4], [None] * self.num_envs, None)
        return result

    def close(self, **kwargs: Any) -> None:
        """Close the environments; unfinished episodes are written if they are to be kept."""
        try:
            self.env.close(**kwargs)
        finally:
            self._interrupt(list(self._under_way))

    def _begin(
        self, rows: list[int], observations: object, infos: dict[str, Any], seeds: list[int | None], options: object
    ) -> None:
        taken = [row for row in rows if self._folder.takes_next()]
        if not taken:
            return
        firsts = dict(enumerate(iterate(self.env.observation_space, observations)))
        seeded = {row for row in taken if seeds[row] is not None}
        beginnings = self._beginnings.of(taken, firsts, seeded)
        for row, digests in self._digests(taken, observations).items():
            params = _params_of(infos, row)
            self._under_way[row] = Episode(seeds[row], options, beginnings[row], digests, params)

    def _digests(self, rows: list[int], observations: object) -> dict[int, bytes]:
        digester = self._sources[0].digester
        return dict(zip(rows, digester.of_rows(self.env.observation_space, observations, rows), strict=True))

    def _final(self, row: int, infos: dict[str, Any]) -> bytes:
        return self._sources[row].digester.of(infos["final_obs"][row])

    def _seeds(self, seed: Any) -> list[int | None]:
        n = self.num_envs
        if seed is None:
            return [None] * n
        if isinstance(seed, int | np.integer):
            return [int(seed) + i for i in range(n)]
        return [None if own is None else int(own) for own in seed]


def _params_of(infos: dict[str, Any], row: int) -> dict[str, Any]:
    """Returns the params that were set for the episode of one environment."""
    params = infos.get("params", {})
    own = {name: params[name][row] for name in params if f"_{name}" in params and params[f"_{name}"][row]}
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in own.items()}


def _sources(specs: list[Any], space: Space, batch: object) -> list[Source]:
    """Returns the source of each environment; those that share a spec share it."""
    known: list[tuple[Any, Source]] = []
    found = []
    for spec in specs:
        source = next((source for other, source in known if other == spec), None)
        if source is None:
            source = Source(spec, space, batch)
            known.append((spec, source))
        found.append(source)
    return found


def _specs(envs: VectorEnv) -> list[Any]:
    """Returns the specs of the environments of a batch.

    Raises:
        ValueError: If a wrapper around the batch changes values, or the batch does not tell the specs.
    """
    *wrappers, batch = walk(envs)
    for wrapper in wrappers:
        if type(wrapper).__name__ not in _PASSIVE:
            raise ValueError(
                f"A replay runs as a single environment, without {type(wrapper).__name__} around the batch: put "
                "RecordReplays inside of it"
            )
    if not hasattr(batch, "get_attr"):
        raise ValueError(
            f"The environments of a {type(batch).__name__} have one source of random numbers, so none of them can be "
            'replayed alone: make the batch with vectorization_mode="sync" or "async"'
        )
    return list(batch.get_attr("spec"))
