"""Reports of contacts in machine code: a listener that marks which of some named shapes touch others.

The engine calls its listener in the middle of a step. Through the bindings, each report makes several objects of
Python, which took a tenth of a walker's step; here it writes a byte.
"""

from __future__ import annotations

from gymnasium.envs.box2d._engine import offsets as at
from gymnasium.envs.box2d._stepping.program import FEET, MARKS_WORD, NAMES_WORD, WATCHED
from palaestra.box2d.columns import octets, words


def begin_contact(listener: int, contact: int) -> None:
    """Mark the watched ones of two shapes, which touch from now on."""
    _mark(listener, contact, WATCHED, 1)


def end_contact(listener: int, contact: int) -> None:
    """Unmark the feet among two shapes, which no longer touch."""
    _mark(listener, contact, FEET, 0)


def _mark(listener: int, contact: int, count: int, touches: int) -> None:
    own, shapes = words(listener), words(contact)
    marks = octets(own[MARKS_WORD])
    for place in (at.CONTACT_FIXTURE_A_64, at.CONTACT_FIXTURE_B_64):
        name = words(shapes[place])[at.FIXTURE_USER_DATA_64]
        for k in range(count):
            if own[NAMES_WORD + k] == name:
                marks[k] = touches
