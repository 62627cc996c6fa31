"""The parts of a watched training: sums of episodes, the clock, and tiles drawn from states."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gymnasium
from gymnasium.rendering.pixels import reduced
from palaestra.randomization import RandomizeParams, Uniform
from palaestra.randomization.vector import RandomizeParams as VectorRandomizeParams
from palaestra.studio.training.clock import Clock
from palaestra.studio.training.episodes import Ended
from palaestra.studio.training.painting import WIDEST, painted, painter
from palaestra.studio.training.tile_sources import source_of


@given(st.lists(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9), min_size=1, max_size=20))
def test_summaries_are_those_of_all_numbers(parts: list[list[float]]) -> None:
    ended, everything = Ended(), [one for part in parts for one in part]
    for part in parts:
        ended.add(np.array(part), np.ones(len(part)))
    summary = ended.summary()

    assert summary["returns"][0] == summary["episodes"] == len(everything)
    assert summary["returns"][2] == pytest.approx(min(everything), rel=1e-4, abs=1e-5)
    assert summary["returns"][6] == pytest.approx(max(everything), rel=1e-4, abs=1e-5)
    assert summary["returns"][1] == pytest.approx(np.mean(everything), rel=1e-4, abs=1)
    assert ended.summary()["returns"] is None


def test_very_many_episodes_take_little_memory() -> None:
    ended = Ended()
    for k in range(100):
        ended.add(np.full(1000, float(k)), np.ones(1000))
    assert sum(len(part) for part in ended._returns._parts) <= 41_000

    summary = ended.summary()
    assert summary["returns"][:3] == [100_000, 49.5, 0.0]
    assert summary["mean"] == 99.0


def test_the_clock_tells_learning_by_its_pauses() -> None:
    clock = Clock()
    now = clock.ended
    for k in range(200):
        pause = 1.0 if k % 50 == 49 else 0.01
        clock.note_step(now + pause, now + pause + 0.1)
        now += pause + 0.1

    environments, policy, together, learned = clock.taken()
    assert environments == pytest.approx(20.0, rel=0.01)
    assert (together, learned) == (0, pytest.approx(4.0, rel=0.05))
    assert policy == pytest.approx(2.0, rel=0.05)


SOURCES = ["CartPole-v1", "LunarLander-v3:sync", "CartPole-v1:sync", "CartPole-v1:one", "LunarLander-v3:one"]
SOURCES += ["InvertedPendulum-v5", "InvertedPendulum-v5:one"]
DRAWN = ["CartPole-v1: drawn", "phys2d/CartPole-v1:jax drawn", "CartPole-v1:one drawn"]  # with params of their own


def made(name: str, **kwargs: Any) -> Any:
    env_id, _, how = name.partition(":")
    runner, _, drawn = how.partition(" ")
    length = {"length": Uniform(0.1, 1.0)} if drawn else {}
    if runner == "one":
        env = gymnasium.make(env_id, **kwargs)
        return RandomizeParams(env, **length) if drawn else env
    envs = gymnasium.make_vec(env_id, 3, vectorization_mode=runner or None, **kwargs)
    return VectorRandomizeParams(envs, **length) if drawn else envs


@pytest.mark.parametrize("name", SOURCES)
def test_tiles_are_what_the_environments_would_draw(name: str) -> None:
    """Their states are drawn by others: to the same pixels, or by those who draw smaller, nearly to those of tiles."""
    envs, seen = made(name), made(name, render_mode="rgb_array")
    for each in (envs, seen):
        each.action_space.seed(1)
        each.reset(seed=4)
        for _ in range(5):
            each.step(each.action_space.sample())

    source = source_of(envs, 1 if ":one" in name else 2)
    assert source is not None
    artist = painter(source.kind, pickle.dumps(source.made_of), 2)
    frames = artist.draw(pickle.loads(pickle.dumps(list(source.states()))), WIDEST)

    expected = [seen.render()] if ":one" in name else list(seen.render())[:2]
    assert len(frames) == len(expected)
    for frame, whole in zip(frames, expected, strict=True):
        if frame.shape == whole.shape:
            assert np.mean(frame != whole) < 0.02  # sparks and flames are no part of a state
        else:
            small = reduced(whole, frame.shape[1::-1])
            assert np.abs(frame.astype(int) - small).mean() < 4
            assert frame.shape[1] <= WIDEST
    layout, jpeg = painted(frames)
    assert jpeg[:2] == b"\xff\xd8"
    assert layout["width"] <= 320
    for each in (envs, seen, artist):
        each.close()


@pytest.mark.parametrize("name", DRAWN)
def test_tiles_show_the_params_of_each_environment(name: str) -> None:
    envs = made(name, render_mode="rgb_array")
    envs.reset(seed=1)
    count = 1 if ":one" in name else 2
    source = source_of(envs, count)
    assert source is not None
    artist = painter(source.kind, pickle.dumps(source.made_of), count)
    envs.reset(seed=4)
    states = pickle.loads(pickle.dumps(list(source.states())))

    frames, usual = (artist.draw(each, WIDEST) for each in (states, [(state, None) for state, _ in states]))
    whole = [envs.render()] if count == 1 else list(envs.render())[:count]
    for frame, other, picture in zip(frames, usual, whole, strict=True):
        near, far = (np.abs(one.astype(int) - reduced(picture, one.shape[1::-1])).mean() for one in (frame, other))
        assert near < far - 0.05
    for each in (envs, artist):
        each.close()


def test_the_state_of_one_is_that_of_its_snapshot() -> None:
    """And is there only once an episode has begun."""
    envs: Any = gymnasium.make_vec("CartPole-v1", 3)
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.state_of(0)
    envs.reset(seed=1)
    with pytest.raises(IndexError):
        envs.state_of(3)
    for i in range(3):
        assert envs.state_of(i) == envs.get_state(i).environment.state
