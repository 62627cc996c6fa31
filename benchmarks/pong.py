"""The rate of Pong: one game in the usual wrappers, and 32 through `make_vec` beside ale-py's own class."""

from __future__ import annotations

from benchmarks.alone import main
from benchmarks.cases import Case, Table, ours, reference

N = 32

TABLES = (
    Table(
        "pong",
        "Atari",
        "Steps of one Pong, four frames each: in AtariPreprocessing and FrameStackObservation, or of a batch through "
        "`make_vec`, beside ale-py's vector environment by its constructor.",
        (
            Case(
                "Pong, preprocessed, four in a stack",
                (ours("games.single"), reference("games.single", wanted=1.2)),
                work=400,
            ),
            Case(
                f"Pong x {N}",
                (
                    ours("games.batch", made="make_vec", n=N),
                    reference("games.batch", "ale-py's own", 1.0, made="constructor", n=N),
                ),
                work=60,
            ),
        ),
    ),
)

if __name__ == "__main__":
    main(TABLES)
