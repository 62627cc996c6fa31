"""The base class of all spaces, with the defaults of their operations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from importlib import import_module
from typing import Any, Generic, TypeAlias, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray
from typing_extensions import TypeVar

from gymnasium.error import CustomSpaceError
from gymnasium.logger import warn
from gymnasium.utils import seeding

__all__ = ["MaskNDArray", "Space"]

T_cov = TypeVar("T_cov", covariant=True, default=Any)
MaskNDArray: TypeAlias = NDArray[np.int8]
ArrayMaker: TypeAlias = Callable[..., np.ndarray]


class Space(Generic[T_cov]):
    """A set of values to sample from: the possible observations or actions of an environment.

    A custom space subclasses this with `sample`, `contains` and `is_np_flattenable`, and `__eq__`. Its other operations
    (flattening, batching, sharing) are either registered with the functions of `gymnasium.spaces.utils` and
    `gymnasium.vector.utils` or follow the defaults in this class.
    A program may assign to the attributes of a space, as to `dtype`: the value is stored in its kind, and whatever
    follows from it changes with it. Batches and copies that were made before keep theirs. Equality ignores the state of
    the generators.

    Args:
        shape: The shape of the values, if they are arrays.
        dtype: The type of the values, if they are arrays.
        seed: An integer to seed with, or a generator to use as it is.
    """

    def __init__(
        self,
        shape: Sequence[int] | None = None,
        dtype: DTypeLike | None = None,
        seed: int | np.random.Generator | None = None,
    ) -> None:
        self._shape = None if shape is None else tuple(shape)
        self.dtype: np.dtype | None = cast("np.dtype | None", dtype)
        self._np_random: np.random.Generator | None = None
        if isinstance(seed, np.random.Generator):
            self._np_random = seed
        elif seed is not None:
            self.seed(seed)

    _kinds = ""  # the kinds of dtypes that hold the values; empty for any
    _sources: frozenset[str] = frozenset({"dtype"})  # the attributes that others follow from

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute, and those that follow from it.

        A `dtype` that cannot hold the values is refused with a warning.
        """
        if name == "dtype":
            number = None if value is None else np.dtype(cast("DTypeLike", value))
            if "_np_random" in self.__dict__ and not self._can_have(number):
                warn(f"{self} keeps its dtype: {number} does not hold its values")
                return
            value = number
        super().__setattr__(name, value)
        if name in self._sources and "_np_random" in self.__dict__:  # which the constructor sets last
            self._follow(name)

    def _can_have(self, dtype: np.dtype | None) -> bool:
        """Whether the values can be of this dtype."""
        return not self._kinds or (dtype is not None and dtype.kind in self._kinds)

    def _follow(self, name: str) -> None:
        """Set what follows from the attribute `name`, after a program assigned to it."""

    @property
    def np_random(self) -> np.random.Generator:
        """The random generator of samples; seeded from the system's entropy by default."""
        if self._np_random is None:
            self._np_random = self._fresh_rng()
        return self._np_random

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of the values, or None if they are not arrays."""
        return self._shape

    @property
    def is_np_flattenable(self) -> bool:
        """Whether all values flatten to vectors of the same length."""
        raise NotImplementedError(f"{type(self).__name__} does not say whether it flattens; define `is_np_flattenable`")

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> T_cov:
        """Returns a random value.

        Args:
            mask: The values that may be drawn; its form depends on the space.
            probability: The probability of each value; its form depends on the space. Not together with `mask`.
        """
        raise NotImplementedError(f"{type(self).__name__} cannot be sampled; define `sample`")

    def seed(self, seed: Any = None) -> Any:
        """Seeds the generator.

        Args:
            seed: A non-negative integer, or None to draw one from the system.

        Returns:
            The seed used: an integer, or for composite spaces a structure of them. Seeding with it again gives
            the same samples.

        Raises:
            Error: If the seed is not an integer, or negative.
        """
        self._np_random, used = seeding.np_random(seed)
        return used

    def contains(self, x: Any) -> bool:
        """Whether `x` is a value of this space. Never raises, for any `x`."""
        raise NotImplementedError(f"{type(self).__name__} cannot test values; define `contains`")

    def __contains__(self, x: Any) -> bool:
        """Whether `x` is a value of this space."""
        return self.contains(x)

    def to_jsonable(self, sample_n: Sequence[Any]) -> Any:
        """Returns several samples in a form for `json.dumps`."""
        return list(sample_n)

    def from_jsonable(self, sample_n: Any) -> list[Any]:
        """Returns the samples from the result of `to_jsonable`."""
        return cast("list[Any]", sample_n)

    _json_columns = False  # whether `to_jsonable` gives a column for each member instead of a list of samples

    def __setstate__(self, state: Iterable[tuple[str, Any]] | Mapping[str, object]) -> None:
        """Restores a pickled space, also one from before `shape` and `np_random` became properties."""
        state = dict(state)
        for old, new in (("shape", "_shape"), ("np_random", "_np_random")):
            if old in state:
                state[new] = state.pop(old)
        if state.get("dtype") is not None:
            state["dtype"] = np.dtype(cast("DTypeLike", state["dtype"]))
        self.__dict__.update(state)

    def _fresh_rng(self) -> np.random.Generator:
        self.seed()  # a subclass may seed more than one generator
        return seeding.np_random()[0] if self._np_random is None else self._np_random

    # Flattening: see `gymnasium.spaces.utils`.

    _one_hot = False  # whether flat values hold only zeros and ones, in any dtype

    def _flatdim(self) -> int:
        if not self.is_np_flattenable:
            raise ValueError(f"{self} has no flat dimension: its values do not flatten to vectors of a fixed length")
        raise NotImplementedError(f"The flat dimension of {self} is unknown; register its type with `flatdim`")

    def _flattened(self, x: Any) -> Any:
        raise NotImplementedError(f"How to flatten a value of {self} is unknown; register its type with `flatten`")

    def _unflattened(self, x: Any) -> Any:
        raise NotImplementedError(f"How to unflatten a value of {self} is unknown; register its type with `unflatten`")

    def _flat_space(self) -> Space:
        raise NotImplementedError(f"How to flatten {self} is unknown; register its type with `flatten_space`")

    def _flat_dtype(self) -> np.dtype:
        if self.dtype is None:
            raise ValueError(f"{self} has no dtype, so its flat values have none")
        return self.dtype

    def _same_layout(self, other: Space) -> bool:
        raise NotImplementedError(
            f"The layout of {self} is unknown; register its type with `is_space_dtype_shape_equiv`"
        )

    # Batching: see `gymnasium.spaces.batching`.

    _stacks = False  # whether the values of a batch are in arrays instead of a tuple of single values

    def _batched(self, n: int) -> Space:
        """A tuple of `n` copies with their own seeds; Tuple is defined above this class, hence its name as a string."""
        rng = deepcopy(self.np_random)
        copies = import_module("gymnasium.spaces.tuple").Tuple([deepcopy(self) for _ in range(n)], deepcopy(rng))
        copies.seed(rng.integers(0, 10**8, n).tolist())
        return cast("Space", copies)

    def _batched_with(self, spaces: Sequence[Space]) -> Space:
        raise TypeError(
            f"Spaces of type {type(self).__name__} that differ cannot be batched; "
            "register the type with `batch_differing_spaces`"
        )

    def _iterated(self, items: Any) -> Iterator[Any]:
        raise CustomSpaceError(
            f"A batch of {type(self).__name__} cannot be iterated over; register the type with `iterate`"
        )

    def _concatenated(self, items: Iterable[object], out: Any) -> Any:
        return tuple(items)

    def _empty(self, n: int, fn: ArrayMaker) -> Any:
        return None

    def _zero(self) -> Any:
        raise CustomSpaceError(
            f"The zero of {type(self).__name__} is unknown; register the type with `create_zero_array`"
        )

    # Shared memory: see `gymnasium.spaces.sharing`.

    def _shared(self, n: int, ctx: Any) -> Any:
        raise self._unshareable("create_shared_memory")

    def _read_shared(self, memory: Any, n: int) -> Any:
        raise self._unshareable("read_from_shared_memory")

    def _write_shared(self, index: int, value: Any, memory: Any) -> None:
        raise self._unshareable("write_to_shared_memory")

    def _unshareable(self, function: str) -> Exception:
        return CustomSpaceError(
            f"{type(self).__name__} cannot live in shared memory; register the type with `{function}`"
        )


def checked_space(space: Any) -> Space:
    """Returns `space`, or raises `TypeError` if it is not a space."""
    if not isinstance(space, Space):
        raise no_space(space)
    return space


def no_space(x: object) -> TypeError:
    """Returns the error for an `x` that is not a space."""
    return TypeError(f"A gymnasium Space is needed, but {x!r} (of type {type(x).__name__}) came")
