"""The engine's reports that are kept from Python: who still gets them, and that nothing else depends on it."""

from __future__ import annotations

import _ctypes
from types import ModuleType

import pytest

from gymnasium.envs.box2d import BipedalWalker, LunarLander
from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine import vtable
from gymnasium.envs.box2d._engine.bindings import Box2D, _Box2D


class Counter(engine.ContactListener):
    """Counts what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = self.ended = 0

    def begin(self, one, other) -> None:
        self.begun += 1

    def end(self, one, other) -> None:
        self.ended += 1


class Attentive(Counter):
    """Also wants what is not asked for otherwise."""

    solved = 0

    def PreSolve(self, contact, old_manifold) -> None:  # noqa: N802  # the engine's name
        self.solved += 1


def fallen(listener, steps=60):
    """A box has fallen on the ground, and is lifted from it again."""
    world = engine.new_world((0, -10), listener)
    engine.Edges().add(engine.add_ground(world), [(-5.0, 0.0), (5.0, 0.0)])
    body = engine.add_body(world, (0.0, 1.0), 0.1, engine.box(0.3, 0.3, density=1.0))
    for _ in range(steps):
        engine.advance(world)
    place = engine.motion(body.this)
    body.position, body.awake = (0.0, 9.0), True
    engine.advance(world)
    return place


def played(env, steps):
    env.action_space.seed(1)
    rows = [env.reset(seed=1)[0].tobytes()]
    for _ in range(steps):
        observation, reward, terminated, *_ = env.step(env.action_space.sample())
        rows.append((observation.tobytes(), reward, terminated))
        if terminated:
            rows.append(env.reset()[0].tobytes())
    return rows


@pytest.mark.parametrize("make", [LunarLander, BipedalWalker, lambda: BipedalWalker(hardcore=True)])
def test_episodes_are_the_same_where_reports_cannot_be_silenced(make, monkeypatch) -> None:
    here = played(make(), 200)
    monkeypatch.setattr(vtable, "silence", lambda listener, bindings: False)
    assert played(make(), 200) == here


def test_contacts_that_begin_and_end_are_still_told() -> None:
    listener = Counter()
    fallen(listener)
    assert listener.begun > 0
    assert listener.begun == listener.ended


def test_a_listener_that_wants_the_reports_gets_them() -> None:
    listener = Attentive()
    assert fallen(listener) == fallen(Counter())
    assert listener.solved > 0


def test_a_silenced_listener_is_not_called_between(monkeypatch) -> None:
    if vtable._silent(_Box2D) is None:
        pytest.skip("the bindings' library does not name its symbols here")
    listener, calls = Counter(), []
    monkeypatch.setattr(Counter, "PreSolve", lambda *report: calls.append(report), raising=False)
    fallen(listener)
    assert listener.begun > 0
    assert calls == []


def test_a_listener_of_another_kind_is_left_alone() -> None:
    """Silenced already, or with a library that is not the engine's, or none at all."""
    listener = Counter()
    assert not vtable.silence(listener, _Box2D)
    for file in (_ctypes.__file__, "/nowhere.so"):
        stranger = ModuleType("stranger")
        stranger.__file__ = file
        assert not vtable.silence(Box2D.b2ContactListener(), stranger)
    fallen(listener)
    assert listener.begun > 0
