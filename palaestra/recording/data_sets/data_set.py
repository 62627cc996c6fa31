"""A data set in Minari's format: its folder, its id, the file of its episodes, and `metadata.json`."""

from __future__ import annotations

import json
import os
import re
import struct
import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from gymnasium.spaces import Space
from gymnasium.specs import EnvSpec
from palaestra.recording.data_sets.file import TrajectoryFile
from palaestra.recording.data_sets.hdf5 import address_of, opened, part, reading
from palaestra.recording.data_sets.index import SUPERBLOCK_SIZE, superblock
from palaestra.recording.data_sets.space_json import space_json

IfExists = Literal["refuse", "overwrite", "append"]

_VERSION = "0.5.4"  # of the format
_ID = re.compile(r"(?:[\w.-]+/){0,2}[\w.-]+", re.ASCII)
_DIGITS = 20  # of a count, which is overwritten in place
_OURS = ("total_episodes", "total_steps", "dataset_size")


class DataSet:
    """A data set that is being written.

    Args:
        dataset_id: Its id, `(namespace/)(env/)name(-vN)`.
        folder: The folder of all data sets; None for `MINARI_DATASETS_PATH`, or `~/.minari/datasets`.
        if_exists: The way to treat a data set of this id.
        observation_space: The space of an observation.
        action_space: The space of an action.
        env_spec: The spec of the environment, if it has one.
        about: More entries of `metadata.json`.

    Raises:
        ValueError: If the id or another argument is none, or an existing data set has other spaces.
        FileExistsError: If the data set exists, or another recorder writes it.
        OSError: If the files cannot be written.
        gymnasium.error.DependencyNotInstalled: If h5py is missing, which appending needs.
    """

    def __init__(
        self,
        dataset_id: str,
        folder: str | os.PathLike[str] | None,
        if_exists: IfExists,
        observation_space: Space,
        action_space: Space,
        env_spec: EnvSpec | None,
        about: Mapping[str, object] | None,
    ) -> None:
        self.path = checked_path(dataset_id, folder)
        data = self.path / "data"
        self._metadata_path = data / "metadata.json"
        trajectories = data / "main_data.hdf5"
        self.episodes = self.steps = 0
        spaces = {"observation_space": space_json(observation_space), "action_space": space_json(action_space)}
        entries = {"data_format": "hdf5", "jpeg_encoding": False, **spaces, **_env_spec(env_spec)}
        entries |= {"dataset_id": dataset_id, "minari_version": _VERSION, **_checked_about(about)}
        exists = trajectories.exists() or self._metadata_path.exists()
        if if_exists not in ("refuse", "overwrite", "append"):
            raise ValueError(f"if_exists is one of 'refuse', 'overwrite' and 'append', but {if_exists!r} came")
        if exists and if_exists == "refuse":
            raise FileExistsError(
                f"The data set {dataset_id!r} exists in {self.path}: choose another id, or pass if_exists='append' or "
                "'overwrite'"
            )
        data.mkdir(parents=True, exist_ok=True)
        self._unlock = _lock(self, data)
        try:
            objects = self._read(trajectories, spaces) if exists and if_exists == "append" else None
            if exists and objects is None:
                trajectories.unlink(missing_ok=True)
                self._metadata_path.unlink(missing_ok=True)
            self.file = TrajectoryFile(trajectories, objects)
            self._write_metadata(entries if objects is None else {**self._entries, **_checked_about(about)})
            self._metadata = open(self._metadata_path, "r+b", buffering=0)  # noqa: SIM115  (see `close`)
        except BaseException:
            self._unlock()
            raise

    def commit(self, addresses: Sequence[int], steps: int) -> None:
        """Add written episodes, of so many steps, to the data set.

        Raises:
            OSError: If this fails; the next call, or `close`, tries again.
        """
        for address in addresses:
            self.file.link(f"episode_{self.episodes}", address)
            self.episodes += 1
        self.steps += steps
        self.file.commit()
        self._metadata.seek(0)
        self._metadata.write(self._counts())  # one write within a page: a killed process does all of it or none

    def close(self) -> None:
        """Finish the files."""
        try:
            if not self._metadata.closed:
                self.commit([], 0)
        finally:
            self._metadata.close()
            self.file.close()
            self._unlock()

    def _counts(self) -> bytes:
        numbers = [str(self.episodes), str(self.steps), f"{self.file.end / 1e6:.1f}"]
        parts = [f'"{name}": {number:>{_DIGITS}}' for name, number in zip(_OURS, numbers, strict=True)]
        return ("{" + ", ".join(parts)).encode()

    def _write_metadata(self, entries: Mapping[str, object]) -> None:
        """Write the file anew, at once."""
        rest = json.dumps({key: value for key, value in entries.items() if key not in _OURS})
        new = self._metadata_path.with_name("metadata.json.new")
        new.write_bytes(self._counts() + b", " + rest[1:].encode())
        os.replace(new, self._metadata_path)

    def _read(self, trajectories: Path, spaces: Mapping[str, str]) -> dict[str, int]:
        """Returns the addresses of the episodes of an existing data set, and keeps its metadata."""
        try:
            self._entries = json.loads(self._metadata_path.read_text(encoding="utf-8"))
            known = {name: json.loads(self._entries[name]) for name in spaces}
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{self._metadata_path} describes no data set: {error!r}") from error
        if self._entries.get("data_format", "hdf5") != "hdf5":
            raise ValueError(f"{self.path} holds {self._entries['data_format']!r}; only 'hdf5' can be appended to")
        for name, expected in spaces.items():
            if known[name] != json.loads(expected):
                raise ValueError(
                    f"The data set in {self.path} has another {name}: {self._entries[name]}, but {expected} came"
                )
        if _layout(trajectories) != superblock(0, 0)[:24]:
            raise ValueError(f"{trajectories} is HDF5 of another layout, which cannot be appended to; use another id")
        try:
            with reading(str(trajectories)), opened(trajectories, "appending to a data set", locking=None) as file:
                found = set(file)
                objects = {name: address_of(part(file, name)) for name in file}
                self.steps = sum(int(file[name].attrs["total_steps"]) for name in file)
        except OSError as error:
            raise ValueError(f"{trajectories} is torn, or holds no episodes: {error}") from error
        if found != {f"episode_{i}" for i in range(len(found))}:
            raise ValueError(f"{trajectories} holds something other than episodes, so it cannot be appended to")
        self.episodes = len(objects)
        return objects


def checked_path(dataset_id: str, folder: str | os.PathLike[str] | None) -> Path:
    """Returns the folder of a data set.

    Raises:
        ValueError: If this is no id.
    """
    parts = dataset_id.split("/") if isinstance(dataset_id, str) else []
    if not _ID.fullmatch(str(dataset_id)) or not parts or any(part.strip(".") == "" for part in parts):
        raise ValueError(
            f"The id of a data set is (namespace/)(env/)name(-vN) of letters, digits, '_', '-' and '.', such as "
            f"'cartpole/random-v0', but {dataset_id!r} came"
        )
    if folder is None:
        folder = os.environ.get("MINARI_DATASETS_PATH") or Path.home() / ".minari" / "datasets"
    return Path(folder).absolute().joinpath(*parts)


def _lock(owner: object, folder: Path) -> Callable[[], Any]:
    """Returns a function that frees a folder again, which nobody else can lock until then, or until the owner is gone.

    Raises:
        FileExistsError: If somebody has locked it.
    """
    if sys.platform == "win32":
        return lambda: None
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise FileExistsError(f"Another recorder writes the data set in {folder.parent}; close it first") from error
    return weakref.finalize(owner, os.close, descriptor)


def _layout(path: Path) -> bytes:
    with open(path, "rb") as file:
        head = file.read(SUPERBLOCK_SIZE)
    return head[:20] + struct.pack("<I", 0)


def _env_spec(spec: EnvSpec | None) -> dict[str, str]:
    """Returns the entry of the spec, if it has a text."""
    if spec is None:
        return {}
    try:
        return {"env_spec": spec.to_json()}
    except ValueError:
        return {}


def _checked_about(about: Mapping[str, object] | None) -> dict[str, Any]:
    entries = dict(about or {})
    reserved = {*_OURS, "data_format", "jpeg_encoding", "observation_space", "action_space", "dataset_id"}
    if taken := reserved & entries.keys():
        raise ValueError(f"about must not contain {', '.join(sorted(taken))}, which the recorder writes itself")
    json.dumps(entries)  # raises a TypeError here rather than later
    for name in ("author", "author_email"):
        if isinstance(entries.get(name), str):
            entries[name] = [entries[name]]
    return entries
