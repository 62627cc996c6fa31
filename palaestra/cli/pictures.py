"""Pictures of every environment, including those without pictures of their own."""

from __future__ import annotations

import textwrap
from typing import Any

from gymnasium.core import Env, Wrapper
from gymnasium.rendering import Canvas
from palaestra.cli.environments import RequestedEnv
from palaestra.cli.text_frames import without_colour

_SIZE = 480, 320  # pixels
_LETTER = 20  # pixels
_COLUMNS, _ROWS = 44, 13
_FPS = 4  # a pace to read at


def has_pictures(requested: RequestedEnv) -> bool:
    """Returns whether an environment lists a render mode of pictures."""
    return "rgb_array" in requested.render_modes()


def made_with_pictures(requested: RequestedEnv, max_episode_steps: int | None = None) -> Env:
    """Returns an environment whose `render` returns pictures; raises like `RequestedEnv.made`."""
    if has_pictures(requested):
        return requested.made(max_episode_steps, "rgb_array")
    mode = "ansi" if "ansi" in requested.render_modes() else None
    return Written(requested.made(max_episode_steps, mode))


class Written(Wrapper[Any, Any, Any, Any]):
    """Shows an environment as text: its own, or its observation, action and reward."""

    def __init__(self, env: Env) -> None:
        super().__init__(env)
        self.metadata = {**env.metadata, "render_modes": ["rgb_array"], "render_fps": _FPS}
        self._has_text = env.render_mode == "ansi"
        self._lines: list[str] = []

    @property
    def render_mode(self) -> str | None:  # type: ignore[override]  # an attribute of Env, fixed here
        """Returns `"rgb_array"`."""
        return "rgb_array"

    def reset(self, **kwargs: Any) -> Any:
        """Resets the environment."""
        observation, info = self.env.reset(**kwargs)
        self._step, self._return = 0, 0.0
        self._lines = ["step 0", f"observation {observation}"]
        return observation, info

    def step(self, action: Any) -> Any:
        """Steps the environment."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._step += 1
        self._return += float(reward)
        self._lines = [
            f"step {self._step}{'  terminated' if terminated else ''}{'  truncated' if truncated else ''}",
            f"action {action}",
            f"reward {float(reward):g}, {self._return:g} in all",
            f"observation {observation}",
        ]
        return observation, reward, terminated, truncated, info

    def render(self) -> Any:
        """Returns a picture of the text."""
        lines = without_colour(str(self.env.render())).splitlines() if self._has_text else self._lines
        canvas = Canvas(*_SIZE)
        folded = [part for line in lines for part in textwrap.wrap(line, _COLUMNS) or [""]]
        for row, line in enumerate(folded[:_ROWS]):
            canvas.text(line, (20, 30 + row * (_LETTER + 2)), _LETTER, (30, 30, 30), "midleft")
        return canvas.pixels()
