"""Whatever a worker does, and whatever a caller asks: an answer in bounded time, and nothing left behind."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import sys
import time
from functools import partial
from typing import Any

import numpy as np
import pytest

from gymnasium.error import ActionOutsideSpace, ClosedEnvironmentError
from gymnasium.vector._workers.failures import WorkerError
from gymnasium.vector.async_vector_env import AsyncState, AsyncVectorEnv
from tests.gymnasium.vector.faulty import BAD, GOOD, Faulty, OddError, batch, faulty

CONTEXTS = ["fork", "forkserver", "spawn"]
ALARM = 20.0  # s; no call here may take longer, whatever the load of the machine

pytestmark = [
    pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning"),  # of JAX, if a test has used it
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="faults are made with signals"),
    pytest.mark.timeout(60),
]
logged = pytest.mark.filterwarnings("ignore:.*ERROR")

# What goes wrong in the step of the last environment, the exception here, and what its report says.
RAISED: dict[str, tuple[type[BaseException], str]] = {
    "SIGKILL": (WorkerError, r"process \d+ of the environments \[.*2\] was killed by the signal SIGKILL"),
    "SIGSEGV": (WorkerError, r"process \d+ of the environments \[.*2\] was killed by the signal SIGSEGV"),
    "exit": (WorkerError, r"process \d+ of the environments \[.*2\] ended by itself with the exit code 3"),
    "SystemExit": (WorkerError, r"Environment 2 \(worker process \d+\) raised SystemExit: 3"),
    "KeyboardInterrupt": (WorkerError, r"Environment 2 \(worker process \d+\) raised KeyboardInterrupt: stop"),
    "GeneratorExit": (WorkerError, r"Environment 2 \(worker process \d+\) raised GeneratorExit: done"),
    "exception": (KeyError, r"Environment 2 \(worker process \d+\) raised KeyError: 'lost'"),
    "odd": (OddError, r"Environment 2 \(worker process \d+\) raised .*OddError: 7 at stepping"),
    "unpicklable": (WorkerError, r"Environment 2 \(worker process \d+\) raised RuntimeError: .*holds a lock"),
    "unpicklable info": (TypeError, r"Environment 2 \(worker process \d+\) raised TypeError: .*pickle.*lock"),
}

WRONG_BATCHES: dict[str, tuple[Any, type[Exception]]] = {
    "short": (batch(0, 0), ValueError),
    "oversized": (batch(0, 0, 0, 0), ValueError),
    "scalar": (np.int64(0), TypeError),
    "wrong dtype": (np.zeros(3, np.float32), ActionOutsideSpace),
    "out of range": (batch(0, 0, 2), ActionOutsideSpace),
    "negative": (batch(0, 0, -1), ActionOutsideSpace),
}


@pytest.fixture(params=[True, False], ids=["shared", "pickled"])
def shared(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(params=CONTEXTS)
def make(request: pytest.FixtureRequest, shared: bool) -> Any:
    """Makes three environments over two workers, the last of them faulty; at the end no process may be left."""
    made: list[AsyncVectorEnv[Any, Any]] = []

    def make(fault: str | None, **kwargs: Any) -> AsyncVectorEnv[Any, Any]:
        kwargs = {"context": request.param, "shared_memory": shared, "num_workers": 2, **kwargs}
        made.append(AsyncVectorEnv(faulty(fault), **kwargs))
        return made[-1]

    yield make
    for envs in made:
        envs.close(terminate=True)
        assert_gone(envs.processes)


def assert_gone(processes: list[Any]) -> None:
    assert not any(process.is_alive() for process in processes)
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process.pid, 0)


def assert_usable(envs: AsyncVectorEnv[Any, Any], t: int) -> None:
    """The environments are at time `t` all, and the next step is theirs."""
    observations, rewards, *_ = envs.step(batch(GOOD, BAD, GOOD))
    assert observations.tolist() == [[t + 1, GOOD], [t + 1, BAD], [t + 1, GOOD]]
    assert rewards.tolist() == [t + 1] * 3


@logged
@pytest.mark.parametrize("fault", RAISED)
def test_failure_is_reported_and_closes(make: Any, fault: str) -> None:
    """The error says which environment, which process and why; afterwards all is closed and no process is left."""
    envs = make(fault)
    envs.reset(seed=0)
    assert_usable(envs, t=0)
    started = time.monotonic()
    kind, account = RAISED[fault]

    with pytest.raises(kind) as raised:
        envs.step(batch(GOOD, GOOD, BAD))

    assert time.monotonic() - started < ALARM
    assert type(raised.value) is kind
    assert re.search(account, str(raised.value) + str(raised.value.__cause__))
    if kind is OddError:
        assert raised.value.code == 7
    assert envs.closed
    assert_gone(envs.processes)
    for call in (envs.reset, lambda: envs.step(batch(0, 0, 0)), lambda: envs.call("pid"), envs.step_wait):
        with pytest.raises(ClosedEnvironmentError):
            call()
    envs.close()


@pytest.mark.parametrize("fault", ["SIGSTOP", "endless"])
def test_hanging_worker_times_out(make: Any, fault: str) -> None:
    """A wait ends at its timeout and names what hangs; `close` ends what does not end by itself."""
    envs = make(fault)
    envs.reset(seed=0)
    envs.step_async(batch(GOOD, GOOD, BAD))
    started = time.monotonic()

    with pytest.raises(multiprocessing.TimeoutError, match=r"step_wait.*0\.2.*\[1, 2\].*processes \[\d+\]"):
        envs.step_wait(timeout=0.2)

    assert envs._state is AsyncState.DEFAULT
    envs.close(timeout=0.1)
    assert time.monotonic() - started < ALARM
    assert_gone(envs.processes)


def test_late_result_is_dropped(make: Any) -> None:
    """After a wait that timed out, the next calls return their own results, never the late one."""
    envs = make("slow")
    envs.reset(seed=0)
    envs.step_async(batch(GOOD, GOOD, BAD))
    with pytest.raises(multiprocessing.TimeoutError):
        envs.step_wait(timeout=0.01)

    # The slow environment gets the actions of each step though it had not read the first when the second came.
    assert_usable(envs, t=1)
    envs.step_async(batch(GOOD, GOOD, BAD))
    with pytest.raises(multiprocessing.TimeoutError):
        envs.step_wait(timeout=0)
    assert envs.call("t")[2] == 3
    envs.step_async(batch(GOOD, GOOD, BAD))
    with pytest.raises(multiprocessing.TimeoutError):
        envs.step_wait(timeout=0)
    observations, _ = envs.reset(options={"reset_mask": np.array([True, False, False])})
    assert observations.tolist() == [[0, 0], [4, GOOD], [4, BAD]]


def test_wrong_batch_moves_nothing(make: Any) -> None:
    """A batch that is none is refused before any environment moves."""
    envs = make(None)
    envs.reset(seed=0)
    for actions, kind in WRONG_BATCHES.values():
        with pytest.raises(kind):
            envs.step(actions)
        with pytest.raises(kind):
            envs.send(actions)
    assert_usable(envs, t=0)


@pytest.mark.parametrize("context", CONTEXTS)
def test_failure_in_constructor(context: str) -> None:
    """The exception of an environment's function comes out of the constructor, with its traceback."""
    with pytest.raises(OddError) as raised:
        AsyncVectorEnv(faulty("constructor"), context=context, num_workers=2)
    assert "Environment 2" in str(raised.value.__cause__)
    assert "faulty.py" in str(raised.value.__cause__)
    assert not multiprocessing.active_children()


def test_exit_in_constructor() -> None:
    """What would end the caller's program without a word is a `WorkerError` here, too."""
    with pytest.raises(WorkerError, match=r"Environment 1 \(worker process \d+\) raised SystemExit: no licence"):
        AsyncVectorEnv([Faulty, partial(sys.exit, "no licence")], num_workers=2)
    assert not multiprocessing.active_children()


def test_constructor_that_does_not_end() -> None:
    """A worker has only so long to make its environments."""
    started = time.monotonic()
    with pytest.raises(WorkerError, match=r"environments \[1, 2\].*within 2\.0 s"):
        AsyncVectorEnv(faulty("slow constructor"), num_workers=2, start_timeout=2.0)
    assert time.monotonic() - started < ALARM
    assert not multiprocessing.active_children()


@logged
def test_death_between_calls_is_noticed() -> None:
    """A worker that was killed while nothing was asked of it is reported by the next call, quickly."""
    envs: AsyncVectorEnv[Any, Any] = AsyncVectorEnv(faulty(None), num_workers=2)
    envs.reset()
    envs.processes[0].kill()
    started = time.monotonic()
    with pytest.raises(WorkerError, match=r"environments \[0\] was killed by the signal SIGKILL"):
        envs.step(batch(0, 0, 0))
    assert time.monotonic() - started < 2.0
    assert envs.closed


def test_own_timeout_bounds_step() -> None:
    """With the argument `timeout`, a plain `step`, `reset` or `call` cannot hang either."""
    envs: AsyncVectorEnv[Any, Any] = AsyncVectorEnv(faulty("endless"), num_workers=2, timeout=0.2)
    envs.reset()
    with pytest.raises(multiprocessing.TimeoutError, match="step_wait"):
        envs.step(batch(GOOD, GOOD, BAD))
    for call in (envs.reset, lambda: envs.call("pid"), lambda: envs.set_attr("t", 5)):
        with pytest.raises(multiprocessing.TimeoutError):
            call()
    envs.close(timeout=0)
    assert_gone(envs.processes)


def test_large_request_to_stopped_worker() -> None:
    """A request larger than what the socket holds cannot block: the timeout counts for it too."""
    envs: AsyncVectorEnv[Any, Any] = AsyncVectorEnv(faulty(None), num_workers=2, timeout=0.2)
    envs.reset()
    os.kill(envs.processes[0].pid, signal.SIGSTOP)
    with pytest.raises(multiprocessing.TimeoutError):
        envs.set_attr("blob", bytes(10_000_000))
    os.kill(envs.processes[0].pid, signal.SIGCONT)
    envs.call_async("blob")
    assert [len(blob) for blob in envs.call_wait(timeout=ALARM)] == [10_000_000] * 3
    envs.close()


@logged
def test_late_failure_is_not_lost() -> None:
    """The exception of a step that was given up comes out of whatever is called next, and closes."""
    envs: AsyncVectorEnv[Any, Any] = AsyncVectorEnv(faulty("late exception"), num_workers=2)
    envs.reset()
    envs.step_async(batch(GOOD, GOOD, BAD))
    with pytest.raises(multiprocessing.TimeoutError):
        envs.step_wait(timeout=0)
    with pytest.raises(KeyError, match="lost"):
        envs.call("t")
    assert envs.closed


@logged
def test_exception_in_call_leaves_all_usable() -> None:
    """A call that raises has moved nothing, so the environments go on."""
    envs: AsyncVectorEnv[Any, Any] = AsyncVectorEnv(faulty(None), num_workers=2)
    envs.reset()
    with pytest.raises(AttributeError):
        envs.call("no_such_attribute")
    with pytest.raises(ValueError, match="step"):
        envs.call("step", 0)
    assert_usable(envs, t=0)
    with pytest.raises(WorkerError):
        envs.call("die")
    assert envs.closed


def test_every_worker_that_failed_is_logged_in_one_line() -> None:
    """With the line that raised; the tracebacks are in the cause of the exception."""
    envs: AsyncVectorEnv[Any, Any] = AsyncVectorEnv(faulty("exception") * 2, num_workers=2)
    envs.reset()
    with pytest.warns(UserWarning, match="ERROR") as record, pytest.raises(KeyError) as raised:
        envs.step(batch(GOOD, GOOD, BAD, GOOD, GOOD, BAD))
    texts = [str(warning.message) for warning in record]
    assert len(texts) == 2
    for env, text in zip((2, 5), texts, strict=True):
        assert re.search(rf"Environment {env} .* raised KeyError: 'lost', at .*\.py:\d+", text)
        assert "\n" not in text
    assert "Traceback" in str(raised.value.__cause__)


def test_environments_of_one_worker_share_its_line() -> None:
    envs: AsyncVectorEnv[Any, Any] = AsyncVectorEnv(faulty("exception") * 2, num_workers=1)
    envs.reset()
    with pytest.warns(UserWarning, match="ERROR") as record, pytest.raises(KeyError):
        envs.step(batch(GOOD, GOOD, BAD, GOOD, GOOD, BAD))
    assert [re.findall(r"and 1 more", str(warning.message)) for warning in record] == [["and 1 more"]]
