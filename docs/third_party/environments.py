"""Try environments of a package: `python environments.py MODULE ID...` checks, steps and batches each.

MODULE is imported, so that it registers its ids. `MODULE:CLASS` names a class that is not registered. Prints a line for
each environment, and on stderr the findings of the checker; fails if anything raises.
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from typing import Any

import gymnasium
from gymnasium.utils.env_checker import find_problems

BATCH = 2
STEPS = int(os.environ.get("STEPS", "1000"))


def main() -> None:
    """Try each id."""
    warnings.simplefilter("ignore")
    module, *ids = sys.argv[1:]
    imported = importlib.import_module(module)
    gymnasium.register_envs(imported)
    for id in ids:
        print(f"{id}: {checked(id)}; {episodes(id)}; {batch(id)}", flush=True)


def checked(id: str) -> str:
    """Run the checker; returns the ids of its findings, without notes."""
    findings = [found for found in find_problems(id) if found.severity != "note"]
    for found in findings:
        print(f"  {found.id} {found.place}: {found.message}", file=sys.stderr)
    codes = ", ".join(sorted({f"{found.severity} {found.id}" for found in findings}))
    return f"checker: {codes}" if codes else "checker: no findings"


def episodes(id: str) -> str:
    """Take random steps; returns how many episodes they made."""
    env: Any = gymnasium.make(id)
    env.action_space.seed(0)
    env.reset(seed=0)
    ended = 0
    for _ in range(STEPS):
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            ended += 1
            env.reset()
    env.close()
    return f"{STEPS:,} steps, {ended} episodes"


def batch(id: str) -> str:
    """Step a few in worker processes; returns how many."""
    envs: Any = gymnasium.make_vec(id, BATCH, "async")
    envs.action_space.seed(0)
    envs.reset(seed=0)
    for _ in range(50):
        envs.step(envs.action_space.sample())
    envs.close()
    return f"{BATCH} in worker processes"


if __name__ == "__main__":
    main()
