"""Tiles and activations have the bits of `outputs_of`."""

from __future__ import annotations

import numpy as np
import pytest

from palaestra.language.llvm.engine import caller
from palaestra.policies._network import ACTIVATIONS, Dense, outputs_of
from palaestra.runner.policies import tiles
from palaestra.runner.policies.layout import ROWS

WIDE = tiles.widest_tile()
SPECIAL = np.float32([0.0, -0.0, 1e-45, -1e-38, 1e38, -3e38, np.inf, -np.inf, np.nan, 1.0])


def aligned(size):
    """An array that begins at the begin of a line of the cache."""
    memory = np.zeros(size + ROWS, np.float32)
    first = -memory.ctypes.data // 4 % ROWS
    return memory[first : first + size]


def layer(rng, taken, given):
    return Dense(rng.normal(size=(taken, given)).astype(np.float32), rng.normal(size=given).astype(np.float32), "none")


def pack(dense, memory):
    for target, source in tiles.packing(dense, memory):
        target[:] = source


def check_bits(found, expected):
    """All NaN are one."""
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    there = ~np.isnan(expected)
    assert found[there].tobytes() == expected[there].tobytes()


@pytest.mark.parametrize("outputs", range(1, WIDE + 1))
@pytest.mark.parametrize("taken", [1, 2, 7, 64])
def test_tiles_have_the_bits_of_numpy(outputs, taken):
    """Sums begin with the bias and go in the order of the inputs; nothing is fused."""
    rng = np.random.default_rng([outputs, taken])
    count = 3 if outputs == WIDE else 1
    dense, memory = layer(rng, taken, outputs * count), aligned((1 + taken) * outputs * count)
    inputs, results = aligned(taken * ROWS), aligned(outputs * count * ROWS + ROWS)
    inputs[:] = rng.normal(size=inputs.size)
    inputs[:4] = rng.choice(SPECIAL, 4)
    pack(dense, memory)

    assert caller(tiles.addresses()[f"tiles{outputs}"], 5)(memory, inputs, results, taken, count) == 0

    expected = outputs_of([dense], inputs.reshape(taken, ROWS).T).T
    check_bits(results[:-ROWS].reshape(-1, ROWS), expected)
    assert not results[-ROWS:].any()


@pytest.mark.parametrize("name", ["tanh", "relu"])
def test_activations_have_the_bits_of_numpy(name):
    """From subnormal numbers to infinities, and around the limits of the approximation; what lies behind is left."""
    rng = np.random.default_rng(1)
    around = np.float32([9.02, -9.02]).view(np.int32)[:, None] + np.arange(-20, 21, dtype=np.int32)
    numbers = rng.integers(0, 1 << 32, 20_000, np.uint64).astype(np.uint32).view(np.float32)
    usual = rng.normal(size=20_000).astype(np.float32)
    numbers = np.concatenate([SPECIAL, around.view(np.float32).ravel(), numbers, usual])
    numbers = numbers[: len(numbers) // ROWS * ROWS]
    block = aligned(len(numbers) + ROWS)
    block[: len(numbers)], block[len(numbers) :] = numbers, 5.0

    assert caller(tiles.addresses()[f"each_{name}"], 2)(block, len(numbers) // ROWS) == 0

    with np.errstate(all="ignore"):
        check_bits(block[: len(numbers)], ACTIVATIONS[name](numbers))
    assert (block[len(numbers) :] == 5.0).all()


@pytest.mark.parametrize("given", [1, WIDE - 1, WIDE, 2 * WIDE + 1])
@pytest.mark.parametrize("taken", [1, 3])
def test_weights_lie_in_the_order_of_tiles(taken, given):
    """Of each tile first the biases, and then the weights of one input after the other."""
    dense = layer(np.random.default_rng(2), taken, given)
    memory, expected = np.zeros((1 + taken) * given, np.float32), []
    pack(dense, memory)

    for first in range(0, given, WIDE):
        for row in (dense.bias, *dense.weights):
            expected += row[first : first + WIDE].tolist()
    assert memory.tolist() == expected
