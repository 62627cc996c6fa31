"""Threads that share a batch: serial results or an error, and never a crash, a wait without end, or other's memory."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium.error import AlreadyPendingCallError, ClosedEnvironmentError, NoAsyncCallError, ResetNeeded
from gymnasium.vector._batch.turns import in_turn
from gymnasium.vector.async_vector_env import AsyncVectorEnv
from tests.architecture.source import ROOT
from tests.gymnasium.vector.faulty import batch, faulty
from tests.palaestra.rollouts.networks import network
from tests.thorough import THOROUGH

SECONDS = 2.0 if THOROUGH else 0.7
ALLOWED = AlreadyPendingCallError, NoAsyncCallError, ResetNeeded, ClosedEnvironmentError

pytestmark = [
    pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning"),  # of JAX, if a test has used it
    pytest.mark.timeout(120),
]

# id, mode, number of environments; how many threads step large batches is up to the runner
BATCHES = {
    "compiled": ("CartPole-v1", "compiled", 64),
    "compiled, one": ("CartPole-v1", "compiled", 1),
    "compiled, threads": ("CartPole-v1", "compiled", 2048),
    "compiled, tabular": ("Taxi-v4", "compiled", 64),
    "sync": ("CartPole-v1", "sync", 3),
    "async": ("CartPole-v1", "async", 3),
    "box2d": ("LunarLander-v3", "sync", 2),
    "mujoco": ("InvertedPendulum-v5", None, 4),
    "jax": ("phys2d/CartPole-v1", "compiled", 4),
}


@pytest.fixture(autouse=True)
def switching() -> Iterator[None]:
    """Threads take turns a thousand times as often as usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def made(name: str, **kwargs: Any) -> Any:
    id, mode, n = BATCHES[name]
    if "/" in id:
        pytest.importorskip("jax")
    return gymnasium.make_vec(id, n, vectorization_mode=mode, **kwargs)


def together(*works: Callable[[], object]) -> Counter[str]:
    """Repeat works, each in a thread of its own, for a while. Returns the exceptions, none of which is unexpected."""
    end, errors, unexpected = time.monotonic() + SECONDS, Counter[str](), []

    def repeat(work: Callable[[], object]) -> None:
        while time.monotonic() < end:
            try:
                work()
            except ALLOWED as error:
                errors[type(error).__name__] += 1
            except Exception as error:
                unexpected.append(error)
                return

    threads = [threading.Thread(target=repeat, args=[work], daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads), "a thread waits for ever"
    assert not unexpected, unexpected
    return errors


def same_after_reset(name: str, envs: Any) -> None:
    other = made(name)
    actions = envs.action_space.sample()
    results = []
    for one in (envs, other):
        first = one.reset(seed=5)[0]
        results.append([first, *one.step(actions)[:4]])
    for a, b in zip(*results, strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))
    other.close()


def look(results: Any, n: int) -> None:
    observations, rewards, *_ = results
    assert len(observations) == len(rewards) == n
    assert np.isfinite(np.asarray(rewards)).all()


@pytest.mark.parametrize("name", BATCHES)
def test_threads_that_step_reset_and_ask(name: str) -> None:
    envs = made(name)
    envs.reset(seed=0)
    actions = envs.action_space.sample()

    def step() -> None:
        for _ in range(20):
            look(envs.step(actions), envs.num_envs)

    def ask() -> None:
        state = envs.get_state()
        envs.set_state(None, state)
        envs.reset(seed=1)

    errors = together(step, step, step, ask)
    assert "ClosedEnvironmentError" not in errors
    if name != "async":
        assert not errors
    same_after_reset(name, envs)
    envs.close()


@pytest.mark.parametrize("name", ["compiled", "compiled, threads", "mujoco", "sync", "async"])
def test_threads_that_set_and_send(name: str) -> None:
    envs = made(name)
    envs.reset(seed=0)
    actions = envs.action_space.sample()
    attribute, value = ("gravity", 9.8) if "CartPole" in BATCHES[name][0] else ("reset_noise_scale", 0.1)

    def step() -> None:
        look(envs.step(actions), envs.num_envs)

    def send() -> None:
        envs.send(actions[:1], [0])
        envs.recv(1)

    def put() -> None:
        if attribute == "gravity":
            envs.set_params([0], {attribute: value + np.random.random()})
        envs.set_attr(attribute, value)

    together(step, send, put, lambda: envs.call("spec"))
    while True:  # what one thread has sent, another may have left in flight
        try:
            envs.recv(1)
        except (ValueError, ResetNeeded):
            break
    envs.reset(seed=0)
    look(envs.step(actions), envs.num_envs)
    envs.close()


def test_threads_that_collect_rollouts() -> None:
    envs = gymnasium.make_vec("CartPole-v1", 64, vectorization_mode="compiled")
    policy = network(4, 2, envs.single_action_space)
    alone = palaestra.rollout(envs, policy, 4, start=envs.reset(seed=0)[0])

    def collect() -> None:
        found = palaestra.rollout(envs, policy, 4)
        assert found.rewards.shape == alone.rewards.shape
        assert (found.rewards == 1.0).any()

    together(collect, collect, lambda: envs.step(envs.action_space.sample()), lambda: envs.get_state(0))
    envs.close()


@pytest.mark.filterwarnings("ignore:.*was called while")
@pytest.mark.parametrize("name", ["compiled", "compiled, threads", "sync", "async", "mujoco", "jax"])
def test_a_batch_that_is_closed_while_another_thread_steps_it(name: str) -> None:
    for _ in range(2):
        envs = made(name)
        envs.reset(seed=0)
        actions = envs.action_space.sample()
        closing = threading.Timer(0.05, envs.close)
        closing.start()
        ends = ClosedEnvironmentError, AlreadyPendingCallError  # the latter while the other thread closes
        with pytest.raises(ends) if name != "jax" else nullcontext():  # whose close only ends drawing
            for _ in range(1_000_000 if name != "jax" else 100):
                look(envs.step(actions), envs.num_envs)
        closing.join(30)
        assert not closing.is_alive()
        assert envs.closed


@pytest.mark.filterwarnings("ignore:.*was called while")
def test_close_ends_the_wait_for_a_worker_that_does_not_answer() -> None:
    """Without a timeout, nothing else would."""
    envs: Any = AsyncVectorEnv(faulty("endless"), num_workers=2)
    envs.reset()
    closing = threading.Timer(0.3, envs.close, kwargs={"terminate": True})
    closing.start()
    with pytest.raises(ClosedEnvironmentError):
        envs.step(batch(0, 0, 1))
    closing.join(30)
    assert envs.closed
    assert not any(process.is_alive() for process in envs.processes)


def test_a_second_thread_is_refused_at_once_while_a_worker_does_not_answer() -> None:
    envs: Any = AsyncVectorEnv(faulty("endless"), num_workers=2, timeout=3.0)
    envs.reset()
    calls: list[Callable[[], object]] = [
        lambda: envs.step(batch(0, 0, 0)),
        lambda: envs.reset(),
        lambda: envs.call("t"),
        lambda: envs.set_attr("t", 0),
        lambda: envs.send(batch(0), [0]),
        lambda: envs.recv(1),
        lambda: envs.get_state(),
        lambda: envs.set_params([0], {"t": 1}),
        lambda: envs.set_reset_options([0], {}),
    ]
    refused: list[BaseException] = []

    def ask() -> None:
        for call in calls:
            try:
                call()
            except AlreadyPendingCallError as error:
                refused.append(error)

    asking = threading.Timer(0.3, ask)
    asking.start()
    with pytest.raises(multiprocessing.TimeoutError, match="done"):
        envs.step(batch(0, 0, 1))
    asking.join(10)
    assert len(refused) == len(calls)
    assert all("another thread" in str(error) for error in refused)
    envs.close(terminate=True)


def test_a_step_may_be_asked_for_in_one_thread_and_waited_for_in_another() -> None:
    envs: Any = AsyncVectorEnv(faulty(None), num_workers=2)
    envs.reset()
    envs.step_async(batch(0, 0, 0))
    came = []
    waiting = threading.Thread(target=lambda: came.append(envs.step_wait()))
    waiting.start()
    waiting.join(10)
    assert came[0][1].tolist() == [1.0, 1.0, 1.0]
    envs.close()


PROGRAM = """
import os, threading, time
import gymnasium
from gymnasium.vector._batch.turns import in_turn
envs = gymnasium.make_vec("CartPole-v1", 2, vectorization_mode="{mode}")
envs.reset(seed=0)
actions = envs.action_space.sample()
begun = threading.Event()
@in_turn
def hold(envs):
    begun.set()
    time.sleep(1.5)
thread = threading.Thread(target=hold, args=[envs.unwrapped])
thread.start()
begun.wait()
child = os.fork()
if child == 0:
    envs.step(actions)
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
thread.join()
envs.step(actions)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
@pytest.mark.parametrize("mode", ["sync", "compiled"])
def test_a_forked_process_does_not_wait_for_threads_that_it_does_not_have(mode: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(mode=mode)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.split() == ["7"], done.stderr


@pytest.mark.parametrize("name", ["compiled", "sync", "jax"])
def test_a_copy_has_a_turn_of_its_own(name: str) -> None:
    envs = made(name)
    envs.reset(seed=0)
    copy = deepcopy(envs)

    @in_turn
    def step_the_copy(batch: object) -> bool:
        stepping = threading.Thread(target=copy.step, args=[envs.action_space.sample()], daemon=True)
        stepping.start()
        stepping.join(30)
        return not stepping.is_alive()

    assert step_the_copy(envs.unwrapped)


def test_a_thread_that_is_refused_leaves_no_request_pending() -> None:
    """It is in the batch for a moment, in which the other thread may come for its results."""
    envs = made("async")
    envs.reset(seed=0)
    envs.step_async(envs.action_space.sample())
    turn = envs._sole
    del turn.free
    other = threading.Timer(0.2, setattr, (turn, "free", True))
    other.start()
    assert len(envs.step_wait()) == 5
    assert other.finished.is_set()
    same_after_reset("async", envs)
    envs.close()
