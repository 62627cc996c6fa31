"""Machine code: the same bits as the engine and its bindings, whenever it takes over, and nothing where it cannot."""

from __future__ import annotations

import ctypes
import sys
from functools import partial
from math import inf, nan, sin

import numpy as np
import pytest

import gymnasium
from gymnasium.envs.box2d import BipedalWalker, CarRacing, LunarLander
from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine import builds, library, offsets, vtable
from gymnasium.envs.box2d._engine.bindings import _Box2D
from gymnasium.envs.box2d._stepping import layout, switch
from gymnasium.envs.box2d.lunar_policy import heuristic
from gymnasium.error import DependencyNotInstalled
from gymnasium.logger import INFO, at_level
from palaestra.cli.doctor import OPTIONAL
from tests.architecture.source import run_python

MAKERS = {
    "lander": LunarLander,
    "continuous lander": lambda: LunarLander(continuous=True, enable_wind=True),
    "walker": BipedalWalker,
    "hardcore walker": lambda: BipedalWalker(hardcore=True),
    "car": CarRacing,
}


CLASSES = [LunarLander, BipedalWalker, CarRacing]


@pytest.fixture
def code_of(monkeypatch):
    """The machine code of an environment; without this function, none of it would be used."""
    monkeypatch.setattr(switch, "STEPS_BEFORE", inf)

    def found(env):
        code = switch._tried(env._program)
        if code is None:
            pytest.skip("the bindings' library does not name its symbols here")
        return code

    return found


def played(env, steps, seed=1, after=inf, code=None):
    """All that an environment returns, where machine code is there from a step on."""
    rows = []
    env._find_code = lambda: code if len(rows) > after else None
    return played_on(env, steps, seed, rows)


def played_on(env, steps, seed, rows):
    """The same, with `rows` to append to, where the environment looks for machine code as it does for its users."""
    env.action_space.seed(seed)
    rows.append(env.reset(seed=seed)[0].tobytes())
    for _ in range(steps):
        observation, reward, terminated, *_ = env.step(env.action_space.sample())
        rows.append((observation.tobytes(), reward, type(reward), terminated))
        if terminated:
            rows.append(env.reset()[0].tobytes())
    return rows


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("seed", range(3))
def test_episodes_are_the_same(name, seed, code_of) -> None:
    """Run by machine code from the first step on, from some step on, or not at all."""
    steps = 30 if name == "car" else 600
    expected = played(MAKERS[name](), steps, seed)
    for after in (-1, 0, steps // 3):
        env = MAKERS[name]()
        code = code_of(env)
        assert played(env, steps, seed, after, code) == expected
        assert env._code is code


def test_unused_bytes_of_a_world_change_nothing(code_of) -> None:
    """Those behind the size of an entry of its stack hold what the memory held before."""

    def seen(code):
        env = LunarLander()
        env._find_code = lambda: code
        env.action_space.seed(3)
        rows = [env.reset(seed=3)[0].tobytes()]
        for entry in range(32):
            place = int(env.world.this) + offsets.WORLD_STACK_BYTE + 8 * offsets.ENTRY_WORDS_64 * entry
            ctypes.memset(place + 13, 0xFF, 3)
        for _ in range(150):
            observation, reward, terminated, *_ = env.step(env.action_space.sample())
            rows.append((observation.tobytes(), reward, terminated))
        return rows

    assert seen(code_of(LunarLander)) == seen(None)


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


def test_a_sleeping_lander_is_woken_by_its_engines(code_of) -> None:
    expected = landed_and_left_again(None)
    assert not expected[-50][3] and expected[-49][3]
    assert landed_and_left_again(code_of(LunarLander)) == expected


def thrown(make, code, throws):
    """What is seen of a body that is thrown about, so that it meets the ground fast, spinning, and at all angles."""
    env = make()
    env._find_code = lambda: code
    rng = np.random.default_rng(5)
    rows = []
    for k in range(throws):
        if k % 10 == 0:
            rows.append(env.reset(seed=k)[0].tobytes())
        for body in env.world.bodies[1:]:
            body.linearVelocity = tuple(rng.uniform(-40, 40, 2) * rng.random())
            body.angularVelocity = rng.uniform(-60, 60) * rng.random()
        for _ in range(8):
            observation, reward, *_ = env.step(env.action_space.low if k % 2 else env.action_space.high)
            rows.append((observation.tobytes(), reward, env._marks.tolist()))
    return rows


@pytest.mark.parametrize(
    "make", [partial(LunarLander, continuous=True), BipedalWalker, partial(BipedalWalker, hardcore=True)]
)
def test_what_is_thrown_at_the_ground_does_not_pass_through_it(make, code_of) -> None:
    """Impacts within a step are those of the engine, which machine code asks unless there is surely none."""
    code = code_of(make.func if isinstance(make, partial) else make)
    assert thrown(make, code, 40) == thrown(make, None, 40)


def dropped(place, angle, ends, advance):
    """Where a spinning box is that is thrown down at an edge of the ground."""
    rng = np.random.default_rng(3)
    rows = []
    for _ in range(200):
        world = engine.new_world((0, -10), engine.ContactListener())
        engine.Edges(friction=0.5).add(engine.add_ground(world), [(place + x, x / 5) for x in ends])
        at = (place + rng.uniform(-1, 1), rng.uniform(0.5, 2))
        box = engine.add_body(world, at, angle * rng.uniform(-1, 1), engine.box(0.5, 0.2, density=1.0))
        box.linearVelocity = (rng.uniform(-20, 20), rng.uniform(-40, 0))
        box.angularVelocity = rng.uniform(-60, 60)
        for _ in range(8):
            advance(world)
            rows.append(engine.motion(box.this))
    return rows


@pytest.mark.parametrize(
    ("place", "angle", "ends"),
    [(0.0, 1.0, (-3.0, 3.0)), (0.0, 1.0, (0.0, 0.0)), (2.0**19, 1.0, (-3.0, 3.0)), (0.0, 1e6, (-3.0, 3.0))],
    ids=["usual", "an edge without length", "numbers with few digits behind the point", "many turns"],
)
def test_impacts_are_those_of_the_engine_wherever_it_rounds(place, angle, ends, code_of) -> None:
    from palaestra.box2d import compilation, island  # which need llvmlite

    workspace = code_of(CarRacing).workspace
    simulate = compilation.entry_point(island.simulate).call
    found = dropped(place, angle, ends, lambda world: simulate(int(world.this), workspace))
    assert found == dropped(place, angle, ends, engine.advance)


def pendulum(limits, motor, code, steps=80):
    """A bar that hangs from another and swings against its limits, driven by a motor; where it was in each step."""
    world = engine.new_world((0, -10), engine.ContactListener())
    engine.Edges(friction=1.0).add(engine.add_ground(world), [(-5.0, 0.0), (5.0, 0.3)])
    box = engine.box(0.1, 0.3, density=1.0)
    bars = [engine.add_body(world, (0.1 * i, 1.6 - 0.6 * i), 0.3 * i, box) for i in range(2)]
    hinge = engine.Hinge(((0.0, -0.3), (0.0, 0.3)), limits or (0.0, 0.0), motor, 0.0).join(*bars)
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
def test_a_hinge_moves_as_the_engines_own(limits, motor, code_of) -> None:
    """Free, at its lower and upper limit, or held fast; with no motor, a weak one and a strong one."""
    assert pendulum(limits, motor, code_of(CarRacing)) == pendulum(limits, motor, None)


def test_it_takes_over_when_it_pays(monkeypatch, code_of) -> None:
    """Within an episode, and from the start in those after it."""
    walking, landing = code_of(BipedalWalker), code_of(LunarLander)
    monkeypatch.setattr(switch, "STEPS_BEFORE", 20)
    monkeypatch.setattr(switch, "_steps", 0)
    env = gymnasium.make("BipedalWalker-v3")
    env.reset(seed=0)
    for t in range(1, 31):
        env.step(env.action_space.sample())
        assert (env.unwrapped._code is walking) == (t >= 20)
    assert switch._steps == 20
    fresh = LunarLander()
    fresh.reset(seed=0)
    assert fresh._code is landing


def test_who_looks_at_a_few_episodes_loads_nothing() -> None:
    program = """
import sys, gymnasium
env = gymnasium.make("LunarLander-v3")
env.reset(seed=0)
for _ in range(500):
    if any(env.step(env.action_space.sample())[2:4]):
        env.reset()
print("llvmlite" in sys.modules)
"""
    assert run_python(program) == "False\n"


@pytest.fixture
def untried(monkeypatch, code_of):
    """As in a process that has not looked for machine code yet, but wants it at once."""
    compilation = pytest.importorskip("palaestra.box2d.compilation")
    monkeypatch.setattr(switch, "STEPS_BEFORE", 0)
    caches = [switch._tried, compilation._hinge_table, compilation._contact_table, library.is_known, vtable._silent]
    for cache in caches:
        cache.cache_clear()
    yield compilation
    for cache in caches:
        cache.cache_clear()


def without_symbols(*_):
    raise ValueError("no such symbol")


def without_llvmlite(*_):
    raise DependencyNotInstalled("llvmlite is missing")


@pytest.mark.parametrize("failure", [without_symbols, without_llvmlite])
def test_without_it_the_bindings_go_on(failure, monkeypatch, untried) -> None:
    monkeypatch.setattr(untried, "compiled", failure)
    env = BipedalWalker()
    env.reset(seed=0)
    env.step(env.action_space.sample())
    assert env._code is None


def test_on_a_processor_without_machine_code_the_bindings_go_on(monkeypatch, untried) -> None:
    def unsupported(*_):
        raise untried.NotSupported("there is no such instruction")

    monkeypatch.setattr(untried, "machine_of", unsupported)
    env = LunarLander()
    env.reset(seed=0)
    assert env._code is None


def test_an_exception_is_raised_in_machine_code_as_in_python(code_of) -> None:
    """A walker that is nowhere has no piece of the ground below it."""

    def lost(code):
        env = BipedalWalker()
        env._find_code = lambda: code
        env.reset(seed=0)
        env.hull.position = (nan, 5.0)
        with pytest.raises(ValueError):
            env._stepper.after()

    lost(code_of(BipedalWalker))
    lost(None)


@pytest.mark.parametrize("cls", CLASSES)
def test_machine_code_that_gives_other_numbers_is_not_used(cls, monkeypatch, untried) -> None:
    """Whichever function gives them; a hinge or a listener is one that does nothing."""
    whole = untried.compiled(cls._program())
    lazy = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(lambda this, argument: None)
    address = ctypes.cast(lazy, ctypes.c_void_p).value
    wrong = [whole._replace(hinges=vtable.Table(_Box2D, untried._HINGE, {untried._SOLVE: address}))]
    if cls is not CarRacing:  # whose listener stays in Python
        for report in (untried._BEGIN, untried._END):
            wrong.append(whole._replace(contacts=vtable.Table(_Box2D, untried._LISTENER, {report: address})))
    for name, kernel in whole.functions.items():
        wrong.append(whole._replace(functions={**whole.functions, name: twisted(kernel)}))
    for code in (whole, *wrong):
        switch._tried.cache_clear()
        monkeypatch.setattr(untried, "compiled", lambda _, code=code: code)
        env = cls()
        env.reset(seed=0)
        assert (env._code is whole) == (code is whole)


def twisted(kernel):
    """The kernel with a little more in its results; or, for `add_edges`, at the last point's height."""

    def wrong(*arguments):
        if len(arguments) > 1:
            *first, points, shapes, count = arguments
            return kernel.call(*first, points + 0.01, shapes, count)
        failure = kernel.call(*arguments)
        rewards = ctypes.c_double.from_address(int(arguments[0][layout.REWARDS]))
        rewards.value += 0.01
        return failure

    return kernel._replace(call=wrong)


@pytest.mark.parametrize("fake", [{"VERSION": (2, 4, 1)}, {"POINTER_BITS": 32}])
@pytest.mark.parametrize("cls", CLASSES)
def test_an_unknown_engine_is_named_once_and_the_bindings_run_it(cls, fake, monkeypatch, untried) -> None:
    """With the same results. No address in the engine is used: neither for machine code, nor for its listeners."""
    expected = played(cls(), 30)
    for name, value in fake.items():
        monkeypatch.setattr(offsets, name, value)
    for cache in (library.is_known, vtable._silent):
        cache.cache_clear()
    for place, name in ((untried, "compiled"), (vtable, "Table")):
        monkeypatch.setattr(place, name, None)
    with pytest.warns(UserWarning) as warnings:
        assert [played_on(cls(), 30, 1, []) for _ in range(2)] == [expected] * 2
    told = [one for one in warnings if "version 2.3.0 of Box2D's engine" in str(one.message)]
    assert len(told) == 1


@pytest.mark.parametrize("cls", CLASSES)
def test_a_build_that_is_not_known_runs_without_machine_code(cls, monkeypatch, untried) -> None:
    """As it is: neither are addresses in it used, nor its listeners changed; `info` says so, and `doctor`."""
    expected = played(cls(), 30)
    monkeypatch.setattr(builds, "KNOWN", {})
    for cache in (library.is_known, vtable._silent):
        cache.cache_clear()
    for place, name in ((untried, "compiled"), (vtable, "Table")):
        monkeypatch.setattr(place, name, None)
    with at_level(INFO), pytest.warns(UserWarning) as lines:
        assert played_on(cls(), 30, 1, []) == expected
    assert ["not one of the known builds of Box2D" in str(line.message) for line in lines].count(True) == 1
    (row,) = [one.row() for one in OPTIONAL if one.distribution == "box2d"]
    assert "without machine code" in row[2]


def test_this_build_is_known_to_doctor() -> None:
    (row,) = [one.row() for one in OPTIONAL if one.distribution == "box2d"]
    assert (row[2] == "") == library.is_known(_Box2D)


def test_a_table_needs_every_function_once() -> None:
    with pytest.raises(ValueError, match="once"):
        vtable.Table(_Box2D, "_ZTV15b2RevoluteJoint", {"_ZN7b2World4StepEfii": 0})


@pytest.mark.skipif(sys.platform != "linux", reason="only there is it known that the library names its symbols")
def test_there_is_machine_code_here() -> None:
    assert all(switch._tried(cls._program) is not None for cls in CLASSES)
