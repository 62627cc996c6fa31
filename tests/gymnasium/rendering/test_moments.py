"""Each picture is the one that somebody looked at.

    python -m tests.gymnasium.rendering.test_moments     records all anew, and writes them to out/moments/ to look at

Texts are blocks in it, since each version of pygame writes letters a little otherwise.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pygame
import pytest
from numpy.typing import NDArray

from gymnasium.rendering import canvas
from tests.gymnasium.rendering.scenes import MOMENTS, picture

BLOCK = 8  # pixels
ALLOWED = 16  # of the sum of a block, a quarter of a grey level: another system's sine may move an edge so far
RECORDED = Path(__file__).with_name("moments.npz")


def written_as_a_block(string: str, size: int, color: tuple[int, ...]) -> pygame.Surface:
    surface = pygame.Surface((len(string) * size // 2, size), pygame.SRCALPHA)
    surface.fill(color)
    return surface


def forget() -> None:
    """Nothing that was drawn before is drawn again from memory."""
    for name, module in list(sys.modules.items()):
        if name.startswith("gymnasium.envs.") and ".drawing." in name:
            for value in vars(module).values():
                getattr(value, "cache_clear", bool)()


@pytest.fixture(scope="module", autouse=True)
def _blocks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(canvas, "_written", written_as_a_block)
        forget()
        yield
    forget()


def sums(pixels: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """The sum of each block and channel."""
    rows = np.add.reduceat(pixels, range(0, pixels.shape[0], BLOCK), axis=0, dtype=np.uint16)
    return np.add.reduceat(rows, range(0, pixels.shape[1], BLOCK), axis=1, dtype=np.uint16)


@pytest.mark.parametrize("i", range(len(MOMENTS)), ids=lambda i: f"{MOMENTS[i][0]}{i}")
def test_a_picture_is_as_it_was_looked_at(i: int) -> None:
    with np.load(RECORDED) as recorded:
        expected = recorded[str(i)].astype(int)
    assert np.abs(sums(picture(*MOMENTS[i])) - expected).max() <= ALLOWED, "record it, if it looks right: see above"


def main() -> None:
    from PIL import Image

    folder = Path("out/moments")
    folder.mkdir(parents=True, exist_ok=True)
    for i, moment in enumerate(MOMENTS):
        Image.fromarray(picture(*moment)).save(folder / f"{moment[0]}{i}.png")
    canvas._written = written_as_a_block
    forget()
    np.savez_compressed(RECORDED, **{str(i): sums(picture(*moment)) for i, moment in enumerate(MOMENTS)})


if __name__ == "__main__":
    main()
