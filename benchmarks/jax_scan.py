"""CartPole under JAX: steps a second of one jitted scan over a batch, with random actions, ours and gymnax's.

    python -m benchmarks.jax_scan --gymnax .venv-gymnax/bin/python

Each runs in an interpreter of its own, taking turns; the figure is the best round, without compilation.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
from jax import numpy as jnp

ROOT = Path(__file__).parents[1]


def ours(num_envs: int, steps: int) -> Callable[[Any], Any]:
    """Returns a program that takes a key, and returns the mean reward."""
    from gymnasium.envs.classic_control.cartpole import CartPole
    from gymnasium.jax import BatchRunner

    runner = BatchRunner(CartPole(), num_envs, max_episode_steps=500)

    def act(carry: Any, key: Any) -> tuple[Any, Any]:
        batch, total = carry
        batch, came = runner.step(batch, jax.random.randint(key, (num_envs,), 0, 2))
        return (batch, total + came.rewards.sum() + 0 * came.observations.sum()), None

    def program(key: Any) -> Any:
        first, rest = jax.random.split(key)
        batch, _, _ = runner.reset(first)
        (batch, total), _ = jax.lax.scan(act, (batch, jnp.float32(0)), jax.random.split(rest, steps))
        return total / (num_envs * steps), batch

    return program


def gymnax(num_envs: int, steps: int) -> Callable[[Any], Any]:
    """The same with gymnax, in the way of its documentation."""
    import gymnax  # type: ignore[import-not-found]  # in an environment of its own

    env, params = gymnax.make("CartPole-v1")

    def act(carry: Any, key: Any) -> tuple[Any, Any]:
        state, total = carry
        choice, noise = jax.random.split(key)
        actions = jax.random.randint(choice, (num_envs,), 0, 2)
        keys = jax.random.split(noise, num_envs)
        observations, state, rewards, *_ = jax.vmap(env.step, in_axes=(0, 0, 0, None))(keys, state, actions, params)
        return (state, total + rewards.sum() + 0 * observations.sum()), None

    def program(key: Any) -> Any:
        first, rest = jax.random.split(key)
        _, state = jax.vmap(env.reset, in_axes=(0, None))(jax.random.split(first, num_envs), params)
        (state, total), _ = jax.lax.scan(act, (state, jnp.float32(0)), jax.random.split(rest, steps))
        return total / (num_envs * steps), state

    return program


def seconds(program: Callable[[Any], Any], rounds: int) -> list[float]:
    """Returns what each round took."""
    compiled = jax.jit(program).lower(jax.random.key(0)).compile()
    taken = []
    for i in range(rounds):
        key = jax.block_until_ready(jax.random.key(i))
        start = perf_counter()
        jax.block_until_ready(compiled(key))
        taken.append(perf_counter() - start)
    return taken


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--num-envs", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--gymnax", type=Path, help="a Python that has gymnax, to measure it beside ours")
    parser.add_argument("--only", choices=("ours", "gymnax"), help="measure one, here, and print its seconds as JSON")
    return parser.parse_args()


def main() -> None:
    """What `python -m benchmarks.jax_scan` does."""
    options = _arguments()
    size = options.num_envs, options.steps
    if options.only:
        print(json.dumps(seconds({"ours": ours, "gymnax": gymnax}[options.only](*size), options.rounds)))
        return
    peers = {"ours": Path(sys.executable)} | ({"gymnax": options.gymnax} if options.gymnax else {})
    best = {name: float("inf") for name in peers}
    for _ in range(options.rounds):
        for name, python in peers.items():
            best[name] = min(best[name], *_elsewhere(name, python, size))
    print(
        f"{jax.devices()[0].device_kind}, {os.cpu_count()} cores, JAX {jax.__version__}: CartPole-v1, {size[0]:,} x "
        f"{size[1]:,} steps in one jitted scan, best of {options.rounds} x 3"
    )
    for name, taken in best.items():
        print(f"  {name:<7} {size[0] * size[1] / taken / 1e6:8.1f} M steps/s   {taken:.3f} s")


def _elsewhere(name: str, python: Path, size: tuple[int, int]) -> list[float]:
    command = [str(python.absolute()), str(Path(__file__)), "--only", name, "--rounds", "3"]
    command += ["--num-envs", str(size[0]), "--steps", str(size[1])]
    path = str(ROOT) if name == "ours" else ""
    done = subprocess.run(
        command, cwd=ROOT / "benchmarks", env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"{name} failed:\n{done.stderr}")
    return list(json.loads(done.stdout))


if __name__ == "__main__":
    main()
