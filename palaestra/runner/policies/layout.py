"""The layout of the memory of a network: its context, and its tables of layers."""

from __future__ import annotations

# The words of the context, an array of int64. Addresses are those of the first element of an array.
ACT_ROWS = 0  # the address of the kernel itself
INPUTS = 1  # numbers of an observation
WIDEST = 2  # the most numbers that a layer takes or gives
OBSERVATIONS = 3
OBSERVATIONS_ARE_DOUBLE = 4  # float64, and not float32
ACTIONS = 5
ACTIONS_ARE_DOUBLE = 6
LOG_PROB = 7
VALUE = 8  # 0 without a critic
UNCLIPPED = 9  # 0 if actions are not clipped
STREAMS = 10
ACTOR = 11  # its table of layers
ACTOR_LAYERS = 12
CRITIC = 13
CRITIC_LAYERS = 14  # 0 without a critic
START = 15  # the lowest action of a Discrete space
NORMALS = 16  # float64, shape (4, parts), in the order of `Normals`; 0 for a Discrete space
DETERMINISTIC = 17
WORDS_OF_CONTEXT = 18

# The columns of a table of layers, of int64.
TAKEN, GIVEN = 0, 1  # numbers
ACTIVATION = 2  # an index of `ACTIVATIONS`
BIAS = 3  # the address of the bias, after which the weights are
WORDS_OF_LAYER = 4

ACTIVATIONS = ("none", "tanh", "relu")
NONE, TANH, RELU = range(len(ACTIVATIONS))

# The rows of the normal distributions.
STD, LOG_STD, LOW, HIGH = range(4)

NOT_FINITE = -1
"""The result of the kernel if an action is not finite, or an extra is NaN; otherwise 0."""

WIDEST_OF_ALL = 4096
"""The most numbers that a layer may take or give: the kernel keeps those of some rows on the stack, 1 MiB at most."""
