"""Which environment of a batch raised an exception."""

from __future__ import annotations

import re
from typing import Any

from gymnasium.core import Env
from gymnasium.vector._batch.member import Member
from gymnasium.vector.sync_vector_env import SyncVectorEnv
from gymnasium.vector.vector_env import AutoresetMode

_NAMED = re.compile(r"^Environment (\d+)\b")


class _Named(Member):
    """A member whose exceptions tell its place."""

    __slots__ = ("place",)

    def __init__(self, env: Env, mode: AutoresetMode, place: int) -> None:
        super().__init__(env, mode)
        self.place = place

    def reset(self, seed: int | None, options: dict[str, Any] | None) -> tuple[Any, dict[str, Any]]:
        try:
            return super().reset(seed, options)
        except BaseException as error:
            _note_place(error, self.place)
            raise

    def step(self, action: object) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        try:
            return super().step(action)
        except BaseException as error:
            _note_place(error, self.place)
            raise


def _note_place(error: BaseException, place: int) -> None:
    if hasattr(error, "__dict__"):
        error.__dict__["_place"] = place


def named(batch: object) -> Any:
    """Returns a new batch, whose single environments tell their places in exceptions."""
    inside = getattr(batch, "unwrapped", None)
    if type(inside) is SyncVectorEnv:
        inside._members[:] = [_Named(env, inside.autoreset_mode, k) for k, env in enumerate(inside.envs)]
    return batch


def place_of(error: BaseException, first: int) -> int | None:
    """Returns the place in its batch of the environment that raised an exception, or None.

    Notes about environments, with which compiled batches name them, get the numbers that they have in the whole.
    """
    place: int | None = error.__dict__.pop("_place", None) if hasattr(error, "__dict__") else None
    notes = getattr(error, "__notes__", [])
    for k, note in enumerate(notes):
        found = _NAMED.match(note)
        if found is not None:
            place = int(found[1])
            notes[k] = _NAMED.sub(f"Environment {first + place}", note)
    return place
