"""Nodes that die, hang or fill up in the middle of the work: it goes on as if nothing had happened."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import SyncVectorEnv
from palaestra.ray import cluster
from tests.contracts.test_async_equality import same
from tests.palaestra.ray.cluster import Nodes
from tests.palaestra.ray.making import ON_A_CLUSTER, on_ray, on_ray_by_id
from tests.palaestra.ray.test_rollouts import network, same_rollout

pytestmark = ON_A_CLUSTER
ROOT = Path(__file__).parents[3]


class Pictures(gymnasium.Env[Any, Any]):
    """Observes noise."""

    observation_space = Box(0, 255, (256, 256, 4), np.uint8)
    action_space = Discrete(2)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        return self._noise(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return self._noise(), float(action), False, False, {}

    def _noise(self) -> Any:
        return self.np_random.integers(0, 256, self.observation_space.shape, np.uint8)


def on_an_added_node(nodes: Nodes, envs: Any) -> str:
    """The node of an actor that the test may kill."""
    return next(actor["node"] for actor in envs.actors if actor["node"] in nodes)


@pytest.mark.parametrize("seed", range(10))
def test_a_node_dies(nodes: Nodes, seed: int) -> None:
    """At any step, and the actors there go on elsewhere before Ray tells of it."""
    nodes.add(2)
    rng = np.random.default_rng(seed)
    dies, results = int(rng.integers(1, 20)), []
    actions = rng.integers(0, 2, (500, 4))
    for kills in (False, True):
        each = {"num_cpus": 1}
        envs = on_ray_by_id("CartPole-v1", 4, 50, num_workers=3, resources=each, on_failure="resume", snapshot_every=4)
        steps = [envs.reset(seed=seed)]
        victim = ""
        for t in range(500):
            if kills and t == dies:
                victim = on_an_added_node(nodes, envs)
                nodes.kill(victim)
                died = time.monotonic()
            steps.append(envs.step(actions[t]))
            if "worker_resumed" in steps[-1][4] or (not kills and t == 499):
                break
        if kills:
            assert time.monotonic() - died < 20  # about 3 on an idle machine; Ray would take longer to tell
            assert victim in cluster.addresses()
        results.append([step[:4] for step in steps])
        envs.close()
    undisturbed, resumed = results
    assert len(resumed) > dies
    assert same(undisturbed[: len(resumed)], resumed)


def test_a_node_hangs(nodes: Nodes) -> None:
    """Its actors do what needs no help of Ray's process there; what takes too long is done elsewhere."""
    results = []
    for hangs in (False, True):
        nodes.add(2)
        options = {"resources": {"num_cpus": 1}, "on_failure": "resume", "worker_timeout": 8.0}
        envs = on_ray_by_id("CartPole-v1", 4, num_workers=3, **options)
        last: Any = envs.reset(seed=1)[0]
        frozen = on_an_added_node(nodes, envs)
        if hangs:
            nodes.freeze(frozen)
        parts = []
        for _ in range(2):  # more than what an answer holds without Ray's object store
            last = palaestra.rollout(envs, network(envs), 4000, start=last)
            parts.append(last)
        assert hangs == (frozen not in [actor["node"] for actor in envs.actors])
        results.append(parts)
        envs.close()
        if hangs:
            nodes.kill(frozen)
    assert all(map(same_rollout, *results))


def by_one_pixel(observations: Any) -> Any:
    return observations[:, 0, 0, 0] % 2


def test_the_object_store_overflows() -> None:
    """A rollout that is larger than the object stores of its nodes is the same."""
    functions = [Pictures] * 4
    found, expected = (
        palaestra.rollout(envs, by_one_pixel, 250, start=envs.reset(seed=1)[0], overlap=True)
        for envs in (on_ray(functions), SyncVectorEnv(functions))
    )
    assert found.observations.nbytes > 200 * 2**20
    assert same_rollout(found, expected)


def test_a_policy_that_finds_no_room_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything moves."""
    full = cluster.library().exceptions.ObjectStoreFullError

    def refuse(value: Any) -> Any:
        raise full("no room")

    envs = on_ray_by_id("CartPole-v1", 2)
    start = envs.reset(seed=1)[0]
    with monkeypatch.context() as patch, pytest.raises(full, match="no room"):
        patch.setattr(cluster, "put", refuse)
        palaestra.rollout(envs, network(envs), 5, start=start)
    local = gymnasium.make_vec("CartPole-v1", 2, "sync")
    local.reset(seed=1)
    assert same(envs.step(np.ones(2, int))[:4], local.step(np.ones(2, int))[:4])


HEADLESS = """
import time, warnings
import numpy as np
from palaestra.ray import RayVectorEnv
from gymnasium.vector._workers.failures import WorkerError
from tests.palaestra.ray.cluster import cluster_of
from tests.gymnasium.vector.counting import counting

warnings.simplefilter("ignore")
with cluster_of(2) as nodes:
    envs = RayVectorEnv(counting(3, 4, 5), num_workers=2, resources={"num_cpus": 0.1}, on_failure="resume")
    envs.reset(seed=1)
    nodes.kill_head()
    start = time.monotonic()
    try:
        while time.monotonic() < start + 40:
            envs.step(np.zeros(3, int))
    except WorkerError as error:
        print("told", error)
    assert envs.closed
"""


def test_a_lost_head_is_told() -> None:
    """By an error that says so, after which the program can end. In a process of its own, which Ray may end."""
    result = subprocess.run([sys.executable, "-c", HEADLESS], cwd=ROOT, timeout=200, capture_output=True, text=True)
    assert "told" in result.stdout, result.stderr[-2000:]
    assert "the head of the Ray cluster at 127.0.0.1" in result.stdout
