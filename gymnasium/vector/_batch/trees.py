"""Trees of arrays: an array, or a dict or tuple of trees, as the observations of `Dict` and `Tuple` spaces are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Tree: TypeAlias = Any

_ALIGNMENT = 64  # bytes; JAX shares memory that begins at a multiple of it, and copies any other


def empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Returns uninitialized memory that JAX can share; arrays of objects hold None."""
    if dtype.hasobject:
        return np.full(shape, None, dtype)
    size = int(np.prod(shape)) * dtype.itemsize
    memory = np.empty(size + _ALIGNMENT, np.uint8)
    first = -memory.ctypes.data % _ALIGNMENT
    return memory[first : first + size].view(dtype).reshape(shape)


def mapped(function: Callable[..., Any], tree: Tree, *others: Tree) -> Tree:
    """Returns the tree of the results of `function` for each array, and for the parts at its place in other trees."""
    if isinstance(tree, dict):
        return {key: mapped(function, part, *(other[key] for other in others)) for key, part in tree.items()}
    if isinstance(tree, tuple):
        return tuple(mapped(function, *parts) for parts in zip(tree, *others, strict=True))
    return function(tree, *others)


def leaves(tree: Tree, name: str) -> Iterator[tuple[str, Any]]:
    """Yields each array with its name, such as `observations['position']`."""
    if isinstance(tree, dict | tuple):
        for key, part in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from leaves(part, f"{name}[{key!r}]")
    else:
        yield name, tree


def host(value: object) -> np.ndarray:
    """Returns an array of any library as one of NumPy's, in the same memory if it is the host's.

    NumPy has no bfloat16; float32 holds all of its numbers.
    """
    if type(value) is np.ndarray:
        return value
    if hasattr(value, "detach"):  # of PyTorch
        tensor = value.detach().cpu()
        value = tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor
    array = np.asarray(value)
    return array.astype(np.float32) if array.dtype.name == "bfloat16" else array
