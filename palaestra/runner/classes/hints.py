"""What compiling a class would bring, by a glance at the names in its code, and by what was measured before."""

from __future__ import annotations

from types import FunctionType

from gymnasium._extensions import is_own_module
from gymnasium.core import Env
from palaestra.language.llvm.store import Note
from palaestra.language.source import digest_of, functions_of

_OUTWARD = frozenset(["open", "print", "input", "requests", "socket", "subprocess", "pybullet", "mujoco"])


def compile_hint(kind: object, name: str) -> str:
    """Returns what to say of a class that runs in sync; "" if it hardly compiles.

    Nothing of the class runs for that: how much faster it is was measured by `note_speed`, or is not known.

    Args:
        kind: What makes an environment.
        name: Its id.
    """
    if not (isinstance(kind, type) and issubclass(kind, Env)) or is_own_module(kind.__module__):
        return ""
    own = [getattr(kind, one, None) for one in ("reset", "step")]
    if not all(isinstance(one, FunctionType) and not _OUTWARD.intersection(one.__code__.co_names) for one in own):
        return ""
    known = _note(kind).text()
    found = (
        f"took {known}" if known else f"may run it as machine code: `palaestra bench {name}` measures what that brings"
    )
    return f'{name} runs in sync; vectorization_mode="compiled" {found}'


def note_speed(kind: type, compiled: float, sync: float, num_envs: int) -> None:
    """Note the steps per second of single environments that were measured here, of so many compiled copies and in sync.

    Hints of later processes report them, as long as the class stays as it is.
    """
    ratio = compiled / sync
    _note(kind).write(
        f"{ratio:,.{1 if ratio < 10 else 0}f} times as many steps per second here, with {num_envs:,} copies"
    )


def _note(kind: type) -> Note:
    return Note("speed", kind.__qualname__, digest_of(functions_of(kind)))
