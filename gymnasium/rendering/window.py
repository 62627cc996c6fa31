"""A window that shows a stream of frames.

Each `Window` is a separate window, so several environments of one process can be watched at once. Of pygame, only
`display` is initialised, by the first window, and it is released with the last.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.dependencies import install_command
from gymnasium.error import DependencyNotInstalled, UnsupportedMode
from gymnasium.rendering._libraries import load_pygame
from gymnasium.rendering.frames import checked_frame

if TYPE_CHECKING:
    from pygame import Window as PygameWindow

# Drivers without a window: fine if requested by SDL_VIDEODRIVER, but no display if SDL fell back on them.
_INVISIBLE: Final = ("dummy", "offscreen")
_LINUX_DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY")


class Window:
    """A window that opens with the first frame.

    Args:
        title: The text of its title bar.
        fps: The maximum frames per second; `show` waits for the rest of a frame's time.
    """

    def __init__(self, title: str, fps: float) -> None:
        if not fps > 0:
            raise ValueError(f"A window needs a positive number of frames per second, got fps={fps!r}.")
        pygame = load_pygame()
        if not hasattr(pygame, "Window"):
            raise DependencyNotInstalled(
                f"Windows need pygame-ce >= 2.5, but the installed pygame is {pygame.version.ver}. "
                f"Run: pip uninstall pygame, then {install_command('pygame-ce')} --force-reinstall"
            )
        self._title = title
        self._fps = fps
        self._clock = pygame.time.Clock()
        self._window: PygameWindow | None = None
        self._closed = False

    def __reduce__(self) -> tuple[type[Window], tuple[str, float]]:
        """Copies and pickles as a window that is not open yet."""
        return Window, (self._title, self._fps)

    @property
    def is_open(self) -> bool:
        """Whether frames are, or will be, shown; true until `close` or until the user closes the window."""
        return not self._closed

    def show(self, frame: NDArray[np.uint8]) -> None:
        """Shows `frame` of shape (height, width, 3); the window takes its size.

        Once the window has been closed, by `close` or by the user, this does nothing. The user's key presses stay in
        pygame's event queue for the program to read.
        """
        frame = checked_frame(frame)
        if self._window is None and not self._closed:
            self._open(frame)
        _handle_events()
        if self._window is not None:
            self._draw(self._window, frame)
            self._clock.tick(self._fps)

    def close(self) -> None:
        """Closes the window, now and for good; calling it again does nothing."""
        self._closed = True
        if self._window is None:
            return
        window, self._window = self._window, None
        _open_windows.remove(self)
        if load_pygame().display.get_init():  # otherwise the program has left pygame, and the window is gone
            window.destroy()
        _leave_display()

    def _open(self, frame: NDArray[np.uint8]) -> None:
        _enter_display()
        self._window = load_pygame().Window(self._title, _size(frame))
        _open_windows.append(self)

    def _draw(self, window: PygameWindow, frame: NDArray[np.uint8]) -> None:
        if window.size != _size(frame):
            window.size = _size(frame)
        picture = load_pygame().image.frombuffer(np.ascontiguousarray(frame), _size(frame), "RGB")
        window.get_surface().blit(picture, (0, 0))
        window.flip()


def require_display() -> None:
    """Raises `UnsupportedMode` if no window can be opened; opens none."""
    _enter_display()
    _leave_display()


_open_windows: list[Window] = []
_entered = False  # whether this module initialised pygame.display


def _enter_display() -> None:
    global _entered
    display = load_pygame().display
    if display.get_init():
        return
    asked = os.environ.get("SDL_VIDEODRIVER", "")
    if not asked and sys.platform == "linux" and not any(os.environ.get(name) for name in _LINUX_DISPLAYS):
        raise UnsupportedMode(_no_display(asked, "no display was found"))  # SDL would search, and complain on stderr
    os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")  # else SDL swallows SIGTERM
    try:
        display.init()
    except load_pygame().error as reason:
        raise UnsupportedMode(_no_display(asked, str(reason))) from reason
    driver = display.get_driver()
    if driver in _INVISIBLE and driver not in asked:
        display.quit()
        raise UnsupportedMode(_no_display(asked, "no display was found"))
    _entered = True


def _leave_display() -> None:
    global _entered
    if _entered and not _open_windows:
        load_pygame().display.quit()
        _entered = False


def _no_display(asked: str, reason: str) -> str:
    tried = f"SDL_VIDEODRIVER={asked}" if asked else f"DISPLAY={os.environ.get('DISPLAY', '')!r}"
    return (
        f'render_mode="human" needs a display, and none could be opened ({tried}: {reason}). Instead, use '
        'render_mode="rgb_array" for frames as arrays, look at it in a browser (`palaestra studio ID`, or '
        "`palaestra.studio.show(env)`), record a video (the wrapper `RecordVideo`, or `palaestra run ID --video "
        "out.mp4`), or run the program under `xvfb-run`."
    )


def _handle_events() -> None:
    """Closes the windows that the user has closed, and keeps the others responsive."""
    pygame = load_pygame()
    if not pygame.display.get_init():  # the program called pygame.quit(), which closed the windows
        for window in list(_open_windows):
            window.close()
        return
    pygame.event.pump()
    for event in pygame.event.get(pygame.WINDOWCLOSE, pump=False):
        shown = [window for window in _open_windows if window._window is event.window]
        for window in shown:
            window.close()
        if not shown and pygame.display.get_init():
            pygame.event.post(event)  # another window of the program
    if pygame.display.get_init():
        pygame.event.get(pygame.MOUSEMOTION, pump=False)  # unread, they would fill the queue in minutes


def _size(frame: NDArray[np.uint8]) -> tuple[int, int]:
    height, width = frame.shape[:2]
    return width, height
