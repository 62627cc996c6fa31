"""`Network`: an `MLP` as machine code, for a number of environments."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gymnasium.functional.stream_rows import WORDS
from gymnasium.spaces.box import Box
from palaestra.language.jit import symbols  # noqa: F401  (which the machine code calls)
from palaestra.language.jit.cache import Stored, digest_of
from palaestra.language.jit.engine import Entry, entry
from palaestra.policies._heads import HALF_LOG_TAU
from palaestra.policies._network import TANH_LIMIT, TANH_P, TANH_Q, Dense
from palaestra.policies.mlp import MLP
from palaestra.runner.frame.bridge import in_words
from palaestra.runner.kernels.columns import Column
from palaestra.runner.policies import layout as at

_READ = np.dtype(np.float32), np.dtype(np.float64)
_THREAD = 1_000_000  # nanoseconds of work for which a thread pays; waking it takes 50,000
_COUNTS = {"act_rows": 3, "act": 2}  # arguments of the kernels, all int64

# The kernel takes nothing else from outside of `compiled` and `jit`, on whose text the digest depends anyway.
_CONSTANTS = repr((TANH_LIMIT, TANH_P, TANH_Q, HALF_LOG_TAU))


class Network:
    """An `MLP` for n environments, with the arrays that it writes. It gives the bits of `MLP.act_batch`.

    Other kernels call `act_rows(context, low, high)`, three int64, at the address `act`. It decides for the rows
    low..high-1, which several threads may do at once in different rows, and returns 0, or `layout.NOT_FINITE` if an
    action is not finite or an extra is NaN.

    Args:
        mlp: The policy. Its weights are read in its memory, also when they change.
        n: The number of environments.
        streams: The random streams, rows of `functional.stream_rows`, shape (n, 5), which advance; None for new memory,
            which is to be filled.

    Attributes:
        streams: The random streams.
        actions: The actions, in the form of a batch of the action space, with further room behind for lanes.
        extras: The extras of `MLP.act_batch`.
        context: The addresses and numbers that the kernel reads, int64.
        act: The address of the kernel.
        act_left: 0, since the kernel leaves no rows.
        steps_of_a_thread: The least number of steps, of all environments together, for which a thread pays.

    Raises:
        TypeError: For a `Discrete` space of another dtype than int64.
        ValueError: For a layer that takes or gives more than 4,096 numbers, or other streams.
    """

    act_left = 0

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
        if self.streams.shape != (n, WORDS) or self.streams.dtype != np.uint64 or not self.streams.flags.c_contiguous:
            raise ValueError(f"`streams` must be a C-contiguous array of uint64 and the shape {(n, WORDS)}")
        self.actions = Column("actions", space.dtype, space.shape).empty(n)
        self.extras: dict[str, np.ndarray] = {"log_prob": np.zeros(n, np.float32)}
        if mlp.critic:
            self.extras["value"] = np.zeros(n, np.float32)
        if mlp.normals is not None and mlp.clip:
            self.extras["unclipped"] = np.zeros_like(self.actions)
        self._normals = None if mlp.normals is None else np.zeros((4, mlp.normals.std.size))
        self._tables = _table(mlp.actor), _table(mlp.critic)
        self.act = in_words(_address("act_rows"), _COUNTS["act_rows"])
        self.steps_of_a_thread = 1 + _THREAD // (50 + sum(layer.weights.size for layer in layers) // 60)
        self.context = np.zeros(at.WORDS_OF_CONTEXT, np.int64)
        self._fill(widest)
        self.refresh()

    def _fill(self, widest: int) -> None:
        actor, critic = self._tables
        self.context[at.ACT_ROWS] = _address("act_rows")
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
        if np.dtype(dtype) not in _READ:
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

    def prepare(self, observations: np.ndarray) -> None:
        """Take the changes of the policy, see `refresh`, and read observations from an array, shape (n, ...).

        Raises:
            TypeError: If it is not of float32 or float64.
            ValueError: If it is of another shape or not C-contiguous, or as `MLP.refresh`.
        """
        self._read(observations)
        self.refresh()

    def decide(self, low: int = 0, high: int | None = None) -> int:
        """Decide for the rows low..high-1; returns the result of `act_rows`."""
        return _entry("act")(self.context, np.array([low, self._n if high is None else high], np.int64))

    def __call__(self, observations: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Returns the result of `MLP.act_batch` for a batch, in arrays that the next call overwrites.

        The weights are those of the last `refresh`.

        Raises:
            ValueError: If the batch has another shape.
        """
        with np.errstate(over="ignore"):
            dtype = observations.dtype if observations.dtype in _READ else np.float32
            self._read(np.ascontiguousarray(observations, dtype))
        self.decide()
        return self.actions, self.extras

    def _read(self, observations: np.ndarray) -> None:
        inputs = int(self.context[at.INPUTS])
        if observations.shape[:1] != (self._n,) or observations.size != self._n * inputs:
            raise ValueError(
                f"The MLP takes {self._n} observations of {inputs} numbers, but the shape {observations.shape} came"
            )
        if not observations.flags.c_contiguous:
            raise ValueError("The kernel of an MLP reads observations from a C-contiguous array")
        self.bind(observations.ctypes.data, observations.dtype)
        self._observations = observations


def _table(layers: tuple[Dense, ...]) -> NDArray[np.int64]:
    rows = [(*layer.weights.shape, at.ACTIVATIONS.index(layer.activation), layer.bias.ctypes.data) for layer in layers]
    return np.array(rows, np.int64).reshape(len(rows), at.WORDS_OF_LAYER)


@cache
def _entry(name: str) -> Entry:
    return entry(_address(name), _COUNTS[name])


@cache
def _address(name: str) -> int:
    """Returns the address of a kernel, loaded from the disk or compiled."""
    stored = Stored(digest_of(__name__, _CONSTANTS), name)
    address = stored.address()
    if address is None:
        # Numba takes a third of a second to import; machine code from the disk does without it.
        from palaestra.language.jit.progress import announced
        from palaestra.runner.kernels.compilation import COMPILING, machine_code
        from palaestra.runner.policies import kernel

        with COMPILING, announced("MLP"):
            made = machine_code(getattr(kernel, name), _COUNTS[name])
        address = made.address
        stored.keep(made.code, made.function, made.symbols)
    return address
