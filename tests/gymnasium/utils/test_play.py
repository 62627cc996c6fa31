"""Playing by keyboard, with the keys pressed by the test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gymnasium.core import Env
from gymnasium.error import UnsupportedMode
from gymnasium.rendering._libraries import load_pygame
from gymnasium.spaces import Discrete
from gymnasium.specs import EnvSpec
from gymnasium.utils.play import MissingKeysToAction, PlayableGame, PlayPlot, display_arr, play

pygame = load_pygame()
A, D, W = ord("a"), ord("d"), ord("w")


class Walk(Env[Any, Any]):
    """Notes the actions; an episode lasts four steps. A frame is 4 pixels high and 6 wide."""

    metadata = {"render_modes": ["rgb_array", "rgb_array_list"], "render_fps": 500}
    observation_space = Discrete(100)
    action_space = Discrete(4)

    def __init__(self, render_mode: str | None = "rgb_array") -> None:
        self.render_mode = render_mode
        self.actions: list[int] = []
        self.seeds: list[int | None] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        self.seeds.append(seed)
        self.t = 0
        self.frames = [self.frame()]
        return 0, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        self.actions.append(action)
        self.t += 1
        self.frames.append(self.frame())
        return self.t, 1.0, self.t == 4, False, {}

    def frame(self) -> Any:
        return np.full((4, 6, 3), self.t, np.uint8)

    def render(self) -> Any:
        if self.render_mode == "rgb_array":
            return self.frame()
        frames, self.frames = self.frames, []
        return frames


class Keyed(Walk):
    """It suggests keys."""

    def get_keys_to_action(self) -> dict[Any, int]:
        return {"a": 1, (A, D): 2}


@pytest.fixture(autouse=True)
def _no_window_left() -> Iterator[None]:
    yield
    pygame.display.quit()


def key(kind: int, code: int) -> Any:
    return pygame.event.Event(kind, key=code)


def press(*codes: int) -> list[Any]:
    return [key(pygame.KEYDOWN, code) for code in codes]


def script(monkeypatch: pytest.MonkeyPatch, *rounds: list[Any]) -> None:
    """Each round of the game gets the next events; after the last, the player leaves."""
    events = iter([*rounds, press(pygame.K_ESCAPE)])
    monkeypatch.setattr(pygame.event, "get", lambda: next(events))


def test_keys_become_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Held keys act together, other combinations and none at all do the noop."""
    env = Walk()
    script(monkeypatch, press(A), press(D), [key(pygame.KEYUP, A)], [key(pygame.KEYUP, D)])

    play(env, keys_to_action={"a": 1, "ad": 2, (D,): 3}, noop=0)

    assert env.actions == [0, 1, 2, 3]


def test_no_key_may_have_an_action_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in MountainCar, whose own keys say so; it takes the place of the noop."""
    env = Walk()
    script(monkeypatch, [], press(A))

    play(env, keys_to_action={(): 2, "a": 1}, noop=0)

    assert env.actions == [2, 2, 1]


def test_the_callback_gets_observations_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first on, what came before a step is an observation too; each episode begins anew."""
    seen = []
    env = Walk()
    script(monkeypatch, *[[]] * 5)

    play(env, keys_to_action={"a": 1}, seed=7, callback=lambda *args: seen.append(args))

    assert [args[:6] for args in seen] == [
        (0, 1, 0, 1.0, False, False),
        (1, 2, 0, 1.0, False, False),
        (2, 3, 0, 1.0, False, False),
        (3, 4, 0, 1.0, True, False),
        (0, 1, 0, 1.0, False, False),
    ]
    assert env.seeds == [7, 7]


def test_waiting_for_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key, time stands still; also where frames come as a list, which is empty then."""
    env = Walk("rgb_array_list")
    script(monkeypatch, [], [], press(A), [key(pygame.KEYUP, A)])

    play(env, keys_to_action={"a": 1}, wait_on_player=True)

    assert env.actions == [1]


def test_an_episode_begins_with_its_first_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Afterwards time runs on by itself; a key still held from the last episode does not begin the next."""
    env = Walk()
    script(monkeypatch, [], [], press(A), *[[]] * 6, press(A), [])

    play(env, keys_to_action={"a": 1}, start_on_key=True)

    assert env.actions == [1, 1, 1, 1, 1, 1]


def test_a_tap_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that goes down and up between two frames acts once."""
    env = Walk()
    script(monkeypatch, [*press(A), key(pygame.KEYUP, A)], [])

    play(env, keys_to_action={"a": 1})

    assert env.actions == [0, 1, 0]


def test_the_window_is_gone_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the environment raises."""
    env = Walk()
    monkeypatch.setattr(env, "step", lambda action: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        play(env, keys_to_action={"a": 1})

    assert not pygame.display.get_init()


@pytest.mark.parametrize(
    ("keys", "kind", "text"),
    [
        ([("a", 1)], TypeError, "dict"),
        ({"": 1}, ValueError, "one key"),
        ({(1.5,): 1}, TypeError, "1.5"),
        ({2.5: 1}, TypeError, "2.5"),
        ({"a": 9}, ValueError, "Discrete"),
    ],
)
def test_wrong_keys(keys: Any, kind: type[Exception], text: str) -> None:
    """They are refused before the environment is reset."""
    env = Walk()

    with pytest.raises(kind, match=text):
        play(env, keys_to_action=keys)

    assert env.seeds == []


def test_nobody_knows_the_keys() -> None:
    """The type of the error tells whether the environment can be named."""
    with pytest.raises(ValueError, match="spec"):
        play(Walk())

    named = Walk()
    named.spec = EnvSpec("Walk-v0", entry_point=Walk)
    with pytest.raises(MissingKeysToAction, match="Walk-v0"):
        play(named)


def test_a_frame_rate_is_whole() -> None:
    """A rate given has to be an int."""
    with pytest.raises(TypeError, match="fps"):
        play(Walk(), keys_to_action={"a": 1}, fps=2.5)  # type: ignore[arg-type]


def game(env: Walk | None = None, **kwargs: Any) -> PlayableGame:
    env = env or Walk()
    env.reset()
    return PlayableGame(env, **{"keys_to_action": {(A, D): 1, W: 2}, **kwargs})


def test_a_game_knows_keys_and_sizes() -> None:
    """Sizes are width and height."""
    played = game(zoom=2.5)

    assert played.relevant_keys == {A, D, W}
    assert (played.original_video_size, played.video_size) == ((6, 4), (15, 10))
    assert played.screen.get_size() == (15, 10)
    assert (played.pressed_keys, played.running) == (set(), True)


def test_a_game_takes_the_keys_of_the_environment() -> None:
    """If none are given."""
    assert game(Keyed(), keys_to_action=None).relevant_keys == {A, D}

    with pytest.raises(MissingKeysToAction):
        game(keys_to_action=None)


@pytest.mark.parametrize("mode", [None, "human", "ansi"])
def test_a_game_needs_frames(mode: str | None) -> None:
    """The error says which modes give them."""
    with pytest.raises(ValueError, match="rgb_array"):
        game(Walk(mode))


@pytest.mark.parametrize("zoom", [0, -1.0])
def test_a_zoom_is_positive(zoom: float) -> None:
    """There is no picture of no size."""
    with pytest.raises(ValueError, match="zoom"):
        game(zoom=zoom)


def test_events() -> None:
    """Keys that mean nothing are not followed; Escape and closing end the game."""
    played = game()
    for event in [*press(A, ord("x"), W), key(pygame.KEYUP, W), key(pygame.KEYUP, D)]:
        played.process_event(event)
    assert (played.pressed_keys, played.running) == ({A}, True)

    played.process_event(pygame.event.Event(pygame.QUIT))
    assert not played.running


@pytest.mark.parametrize(("window", "picture"), [((60, 80), (60, 40)), ((61, 20), (30, 20)), ((4, 4), (4, 3))])
def test_resizing_keeps_the_proportions(window: tuple[int, int], picture: tuple[int, int]) -> None:
    """The picture is the largest of its kind that fits, in whole pixels."""
    played = game()

    played.process_event(pygame.event.Event(pygame.WINDOWRESIZED, x=window[0], y=window[1]))

    assert played.video_size == picture


@pytest.mark.parametrize("transpose", [True, False])
def test_a_picture_lies_in_the_middle(transpose: bool) -> None:
    """What is not covered is black."""
    screen = pygame.Surface((8, 8))
    screen.fill((9, 9, 9))
    picture = np.full((4, 6, 3) if transpose else (6, 4, 3), 200, np.uint8)

    display_arr(screen, picture, (6, 4), transpose)

    shown = np.zeros((8, 8), np.uint8)
    shown[1:7, 2:6] = 200
    np.testing.assert_array_equal(pygame.surfarray.array3d(screen)[:, :, 0], shown)


@pytest.mark.parametrize("picture", [np.zeros((4, 6, 3)), [[0]]])
def test_a_picture_is_of_bytes(picture: Any) -> None:
    """Floats would be shown as noise."""
    with pytest.raises(AssertionError, match="uint8"):
        display_arr(pygame.Surface((8, 8)), picture, (6, 4), True)


def test_without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says so, instead of showing a game to nobody."""
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)

    with pytest.raises(UnsupportedMode):
        game()


def test_plots_show_the_latest_values() -> None:
    """As many as the horizon says, over the steps at which they came."""
    plot = PlayPlot(lambda before, after, action, reward, *_: [reward, after], 3, ["reward", "observation"])

    for t in range(5):
        plot.callback(t, t + 1, 0, 0.5 * t, False, False, {})

    assert [list(series) for series in plot.data] == [[1.0, 1.5, 2.0], [3, 4, 5]]
    assert (plot.t, plot.horizon_timesteps, plot.plot_names) == (5, 3, ["reward", "observation"])
    np.testing.assert_array_equal(plot.cur_plot[1].get_offsets(), [[2, 3], [3, 4], [4, 5]])
    assert [axis.get_title() for axis in plot.ax] == ["reward", "observation"]
    assert len(plot.fig.axes) == 2


def test_a_plot_takes_a_value_for_each_name() -> None:
    plot = PlayPlot(lambda *_: [1.0], 3, ["reward", "observation"])
    with pytest.raises(ValueError, match="2 plots, reward, observation, but its callback returned 1 values"):
        plot.callback(0, 1, 0, 0.5, False, False, {})
    assert plot.t == 0 and not plot.data[0]
