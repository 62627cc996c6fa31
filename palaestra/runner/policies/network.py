"""`Network`: an `MLP` as machine code, for a number of environments."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gymnasium.functional.stream_rows import WORDS
from gymnasium.spaces.box import Box
from palaestra.language.frontend.entry import program_of
from palaestra.language.frontend.front import FrontEnd
from palaestra.language.llvm.engine import address_of, caller, compiled
from palaestra.language.program import INT64, Value
from palaestra.language.types import PYTHON, Term, constant
from palaestra.policies._network import Dense, Floats
from palaestra.policies.mlp import MLP
from palaestra.runner.kernels.columns import Column
from palaestra.runner.policies import layout as at
from palaestra.runner.policies import tiles
from palaestra.runner.policies.kernel import Form, act_rows

_READ = np.dtype(np.float32), np.dtype(np.float64)
_THREAD = 1_000_000  # nanoseconds of work for which a thread pays; waking it takes 50,000


class Network:
    """An `MLP` for n environments, with the arrays that it writes. It gives the bits of `MLP.act_batch`.

    Other kernels call `act(context, low, high)`, three int64, at the address `act`. It decides for the rows
    low..high-1, which several threads may do at once in different rows, and returns 0, or `layout.NOT_FINITE` if an
    action is not finite or an extra is NaN.

    Args:
        mlp: The policy, with its weights of the last `refresh`.
        n: The number of environments.
        streams: The random streams, rows of `functional.stream_rows`, shape (n, 5), which advance; None for new memory,
            which is to be filled.

    Attributes:
        streams: The random streams.
        actions: The actions, in the form of a batch of the action space, with further room behind for lanes.
        extras: The extras of `MLP.act_batch`.
        context: The addresses and numbers that the kernel reads, int64.
        act: The address of the kernel; 0 before `bind`.
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
        if widest > at.WIDEST:
            raise ValueError(f"The kernel of an MLP has layers of at most {at.WIDEST} numbers, but {widest} came")
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
        weights = [np.zeros((1 + len(layer.weights)) * layer.bias.size, np.float32) for layer in layers]
        self._table = np.array([_row(*pair) for pair in zip(layers, weights, strict=True)], np.int64)
        self._copies = [copy for pair in zip(layers, weights, strict=True) for copy in tiles.packing(*pair)]
        self.act = 0
        self.steps_of_a_thread = 1 + _THREAD // (50 + sum(layer.weights.size for layer in layers) // 60)
        self.context = np.zeros(len(at.WORDS), np.int64)
        self._fill(widest)
        self.refresh()

    def _fill(self, widest: int) -> None:
        actor = len(self._mlp.actor)
        words = {
            "room": (3 * at.BLOCK + 8) * widest,
            "inputs": self._mlp.actor[0].weights.shape[0],
            "widest": widest,
            "actor": self._table.ctypes.data,
            "actor_layers": actor,
            "critic": self._table[actor:].ctypes.data,
            "critic_layers": len(self._mlp.critic),
            "streams": self.streams.ctypes.data,
            "start": int(getattr(self._mlp.action_space, "start", 0)),
            "actions": self.actions.ctypes.data,
            **{name: array.ctypes.data for name, array in self.extras.items()},
        }
        if self._normals is not None:
            words["normals"] = self._normals.ctypes.data
        for name, word in words.items():
            self.context[at.PLACES[name]] = word

    def bind(self, observations_at: int, dtype: DTypeLike) -> None:
        """Let the kernel read observations of float32 or float64 at an address, row after row.

        Raises:
            TypeError: For another dtype.
        """
        if np.dtype(dtype) not in _READ:
            raise TypeError(
                f"The kernel of an MLP reads observations of float32 or float64, but {np.dtype(dtype)} came"
            )
        acted, wide = self.actions.dtype.type, tiles.widest_tile()
        self.context[at.PLACES["observations"]] = observations_at
        self.context[at.PLACES["kernel"]] = _kernel(Form(np.dtype(dtype).type, acted, "unclipped" in self.extras, wide))
        self.act = _act()

    def refresh(self) -> None:
        """Take the policy's weights of now, see `MLP.refresh`, and its `deterministic`."""
        self._mlp.refresh()
        for target, source in self._copies:
            target[:] = source
        self.context[at.PLACES["deterministic"]] = self._mlp.deterministic
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
        """Decide for the rows low..high-1; returns the result of the kernel."""
        return caller(self.act, 3)(self.context, low, self._n if high is None else high)

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
        inputs = int(self.context[at.PLACES["inputs"]])
        if observations.shape[:1] != (self._n,) or observations.size != self._n * inputs:
            raise ValueError(
                f"The MLP takes {self._n} observations of {inputs} numbers, but the shape {observations.shape} came"
            )
        if not observations.flags.c_contiguous:
            raise ValueError("The kernel of an MLP reads observations from a C-contiguous array")
        self.bind(observations.ctypes.data, observations.dtype)
        self._observations = observations


def _row(layer: Dense, weights: Floats) -> tuple[int, ...]:
    """The row of a layer in the table of layers."""
    taken, given = layer.weights.shape
    functions, wide = tiles.addresses(), tiles.widest_tile()
    whole = functions[f"tiles{wide}"] if given >= wide else 0
    rest = functions[f"tiles{given % wide}"] if given % wide else 0
    activation = 0 if layer.activation == "none" else functions[f"each_{layer.activation}"]
    return taken, given, weights.ctypes.data, whole, rest, activation


@cache
def _kernel(form: Form) -> int:
    """Returns the address of `act_rows` for a form."""

    def write(front: FrontEnd, values: dict[str, Value]) -> Value:
        words = [Term(PYTHON[int], (value,)) for value in values.values()]
        term = front.materialized(front.call_function(act_rows, (constant(form), *words), {}))
        return front.convert(term.part, INT64)

    parameters = {name: INT64 for name in ("context", "low", "high", "room")}
    return compiled(program_of("act_rows", parameters, write), loops="short").address


@cache
def _act() -> int:
    """Returns the address of the function that calls a kernel with room on the stack."""
    return address_of(_ACT.format(kernel=at.WORD * at.PLACES["kernel"], room=at.WORD * at.PLACES["room"]), "act")


_ACT = """\
define i64 @act(i64 %context, i64 %low, i64 %high) nounwind {{
  %words = inttoptr i64 %context to ptr
  %kernel_at = getelementptr i8, ptr %words, i64 {kernel}
  %kernel = load ptr, ptr %kernel_at
  %size_at = getelementptr i8, ptr %words, i64 {room}
  %size = load i64, ptr %size_at
  %place = alloca i8, i64 %size, align 64
  %room = ptrtoint ptr %place to i64
  %result = call i64 %kernel(i64 %context, i64 %low, i64 %high, i64 %room)
  ret i64 %result
}}
"""
