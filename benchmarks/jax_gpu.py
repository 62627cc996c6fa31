"""Steps a second on an accelerator: one jitted scan over a large batch, with random actions.

    python benchmarks/jax_gpu.py --num-envs 65536 1048576 --steps 1000
    python benchmarks/jax_gpu.py --num-envs 65536 1048576 --classes

With `--classes`, ordinary classes of environments are stepped, those named or all of `CLASSES`; else `CartPole`, a
`FuncEnv`.

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

from benchmarks.subjects.scans import Program, compiled, ours, own_class  # noqa: E402  (from this checkout, found now)

CLASSES = (
    "benchmarks.subjects.classes:PlainCartPole",
    "benchmarks.subjects.classes:PlainGridWorld",
    "tests.plain_zoo.arcade:SnakeEnv",
    "tests.plain_zoo.boards:ConnectFourEnv",
)


def main() -> None:
    """What `python benchmarks/jax_gpu.py` does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--num-envs", type=int, nargs="+", default=[65_536])
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--classes", nargs="*", help="module:Class of each; none for all of CLASSES")
    options = parser.parse_args()

    device = jax.devices()[0]
    print(f"{device.device_kind} ({device.platform}), JAX {jax.__version__}, Python {sys.version.split()[0]}")
    for num_envs in options.num_envs:
        if options.classes is None:
            measure("CartPole-v1", ours(num_envs, options.steps), num_envs, options)
        for name in CLASSES if options.classes == [] else options.classes or ():
            measure(name, own_class(name, num_envs, options.steps), num_envs, options)


def measure(name: str, program: Program, num_envs: int, options: argparse.Namespace) -> None:
    """Print the steps a second of a program."""
    start = perf_counter()
    seconds = compiled(program)
    first = perf_counter() - start
    taken = sorted(seconds(seed) for seed in range(options.rounds))
    total = num_envs * options.steps
    print(f"{name}, {num_envs:,} x {options.steps:,} steps in one jitted scan, {options.rounds} rounds")
    print(f"  best   {total / taken[0] / 1e6:10.1f} M steps/s   {taken[0]:.4f} s")
    print(f"  median {total / taken[len(taken) // 2] / 1e6:10.1f} M steps/s   {taken[len(taken) // 2]:.4f} s")
    print(f"  compilation {first:.1f} s", flush=True)


if __name__ == "__main__":
    main()
