"""How long it takes until an environment has made its first step: construction, and a whole program."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Case, Table, ours, reference

ONE = "make('CartPole-v1')"
BATCH = "make_vec('CartPole-v1', 4096, 'vector_entry_point')"
SMALL_BATCH = "make_vec('CartPole-v1', 64, 'vector_entry_point')"
PROCESSES = "make_vec('CartPole-v1', 64, 'async')"
COLD_ROUNDS = 3


def _program(title: str, made: str, cold: bool, at_most: float | None = None) -> Case:
    asked = {"made": made, "cold": cold}
    return Case(
        f"script.py with {title}, {'cold' if cold else 'warm'}",
        (ours("fresh.first_step", **asked), reference("fresh.first_step", **asked)),
        "s",
        work=1,
        rounds=COLD_ROUNDS if cold else 5,
        warm_up=not cold,
        at_most=at_most,
    )


def _construction(title: str, subject: str, **arguments: object) -> Case:
    return Case(title, (ours(subject, **arguments), reference(subject, **arguments)), "s", rounds=5)


TABLES = (
    Table(
        "startup",
        "Construction, and the first step of a program",
        "Making and resetting environments in a process that has made some before; and `python script.py`, from start "
        "to end, where the script makes, resets and steps once. Cold: neither bytecode nor machine code is on disk.",
        (
            _construction("make CartPole-v1", "single.construction", env_id="CartPole-v1"),
            _construction("64 in one process", "vectors.construction", kind="sync", env="CartPole-v1", n=64),
            _construction("64 in worker processes", "vectors.construction", kind="async", env="CartPole-v1", n=64),
            _construction(
                "4,096 compiled (reference: in NumPy)",
                "vectors.construction",
                kind="native",
                env="CartPole-v1",
                n=4096,
            ),
            _program("one CartPole", ONE, cold=False),
            _program("one CartPole", ONE, cold=True),
            _program("64 in worker processes", PROCESSES, cold=False),
            _program("64 compiled (reference: in NumPy)", SMALL_BATCH, cold=False, at_most=0.45),
            _program("4,096 compiled (reference: in NumPy)", BATCH, cold=False, at_most=0.6),
            _program("4,096 compiled (reference: in NumPy)", BATCH, cold=True),
        ),
    ),
)

if __name__ == "__main__":
    main(TABLES)
