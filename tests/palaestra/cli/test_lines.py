"""Sentences at a terminal."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import struct
import termios
from collections.abc import Iterator
from typing import TextIO

import pytest

from palaestra.cli.lines import folded

SENTENCE = '    best here: compiled x 8, 386,501 steps/s, by gymnasium.make_vec("CartPole-v1", 8)'


@pytest.fixture
def narrow() -> Iterator[TextIO]:
    """A terminal of 40 columns."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    with os.fdopen(slave, "w") as stream:
        yield stream
    os.close(master)


def test_a_sentence_breaks_between_words_and_keeps_its_indent(narrow: TextIO) -> None:
    assert folded(SENTENCE, narrow).split("\n") == [
        "    best here: compiled x 8, 386,501",
        "    steps/s, by",
        '    gymnasium.make_vec("CartPole-v1", 8)',
    ]


@pytest.mark.parametrize("text", ["short", "", "def kernel(state):\n" + 60 * "x"])
def test_short_and_finished_lines_stay_as_they_are(narrow: TextIO, text: str) -> None:
    assert folded(text, narrow) == text


def test_programs_get_whole_lines() -> None:
    assert folded(SENTENCE, io.StringIO()) == SENTENCE
