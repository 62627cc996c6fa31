"""Saving from the studio: films, replays, snapshots, and code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import numpy as np

from gymnasium.core import Env
from gymnasium.rendering import VideoWriter
from palaestra.recording import RecordReplays
from palaestra.studio.forms import fps_of
from palaestra.studio.session import Session, StudioError

_LONGEST: Final = 3600  # frames of a film


class Saved(NamedTuple):
    """A file to take away."""

    name: str
    kind: str
    data: bytes


def film(session: Session, suffix: str) -> Saved:
    """Returns the branch up to the step looked at, as `".mp4"` or `".gif"`.

    Raises:
        StudioError: If there are no pictures, or too many.
    """
    if session.env.render_mode != "rgb_array":
        raise StudioError("A film needs pictures, which this environment does not draw")
    if session.cursor > _LONGEST:
        raise StudioError(f"A film has at most {_LONGEST:,} frames: go back to an earlier step")
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"film{suffix}"
        with VideoWriter(path, fps_of(session.env)) as writer:
            for _ in _again(session, session.env):
                writer.write(session.env.render())  # type: ignore[arg-type]  # the writer checks it
        kind = {".mp4": "video/mp4", ".gif": "image/gif"}[suffix]
        return Saved(_name(session) + suffix, kind, path.read_bytes())


def replay(session: Session) -> Saved:
    """Returns the branch up to the step looked at as a replay.

    Raises:
        StudioError: If no step has been taken, or the environment cannot be made again from its spec.
    """
    if session.cursor == 0:
        raise StudioError("A replay needs one step at least")
    with TemporaryDirectory() as folder:
        try:
            recorder = RecordReplays(session.env, folder, keep_unfinished=True)
        except ValueError as error:
            raise StudioError(str(error)) from error
        for _ in _again(session, recorder):
            pass
        if not recorder.recorded_episodes:
            recorder.reset(seed=session.branch.seed)  # which writes the episode that it interrupts
        [path] = Path(folder).iterdir()
        return Saved(_name(session) + ".replay", "application/octet-stream", path.read_bytes())


def moment(session: Session) -> Saved:
    """Returns a snapshot of the step looked at; raises `CannotSnapshot` if a class cannot return its state."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "moment.npz"
        session.moment().save(path)
        return Saved(_name(session) + ".npz", "application/octet-stream", path.read_bytes())


def code(session: Session, kwargs: Mapping[str, Any], constants: Mapping[str, Any]) -> Saved:
    """Returns a program that comes to the step looked at, and keeps a snapshot of it."""
    actions = [step.action for step in session.branch.steps[1 : session.cursor + 1]]
    spec = session.env.spec
    made = "...  # the environment, made as before"
    if spec is not None:
        made = f"gymnasium.make({', '.join([repr(spec.id), *(f'{name}={value!r}' for name, value in kwargs.items())])})"
    made += "".join(f"\nenv.set_wrapper_attr({name!r}, {value!r})" for name, value in constants.items())
    loop = f"for action in [{', '.join(map(_source, actions))}]:\n    env.step(action)\n" if actions else ""
    arrays = "import numpy as np\n\n" if "np." in loop else ""
    text = (
        f"{arrays}import gymnasium\nimport palaestra\n\nenv = {made}\nenv.reset(seed={session.branch.seed})\n{loop}"
        f"moment = palaestra.snapshot(env)  # step {session.cursor}\n"
        "palaestra.restore(env, moment)  # returns to it, at any time\n"
    )
    return Saved(_name(session) + ".py", "text/plain; charset=utf-8", text.encode())


SAVERS: Final[dict[str, Callable[[Session], Saved]]] = {
    "mp4": lambda session: film(session, ".mp4"),
    "gif": lambda session: film(session, ".gif"),
    "replay": replay,
    "snapshot": moment,
}


def _again(session: Session, env: Env) -> Iterator[None]:
    """Runs the branch again up to the step looked at, in its own environment, and yields after each step."""
    session.begin(env)
    yield
    for step in session.branch.steps[1 : session.cursor + 1]:
        env.step(step.action)
        yield


def _name(session: Session) -> str:
    spec = session.env.spec
    name = type(session.env.unwrapped).__name__ if spec is None else spec.id.rpartition("/")[2]
    return f"{name}_branch{session.branch.number}_step{session.cursor}"


def _source(action: object) -> str:
    """Returns the Python text of an action."""
    if isinstance(action, np.ndarray):
        numbers = np.array2string(
            action, separator=", ", threshold=sys.maxsize, floatmode="unique", max_line_width=sys.maxsize
        )
        return f"np.array({' '.join(numbers.split())}, np.{action.dtype})"
    if isinstance(action, np.generic):
        return repr(action.item())
    if isinstance(action, tuple):
        return f"({', '.join(map(_source, action))},)"
    if isinstance(action, dict):
        return "{" + ", ".join(f"{key!r}: {_source(part)}" for key, part in action.items()) + "}"
    return repr(action)
