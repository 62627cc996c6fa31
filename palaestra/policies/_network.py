"""The arithmetic of a feed-forward network, exactly: which operations of float32, and in which order.

Whatever computes a network computes it like this, and thus gives the same bits: NumPy here, and machine code in
`palaestra.runner.policies`. Hence there are neither products of matrices nor NumPy's `tanh`, whose bits depend on
the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

# tanh(x) is x * P(x^2) / Q(x^2) in -LIMIT..LIMIT, from a weighted least-squares fit of the relative error, Lawson
# (1961). Both are multiplied by the number, found by search, for which rounding loses least: over all float32, the
# result differs from tanh by 3.2e-7 at most.
TANH_LIMIT = 9.02
TANH_P = (1.535, 0.20537868, 0.005363344, 3.1595664e-05, 2.0444801e-08)
TANH_Q = (1.535, 0.71704507, 0.0397121, 0.00050395494, 1.191471e-06)


class Dense(NamedTuple):
    """A layer.

    Attributes:
        weights: Of shape (inputs, outputs).
        bias: Of shape (outputs,).
        activation: A key of `ACTIVATIONS`.
    """

    weights: Floats
    bias: Floats
    activation: str


def outputs_of(layers: Sequence[Dense], rows: Floats) -> Floats:
    """Returns the outputs of a network for each row, shape (n, outputs).

    Each output begins as its bias, to which the products of weights and inputs are added in their order.
    """
    columns = np.ascontiguousarray(rows.T)
    with np.errstate(all="ignore"):
        for layer in layers:
            total = np.repeat(layer.bias[:, None], len(rows), axis=1)
            for weights, column in zip(layer.weights, columns, strict=True):
                total += weights[:, None] * column
            columns = ACTIVATIONS[layer.activation](total)
    return columns.T


def _tanh(x: Floats) -> Floats:
    x = _within(x, np.float32(TANH_LIMIT))
    square = x * x
    return _within(x * _polynomial(TANH_P, square) / _polynomial(TANH_Q, square), np.float32(1.0))


def _polynomial(coefficients: Sequence[float], x: Floats) -> Floats:
    a, b, c, d, e = map(np.float32, coefficients)
    square = x * x
    result: Floats = (e * square + (d * x + c)) * square + (b * x + a)
    return result


def _within(x: Floats, limit: np.float32) -> Floats:
    """Returns the numbers in -limit..limit; NaN stays."""
    x = np.where(x < -limit, -limit, x)
    return np.where(x > limit, limit, x)


def _relu(x: Floats) -> Floats:
    """Returns 0 for negative numbers; NaN and -0.0 stay."""
    return np.where(x < 0.0, np.float32(0.0), x)


ACTIVATIONS: dict[str, Callable[[Floats], Floats]] = {"none": lambda x: x, "tanh": _tanh, "relu": _relu}
