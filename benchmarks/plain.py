"""Ordinary environment classes in machine code, beside themselves in Python and beside their dynamics as a FuncEnv."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Candidate, Case, Table, ours, reference

N, SYNC_N = 4096, 64
CARTPOLE, GRID = "PlainCartPole", "PlainGridWorld"
FUNC_ENV = Candidate("the same as a FuncEnv", "ours", "plain.stepped", {"name": "", "n": N, "how": "FuncEnv"}, 0.5)


def _stepped(title: str, name: str, *others: Candidate) -> Case:
    sync = {"name": name, "n": SYNC_N, "how": "sync"}
    return Case(
        f"{title} x {N:,}",
        (
            ours("plain.stepped", "compiled", name=name, n=N, how="compiled"),
            Candidate("sync", "ours", "plain.stepped", sync, 100),
            reference("plain.stepped", "reference, sync", **sync),
            *others,
        ),
    )


def _start(name: str, cold: bool) -> Case:
    return Case(
        f"{name}, {'cold' if cold else 'cached'}",
        (ours("plain.first_step", name=name, n=N, cold=cold),),
        "s",
        work=1,
        rounds=3,
        warm_up=not cold,
        at_most=5.0 if cold else 1.0,
    )


TABLES = (
    Table(
        "plain",
        "Ordinary classes, compiled",
        f"A step of one environment, of classes as people write them: {N:,} copies compiled, and {SYNC_N} in Python.",
        (
            _stepped("CartPole", CARTPOLE, FUNC_ENV),
            _stepped("a grid world", GRID),
        ),
    ),
    Table(
        "plain_start",
        "Ordinary classes, the first step",
        "From `make_vec` to the end of the first step in a new process, where machine code is on disk or is not.",
        tuple(_start(name, cold) for name in (CARTPOLE, GRID) for cold in (True, False)),
    ),
)

if __name__ == "__main__":
    main(TABLES)
