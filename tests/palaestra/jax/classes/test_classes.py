"""Ordinary classes under JAX: Python's episodes, in double precision on a CPU to 12 digits."""

from __future__ import annotations

import pickle
from functools import partial
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest
from jax import numpy as jnp

import gymnasium
import palaestra
from gymnasium.error import Error
from gymnasium.functional import FuncEnv
from gymnasium.spaces import Box, Discrete, Text
from gymnasium.vector import AutoresetMode
from palaestra.error import CannotCompile
from palaestra.jax import ClassRunner
from palaestra.jax.classes.vector_env import ClassJaxVectorEnv
from palaestra.language.jax.numbers import NotUnderJax
from tests.double_precision import enable_x64
from tests.palaestra.language.jax_machines import DIGITS
from tests.plain_zoo.things import ShelfEnv
from tests.plain_zoo.zoo import CASES, Case
from tests.thorough import THOROUGH

pytestmark = pytest.mark.usefixtures("little_optimised")

SHORTLY = ("MazeEnv", "RecallEnv", "FisheryEnv", "WalkEnv")
"""Those that `make test` runs, in one mode each."""
SINGLE = "courses-CartInPlaceEnv"
"""Its numbers are of float32."""
IDS = ("MountainCar-v0", "CliffWalking-v1")
if THOROUGH:
    IDS += (
        "CartPole-v1",
        "MountainCarContinuous-v0",
        "Pendulum-v1",
        "Acrobot-v1",
        "FrozenLake-v1",
        "Taxi-v4",
        "Blackjack-v1",
    )
OBJECTS, DEPTHS = "things", "depths"
"""The modules of classes with objects in lists, or whose methods call themselves, which no program of JAX has."""
FOLLOWED = [case for case in CASES if not case.name.startswith((OBJECTS, DEPTHS))]
ZOO = [case for case in FOLLOWED if THOROUGH or case.name.endswith(SHORTLY)]


def _batches(case: Case, mode: AutoresetMode, n: int) -> Any:
    name = f"{case.name}-v0"
    if name not in gymnasium.registry:
        gymnasium.register(name, entry_point=case.entry_point, max_episode_steps=case.max_episode_steps)
    kwargs = {"autoreset_mode": mode}
    return [gymnasium.make_vec(name, n, how, vector_kwargs=kwargs) for how in ("jax", "sync")]


def _assert_same(ours: Any, theirs: Any, where: str) -> None:
    """Dicts of ours may have more keys, of infos that no environment has."""
    if isinstance(theirs, dict):
        for key, value in theirs.items():
            if f"_{key}" in theirs and key != "final_info":
                there = np.asarray(theirs[f"_{key}"])
                _assert_same(_rows(ours[key], there), _stacked(value, there), f"{where}, {key}")
            else:
                _assert_same(ours[key], value, f"{where}, {key}")
    elif isinstance(theirs, tuple):
        for k, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            _assert_same(one, other, f"{where}, {k}")
    else:
        one, other = np.asarray(ours), np.asarray(theirs)
        other = other.astype(one.dtype) if one.dtype == np.float32 else other
        least = DIGITS[4 if where.startswith(SINGLE) else one.dtype.itemsize] if one.dtype.kind == "f" else 0
        assert one.shape == other.shape, where
        np.testing.assert_allclose(one, other, rtol=least, atol=least, err_msg=where)


def _rows(tree: Any, there: Any) -> Any:
    return jax.tree.map(lambda one: np.asarray(one)[there], tree)


def _stacked(values: Any, there: Any) -> Any:
    """The rows of a mask, as arrays: objects are observations of single environments."""
    rows = [values[i] for i in np.flatnonzero(there)]
    return jax.tree.map(lambda *parts: np.stack(parts), *rows) if rows else np.asarray(values)[there]


@pytest.mark.parametrize("case", ZOO, ids=lambda case: case.name)
def test_the_zoo_is_the_same_under_jax(case: Case) -> None:
    """The generator of each copy, too; the three modes take turns."""
    for mode in list(AutoresetMode) if THOROUGH else [list(AutoresetMode)[CASES.index(case) % 3]]:
        with enable_x64(True):
            ours, sync = _batches(case, mode, 5)
            sync.action_space.seed(7)
            _assert_same(ours.reset(seed=3), sync.reset(seed=3), f"{case.name}, reset")
            for t in range(120):
                actions = sync.action_space.sample()
                results = sync.step(actions)
                _assert_same(ours.step(actions), results, f"{case.name}, step {t}")
                over = results[2] | results[3]
                if mode is AutoresetMode.DISABLED and over.any():
                    options = {"reset_mask": over}
                    _assert_same(
                        ours.reset(options=options), sync.reset(options=options), f"{case.name}, reset after {t}"
                    )
            ours.close()
            sync.close()


@pytest.mark.parametrize("env_id", IDS)
def test_functional_ids_are_the_same_as_typed_programs(env_id: str) -> None:
    """Which is how dynamics run that JAX cannot trace."""
    spec = gymnasium.spec(env_id)
    with enable_x64(True):
        ours = ClassJaxVectorEnv(partial(_bare, env_id), 5, max_episode_steps=spec.max_episode_steps)
        sync = gymnasium.make_vec(env_id, 5, "sync")
        sync.action_space.seed(7)
        _assert_same(ours.reset(seed=3)[0], sync.reset(seed=3)[0], "reset")
        for t in range(250):
            actions = sync.action_space.sample()
            _assert_same(ours.step(actions)[:4], sync.step(actions)[:4], f"step {t}")


def _bare(env_id: str) -> Any:
    return gymnasium.make(env_id, max_episode_steps=-1, disable_env_checker=True).unwrapped


class Fraction(gymnasium.Env[Any, Any]):
    """It raises for an action of 2.0, and has a list that grows."""

    observation_space, action_space = Box(-1e9, 1e9, (1,), np.float64), Box(0, 3, (1,))

    def __init__(self, size: int = 3) -> None:
        self.size = size

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.x, self.seen = float(self.np_random.integers(self.size)), [0]
        return np.array([self.x]), {"x": self.x}

    def step(self, action: Any) -> Any:
        self.x += 1 / (2 - float(action[0]))
        self.seen.append(int(action[0]))
        return np.array([self.x]), self.x, self.x > 4, len(self.seen) > 9, {"count": len(self.seen)}


def _fractions(n: int = 3, **kwargs: Any) -> Any:
    if "Fraction-v0" not in gymnasium.registry:
        gymnasium.register("Fraction-v0", entry_point=Fraction)
    return gymnasium.make_vec("Fraction-v0", n, "jax", **kwargs)


def _moves(numbers: list[float]) -> Any:
    return np.array(numbers, np.float32)[:, None]


def test_what_an_environment_raises_the_next_call_raises() -> None:
    """It and those that raise nothing are as they should be."""
    envs = _fractions()
    start, _ = envs.reset(seed=0)
    stepped = envs.step(_moves([1, 2, 3]))
    assert stepped[0].tolist() == [[start[0, 0] + 1], [start[1, 0]], [start[2, 0] - 1]]
    assert stepped[1][1] == 0 and not stepped[2].any()
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        envs.step(_moves([1, 1, 1]))
    assert envs.step(_moves([1, 1, 1]))[0].tolist() == [[start[0, 0] + 2], [start[1, 0] + 1], [start[2, 0]]]


def test_moments_and_pickles_go_on_alike() -> None:
    envs = _fractions()
    envs.reset(seed=5)
    envs.step(_moves([0, 1, 1]))
    moment, other = envs.get_state(), pickle.loads(pickle.dumps(envs))
    moves = [_moves([k % 2, 3, 1]) for k in range(12)]
    first = [envs.step(one)[:4] for one in moves]
    envs.set_state(None, moment)
    for again in ([envs.step(one)[:4] for one in moves], [other.step(one)[:4] for one in moves]):
        for one, expected in zip(again, first, strict=True):
            assert all(np.array_equal(a, b) for a, b in zip(one, expected, strict=True))
    envs.set_state(2, envs.get_state(0))
    seen = envs.step(_moves([1, 1, 1]))[0]
    assert np.array_equal(seen[0], seen[2])


def test_results_have_the_bits_that_jax_is_configured_for() -> None:
    """States have those of Python."""
    envs = _fractions(size=5)
    observations, infos = envs.reset(seed=1)
    seen, rewards, terminations, _, later = envs.step(_moves([1, 1, 1]))
    found = [one.dtype.name for one in (observations, infos["x"], seen, rewards, terminations, later["count"])]
    assert found == ["float32"] * 4 + ["bool", "int32"]
    assert {leaf.dtype for leaf in envs.state.fields} == {np.dtype(np.float64), np.dtype(np.int64)}


def test_copies_run_within_a_scan_of_the_users_own() -> None:
    runner = ClassRunner(Fraction, 4, max_episode_steps=6, autoreset_mode="SameStep")

    @jax.jit
    def rollout(key: Any) -> Any:
        batch, *_ = runner.reset(key)
        return jax.lax.scan(lambda now, _: runner.step(now, jnp.ones((4, 1))), batch, None, length=20)

    batch, steps = rollout(jax.random.key(0))
    assert steps.rewards.shape == (20, 4) and (np.asarray(steps.rewards)[0] >= 1).all()
    assert steps.truncations.sum() + steps.terminations.sum() >= 12
    assert not np.asarray(batch.state.mark).any()
    assert len({*np.asarray(batch.state.stream)[:, 0].tolist()}) == 4


def test_an_environment_that_raised_stays_marked() -> None:
    """No limit ends its episode, and it takes no further step."""
    runner = ClassRunner(Fraction, 2, max_episode_steps=1, autoreset_mode="SameStep")
    step = jax.jit(runner.step)
    batch, observations, _ = jax.jit(runner.reset)(jax.random.key(0))
    for _ in range(2):
        batch, came = step(batch, jnp.array([[1.0], [2.0]]))
        assert came.truncations.tolist() == [True, False]
        assert batch.steps.tolist() == [0, 0] and (batch.state.mark != 0).tolist() == [False, True]
        assert came.observations[1] == observations[1] and came.rewards[1] == 0


class Sines(Fraction):
    """It has what JAX has no counterpart of."""

    def step(self, action: Any) -> Any:
        part = np.sin(np.array([self.x, 1.0, 2.0])[: int(action[0])])
        return np.array([part.sum()]), 0.0, False, False, {}


def test_a_class_that_cannot_run_is_refused_with_its_line() -> None:
    gymnasium.register("Sines-v0", entry_point=Sines)
    with pytest.raises(CannotCompile, match="lengths are found at run time") as caught:
        gymnasium.make_vec("Sines-v0", 2, "jax")
    assert caught.value.reasons[0].file == __file__ and caught.value.reasons[0].line > 1


class Words(Fraction):
    """What is seen is a text."""

    observation_space = Text(8)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        return "some", {}

    def step(self, action: Any) -> Any:
        return "few" if action[0] > 1 else "many", 0.0, False, False, {}


def test_texts_and_objects_in_lists_are_refused() -> None:
    for kind, reason in ((Words, "an observation that is a text"), (ShelfEnv, r"an object that is in a list.*Shape")):
        with pytest.raises(NotUnderJax, match=reason):
            ClassRunner(kind, 2)


def test_options_and_params_are_refused() -> None:
    envs = _fractions()
    with pytest.raises(Error, match="takes no reset options"):
        envs.reset(options={"size": 3})
    with pytest.raises(Error, match="constants as they are"):
        envs.set_params(None, {"size": 3})


def test_a_rollout_is_one_scan() -> None:
    """Its episodes are those of steps."""
    ours, other = _fractions(), _fractions()
    act = jax.jit(lambda observations: (jnp.abs(observations) % 1, {}))
    task = palaestra.rollout(ours, act, 15, start=ours.reset(seed=2)[0])
    observations, _ = other.reset(seed=2)
    rewards = []
    for _ in range(15):
        observations, earned, *_ = other.step(np.asarray(act(observations)[0]))
        rewards.append(np.asarray(earned))
    assert isinstance(task.rewards, jax.Array)
    np.testing.assert_allclose(task.rewards, np.stack(rewards), rtol=1e-6)


class Place(NamedTuple):
    """A place, and the number of jumps."""

    x: float
    jumps: int


class Jumps(FuncEnv[Any, Any, Any, Any, Any, Any, Any]):
    """Its functions branch on the state, loop, and draw at times."""

    observation_space, action_space = Box(-99, 99, (2,), np.float64), Discrete(3)

    @staticmethod
    def initial(rng: Any, params: Any = None) -> Place:
        return Place(rng.uniform(-1, 1), 0)

    @staticmethod
    def transition(state: Any, action: Any, rng: Any, params: Any = None) -> Place:
        x, jumps = state.x, state.jumps
        if x > 0:
            x -= 2 * rng.random()
        else:
            x += 1.5 if action == 2 else 0.5
        while jumps < 3 and x > 0.25:
            jumps += 1
            x -= 0.125
        return Place(x, jumps)

    @staticmethod
    def observation(state: Any, rng: Any, params: Any = None) -> Any:
        return np.array([state.x, state.jumps])

    @staticmethod
    def reward(state: Any, action: Any, next_state: Any, rng: Any, params: Any = None) -> float:
        return 1.0 if next_state.x > 0 else 0.0

    @staticmethod
    def terminal(state: Any, rng: Any, params: Any = None) -> bool:
        return state.x < -1.5


def test_dynamics_that_jax_cannot_trace_are_read() -> None:
    """They draw as in Python then."""
    gymnasium.register("Jumps-v0", func_env=Jumps, max_episode_steps=20)
    ours, sync = (gymnasium.make_vec("Jumps-v0", 4, how) for how in ("jax", "sync"))
    sync.action_space.seed(7)
    _assert_same(ours.reset(seed=3), sync.reset(seed=3), "reset")
    for t in range(60):
        actions = sync.action_space.sample()
        for one, other in zip(ours.step(actions)[:4], sync.step(actions)[:4], strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-6, atol=2e-6, err_msg=f"step {t}")
