"""`on_failure="resume"`: a worker that dies is replaced, and the results are those of an undisturbed run."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import gymnasium
import palaestra
from docs._tools.atari import register as register_games
from gymnasium import Env, Wrapper
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode
from gymnasium.vector._workers.failures import WorkerError
from gymnasium.vector.async_vector_env import AsyncVectorEnv
from gymnasium.wrappers import FrameStackObservation, NormalizeObservation, RecordEpisodeStatistics
from tests.gymnasium.vector.counting import counting
from tests.gymnasium.vector.faulty import BAD, GOOD, Faulty, batch, faulty

pytestmark = [
    pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning"),  # of JAX, if a test has used it
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="workers are killed with signals"),
    pytest.mark.filterwarnings("ignore:.*resumes its work", "ignore:.*ERROR", "ignore:.*cannot be kept"),
    pytest.mark.timeout(300),
]
every_mode = pytest.mark.parametrize("mode", list(AutoresetMode))
N, WORKERS = 4, 2


def resuming(env_fns: Any, **kwargs: Any) -> Any:
    return AsyncVectorEnv(env_fns, **{"num_workers": WORKERS, "on_failure": "resume", "snapshot_every": 5, **kwargs})


def undisturbed(infos: dict[str, Any]) -> dict[str, Any]:
    """Returns infos without what they say of replaced workers, and without the seconds that an episode took."""
    return {key: value for key, value in infos.items() if key.lstrip("_") not in ("worker_resumed", "t")}


def same(one: Any, other: Any) -> bool:
    """Whether two results are equal, bit for bit."""
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        one, other = undisturbed(one), undisturbed(other)
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, np.ndarray):
        if one.dtype == object:
            return same(one.tolist(), other.tolist())
        return bool(one.dtype == other.dtype) and one.tobytes() == other.tobytes()
    return bool(one == other)


Act = Callable[[Any, int], Any]


def agree(env_fns: Any, act: Act, times: int = 20, **kwargs: Any) -> None:
    """`act(envs, t)` returns the same with workers that are killed before every third time as without."""
    results = []
    for kills in (False, True):
        envs = resuming(env_fns, **kwargs)
        results.append([envs.reset(seed=3, options={})])
        for t in range(times):
            if kills and t % 3 == 1:
                envs.processes[t % len(envs.processes)].kill()
            results[-1].append(act(envs, t))
        results[-1].append((envs.np_random_seed, [each.bit_generator.state for each in envs.np_random]))
        envs.close()
    for t, (calm, killed) in enumerate(zip(*results, strict=True)):
        assert same(calm, killed), t


def drawn(envs: Any, t: int) -> Any:
    """Actions that depend on the time alone."""
    envs.action_space.seed(t)
    return envs.action_space.sample()


def step(envs: Any, t: int) -> Any:
    """Step all, and reset those that must be."""
    result = envs.step(drawn(envs, t))
    finished = result[2] | result[3]
    if envs.autoreset_mode is not AutoresetMode.DISABLED or not finished.any():
        return result
    return result, envs.reset(options={"reset_mask": finished})


def wrapped() -> Env[Any, Any]:
    """An environment in wrappers with memories."""
    env = gymnasium.make("CartPole-v1", max_episode_steps=12)
    return RecordEpisodeStatistics(FrameStackObservation(NormalizeObservation(env), 3))


class Dicing(Wrapper[Any, Any, Any, Any]):
    """Takes its space's sample in place of every other action."""

    def __init__(self, env: Env[Any, Any]) -> None:
        super().__init__(env)
        self.t = 0

    def step(self, action: Any) -> Any:
        self.t += 1
        return self.env.step(self.action_space.sample() if self.t % 2 else action)

    def get_state(self) -> int:
        return self.t

    def set_state(self, state: int) -> None:
        self.t = state


def dicing() -> Env[Any, Any]:
    env = Dicing(gymnasium.make("FrozenLake-v1"))
    env.action_space.seed(5)
    return env


class Closed(Env[Any, Any]):
    """Has no `get_state`; observes a number that its last reset, its actions and its attribute make."""

    observation_space = Box(-np.inf, np.inf, (), np.float64)
    action_space = Discrete(3)
    drift = 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        self.x = self.np_random.random()
        return np.array(self.x), {}

    def step(self, action: Any) -> Any:
        self.x += self.np_random.normal() + action + self.drift
        return np.array(self.x), self.x, abs(self.x) > 9, False, {}

    def add_drift(self, amount: float) -> None:
        self.drift += amount


class Forgetful(Closed):
    """Depends on more than its seed and its actions."""

    def step(self, action: Any) -> Any:
        result = super().step(action)
        return np.array(self.x + time.monotonic()), *result[1:]


@every_mode
@pytest.mark.parametrize("make", [partial(gymnasium.make, "FrozenLake-v1"), wrapped, dicing, Closed])
def test_results_are_those_of_an_undisturbed_run(make: Any, mode: AutoresetMode) -> None:
    """With autoresets, masked resets, wrappers with memories, generators of spaces, and without `get_state`."""
    agree([make] * N, step, autoreset_mode=mode)


@pytest.mark.parametrize("context", ["forkserver", "spawn"])
def test_every_start_method(context: str) -> None:
    agree([partial(gymnasium.make, "LunarLander-v3")] * N, step, 9, context=context, shared_memory=False)


def test_resets_with_seeds_and_options() -> None:
    def act(envs: Any, t: int) -> Any:
        if t % 5 == 2:
            return envs.reset(seed=t, options={"low": -0.01 * t, "high": 0.01})
        if t % 5 == 4:
            mask = np.arange(N) % 2 == t % 2
            return envs.reset(seed=[t, None, None, 7], options={"reset_mask": mask, "low": -0.01, "high": 0.01})
        return step(envs, t)

    agree([partial(gymnasium.make, "CartPole-v1")] * N, act)


@pytest.mark.parametrize("every", [1, 4, 1000])
@pytest.mark.parametrize("make", [partial(gymnasium.make, "LunarLander-v3", enable_wind=True), Closed])
def test_attributes_calls_and_moments(make: Any, every: int) -> None:
    """Whether they come before the last snapshot or after it."""

    def act(envs: Any, t: int) -> Any:
        if t % 10 == 3:
            names = ("wind_power", "gravity") if make is not Closed else ("drift", "drift")
            envs.set_attr(names[t // 10 % 2], [1.0 + t / 10 + k for k in range(N)])
        if t % 10 == 6 and make is Closed:
            assert envs.call("add_drift", 0.5) == (None,) * N
        if t % 10 == 8 and make is not Closed:
            palaestra.restore(envs, palaestra.snapshot(envs))
            palaestra.fork(envs, 0, into=[3])
        return step(envs, t), envs.get_attr("np_random_seed")

    agree([make] * N, act, snapshot_every=every)


def test_first_finished() -> None:
    """Each environment's own results are the same, in whatever order they come."""
    runs = []
    for kills in (False, True):
        envs = resuming([partial(gymnasium.make, "CartPole-v1")] * N, snapshot_every=3)
        envs.reset(seed=1)
        results: list[list[Any]] = [[] for _ in range(N)]
        envs.send(np.zeros(N, np.int64))
        for t in range(60):
            if kills and t % 7 == 3:
                envs.processes[t % WORKERS].kill()
            observations, rewards, terminations, truncations, infos = envs.recv(1 + t % 3)
            ids = infos["env_id"]
            for row, env in enumerate(ids):
                results[env].append((observations[row], rewards[row], terminations[row], truncations[row]))
            envs.send(np.array([len(results[env]) // 2 % 2 for env in ids]), ids)
        envs.recv(N)
        envs.close()
        runs.append(results)
    for calm, killed in zip(*runs, strict=True):
        assert len(killed) > 3
        assert all(map(same, calm, killed))


def test_infos_say_it_once() -> None:
    envs = resuming(counting(9, 9, 9, 9))
    assert "worker_resumed" not in envs.reset(seed=1)[1]
    envs.processes[0].kill()
    infos = envs.step([0] * N)[4]
    assert infos["worker_resumed"].tolist() == infos["_worker_resumed"].tolist() == [True, True, False, False]
    assert "worker_resumed" not in envs.step([0] * N)[4]
    envs.processes[1].kill()
    assert envs.call("add", 1) == (10,) * N
    infos = envs.reset(options={"reset_mask": np.array([True, False, False, False])})[1]
    assert infos["worker_resumed"].tolist() == [False, False, True, True]
    envs.close()


def test_reset_without_a_seed_is_repeated() -> None:
    envs = resuming([Closed] * N)
    first = envs.reset()[0]
    seeds = envs.np_random_seed
    assert len(set(seeds)) == N
    envs.processes[0].kill()
    assert envs.np_random_seed == seeds
    assert same(first, envs.observations)
    envs.close()


@pytest.mark.parametrize("fault", ["SIGSEGV", "exit"])
@pytest.mark.parametrize("singly", [False, True])
def test_action_that_kills_every_worker_raises(fault: str, singly: bool) -> None:
    """After a few deaths, with the environments, the step and the actions."""
    envs = resuming(faulty(fault, N))
    envs.reset(seed=1)
    for _ in range(6):
        envs.step(batch(*[GOOD] * N))
    with pytest.raises(WorkerError, match=r"environments \[2, 3\].*at step 7 since.*actions.*4 in all"):
        if singly:
            envs.send(batch(GOOD, BAD), [0, 3])
            envs.recv(2)
        else:
            envs.step(batch(GOOD, GOOD, GOOD, BAD))
    assert envs.closed
    assert not any(process.is_alive() for process in envs.processes)


def test_exception_raises_at_once() -> None:
    envs = resuming(faulty("exception", N))
    envs.reset(seed=1)
    with pytest.raises(KeyError, match="lost"):
        envs.step(batch(GOOD, GOOD, GOOD, BAD))
    assert envs.closed


class HangsOnce(Faulty):
    """Hangs at `BAD`, but only before the file of its name exists."""

    def __init__(self, path: Any) -> None:
        super().__init__("endless")
        self.path = path

    def step(self, action: Any) -> Any:
        if action == BAD and self.path.exists():
            self.fault = None
        self.path.touch()
        return super().step(action)


def test_worker_that_hangs_is_replaced(tmp_path: Any) -> None:
    (tmp_path / "no").touch()
    envs = resuming([Faulty, partial(HangsOnce, tmp_path / "marker")], worker_timeout=1.0)
    envs.reset(seed=1)
    begun = time.monotonic()
    observations, _, _, _, infos = envs.step(batch(GOOD, BAD))
    assert observations.tolist() == [[1, GOOD], [1, BAD]]
    assert infos["worker_resumed"].tolist() == [False, True]
    assert time.monotonic() - begun >= 1.0
    envs.close()


def test_stopped_worker_is_replaced() -> None:
    envs = resuming([partial(gymnasium.make, "CartPole-v1")] * N, worker_timeout=1.0)
    envs.reset(seed=1)
    os.kill(envs.processes[0].pid, signal.SIGSTOP)
    assert "worker_resumed" in envs.step([0] * N)[4]
    envs.close()


def test_result_that_came_too_late_is_done_once() -> None:
    """A step that timed out counts, whether or not its worker dies."""
    envs = resuming(faulty("slow", N))
    envs.reset(seed=1)
    envs.step_async(batch(GOOD, GOOD, GOOD, BAD))
    with pytest.raises(multiprocessing.TimeoutError):
        envs.step_wait(timeout=0.05)
    envs.processes[1].kill()
    assert envs.step(batch(*[GOOD] * N))[0].tolist() == [[2, GOOD]] * N
    envs.close()


def test_environment_that_does_not_repeat_itself_raises() -> None:
    envs = resuming([Forgetful] * N)
    envs.reset(seed=1)
    envs.step([0] * N)
    envs.processes[0].kill()
    with pytest.raises(WorkerError, match=r"Environment 0 .*led to another observation"):
        envs.step([0] * N)
    assert envs.closed


@pytest.mark.parametrize("value", [0, -1, 1.5, "a", True])
def test_invalid_numbers_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="`snapshot_every` must be a positive integer"):
        resuming([Closed], snapshot_every=value)
    if value != 1.5:
        with pytest.raises(ValueError, match="`worker_timeout` must be a positive number"):
            resuming([Closed], worker_timeout=value)


@pytest.mark.parametrize("name", ["snapshot_every", "worker_timeout"])
@pytest.mark.parametrize("on_failure", ["raise", "restart"])
def test_what_only_resumption_has_is_refused(name: str, on_failure: str) -> None:
    with pytest.raises(ValueError, match=f"`{name}` is for on_failure='resume'"):
        AsyncVectorEnv([Closed], on_failure=on_failure, **{name: 3})  # type: ignore[arg-type]


CHAOS = ["CartPole-v1", "LunarLander-v3", "FrozenLake-v1", "HalfCheetah-v5", "ale_py:ALE/Pong-v5"]
NEEDS = {"LunarLander-v3": "Box2D", "HalfCheetah-v5": "mujoco", "ale_py:ALE/Pong-v5": "ale_py"}
SECONDS = float(os.environ.get("PALAESTRA_CHAOS_SECONDS", "1"))


@pytest.mark.parametrize("env_id", CHAOS)
def test_random_kills_change_nothing(env_id: str, record_property: Any) -> None:
    """Workers are killed at random moments for a while; `PALAESTRA_CHAOS_SECONDS` says for how long."""
    if env_id in NEEDS and find_spec(NEEDS[env_id]) is None:
        pytest.skip(f"needs {NEEDS[env_id]}")
    if NEEDS.get(env_id) == "ale_py":
        register_games()
    mode = AutoresetMode.SAME_STEP if env_id == "FrozenLake-v1" else AutoresetMode.NEXT_STEP
    make = [partial(gymnasium.make, env_id)] * N
    envs = resuming(make, snapshot_every=200, autoreset_mode=mode)
    calm = gymnasium.vector.SyncVectorEnv(make, autoreset_mode=mode)
    killer, rng = random.Random(4), np.random.default_rng(4)
    stop, kills, since = threading.Event(), [], [0]

    def kill_at_random() -> None:
        # At most three times between two results: a fourth death at one request raises.
        while not stop.wait(killer.uniform(0.02, 0.4)):
            if since[0] < 3:
                since[0] += 1
                kills.append(killer.choice(envs.processes))
                kills[-1].kill()

    thread = threading.Thread(target=kill_at_random)
    steps, resumed = 0, 0
    try:
        assert same(envs.reset(seed=2), calm.reset(seed=2))
        thread.start()
        ends = time.monotonic() + SECONDS
        while time.monotonic() < ends or (resumed == 0 and time.monotonic() < ends + 60):
            envs.action_space.seed(int(rng.integers(2**31)))
            actions = envs.action_space.sample()
            result = envs.step(actions)
            since[0] = 0
            steps, resumed = steps + 1, resumed + ("worker_resumed" in result[4])
            assert same(result, calm.step(actions)), steps
    finally:
        stop.set()
        thread.join()
        envs.close()
        calm.close()
    record_property("chaos", f"{env_id}: {steps} steps, {len(kills)} kills, {resumed} results after one")
    print(f"{env_id}: {steps} steps of {N}, {len(kills)} kills, {resumed} results after one")
    assert resumed > 0
    assert not any(process.is_alive() for process in [*envs.processes, *kills])
