"""`play`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, SupportsFloat, TypeAlias

from gymnasium.core import Env
from gymnasium.utils.play._game import PlayableGame, pygame
from gymnasium.utils.play._keys import Keys, actions_by_codes, keys_of

_DEFAULT_FPS = 30

PlayCallback: TypeAlias = Callable[[Any, Any, Any, SupportsFloat, bool, bool, dict[str, Any]], object]
"""`callback(observation, next_observation, action, reward, terminated, truncated, info)`."""


def play(
    env: Env,
    transpose: bool | None = True,
    fps: int | None = None,
    zoom: float | None = None,
    callback: PlayCallback | None = None,
    keys_to_action: dict[Keys, Any] | None = None,
    seed: int | None = None,
    noop: object = 0,
    wait_on_player: bool = False,
    *,
    start_on_key: bool = False,
) -> None:
    """Play an environment by keyboard, until Escape is pressed or the window closed. `env` stays open.

        play(gymnasium.make("CartPole-v1", render_mode="rgb_array"), keys_to_action={"a": 0, "d": 1}, noop=1)

    Args:
        env: The environment, with the render mode `"rgb_array"` or `"rgb_array_list"`.
        transpose: Whether its pictures have the shape (height, width, 3) instead of (width, height, 3).
        fps: Steps per second; None for the environment's `metadata["render_fps"]`, or 30.
        zoom: The initial size of the window relative to the pictures.
        callback: Called after each step with the observation before it and its results.
        keys_to_action: Keys to actions. A key is a character, a pygame key code, or several of them to be pressed at
            once, as a tuple or as a string; `()` is no key at all. None for the environment's suggestion,
            `get_keys_to_action()`.
        seed: The seed of every reset.
        noop: The action if no key, or a combination without an action, is pressed.
        wait_on_player: Whether to step only while a key is pressed.
        start_on_key: Palaestra only. Whether each episode waits for its first key, so that the player can get ready.

    Raises:
        TypeError: If `keys_to_action` is not a dict, or a key of it neither str nor int; or if `fps` is not an int.
        ValueError: If a key is empty, or an action not in the action space; if the render mode is another, or `zoom`
            is not positive; or if there are no keys and the environment has no spec.
        MissingKeysToAction: If no keys are defined.
        gymnasium.error.UnsupportedMode: If there is no display.
    """
    actions = _actions(env, keys_to_action)
    fps = _frames_per_second(env, fps)
    observation, _ = env.reset(seed=seed)
    game = PlayableGame(env, dict.fromkeys(actions), zoom)
    clock, over = pygame.time.Clock(), False
    waiting = wait_on_player or start_on_key
    tapped: list[Any] = []
    try:
        while game.running:
            if over:
                observation, _ = env.reset(seed=seed)
                over = False
                waiting = wait_on_player or start_on_key
                if start_on_key:
                    game.pressed_keys.clear()  # a key held since the last episode is not a first key
            elif not waiting or game.pressed_keys:
                waiting = wait_on_player
                action = actions.get(tuple(sorted(game.pressed_keys)), noop)
                before = observation
                observation, reward, terminated, truncated, info = env.step(action)
                over = terminated or truncated
                if callback is not None:
                    callback(before, observation, action, reward, terminated, truncated, info)
            for event in tapped:
                game.process_event(event)
            game.draw(transpose is not False)
            tapped = _process_events(game)
            clock.tick(fps)
    finally:
        pygame.display.quit()


def _process_events(game: PlayableGame) -> list[Any]:
    """Process the player's input; returns the releases of keys just pressed, which must first act once."""
    pressed: set[int] = set()
    tapped = []
    for event in pygame.event.get():
        if event.type == pygame.KEYUP and event.key in pressed:
            tapped.append(event)
        else:
            game.process_event(event)
        if event.type == pygame.KEYDOWN:
            pressed.add(event.key)
    return tapped


def _actions(env: Env, keys_to_action: dict[Keys, Any] | None) -> dict[tuple[int, ...], Any]:
    """Returns the action of each combination of key codes."""
    if keys_to_action is None and not env.has_wrapper_attr("get_keys_to_action") and env.spec is None:
        raise ValueError(f"{env} has neither a spec nor keys of its own; give `keys_to_action`, such as {{'a': 0}}")
    return actions_by_codes(env, keys_of(env) if keys_to_action is None else keys_to_action)


def _frames_per_second(env: Env, fps: int | None) -> int:
    if fps is None:
        return round(float(env.metadata.get("render_fps", _DEFAULT_FPS)))
    if isinstance(fps, bool) or not isinstance(fps, int):
        raise TypeError(f"fps must be an int, but {fps!r}, a {type(fps).__name__}, came")
    return fps
