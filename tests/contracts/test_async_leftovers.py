"""Nothing of a vector environment outlives it: no process, descriptor, or file in shared memory."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from gymnasium.vector.async_vector_env import AsyncVectorEnv
from tests.gymnasium.vector.counting import counting
from tests.gymnasium.vector.faulty import GOOD, batch, faulty
from tests.thorough import THOROUGH

ROOT = Path(__file__).parents[2]
SHARED_MEMORY, DESCRIPTORS = Path("/dev/shm"), Path("/proc/self/fd")

pytestmark = [
    pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning"),  # of JAX, if a test has used it
    pytest.mark.filterwarnings("ignore:.*cannot be kept"),
    pytest.mark.skipif(not DESCRIPTORS.exists(), reason="what is open is read from /proc"),
]
every_context = pytest.mark.parametrize("context", ["fork", "forkserver", "spawn"])

# Makes environments, says the workers' ids, and steps for ever: environment 2 within one step.
PARENT = """
import sys
from gymnasium.vector.async_vector_env import AsyncVectorEnv
from tests.gymnasium.vector.faulty import batch, faulty

if __name__ == "__main__":
    envs = AsyncVectorEnv(faulty(sys.argv[2]), context=sys.argv[1], num_workers=2)
    envs.reset()
    print(*(process.pid for process in envs.processes), flush=True)
    try:
        while True:
            envs.step(batch(0, 0, 1))
    except KeyboardInterrupt:
        envs.reset()
        envs.close()
        print("closed in order", flush=True)
"""


def files() -> set[str]:
    return {path.name for path in SHARED_MEMORY.iterdir()} if SHARED_MEMORY.exists() else set()


def leftovers() -> tuple[int, int, int]:
    return len(list(DESCRIPTORS.iterdir())), len(multiprocessing.active_children()), threading.active_count()


def assert_none_stays(new: set[str]) -> None:
    """Files of tests that run at the same time go too, when those end."""
    deadline = time.monotonic() + 30
    while new & files() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not new & files()


def cycle(context: str | None = None, **kwargs: Any) -> None:
    envs: AsyncVectorEnv[Any, Any] = AsyncVectorEnv(faulty(None), context=context, num_workers=2, **kwargs)
    envs.reset(seed=0)
    envs.step(batch(GOOD, GOOD, GOOD))
    envs.close()


@pytest.mark.parametrize("on_failure", ["raise", "restart", "resume"])
@every_context
def test_cycles_leave_nothing(context: str, on_failure: str) -> None:
    cycle(context)  # the first one starts the server that the context itself needs
    before, known = leftovers(), files()
    for _ in range(20 if THOROUGH and context == "fork" else 3):
        cycle(context, on_failure=on_failure)
    assert leftovers() == before
    assert_none_stays(files() - known)


def test_restarts_and_failures_leave_nothing() -> None:
    cycle()  # as above
    before, known = leftovers(), files()
    for on_failure in ("raise", "restart"):
        envs: Any = AsyncVectorEnv(faulty("SIGKILL"), num_workers=2, on_failure=on_failure)
        envs.reset()
        with pytest.warns(UserWarning):
            if on_failure == "raise":
                with pytest.raises(RuntimeError):
                    envs.step(batch(0, 0, 1))
            else:
                envs.step(batch(0, 0, 1))
                envs.close()
    assert leftovers() == before
    assert_none_stays(files() - known)


def test_resumptions_leave_nothing() -> None:
    cycle()  # as above
    before, known = leftovers(), files()
    envs: Any = AsyncVectorEnv(counting(3, 3, 3), num_workers=2, on_failure="resume")
    envs.reset()
    with pytest.warns(UserWarning, match="resumes its work"):
        for k in (0, 1, 1):
            envs.processes[k].kill()
            envs.step([0, 0, 0])
    envs.close()
    assert leftovers() == before
    assert_none_stays(files() - known)


def started_parent(context: str, fault: str, tmp_path: Path) -> tuple[subprocess.Popen[str], list[int]]:
    script = tmp_path / "parent.py"
    script.write_text(PARENT, encoding="utf-8")
    parent = subprocess.Popen(
        [sys.executable, str(script), context, fault],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert parent.stdout is not None
    return parent, [int(pid) for pid in parent.stdout.readline().split()]


def running(pid: int) -> bool:
    """Whether the process exists and is no zombie."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


@every_context
def test_killed_parent_takes_its_workers_along(context: str, tmp_path: Path) -> None:
    """Also the one in an endless step; and no file is left."""
    known = files()
    parent, workers = started_parent(context, "endless", tmp_path)
    assert len(workers) == 2
    time.sleep(0.2)
    parent.kill()
    parent.communicate()
    deadline = time.monotonic() + 15
    while any(map(running, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(running, workers))
    assert_none_stays(files() - known)


@every_context
def test_interrupt_reaches_the_parent_only(context: str, tmp_path: Path) -> None:
    """Ctrl-C, which the terminal sends to all, prints nothing from the workers, and the parent can go on."""
    parent, workers = started_parent(context, "slow", tmp_path)
    time.sleep(0.1)
    os.killpg(parent.pid, signal.SIGINT)
    out, err = parent.communicate(timeout=30)
    assert (out, err, parent.returncode) == ("closed in order\n", "", 0)
    assert not any(map(running, workers))
