"""The affine map from one Box onto another."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gymnasium.error import InvalidBound
from gymnasium.spaces import Box, Space
from gymnasium.spaces.bounds import is_float_integer
from gymnasium.transforms.moments import Floats
from gymnasium.transforms.transform import Transform, required_box


class Affine(NamedTuple):
    """`y = gradient * x + intercept`, entry by entry, between a Box `old` and a Box `new`.

    `held` marks the entries in which one Box has a single value, so that the map has no inverse; None if there are
    none.
    """

    gradient: Floats
    intercept: Floats
    held: NDArray[np.bool_] | None
    old: Box
    new: Box


def affine(box: Box, new_min: ArrayLike, new_max: ArrayLike) -> Affine:
    """Returns the map from `box` onto the Box between `new_min` and `new_max`.

    A Box of integers is mapped onto one of floats. An entry that is infinite on a side in one Box must be infinite
    there in the other; it is shifted by its finite bound, if it has one, and not stretched.

    Args:
        box: The Box of the values.
        new_min: A number for all entries, or an array of the Box's shape.
        new_max: Likewise.

    Raises:
        TypeError: If a new bound is neither.
        ValueError: If a new bound has another shape, is infinite where the old one is not or vice versa, or `new_min`
            is above `new_max`; if the map's numbers exceed the range of the dtype.
    """
    dtype = box.dtype if box.dtype.kind == "f" else np.result_type(box.dtype, np.float32)
    least, most = _bound("new_min", new_min, box), _bound("new_max", new_max, box)
    low, high = _old_bounds(box, dtype)
    _check_infinite("new_min", least, low)
    _check_infinite("new_max", most, high)
    if (least > most).any():
        raise ValueError(f"`new_min` must not be above `new_max`, but new_min={new_min!r} and new_max={new_max!r} came")

    bounded, above, below = np.isfinite(least) & np.isfinite(most), np.isfinite(most), np.isfinite(least)
    gradient, intercept = np.ones(box.shape, dtype), np.zeros(box.shape, dtype)
    with np.errstate(all="ignore"):  # the result is checked below
        # In a wider type, because the difference of two finite bounds can overflow; where it is zero, any gradient
        # works.
        span = high[bounded].astype(np.longdouble) - low[bounded]
        gradient[bounded] = (most[bounded].astype(np.longdouble) - least[bounded]) / np.where(span == 0, 1, span)
        intercept[above] = most[above] - high[above]
        intercept[below] = gradient[below] * -low[below] + least[below]
        ends = [gradient[side] * bound[side] for side, bound in ((below, low), (above, high))]
        new_low, new_high = least.astype(dtype), most.astype(dtype)
    held = (low == high) | (gradient == 0)
    flat = (gradient == 0) & (new_low < new_high)
    finite = [gradient, intercept, *ends, new_low[below], new_high[above]]
    if flat.any() or not all(np.isfinite(numbers).all() for numbers in finite):
        raise ValueError(
            f"{dtype} cannot hold the map of {box} to new_min={new_min!r} and new_max={new_max!r}: choose new bounds "
            "that are closer to the old ones in size"
        )
    return Affine(gradient, intercept, held if held.any() else None, box, Box(new_low, new_high, dtype=dtype.type))


def rescaled(x: np.ndarray, to: Affine) -> Floats:
    """Returns values of the old Box, of shape (..., *box.shape), as values of the new one."""
    x = _as_array(x)
    with np.errstate(over="ignore"):
        y: Floats = to.gradient * x + to.intercept
    inside: Floats = _within(to.new, y, to.old, x)
    return inside


def restored(y: np.ndarray, to: Affine) -> np.ndarray:
    """Returns values of the new Box as values of the old one; integers are rounded.

    Where one Box has a single value, the result is the lower bound of the old Box.
    """
    y = _as_array(y)
    low, high, held = to.old.low, to.old.high, to.held
    with np.errstate(over="ignore"):
        x = (y - to.intercept) / (to.gradient if held is None else np.where(held, 1, to.gradient))
    if to.old.dtype.kind == "f":
        x = _within(to.old, x, to.new, y)
    else:
        top, bottom = x >= high, x <= low  # these bounds may not be floats, so a clip in floats would miss them
        x = np.where(top, high, np.where(bottom, low, np.where(top | bottom, 0, np.rint(x)).astype(to.old.dtype)))
    return x if held is None else np.where(held, low, x)


def _as_array(values: object) -> Any:
    """Returns lists and PyTorch tensors as NumPy arrays; NumPy and JAX arrays are unchanged."""
    return values if hasattr(values, "__array_namespace__") else np.asarray(values)


def _within(box: Box, mapped: Any, origin: Box, values: Any) -> Any:
    """Returns the images of `values`, clipped to the bounds of `box` where only rounding exceeded them.

    Images of values beyond the bounds of `origin` stay beyond the bounds of `box`.
    """
    if ((mapped < box.low) | (mapped > box.high)).any():
        least = np.where(values < origin.low, -np.inf, box.low)
        mapped = mapped.clip(least, np.where(values > origin.high, np.inf, box.high))
    return np.asarray(mapped) if isinstance(mapped, np.generic) else mapped


def rescale_box(box: Box, new_min: ArrayLike, new_max: ArrayLike) -> tuple[Box, Any, Any]:
    """Returns the Box between `new_min` and `new_max`, the function from `box` to it, and the function back.

    Raises:
        TypeError: If `box` is not a Box, or a bound neither a number nor an array.
        ValueError: If the bounds do not fit; see `affine`.
    """
    if not isinstance(box, Box):
        raise TypeError(f"`box` must be a Box, but {box!r} (of type {type(box).__name__}) came")
    to = affine(box, new_min, new_max)
    return to.new, partial(rescaled, to=to), partial(restored, to=to)


def rescaling(space: Space, new_min: ArrayLike, new_max: ArrayLike) -> Transform:
    """Returns the transformation of a Box's values to those of the Box between `new_min` and `new_max`.

    Raises:
        TypeError, ValueError: See `affine`; ValueError too if an entry of the Box has equal bounds.
    """
    to = affine(_extended("RescaleObservation", space), new_min, new_max)
    change = partial(rescaled, to=to)
    return Transform(to.new, change, change)


def restoring(space: Space, new_min: ArrayLike, new_max: ArrayLike) -> Transform:
    """Returns the transformation of the values of the Box between `new_min` and `new_max` to those of `space`.

    Raises:
        TypeError, ValueError: See `affine`; ValueError too if an entry of the Box has equal bounds.
        InvalidBound: If `new_min` equals `new_max` somewhere.
    """
    to = affine(_extended("RescaleAction", space), new_min, new_max)
    if (to.new.low == to.new.high).any():
        raise InvalidBound(f"The lower bound must be below the upper, but {new_min!r} and {new_max!r} came")
    change = partial(restored, to=to)
    return Transform(to.new, change, change)


def _extended(purpose: str, space: Space) -> Box:
    """Returns the Box; raises if one of its ranges is empty."""
    box = required_box(purpose, space)
    if (box.low == box.high).any():
        raise ValueError(
            f"{purpose} needs ranges, but in some entries the bounds are equal: low={box.low}, high={box.high}; "
            "leave those entries out"
        )
    return box


def _bound(name: str, bound: ArrayLike, box: Box) -> np.ndarray:
    if is_float_integer(bound):
        return np.full(box.shape, bound)
    if not isinstance(bound, np.ndarray):
        raise TypeError(f"`{name}` must be a number or an array, but {bound!r} (of type {type(bound).__name__}) came")
    if bound.shape != box.shape:
        raise ValueError(f"`{name}` must have the Box's shape {box.shape}, but has {bound.shape}")
    return bound


def _old_bounds(box: Box, dtype: np.dtype) -> tuple[Floats, Floats]:
    """Returns the bounds as floats, infinite where a Box of integers, which cannot store infinities, is unbounded."""
    low, high = box.low.astype(dtype), box.high.astype(dtype)
    if box.dtype.kind != "f":
        low[~box.bounded_below], high[~box.bounded_above] = -np.inf, np.inf
    return low, high


def _check_infinite(name: str, new: np.ndarray, old: np.ndarray) -> None:
    infinite = np.isinf(new) | np.isinf(old)
    if (new[infinite] != old[infinite]).any():
        raise ValueError(
            f"`{name}` must be infinite exactly where the Box is, but {name}={new} came for the bound {old}; first "
            "make the bound finite with another wrapper, or keep it infinite"
        )
