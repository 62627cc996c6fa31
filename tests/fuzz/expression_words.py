"""All templates of the expression fuzzer, and the functions that they call."""

from __future__ import annotations

from tests.fuzz import words_odd_blocks, words_refused, words_tame, words_wild, words_wild_arrays
from tests.fuzz.words_blocks import TAME, Block
from tests.fuzz.words_tame import lines

_UNKNOWN = (
    *("rng", "state", "params", "Params", "action", "while", "print", "del "),
    *("arange($f)", "np.linalg", "np.random"),
)


def _known(templates: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one for one in templates if not any(word in one for word in _UNKNOWN))


def _known_blocks(templates: tuple[Block, ...]) -> tuple[Block, ...]:
    return tuple(one for one in templates if not any(word in one.text for word in _UNKNOWN))


HELPERS = {
    "float_helper": "def float_helper(u):\n    if u > 1.0:\n        return u * 0.5\n    return -u",
    "mixed_helper": "def mixed_helper(u):\n    if u > 0.0:\n        return u\n    return 0",
    "int_helper": "def int_helper(k, c=3):\n    if k > c:\n        return c\n    return k",
    "pair_helper": "def pair_helper(u, k):\n    if u < 0.0:\n        return k, -u\n    return 1, u",
    "row_helper": "def row_helper(m, u=0.5):\n    if u > 1.0:\n        return m[::-1]\n    return m * u",
    "write_helper": "def write_helper(m, u):\n    m[0] = u\n    return m",
    "loop_helper": (
        "def loop_helper(u, k):\n    total = 0.0\n    for j in range(4):\n        if j == k:\n"
        "            return total\n        total += u * j\n    return total"
    ),
}
HELPED = lines("""
    float_helper($f)
    float_helper($i)
    float_helper($b)
    mixed_helper($f)
    mixed_helper($f) + $f
    mixed_helper($f) == 0
    mixed_helper($f) * $V
    -mixed_helper($f)
    int_helper($i)
    int_helper($i, 5)
    int_helper($i, c=$i)
    int_helper($f)
    int_helper($f, 0.5)
    pair_helper($f, $i)
    pair_helper($f, $i)[1]
    pair_helper($f, $f)
    row_helper($V)
    row_helper($V, $f)
    row_helper($V, u=$f)[0]
    row_helper($M)
    row_helper($I)
    write_helper($V.copy(), $f)
    write_helper($V * 2.0, $f)
    write_helper($M.copy()[0], $f)
    loop_helper($f, $i)
    loop_helper($i, $i)
""")

FLOATS, INTS, BOOLS = (_known(one) for one in (words_tame.FLOATS, words_tame.INTS, words_tame.BOOLS))
PLAIN = (*FLOATS, *INTS, *BOOLS, *_known(words_tame.ARRAYS))
WILD = _known((*words_wild.ANY, *words_wild_arrays.ANY_ARRAYS))
WILD += (*words_refused.FLOATS, *words_refused.INTS, *words_refused.BOOLS, *words_refused.ARRAYS)
PLAIN_BLOCKS = _known_blocks((*TAME, *words_odd_blocks.WILD, *words_refused.BLOCKS))
