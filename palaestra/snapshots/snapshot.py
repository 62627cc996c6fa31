"""Snapshots of environments and batches, with all their wrappers: `snapshot` takes one, `restore` returns to it."""

from __future__ import annotations

import os
import warnings
from copy import deepcopy
from pathlib import Path
from typing import Any, Literal

from gymnasium.core import Env
from gymnasium.error import ResetNeeded
from gymnasium.states import files
from gymnasium.states.checks import check_generators, check_kinds, refusing
from gymnasium.states.layers import (
    generators_in,
    generators_of,
    layers_of,
    put_generators,
    put_states,
    states_of,
    walk,
)
from gymnasium.states.log import played_state, put_played
from gymnasium.states.plain import Record, equal, rebuilt, size_of
from palaestra.error import CannotSnapshot

_KIND = "snapshot"  # of files
_MEMBERS, _COMPILED = "MembersState", "CompiledState"
"""The states of batches that can be taken apart."""


class Snapshot:
    """A snapshot of an environment or of a batch, as plain data.

    Two are equal if all their data are equal, to the bit. `snapshot[i]` is the snapshot of environment `i` of a batch,
    which a single environment accepts too.

    Attributes:
        num_envs: The number of environments of a batch; None for a single environment.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data

    @property
    def num_envs(self) -> int | None:
        """The number of environments of a batch; None for a single environment."""
        number: int | None = self._data["num_envs"]
        return number

    @property
    def nbytes(self) -> int:
        """The size of the data in memory, in bytes."""
        return size_of(self._data)

    @property
    def _inside(self) -> str | None:
        """The environment in a snapshot by seed and actions; None for one of states."""
        inside: str | None = self._data.get("played", {}).get("inside")
        return inside

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and equal(self._data, other._data)

    __hash__ = None  # type: ignore[assignment]  # it is compared by contents

    def __repr__(self) -> str:
        layers = " around ".join(name for name, _ in self._data["layers"]) or f"actions in {self._inside}"
        number = "" if self.num_envs is None else f"{self.num_envs} environments, "
        return f"<Snapshot of {layers}: {number}{self.nbytes} bytes>"

    def __getitem__(self, i: int) -> Snapshot:
        """Returns the snapshot of environment `i` of a batch.

        Raises:
            TypeError: If this is no batch's, or one of a batch that cannot be taken apart.
            ValueError: If it is a compiled batch's, and options wait for the environment's next reset.
            IndexError: If there is no such environment.
        """
        if self.num_envs is None:
            raise TypeError("A snapshot of one environment has no others in it: take it as it is")
        if self._inside is not None:
            raise TypeError(f"A snapshot of the actions in {self._inside} cannot be taken apart")
        if not -self.num_envs <= i < self.num_envs:
            raise IndexError(f"Environment {i} does not exist, there are {self.num_envs}")
        layers = self._data["layers"]
        _, state = layers[-1]
        if len(layers) > 1:
            raise TypeError(
                f"The wrapper {layers[0][0]} keeps one memory for all environments, so the moment of one cannot be "
                "taken out: take the snapshot of the batch inside, `envs.env`"
            )
        member = _member(state, range(self.num_envs)[i])
        if member is None:
            raise TypeError(f"The state of {layers[-1][0]} cannot be taken apart: use envs.get_state({i})")
        return Snapshot({"num_envs": None, "spaces": None, **member})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the snapshot to a file, completely or not at all. The usual ending is `.npz`.

        Raises:
            OSError: If it cannot be written; an earlier file then stays unchanged.
        """
        files.write(Path(path), _KIND, self._data)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Snapshot:
        """Returns the snapshot in a file. Reading executes nothing from it.

        Raises:
            OSError: If it cannot be read.
            ValueError: If it is not a snapshot, or a truncated one.
        """
        data = files.read(Path(path), _KIND)
        if not _is_whole(data):
            raise ValueError(f"{path} is no snapshot, or not a whole one")
        return cls(data)


def snapshot(env: Any, *, fallback: Literal["replay", "deepcopy"] | None = None) -> Snapshot:
    """Returns a snapshot of an environment or a batch with all its wrappers.

    It holds state, random generators, elapsed steps, statistics, stacked frames, autoreset flags and the generators of
    the spaces. After `restore` the same actions give the same bits, later resets included: in the same object, in
    another one made from the same spec, in another process, and on another runner of the same dynamics. Params such as
    gravity are not part of it.

    Args:
        env: An `Env` or a `VectorEnv`.
        fallback: The substitute for a layer's unknown state; None to refuse. `"replay"`: the seed and the actions
            that `palaestra.recording.RecordActions` around that layer has recorded, which `restore` does again.
            `"deepcopy"`: a deep copy of the whole object; such a snapshot lives in this process, and cannot be saved.

    Raises:
        palaestra.error.CannotSnapshot: If the state of a layer is unknown, which the error names; for `"replay"`, if
            nobody has recorded the actions since a seeded reset.
        gymnasium.error.ResetNeeded: If no episode has begun.
        TypeError: If `env` is neither an `Env` nor a `VectorEnv`.
        ValueError: For another `fallback`.
    """
    if fallback not in (None, "replay", "deepcopy"):
        raise ValueError(f"fallback is None, 'replay' or 'deepcopy', but {fallback!r} came")
    number = number_of(env)
    spaces = generators_of(*_spaces(env))
    try:
        with warnings.catch_warnings():
            if fallback is not None:  # a batch of processes logs the errors, too
                warnings.simplefilter("ignore", UserWarning)
            return Snapshot({"num_envs": number, "layers": states_of(env), "spaces": spaces})
    except CannotSnapshot:
        if fallback is None:
            raise
    if fallback == "replay":
        return Snapshot({"num_envs": number, "layers": [], "spaces": spaces, "played": played_state(env)})
    return _Copy({"num_envs": number, "layers": [(type(env).__name__, None)], "spaces": None}, deepcopy(env))


def _is_whole(data: Any) -> bool:
    """Whether the data of a file have the parts of a snapshot; their contents are checked where they are restored."""
    if not isinstance(data, dict) or not {"num_envs", "layers", "spaces"} <= data.keys():
        return False
    number, played = data["num_envs"], data.get("played", {"layers": [], "inside": "", "log": []})
    return (
        (number is None or (type(number) is int and number > 0))
        and _are_layers(data["layers"])
        and isinstance(data["spaces"], (list, type(None)))
        and isinstance(played, dict)
        and played.keys() == {"layers", "inside", "log"}
        and _are_layers(played["layers"])
        and isinstance(played["inside"], str)
    )


def _are_layers(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(layer, tuple) and len(layer) == 2 and isinstance(layer[0], str) for layer in value
    )


class _Copy(Snapshot):
    """A snapshot as a deep copy of the whole object."""

    def __init__(self, data: dict[str, Any], copy: object) -> None:
        super().__init__(data)
        self.copy = copy

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = None

    def __getitem__(self, i: int) -> Snapshot:
        raise TypeError("A snapshot by deepcopy cannot be taken apart")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Raise, because a file holds plain data only."""
        raise CannotSnapshot(f"A snapshot by deepcopy cannot be saved, and {path} was not written: it is no plain data")

    def put_into(self, env: object) -> None:
        """Restore an object from the copy."""
        if list(map(type, walk(env))) != list(map(type, walk(self.copy))):
            raise ValueError(f"The snapshot is a copy of {self.copy}, but {env} came")
        env.__dict__.clear()
        env.__dict__.update(deepcopy(self.copy).__dict__)


def restore(env: Any, snapshot: Snapshot, *, at: int | None = None) -> None:
    """Restore a snapshot in an environment or a batch.

    One that has not begun an episode is reset first.

    Args:
        env: An `Env` or a `VectorEnv` with the same layers as the one in the snapshot. A batch of one runner takes
            the snapshot of another if the dynamics are the same.
        snapshot: The snapshot.
        at: For the snapshot of a single environment: the one of the batch `env` that takes it.

    Raises:
        TypeError: If `snapshot` is not a `Snapshot`, or `env` neither an `Env` nor a `VectorEnv`.
        ValueError: If it has other layers, dynamics, spaces or sizes. Nothing has changed then.
        IndexError: If there is no environment `at`.
    """
    if not isinstance(snapshot, Snapshot):
        raise TypeError(f"restore expects a Snapshot, but a {type(snapshot)} came")
    number = number_of(env)
    if isinstance(snapshot, _Copy):
        snapshot.put_into(env)
        return
    if at is not None and number is not None and not 0 <= at < number:
        raise IndexError(f"Environment {at} does not exist, there are {number}")
    with refusing("the snapshot"):
        _restore_plain(env, number, snapshot, at)


def _restore_plain(env: Any, number: int | None, snapshot: Snapshot, at: int | None) -> None:
    if at is not None:
        _restore_member(env, snapshot, at)
        return
    if snapshot.num_envs != number:
        raise ValueError(f"The snapshot is one of {_number(snapshot.num_envs)}, but {_number(number)} came")
    layers, spaces = snapshot._data["layers"], snapshot._data["spaces"]
    generators = None if spaces is None else generators_in(spaces, *_spaces(env))
    if "played" in snapshot._data:
        put_played(env, snapshot._data["played"])
        if generators is not None:
            put_generators(generators, *_spaces(env))
        return
    names, others = [name for name, _ in layers_of(env)], [name for name, _ in layers]
    if number is not None and names != others and names[:-1] == others[:-1]:
        _restore_from_another_runner(env, layers)
    else:
        put_states(env, layers)
    if generators is not None:
        put_generators(generators, *_spaces(env))


def number_of(env: Any) -> int | None:
    """Returns the number of environments of a batch, None for a single environment.

    Raises:
        TypeError: If it is neither.
    """
    number: int | None = None if isinstance(env, Env) else getattr(env, "num_envs", None)
    if number is None and not isinstance(env, Env):
        raise TypeError(f"An Env or a VectorEnv has moments, but a {type(env)} came")
    return number


def _restore_from_another_runner(envs: Any, layers: list[tuple[str, Any]]) -> None:
    _, batch = layers_of(envs)[-1]
    moment = Snapshot({"num_envs": batch.num_envs, "layers": layers[-1:], "spaces": None})
    try:
        before = batch.get_state()
    except ResetNeeded:
        envs.reset()
        before = batch.get_state()
    try:
        for i in range(batch.num_envs):
            _restore_member(batch, moment[i], i)
        put_states(envs, layers[:-1], batch)
    except BaseException:
        batch.set_state(None, before)
        raise


def _restore_member(envs: Any, snapshot: Snapshot, i: int) -> None:
    layers = layers_of(envs)
    if snapshot.num_envs is not None or isinstance(envs, Env):
        raise ValueError("`at` is for the snapshot of one environment and a batch that takes it")
    if len(layers) > 1:
        raise ValueError(f"The wrapper {layers[0][0]} keeps one memory for all environments: restore the batch inside")
    data = snapshot._data
    _, batch = layers[-1]
    try:
        like = batch.get_state(i)
    except ResetNeeded:
        envs.reset()
        like = batch.get_state(i)
    try:
        _put_member(batch, i, data, like)
    except BaseException:
        batch.set_state(i, like)
        raise


def _put_member(batch: Any, i: int, data: dict[str, Any], like: Any) -> None:
    """Restore environment i of a batch from the data of a snapshot; `like` is its present state."""
    from gymnasium.params.randomization import PARAMS
    from palaestra.runner.kernels.packing import joined_parts, parts_of

    space, observation, parts = batch.single_observation_space, data.get("observation"), data.get("observed", ())
    if type(like).__name__ == "MemberState":
        observation = joined_parts(space, parts) if parts else observation
        member = type(like)(data["layers"], bool(data.get("finished", False)), observation)
        batch.set_state(i, member._replace(options=data.get("options")))
        return
    states = dict(data["layers"])
    names = list(states)
    if hasattr(like, "params"):
        names = [name for name in names if name != PARAMS]
        like = like._replace(params=rebuilt(states.get(PARAMS), None))
    if not hasattr(like, "environment") or names not in (["TimeLimit", names[-1]], [names[-1]]):
        raise ValueError(f"A {type(batch).__name__} does not take the snapshot of {' around '.join(names)}")
    elapsed = int(states["TimeLimit"]["elapsed_steps"]) if len(names) > 1 else 0
    check_generators(states[names[-1]])
    check_kinds(states[names[-1]], like.environment, names[-1])
    environment = rebuilt(states[names[-1]], like.environment)
    parts = parts if observation is None else tuple(parts_of(space, observation))
    finished = bool(data.get("finished", False))
    batch.set_state(i, like._replace(environment=environment, elapsed=elapsed, finished=finished, observation=parts))
    if type(like).__name__ == "BatchedState":
        batch.set_reset_options([i], rebuilt(data.get("options"), None))


def _member(state: object, i: int) -> dict[str, Any] | None:
    """Returns layers, flag and observation of environment i of a batch's state, with None for missing ones."""
    if not isinstance(state, Record):
        return None
    if state.name == _MEMBERS:
        fields: dict[str, Any] = state.fields["members"][i].fields
        return fields
    if state.name == _COMPILED:
        from palaestra.runner.batch.snapshots import member_of

        return member_of(state.fields, i)
    return None


def _spaces(env: object) -> list[Any]:
    names = ["action_space", "observation_space"]
    if not isinstance(env, Env):
        names += ["single_action_space", "single_observation_space"]
    return [getattr(env, name) for name in names]


def _number(number: int | None) -> str:
    return "a single environment" if number is None else f"a batch of {number}"
