"""CartPole on an accelerator: steps a second of one jitted scan over a large batch, with random actions.

    python benchmarks/jax_gpu.py --num-envs 65536 --steps 1000

It needs NumPy, typing-extensions, `jax[cuda12]` and this checkout, and nothing installed from it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter

import jax

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.subjects.scans import compiled, ours  # noqa: E402  (from this checkout, which is found just now)


def main() -> None:
    """What `python benchmarks/jax_gpu.py` does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--num-envs", type=int, default=65_536)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()

    program = ours(options.num_envs, options.steps)
    start = perf_counter()
    mean = float(jax.jit(program)(jax.random.key(0))[0])
    first = perf_counter() - start
    seconds = compiled(program)
    taken = sorted(seconds(seed) for seed in range(options.rounds))

    total = options.num_envs * options.steps
    device = jax.devices()[0]
    print(f"{device.device_kind} ({device.platform}), JAX {jax.__version__}, Python {sys.version.split()[0]}")
    print(f"CartPole-v1, {options.num_envs:,} x {options.steps:,} steps in one jitted scan, {options.rounds} rounds")
    print(f"  best   {total / taken[0] / 1e6:10.1f} M steps/s   {taken[0]:.4f} s")
    print(f"  median {total / taken[len(taken) // 2] / 1e6:10.1f} M steps/s   {taken[len(taken) // 2]:.4f} s")
    print(f"  first call, with compilation, {first:.1f} s; mean reward {mean:.4f}")


if __name__ == "__main__":
    main()
