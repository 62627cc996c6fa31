"""`Network`: an `MLP` as machine code, for a number of environments."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gymnasium.compiled.policies import layout as at
from gymnasium.functional.policies._heads import HALF_LOG_TAU
from gymnasium.functional.policies._network import TANH_LIMIT, TANH_P, TANH_Q, Dense
from gymnasium.functional.policies.mlp import MLP
from gymnasium.functional.stream_rows import WORDS
from gymnasium.jit import symbols  # noqa: F401  (which the machine code calls)
from gymnasium.jit.cache import Stored, digest_of
from gymnasium.jit.engine import Entry, entry
from gymnasium.spaces.box import Box

_COUNTS = {"act_rows": 3, "act": 2}  # arguments of the kernels, all int64


# The kernel takes nothing else from outside of `compiled` and `jit`, on whose text the digest depends anyway.
_CONSTANTS = repr((TANH_LIMIT, TANH_P, TANH_Q, HALF_LOG_TAU))


class Network:
    """An `MLP` for n environments, with the arrays that it writes. It gives the bits of `MLP.act_batch`.

    Other kernels call `act_rows(context, low, high)`, three int64, at `address`. It decides for the rows low..high-1,
    which several threads may do at once in different rows, and returns 0, or `layout.NOT_FINITE` if an action is not
    finite or an extra is NaN.

    Args:
        mlp: The policy. Its weights are read in its memory, also when they change.
        n: The number of environments.
        streams: The random streams, rows of `functional.stream_rows`, shape (n, 5), which advance; None for new memory,
            which is to be filled.

    Attributes:
        streams: The random streams.
        actions: The actions, in the form of a batch of the action space.
        extras: The extras of `MLP.act_batch`.
        context: What the kernel reads, int64.
        address: The address of the kernel.

    Raises:
        TypeError: For a `Discrete` space of another dtype than int64.
        ValueError: For a layer that takes or gives more than 4,096 numbers.
    """

    def __init__(self, mlp: MLP, n: int, streams: NDArray[np.uint64] | None = None) -> None:
        space: Any = mlp.action_space
        if not isinstance(space, Box) and space.dtype != np.int64:
            raise TypeError(f"The kernel of an MLP writes discrete actions of int64, but {space} came")
        layers = (*mlp.actor, *mlp.critic)
        widest = max(max(layer.weights.shape) for layer in layers)
        if widest > at.WIDEST_OF_ALL:
            raise ValueError(
                f"The kernel of an MLP has layers of at most {at.WIDEST_OF_ALL} numbers, but {widest} came"
            )
        self._mlp, self._n = mlp, n
        self.streams = np.zeros((n, WORDS), np.uint64) if streams is None else streams
        self.actions: NDArray[Any] = np.zeros((n, *space.shape), space.dtype)
        self.extras: dict[str, NDArray[Any]] = {"log_prob": np.zeros(n, np.float32)}
        if mlp.critic:
            self.extras["value"] = np.zeros(n, np.float32)
        if mlp.normals is not None and mlp.clip:
            self.extras["unclipped"] = np.zeros_like(self.actions)
        self._normals = None if mlp.normals is None else np.zeros((4, mlp.normals.std.size))
        self._tables = _table(mlp.actor), _table(mlp.critic)
        self.address = _address("act_rows")
        self.context = np.zeros(at.WORDS_OF_CONTEXT, np.int64)
        self._fill(widest)
        self.refresh()

    def _fill(self, widest: int) -> None:
        actor, critic = self._tables
        self.context[at.ACT_ROWS] = self.address
        self.context[at.INPUTS] = self._mlp.actor[0].weights.shape[0]
        self.context[at.WIDEST] = widest
        self.context[at.ACTIONS] = self.actions.ctypes.data
        self.context[at.ACTIONS_ARE_DOUBLE] = self.actions.dtype == np.float64
        self.context[at.LOG_PROB] = self.extras["log_prob"].ctypes.data
        for slot, name in ((at.VALUE, "value"), (at.UNCLIPPED, "unclipped")):
            if name in self.extras:
                self.context[slot] = self.extras[name].ctypes.data
        self.context[at.STREAMS] = self.streams.ctypes.data
        self.context[at.ACTOR] = actor.ctypes.data
        self.context[at.ACTOR_LAYERS] = len(actor)
        self.context[at.CRITIC] = critic.ctypes.data
        self.context[at.CRITIC_LAYERS] = len(critic)
        self.context[at.START] = int(getattr(self._mlp.action_space, "start", 0))
        self.context[at.NORMALS] = 0 if self._normals is None else self._normals.ctypes.data

    def bind(self, observations_at: int, dtype: DTypeLike) -> None:
        """Let the kernel read observations of float32 or float64 at an address, row after row.

        Raises:
            TypeError: For another dtype.
        """
        if np.dtype(dtype) not in (np.float32, np.float64):
            raise TypeError(
                f"The kernel of an MLP reads observations of float32 or float64, but {np.dtype(dtype)} came"
            )
        self.context[at.OBSERVATIONS] = observations_at
        self.context[at.OBSERVATIONS_ARE_DOUBLE] = np.dtype(dtype) == np.float64

    def refresh(self) -> None:
        """Take the policy's weights of now, see `MLP.refresh`, and its `deterministic`."""
        self._mlp.refresh()
        self.context[at.DETERMINISTIC] = self._mlp.deterministic
        if self._normals is not None and self._mlp.normals is not None:
            self._normals[:] = self._mlp.normals

    def act(self, low: int = 0, high: int | None = None) -> int:
        """Decide for the rows low..high-1; returns the result of `act_rows`."""
        return _entry("act")(self.context, np.array([low, self._n if high is None else high], np.int64))


def _table(layers: tuple[Dense, ...]) -> NDArray[np.int64]:
    rows = [(*layer.weights.shape, at.ACTIVATIONS.index(layer.activation), layer.bias.ctypes.data) for layer in layers]
    return np.array(rows, np.int64).reshape(len(rows), at.WORDS_OF_LAYER)


@cache
def _entry(name: str) -> Entry:
    return entry(_address(name), _COUNTS[name])


@cache
def _address(name: str) -> int:
    """Returns the address of a kernel, loaded from the disk or compiled."""
    constants = repr(
        (TANH_LIMIT, TANH_P, TANH_Q, HALF_LOG_TAU)
    )  # all that it takes from outside of `compiled` and `jit`
    stored = Stored(digest_of(__name__, constants), name)
    address = stored.address()
    if address is None:
        # Numba takes a third of a second to import; machine code from the disk does without it.
        from gymnasium.compiled.kernels.compilation import COMPILING, machine_code
        from gymnasium.compiled.policies import kernel
        from gymnasium.jit.progress import announced

        with COMPILING, announced("MLP"):
            made = machine_code(getattr(kernel, name), _COUNTS[name])
        address = made.address
        stored.keep(made.code, made.function, made.symbols)
    return address
