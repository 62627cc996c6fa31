"""`palaestra play`."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, SupportsFloat

import numpy as np

from gymnasium.core import Env
from gymnasium.error import UnsupportedMode
from gymnasium.rendering import require_display
from gymnasium.rendering._libraries import load_pygame
from gymnasium.spaces import Box, Discrete, Tuple
from gymnasium.utils.play import MissingKeysToAction
from gymnasium.utils.play import play as play_by_keys
from palaestra.cli import console
from palaestra.cli.arguments import WrapperName
from palaestra.cli.environments import requested_env
from palaestra.cli.episodes import Tally
from palaestra.cli.errors import CommandError
from palaestra.cli.pictures import has_pictures, made_with_pictures
from palaestra.studio.keys import KNOWN, noop_of

_NAMED = ("left", "right", "up", "down", "space", "return")


class PlayOptions(NamedTuple):
    """The options of the command, under their names."""

    id: str
    kwargs: list[tuple[str, Any]]
    wrappers: list[WrapperName]
    keys: str | None
    seed: int | None
    fps: int | None
    zoom: float | None
    wait: bool
    record: Path | None = None


def play(options: PlayOptions) -> int:
    """Open a window to play in, then print the score; returns the exit code.

    Raises:
        CommandError: If the id is unknown, or the keys are wrong, or no keys are defined.
        gymnasium.error.Error: If the environment cannot be made or shown here.
    """
    requested = requested_env(options.id, options.kwargs, options.wrappers)
    spec = requested.spec
    _check_display(options.id)
    if options.record is not None:
        requested = requested.recorded(options.record, keep_unfinished=True)
    with closing(made_with_pictures(requested)) as env:
        actions = _actions(env, spec.name, options.keys)
        waits = options.wait or isinstance(env.observation_space, (Discrete, Tuple)) or not has_pictures(requested)
        if actions:
            console.table([(name, str(action)) for name, action in actions.items()], ("key", "action"))
        console.echo(f"{'Each step' if waits else 'Each episode'} waits for a key; Escape ends the game.")
        score = Score()
        try:
            play_by_keys(
                env,
                fps=options.fps,
                zoom=options.zoom,
                callback=score.note,
                keys_to_action={_code(name): action for name, action in actions.items()} or None,
                seed=options.seed,
                noop=_noop(env, spec.name),
                wait_on_player=waits,
                start_on_key=True,
            )
        except (MissingKeysToAction, ValueError, TypeError) as error:
            raise CommandError(f"{spec.id!r} cannot be played: {error}") from error
    score.report()
    if options.record is not None:
        console.echo(f"replays: {options.record}")
    return 0


def _check_display(env_id: str) -> None:
    try:
        require_display()
    except UnsupportedMode as error:
        raise CommandError(
            f"playing needs a display, and none could be opened: play in a browser, `palaestra studio {env_id}`, or "
            f"film an episode, `palaestra run {env_id} --episodes 1 --video out.mp4`",
            exit_code=1,
        ) from error


@dataclass
class Score(Tally):
    """The returns and lengths of the episodes played."""

    _return: float = 0.0  # of the current episode
    _length: int = 0

    def note(
        self,
        before: Any,
        after: Any,
        action: Any,
        reward: SupportsFloat,
        terminated: bool,
        truncated: bool,
        info: dict[str, Any],
    ) -> None:
        """Count a step, as the callback of `play`."""
        self.steps += 1
        self._length += 1
        self._return += float(reward)
        if terminated or truncated:
            self.returns.append(self._return)
            self.lengths.append(self._length)
            self._return, self._length = 0.0, 0

    def report(self) -> None:
        """Print the results."""
        if self.returns:
            console.table(self.statistics(), ("", "mean", "std", "min", "max"), numbers=True)
        noun = "episode" if len(self.returns) == 1 else "episodes"
        rest = f", {self._return:g} in the one left" if self._length else ""
        console.echo(f"{len(self.returns)} {noun}, {self.steps:,} steps{rest}")


def _actions(env: Env, name: str, keys: str | None) -> dict[str, Any]:
    """Returns the actions by the names of their keys; none if the environment defines its own keys.

    Raises:
        CommandError: If `keys` cannot be read, or there are no obvious keys.
    """
    space = env.action_space
    if keys is not None:
        return _read(keys, space)
    if env.has_wrapper_attr("get_keys_to_action"):
        return {}
    if name in KNOWN and isinstance(space, Discrete):
        return _read(KNOWN[name], space)
    if isinstance(space, Discrete) and space.n <= 10:
        return {str(i): space.start + i for i in range(int(space.n))}
    if isinstance(space, Box) and space.shape == (1,) and np.all(np.isfinite([space.low, space.high])):
        return {"left": space.low, "right": space.high}
    raise CommandError(f"{env.unwrapped} has actions that no keys stand for: {space}; play it by gymnasium.utils.play")


def _read(keys: str, space: object) -> dict[str, Any]:
    actions: dict[str, Any] = {}
    for pair in keys.split(","):
        key, _, action = pair.rpartition("=")
        if (
            not (len(key) == 1 or key in _NAMED)
            or not action.lstrip("-").isdecimal()
            or not isinstance(space, Discrete)
        ):
            raise CommandError(
                f"--keys expects KEY=ACTION, where a key is a letter or one of {', '.join(_NAMED)}, and an action the "
                f"number of one of {space}; got {pair!r}"
            )
        if int(action) not in space:
            raise CommandError(f"--keys {pair}: the action has to be in {space}")
        actions[key] = int(action)
    return actions


def _code(name: str) -> int:
    """Returns the code of a key."""
    return ord(name) if len(name) == 1 else int(getattr(load_pygame(), f"K_{name.upper()}"))


def _noop(env: Env, name: str) -> Any:
    action = noop_of(env.action_space, name)
    return 0 if action is None else action
