"""The words of the memory of kernels, by name. An address is that of an array's first element."""

from __future__ import annotations

Places = dict[str, int]


def _places(*names: str) -> Places:
    return {name: k for k, name in enumerate(names)}


_VALUES = (
    "n",  # environments
    "fresh",  # bool, shape (n,): where the step returned the first observation of an episode
    *("input", "input_last"),  # values, and the last observations of episodes where `fresh`, but in the mode NEXT_STEP
    *("output", "output_last"),
)

NORMALIZE = _places(
    *_VALUES,
    *("mean", "var"),  # in the dtype of the moments, shape (width,), as are those of the next three lines
    *("sums", "spread", "scale"),
    "rows",  # the rows that count, shape (n, width)
    *("partial", "side"),  # shape (most folds * width,)
    *("seen", "epsilon"),  # float64
    "normalized",  # float32, shape (n, width)
    "deviations",  # float32, shape (n, width): the squares of a large batch, or of one that is added up by pairs
)
STACK = _places(*_VALUES, "padding")

PARTS = "parts", "table"  # a row for each part
FLATTEN = _places(*_VALUES, *PARTS, "one")  # the number 1 in the dtype of flat values
PACK = _places(*_VALUES, *PARTS, "length")  # numbers that are packed

# The columns of the table of parts, int64.
PART, PART_LAST = 0, 1  # the addresses of the values
COUNTS = 2  # the number of values of each discrete number; 0 if numbers are copied
STARTS = 3  # the lowest ones
SIZE = 4  # numbers of a discrete part, or bytes; all numbers for `pack`
OFFSET = 5  # bytes in a flat value before it, or numbers
PART_KIND = 6  # of its numbers, an index of `KINDS`
WORDS_OF_PART = 7

CLIP = _places(*_VALUES, "least", "most")  # the bounds of the inner actions, in their dtype, for `TOGETHER` actions
RESTORE = _places(*CLIP, "gradient", "intercept", "lower", "upper")  # the map onto them, the bounds of the outer ones

FLOAT32, FLOAT64, INT64 = range(3)
KINDS = ("float32", "float64", "int64")

NOT_A_VALUE = -1
"""The result of `flatten` if a discrete number is out of range; otherwise 0."""

# The words of a task of `account` and `scale`, which take arrays of shape (steps, n).
_TASK = (
    *("steps", "n"),
    "waits",  # whether the step after the end of an episode only resets
    *("rewards", "terminated", "truncated"),
    "over",  # bool, shape (n,): whether the next step only resets
)
ACCOUNT = _places(
    *_TASK,
    *("returns", "lengths"),  # of the running episodes, float64 and int64, shape (n,)
    *("ended_returns", "ended_lengths"),  # where a step ended an episode
)
SCALE = _places(
    *_TASK,
    "discounted",  # float32, shape (n,)
    "state",  # float64: the mean, the variance and the count of the returns, gamma, epsilon
    "counting",  # whether returns count
    *("rows", "squares"),  # float32, shape (n,): the returns that count
    *("partial", "side"),  # float32, shape (most folds,)
    "moments",  # float32, shape (2,)
)
