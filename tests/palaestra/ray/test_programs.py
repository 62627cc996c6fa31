"""Programs on Ray: the example of PPO, the command that measures, and one that has no cluster."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from palaestra.cli import main
from tests.palaestra.ray.making import ON_A_CLUSTER

pytestmark = ON_A_CLUSTER
ROOT = Path(__file__).parents[3]


def test_ppo_learns_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a cluster as on one machine, weight by weight."""
    torch = pytest.importorskip("torch")
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    ppo: Any = importlib.import_module("ppo")
    agents, curves = [], []
    for mode in ("ray", "sync"):
        options = ppo.parser.parse_args(["--mode", mode, "--num-envs", "6", "--steps", "1600"])
        agent, curve = ppo.train(options)
        agents.append(torch.nn.utils.parameters_to_vector(agent.parameters()))
        curves.append([(progress.steps, progress.episodes, progress.mean_return) for progress in curve])
    assert len(curves[0]) == 4
    assert curves[0] == curves[1]
    assert torch.equal(*agents)


def test_bench_measures_a_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    """Beside the modes of one machine."""
    arguments = ["bench", "CartPole-v1", "--modes", "sync,async,ray", "--num-envs", "4", "--seconds", "0.05", "--json"]
    assert main(arguments) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert [result["mode"] for result in results] == ["sync", "async", "ray"]
    assert all(result["speed"] > 0 for result in results)
    assert results[-1]["remark"] == "RayVectorEnv"


ALONE = """
import os, ray, gymnasium

def make():
    options = {"num_workers": 2, "address": "local", "resources": {"num_cpus": 0.5}}
    return gymnasium.make_vec("CartPole-v1", 4, "ray", vector_kwargs=options)

envs, more = make(), make()
envs.reset(seed=1)
pids = [0, *(actor["pid"] for actor in envs.actors)]
print(len({os.getpriority(os.PRIO_PROCESS, pid) for pid in pids}))
envs.close()
print(ray.is_initialized())
more.close()
print(ray.is_initialized())
"""


def test_a_ray_of_our_own() -> None:
    """Beside the cluster of this machine; its actors have the driver's priority, and it ends with the last batch."""
    result = subprocess.run([sys.executable, "-c", ALONE], cwd=ROOT, timeout=200, capture_output=True, text=True)
    assert result.stdout.splitlines() == ["1", "True", "False"], result.stderr[-2000:]
