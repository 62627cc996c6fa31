"""Replays in the studio: the whole recorded episode is there at once, and can be continued from any step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gymnasium.core import Env, Wrapper
from gymnasium.specs import EnvSpec
from palaestra.recording.replays import Replay
from palaestra.studio.making import drawing
from palaestra.studio.session import Session
from palaestra.studio.values import number


class Recorded(NamedTuple):
    """The environment of a replay, with the recorded episode as its first branch."""

    replay: Replay

    @property
    def seed(self) -> int:
        """The seed of the first branch, which stands for the recorded beginning if that had none."""
        return self.replay.seed or 0

    def fields(self) -> list[dict[str, Any]]:
        """Returns no fields: other arguments would give another episode."""
        return []

    def made(self, arguments: Mapping[str, Any]) -> Env:
        """Returns the environment of the recorded spec."""
        return _Begun(self.replay.make(**drawing(self.replay.spec)), self.replay, self.seed)

    def kwargs(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the recorded arguments."""
        return {name: value for name, value in self.replay.spec.kwargs.items() if name != "render_mode"}

    def prepare(self, session: Session) -> None:
        """Take the recorded actions, and compare the rewards with the recorded ones."""
        differs = False
        for action, reward in zip(self.replay.actions, self.replay.rewards, strict=True):
            step = session.step(action)
            differs = differs or step.row[0] != number(reward)
        session.repeated(differs)
        session.seek(0)

    def begins_with_seed(self) -> bool:
        """Returns whether the recorded episode began with a seed alone."""
        return self.replay.seed is not None and self.replay.options is None and not self.replay.beginning

    def takes_constants(self) -> bool:
        """Returns False: others would give other episodes."""
        return False


class _Begun(Wrapper[Any, Any, Any, Any]):
    """Begins the recorded episode, if its seed is asked for."""

    def __init__(self, env: Env, replay: Replay, seed: int) -> None:
        super().__init__(env)
        self._replay, self._seed = replay, seed

    @property
    def spec(self) -> EnvSpec | None:  # type: ignore[override]  # an attribute of Env, derived here
        """The spec of the environment itself."""
        return self.env.spec

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin the recorded episode, or another one."""
        if seed == self._seed and options is None:
            return self._replay.begin(self.env)
        return self.env.reset(seed=seed, options=options)
