"""A killed process and a full disk lose no finished episode."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from random import Random

import pytest

from tests.palaestra.recording.data_sets.test_record_trajectories import metadata, opened

h5py = pytest.importorskip("h5py")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits as POSIX has them")

# Says how many episodes are finished after each step, and goes on for ever.
ENDLESS = """
import sys
import gymnasium
from palaestra.recording.vector import RecordTrajectories

envs = gymnasium.make_vec("CartPole-v1", 64)
envs = RecordTrajectories(envs, "x-v0", sys.argv[1])
envs.reset(seed=1)
while True:
    envs.step(envs.action_space.sample())
    print(envs.recorded_episodes, flush=True)
"""

# The file may not grow beyond 200 kB until an error has come; then it may.
FULL = """
import json, resource, signal, sys
import gymnasium
from palaestra.recording import RecordTrajectories

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
env = RecordTrajectories(gymnasium.make("CartPole-v1"), "x-v0", sys.argv[1])
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
errors, before, total = [], None, 0
for seed in range(400):
    env.reset(seed=seed)
    over = False
    while not over:
        try:
            *_, terminated, truncated, _ = env.step(env.action_space.sample())
        except OSError as error:
            if before is None:
                before = env.recorded_episodes
            errors.append(error.errno)
            over = True
            if len(errors) == 3:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        else:
            over = terminated or truncated
            total += over
env.close()
print(json.dumps([before, errors, total, env.recorded_episodes]))
"""


def test_a_killed_process_leaves_every_finished_episode(tmp_path):
    """At any moment; the program tells the number of episodes after each step."""
    random = Random(1)
    for k in range(8):
        folder = tmp_path / str(k)
        process = subprocess.Popen([sys.executable, "-c", ENDLESS, str(folder)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()
        deadline = time.monotonic() + random.uniform(0, 0.5)
        lines = ["0"]
        while time.monotonic() < deadline:
            lines.append(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.read().splitlines(keepends=True)
        process.wait()
        process.stdout.close()
        finished = int([line for line in lines if line.endswith("\n") or line == "0"][-1])

        assert metadata(folder)["total_episodes"] >= finished
        with opened(folder) as file:
            assert len(file) >= metadata(folder)["total_episodes"]
            assert set(file) == {f"episode_{i}" for i in range(len(file))}
            for name, group in file.items():
                assert name == f"episode_{group.attrs['id']}"
                length = group.attrs["total_steps"]
                assert len(group["observations"][:]) == length + 1
                assert group["rewards"][:].sum() == length == group.attrs["rewards_sum"]
                assert (group["terminations"][:] | group["truncations"][:]).nonzero()[0].tolist() == [length - 1]


def test_a_full_disk_is_an_error_and_loses_nothing_that_was_written(tmp_path):
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    before, errors, total, recorded = json.loads(done.stdout)

    assert before > 20
    assert len(errors) == 3
    assert total <= recorded <= total + 3  # one that failed at its very end is added by the next
    assert metadata(tmp_path)["total_episodes"] == recorded
    with opened(tmp_path) as file:
        assert set(file) == {f"episode_{i}" for i in range(recorded)}
        assert all(len(group["rewards"][:]) == group.attrs["total_steps"] for group in file.values())


def test_memory_does_not_grow_with_an_episode(tmp_path):
    """Of 80 MB of observations a block is in memory."""
    program = """
import resource, sys
import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete
from palaestra.recording import RecordTrajectories

class Long(gymnasium.Env):
    observation_space, action_space = Box(0, 255, (100, 100, 4), np.uint8), Discrete(2)
    def reset(self, *, seed=None, options=None):
        return np.zeros((100, 100, 4), np.uint8), {}
    def step(self, action):
        return np.full((100, 100, 4), action, np.uint8), 0.0, False, False, {}

env = RecordTrajectories(Long(), "x-v0", sys.argv[1], keep_unfinished=True)
env.reset()
for k in range(100):
    env.step(0)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for k in range(2000):
    env.step(0)
env.close()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, timeout=100)

    assert int(done.stdout) < 5_000, done.stderr  # KiB
    assert (tmp_path / "x-v0" / "data" / "main_data.hdf5").stat().st_size > 80_000_000
