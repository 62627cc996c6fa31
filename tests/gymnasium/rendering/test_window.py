"""Windows, on SDL's dummy display."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time

import numpy as np
import pygame
import pytest

from gymnasium.error import DependencyNotInstalled, UnsupportedMode
from gymnasium.rendering import Window, require_display

FRAME = np.zeros((20, 30, 3), np.uint8)
FAST = 1000  # frames per second, so that no test waits


@pytest.fixture(autouse=True)
def dummy_display(monkeypatch):
    """A display that shows nothing; nothing of it is left after the test."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.quit()


@pytest.fixture
def window():
    """A window, closed after the test."""
    window = Window("title", FAST)
    yield window
    window.close()


def shown(window: Window) -> np.ndarray:
    """The picture in a window."""
    surface = window._window.get_surface()
    return pygame.surfarray.array3d(surface).transpose(1, 0, 2)


def user_closes(window: Window) -> None:
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=window._window))


def test_the_window_opens_with_the_first_frame_and_shows_it(window) -> None:
    assert not pygame.display.get_init()
    frame = np.random.default_rng(1).integers(0, 256, (20, 30, 3), np.uint8)
    window.show(frame)
    assert window._window.title == "title"
    assert (shown(window) == frame).all()


def test_only_the_display_is_initialised(window) -> None:
    window.show(FRAME)
    assert pygame.display.get_init()
    assert pygame.mixer.get_init() is None
    assert not pygame.get_init()


def test_the_window_takes_the_size_of_the_frames(window) -> None:
    window.show(FRAME)
    window.show(np.full((50, 60, 3), 7, np.uint8))
    assert window._window.size == (60, 50)
    assert (shown(window) == 7).all()


def test_a_frame_that_is_not_contiguous_is_shown_right(window) -> None:
    frame = np.random.default_rng(2).integers(0, 256, (30, 20, 3), np.uint8).transpose(1, 0, 2)
    window.show(frame)
    assert (shown(window) == frame).all()


def test_frames_come_at_the_rate_asked_for() -> None:
    window = Window("title", 50)
    window.show(FRAME)
    start = time.perf_counter()
    for _ in range(10):
        window.show(FRAME)
    elapsed = time.perf_counter() - start
    window.close()
    assert elapsed >= 10 / 50 * 0.8


def test_close_can_be_repeated_and_leaves_the_display(window) -> None:
    window.show(FRAME)
    window.close()
    window.close()
    assert not pygame.display.get_init()
    assert not window.is_open


def test_nothing_is_shown_after_close(window) -> None:
    window.close()
    window.show(FRAME)
    assert not pygame.display.get_init()


def test_a_window_closed_by_the_user_stays_closed_and_the_program_goes_on(window) -> None:
    window.show(FRAME)
    user_closes(window)
    for _ in range(3):
        window.show(FRAME)
    assert not window.is_open


def test_two_windows_are_two(window) -> None:
    other = Window("other", FAST)
    window.show(FRAME)
    other.show(FRAME + 9)
    assert (shown(window) == 0).all()
    assert (shown(other) == 9).all()
    user_closes(window)
    other.show(FRAME)
    assert (window.is_open, other.is_open) == (False, True)
    other.close()


def test_the_display_of_the_program_is_left_alone(window) -> None:
    pygame.display.init()
    window.show(FRAME)
    window.close()
    assert pygame.display.get_init()


def test_the_programs_own_events_stay_in_the_queue(window) -> None:
    window.show(FRAME)
    own = pygame.Window("own", (10, 10))
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_LEFT))
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=own))
    window.show(FRAME)
    assert pygame.event.get(pygame.KEYDOWN)[0].key == pygame.K_LEFT
    assert pygame.event.get(pygame.WINDOWCLOSE)[0].window is own
    own.destroy()


def test_mouse_movements_do_not_fill_the_queue(window) -> None:
    window.show(FRAME)
    for _ in range(5):
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=(1, 1), rel=(0, 0), buttons=(0, 0, 0)))
    window.show(FRAME)
    assert pygame.event.get(pygame.MOUSEMOTION) == []


def test_leaving_pygame_closes_the_window_without_a_crash(window) -> None:
    window.show(FRAME)
    pygame.quit()
    window.show(FRAME)
    assert not window.is_open


@pytest.mark.parametrize(
    ("frame", "named"),
    [
        ([[[0, 0, 0]]], "list"),
        (FRAME.astype(np.float32), "float32"),
        (FRAME[:, :, 0], r"\(20, 30\)"),
        (FRAME[:0], r"\(0, 30, 3\)"),
        (np.zeros((3, 20, 30), np.uint8), r"\(3, 20, 30\)"),
    ],
)
def test_a_frame_that_is_no_picture_opens_nothing(frame, named, window) -> None:
    with pytest.raises(ValueError, match=named):
        window.show(frame)
    assert not pygame.display.get_init()


@pytest.mark.parametrize("fps", [0, -1, float("nan")])
def test_a_rate_that_is_not_positive_is_refused(fps) -> None:
    with pytest.raises(ValueError, match=f"fps={fps}"):
        Window("title", fps)


def test_a_pygame_without_windows_is_named(monkeypatch) -> None:
    monkeypatch.delattr(pygame, "Window")
    with pytest.raises(DependencyNotInstalled, match=r'pygame-ce.*pip install "pygame-ce>='):
        Window("title", FAST)


def test_require_display_passes_on_a_driver_asked_for_and_opens_nothing() -> None:
    require_display()
    assert not pygame.display.get_init()


@pytest.mark.parametrize("driver", ["x11", "no-such-driver"])
def test_a_driver_that_fails_is_reported(driver, monkeypatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    monkeypatch.delenv("DISPLAY", raising=False)
    with pytest.raises(UnsupportedMode, match=rf"SDL_VIDEODRIVER={driver}.*rgb_array.*--video.*xvfb-run"):
        require_display()


def without_display(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a program where there is no display."""
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    env = {name: value for name, value in os.environ.items() if name not in hidden} | variables
    return subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=60)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_no_display_is_said_even_where_sdl_would_draw_to_nowhere() -> None:
    program = """
import numpy as np
from gymnasium.error import UnsupportedMode
from gymnasium.rendering import Window, require_display
for show in (require_display, lambda: Window("title", 30).show(np.zeros((4, 4, 3), np.uint8))):
    try:
        show()
    except UnsupportedMode as error:
        print(error)
"""
    done = without_display(program)
    assert done.stdout.count('render_mode="rgb_array"') == 2, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a question of POSIX signals")
def test_a_program_with_a_window_still_ends_on_sigterm() -> None:
    program = """
import os, signal, time, numpy as np
from gymnasium.rendering import Window
Window("title", 30).show(np.zeros((4, 4, 3), np.uint8))
os.kill(os.getpid(), signal.SIGTERM)
time.sleep(5)
"""
    assert without_display(program, SDL_VIDEODRIVER="dummy").returncode == -15


def test_a_copy_of_a_window_is_not_open_yet(window) -> None:
    window.show(FRAME)
    copy = pickle.loads(pickle.dumps(window))
    assert copy.is_open
    assert copy._window is None
    copy.show(FRAME)
    assert copy._window.title == "title"
    copy.close()
    assert window._window is not None
