"""Whatever was going on when a snapshot was taken goes on from it: the same actions give the same bits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gymnasium
import palaestra
from docs._tools.atari import register as register_games
from gymnasium import Env, make, make_vec, wrappers
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from palaestra import Snapshot, restore, snapshot
from palaestra.error import CannotSnapshot
from tests.architecture.source import ROOT
from tests.contracts.test_states import IDS
from tests.contracts.test_wrapper_laws import assert_same, vector_outside
from tests.wrapper_zoo import CASES, VECTOR_CASES, Case, register_toys

COMPILED = ["CartPole-v1", "Pendulum-v1", "Blackjack-v1", "FrozenLake-v1", "Taxi-v4"]
RUNNERS = ["sync", "async", "compiled"]

every_mode = pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.name)


@pytest.fixture(autouse=True)
def _toys() -> None:
    register_toys()


def played(env: Any, seed: int, steps: int) -> list[Any]:
    """What comes of random actions; episodes that end are followed by others, and some resets come in between."""
    env.action_space.seed(seed)
    results: list[Any] = []
    for t in range(steps):
        result = env.step(env.action_space.sample())
        results.append(result)
        done = np.asarray(result[2]) | result[3]
        if done.ndim == 0:
            if done:
                results.append(env.reset())
        elif env.metadata["autoreset_mode"] is AutoresetMode.DISABLED and done.any():
            results.append(env.reset(options={"reset_mask": done}))
        elif t % 11 == 5:
            results.append(env.reset(options={"reset_mask": np.arange(len(done)) % 3 == 0}))
    return results


def assert_goes_on(make_one: Any, path: Path, ignored: tuple[str, ...] = ()) -> None:
    """A moment is gone back to in the same object and, from a file, in another."""
    first, second = make_one(), make_one()
    first.reset(seed=3)
    played(first, 1, 13)
    kept = snapshot(first)
    kept.save(path)
    expected = played(first, 2, 25)

    restore(first, kept)
    again = played(first, 2, 25)
    loaded = Snapshot.load(path)
    restore(second, loaded)
    elsewhere = played(second, 2, 25)

    assert loaded == kept
    for found in (again, elsewhere):
        assert len(found) == len(expected)
        for ours, theirs in zip(found, expected, strict=True):
            assert_same(ours, theirs, ignored)
    first.close(), second.close()


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*out of date")
@pytest.mark.parametrize("env_id", IDS)
def test_environments(env_id: str, tmp_path: Path) -> None:
    assert_goes_on(lambda: make(env_id), tmp_path / "moment.npz")


def test_atari(tmp_path: Path) -> None:
    pytest.importorskip("ale_py")
    register_games()
    assert_goes_on(lambda: make("ALE/Breakout-v5", repeat_action_probability=0.25), tmp_path / "moment.npz")


def test_jax(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    for n in (None, 3):
        assert_goes_on(
            lambda n=n: make("tabular/CliffWalking-v0") if n is None else make_vec("tabular/CliffWalking-v0", n),
            tmp_path / "moment.npz",
        )


@pytest.mark.parametrize("case", [case for case in CASES if not case.env_id.startswith("zoo/Game")], ids=str)
def test_wrappers(case: Case, tmp_path: Path) -> None:
    assert_goes_on(case.wrapped, tmp_path / "moment.npz", case.ignored)


@every_mode
@pytest.mark.parametrize("case", VECTOR_CASES, ids=str)
def test_vector_wrappers(case: Case, mode: AutoresetMode, tmp_path: Path) -> None:
    assert_goes_on(lambda: vector_outside(case, mode), tmp_path / "moment.npz", case.ignored)


def batch(env_id: str, runner: str, mode: AutoresetMode, n: int = 4) -> VectorEnv[Any, Any, Any]:
    vectorization = None if runner == "compiled" else runner
    return make_vec(env_id, n, vectorization_mode=vectorization, vector_kwargs={"autoreset_mode": mode})


@every_mode
@pytest.mark.parametrize("runner", RUNNERS)
@pytest.mark.parametrize("env_id", [*COMPILED[:3], "Hopper-v5", "LunarLander-v3"])
def test_batches(env_id: str, runner: str, mode: AutoresetMode, tmp_path: Path) -> None:
    assert_goes_on(lambda: batch(env_id, runner, mode), tmp_path / "moment.npz")


@every_mode
@pytest.mark.parametrize("env_id", COMPILED)
def test_one_runner_goes_on_where_another_was(env_id: str, mode: AutoresetMode) -> None:
    moments, futures = {}, {}
    for runner in RUNNERS:
        envs = batch(env_id, runner, mode)
        envs.reset(seed=1)
        played(envs, 1, 17)
        moments[runner] = snapshot(envs)
        futures[runner] = played(envs, 2, 30)
        envs.close()
    for source in RUNNERS:
        for target in RUNNERS:
            envs = batch(env_id, target, mode)
            restore(envs, moments[source])
            for ours, theirs in zip(played(envs, 2, 30), futures[source], strict=True):
                assert_same(ours, theirs, ())
            envs.close()


@pytest.mark.parametrize("env_id", COMPILED)
def test_a_row_of_a_batch_goes_on_alone_and_back(env_id: str) -> None:
    envs, alone, others = (batch(env_id, "compiled", AutoresetMode.SAME_STEP), make(env_id), make_vec(env_id, 3))
    envs.reset(seed=4)
    played(envs, 1, 9)

    restore(alone, snapshot(envs)[2])

    alone.action_space.seed(5)
    for _ in range(40):
        action = alone.action_space.sample()
        observation, reward, terminated, truncated, _ = alone.step(action)
        batched = envs.step(np.array([action] * 4))
        assert (reward, terminated, truncated) == tuple(part[2] for part in batched[1:4])
        if terminated or truncated:
            observation, _ = alone.reset()
        row = tuple(part[2] for part in batched[0]) if isinstance(batched[0], tuple) else batched[0][2]
        assert np.array_equal(row, observation)
    restore(others, snapshot(alone), at=1)
    action = alone.action_space.sample()
    assert alone.step(action)[1] == others.step(np.array([action] * 3))[1][1]


def test_another_process(tmp_path: Path) -> None:
    env = make("LunarLander-v3")
    env.reset(seed=1)
    played(env, 1, 20)
    snapshot(env).save(tmp_path / "moment.npz")
    program = f"""
import gymnasium, palaestra
env = gymnasium.make("LunarLander-v3")
palaestra.restore(env, palaestra.Snapshot.load({str(tmp_path / "moment.npz")!r}))
print([env.step(k % 4)[0].tobytes().hex() for k in range(20)])
"""

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, timeout=110)

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str([env.step(k % 4)[0].tobytes().hex() for k in range(20)])


def test_generators_of_spaces() -> None:
    env = make("Pendulum-v1")
    env.reset(seed=1)
    env.action_space.seed(5), env.action_space.sample()
    kept = snapshot(env)
    expected = [env.action_space.sample() for _ in range(3)]

    restore(env, kept)

    assert_same([env.action_space.sample() for _ in range(3)], expected, ())


class Forgetful(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Somebody's wrapper, which says nothing of its memory."""


class Counting(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Somebody's wrapper that joins in."""

    count = 0

    def step(self, action: Any) -> Any:
        self.count += 1
        observation, _, *rest = self.env.step(action)
        return observation, float(self.count), *rest

    def get_state(self) -> dict[str, Any]:
        return {"count": self.count}

    def set_state(self, state: dict[str, Any]) -> None:
        self.count = state["count"]


class Own(Env[Any, Any]):
    """Somebody's environment without the two methods."""

    observation_space = action_space = gymnasium.spaces.Discrete(3)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        return 0, {}

    def step(self, action: Any) -> Any:
        return 0, 0.0, False, False, {}


class Hidden(gymnasium.envs.classic_control.CartPoleEnv):
    """A subclass that may remember more than its base class tells."""

    def step(self, action: Any) -> Any:
        self.before = action
        return super().step(action)


class Objects(Own):
    """Returns what is no plain data."""

    def get_state(self) -> Any:
        return {"those": {1, 2}}

    def set_state(self, state: Any) -> None:
        raise AssertionError


def test_somebodys_wrapper_joins_in_by_two_methods(tmp_path: Path) -> None:
    assert_goes_on(lambda: Counting(make("CartPole-v1")), tmp_path / "moment.npz")


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("make_one", "named"),
    [
        (lambda: Forgetful(make("CartPole-v1")), "Forgetful"),
        (Own, "Own"),
        (Hidden, "Hidden defines step"),
        (Objects, "those"),
        (lambda: gymnasium.vector.SyncVectorEnv([Own]), "Own"),
        (lambda: gymnasium.vector.AsyncVectorEnv([Own]), "Own"),
    ],
)
def test_what_cannot_be_kept_is_named(make_one: Any, named: str) -> None:
    env = make_one()
    env.reset(seed=0)
    with pytest.raises(CannotSnapshot, match=named):
        snapshot(env)
    env.close()


def test_before_the_first_reset() -> None:
    for env in (make("CartPole-v1"), make_vec("CartPole-v1", 2), make("Hopper-v5")):
        with pytest.raises(ResetNeeded):
            snapshot(env)


@pytest.mark.parametrize("value", ["CartPole-v1", None, object()])
def test_what_is_no_environment_is_refused(value: Any) -> None:
    env = make("CartPole-v1")
    env.reset(seed=1)
    moment = snapshot(env)
    for attempt in (lambda: snapshot(value), lambda: restore(value, moment), lambda: palaestra.fork(value, 0)):
        with pytest.raises(TypeError, match="An Env or a VectorEnv"):
            attempt()
    with pytest.raises(TypeError, match="fork copies within a batch"):
        palaestra.fork(env, 0)


def test_foreign_snapshots_are_refused_and_nothing_moves() -> None:
    cartpole, taxi, robot, batched = make("CartPole-v1"), make("Taxi-v4"), make("Hopper-v5"), make_vec("CartPole-v1", 3)
    ant, limited = make("Ant-v5"), wrappers.FrameStackObservation(make("CartPole-v1"), 2)
    moments = []
    for env in (cartpole, taxi, robot, batched, ant, limited):
        env.reset(seed=1)
        played(env, 1, 5)
        moments.append(snapshot(env))
    for env, own in zip((cartpole, taxi, robot, batched, ant, limited), moments, strict=True):
        for other in moments:
            if other is not own:
                with pytest.raises((ValueError, TypeError)):
                    restore(env, other)
                assert snapshot(env) == own
        with pytest.raises(TypeError, match="Snapshot"):
            restore(env, own._data)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="batch of 3"):
        restore(make_vec("CartPole-v1", 4), moments[3])
    with pytest.raises(IndexError):
        restore(batched, moments[0], at=3)
    for env, moment in ((batched, moments[3]), (cartpole, moments[0])):
        with pytest.raises(ValueError, match="`at` is for the snapshot of one"):
            restore(env, moment, at=0)
    with pytest.raises(IndexError):
        moments[3][3]
    with pytest.raises(TypeError):
        moments[0][0]


def test_torn_and_foreign_files_are_refused(tmp_path: Path) -> None:
    env = make("FrozenLake-v1")
    env.reset(seed=1)
    path, torn = tmp_path / "moment.npz", tmp_path / "torn.npz"
    snapshot(env).save(path)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(200):
        damaged = bytearray(whole)
        damaged[rng.integers(len(whole))] ^= 1 << int(rng.integers(8))
        torn.write_bytes(damaged)
        try:
            assert Snapshot.load(torn) == Snapshot.load(path)
        except ValueError as error:
            assert str(torn) in str(error)
    for content in (b"", whole[: len(whole) // 2], b"no archive" * 99):
        torn.write_bytes(content)
        with pytest.raises(ValueError, match="no snapshot"):
            Snapshot.load(torn)
    np.savez(torn, a=np.array([{}], object))
    with pytest.raises(ValueError, match="no snapshot"):
        Snapshot.load(torn)
    with pytest.raises(OSError):
        Snapshot.load(tmp_path / "missing.npz")
    with pytest.raises(OSError):
        snapshot(env).save(tmp_path / "missing" / "moment.npz")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["moment.npz", "torn.npz"]


def test_deep_copies_where_nothing_else_helps(tmp_path: Path) -> None:
    class Walk(Own):
        def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
            super().reset(seed=seed)
            self.place = 0.0
            return 0, {}

        def step(self, action: Any) -> Any:
            self.place += self.np_random.normal()
            return 0, self.place, False, False, {}

    env = wrappers.TimeLimit(Walk(), 50)
    env.reset(seed=1)
    played(env, 1, 5)
    kept = snapshot(env, fallback="deepcopy")
    expected = played(env, 2, 9)

    for _ in range(2):
        restore(env, kept)
        assert_same(played(env, 2, 9), expected, ())

    with pytest.raises(CannotSnapshot, match="deepcopy"):
        kept.save(tmp_path / "moment.npz")
    with pytest.raises(ValueError, match="copy of"):
        restore(make("CartPole-v1"), kept)
    assert not list(tmp_path.iterdir())
    assert not isinstance(snapshot(make_reset("CartPole-v1"), fallback="deepcopy"), type(kept))


def make_reset(env_id: str) -> Env[Any, Any]:
    env = make(env_id)
    env.reset(seed=0)
    return env
