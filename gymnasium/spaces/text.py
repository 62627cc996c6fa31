"""Text: strings over a set of characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces.array_space import shared_array
from gymnasium.spaces.box import Box
from gymnasium.spaces.masks import check_exclusive, check_mask, check_members, checked_distribution
from gymnasium.spaces.space import ArrayMaker, Space
from gymnasium.spaces.tuple import tuple_of_copies

alphanumeric = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


class Text(Space[str]):
    """Strings of `min_length` to `max_length` characters.

    Args:
        max_length: The maximum length.
        min_length: The minimum length.
        charset: The characters. Masks and flat values have their order; a set is sorted.
        seed: See `Space`.

    Raises:
        TypeError: If a length is not an integer.
        ValueError: If the lengths are negative or cross, an element of `charset` is not one character, or a string of
            `min_length` needs characters and there are none.
    """

    def __init__(
        self,
        max_length: int,
        *,
        min_length: int = 1,
        charset: Iterable[str] = alphanumeric,
        seed: int | np.random.Generator | None = None,
    ) -> None:
        for name, length in (("min_length", min_length), ("max_length", max_length)):
            if not np.issubdtype(type(length), np.integer):
                raise TypeError(f"`{name}` must be an integer, but {length!r} (of type {type(length).__name__}) came")
        if min_length < 0:
            raise ValueError(f"`min_length` must not be negative, but {min_length} came")
        if min_length > max_length:
            raise ValueError(f"`min_length` must not exceed `max_length`, but {min_length} and {max_length} came")
        self.min_length = int(min_length)
        self.max_length = int(max_length)
        # Saved models hold pickled spaces, so these four names are part of the interface and match the reference.
        self._char_list = _checked_characters(charset)
        self._char_set = frozenset(self._char_list)
        self._char_str = "".join(sorted(self._char_list))
        self._char_index = {char: np.int32(i) for i, char in enumerate(self._char_list)}
        if not self._char_list and self.min_length > 0:
            raise ValueError(f"`charset` is empty, but strings of at least {min_length} characters need some")
        super().__init__(None, str, seed)

    @property
    def character_set(self) -> frozenset[str]:
        """The characters, without an order."""
        return self._char_set

    @property
    def character_list(self) -> tuple[str, ...]:
        """The characters in the order of masks and flat values."""
        return self._char_list

    @property
    def characters(self) -> str:
        """The characters as one string, sorted."""
        return self._char_str

    def character_index(self, char: str) -> np.int32:
        """Returns the index of a character in `character_list`; raises `KeyError` if it is absent."""
        return self._char_index[char]

    @property
    def is_np_flattenable(self) -> bool:
        """True, since strings are padded to `max_length`."""
        return True

    def sample(
        self,
        mask: tuple[int | None, NDArray[np.int8] | None] | None = None,
        probability: tuple[int | None, NDArray[np.float64] | None] | None = None,
    ) -> str:
        """Returns a random string; its length is uniform, and so are its characters.

        Args:
            mask: The length, and an int8 array with 1 for the characters that may be drawn; either may be None.
            probability: The length, and a float64 array with the characters' probabilities; either may be None.

        Raises:
            ValueError: If both are given, or no character may be drawn although `min_length` is positive.
            AssertionError: If one has another form.
        """
        check_exclusive(mask, probability)
        length, weights = None, None
        if mask is not None:
            check_members("mask", mask, 2)
            length, weights = mask[0], self._mask_weights(mask[1])
        elif probability is not None:
            check_members("probability", probability, 2)
            length, weights = probability
            weights = None if weights is None else checked_distribution(weights, len(self._char_list))
        return self._drawn(self._checked_length(length), weights)

    def _mask_weights(self, mask: Any) -> NDArray[np.float64] | None:
        if mask is None:
            return None
        check_mask(mask, (len(self._char_list),))
        return mask / mask.sum() if mask.any() else mask.astype(np.float64)  # type: ignore[no-any-return]  # checked above

    def _checked_length(self, length: Any) -> int | None:
        if length is None:
            return None
        if not np.issubdtype(type(length), np.integer):
            raise AssertionError(
                f"A length must be an integer or None, but {length!r} (of type {type(length).__name__}) came"
            )
        if not self.min_length <= length <= self.max_length:
            raise AssertionError(f"A length must be from {self.min_length} to {self.max_length}, but {length} came")
        return int(length)

    def _drawn(self, length: int | None, weights: NDArray[np.float64] | None) -> str:
        rng, n = self.np_random, len(self._char_list)
        if length is None:
            length = int(rng.integers(self.min_length, self.max_length + 1))
        if weights is None:
            weights = np.ones(n) / max(n, 1)
        if not weights.any():
            if self.min_length > 0:
                raise ValueError(f"The mask forbids every character, but {self} has no empty string")
            return ""
        return "".join(self._char_list[i] for i in rng.choice(n, size=length, p=weights))

    def contains(self, x: Any) -> bool:
        """Whether `x` is a string of such a length over these characters."""
        return (
            isinstance(x, str)
            and self.min_length <= len(x) <= self.max_length
            and all(char in self._char_index for char in x)
        )

    def __repr__(self) -> str:
        return f"Text({self.min_length}, {self.max_length}, charset={self.characters})"

    def __eq__(self, other: object) -> bool:
        """Whether `other` is a Text of the same lengths and characters, in any order."""
        return (
            isinstance(other, Text)
            and self.min_length == other.min_length
            and self.max_length == other.max_length
            and self.character_set == other.character_set
        )

    def _flatdim(self) -> int:
        return self.max_length

    def _flattened(self, x: str) -> NDArray[np.int32]:
        if len(x) > self.max_length:
            raise ValueError(f"Only strings of {self} can be flattened, but this one is longer: {x!r}")
        vector = np.full(self.max_length, len(self._char_list), dtype=np.int32)
        for i, char in enumerate(x):
            vector[i] = self._char_index[char]
        return vector

    def _unflattened(self, x: Any) -> str:
        n = len(self._char_list)
        return "".join(self._char_list[int(i)] for i in x if i < n)

    def _flat_space(self) -> Box:
        return Box(0, len(self._char_list), shape=(self.max_length,), dtype=np.int32)

    def _flat_dtype(self) -> np.dtype[np.int32]:
        return np.dtype(np.int32)

    def _same_layout(self, other: Space) -> bool:
        return (
            isinstance(other, Text)
            and self.max_length == other.max_length
            and self.character_set == other.character_set
        )

    def _batched_with(self, spaces: Sequence[Space]) -> Space:
        return tuple_of_copies(spaces)

    def _empty(self, n: int, fn: ArrayMaker) -> tuple[str, ...]:
        return (self._zero(),) * n

    def _zero(self) -> str:
        return self.characters[:1] * self.min_length

    def _shared(self, n: int, ctx: Any) -> Any:
        return ctx.Array(np.dtype(np.int32).char, int(n) * self.max_length)

    def _read_shared(self, memory: object, n: int) -> tuple[str, ...]:
        return tuple(self._unflattened(row) for row in self._rows(memory, n))

    def _write_shared(self, index: int, value: Any, memory: Any) -> None:
        if self.max_length:
            self._rows(memory, -1)[index] = self._flattened(value)

    def _rows(self, memory: object, n: int) -> NDArray[np.int32]:
        return shared_array(memory, np.int32, (n, self.max_length))


def _checked_characters(charset: Iterable[str]) -> tuple[str, ...]:
    characters = sorted(charset) if isinstance(charset, (set, frozenset)) else list(dict.fromkeys(charset))
    for char in characters:
        if not isinstance(char, str) or len(char) != 1:
            raise ValueError(f"`charset` must hold single characters, but has {char!r}")
    return tuple(characters)
