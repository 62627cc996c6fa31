"""Policies: functions of a batch of observations that return actions, or actions and extras."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces import Space, Tuple
from gymnasium.vector._batch.trees import Tree, mapped
from gymnasium.vector.vector_env import VectorEnv
from palaestra.policies import MLP
from palaestra.rollouts.pure import PURE, InPython, OfNetwork, Pure

Policy: TypeAlias = Callable[[Any], Any] | Pure
Extras: TypeAlias = Mapping[str, Any]

_NONE: Extras = {}


def act_function(
    policy: Policy, streams: NDArray[np.uint64] | None = None, envs: VectorEnv[Any, Any, Any] | None = None
) -> Callable[[Tree], Any]:
    """Returns the function that hands observations, a tree of NumPy's arrays, to a policy.

    A pure policy draws from `streams`; it gets observations of `envs`, or rows of arrays if there are none.

    A module of PyTorch gets tensors: in the memory of the arrays, or on the device of its parameters. If PyTorch is
    loaded, no policy records gradients.
    """
    if isinstance(policy, PURE):
        assert streams is not None
        return OfNetwork(policy, streams) if isinstance(policy, MLP) else InPython(policy, streams, envs)
    torch = sys.modules.get("torch")
    module_class = getattr(getattr(torch, "nn", None), "Module", None)
    if torch is None or module_class is None:
        return policy
    convert: Callable[[Tree], Tree] | None = None
    if isinstance(policy, module_class):
        device = next((parameter.device for parameter in policy.parameters()), "cpu")
        convert = _tensors(torch.from_numpy, device)

    def ask(observations: Tree) -> Any:
        with torch.no_grad():
            return policy(observations if convert is None else convert(observations))

    return ask


def _tensors(from_numpy: Callable[[Any], Any], device: object) -> Callable[[Tree], Tree]:
    def convert(array: object) -> Any:
        return from_numpy(array).to(device) if hasattr(array, "dtype") else array

    return lambda observations: mapped(convert, observations)


def split(result: Any, space: Space) -> tuple[Any, Extras]:
    """Returns the actions and the extras in a policy's result.

    The result is read as a pair if it is a tuple of two whose second is a mapping. A batch of actions of a `Tuple` may
    look like this too; then the first must be a tuple or list for the result to be a pair.
    """
    pair = type(result) is tuple and len(result) == 2 and isinstance(result[1], Mapping)
    if pair and (not isinstance(space, Tuple) or isinstance(result[0], tuple | list)):
        actions, extras = result
        return actions, extras
    return result, _NONE
