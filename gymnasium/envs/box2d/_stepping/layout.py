"""The memory that Python and a family's kernel share: a kernel steps many environments, or parts of one's step.

A kernel takes the words of a call. Each of its environments has words of its own, the first of which are the same in
all families. Addresses and counts are 64-bit integers.
"""

from __future__ import annotations

from array import array
from typing import Any, Final

# Words of a call: how many environments, which parts of a step, and the addresses of n rows each.
COUNT, PHASES, TABLE, MOVES, OBSERVATIONS, REWARDS, RESULTS = range(7)
BEFORE, ENGINE, AFTER = 1, 2, 4  # the parts
WHOLE: Final = BEFORE | ENGINE | AFTER

# Results of one environment
SKIPPED, WENT_ON, ENDED = range(3)

# Words of an environment; more follow, of its family.
WORLD, LISTENER, FILTER, WORKSPACE, MARKS, NUMBERS, SEEN = range(7)
OWN: Final = 7

SHAPING: Final = 0  # place among an environment's numbers: the quality of its state; NaN before the first step


def address(column: Any) -> int:
    """Returns the address of an array's memory, which has to live as long as the address is used."""
    if isinstance(column, array):
        return column.buffer_info()[0]
    found: int = column.__array_interface__["data"][0]
    return found
