"""The files on the page "Scaling out", as far as one machine can run them."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from palaestra.ray import cluster
from tests.palaestra.ray.making import ON_A_CLUSTER

pytestmark = ON_A_CLUSTER
PAGE = (Path(__file__).parents[3] / "docs/palaestra/introductions/scaling_out.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_ray_up_takes_the_file() -> None:
    """By Ray's own schema, once what the file leaves out is filled in, and as two workers."""
    from ray.autoscaler._private.util import prepare_config, validate_config

    config = prepare_config(yaml.safe_load(blocks("yaml")[0]))
    validate_config(config)
    assert config["max_workers"] == 2


def test_kuberay_takes_the_resource() -> None:
    """As Ray's autoscaler reads it, with the namespace that Kubernetes fills in."""
    from ray.autoscaler._private.kuberay import autoscaling_config

    resource = yaml.safe_load(blocks("yaml")[1])
    resource["metadata"]["namespace"] = "default"
    read: Any = autoscaling_config._derive_autoscaling_config_from_ray_cr
    groups = read(resource)["available_node_types"]
    assert groups["environments"]["resources"] == {"CPU": 16}
    assert groups["headgroup"]["resources"] == {"CPU": 0}
    assert groups["environments"]["max_workers"] == 4


SCONTROL = """#!/bin/sh
echo {address}
echo other
"""
SRUN = """#!/bin/sh
while [ "${1#--}" != "$1" ]; do shift; done
exec "$@"
"""
RAY = """#!/bin/sh
if [ "$1" = start ]; then
    set -- "$@" --object-store-memory=100000000 --disable-usage-stats
    if [ "$2" = --head ]; then set -- "$@" --include-dashboard=false; fi
fi
exec {ray} "$@"
"""
TRAIN = """
import gymnasium

options = {"num_workers": 2, "resources": {"num_cpus": 2}}
envs = gymnasium.make_vec("CartPole-v1", 4, "ray", vector_kwargs=options)
envs.reset(seed=1)
print("actors on", len({actor["node"] for actor in envs.actors}), "nodes")
envs.close()
"""


def test_the_script_for_slurm(tmp_path: Path) -> None:
    """Run for real, on two nodes that are this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (script,) = blocks("sh")
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "job").write_text(script.replace("6379", str(port)))
    commands = tmp_path / "bin"
    commands.mkdir()
    scontrol = SCONTROL.format(address=cluster.library().util.get_node_ip_address())
    ray = RAY.format(ray=Path(sys.executable).parent / "ray")
    python = f'#!/bin/sh\nexec {sys.executable} "$@"\n'
    for name, text in {"scontrol": scontrol, "srun": SRUN, "ray": ray, "python": python}.items():
        (commands / name).write_text(text)
        (commands / name).chmod(0o755)
    path = f"{commands}:{os.environ['PATH']}"
    system = {name: value for name, value in os.environ.items() if name != "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"}
    slurm = {"SLURM_JOB_NODELIST": "two", "SLURM_NNODES": "2", "SLURM_CPUS_PER_TASK": "2"}
    with (tmp_path / "log").open("w") as log:
        job = subprocess.Popen(
            ["bash", "job"],
            cwd=tmp_path,
            env={
                **system,
                **slurm,
                "RAY_AUTH_MODE": "disabled",
                "PATH": path,
                "PYTHONPATH": str(Path(__file__).parents[3]),
            },
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        )
        assert job.stdout is not None
        try:
            lines = iter(job.stdout.readline, "")
            assert "actors on 2 nodes\n" in lines, (tmp_path / "log").read_text()
        finally:
            os.killpg(job.pid, signal.SIGTERM)
            job.stdout.close()
            job.wait(60)
