"""Some random programs in the language; `python -m tests.fuzz.language_duel` runs more."""

from __future__ import annotations

import pytest

from tests.fuzz.language_duel import minimised, verdict_of
from tests.fuzz.language_programs import program


@pytest.mark.parametrize("seed", range(24))
def test_a_program_does_what_python_does(seed: int) -> None:
    text = program(seed).text
    verdict = verdict_of(text, seed)
    assert verdict.kind in ("same", "refused"), f"{verdict.reason}\n{minimised(text, seed)}"


def test_a_seed_gives_one_program() -> None:
    assert program(7) == program(7)
    assert program(7).text != program(8).text


def test_a_difference_is_found_and_minimised() -> None:
    text = "def f(rng, a, b, x, y, c, s, v):\n    z1 = a\n    if c:\n        z2 = 3\n    return rng\n"
    assert verdict_of(text, 0).kind == "different"  # a generator is no result
    assert minimised(text, 0) == "def f(rng, a, b, x, y, c, s, v):\n    return rng\n"
