"""Modules of PyTorch as layers of an `MLP`. PyTorch is not imported: a module exists only where it is loaded."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np


class Module(NamedTuple):
    """A `torch.nn.Linear`, and the activation after it."""

    linear: Any
    activation: str

    def read(self) -> tuple[np.ndarray, np.ndarray | None]:
        """Returns the weights of now, shape (outputs, inputs), and the bias."""
        bias = self.linear.bias
        return array_of(self.linear.weight), None if bias is None else array_of(bias)


def array_of(value: object) -> np.ndarray:
    """Returns a tensor, or anything that NumPy can read, as an array."""
    array: np.ndarray = value.detach().float().cpu().numpy() if hasattr(value, "detach") else np.asarray(value)
    return array


def modules_of(name: str, root: object) -> list[Module]:
    """Returns the layers of a module, the argument `name`.

    Raises:
        TypeError: If it consists of other modules than Linear, Tanh, ReLU, Identity and Flatten in nested Sequential.
        ValueError: If no Linear is in it, or an activation does not follow one.
    """
    nn: Any = getattr(sys.modules.get("torch"), "nn", None)
    if nn is None or not isinstance(root, nn.Module):
        raise TypeError(f"`{name}` must be a torch.nn.Sequential, but a {type(root)} came")
    found: list[Module] = []
    for path, module in _flat(nn, name, root):
        if _is(module, nn.Linear):
            found.append(Module(module, "none"))
            continue
        activation = next((word for word, kind in (("tanh", nn.Tanh), ("relu", nn.ReLU)) if _is(module, kind)), None)
        if activation is None:
            raise TypeError(
                f"An MLP consists of Linear, Tanh, ReLU, Identity and Flatten in nested Sequential, but {path} is "
                f"{module}: any function of a batch is a policy too, such as the module itself"
            )
        if not found or found[-1].activation != "none":
            raise ValueError(f"An activation of an MLP must follow a Linear, but {path} is {module}")
        found[-1] = found[-1]._replace(activation=activation)
    if not found:
        raise ValueError(f"An MLP needs at least one Linear, but `{name}` is {root}")
    return found


def _flat(nn: Any, path: str, module: Any) -> Iterator[tuple[str, Any]]:
    """Yields the modules in nested Sequential, with their places, without those that change nothing."""
    if _is(module, nn.Sequential):
        for key, part in module.named_children():
            yield from _flat(nn, f"{path}.{key}", part)
    elif not _is(module, nn.Identity) and not (_is(module, nn.Flatten) and module.start_dim == 1):
        yield path, module


def _is(module: Any, kind: Any) -> bool:
    """Returns whether a module computes what those of a class do, whose `forward` a class below it may replace."""
    return isinstance(module, kind) and type(module).forward is kind.forward
