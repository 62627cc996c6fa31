"""Measures everything beside the peers, and writes the results: `make bench`, or `make bench QUICK=1`."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks import (
    adapters,
    alone,
    box2d,
    compiled,
    forks,
    frames,
    growth,
    import_time,
    jax_scan,
    memory,
    mujoco_batches,
    params,
    plain,
    pong,
    ray,
    recording,
    report,
    results,
    resume,
    rollouts,
    single_step,
    spaces,
    startup,
    tables,
    vector_async,
    vector_sync,
    wrappers,
)

MODULES = (
    single_step,
    vector_sync,
    vector_async,
    compiled,
    adapters,
    jax_scan,
    mujoco_batches,
    params,
    plain,
    box2d,
    frames,
    forks,
    resume,
    rollouts,
    pong,
    ray,
    wrappers,
    recording,
    spaces,
    import_time,
    startup,
    memory,
    growth,
)
TABLES = {table.name: table for module in MODULES for table in module.TABLES}


def main() -> None:
    """What `python -m benchmarks` does."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"all, or some of {', '.join(TABLES)}")
    alone.add_options(parser)
    parser.add_argument(
        "--out", type=Path, help="the folder of the results (benchmarks/results; quick: out/benchmarks)"
    )
    options = parser.parse_args()
    if unknown := set(options.names) - TABLES.keys():
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}")
    folder = (options.out or (results.QUICK_FOLDER if options.quick else results.FOLDER)).resolve()
    found = alone.run([TABLES[name] for name in options.names or TABLES], options, parser)
    results.write(folder, found, list(TABLES))
    report.write(folder)
    print("\n".join(tables.text(table) for table in found))
    print(f"\nThe results are in {folder}")


if __name__ == "__main__":
    main()
