"""Requests to a batch, checked as a whole before any environment moves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.error import AlreadyPendingCallError, Error
from gymnasium.params.base import Distribution
from gymnasium.params.targets import check_name
from gymnasium.utils._counts import positive
from gymnasium.utils.seeding import checked_seed


def split_seed(seed: object, n: int) -> Sequence[int | None]:
    """Returns each environment's seed: `seed + i` of an int, the items of a sequence or array, None of None.

    Raises:
        ValueError: If a sequence does not have n items.
        gymnasium.error.Error: If a seed is not an integer, or negative.
    """
    if seed is None:
        return [None] * n
    if isinstance(seed, (int, np.integer)):
        first = checked_seed(seed)
        return range(first, first + n)
    if isinstance(seed, (str, bytes)) or not isinstance(seed, (Sequence, np.ndarray)) or np.shape(seed) == ():
        raise Error(f"A seed must be an int, a sequence of {n} ints or Nones, or None, but {seed!r} came")
    if len(seed) != n:
        raise ValueError(f"A sequence of seeds needs one for each of the {n} environments, but {len(seed)} came")
    return [None if one is None else checked_seed(one) for one in seed]


def split_options(options: object, n: int) -> tuple[NDArray[np.bool_] | None, list[Any]]:
    """Returns the mask of the environments to reset (None for all) and each environment's options.

    `options` is a dict for all, or a sequence of n dicts or Nones; it is not changed.

    Raises:
        TypeError, ValueError: If `options` is neither, or `options["reset_mask"]` is not a bool array of shape (n,)
            with at least one True.
    """
    if options is None:
        return None, [None] * n
    if isinstance(options, Mapping):
        if "reset_mask" not in options:
            return None, [options] * n
        rest = {key: value for key, value in options.items() if key != "reset_mask"}
        return checked_mask(options["reset_mask"], n), [rest] * n
    if isinstance(options, (str, bytes)) or not isinstance(options, Sequence):
        raise TypeError(f"Options must be a dict, a sequence of {n} dicts or None, but a {type(options)} came")
    if len(options) != n:
        raise ValueError(f"A sequence of options needs one for each of the {n} environments, but {len(options)} came")
    for i, one in enumerate(options):
        if one is not None and not isinstance(one, Mapping):
            raise TypeError(f"The options of an environment must be a dict or None, but those of {i} are {one!r}")
    return None, list(options)


def checked_mask(mask: object, n: int, name: str = "options['reset_mask']") -> NDArray[np.bool_]:
    """Returns `mask`, called `name`, if it is a valid mask of n environments."""
    if not isinstance(mask, np.ndarray):
        raise TypeError(f"{name} must be a numpy array, but a {type(mask)} came")
    if mask.shape != (n,):
        raise ValueError(f"{name} must have the shape {(n,)}, but one of {mask.shape} came")
    if mask.dtype != np.bool_:
        raise TypeError(f"{name} must have the dtype np.bool_, but {mask.dtype} came")
    if not mask.any():
        raise ValueError(f"{name} must be True for one environment at least, but it is {mask}")
    return mask


def split_values(values: object, n: int) -> list[Any]:
    """Returns each environment's value: the items of a list or tuple, and any other value for all.

    Raises:
        ValueError: If a list or tuple does not have n items.
    """
    if not isinstance(values, (list, tuple)):
        return [values] * n
    if len(values) != n:
        raise ValueError(f"A list of values needs one for each of the {n} environments, but {len(values)} came")
    return list(values)


def chosen_ids(mask_or_ids: object, n: int) -> list[int]:
    """Returns the environments of a mask, a bool array of shape (n,), or of a sequence of indices.

    Raises:
        TypeError, ValueError: If it is neither, or names none, or one twice.
    """
    ids: list[int] = chosen_rows(mask_or_ids, n).tolist()
    return ids


def chosen_rows(mask_or_ids: object, n: int) -> NDArray[np.intp]:
    """Returns `chosen_ids` as an array."""
    if isinstance(mask_or_ids, np.ndarray) and mask_or_ids.dtype == np.bool_:
        return checked_mask(mask_or_ids, n, "the mask").nonzero()[0]
    ids = mask_or_ids
    if type(ids) is np.ndarray and ids.dtype == np.intp and ids.ndim == 1 and len(ids):  # the usual case, fast
        named = np.zeros(n, np.bool_)
        if ids.min() >= 0 and ids.max() < n:
            named[ids] = True
            if np.count_nonzero(named) == len(ids):
                return ids
    return np.array(checked_env_ids(mask_or_ids, n, ()), np.intp)


def options_of(ids: Sequence[int], options: object) -> list[dict[str, Any] | None]:
    """Returns the options of each of these environments: a dict for all, or a sequence of a dict or None for each.

    Raises:
        TypeError, ValueError: If it is neither, or names a mask.
    """
    if isinstance(options, Mapping) and "reset_mask" in options:
        raise ValueError("The options of a later reset cannot hold a 'reset_mask': name the environments instead")
    each = split_options(options, len(ids))[1]
    return [None if one is None else dict(one) for one in each]


def params_for(ids: Sequence[int], params: Any) -> list[dict[str, Any]]:
    """Returns the params of each of these environments: item k of an array or list, any other value for all.

    Raises:
        TypeError: If `params` is no mapping.
        ValueError: If an array or list does not have an item for each.
    """
    several = several_of(len(ids), params)
    return [{name: value[k] if name in several else value for name, value in params.items()} for k in range(len(ids))]


def several_of(count: int, params: object) -> set[str]:
    """Returns the names of the params with a value for each of so many environments.

    Raises:
        TypeError, ValueError: See `params_for`.
    """
    if not isinstance(params, Mapping):
        raise TypeError(f"Params must be a dict from names to values, but a {type(params)} came")
    for name, value in params.items():
        check_name(name)
        if isinstance(value, Distribution) or callable(value):
            raise TypeError(f"{name!r} is set to values, but {value!r} came: RandomizeParams draws params")
    several = {
        name
        for name, value in params.items()
        if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim)
    }
    for name in several:
        if len(params[name]) != count:
            raise ValueError(f"{name!r} has {len(params[name])} values for {count} environments")
    return several


def checked_env_ids(env_ids: object, n: int, in_flight: Collection[int]) -> list[int]:
    """Returns the environments that `send` addresses: all n for None.

    Raises:
        ValueError: If they are not indices of environments, or not all different.
        gymnasium.error.AlreadyPendingCallError: If one is in flight: sent and not received.
    """
    ids = np.arange(n) if env_ids is None else np.asarray(env_ids)
    if ids.ndim != 1 or not len(ids) or ids.dtype.kind not in "iu":
        raise ValueError(f"The env_ids must be a sequence of one integer at least, but {env_ids!r} came")
    known: list[int] = ids.tolist()
    if min(known) < 0 or max(known) >= n:
        raise ValueError(f"The env_ids must lie in 0 to {n - 1}, but {known} came")
    if len(set(known)) != len(known):
        raise ValueError(f"The env_ids must be different, but {known} came")
    busy = [i for i in known if i in in_flight]
    if busy:
        raise AlreadyPendingCallError(
            f"`send` addresses environments whose last step was not received yet, {busy}: call `recv` first", "step"
        )
    return known


def checked_min_envs(min_envs: object, in_flight: int) -> int:
    """Returns the number of environments that `recv` waits for.

    Raises:
        ValueError: If it is not a positive integer, or fewer are `in_flight`.
    """
    count = positive("min_envs", min_envs)
    if count > in_flight:
        raise ValueError(f"`recv` waits for {count} environments, but {in_flight} are in flight: `send` first")
    return count


def check_running(finished: Sequence[bool] | NDArray[np.bool_], ids: Collection[int] | None = None) -> None:
    """Check, for the mode DISABLED, that no environment (of `ids`) is finished.

    Raises:
        AssertionError: If one is; it shows all flags.
    """
    stepped = range(len(finished)) if ids is None else ids
    if any(finished[i] for i in stepped):
        raise AssertionError(
            "Finished environments were stepped without autoreset: reset them first, with "
            f"reset(options={{'reset_mask': mask}}); finished are {np.asarray(finished)}"
        )
