"""`on_failure="restart"`: a worker that fails is replaced, and nothing is lost but the episodes it had."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from functools import partial
from typing import Any

import numpy as np
import pytest

from gymnasium.vector import AutoresetMode
from gymnasium.vector._workers.failures import WorkerError
from gymnasium.vector.async_vector_env import AsyncVectorEnv
from tests.gymnasium.vector.counting import Counting, counting
from tests.gymnasium.vector.faulty import BAD, GOOD, batch, faulty

pytestmark = [
    pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning"),  # of JAX, if a test has used it
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="workers are killed with signals"),
    pytest.mark.filterwarnings("ignore:.*started anew", "ignore:.*ERROR"),
    pytest.mark.timeout(180),
]
every_context = pytest.mark.parametrize("context", ["fork", "forkserver", "spawn"])
either_memory = pytest.mark.parametrize("shared_memory", [True, False])


def restarting(env_fns: Any, **kwargs: Any) -> Any:
    envs: Any = AsyncVectorEnv(env_fns, **{"num_workers": 2, "on_failure": "restart", **kwargs})
    envs.reset()
    return envs


@either_memory
@every_context
@pytest.mark.parametrize("fault", ["SIGKILL", "exit", "odd", "unpicklable"])
def test_episodes_of_a_failed_worker_end_as_truncated(fault: str, context: str, shared_memory: bool) -> None:
    """With reward 0 and the last observation; the others do not notice, and all go on."""
    envs = restarting(faulty(fault), context=context, shared_memory=shared_memory)
    envs.step(batch(GOOD, GOOD, GOOD))

    observations, rewards, terminations, truncations, infos = envs.step(batch(BAD, BAD, BAD))

    assert observations.tolist() == [[2, BAD], [1, GOOD], [1, GOOD]]
    assert rewards.tolist() == [2.0, 0.0, 0.0]
    assert not terminations.any()
    assert truncations.tolist() == [False, True, True]
    assert infos["worker_restarted"].tolist() == infos["_worker_restarted"].tolist() == [False, True, True]
    assert envs.step(batch(GOOD, GOOD, GOOD))[0].tolist() == [[3, GOOD], [0, 0], [0, 0]]
    assert envs.step(batch(GOOD, GOOD, GOOD))[0].tolist() == [[4, GOOD], [1, GOOD], [1, GOOD]]
    envs.close()


@either_memory
def test_same_step_begins_the_next_episode_at_once(shared_memory: bool) -> None:
    envs = restarting(faulty("SIGKILL"), autoreset_mode=AutoresetMode.SAME_STEP, shared_memory=shared_memory)
    envs.step(batch(GOOD, GOOD, GOOD))
    observations, rewards, _, truncations, infos = envs.step(batch(GOOD, GOOD, BAD))
    assert observations.tolist() == [[2, GOOD], [0, 0], [0, 0]]
    assert rewards.tolist() == [2.0, 0.0, 0.0]
    assert truncations.tolist() == [False, True, True]
    assert [each if each is None else each.tolist() for each in infos["final_obs"]] == [None, [1, GOOD], [1, GOOD]]
    assert envs.step(batch(GOOD, GOOD, GOOD))[0].tolist() == [[3, GOOD], [1, GOOD], [1, GOOD]]
    envs.close()


def test_disabled_waits_for_the_caller_to_reset() -> None:
    envs = restarting(faulty("SIGKILL"), autoreset_mode=AutoresetMode.DISABLED)
    *_, truncations, _ = envs.step(batch(GOOD, GOOD, BAD))
    with pytest.raises(AssertionError):
        envs.step(batch(GOOD, GOOD, GOOD))
    assert envs.reset(options={"reset_mask": truncations})[0].tolist() == [[1, GOOD], [0, 0], [0, 0]]
    assert envs.step(batch(GOOD, GOOD, GOOD))[0].tolist() == [[2, GOOD], [1, GOOD], [1, GOOD]]
    envs.close()


def test_finished_episode_is_not_lost_with_its_worker() -> None:
    """An environment whose episode had ended is reset by the next step as if nothing had been."""
    envs = restarting(counting(1, 5))
    envs.step([0, 0])
    envs.processes[0].kill()
    _, rewards, _, truncations, infos = envs.step([0, 0])
    assert rewards.tolist() == [0.0, 12.0]
    assert not truncations.any()
    assert "worker_restarted" not in infos
    envs.close()


def test_reset_is_repeated_with_the_same_seeds() -> None:
    """Killed at a masked reset: who was to be reset is; whose episode was lost says so at the next step."""
    envs = restarting(faulty(None, 4))
    envs.step(batch(GOOD, GOOD, GOOD, GOOD))
    envs.processes[0].kill()
    mask = np.array([True, False, False, False])
    assert envs.reset(seed=9, options={"reset_mask": mask})[0].tolist() == [[0, 0], [1, 0], [1, 0], [1, 0]]
    assert envs.get_attr("np_random_seed")[0] == 9
    observations, _, _, truncations, _ = envs.step(batch(GOOD, GOOD, GOOD, GOOD))
    assert truncations.tolist() == [False, True, False, False]
    assert observations.tolist() == [[1, 0], [1, 0], [2, 0], [2, 0]]
    envs.close()


def test_call_of_a_dead_worker_raises_and_all_goes_on() -> None:
    envs = restarting(faulty(None))
    envs.processes[1].kill()
    with pytest.raises(WorkerError, match="SIGKILL"):
        envs.call("t")
    assert envs.call("t") == (0, 0, 0)
    assert envs.step(batch(GOOD, GOOD, GOOD))[3].tolist() == [False, True, True]
    envs.close()


def test_flying_environments_land_truncated() -> None:
    """Those of the dead worker that had landed before keep what they brought."""
    envs = restarting(faulty("SIGKILL"))
    envs.send(batch(GOOD, GOOD, BAD))
    _, _, _, truncations, infos = envs.recv(3)
    landed = dict(zip(infos["env_id"].tolist(), truncations.tolist(), strict=True))
    assert landed == {0: False, 1: False, 2: True}
    assert envs.step(batch(GOOD, GOOD, GOOD))[3].tolist() == [False, True, False]
    envs.close()


def test_worker_that_fails_again_and_again_raises(tmp_path: Any) -> None:
    """Rather than being started for ever."""
    marker = tmp_path / "made"

    def make() -> Counting:
        if marker.exists():
            raise OSError("cannot be made twice")
        marker.touch()
        return Counting()

    envs = restarting([make])
    envs.processes[0].kill()
    with pytest.raises(OSError, match="twice"):
        envs.step([0])
    assert envs.closed


class Tally(Counting):
    """Takes a little time, so that kills come amid steps."""

    def step(self, action: Any) -> Any:
        time.sleep(0.0002)
        return super().step(action)


@pytest.mark.parametrize("shared_memory", [True, False])
def test_random_kills_under_load(shared_memory: bool) -> None:
    """Workers are killed at random for a while; every episode is whole, or ends flagged where its worker died.

    `PALAESTRA_CHAOS_SECONDS` says for how long.
    """
    n = 8
    envs = restarting([partial(Tally, 25)] * n, num_workers=3, shared_memory=shared_memory)
    seconds = float(os.environ.get("PALAESTRA_CHAOS_SECONDS", "4")) / 2
    stop, stepped, kills = threading.Event(), threading.Event(), []

    def kill_at_random() -> None:
        # One kill a step at the most: a worker that never comes to answer is another fault.
        while not stop.wait(random.uniform(0.02, 0.2)):
            if stepped.is_set():
                stepped.clear()
                kills.append(random.choice(envs.processes))
                kills[-1].kill()

    killer = threading.Thread(target=kill_at_random)
    killer.start()
    lengths, over, flagged, whole = np.zeros(n, int), np.zeros(n, bool), 0, 0
    ends = time.monotonic() + seconds
    try:
        # On a busy machine steps take long, and few episodes end before their worker does.
        while time.monotonic() < ends or ((whole == 0 or len(kills) <= 5) and time.monotonic() < ends + 60):
            observations, rewards, terminations, truncations, infos = envs.step([0] * n)
            stepped.set()
            restarted = infos.get("worker_restarted", np.zeros(n, bool))
            assert (truncations == restarted).all()
            # A running episode advances by one step, or ends truncated where it was; a finished one begins anew.
            lengths = np.where(over, 0, np.where(truncations, lengths, lengths + 1))
            assert observations[:, 1].tolist() == lengths.tolist()
            assert rewards[over | truncations].tolist() == [0.0] * int((over | truncations).sum())
            assert ((lengths == 25) == terminations).all()
            over = terminations | truncations
            flagged, whole = flagged + int(truncations.sum()), whole + int(terminations.sum())
    finally:
        stop.set()
        killer.join()
        envs.close()
    assert len(kills) > 5
    assert flagged > 0
    assert whole > 0
    assert not any(process.is_alive() for process in [*envs.processes, *kills])
