"""A trajectory recorded by another process, with another hash seed and other addresses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cloudpickle

from gymnasium.envs._registry.making import make
from gymnasium.specs import EnvSpec
from gymnasium.utils.env_checker._check_env import as_numpy
from gymnasium.utils.env_checker._episodes import trajectory

_SECONDS = 120.0


def trajectory_elsewhere(spec: EnvSpec) -> list[Any]:
    """Returns the trajectory that a new process records in an environment of this spec.

    Raises:
        AssertionError: If it fails, or takes longer than two minutes.
    """
    with TemporaryDirectory() as folder:
        question, answer = Path(folder, "spec"), Path(folder, "trajectory")
        question.write_bytes(cloudpickle.dumps(spec))
        code = f"from {__name__} import record; record()"
        variables = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "12345"}
        try:
            done = subprocess.run(
                [sys.executable, "-c", code, str(question), str(answer)],
                env=variables,
                capture_output=True,
                text=True,
                timeout=_SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise AssertionError(f"G701: Another process did not make 50 steps in {_SECONDS:g} seconds") from None
        if not answer.exists():
            last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            raise AssertionError(f"G701: The environment must run in another process too, but there: {last}")
        results: list[Any] = cloudpickle.loads(answer.read_bytes())
        return results


def record() -> None:
    """The program of the other process: read a spec from the first file, and write the trajectory to the second."""
    question, answer = map(Path, sys.argv[1:])
    env = as_numpy(make(cloudpickle.loads(question.read_bytes()), disable_env_checker=True).unwrapped)
    results = trajectory(env)
    answer.write_bytes(cloudpickle.dumps(results))
