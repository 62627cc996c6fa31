"""Counting calls per second, with a clock that the test sets."""

from __future__ import annotations

from typing import Any

import pytest

from gymnasium.utils import performance
from gymnasium.utils.performance import benchmark_init, benchmark_render, benchmark_step, benchmark_vector_step
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from tests.checker_zoo.sound import Sound

STEP, RESET, RENDER, INIT = 1.0, 0.25, 2.0, 3.0


class Clock:
    """Time passes only in the environment."""

    now = 0.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(performance, "perf_counter", lambda: clock.now)
    return clock


def timed(clock: Clock, length: int = 4) -> Any:
    """An environment whose calls take known times, and whose episodes last `length` steps."""

    class Timed(Sound):
        resets = closes = 0

        def __init__(self, render_mode: str | None = "rgb_array") -> None:
            super().__init__(render_mode)
            clock.now += INIT

        def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            clock.now += RESET
            Timed.resets += 1
            return super().reset(seed=seed)

        def step(self, action: Any) -> Any:
            clock.now += STEP
            return super().step(action)

        def terminated(self) -> bool:
            return self.t >= length

        def observation(self) -> Any:
            return self.observation_space.low

        def render(self) -> Any:
            clock.now += RENDER
            return super().render()

        def close(self) -> None:
            Timed.closes += 1

    return Timed


def test_steps(clock: Clock) -> None:
    """Resets take time, and are no steps: 4 steps and a reset take 4.25 seconds."""
    assert benchmark_step(timed(clock)(), target_duration=8, seed=3) == 8 / (8 * STEP + 2 * RESET)


def test_renders(clock: Clock) -> None:
    """Only rendering is timed."""
    assert benchmark_render(timed(clock)(), target_duration=7) == 1 / RENDER


def test_constructions(clock: Clock) -> None:
    """With the first reset; each is closed again."""
    maker = timed(clock)

    assert benchmark_init(maker, target_duration=10, seed=1) == 1 / (INIT + RESET)
    assert maker.closes == maker.resets == 4


@pytest.mark.parametrize(
    ("mode", "steps", "time"),
    [
        # Two environments, episodes of two steps: two calls of steps, then one that only resets.
        (AutoresetMode.NEXT_STEP, 4, 4 * STEP + 2 * RESET),
        (AutoresetMode.SAME_STEP, 4, 4 * STEP + 2 * RESET),
        (AutoresetMode.DISABLED, 4, 4 * STEP + 2 * RESET),
    ],
)
def test_vector_steps(clock: Clock, mode: AutoresetMode, steps: int, time: float) -> None:
    """A row that was only reset is no step, in any mode."""
    env = SyncVectorEnv([lambda: timed(clock, 2)()] * 2, autoreset_mode=mode)

    assert benchmark_vector_step(env, target_duration=time - 0.01, seed=3) == steps / time


@pytest.mark.parametrize("duration", [-1, float("nan"), float("inf")])
def test_a_duration_is_finite(duration: float) -> None:
    """It would never end."""
    with pytest.raises(ValueError, match="target_duration"):
        benchmark_step(Sound(), target_duration=duration)
