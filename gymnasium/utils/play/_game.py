"""A window with an environment in it, and the pressed keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import Env
from gymnasium.rendering import require_display
from gymnasium.rendering._libraries import load_pygame
from gymnasium.utils.play._keys import checked_mapping, key_codes, keys_of

if TYPE_CHECKING:
    from pygame import Surface
    from pygame.event import Event

pygame = load_pygame()

_MODES = ("rgb_array", "rgb_array_list")


class PlayableGame:
    """An environment in a window that can be resized, and its keyboard.

    Args:
        env: The environment, reset, with the render mode `"rgb_array"` or `"rgb_array_list"`.
        keys_to_action: Keys to actions; None for the environment's suggestion.
        zoom: The initial size of the window relative to the pictures.

    Attributes:
        relevant_keys: Codes of the keys with an effect.
        original_video_size: Width and height of a picture.
        video_size: Width and height of the picture in the window.
        screen: The window's surface.
        pressed_keys: Codes of the relevant keys held down.
        running: Whether the player has not left yet.

    Raises:
        ValueError: If the render mode is another, or `zoom` is not positive.
        MissingKeysToAction: If no keys are defined.
        TypeError: If `keys_to_action` is not a dict, or a key of it neither str nor int.
        gymnasium.error.UnsupportedMode: If there is no display.
    """

    def __init__(self, env: Env, keys_to_action: dict[Any, Any] | None = None, zoom: float | None = None) -> None:
        if env.render_mode not in _MODES:
            raise ValueError(
                f"A playable environment needs a render_mode of {_MODES}, but has {env.render_mode!r}; make it with "
                "render_mode='rgb_array'"
            )
        if zoom is not None and not zoom > 0:
            raise ValueError(f"zoom must be positive, but {zoom!r} came")
        self.env = env
        self.relevant_keys = self._relevant_keys(keys_to_action)
        self._frame = _last(env.render())
        height, width = self._frame.shape[:2]
        self.original_video_size = (width, height)
        self.video_size = (int(width * (zoom or 1)), int(height * (zoom or 1)))
        require_display()
        pygame.display.init()
        self.screen = pygame.display.set_mode(self.video_size, pygame.RESIZABLE)
        self.pressed_keys: set[int] = set()
        self.running = True

    def _relevant_keys(self, keys_to_action: dict[Any, Any] | None) -> set[int]:
        mapping = checked_mapping(keys_of(self.env) if keys_to_action is None else keys_to_action)
        return {code for keys in mapping for code in key_codes(keys)}

    def process_event(self, event: Event) -> None:
        """Process a key that is pressed or released, Escape, and the window's closing and resizing."""
        if event.type == pygame.KEYDOWN:
            if event.key in self.relevant_keys:
                self.pressed_keys.add(event.key)
            elif event.key == pygame.K_ESCAPE:
                self.running = False
        elif event.type == pygame.KEYUP:
            self.pressed_keys.discard(event.key)
        elif event.type == pygame.QUIT:
            self.running = False
        elif event.type == pygame.WINDOWRESIZED:
            self._fit(event.x, event.y)

    def draw(self, transpose: bool = True) -> None:
        """Show the environment as it is now.

        Args:
            transpose: Whether its pictures have the shape (height, width, 3) instead of (width, height, 3).
        """
        self._frame = _last(self.env.render(), self._frame)
        display_arr(self.screen, self._frame, self.video_size, transpose)
        pygame.display.flip()

    def _fit(self, width: int, height: int) -> None:
        """Scale the picture to the largest size that fits a window of this size, with its proportions kept."""
        original_width, original_height = self.original_video_size
        scale = min(width / original_width, height / original_height)
        self.video_size = (round(original_width * scale), round(original_height * scale))


def _last(rendered: object, before: NDArray[np.uint8] | None = None) -> Any:
    """Returns the latest picture of a result of `render`; `before` if nothing has happened since."""
    if not isinstance(rendered, list):
        return rendered
    return rendered[-1] if rendered or before is None else before


def display_arr(screen: Surface, arr: NDArray[np.uint8], video_size: tuple[int, int], transpose: bool) -> None:
    """Draw a picture in the middle of the screen, black around it.

    Args:
        screen: The surface to draw on.
        arr: Pixels, uint8.
        video_size: Width and height to scale it to.
        transpose: Whether it has the shape (height, width, 3) instead of (width, height, 3).

    Raises:
        AssertionError: If the picture is not an array, or not of dtype uint8.
    """
    if not isinstance(arr, np.ndarray) or arr.dtype != np.uint8:
        what = f"an array of dtype {arr.dtype}" if isinstance(arr, np.ndarray) else f"a {type(arr).__name__}"
        raise AssertionError(f"A picture must be an array of dtype uint8, but {what} came")
    picture = pygame.surfarray.make_surface(arr.swapaxes(0, 1) if transpose else arr)
    scaled = pygame.transform.scale(picture, video_size)
    screen.fill((0, 0, 0))
    screen.blit(scaled, ((screen.get_width() - video_size[0]) // 2, (screen.get_height() - video_size[1]) // 2))
