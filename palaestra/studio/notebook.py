"""`show`: the studio of an environment that a program or a notebook has."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from gymnasium.core import Env
from gymnasium.logger import warn

if TYPE_CHECKING:
    from palaestra.studio.server import Server


class Studio:
    """A running studio. In a notebook it is shown as a frame.

    Attributes:
        link: The address of its page, with a secret token.
    """

    def __init__(self, server: Server, height: int) -> None:
        self._server, self._height = server, height
        self.link = server.link

    def close(self) -> None:
        """Stop serving, and close the environment."""
        self._server.close()

    def __enter__(self) -> Studio:
        """Returns itself."""
        return self

    def __exit__(self, *reason: Any) -> None:
        """Stop serving."""
        self.close()

    def __repr__(self) -> str:
        """Returns its link."""
        return f"<Studio at {self.link}>"

    def _repr_html_(self) -> str:
        """Returns the frame for a notebook."""
        link = html.escape(self.link)
        return (
            f'<iframe src="{link}" title="Studio" width="100%" height="{self._height}" '
            f'style="border: 0; border-radius: 8px" allow="clipboard-write; fullscreen"></iframe>'
        )


def show(env: Env, *, seed: int = 0, policy: object = None, height: int = 720) -> Studio:
    """Show an environment in the studio, served by a thread of this process.

        palaestra.studio.show(gymnasium.make("CartPole-v1", render_mode="rgb_array"))

    At the end of a cell of a notebook, the result is shown as a frame; elsewhere, open its `link` in a browser of this
    machine. The studio resets, steps and closes the environment itself: leave it alone meanwhile.

    Args:
        env: The environment, made with `render_mode="rgb_array"` to be seen.
        seed: The seed of the first episode.
        policy: A function from observation to action; None for your own and random actions.
        height: The height of the frame, in pixels.

    Returns:
        The studio, which runs until its `close`.

    Raises:
        TypeError: If `env` is no `Env`, or `policy` cannot be called.
        gymnasium.error.DependencyNotInstalled: If a library of the extra `studio` is missing.
    """
    if not isinstance(env, Env):
        raise TypeError(
            f"show expects a gymnasium.Env, but a {type(env)} came; of a batch, show one: gymnasium.make(...)"
        )
    if policy is not None and not callable(policy):
        raise TypeError(f"policy is a function from observation to action, but a {type(policy)} came")
    from palaestra.studio.making import Given
    from palaestra.studio.player_pool import PlayerPool
    from palaestra.studio.server import Server

    if env.render_mode not in ("rgb_array", "ansi"):
        warn(f"{env} shows values only: make it with render_mode='rgb_array' to see pictures")
    named = None if policy is None else (policy, getattr(policy, "__name__", type(policy).__name__))
    server = Server(PlayerPool(alone=Given(env), seed=seed, policy=named), framed=True)
    server.start()
    return Studio(server, height)
