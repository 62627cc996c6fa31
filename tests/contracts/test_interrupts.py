"""After an interrupt at any moment a batch goes on from its next reset, or is closed and says so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tests.architecture.source import ROOT
from tests.thorough import THOROUGH

PROGRAM = """
import random
import signal
import sys
import threading
import time
import warnings

import numpy as np

import gymnasium
from gymnasium.error import ClosedEnvironmentError

warnings.simplefilter("ignore")
id, mode, n, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])


class Stop(KeyboardInterrupt):
    pass


armed = False


def stop(number, frame):
    global armed
    if armed:
        armed = False
        raise Stop


def make():
    return gymnasium.make_vec(id, n, vectorization_mode=mode)


def results(envs):
    first = envs.reset(seed=5)[0]
    return [first, *(part for k in range(3) for part in envs.step(ACTIONS[k])[:4])]


def check(envs):
    '''Whether the batch goes on; or it is closed.'''
    try:
        found = results(envs)
    except ClosedEnvironmentError:
        assert envs.closed
        return False
    for one, other in zip(found, CALM, strict=True):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))
    return True


def use(envs):
    for _ in range(20):
        envs.step(ACTIONS[0])
    envs.reset()
    if random.random() < 0.05:
        envs.close()


if __name__ == "__main__":
    random.seed(0)
    signal.signal(signal.SIGALRM, stop)
    envs = make()
    ACTIONS = [envs.action_space.sample() for _ in range(3)]
    CALM = results(envs)
    end, stopped, closed = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        signal.setitimer(signal.ITIMER_REAL, 10 ** random.uniform(-5, -2))
        try:
            armed = True
            while armed and not envs.closed:
                use(envs)
            armed = False
        except Stop:
            stopped += 1
        if not check(envs):
            closed += 1
            envs.close()
            envs = make()
            envs.reset(seed=0)
    done = []
    other = threading.Thread(target=lambda: done.append(results(envs)))
    other.start()
    other.join(20)
    assert done, "an interrupt has left a lock behind"
    processes = getattr(envs, "processes", [])
    envs.close()
    assert not any(process.is_alive() for process in processes)
    print(stopped, closed)
"""

BATCHES = [
    ("CartPole-v1", "compiled", 1),
    ("Taxi-v4", "compiled", 64),
    ("CartPole-v1", "compiled", 2048),
    ("CartPole-v1", "sync", 3),
    ("LunarLander-v3", "sync", 2),
    ("CartPole-v1", "async", 3),
    ("InvertedPendulum-v5", "vector_entry_point", 4),
]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="interrupts are made with a timer")
@pytest.mark.timeout(150)
@pytest.mark.parametrize(("id", "mode", "n"), BATCHES, ids=str)
def test_an_interrupt_at_any_moment(id: str, mode: str, n: int) -> None:
    seconds = 10.0 if THOROUGH else 2.0
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, id, mode, str(n), str(seconds)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=140,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert int(done.stdout.split()[0]) > 5
