"""What goes wrong on a cluster is told, or made good: by new episodes, or as if nothing had happened."""

from __future__ import annotations

import multiprocessing
import os
import signal
from functools import partial
from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector._workers.failures import WorkerError
from palaestra.ray import RayVectorEnv, cluster, supervisor
from tests.contracts.test_async_equality import same
from tests.gymnasium.vector.counting import Boom, Counting, counting
from tests.gymnasium.vector.faulty import BAD, GOOD, Faulty, faulty
from tests.palaestra.ray.making import ON_A_CLUSTER, kill, on_ray, on_ray_by_id

pytestmark = ON_A_CLUSTER


def test_an_exception_names_its_place() -> None:
    """The environment, the actor, its process and its node."""
    envs = on_ray(counting(3, 4, 5))
    envs.reset()
    with pytest.raises(Boom) as caught:
        envs.step(np.array([0, 0, 3]))
    account = str(caught.value.__cause__)
    assert account.startswith("Environment 2, in the Ray actor 1 (pid ")
    assert "node 127.0.0.1" in account
    assert envs.closed


@pytest.mark.parametrize("fault", ["odd", "unpicklable info"])
def test_an_odd_failure_is_told(fault: str) -> None:
    """Whatever an environment raises, the call ends with an error that says so."""
    envs = on_ray(faulty(fault), num_workers=1)
    envs.reset()
    with pytest.raises(Exception, match=r"7 at stepping|SystemExit|holds a lock|lock") as caught:
        envs.step(np.array([GOOD, GOOD, BAD]))
    assert not isinstance(caught.value, (AssertionError, SystemExit))


def test_environments_that_cannot_be_made_are_told() -> None:
    with pytest.raises(Exception, match="making it"):
        on_ray(faulty("constructor"), num_workers=1)


def test_a_cluster_without_room_is_told() -> None:
    """With what was asked for, and what there is."""
    with pytest.raises(WorkerError, match=r"num_gpus.*3 nodes"):
        on_ray(counting(3), resources={"num_gpus": 1}, start_timeout=2)


@pytest.mark.parametrize(
    "bad",
    [{"placement": "ANY"}, {"on_failure": "ignore"}, {"num_workers": 0}, {"snapshot_every": 3}, {"start_timeout": -1}],
)
def test_invalid_arguments(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(bad))):
        RayVectorEnv(counting(3), **bad)


def test_timeouts() -> None:
    """A late result is dropped, and the next call returns its own."""
    envs = on_ray(faulty("slow"))
    envs.reset()
    envs.step_async(np.array([GOOD, GOOD, BAD]))
    with pytest.raises(multiprocessing.TimeoutError, match=r"\[2\]|\[1, 2\]"):
        envs.step_wait(timeout=0.05)
    observations = envs.step(np.array([GOOD, GOOD, GOOD]))[0]
    assert observations.tolist() == [[2, 0]] * 3
    envs.close(timeout=0.1)


def test_a_death_is_told() -> None:
    envs = on_ray(counting(3, 4, 5))
    envs.reset()
    kill(envs, 1)
    with pytest.raises(WorkerError, match=r"environments 1 to 2 died"):
        for _ in range(100):
            envs.step(np.zeros(3, int))
    assert envs.closed


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_restart_ends_the_episodes_that_were_lost(mode: AutoresetMode) -> None:
    """As truncated, with the last observation; what follows is what follows any end."""
    envs = on_ray([partial(Counting, 50)] * 4, on_failure="restart", autoreset_mode=mode)
    envs.reset(seed=1)
    last = envs.step(np.zeros(4, int))[0]
    kill(envs, 1)
    with pytest.warns(UserWarning, match="started anew"):
        observations, rewards, _, truncated, infos = envs.step(np.zeros(4, int))
    assert truncated.tolist() == [False, False, True, True]
    assert rewards[2:].tolist() == [0.0, 0.0]
    assert infos["worker_restarted"].tolist() == [False, False, True, True]
    if mode is AutoresetMode.SAME_STEP:
        assert (np.stack(infos["final_obs"][2:]) == last[2:]).all()
    else:
        assert (observations[2:] == last[2:]).all()
    if mode is AutoresetMode.NEXT_STEP:
        observations = envs.step(np.zeros(4, int))[0]
    assert observations[2:, 1].tolist() == [0, 0]
    assert envs.step(np.zeros(4, int))[0][2:, 1].tolist() == [1, 1]


def moving(envs: Any, disturb: Any) -> list[Any]:
    """Steps, masked resets and parts of the batch, with attributes set in between."""
    results: list[Any] = [envs.reset(seed=3)]
    rng = np.random.default_rng(0)
    for t in range(24):
        disturb(envs, t)
        actions = rng.integers(0, 2, envs.num_envs)
        if t == 9:
            mask = rng.random(envs.num_envs) < 0.5
            mask[0] = True
            results.append(envs.reset(options={"reset_mask": mask}))
        elif t == 12:
            envs.set_attr("gravity", 9.0)
        elif t % 7 == 5:
            envs.send(actions[::2], range(0, envs.num_envs, 2))
            envs.send(actions[1::2], range(1, envs.num_envs, 2))
            found = envs.recv(envs.num_envs)
            order = np.argsort(found[4]["env_id"])
            results.append([array[order] for array in found[:4]])
        else:
            results.append(envs.step(actions)[:4])
    return results


def test_resume_goes_on_after_deaths() -> None:
    """The results are those of an undisturbed run, bit for bit, whichever actor dies when, compiled or not."""
    results = []
    for kills in (False, True):
        envs = on_ray_by_id("CartPole-v1", 4, on_failure="resume", snapshot_every=5, inner="sync" if kills else None)

        def disturb(envs: Any, t: int, kills: bool = kills) -> None:
            if kills and t in (6, 10, 19):
                kill(envs, t % 2)

        results.append(moving(envs, disturb))
        envs.close()
    assert same(*results)


def test_resume_without_checkpoints() -> None:
    """An environment without `get_state` repeats its actions since the last reset with seeds."""
    envs, sync = on_ray([Faulty] * 3, num_workers=1, on_failure="resume", snapshot_every=3), SyncVectorEnv([Faulty] * 3)
    results = []
    for each in (envs, sync):
        steps = [each.reset(seed=1)]
        for t in range(12):
            if each is envs and t in (3, 8):
                kill(envs, 0)
            if t == 6:
                steps.append(each.reset(seed=2))
            steps.append(each.step(np.zeros(3, int))[:4])
        results.append(steps)
    assert same(*results)


def test_resume_gives_up_a_request_that_kills() -> None:
    """The fourth death at the same request raises."""
    envs = on_ray(faulty("SIGKILL"), num_workers=1, on_failure="resume")
    envs.reset(seed=1)
    with pytest.raises(WorkerError, match="so did the actors before it"):
        envs.step(np.array([GOOD, GOOD, BAD]))
    assert envs.closed


def test_resume_after_a_hang() -> None:
    """An actor that does not answer in time is replaced."""
    envs = on_ray([Faulty] * 4, on_failure="resume", worker_timeout=2.0)
    envs.reset(seed=1)
    os.kill(envs.actors[1]["pid"], signal.SIGSTOP)
    assert envs.step(np.zeros(4, int))[0].tolist() == [[1, 0]] * 4


def test_a_request_is_done_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often its answer is lost on the way, and the request repeated."""
    unavailable = cluster.library().exceptions.ActorUnavailableError("the connection broke", None)
    lost, received = np.random.default_rng(2), cluster.values

    def some_values(refs: Any) -> list[Any]:
        return [unavailable if lost.random() < 0.4 else value for value in received(refs)]

    envs, local = on_ray_by_id("CartPole-v1", 4), gymnasium.make_vec("CartPole-v1", 4, max_episode_steps=8)
    monkeypatch.setattr(supervisor, "_PAUSE", 0.0)
    monkeypatch.setattr(supervisor, "_REPEATS", 100_000)  # on a busy machine, that many may come without a pause
    monkeypatch.setattr(cluster, "values", some_values)
    assert same(*(moving(each, lambda envs, t: None) for each in (envs, local)))
