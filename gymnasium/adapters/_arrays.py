"""Arrays of any library as NumPy's, and batches of observations as trees of arrays.

`gymnasium.rollouts.trees` has the same; importing it would import the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Tree: TypeAlias = Any  # an array, or a dict or tuple of trees


def host(value: Any) -> Any:
    """Returns an array of any library as one of NumPy's, in the same memory if it is the host's."""
    return np.asarray(value.detach().cpu() if hasattr(value, "detach") else value)


def mapped(function: Callable[..., Any], tree: Tree, *others: Tree) -> Tree:
    """Returns the tree of what `function` returns for each array, and for those at its place in other trees."""
    if isinstance(tree, dict):
        return {key: mapped(function, part, *(other[key] for other in others)) for key, part in tree.items()}
    if isinstance(tree, tuple):
        return tuple(mapped(function, *parts) for parts in zip(tree, *others, strict=True))
    return function(tree, *others)
