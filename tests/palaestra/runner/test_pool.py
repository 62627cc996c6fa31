"""A job of rows is cut into chunks that lose none of them, and cut no lanes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from palaestra.language.program import WIDTH
from palaestra.runner.kernels.pool import CHUNKS, NEXT, ROWS, new_job


@given(st.integers(1, 1 << 24), st.integers(1, 256))
def test_chunks_are_whole_lanes_and_hold_all_rows(n: int, threads: int) -> None:
    job = new_job(n, threads)

    assert job[ROWS] % WIDTH == 0
    assert (job[CHUNKS] - 1) * job[ROWS] < n <= job[CHUNKS] * job[ROWS]
    assert job[NEXT] == job[CHUNKS]  # nothing is left to do
