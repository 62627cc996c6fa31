"""The layout of the memory of a network: its context, and its tables of layers."""

from __future__ import annotations

WORDS = (
    *("kernel", "room", "observations", "inputs", "widest", "actor", "actor_layers", "critic", "critic_layers"),
    *("streams", "deterministic", "start", "normals", "actions", "unclipped", "log_prob", "value"),
)
"""The words of the context, an array of int64: numbers, and addresses of the first elements of arrays.

`kernel` is the address of `kernel.act_rows`, for which `room` bytes are on the stack. `inputs` are the numbers of an
observation, `widest` the most that a layer takes or gives. `start` is the lowest action of a Discrete space. `normals`
has the shape (4, parts), float64, in the order of `Normals`.
"""
PLACES = {name: k for k, name in enumerate(WORDS)}

LAYER = {name: k for k, name in enumerate(("taken", "given", "weights", "wide", "rest", "activation"))}
"""The words of a layer in a table of layers: how many numbers it takes and gives, the address of its packed weights,
and those of three functions, or 0: of its wide tiles, of the outputs that are left, and of the activation."""

WORD, NUMBER = 8, 4  # bytes of int64, and of float32
ROWS = 16  # of a block of rows: a register of AVX-512, or several shorter ones
BLOCK = NUMBER * ROWS  # bytes of one number of all rows

STD, LOG_STD, LOW, HIGH = range(4)
"""The rows of the normal distributions."""

NOT_FINITE = -1
"""The result of the kernel if an action is not finite, or an extra is NaN; otherwise 0."""

WIDEST = 4096
"""The most numbers that a layer may take or give: the kernel keeps those of some rows on the stack, 1 MiB at most."""
