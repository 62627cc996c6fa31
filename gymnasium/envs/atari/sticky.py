"""The action that the emulator holds, and repeats in a sticky frame in place of a new one.

With the probability `repeat_action_probability` a frame repeats the action of the frame before (Machado et al. 2018,
"Revisiting the Arcade Learning Environment", section 5). The emulator's saved states lack that action. It is found from
the actions of the last steps and from the numbers that were drawn for their frames: two of 32 bits for each frame, the
first of which decides. They are outputs of MT19937 (Matsumoto and Nishimura 1998), whose state is in the saved states.
"""

from __future__ import annotations

import math
import re
from collections import deque
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_UNLIKELY: Final = 1e-15  # that so many frames in a row are sticky
_WORDS, _MIDDLE, _UPPER, _TWIST = 624, 397, 0x80000000, 0x9908B0DF  # of MT19937
_GENERATOR: Final = re.compile(rb"(?:\d+ ){624}\d+")  # its words and its position, as the C++ library writes them


class Actions:
    """The last actions of an episode.

    Attributes:
        sticky: The probability that a frame repeats the action before.
        most: The number of frames, of which at least one is not sticky.

    Args:
        sticky: The probability that a frame repeats the action before.
        held: The action that the emulator holds at the beginning; None for none.
    """

    def __init__(self, sticky: float, held: Any = None) -> None:
        self.sticky = sticky
        self._held = held
        self.most = math.ceil(math.log(_UNLIKELY) / math.log(sticky)) if 0 < sticky < 1 else 1
        self._last: deque[tuple[int, Any]] = deque(maxlen=self.most)

    def add(self, frame: int, action: Any) -> None:
        """Note an action, which is taken from a frame of the episode on."""
        self._last.append((frame, action))

    def held(self, frame: int, emulator: bytes) -> Any:
        """Returns the action that the emulator holds after so many frames, in this saved state; None for none."""
        if not self._last or not 0 < self.sticky < 1:
            return self._held
        draws = last_draws(emulator, 2 * (frame - self._last[0][0]))[::2] / 2**32
        if not len(draws):  # another form of saved states: that of the last action is the likeliest
            return self._last[-1][1]
        for first, action in reversed(self._last):
            taken = draws[max(len(draws) - (frame - first), 0) :] >= self.sticky
            if taken.any():
                return action
        return self._held


def is_next_sticky(emulator: bytes, sticky: float) -> bool:
    """Whether the next frame from a saved state repeats the action before, as far as it can be known."""
    found = _generator(emulator)
    if found is None:
        return True
    generator = np.random.MT19937()
    generator.state = {"bit_generator": "MT19937", "state": {"key": found[0], "pos": found[1]}}
    return bool(generator.random_raw() / 2**32 < sticky)


def last_draws(emulator: bytes, n: int) -> NDArray[np.uint32]:
    """Returns up to n 32-bit numbers that were drawn last before a saved state, in order.

    There are fewer if the generator's words of that time are not known.
    """
    found = _generator(emulator)
    if found is None:
        return np.zeros(0, np.uint32)
    words, position = found
    if n > position:
        words = np.concatenate([_words_before(words), words])
        position += _WORDS
    return _tempered(words[max(position - n, 0) : position])


def _generator(emulator: bytes) -> tuple[NDArray[np.uint32], int] | None:
    """Returns the words of the generator and its position; None if they are not in the saved state."""
    texts = _GENERATOR.findall(emulator)
    if len(texts) < 2:  # that of the console, and the environment's, which draws for sticky frames
        return None
    *words, position = map(int, texts[-1].split())
    return np.array(words, np.uint32), position


def _words_before(words: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Returns the words of the generator before it made these: its recurrence, solved for the oldest word."""
    x = words.tolist()

    def mixed(i: int) -> tuple[int, int]:
        """The upper bit of word i and the lower bits of the next, as they were mixed into the new word i."""
        y = x[i] ^ x[(i + _MIDDLE) % _WORDS]
        odd = y >> 31
        return (y ^ _TWIST if odd else y) << 1 & 0xFFFFFFFF, odd

    for i in reversed(range(_WORDS)):
        (upper, _), (lower, odd) = mixed(i), mixed((i - 1) % _WORDS)
        x[i] = upper & _UPPER | lower & ~_UPPER | odd
    return np.array(x, np.uint32)


def _tempered(words: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Returns the generator's outputs for its words."""
    y = words ^ (words >> np.uint32(11))
    y = y ^ (y << np.uint32(7) & np.uint32(0x9D2C5680))
    y = y ^ (y << np.uint32(15) & np.uint32(0xEFC60000))
    tempered: NDArray[np.uint32] = y ^ (y >> np.uint32(18))
    return tempered
