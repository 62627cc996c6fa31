"""The layout of the memory of kernels: contexts, arrays of int64. An address is that of an array's first element."""

from __future__ import annotations

# The words of every stage.
N = 0  # environments
MODE = 1  # the autoreset mode, as a number of `kernels.layout`
FRESH = 2  # bool, shape (n,): where the step returned the first observation of an episode
INPUT, INPUT_LAST = 3, 4  # values, and the last observations of episodes where `FRESH`, unless the mode is NEXT_STEP
OUTPUT, OUTPUT_LAST = 5, 6
WIDTH = 7  # numbers of a value that comes in
KIND = 8  # of these numbers, an index of `KINDS`

# Of `normalize`: moments and memory, in the dtype of the moments.
MEAN, VAR = 9, 10  # shape (width,)
NUMBERS = 11  # float64: the count, epsilon
UPDATES = 12  # whether values count
BATCH, SQUARES = 13, 14  # shape (n, width)
SUMS, SPREAD, SCALE = 15, 16, 17  # shape (width,)
PARTIAL = 18  # shape (most folds * width,)
MOST_FOLDS = 19  # of `gymnasium.transforms.moments`, a power of two
LARGE = 20  # numbers from which on it counts a batch in fewer passes

# Of `stack`.
FRAMES = 9
FRAME = 10  # the bytes of one
PADDING = 11  # 0 for the observation itself

# Of `flatten` and `pack`.
PARTS = 9
TABLE = 10  # a row for each part
LENGTH = 11  # of a flat value: its bytes, or the numbers that are packed
ONE, ITEM = 12, 13  # the number 1 in the dtype of flat values, and its bytes

# The columns of the table of parts, int64.
PART, PART_LAST = 0, 1  # the addresses of the values
COUNTS = 2  # the number of values of each discrete number; 0 if numbers are copied
STARTS = 3  # the lowest ones
SIZE = 4  # numbers of a discrete part, or bytes; all numbers for `pack`
OFFSET = 5  # bytes in a flat value before it, or numbers
PART_KIND = 6  # of its numbers, an index of `KINDS`
WORDS_OF_PART = 7

# Of `restore` and `clip`: the bounds of the inner actions, shape (width,), in their dtype; and the map onto them.
LOW, HIGH = 9, 10
GRADIENT, INTERCEPT = 11, 12
OUTER_LOW, OUTER_HIGH = 13, 14

WORDS = 21

FLOAT32, FLOAT64, INT64 = range(3)
KINDS = ("float32", "float64", "int64")

NOT_A_VALUE = -1
"""The result of `flatten` if a discrete number is out of range; otherwise 0."""

# The words of a task of `account` and `scale`, which take arrays of shape (steps, n).
STEPS, ENVS = 0, 1
WAITS = 2  # whether the step after the end of an episode only resets
REWARDS, TERMINATED, TRUNCATED = 3, 4, 5
OVER = 6  # bool, shape (n,): whether the next step only resets

# Of `account`.
RETURNS, LENGTHS = 7, 8  # of the running episodes, float64 and int64, shape (n,)
ENDED_RETURNS, ENDED_LENGTHS = 9, 10  # where a step ended an episode

# Of `scale`.
DISCOUNTED = 7  # float32, shape (n,)
STATE = 8  # float64: the mean, the variance and the count of the returns, gamma, epsilon
COUNTING = 9  # whether returns count
MEMORY = 10  # float32, for the returns that count, their squares, two moments, and sums of folds
FOLDS = 11

WORDS_OF_TASK = 12
