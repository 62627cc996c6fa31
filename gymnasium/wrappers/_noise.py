"""Wrappers that add noise to the rendered picture."""

from __future__ import annotations

from typing import Generic

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, Env, ObsType, RenderFrame, Wrapper
from gymnasium.error import InvalidProbability
from gymnasium.rendering.frames import checked_frame
from gymnasium.transforms.noise import noise_like, scattered, squares
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers._frames import check_renders_arrays


class _NoisyRender(Wrapper[ObsType, ActType, ObsType, ActType], Generic[ObsType, ActType]):
    """Puts noise on rendered frames; a subclass defines the noise."""

    is_noise_grayscale: bool

    def render(self) -> RenderFrame | list[RenderFrame] | None:
        """Render, and put noise on the picture, or on each picture of a list."""
        rendered = self.env.render()
        if isinstance(rendered, list):
            return [self._spoiled(frame) for frame in rendered]
        return self._spoiled(rendered)

    def _spoiled(self, frame: object) -> NDArray[np.uint8]:
        pixels = checked_frame(frame)
        noise, mask = self._noise_and_mask(pixels)
        return np.where(mask[:, :, np.newaxis], noise, pixels)

    def _noise_and_mask(self, frame: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        raise NotImplementedError


class AddWhiteNoise(_NoisyRender[ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]):
    """Replaces pixels of the rendered picture by random ones, drawn with the environment's generator.

    Args:
        env: The environment, in a mode that renders pixels.
        probability_of_noise_per_pixel: In [0, 1).
        is_noise_grayscale: Whether the noise is grey.

    Raises:
        gymnasium.error.InvalidProbability: If the probability is not in [0, 1).
        ValueError: For a render mode without arrays; at `render`, for frames that are not pixels.
    """

    __module__ = "gymnasium.wrappers.rendering"  # the public home, which specs and pickles name

    def __init__(
        self, env: Env[ObsType, ActType], probability_of_noise_per_pixel: float, is_noise_grayscale: bool = False
    ) -> None:
        if not 0 <= probability_of_noise_per_pixel < 1:
            raise InvalidProbability(
                "probability_of_noise_per_pixel must be at least 0 and less than 1, but "
                f"{probability_of_noise_per_pixel} came"
            )
        RecordConstructorArgs.__init__(
            self,
            probability_of_noise_per_pixel=probability_of_noise_per_pixel,
            is_noise_grayscale=is_noise_grayscale,
        )
        Wrapper.__init__(self, env)
        check_renders_arrays(env, "AddWhiteNoise")
        self.probability_of_noise_per_pixel = probability_of_noise_per_pixel
        self.is_noise_grayscale = is_noise_grayscale

    def _noise_and_mask(self, frame: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        noise = noise_like(frame, self.is_noise_grayscale, self.np_random)  # drawn before the mask
        return noise, scattered(frame, self.probability_of_noise_per_pixel, self.np_random)


class ObstructView(_NoisyRender[ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]):
    """Hides parts of the rendered picture behind squares of noise, at new places in each frame.

    Args:
        env: The environment, in a mode that renders pixels.
        obstructed_pixels_ratio: The hidden part of the picture, in [0, 1); less if squares overlap.
        obstruction_width: The squares' side, in pixels.
        is_noise_grayscale: Whether the noise is grey.

    Raises:
        ValueError: If the ratio is not in [0, 1), the width is below 1, or the render mode has no arrays; at `render`,
            for frames that are not pixels.
    """

    __module__ = "gymnasium.wrappers.rendering"  # the public home, which specs and pickles name

    def __init__(
        self,
        env: Env[ObsType, ActType],
        obstructed_pixels_ratio: float,
        obstruction_width: int,
        is_noise_grayscale: bool = False,
    ) -> None:
        if not 0 <= obstructed_pixels_ratio < 1:
            raise ValueError(
                f"obstructed_pixels_ratio must be at least 0 and less than 1, but {obstructed_pixels_ratio} came"
            )
        if obstruction_width < 1:
            raise ValueError(f"obstruction_width must be 1 pixel or more, but {obstruction_width} came")
        RecordConstructorArgs.__init__(
            self,
            obstructed_pixels_ratio=obstructed_pixels_ratio,
            obstruction_width=obstruction_width,
            is_noise_grayscale=is_noise_grayscale,
        )
        Wrapper.__init__(self, env)
        check_renders_arrays(env, "ObstructView")
        self.obstructed_pixels_ratio = obstructed_pixels_ratio
        self.obstruction_centers_ratio = obstructed_pixels_ratio / obstruction_width**2
        self.obstruction_width = obstruction_width
        self.is_noise_grayscale = is_noise_grayscale

    def _noise_and_mask(self, frame: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        mask = squares(frame, self.obstructed_pixels_ratio, self.obstruction_width, self.np_random)
        return noise_like(frame, self.is_noise_grayscale, self.np_random), mask  # drawn after the mask
