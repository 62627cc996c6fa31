"""Two random functions of many statements, compiled and in Python: the same bits, or an exception.

`python -m tests.fuzz.expressions` runs as many as there is time for.
"""

from __future__ import annotations

import pytest

from tests.fuzz.expression_duel import Duel
from tests.fuzz.expression_programs import Writer
from tests.fuzz.expressions import told
from tests.thorough import THOROUGH

STATEMENTS = 30 if THOROUGH else 20


@pytest.mark.parametrize("name", ["test-0", "test-1"])
def test_a_random_function_is_the_same_compiled(name: str) -> None:
    """For each of its statements, and all inputs."""
    duel = Duel(Writer(name, STATEMENTS).write())
    duel.fight()

    assert duel.tally.statements > STATEMENTS // 2
    assert not duel.found, "\n".join(told(duel.program, one) for one in duel.found)
