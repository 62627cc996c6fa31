"""Contacts that machine code records: the same as Python's listener, and Python's again where somebody replaces it."""

from __future__ import annotations

import gc
from math import inf

import pytest

from gymnasium.envs.box2d import BipedalWalker, LunarLander
from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._stepping import switch
from gymnasium.envs.box2d.lunar_lander import ContactDetector


class Curious(ContactDetector):
    """Does as the original, and counts."""

    begun = 0

    def BeginContact(self, contact) -> None:  # noqa: N802  # the engine's name
        self.begun += 1
        super().BeginContact(contact)


class Broken(engine.ContactListener):
    def begin(self, one, other) -> None:
        raise ZeroDivisionError("in the middle of a step")


class Ghostly(engine.Box2D.b2ContactFilter):
    """Lets everything pass through everything."""

    asked = 0

    def ShouldCollide(self, one, other) -> bool:  # noqa: N802  # the engine's name
        self.asked += 1
        return False


def touched(env, steps, change=lambda env: None, at=5):
    """Each step's marks, observation and reward, where something is changed before one of them."""
    env.action_space.seed(0)
    env.reset(seed=0)
    rows = []
    for t in range(steps):
        if t == at:
            change(env)
        observation, reward, terminated, *_ = env.step(env.action_space.sample())
        feet = [body.ground_contact for body in env.legs if hasattr(body, "ground_contact")]
        rows.append((feet, env.game_over, observation.tobytes(), reward, terminated))
    return rows


def listening(listener):
    def change(env) -> None:
        env.world.contactListener = listener(env)

    return change


def without_collisions(env) -> None:
    env.world.contactFilter = env.ghosts = Ghostly()


@pytest.fixture
def both(monkeypatch):
    """Runs something by Python and by machine code."""

    def run(play):
        found = []
        for before in (inf, 0):
            monkeypatch.setattr(switch, "STEPS_BEFORE", before)
            found.append(play())
        return found

    return run


@pytest.mark.parametrize("make", [LunarLander, lambda: LunarLander(continuous=True), BipedalWalker])
@pytest.mark.parametrize("change", [listening(Curious), listening(lambda env: None), without_collisions])
def test_a_world_that_somebody_changed_goes_on_as_in_python(make, change, both) -> None:
    python, machine = both(lambda: touched(make(), 150, change))
    assert machine == python


@pytest.mark.parametrize("cls", [LunarLander, BipedalWalker])
def test_somebodys_listener_is_asked(cls, each_code) -> None:
    env = cls()
    touched(env, 150, listening(Curious))
    assert env.world.contactListener.begun > 0
    env = cls()
    touched(env, 150, without_collisions, at=0)
    assert cls is LunarLander or env.ghosts.asked > 0


@pytest.mark.parametrize("cls", [LunarLander, BipedalWalker])
def test_an_exception_of_a_listener_is_raised_by_the_step(cls, each_code) -> None:
    """The engine calls it in the middle of a step; from machine code, it would end the process."""
    with pytest.raises(ZeroDivisionError, match="middle"):
        touched(cls(), 300, listening(lambda env: Broken()))


@pytest.mark.parametrize("cls", [LunarLander, BipedalWalker])
def test_a_world_may_outlive_its_environment(cls, each_code) -> None:
    """And an environment its world; each has its own memory of contacts."""
    env = cls()
    touched(env, 20)
    old, marks = env.world, env._marks
    env.reset(seed=1)
    before, seen = env._marks.tolist(), set()
    for _ in range(200):
        engine.advance(old)
        seen.add(marks.tobytes())
    assert len(seen) > 1
    assert env._marks.tolist() == before
    other = cls()
    touched(other, 20)
    last = other.world
    del other, env
    gc.collect()
    for _ in range(200):
        engine.advance(last)
    last, old = None, last
    gc.collect()
    engine.advance(old)


def test_marks_that_somebody_sets_count(each_code) -> None:
    env = LunarLander()
    env.reset(seed=0)
    env.legs[1].ground_contact = True
    assert env.step(0)[0][6:].tolist() == [0.0, 1.0]
    env.game_over = True
    assert env.step(0)[1:3] == (-100.0, True)
