"""The networks of these tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from palaestra.policies import MLP, Layer


def network(inputs: int, outputs: int, space: Any, **options: Any) -> MLP:
    """An actor and a critic with a layer of 8 in between."""
    rng = np.random.default_rng(0)

    def layers(last: int) -> list[Layer]:
        shapes = ((8, inputs, "tanh"), (last, 8, "none"))
        return [Layer(rng.normal(size=(rows, columns)), rng.normal(size=rows), name) for rows, columns, name in shapes]

    return MLP(layers(outputs), layers(1), action_space=space, **options)
