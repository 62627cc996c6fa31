"""The interface of `AsyncVectorEnv`."""

from __future__ import annotations

import multiprocessing
import pickle
import sys
import threading
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gymnasium.error import AlreadyPendingCallError, ClosedEnvironmentError, NoAsyncCallError, ResetNeeded
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector._workers import start
from gymnasium.vector.async_vector_env import AsyncState, AsyncVectorEnv
from tests.gymnasium.vector.counting import Counting, counting
from tests.gymnasium.vector.faulty import Faulty
from tests.spaces_zoo import agree

# JAX warns, if a test has used it.
pytestmark = pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")

made: list[AsyncVectorEnv[Any, Any]] = []


@pytest.fixture(autouse=True)
def closed_at_the_end() -> Any:
    yield
    while made:
        made.pop().close(terminate=True)


def workers(*lengths: int, **kwargs: Any) -> Any:
    made.append(AsyncVectorEnv(counting(*lengths), **{"num_workers": 2, **kwargs}))
    return made[-1]


def started(*lengths: int, **kwargs: Any) -> Any:
    envs = workers(*lengths, **kwargs)
    envs.reset()
    return envs


def test_describes_its_environments() -> None:
    envs = workers(3, 4, 5, autoreset_mode="SameStep")
    assert envs.num_envs == 3
    assert envs.metadata == {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.SAME_STEP}
    assert envs.render_mode == "ansi"
    assert envs.single_action_space == Discrete(4)
    assert envs.observation_space.shape == (3, 2)
    assert (envs.shared_memory, envs.copy, envs.daemon, envs.context, envs.worker) == (True, True, True, None, None)
    assert repr(envs) == "AsyncVectorEnv(num_envs=3)"


def test_environments_are_shared_out_evenly_over_workers() -> None:
    envs = workers(*[3] * 5, num_workers=3)
    assert [process.name for process in envs.processes] == [f"Worker<AsyncVectorEnv>-{i}" for i in range(3)]
    assert len(workers(3, 3, num_workers=8).processes) == 2
    assert len(workers(*[3] * 4, num_workers=None, max_concurrency=1).processes) == 1


@pytest.mark.parametrize("name", ["num_workers", "max_concurrency"])
@pytest.mark.parametrize("value", [0, -1, 1.5, "2", True])
def test_wrong_counts_are_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=name):
        AsyncVectorEnv(counting(3), **{name: value})


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="env_fns"):
        AsyncVectorEnv([])
    with pytest.raises(ValueError, match="on_failure"):
        AsyncVectorEnv(counting(3), on_failure="ignore")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="8 positional"):
        AsyncVectorEnv(counting(3), worker=lambda index: None)
    with pytest.raises(ValueError, match="'different'"):
        AsyncVectorEnv(counting(3), observation_mode="other")  # type: ignore[arg-type]


@pytest.mark.parametrize("shared_memory", [True, False])
def test_observation_modes(shared_memory: bool) -> None:
    env_fns = [partial(Counting, 3, high=1000), partial(Counting, 3, high=2000)]
    with pytest.raises(RuntimeError, match="observation_mode='different'"):
        AsyncVectorEnv(env_fns, shared_memory=shared_memory)
    made.append(AsyncVectorEnv(env_fns, shared_memory=shared_memory, observation_mode="different"))
    assert made[-1].observation_space == Box(0, np.array([[1000] * 2, [2000] * 2]), dtype=np.int64)
    with pytest.raises(RuntimeError, match="action space"):
        AsyncVectorEnv([Counting, Faulty], observation_mode="different")


@pytest.mark.parametrize("shared_memory", [True, False])
def test_without_copy_arrays_are_the_same_each_time(shared_memory: bool) -> None:
    envs = workers(5, 5, copy=False, shared_memory=shared_memory)
    first, _ = envs.reset()
    second = envs.step([0, 0])[0]
    assert np.shares_memory(first, second)
    assert first.tolist() == [[1, 1], [1, 1]]


def test_returned_arrays_do_not_change() -> None:
    envs = started(5, 5)
    first = envs.step([0, 0])
    envs.step([0, 0])
    assert first[0].tolist() == [[1, 1], [1, 1]]
    assert first[1].tolist() == [11.0, 11.0]


def test_seeds_are_kept_across_resets() -> None:
    envs = workers(3, 3, 3)
    envs.reset(seed=np.int64(5))
    assert envs.np_random_seed == (5, 6, 7)
    envs.reset()
    assert envs.np_random_seed == (5, 6, 7)
    assert [generator.random() for generator in envs.np_random] == [
        np.random.Generator(np.random.PCG64(seed)).random() for seed in (5, 6, 7)
    ]
    envs.reset(seed=[1, None, 2])
    assert envs.np_random_seed == (1, 6, 2)
    with pytest.raises(ValueError, match="2 came"):
        envs.reset(seed=[1, 2])


def test_masked_reset_leaves_the_others_and_the_callers_options() -> None:
    envs = started(5, 5, 5)
    envs.step([0, 0, 0])
    options = {"reset_mask": np.array([False, True, False]), "level": 3}
    observations, infos = envs.reset(options=options)
    assert observations.tolist() == [[1, 1], [2, 0], [1, 1]]
    assert infos["_begun"].tolist() == [False, True, False]
    assert "reset_mask" in options
    assert envs.get_attr("options") == ([None], [None, {"level": 3}], [None])
    envs.reset(options=[{"a": 1}, None, {"b": 2}])
    assert [each[-1] for each in envs.get_attr("options")] == [{"a": 1}, None, {"b": 2}]


def test_finished_environment_is_not_stepped_without_autoreset() -> None:
    """Neither it nor any other moves, as in `SyncVectorEnv`."""
    envs = started(1, 5, autoreset_mode=AutoresetMode.DISABLED)
    envs.step([0, 0])
    with pytest.raises(AssertionError, match=r"True\W+False"):
        envs.step([0, 0])
    assert envs.get_attr("t") == (1, 1)
    envs.reset(options={"reset_mask": np.array([True, False])})
    assert envs.step([0, 0])[0].tolist() == [[2, 1], [1, 2]]


@pytest.mark.parametrize("shared_memory", [True, False])
def test_explicit_reset_forgets_the_end_of_the_episode(shared_memory: bool) -> None:
    envs = started(1, 1, shared_memory=shared_memory)
    envs.step([0, 0])
    envs.reset()
    assert envs.step([0, 0])[1].tolist() == [21.0, 21.0]


def test_step_before_reset_is_refused() -> None:
    with pytest.raises(ResetNeeded, match="step_async"):
        workers(3).step([0])


def test_states_and_their_errors() -> None:
    envs = workers(3, 3)
    calls = {
        AsyncState.WAITING_RESET: (envs.reset_async, envs.reset_wait),
        AsyncState.WAITING_STEP: (lambda: envs.step_async([0, 0]), envs.step_wait),
        AsyncState.WAITING_CALL: (lambda: envs.call_async("length"), envs.call_wait),
    }
    for state, (ask, wait) in calls.items():
        with pytest.raises(NoAsyncCallError, match=f"{state.value}_wait") as missing:
            wait()
        assert missing.value.name == state.value
        ask()
        for again in (*(ask for ask, _ in calls.values()), lambda: envs.set_attr("length", 3)):
            with pytest.raises(AlreadyPendingCallError, match=state.value) as pending:
                again()
            assert pending.value.name == state.value
        wait()


def test_call_get_and_set() -> None:
    envs = workers(3, 4, 5)
    assert envs.call("add", 1, b=10) == (14, 15, 16)
    assert envs.get_attr("length") == (3, 4, 5)
    envs.set_attr("length", [6, 7, 8])
    envs.set_attr("name", "one")
    assert envs.get_attr("length") == (6, 7, 8)
    assert envs.render() == ("one 0",) * 3
    with pytest.raises(ValueError, match="2 came"):
        envs.set_attr("length", [1, 2])
    for name in ("reset", "step", "close", "_setattr", "_check_spaces"):
        with pytest.raises(ValueError, match=name):
            envs.call(name)


def test_close_twice_and_use_afterwards() -> None:
    envs = started(3, 3)
    envs.close()
    envs.close()
    for call in (envs.reset, lambda: envs.step([0, 0]), lambda: envs.call("length"), lambda: envs.send([0, 0])):
        with pytest.raises(ClosedEnvironmentError, match=r"AsyncVectorEnv.*close"):
            call()


def test_close_while_pending_warns() -> None:
    envs = started(3, 3)
    envs.step_async([0, 0])
    with pytest.warns(UserWarning, match="`close` was called while `step` is pending"):
        envs.close()
    assert not multiprocessing.active_children()


def test_collected_environment_ends_its_workers() -> None:
    processes = AsyncVectorEnv(counting(3, 3), num_workers=2).processes
    assert not any(process.is_alive() for process in processes)


class Unclosable(Counting):
    def close(self) -> None:
        raise OSError("still in use")


def test_failure_at_closing_is_told() -> None:
    envs: AsyncVectorEnv[Any, Any] = AsyncVectorEnv([Unclosable])
    with pytest.warns(UserWarning, match="could not be closed.*still in use"):
        envs.close()
    assert envs.closed


@pytest.mark.parametrize("drawing", [object(), None])
def test_a_process_that_draws_with_pyglet_is_not_forked(drawing: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that draws would wait for the driver's threads for ever. One that never drew is forked."""
    monkeypatch.delitem(sys.modules, "jax", raising=False)
    monkeypatch.setitem(sys.modules, "pyglet.gl", SimpleNamespace(current_context=drawing))
    monkeypatch.setattr(multiprocessing, "get_start_method", lambda: "fork")

    assert start._context(None).get_start_method() == ("fork" if drawing is None else "forkserver")
    assert start._context("fork").get_start_method() == "fork"


@pytest.mark.parametrize("context", ["spawn", "forkserver"])
def test_what_does_not_pickle_is_named(context: str) -> None:
    lock = threading.Lock()
    with pytest.raises(pickle.PicklingError, match=r"env_fns\[1\] -> argument 'name', a lock"):
        AsyncVectorEnv([Counting, partial(Counting, 3, name=lock)], context=context)  # type: ignore[arg-type]

    def make() -> Counting:
        with lock:
            return Counting()

    with pytest.raises(pickle.PicklingError, match=r"env_fns\[0\] -> variable 'lock', a lock"):
        AsyncVectorEnv([make], context=context)


def test_forked_workers_need_not_pickle() -> None:
    lock = threading.Lock()
    made.append(AsyncVectorEnv([partial(Counting, 3, name=lock)], context="fork"))  # type: ignore[arg-type]
    assert made[-1].get_attr("length") == (3,)


def test_environments_are_made_at_the_same_time() -> None:
    """And none of them in this process."""
    parties = multiprocessing.get_context("fork").Barrier(2)

    def make() -> Counting:
        parties.wait(timeout=20)
        return Counting()

    made.append(AsyncVectorEnv([make, make], num_workers=2, context="fork"))
    assert made[-1].num_envs == 2


def test_rows_come_from_the_environments_that_are_done_first() -> None:
    """A slow environment holds nobody up but those behind it in its worker."""
    made.append(AsyncVectorEnv([partial(Faulty, "slow"), Faulty, Faulty, Faulty], num_workers=2))
    envs: Any = made[-1]
    envs.reset()
    envs.send(np.array([1, 0, 0, 0]))
    for t in (1, 2, 3):
        observations, rewards, _, _, infos = envs.recv(2)
        assert agree(infos["env_id"], np.array([2, 3]))
        assert observations.tolist() == [[t, 0], [t, 0]]
        assert rewards.tolist() == [t, t]
        envs.send(np.array([0, 0]), [2, 3])
    with pytest.raises(AlreadyPendingCallError, match="in flight"):
        envs.step(np.zeros(4, np.int64))
    with pytest.raises(AlreadyPendingCallError, match=r"\[0\]"):
        envs.send(np.array([0]), [0])
    with pytest.raises(multiprocessing.TimeoutError, match=r"\[0, 1\]"):
        envs.recv(4, timeout=0.01)
    assert sorted(envs.recv(4)[4]["env_id"]) == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="0 are in flight"):
        envs.recv()
    assert envs.step(np.zeros(4, np.int64))[1].tolist() == [2, 2, 5, 5]


def test_sent_in_order_is_received_as_by_sync() -> None:
    """One worker takes them in the order of `send`, as `SyncVectorEnv` does; infos have a row for each."""
    sync: Any = SyncVectorEnv(counting(2, 3, 4))
    envs = workers(2, 3, 4, num_workers=1)
    for each in (sync, envs):
        each.reset(seed=1)
        each.send([0, 1], [2, 0])
        each.send([2], [1])
    for _ in range(8):
        expected, found = sync.recv(3), envs.recv(3)
        assert agree(expected[:4], found[:4])
        assert expected[4].keys() == found[4].keys()
        assert all(agree(expected[4][key], found[4][key]) for key in expected[4])
        ids = found[4]["env_id"]
        sync.send([1] * 3, ids)
        envs.send([1] * 3, ids)
