"""Reports of contacts in machine code: a listener that marks which of some named shapes touch others.

The engine calls its listener in the middle of a step. Through the bindings, each report makes several objects of
Python, which took a tenth of a walker's step; here it writes a byte.
"""

from __future__ import annotations

from gymnasium.envs.box2d._engine import offsets as at
from gymnasium.envs.box2d._stepping.program import FEET, MARKS_WORD, NAMES_WORD, WATCHED
from palaestra.language.jit.addresses import rows_at
from palaestra.language.jit.backend import types

_WORDS = NAMES_WORD + WATCHED


def begin_contact(listener: int, contact: int) -> None:
    """Mark the watched ones of two shapes, which touch from now on."""
    _mark(listener, contact, WATCHED, 1)


def end_contact(listener: int, contact: int) -> None:
    """Unmark the feet among two shapes, which no longer touch."""
    _mark(listener, contact, FEET, 0)


def _mark(listener: int, contact: int, count: int, touches: int) -> None:
    words = rows_at(listener, (_WORDS,), types.int64)
    shapes = rows_at(contact, (at.CONTACT_WORDS_64,), types.int64)
    marks = rows_at(words[MARKS_WORD], (WATCHED,), types.uint8)
    for place in (at.CONTACT_FIXTURE_A_64, at.CONTACT_FIXTURE_B_64):
        fixture = rows_at(shapes[place], (at.FIXTURE_WORDS_64,), types.int64)
        for k in range(count):
            if words[NAMES_WORD + k] == fixture[at.FIXTURE_USER_DATA_64]:
                marks[k] = touches
