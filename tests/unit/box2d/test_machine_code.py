"""Machine code: the same bits as the engine and its bindings, whenever it takes over, and nothing where it cannot."""

from __future__ import annotations

import sys
from copy import copy
from math import inf, sin

import pytest

import gymnasium
from gymnasium.envs.box2d import BipedalWalker, CarRacing, LunarLander
from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine import vtable as native
from gymnasium.envs.box2d._engine.bindings import _Box2D
from gymnasium.envs.box2d._fast import switch as quickening
from gymnasium.envs.box2d._fast import trial
from gymnasium.envs.box2d.lunar_policy import heuristic
from gymnasium.error import DependencyNotInstalled
from tests.architecture.source import run_python

MAKERS = {
    "lander": LunarLander,
    "continuous lander": lambda: LunarLander(continuous=True, enable_wind=True),
    "walker": BipedalWalker,
    "hardcore walker": lambda: BipedalWalker(hardcore=True),
    "car": CarRacing,
}


@pytest.fixture
def code(monkeypatch):
    """The machine code; without the fixture's help, none of it would be used."""
    monkeypatch.setattr(quickening, "PATIENCE", inf)
    proven = quickening._proven()
    if proven is None:
        pytest.skip("the bindings' library does not name its symbols here")
    return proven


def played(env, steps, seed=1, after=inf, code=None):
    """All that an environment returns, where machine code is there from a step on."""
    env._find_code = lambda: code if len(rows) > after else None
    env.action_space.seed(seed)
    rows = []
    rows.append(env.reset(seed=seed)[0].tobytes())
    for _ in range(steps):
        observation, reward, terminated, *_ = env.step(env.action_space.sample())
        rows.append((observation.tobytes(), reward, type(reward), terminated))
        if terminated:
            rows.append(env.reset()[0].tobytes())
    return rows


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("seed", range(3))
def test_episodes_are_the_same(name, seed, code) -> None:
    """Run by machine code from the first step on, from some step on, or not at all."""
    steps = 30 if name == "car" else 600
    expected = played(MAKERS[name](), steps, seed)
    for after in (-1, 0, steps // 3):
        env = MAKERS[name]()
        assert played(env, steps, seed, after, code) == expected
        assert env._code is code


def landed_and_left_again(code):
    """What is seen of a lander that has come to rest, on one leg or two, and is then pushed by its engines."""
    env = LunarLander()
    env._find_code = lambda: code
    observation, _ = env.reset(seed=2)
    rows = []
    while env.lander.awake:
        observation, reward, *_ = env.step(heuristic(env, observation))
        rows.append((observation.tobytes(), reward))
    for action in [0, 2, 1, 2, 3] * 10:
        observation, reward, terminated, *_ = env.step(action)
        rows.append((observation.tobytes(), reward, terminated, env.lander.awake))
    return rows


def test_a_sleeping_lander_is_woken_by_its_engines(code) -> None:
    expected = landed_and_left_again(None)
    assert not expected[-50][3] and expected[-49][3]
    assert landed_and_left_again(code) == expected


def pendulum(limits, motor, code, steps=80):
    """A bar that hangs from another and swings against its limits, driven by a motor; where it was in each step."""
    world = engine.new_world((0, -10), engine.ContactListener())
    engine.Edges(friction=1.0).add(engine.add_ground(world), [(-5.0, 0.0), (5.0, 0.3)])
    box = engine.box(0.1, 0.3, density=1.0)
    bars = [engine.add_body(world, (0.1 * i, 1.6 - 0.6 * i), 0.3 * i, box) for i in range(2)]
    hinge = engine.motor_joint(*bars, ((0.0, -0.3), (0.0, 0.3)), limits or (0.0, 0.0), motor, 0.0)
    hinge.limitEnabled, hinge.motorEnabled = limits is not None, motor > 0
    if code is not None:
        code.take_over(world)
    places = []
    for t in range(steps):
        hinge.motorSpeed = 9.0 * sin(0.3 * t)
        engine.advance(world)
        places += [engine.motion(bar.this) for bar in bars]
        places += [hinge.GetReactionForce(50.0).tuple, hinge.GetReactionTorque(50.0), hinge.GetMotorTorque(50.0)]
    return places


@pytest.mark.parametrize("limits", [None, (-0.4, 0.2), (-3.0, 3.0), (0.1, 0.1)])
@pytest.mark.parametrize("motor", [0.0, 0.5, 400.0])
def test_a_hinge_moves_as_the_engines_own(limits, motor, code) -> None:
    """Free, at its lower and upper limit, or held fast; with no motor, a weak one and a strong one."""
    assert pendulum(limits, motor, code) == pendulum(limits, motor, None)


def test_it_takes_over_when_it_pays(monkeypatch, code) -> None:
    """Within an episode, and from the start in those after it."""
    monkeypatch.setattr(quickening, "PATIENCE", 20)
    monkeypatch.setattr(quickening, "_steps", 0)
    env = gymnasium.make("BipedalWalker-v3")
    env.reset(seed=0)
    for t in range(1, 31):
        env.step(env.action_space.sample())
        assert (env.unwrapped._code is code) == (t >= 20)
    assert quickening._steps == 20
    fresh = LunarLander()
    fresh.reset(seed=0)
    assert fresh._code is code


def test_who_looks_at_a_few_episodes_loads_nothing() -> None:
    program = """
import sys, gymnasium
env = gymnasium.make("LunarLander-v3")
env.reset(seed=0)
for _ in range(500):
    if any(env.step(env.action_space.sample())[2:4]):
        env.reset()
print("numba" in sys.modules)
"""
    assert run_python(program) == "False\n"


@pytest.fixture
def unproven(monkeypatch, code):
    """As in a process that has not looked for machine code yet, but wants it at once."""
    monkeypatch.setattr(quickening, "PATIENCE", 0)
    quickening._proven.cache_clear()
    yield
    quickening._proven.cache_clear()


def without_symbols(*_):
    raise ValueError("no such symbol")


def without_numba(*_):
    raise DependencyNotInstalled("Numba is missing")


@pytest.mark.parametrize("failure", [without_symbols, without_numba])
def test_without_it_the_bindings_go_on(failure, monkeypatch, unproven) -> None:
    from gymnasium.envs.box2d._fast import machine_code

    monkeypatch.setattr(machine_code, "MachineCode", failure)
    env = BipedalWalker()
    env.reset(seed=0)
    env.step(env.action_space.sample())
    assert env._code is None


def test_where_nothing_can_be_kept_it_is_compiled_for_this_process(monkeypatch, code) -> None:
    from gymnasium.envs.box2d._fast import machine_code

    kept = machine_code.module_of
    tried = []

    def full(source, content, names, keep):
        tried.append(keep)
        if keep:
            raise OSError(28, "No space left on device")
        return kept(source, content, names, keep)

    monkeypatch.setattr(machine_code, "module_of", full)
    assert trial.agrees(machine_code.MachineCode())
    assert tried == [True, False]


def test_a_numba_that_compiles_nothing_is_no_error(monkeypatch, unproven) -> None:
    from gymnasium.envs.box2d._fast import machine_code

    monkeypatch.setattr(machine_code.CONFIG, "DISABLE_JIT", True)
    env = LunarLander()
    env.reset(seed=0)
    assert env._code is None


def test_a_numba_that_fails_is_warned_of_and_training_goes_on(monkeypatch, unproven) -> None:
    from gymnasium.envs.box2d._fast import machine_code

    def failing(*_):
        raise machine_code.NumbaError("no such operation")

    monkeypatch.setattr(machine_code, "_compiled", failing)
    env = LunarLander()
    with pytest.warns(UserWarning, match="no such operation"):
        env.reset(seed=0)
    assert env._code is None


def test_machine_code_that_gives_other_numbers_is_not_used(monkeypatch, unproven) -> None:
    monkeypatch.setattr(trial, "agrees", lambda _: False)
    env = LunarLander()
    env.reset(seed=0)
    assert env._code is None


def test_the_trial_notices_what_is_wrong(monkeypatch, code) -> None:
    assert trial.agrees(code)
    twisted = copy(code)
    twisted.drive = lambda words, *move: code.drive(words, *reversed(move))
    assert not trial.agrees(twisted)


def test_a_table_needs_every_function_once() -> None:
    with pytest.raises(ValueError, match="once"):
        native.Table(_Box2D, "_ZTV15b2RevoluteJoint", {"_ZN7b2World4StepEfii": 0})


@pytest.mark.skipif(sys.platform != "linux", reason="only there is it known that the library names its symbols")
def test_there_is_machine_code_here() -> None:
    assert quickening._proven() is not None
