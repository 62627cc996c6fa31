"""Snapshots of games with sticky frames go on with the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.envs.atari import sticky
from tests.ours import with_palaestra
from tests.thorough import THOROUGH

RESTORED = 60 if THOROUGH else 30

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("ALE/Pong-v5", {}),
    ("ALE/Pong-v5", {"continuous": True}),
    ("ALE/Breakout-v5", {"frameskip": 1, "repeat_action_probability": 0.6}),
    ("ALE/Breakout-v5", {"frameskip": (2, 5)}),
]


@with_palaestra
@pytest.mark.parametrize(("env_id", "arguments"), GAMES)
def test_a_restored_game_goes_on_with_the_same_bits(env_id: str, arguments: dict[str, Any]) -> None:
    import palaestra

    rng = np.random.default_rng(1)
    first, second = (gymnasium.make(env_id, **arguments) for _ in range(2))
    first.action_space.seed(1)
    first.reset(seed=1), second.reset(seed=2)
    for _ in range(RESTORED):
        palaestra.restore(second, palaestra.snapshot(first))
        if rng.random() < 0.1:
            np.testing.assert_array_equal(first.reset()[0], second.reset()[0])
        for _ in range(rng.integers(1, 12)):
            action = first.action_space.sample()
            one, other = first.step(action), second.step(action)
            np.testing.assert_array_equal(one[0], other[0])
            assert one[1:4] == other[1:4]
            if one[2] or one[3]:
                np.testing.assert_array_equal(first.reset()[0], second.reset()[0])
    first.close(), second.close()


class OfAnOlderEmulator:
    """A saved state as ale-py 0.11 pickles it."""

    def __init__(self, state: Any) -> None:
        self._state = state

    def __getstate__(self) -> tuple[bytes]:
        emulator = self._state.__getstate__()
        return emulator if isinstance(emulator, tuple) else (emulator,)


def test_older_emulators_wrap_their_saved_states(monkeypatch: pytest.MonkeyPatch) -> None:
    env: Any = gymnasium.make("ALE/Pong-v5").unwrapped
    env.reset(seed=1)
    env.step(2)
    expected, clone_state = env.get_state(), env.clone_state
    monkeypatch.setattr(env, "clone_state", lambda **how: OfAnOlderEmulator(clone_state(**how)))
    assert env.get_state() == expected


@pytest.mark.parametrize("later", [0, 1, 30, 623, 624, 700])
def test_draws_are_known_beyond_the_words_of_the_generator(later: int) -> None:
    generator = np.random.MT19937(4)
    drawn = generator.random_raw(2000 + later)
    state = generator.state["state"]
    text = b" ".join(b"%d" % word for word in (*state["key"].tolist(), state["pos"]))
    found = sticky.last_draws(text + b"|" + text, 500)
    np.testing.assert_array_equal(found, drawn[-500:])
    assert sticky.is_next_sticky(text + b"|" + text, 0.5) == (generator.random_raw() / 2**32 < 0.5)


def test_the_last_action_stands_in_for_one_that_cannot_be_found() -> None:
    actions = sticky.Actions(0.25)
    actions.add(0, 3)
    assert actions.held(4, b"a saved state of another form") == 3
