"""Reading data sets in Minari's format: the facts about each episode, and its values."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.error import Error
from gymnasium.spaces import Dict, Discrete, Space, Text, Tuple
from gymnasium.specs import EnvSpec
from palaestra.recording.data_sets.encoding import TEXT
from palaestra.recording.data_sets.hdf5 import opened, part, reading

_OF_BATCHES = ("vectorization_mode", "num_envs")  # arguments in the spec of a batch


class EpisodeFacts(NamedTuple):
    """A row of the list of a data set: one episode."""

    total: float
    """The return."""
    length: int
    """The number of steps."""
    seed: int | None
    """The seed of its reset."""
    terminated: bool
    truncated: bool


class EpisodeValues(NamedTuple):
    """The values of an episode of T steps.

    Attributes:
        observations: T + 1 observations.
        actions: T actions.
        rewards: float64, shape (T,).
        options: The options of its reset, or None.
    """

    observations: list[Any]
    actions: list[Any]
    rewards: NDArray[np.float64]
    options: dict[str, Any] | None


class RecordedSet:
    """A data set on the disk.

    Args:
        path: Its folder, or its HDF5 file.
        trusted: Whether it comes from a trusted source: see `EnvSpec.from_json`.

    Attributes:
        name: Its id, or the name of its folder.
        spec: The spec of its environment, without code of its own; None if it has none.

    Raises:
        OSError: If it cannot be read.
        ValueError: If it is no data set in this format.
        gymnasium.error.Error: If its environment is not one that is registered.
        gymnasium.error.DependencyNotInstalled: If h5py is missing.
    """

    def __init__(self, path: str | os.PathLike[str], trusted: bool = False) -> None:
        found = file_of(Path(path))
        if found is None:
            raise ValueError(f"{path} is no data set: there is no data/main_data.hdf5 in it")
        self._file = found
        try:
            about = json.loads((self._file.parent / "metadata.json").read_text(encoding="utf-8"))
            self.name = str(about.get("dataset_id", self._file.parent.parent.name))
            text = about.get("env_spec")
        except (ValueError, AttributeError, RecursionError) as error:
            raise ValueError(f"{self._file.parent / 'metadata.json'} describes no data set: {error}") from error
        self.spec = None if text is None else _single(EnvSpec.from_json(text, trusted))
        with reading(str(self._file)), self._opened() as file:
            self._count: int = sum(name.startswith("episode_") for name in file)

    def __len__(self) -> int:
        """Returns the number of episodes."""
        return self._count

    def facts(self, most: int) -> list[EpisodeFacts]:
        """Returns the facts about the first episodes, at most so many.

        Raises:
            OSError, ValueError: If the file is torn.
        """
        with reading(str(self._file)), self._opened() as file:
            return [self._facts(file, k) for k in range(min(most, self._count))]

    def values(self, k: int, observation_space: Space, action_space: Space) -> EpisodeValues:
        """Returns the values of an episode.

        Raises:
            OSError, ValueError: If the file is torn, or holds values of other spaces.
        """
        with reading(f"episode {k} of {self._file}"), self._opened() as file:
            group = part(file, f"episode_{k}")
            rewards = np.asarray(part(group, "rewards"), np.float64)
            options = {
                name.removeprefix("options/"): value
                for name, value in group.attrs.items()
                if name.startswith("options/")
            }
            return EpisodeValues(
                _values(part(group, "observations"), observation_space, len(rewards) + 1),
                _values(part(group, "actions"), action_space, len(rewards)),
                rewards,
                options or None,
            )

    def _facts(self, file: Any, k: int) -> EpisodeFacts:
        with reading(f"episode {k} of {self._file}"):
            group = part(file, f"episode_{k}")
            attributes, rewards = group.attrs, part(group, "rewards")
            seed = attributes.get("seed")
            whole = isinstance(seed, (int, np.integer)) or (isinstance(seed, str) and seed.isdigit())
            total = attributes["rewards_sum"] if "rewards_sum" in attributes else np.sum(rewards)
            length = len(rewards)
            ends = [bool(length and part(group, name)[-1]) for name in ("terminations", "truncations")]
            return EpisodeFacts(float(total), length, _seed(int(seed)) if whole else None, *ends)

    def _opened(self) -> Any:
        return opened(self._file, "reading a data set", locking=False)  # it may be growing, and is always complete


def file_of(path: Path) -> Path | None:
    """Returns the HDF5 file of a data set's folder, or `path` if it is one; None if there is none."""
    if path.suffix in (".hdf5", ".h5") and path.is_file():
        return path
    found = (path / inner / "main_data.hdf5" for inner in ("data", "."))
    return next((file for file in found if file.is_file()), None)


def _single(spec: EnvSpec) -> EnvSpec:
    """Returns the spec of one of a batch's environments."""
    if spec.entry_point is None:
        raise Error(f"{spec.id!r} is made by code that is not registered here")
    for name in _OF_BATCHES:
        spec.kwargs.pop(name, None)
    return spec


def _seed(seed: int) -> int:
    if seed < 0:
        raise ValueError(f"its seed is {seed}")
    return seed


def _values(stored: Any, space: Space, count: int) -> list[Any]:
    """Returns values of a space, one for each step."""
    if isinstance(space, Dict):
        parts = {name: _values(part(stored, name), inner, count) for name, inner in space.spaces.items()}
        return [{name: values[t] for name, values in parts.items()} for t in range(count)]
    if isinstance(space, Tuple):
        columns = [_values(part(stored, f"_index_{i}"), inner, count) for i, inner in enumerate(space.spaces)]
        return [tuple(column[t] for column in columns) for t in range(count)]
    array = stored[:] if not isinstance(space, Text) and stored.dtype != TEXT else stored.asstr()[:]
    if len(array) != count or (space.shape is not None and array.shape[1:] != space.shape):
        raise ValueError(f"{count} values of {space} are expected, but an array of the shape {array.shape} came")
    if isinstance(space, Discrete):
        return [space.dtype.type(value) for value in array]
    return list(array.astype(space.dtype)) if space.dtype is not None and array.dtype.kind in "biuf" else list(array)
