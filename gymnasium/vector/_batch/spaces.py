"""The spaces of a batch, from those of its environments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from gymnasium.spaces.batching import batch_differing_spaces, batch_space
from gymnasium.spaces.space import Space
from gymnasium.spaces.utils import is_space_dtype_shape_equiv

ObservationMode: TypeAlias = Literal["same", "different"] | tuple[Space, Space]


def observation_spaces(mode: ObservationMode, spaces: Sequence[Space]) -> tuple[Space, Space]:
    """Returns the space of a batch of observations and that of a single one.

    Args:
        mode: `"same"`: the environments' spaces are equal. `"different"`: they have the same shapes and dtypes.
            A pair (batched, single) is used unchanged.
        spaces: Each environment's observation space.

    Raises:
        TypeError: If a pair holds anything but spaces.
        ValueError: For another mode.
        RuntimeError: If the spaces do not fit the mode.
    """
    if isinstance(mode, tuple) and len(mode) == 2:
        for space in mode:
            if not isinstance(space, Space):
                raise TypeError(f"A pair as observation_mode must hold two spaces, but {space!r} is a {type(space)}")
        batched, single = mode
    elif mode == "same":
        batched, single = batch_space(spaces[0], len(spaces)), spaces[0]
    elif mode == "different":
        batched, single = batch_differing_spaces(spaces), spaces[0]
    else:
        raise ValueError(
            f"The observation_mode must be 'same', 'different' or a pair of spaces (batched, single), but {mode!r} came"
        )
    _check_observation_spaces(mode, single, spaces)
    return batched, single


def _check_observation_spaces(mode: ObservationMode, single: Space, spaces: Sequence[Space]) -> None:
    for i, space in enumerate(spaces):
        if mode == "same" and space != single:
            raise RuntimeError(
                f"With observation_mode='same' every environment has the observation space {single}, but that of "
                f"environment {i} is {space}. Where only bounds differ, choose observation_mode='different'"
            )
        if mode != "same" and not is_space_dtype_shape_equiv(space, single):
            raise RuntimeError(
                f"The observation space of environment {i}, {space}, differs in shape or dtype from {single}, so "
                "their observations cannot be batched"
            )


def common_action_space(spaces: Sequence[Space]) -> Space:
    """Returns the environments' action space.

    Raises:
        RuntimeError: If they are not all the same.
    """
    for i, space in enumerate(spaces):
        if space != spaces[0]:
            raise RuntimeError(
                f"Every environment of a batch has the action space {spaces[0]}, but that of environment {i} is {space}"
            )
    return spaces[0]
